"""A function that a source declares to be a graph, where it stands and how it is decorated."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeAlias

from onnxls.frontends.script.abstract import Decorator
from onnxls.frontends.script.chunks import Chunk
from onnxls.frontends.script.names import Place, Scope, Seat
from onnxls.spans import Span

Meaning: TypeAlias = "str | Declared"
"""What a name in a script function stands for: a value of its graph by its name, or another script function."""

TRACED = frozenset(("traced", "builder", "pattern"))
"""The kinds of functions that Python runs: of torchlib, with an `op` or builder, and what rewrites look for."""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """One function that becomes a graph. `scope` is the scope around it, `owner` the class that it is a method of."""

    node: ast.FunctionDef
    seat: Seat
    scope: Scope
    decorator: Decorator
    owner: ast.ClassDef | None = None

    @property
    def traced(self) -> bool:
        """Whether Python runs the function to make a graph, and it is not itself converted."""
        return self.decorator.kind in TRACED

    @property
    def name(self) -> str:
        """Its dotted name in the file."""
        return self.scope.prefix + self.node.name

    @property
    def chunk(self) -> Chunk:
        """The chunk that it stands in."""
        return self.seat.chunk

    @property
    def place(self) -> Place:
        """Where the function is defined: what stands above it is what it sees."""
        return Place(self.seat, self.node.lineno)

    @property
    def first_line(self) -> int:
        """The line in its chunk of the first decorator."""
        return min((each.lineno for each in self.node.decorator_list), default=self.node.lineno)


def name_span(chunk: Chunk, node: ast.FunctionDef) -> Span:
    """The name of a function where it is defined."""
    start = chunk.offset(node.lineno, node.col_offset)
    at = max(chunk.text.find(node.name, start + len("def")), start)
    return Span(at, at + len(node.name), chunk.key)
