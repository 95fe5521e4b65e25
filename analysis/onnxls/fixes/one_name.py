"""One name for two axes that must have one size."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes.scene import Scene
from onnxls.relations import Relation

RULES = ("dims-must-agree", "similar-dim-names")
_SIMILAR = re.compile(r"is named `(.+?)`, axis \d+ of `.+?` is named `(.+?)`:")


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """The later name gives way to the earlier one, all over the function or model; a misspelt one to the other."""
    part = scene.part(found)
    if part is None:
        return
    names = _similar(found) if found.rule == "similar-dim-names" else _unequal(found)
    spans = {
        name: [each.span for each in part.table.occurrences if each.entity.kind == "dim" and each.entity.name == name]
        for name in names
    }
    if len(spans) != 2 or not all(spans.values()):
        return
    given_up, kept = (
        names if found.rule == "similar-dim-names" else sorted(names, key=lambda name: -spans[name][0].start)
    )
    if kept.isidentifier():
        yield from scene.text_fix(f"Call it `{kept}` too", *((span, kept) for span in spans[given_up]), automatic=False)


def _similar(found: Diagnostic) -> list[str]:
    match = _SIMILAR.search(found.message)
    return [] if match is None else [match[1], match[2]]


def _unequal(found: Diagnostic) -> list[str]:
    condition = None if found.guard is None else found.guard.condition
    first = condition if condition is None or isinstance(condition, Relation) else condition.parts[0]
    if not isinstance(first, Relation):
        return []
    return [side.as_symbol.name for side in (first.lhs, first.rhs) if side.as_symbol is not None]
