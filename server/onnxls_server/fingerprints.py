"""What makes a finding the same finding later: its file, rule and node, and its message without the numbers in it.

Lines, columns and the severity do not count, so an edit above a finding does not make it new.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic

_NUMBER = re.compile(r"\d+")


def relative(path: str, root: str) -> str:
    """A path seen from a folder, with forward slashes; as it is where there is no way (another drive)."""
    try:
        seen = os.path.relpath(os.path.abspath(path), os.path.abspath(root))
    except ValueError:
        seen = path
    return seen.replace(os.sep, "/")


def fingerprint(found: Diagnostic, root: str) -> str:
    """The mark of a finding, as 32 hexadecimal digits; equal findings at several places of a file share one."""
    from hashlib import sha256

    parts = (
        relative(found.location.path, root),
        found.rule,
        found.node or "",
        found.value or "",
        _NUMBER.sub("#", found.message),
    )
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
