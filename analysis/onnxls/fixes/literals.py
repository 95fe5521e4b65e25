"""Lists of integers as they are written, with the range of each element."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from onnxls.diagnostics import Edit
from onnxls.spans import Span

_LIST = re.compile(r"\s*\[\s*(?:-?\d+\s*(?:,\s*-?\d+\s*)*,?\s*)?\]\s*")
_BRACED = re.compile(r"\{\s*(?:-?\d+\s*(?:,\s*-?\d+\s*)*)?\}")
_NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class Literal:
    """The ranges of the elements, and their values."""

    spans: tuple[Span, ...]
    values: tuple[int, ...]

    def edits(self, path: str, entries: Iterable[tuple[int, int]]) -> list[Edit] | None:
        """The edits that give some elements other values."""
        made: list[Edit] = []
        for place, value in entries:
            if place >= len(self.spans):
                return None
            made.append(Edit(path, self.spans[place], str(value)))
        return made


def int_list(text: str, span: Span) -> Literal | None:
    """`[1, -1]` that fills a range; None where anything else stands there."""
    match = _LIST.fullmatch(text, span.start, span.end)
    return None if match is None else _elements(text, span)


def braced(text: str, span: Span) -> Literal | None:
    """`{1, -1}` at the end of a range; None where anything else stands there."""
    start = text.find("{", span.start, span.end)
    match = _BRACED.match(text, start, span.end) if start >= 0 else None
    return None if match is None else _elements(text, Span(start, match.end()))


def _elements(text: str, span: Span) -> Literal:
    matches = list(_NUMBER.finditer(text, span.start, span.end))
    return Literal(tuple(Span(*match.span()) for match in matches), tuple(int(match[0]) for match in matches))
