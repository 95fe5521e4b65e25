"""One name for two axes that must have one size."""

from __future__ import annotations

from collections.abc import Iterator

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes.scene import Scene
from onnxls.relations import Relation

RULES = ("dims-must-agree",)


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """The later name gives way to the earlier one, all over the function or model."""
    part = scene.part(found)
    condition = None if found.guard is None else found.guard.condition
    if condition is None or part is None:
        return
    first = condition if isinstance(condition, Relation) else condition.parts[0]
    if not isinstance(first, Relation):
        return
    names = [side.as_symbol.name for side in (first.lhs, first.rhs) if side.as_symbol is not None]
    spans = {
        name: [each.span for each in part.table.occurrences if each.entity.kind == "dim" and each.entity.name == name]
        for name in names
    }
    if len(spans) != 2 or not all(spans.values()):
        return
    kept, given_up = sorted(names, key=lambda name: spans[name][0].start)
    if not kept.isidentifier():
        return
    yield from scene.text_fix(f"Call it `{kept}` too", *((span, kept) for span in spans[given_up]), automatic=False)
