"""What the results of an analysis depend on besides its input: its own code, Python, and the packages it asks."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from importlib.util import find_spec

from onnxls import __version__

_OWN = ("onnxls", "onnxls_server")
_ASKED = ("onnx", "numpy", "sympy", "z3")


def identity() -> str:
    """Changes with every change of a file of this project, and of the version of a package that is asked."""
    parts = [__version__, sys.version]
    for package in _OWN:
        for folder in _folders(package):
            parts += sorted(_files(folder))
    for package in _ASKED:
        parts += [_stamp(os.path.join(folder, "__init__.py")) for folder in _folders(package)]
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _folders(package: str) -> list[str]:
    spec = find_spec(package)
    return list(spec.submodule_search_locations or ()) if spec is not None else []


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
