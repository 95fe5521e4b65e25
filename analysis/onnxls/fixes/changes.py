"""What a fix changes, free of how it is written: in a source, in ONNX text or in a binary model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from onnxls.graph import TypeInfo
from onnxls.occurrences import Site, TypedRole


@dataclass(frozen=True, slots=True)
class Retype:
    """Another declared type for a value of a unit; `value` is its key. `role`: which of its declarations, which
    says `old` now."""

    unit: int
    value: str
    role: TypedRole
    old: TypeInfo
    type: TypeInfo


@dataclass(frozen=True, slots=True)
class SetEntries:
    """Other elements of the constant that a node takes as an input, by their places."""

    site: Site
    input: int
    entries: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """Another value of an integer attribute of a node."""

    site: Site
    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Respell:
    """Another name for the operator of a node, or for one of its attributes or inputs."""

    site: Site
    what: Literal["operator", "attribute", "input"]
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Assume:
    """A precondition, as text, for a unit."""

    unit: int
    condition: str


Change = Retype | SetEntries | SetAttribute | Respell | Assume
