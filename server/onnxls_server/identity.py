"""What the results of an analysis depend on besides its input: its own code, Python, and the installed packages."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from importlib.util import find_spec

from onnxls import __version__

_OWN = ("onnxls", "onnxls_server")
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def identity() -> str:
    """Changes with every change of a file of this project, and when a package is installed, upgraded or removed."""
    parts = [__version__, sys.version]
    for package in _OWN:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            parts += sorted(_files(folder))
    parts += [_stamp(folder) for folder in sys.path if os.path.basename(folder) in _INSTALLED]
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _files(folder: str) -> list[str]:
    return [
        _stamp(os.path.join(parent, name))
        for parent, _, names in os.walk(folder)
        for name in names
        if name.endswith((".py", ".json"))
    ]


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return path
    return f"{path} {found.st_size} {found.st_mtime_ns}"
