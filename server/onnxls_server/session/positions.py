"""Lines and characters as editors count them, in the units of the encoding that was agreed on.

A line ends with \\n, \\r\\n or \\r and with nothing else. Positions past the end of a line or text clamp to it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from onnxls.spans import LineIndex

Encoding = Literal["utf-8", "utf-16", "utf-32"]


class Position(NamedTuple):
    """A 0-based line, and a character in it in the units of the encoding."""

    line: int
    character: int


def position_of(lines: LineIndex, offset: int, encoding: Encoding) -> Position:
    """The position of an offset; an offset inside a line end is the end of the line."""
    line, _ = lines.position(offset)
    start, end = lines.bounds(line)
    return Position(line - 1, _units(lines.text[start : max(start, min(offset, end))], encoding))


def offset_of(lines: LineIndex, line: int, character: int, encoding: Encoding) -> int:
    """The offset of a position; one in the middle of a character is its start."""
    if line < 0:
        return 0
    start, end = lines.bounds(line + 1)
    character = max(character, 0)
    text = lines.text[start:end]
    if encoding == "utf-32" or text.isascii():
        return min(start + character, end)
    units = 0
    for index, each in enumerate(text):
        units += _units(each, encoding)
        if units > character:
            return start + index
    return end


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(each > "\uffff" for each in text)
