"""Globs on paths: `*` and `?` stay inside a name, `**` crosses folders; a glob without a slash matches any name.

What matches a folder matches everything in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache


def matches(path: str, root: str, globs: Iterable[str]) -> bool:
    """Whether a path, seen from the folder `root`, is matched by one of the globs."""
    patterns = tuple(globs)
    if not patterns:
        return False
    relative = os.path.relpath(os.path.abspath(path), os.path.abspath(root)).replace(os.sep, "/")
    return any(_compiled(pattern).match(relative) is not None for pattern in patterns)


@cache
def _compiled(glob: str) -> re.Pattern[str]:
    glob = glob.replace(os.sep, "/").removeprefix("./").rstrip("/")
    anchored = "/" in glob
    expression = "".join(_parts(glob.lstrip("/")))
    return re.compile(("" if anchored else r"(?:.*/)?") + expression + r"(?:/.*)?\Z", re.DOTALL)


def _parts(glob: str) -> Iterable[str]:
    for token in re.findall(r"\*\*/|/\*\*\Z|\*\*|\*|\?|\[[!^]?\]?[^\]]*\]|.", glob, re.DOTALL):
        if token == "**/":
            yield r"(?:.*/)?"
        elif token == "/**":
            yield r"/.*"
        elif token == "**":
            yield r".*"
        elif token == "*":
            yield r"[^/]*"
        elif token == "?":
            yield r"[^/]"
        elif len(token) > 1:
            inner = token[1:-1]
            negated = inner[:1] in ("!", "^")
            characters = re.sub(r"([\\\]\[^&~|])", r"\\\1", inner[1:] if negated else inner)
            yield f"[{'^' if negated else ''}{characters}]"
        else:
            yield re.escape(token)
