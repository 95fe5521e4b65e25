"""The names of dims in what is written for an axis."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_NAME = re.compile(r"[^\W\d]\w*\b(?!\s*\()")
"""A name that is not that of a function."""


def dim_mentions(written: str, dims: Collection[str]) -> Iterator[tuple[str, int]]:
    """The declared names that an expression is over, with their offsets; of a text that is none, all of it."""
    words = [(match[0], match.start()) for match in _NAME.finditer(written)]
    known = [(name, start) for name, start in words if name in dims]
    if len(known) == len(words) and known:
        yield from known
    elif written in dims:
        yield written, 0
