"""Shapes in the line: after each variable that is assigned, and after parameters that say less than is known."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.facts import Fact
from onnxls.occurrences import Typed
from onnxls.units import Unit
from onnxls_server.features.annotations import annotation_text
from onnxls_server.features.markup import Markup, Piece, code, markup
from onnxls_server.features.view import View
from onnxls_server.features.wording import fact_text, is_sized, label, sizes_text
from onnxls_server.session.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A label after an offset. `insert`: the text that makes an annotation of it there; None where none can be."""

    offset: int
    label: str
    tooltip: Markup
    insert: str | None = None


def inlay_hints(
    snapshot: Snapshot, start: int, end: int, concrete: bool = False, parameters: bool = True
) -> list[InlayHint]:
    """The hints in a range, in order. `concrete`: at the sizes in force, where these say so. `parameters`: theirs, too.

    A listing says all that is known beside its lines; there are hints in it only for what sizes make of that.
    """
    view = View(snapshot)
    found: list[InlayHint] = []
    for each, span in view.typed(start, end):
        if each.role == "parameter" and not parameters:
            continue
        unit, fact = view.unit(each.unit), view.fact(each.unit, each.value)
        if unit is None or fact is None or _is_said(view, each, fact, unit, concrete):
            continue
        text = label(fact, unit.sizes if concrete else {})
        if text is None:
            continue
        insert = None
        if each.annotation is None and each.slot is not None and snapshot.kind == "source":
            insert = annotation_text(unit, fact)
        tooltip = markup([Piece(code(fact_text(fact) or text)), _at_sizes(unit, fact), _how(insert)])
        found.append(InlayHint(span.end, f": {text}", tooltip, None if insert is None else f": {insert}"))
    return sorted(found, key=lambda hint: hint.offset)


def _is_said(view: View, each: Typed, fact: Fact, unit: Unit, concrete: bool) -> bool:
    """Whether the text says already what the hint would."""
    sized = concrete and fact.shape is not None and is_sized(fact.shape, unit.sizes)
    if view.snapshot.kind == "listing" or each.role == "result":
        return not sized or each.role == "result"
    return each.annotation is not None and fact.annotation in (None, "holds") and not sized and _is_full(each, unit)


def _is_full(each: Typed, unit: Unit) -> bool:
    """Whether an annotation gives every axis a size or a name."""
    if each.role == "local":
        return True
    declared = next((value.type for value in unit.model.graph.inputs if value.name == each.value), None)
    return declared is None or declared.shape is None or all(dim not in (None, "") for dim in declared.shape)


def _at_sizes(unit: Unit, fact: Fact) -> Piece | None:
    if fact.shape is None or not is_sized(fact.shape, unit.sizes):
        return None
    return Piece(f"{code(fact_text(fact, unit.sizes) or '')} at {sizes_text(unit.sizes)}")


def _how(insert: str | None) -> Piece | None:
    return None if insert is None else Piece("Double-click to write it as an annotation.")
