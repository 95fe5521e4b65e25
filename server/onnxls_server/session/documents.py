"""The texts that a client has open, as it has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from onnxls.spans import LineIndex
from onnxls_server.session.positions import Encoding, offset_of
from onnxls_server.session.uris import key_of


class Change(NamedTuple):
    """New text in place of a range (0-based lines, characters in units of the encoding), or of all where it is None."""

    range: tuple[int, int, int, int] | None
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """One version of an open text."""

    uri: str
    language: str
    version: int | None
    lines: LineIndex

    @property
    def text(self) -> str:
        """All of it."""
        return self.lines.text


class Documents:
    """The open documents, by their URIs in any spelling."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}

    def open(self, uri: str, language: str, version: int | None, text: str) -> Document:
        """A text that was opened, or given anew."""
        made = Document(uri, language, version, LineIndex(text))
        self._open[key_of(uri)] = made
        return made

    def change(self, uri: str, version: int | None, changes: Sequence[Change], encoding: Encoding) -> Document | None:
        """Applies changes, each to what the one before left; None for a document that is not open."""
        known = self._open.get(key_of(uri))
        if known is None:
            return None
        lines = known.lines
        for change in changes:
            lines = LineIndex(_changed(lines, change, encoding))
        made = Document(known.uri, known.language, version, lines)
        self._open[key_of(uri)] = made
        return made

    def close(self, uri: str) -> Document | None:
        """Forgets a document."""
        return self._open.pop(key_of(uri), None)

    def get(self, uri: str) -> Document | None:
        """The document as it is now."""
        return self._open.get(key_of(uri))

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))


def _changed(lines: LineIndex, change: Change, encoding: Encoding) -> str:
    if change.range is None:
        return change.text
    first_line, first, last_line, last = change.range
    start = offset_of(lines, first_line, first, encoding)
    end = max(start, offset_of(lines, last_line, last, encoding))
    return lines.text[:start] + change.text + lines.text[end:]
