"""Inlay hints: shapes in the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.features.inlay_hints import InlayHint, inlay_hints
from onnxls_server.protocol.looking import PATIENTLY, Look, compute, content, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


@feature(types.TEXT_DOCUMENT_INLAY_HINT)
async def show_hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints of a range; at sizes that are being tried, numbers."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.inlay_hints:
        return None
    start, end = seen.offset(params.range.start), seen.offset(params.range.end)
    concrete = any(seen.opened.sizes.values())
    found = await compute(lambda: inlay_hints(seen.snapshot, start, end, concrete, seen.preferences.inlay_parameters))
    return [_hint(ls, seen, each) for each in found if seen.shows(each.offset)]


def _hint(ls: Server, seen: Look, hint: InlayHint) -> types.InlayHint:
    at = seen.position(hint.offset)
    return types.InlayHint(
        position=at,
        label=hint.label,
        kind=types.InlayHintKind.Type,
        text_edits=[types.TextEdit(types.Range(at, at), hint.insert)] if hint.insert is not None else None,
        tooltip=content(hint.tooltip, ls.client.markdown("text_document.hover.content_format")),
    )
