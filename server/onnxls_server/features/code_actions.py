"""What can be done at a place: the fixes of the findings there, and annotations that can be inserted or corrected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
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


def is_editable(snapshot: Snapshot) -> bool:
    """Whether a text can be edited: it must be the one that was analysed, for an edit must not hit another place. A
    listing is not edited."""
    return snapshot.kind != "listing" and snapshot.text == snapshot.analyzed


def fix_actions(snapshot: Snapshot, scene: Scene, found: Diagnostic) -> Iterator[Action]:
    """The fixes of a finding; the first that needs no thought is preferred."""
    if not is_editable(snapshot):
        return
    offered = fixes(scene, found)
    preferred = next((fix for fix in offered if fix.automatic), None)
    for fix in offered:
        edits = _edits(snapshot, fix.edits)
        if edits:
            yield Action(fix.title, "quickfix", edits, found, fix is preferred)


def fix_all(snapshot: Snapshot, shown: Iterable[Diagnostic]) -> Action | None:
    """All automatic fixes of findings of a text; None where there are none."""
    if not is_editable(snapshot):
        return None
    scene = Scene(snapshot.report)
    fixed = [replace(each, fixes=fixes(scene, each)) for each in shown]
    edits = choose_edits(fixed, snapshot.report.loaded.path).edits
    made = tuple(sorted(_edits(snapshot, tuple(edits)), key=lambda edit: edit.start))
    return Action("Fix all that onnxls can fix", "source.fixAll.onnxls", made) if made else None


def _edits(snapshot: Snapshot, edits: tuple[Edit, ...]) -> tuple[TextEdit, ...]:
    """The edits, where all of them are in this text."""
    if any(edit.span is None or edit.path != snapshot.report.loaded.path for edit in edits):
        return ()
    return tuple(
        TextEdit(snapshot.uri, edit.span.start, edit.span.end, edit.text) for edit in edits if edit.span is not None
    )


def annotation_actions(snapshot: Snapshot, start: int, end: int) -> Iterator[Action]:
    """A value of a source that has no annotation yet gets one; one that leaves sizes open is filled in, and one that
    does not hold is corrected where it stands."""
    if snapshot.kind != "source" or not is_editable(snapshot):
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
            elif each.annotation is not None:
                written = snapshot.text[each.annotation.start : each.annotation.end]
                is_open = fact.annotation in (None, "holds") and ("..." in written or "None" in written)
                is_wrong = fact.annotation in ("fails", "may-fail")
                if written != text and (is_open or is_wrong) and "None" not in text:
                    edit = TextEdit(snapshot.uri, each.annotation.start, each.annotation.end, text)
                    yield Action(f"Write {text}", "refactor.rewrite", (edit,))
