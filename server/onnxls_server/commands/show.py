"""`onnxls show`: a model as the annotated text that editors show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxls_server import console
from onnxls_server.commands.asked import reasons, request

if TYPE_CHECKING:
    import argparse

    from onnxls_server.engine import Engine


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Prints the text as it is."""
    with reasons(options.model):
        text = engine.annotated_text(options.model, request(options))
    console.out(text if text.endswith("\n") or not text else f"{text}\n")
    return console.CLEAN
