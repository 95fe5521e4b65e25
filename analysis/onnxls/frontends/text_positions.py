"""Where things are written in an ONNX text: what the reader keeps for those who look names up in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onnxls.spans import Span


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where a value is declared: all of it, its name, its type, and each axis of its (innermost) shape."""

    span: Span
    name: Span
    type: Span | None = None
    dims: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class ScopePositions:
    """Where things are written in one graph or function; `labels` are the names of nodes by their index."""

    span: Span
    name: Span | None = None
    inputs: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    outputs: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    value_info: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    initializers: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    parameters: Mapping[str, Span] = field(default_factory=dict[str, Span])
    labels: Mapping[int, Span] = field(default_factory=dict[int, Span])
    opsets: Mapping[str, Span] = field(default_factory=dict[str, Span])
    metadata: Mapping[str, Span] = field(default_factory=dict[str, Span])


TextPositions = Mapping[str, ScopePositions]
"""The positions of a text by scope: "" (the main graph), `node/attribute` (nested), `domain.name` (a function)."""
