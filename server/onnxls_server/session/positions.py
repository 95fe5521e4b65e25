"""Lines and characters as editors count them, in the units of the encoding that was agreed on.

A line ends with \\n, \\r\\n or \\r and with nothing else. Positions past the end of a line or text clamp to it.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from onnxls.spans import LineIndex

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")


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
    return start + min(_index(text, character, encoding), len(text))


def _index(text: str, units: int, encoding: Encoding) -> int:
    """How many characters begin and end within so many units; no loop of Python over a line, which may be long."""
    if encoding == "utf-32" or text.isascii():
        return units
    if encoding == "utf-8":
        data = text.encode("utf-8", "surrogatepass")
        while 0 < units < len(data) and data[units] & 0xC0 == 0x80:
            units -= 1
        return len(data[:units].decode("utf-8", "surrogatepass"))
    extra = 0
    for match in _TWO_UNITS.finditer(text):
        if match.start() + extra >= units:
            break
        extra += 1
    return units - extra


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
