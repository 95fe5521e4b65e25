"""What can be done at a place: the fixes of the findings there, and annotations that can be inserted or corrected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from onnxls.diagnostics import Diagnostic, Edit
from onnxls.fixes import fixes
from onnxls.fixes.scene import Scene
from onnxls_server.features.annotations import annotation_text
from onnxls_server.features.rename import TextEdit
from onnxls_server.features.view import View
from onnxls_server.repair import choose_edits
from onnxls_server.session.snapshot import Snapshot

ActionKind = Literal["quickfix", "refactor.rewrite", "source.fixAll.onnxls"]


@dataclass(frozen=True, slots=True)
class Action:
    """Edits with a title. `finding` is what they fix; `preferred`: it is what one would do without thinking."""

    title: str
    kind: ActionKind
    edits: tuple[TextEdit, ...]
    finding: Diagnostic | None = None
    preferred: bool = False


def code_actions(
    snapshot: Snapshot, start: int, end: int, chosen: tuple[Diagnostic, ...] | None = None
) -> list[Action]:
    """The actions for a range. `chosen`: the findings that are shown, of those of the report; None: all of these.

    The text must be the one that was analysed: else there are none, for an edit must not hit another place. A listing
    is not edited.
    """
    if snapshot.kind == "listing" or snapshot.text != snapshot.analyzed:
        return []
    found = snapshot.report.found if chosen is None else chosen
    return [*_fixes(snapshot, start, end, found), *_annotations(snapshot, start, end)]


def fix_all(snapshot: Snapshot, chosen: tuple[Diagnostic, ...] | None = None) -> Action | None:
    """All automatic fixes of the findings of a text; None where there are none."""
    if snapshot.kind == "listing" or snapshot.text != snapshot.analyzed:
        return None
    shown = snapshot.report.found if chosen is None else chosen
    keys = {_key(each) for each in shown}
    fixed = [each for each in snapshot.report.diagnostics if _key(each) in keys]
    edits = choose_edits(fixed, snapshot.report.loaded.path).edits
    made = tuple(sorted(_edits(snapshot, tuple(edits)), key=lambda edit: edit.start))
    return Action("Fix all that onnxls can fix", "source.fixAll.onnxls", made) if made else None


def _key(found: Diagnostic) -> tuple[object, ...]:
    return found.rule, found.location, found.message


def _fixes(snapshot: Snapshot, start: int, end: int, found: tuple[Diagnostic, ...]) -> Iterator[Action]:
    scene = Scene(snapshot.report)
    for each in found:
        span = scene.span(each.location)
        if span is None or span.start > end or span.end < start:
            continue
        preferred = True
        for fix in fixes(scene, each):
            edits = _edits(snapshot, fix.edits)
            if edits:
                yield Action(fix.title, "quickfix", edits, each, preferred and fix.automatic)
                preferred = False


def _edits(snapshot: Snapshot, edits: tuple[Edit, ...]) -> tuple[TextEdit, ...]:
    """The edits, where all of them are in this text."""
    if any(edit.span is None or edit.path != snapshot.report.loaded.path for edit in edits):
        return ()
    return tuple(
        TextEdit(snapshot.uri, edit.span.start, edit.span.end, edit.text) for edit in edits if edit.span is not None
    )


def _annotations(snapshot: Snapshot, start: int, end: int) -> Iterator[Action]:
    """A value of a source that has no annotation yet gets one; one that leaves sizes open is filled in."""
    if snapshot.kind != "source":
        return
    view = View(snapshot)
    for table in view.touching(start, end):
        for each in table.typed:
            at, unit, fact = each.annotation or each.target, view.unit(each.unit), view.fact(each.unit, each.value)
            if at is None or unit is None or fact is None or at.start > end or at.end < start:
                continue
            text = annotation_text(unit, fact)
            if text is None:
                continue
            if each.annotation is None and each.slot is not None and each.target is not None:
                name = snapshot.text[each.target.start : each.target.end]
                edit = TextEdit(snapshot.uri, each.slot, each.slot, f": {text}")
                yield Action(f"Annotate `{name}` as {text}", "refactor.rewrite", (edit,))
            elif each.annotation is not None and fact.annotation in (None, "holds"):
                written = snapshot.text[each.annotation.start : each.annotation.end]
                if written != text and ("..." in written or "None" in written) and "None" not in text:
                    edit = TextEdit(snapshot.uri, each.annotation.start, each.annotation.end, text)
                    yield Action(f"Write {text}", "refactor.rewrite", (edit,))
