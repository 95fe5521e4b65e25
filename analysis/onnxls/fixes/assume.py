"""A precondition that rules out the sizes that fail."""

from __future__ import annotations

from collections.abc import Iterator

from onnxls.declarations import is_leftover
from onnxls.diagnostics import Diagnostic, Fix
from onnxls.expressions import parse_condition
from onnxls.fixes.changes import Assume
from onnxls.fixes.scene import Scene


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """For what may fail, where its condition is over sizes that have names."""
    known = scene.unit(found)
    if found.verdict != "may-fail" or found.guard is None or known is None:
        return
    index, unit = known
    declared = {dim for value in unit.model.graph.inputs if value.type is not None for dim in value.type.shape or ()}
    text, names = str(found.guard), found.guard.symbols()
    if not names or not names <= declared or any(map(is_leftover, names)) or "\n" in text:
        return
    try:
        parse_condition(text)
    except ValueError:
        return
    yield from scene.fix(f"Assume {text}", Assume(index, text), automatic=False)
