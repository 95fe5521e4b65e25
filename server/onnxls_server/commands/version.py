"""`onnxls version`: what a report of a fault in onnxls should name."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from onnxls import __version__
from onnxls_server import console
from onnxls_server.tables import table

if TYPE_CHECKING:
    import argparse

    from onnxls_server.engine import Engine


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Prints the versions; a package that is not installed is named as such."""
    del options
    rows = [
        ("onnxls", __version__),
        ("Python", platform.python_version()),
        ("onnx", _installed("onnx")),
        ("opset", f"up to {engine.opset()}"),
    ]
    console.out(table(rows))
    return console.CLEAN


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
