"""Hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.features.hover import hover
from onnxls_server.protocol.looking import SHORTLY, compute, content, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


@feature(types.TEXT_DOCUMENT_HOVER)
async def show_hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """What is known at a position."""
    seen = await look(ls, params.text_document.uri, SHORTLY)
    if seen is None or not seen.preferences.hover:
        return None
    offset = seen.offset(params.position)
    found = await compute(lambda: hover(seen.snapshot, offset))
    if found is None:
        return None
    markdown = ls.client.markdown("text_document.hover.content_format")
    return types.Hover(content(found.markup, markdown), seen.range(found.start, found.end))
