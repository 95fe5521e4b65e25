"""Where things are written in an ONNX text, one that was read or one that was written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from onnxls.keys import call_step
from onnxls.spans import Span

_FUNCTION = re.compile(r"^function\[([^:\]]*):([^:\]]*)(?::[^\]]*)?\]")  # keys.function_step


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


@dataclass(frozen=True, slots=True)
class Listing:
    """A text, and where in it things are.

    `values` has the name of each value where it is defined, `nodes` each whole node, both by the keys of nested values
    (`node/attribute/value`, of a function `domain.name/value`); `inputs` each declared input of the main graph.
    `places` has nodes, inputs and initializers by the graph path of a `Location`, in functions from their call on.
    """

    text: str
    values: Mapping[str, Span] = field(default_factory=dict[str, Span])
    nodes: Mapping[str, Span] = field(default_factory=dict[str, Span])
    inputs: Mapping[str, Span] = field(default_factory=dict[str, Span])
    places: Mapping[str, Span] = field(default_factory=dict[str, Span])

    def find(self, graph_path: str) -> Span | None:
        """The range of a place in the model, or of the nearest one around it that is shown."""
        path = graph_path[graph_path.rfind("/function(") + 1 :]
        path = _FUNCTION.sub(lambda match: call_step(match[1], match[2]), path)
        while path:
            if path in self.places:
                return self.places[path]
            path = path.rpartition("/")[0]
        return None
