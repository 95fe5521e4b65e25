"""Where chunks stand, so that ranges in them become places of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from onnxls.frontends.script.boundaries import common_prefix, common_suffix
from onnxls.frontends.script.chunks import Chunk
from onnxls.spans import LineIndex, Location, Span


@dataclass(frozen=True, slots=True)
class Edit:
    """What has become of a text: `removed` characters at `at` made way for `added` others."""

    at: int
    removed: int
    added: int

    @staticmethod
    def between(old: str, new: str) -> Edit:
        """The smallest edit that leads from one text to another."""
        at = common_prefix(old, new)
        tail = common_suffix(old, new, min(len(old), len(new)) - at)
        return Edit(at, len(old) - tail - at, len(new) - tail - at)

    def moved(self, offset: int) -> int:
        """Where an offset of the old text is in the new one; inside the edit it is its beginning."""
        if offset <= self.at:
            return offset
        return offset - self.removed + self.added if offset >= self.at + self.removed else self.at


@dataclass(frozen=True, eq=False)
class Home:
    """Where a chunk stands: its file, the line of the file that it begins on, and its text now.

    `edit`: what was done to the text since the chunk was read. A home is the same object until one of these changes.
    """

    path: str
    line: int
    text: str
    edit: Edit | None = None

    @cached_property
    def lines(self) -> LineIndex:
        """The lines of the text."""
        return LineIndex(self.text)

    @cached_property
    def below(self) -> int:
        """The line of the file that the next chunk begins on."""
        text = self.text
        return self.line + (self.lines.count - 1 if "\r" in text else text.count("\n"))

    def line_of(self, chunk: Chunk, line: int) -> int:
        """The line of the file that a line of the chunk is on."""
        if self.edit is None:
            return self.line + line - 1
        return self.location(chunk.point(line)).line or self.line

    def location(self, span: Span, graph_path: str | None = None) -> Location:
        """The place of a range of the chunk."""
        start, end = span.start, span.end
        if self.edit is not None:
            start, end = self.edit.moved(start), self.edit.moved(end)
        return self.written(Span(start, end), graph_path)

    def written(self, span: Span, graph_path: str | None = None) -> Location:
        """The place of a range of its text."""
        line, column = self.lines.position(span.start)
        end_line, end_column = self.lines.position(span.end)
        above = self.line - 1
        return Location(self.path, line + above, column, end_line + above, end_column, graph_path)


class Homes(Mapping[str, Home]):
    """The homes of all chunks of some files, by their keys: the path, "#", and what tells them apart."""

    def __init__(self, of_files: Mapping[str, Mapping[str, Home]]) -> None:
        self._of_files = of_files

    def __getitem__(self, key: str) -> Home:
        return self._of_files[key.rpartition("#")[0]][key]

    def __iter__(self) -> Iterator[str]:
        return (key for homes in self._of_files.values() for key in homes)

    def __len__(self) -> int:
        return sum(map(len, self._of_files.values()))
