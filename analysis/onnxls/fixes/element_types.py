"""`FLOAT.dtype` for `FLOAT` as an attribute."""

from __future__ import annotations

from collections.abc import Iterator

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes.scene import Scene
from onnxls.spans import Span

RULES = ("not-an-attribute",)


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """The number of the element type."""
    span = scene.span(found.location)
    if span is not None and "write `.dtype` after it" in found.message:
        yield from scene.text_fix("Write `.dtype`", (Span(span.end, span.end), ".dtype"))
