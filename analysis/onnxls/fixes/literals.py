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
_COMMENT = re.compile(r"#[^\r\n]*")


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
    """`[1, -1]` that fills a range, perhaps with comments; None where anything else stands there."""
    written = _COMMENT.sub(lambda comment: " " * len(comment[0]), text[span.start : span.end])
    return None if _LIST.fullmatch(written) is None else _elements(written, span.start)


def braced(text: str, span: Span) -> Literal | None:
    """`{1, -1}` at the end of a range; None where anything else stands there."""
    start = text.find("{", span.start, span.end)
    match = _BRACED.match(text, start, span.end) if start >= 0 else None
    return None if match is None else _elements(match[0], start)


def _elements(written: str, start: int) -> Literal:
    matches = list(_NUMBER.finditer(written))
    spans = tuple(Span(start + match.start(), start + match.end()) for match in matches)
    return Literal(spans, tuple(int(match[0]) for match in matches))
