"""Sizes as people write them: `N=2`, `x=2,3,4`, `N=2, H=16`. A name is a symbol or an input."""

from __future__ import annotations

import re
from collections.abc import Mapping

Hints = Mapping[str, int | tuple[int, ...]]
"""Sizes of symbols and shapes of inputs, by name."""

_START = re.compile(r"\s*(`[^`]+`|[^,=`]+?)\s*=\s*(?!=)")
_SHAPE = re.compile(r"[(\[](.*)[)\]]")


def parse_pairs(text: str) -> dict[str, int | tuple[int, ...]]:
    """The sizes of a text; raises ValueError with what is wrong.

    A shape has commas or brackets: `x=2,3`, `x=2,`, `x=[2]`, `x=[]`. Backquotes around a name are dropped.
    """
    sizes: dict[str, int | tuple[int, ...]] = {}
    position = 0
    while position < len(text):
        start = _START.match(text, position)
        if start is None:
            raise ValueError(f"`{text}` is not of the form N=2 or x=2,3,4")
        end = _end(text, start.end())
        sizes[start[1].strip("`")] = _size(text[start.end() : end].strip(), text)
        position = end + 1
    if not sizes:
        raise ValueError("a size is of the form N=2 or x=2,3,4")
    return sizes


def _end(text: str, position: int) -> int:
    """Where the size that starts at `position` ends: before the comma of the next pair, or at the end."""
    while (comma := text.find(",", position)) >= 0:
        if _START.match(text, comma + 1):
            return comma
        position = comma + 1
    return len(text)


def _size(value: str, text: str) -> int | tuple[int, ...]:
    shape = _SHAPE.fullmatch(value)
    entries = [entry.strip() for entry in (shape[1] if shape else value).split(",")]
    if entries[-1] == "" and (shape or len(entries) > 1):
        entries.pop()
    elif shape is None and len(entries) == 1:
        return _integer(entries[0], text)
    return tuple(_integer(entry, text) for entry in entries)


def _integer(entry: str, text: str) -> int:
    if not (entry.isascii() and entry.isdigit()):
        raise ValueError(f"`{entry}` in `{text}` is not a size: 0 or a positive integer")
    return int(entry)
