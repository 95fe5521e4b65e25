"""Code actions: the fixes of findings, annotations, and all automatic fixes of a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls.fixes.scene import Scene
from onnxls_server.features.code_actions import Action, annotation_actions, fix_actions, fix_all
from onnxls_server.protocol.editing import workspace_edit
from onnxls_server.protocol.findings import diagnostics_of
from onnxls_server.protocol.looking import SHORTLY, Look, compute, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

FIX_ALL = "source.fixAll.onnxls"


@feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite, FIX_ALL]
    ),
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
    # of a selection over several lines there would be one for every value in them
    if _wants(only, types.CodeActionKind.RefactorRewrite) and params.range.start.line == params.range.end.line:
        start, end = seen.offset(params.range.start), seen.offset(params.range.end)
        made = await compute(lambda: list(annotation_actions(seen.snapshot, start, end)))
        actions += [_action(ls, seen, each) for each in made]
    if only and _wants(only, FIX_ALL):
        all_of_them = await compute(lambda: fix_all(seen.snapshot, seen.opened.diagnostics))
        actions += [_action(ls, seen, all_of_them)] if all_of_them is not None else []
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
    fixed = await compute(lambda: [(list(fix_actions(seen.snapshot, scene, found)), made) for found, made in shown])
    return [_action(ls, seen, each, made) for offered, made in fixed for each in offered]


def _action(ls: Server, seen: Look, action: Action, fixed: types.Diagnostic | None = None) -> types.CodeAction:
    edit = workspace_edit(ls, [(seen.place(each.start, each.end), each.text) for each in action.edits])
    diagnostics = [fixed] if fixed is not None else None
    return types.CodeAction(action.title, action.kind, diagnostics, action.preferred or None, edit=edit)


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
