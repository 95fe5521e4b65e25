"""Where the parts of an analysed text stand: one document, or the cells of a notebook one after the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from onnxls.spans import LineIndex
from onnxls_server.session.uris import key_of


@dataclass(frozen=True, slots=True)
class Part:
    """A document, its lines, and the offset in the analysed text where it begins."""

    uri: str
    version: int | None
    lines: LineIndex
    start: int = 0


class Layout:
    """The parts of one text, in order."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self._starts = [part.start for part in parts]
        self._by_uri = {key_of(part.uri): part for part in parts}

    def part(self, uri: str) -> Part | None:
        """The part that a document is."""
        return self._by_uri.get(key_of(uri))

    def at(self, offset: int) -> tuple[Part, int]:
        """The part that an offset is in, and the offset in it, clamped to its end."""
        part = self.parts[max(bisect_right(self._starts, offset) - 1, 0)]
        return part, max(0, min(offset - part.start, len(part.lines.text)))
