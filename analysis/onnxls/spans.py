"""Where a thing is written: ranges inside a text, and places a person can go to.

Ranges are offsets relative to the enclosing chunk of text, so that an edit above a chunk moves nothing in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of characters, counted from the start of the enclosing chunk.

    `home` names the chunk; it is empty in a text that is one chunk.
    """

    start: int
    end: int
    home: str = ""

    def moved(self, by: int) -> Span:
        """The range of the same text that stands further on."""
        return Span(self.start + by, self.end + by, self.home)


@dataclass(frozen=True, slots=True)
class Origin:
    """The ranges of a node in a text: the whole of it, and its parts.

    `written`: the construct that the node comes from, as it is written, where that is no call of the operator.
    """

    span: Span
    name: Span | None = None
    inputs: tuple[Span | None, ...] = ()
    outputs: tuple[Span | None, ...] = ()
    attributes: Mapping[str, Span] = field(default_factory=dict[str, Span])
    written: str = ""

    def moved(self, by: int) -> Origin:
        """The ranges of the same text that stands further on."""
        return Origin(
            self.span.moved(by),
            self.name and self.name.moved(by),
            tuple([span and span.moved(by) for span in self.inputs]),
            tuple([span and span.moved(by) for span in self.outputs]),
            {name: span.moved(by) for name, span in self.attributes.items()} if self.attributes else self.attributes,
        )


@dataclass(frozen=True, slots=True)
class Location:
    """A place: lines and columns are 1-based, columns count characters; all four are None in a binary model.

    `graph_path` names the place inside a model: `graph/node[3]:Reshape(to_grid)/then_branch/...`.
    """

    path: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    graph_path: str | None = None


_LINE_END = re.compile(r"\r\n?|\n")


class LineIndex:
    """Offsets of a text to lines and columns. Line ends are \\n, \\r\\n and \\r, as in the language server protocol."""

    __slots__ = ("_plain", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._plain = "\r" not in text
        if not self._plain:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        else:
            self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of an offset; offsets past the end clamp."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return line + 1, offset - self._starts[line] + 1

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self._starts)

    def start(self, line: int) -> int:
        """The offset of the beginning of a 1-based line; of one past the end, the end."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.text)

    def bounds(self, line: int) -> tuple[int, int]:
        """The offsets of a 1-based line, without its line end; a line past the end is empty."""
        starts = self._starts
        if line >= len(starts):
            return self.start(line), len(self.text)
        start, end = starts[line - 1], starts[line]
        if self._plain:
            return start, end - 1
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return start, end

    def location(self, path: str, span: Span, graph_path: str | None = None) -> Location:
        """The place of a range of this text."""
        line, column = self.position(span.start)
        end_line, end_column = self.position(span.end)
        return Location(path, line, column, end_line, end_column, graph_path)
