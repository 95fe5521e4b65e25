"""Code actions: the fixes of the findings in a range, and all automatic fixes of a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes import fixes
from onnxls.fixes.scene import Scene
from onnxls_server.protocol.editing import workspace_edit
from onnxls_server.protocol.findings import diagnostics_of
from onnxls_server.protocol.looking import SHORTLY, Look, compute, look
from onnxls_server.protocol.registry import feature
from onnxls_server.repair import choose_edits
from onnxls_server.session.elsewhere import span_on_disk
from onnxls_server.session.places import Place

if TYPE_CHECKING:
    from onnxls.diagnostics import Edit
    from onnxls_server.protocol.server import Server

FIX_ALL = "source.fixAll.onnxls"


@feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
)
async def offer(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The actions of the kinds that are asked for."""
    seen = await look(ls, params.text_document.uri, SHORTLY)
    if seen is None or not seen.preferences.code_actions or not seen.opened.is_current:
        return None
    only = params.context.only
    actions: list[types.CodeAction] = []
    if _wants(only, types.CodeActionKind.QuickFix):
        actions += await _quick_fixes(ls, seen, params)
    if only and _wants(only, FIX_ALL):
        actions += await _fix_all(ls, seen)
    return actions


async def _quick_fixes(ls: Server, seen: Look, params: types.CodeActionParams) -> list[types.CodeAction]:
    page = ls.session.pages.get(seen.part.uri)
    if page is None:
        return []
    # a client may ask about findings beside the range: Neovim does, about all of the line
    asked = [each.range for each in params.context.diagnostics]
    shown = [
        (found, made)
        for found, made in zip(page.diagnostics, diagnostics_of(ls, page), strict=True)
        if _touch(made.range, params.range) or made.range in asked
    ]
    scene = Scene(seen.snapshot.report)
    fixed = await compute(lambda: [(fixes(scene, found), made) for found, made in shown])
    actions: list[types.CodeAction] = []
    for offered, made in fixed:
        preferred = next((fix for fix in offered if fix.automatic), None)
        for fix in offered:
            edit = _edit(ls, seen, fix)
            if edit is not None:
                kind = types.CodeActionKind.QuickFix
                actions.append(
                    types.CodeAction(fix.title, kind, [made], is_preferred=fix is preferred or None, edit=edit)
                )
    return actions


async def _fix_all(ls: Server, seen: Look) -> list[types.CodeAction]:
    scene, chosen = Scene(seen.snapshot.report), seen.opened.diagnostics
    edits = await compute(lambda: _automatic(scene, chosen, seen.snapshot.path))
    places = _places(ls, seen, edits)
    if not places:
        return []
    edit = workspace_edit(ls, places)
    return [types.CodeAction("Fix all that onnxls can fix", FIX_ALL, edit=edit)]


def _automatic(scene: Scene, found: Iterable[Diagnostic], path: str) -> Sequence[Edit]:
    return choose_edits([replace(each, fixes=fixes(scene, each)) for each in found], path).edits


def _edit(ls: Server, seen: Look, fix: Fix) -> types.WorkspaceEdit | None:
    """The edit of a fix; None for one that changes a binary model, which is no text."""
    places = _places(ls, seen, fix.edits)
    return workspace_edit(ls, places) if len(places) == len(fix.edits) else None


def _places(ls: Server, seen: Look, edits: Iterable[Edit]) -> list[tuple[Place, str]]:
    made: list[tuple[Place, str]] = []
    for edit in edits:
        if edit.span is None:
            continue
        if edit.path == seen.snapshot.path:
            made.append((seen.place(edit.span.start, edit.span.end), edit.text))
        else:
            made.append((span_on_disk(edit.path, edit.span), edit.text))
    return made


def _touch(one: types.Range, other: types.Range) -> bool:
    def key(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)


def _wants(only: Sequence[types.CodeActionKind | str] | None, kind: types.CodeActionKind | str) -> bool:
    """Whether a kind is asked for: itself or one that contains it."""
    if not only:
        return True
    name = _name(kind)
    return any(name == _name(each) or name.startswith(f"{_name(each)}.") or not _name(each) for each in only)


def _name(kind: types.CodeActionKind | str) -> str:
    return str(getattr(kind, "value", kind))
