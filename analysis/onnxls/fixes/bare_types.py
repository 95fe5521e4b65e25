"""`FLOAT[...]` for `FLOAT`."""

from __future__ import annotations

from collections.abc import Iterator

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes.scene import Scene
from onnxls.spans import Span

RULES = ("bare-element-type",)


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """The parameter is declared to have any rank."""
    part = scene.part(found)
    for each in part.table.typed if part is not None else ():
        if each.role == "parameter" and each.value == found.value and each.annotation is not None:
            end = each.annotation.end
            yield from scene.text_fix("Declare any rank", (Span(end, end), "[...]"))
