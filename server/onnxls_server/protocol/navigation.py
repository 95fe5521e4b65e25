"""Definition, references and highlight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.features.definition import Definition, definition, highlight, references
from onnxls_server.features.function_mentions import mentioned_by
from onnxls_server.protocol import convert
from onnxls_server.protocol.looking import SHORTLY, Look, compute, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


@feature(types.TEXT_DOCUMENT_DEFINITION)
async def go_to_definition(ls: Server, params: types.DefinitionParams) -> list[types.Location] | None:
    """Where what is at a position gets its meaning, in this file or another."""
    seen = await look(ls, params.text_document.uri, SHORTLY)
    if seen is None or not seen.preferences.navigation:
        return None
    offset = seen.offset(params.position)
    found = await compute(lambda: definition(seen.snapshot, offset))
    return [at for each in found if (at := _location(ls, seen, each)) is not None]


@feature(types.TEXT_DOCUMENT_REFERENCES)
async def find_references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    """All mentions of what is at a position."""
    seen = await look(ls, params.text_document.uri, SHORTLY)
    if seen is None or not seen.preferences.navigation:
        return None
    offset = seen.offset(params.position)
    views = await ls.elsewhere.views(await compute(lambda: mentioned_by(seen.snapshot, offset)))
    others = [view.snapshot for view in views if view.snapshot.uri != seen.snapshot.uri]
    found = await compute(lambda: references(seen.snapshot, offset, others))
    layouts = {view.snapshot.uri: view.layout for view in views}
    wanted = [each for each in found if params.context.include_declaration or each.role != "definition"]
    return [
        convert.location(
            convert.in_layout(layouts.get(each.uri, seen.view.layout), each.start, each.end), seen.encoding
        )
        for each in wanted
    ]


@feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
async def show_highlight(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """All mentions in this document of what is at a position."""
    seen = await look(ls, params.text_document.uri, SHORTLY)
    if seen is None or not seen.preferences.navigation:
        return None
    offset = seen.offset(params.position)
    found = await compute(lambda: highlight(seen.snapshot, offset))
    kinds = {"definition": types.DocumentHighlightKind.Write}
    return [
        types.DocumentHighlight(
            seen.range(each.start, each.end), kinds.get(each.role, types.DocumentHighlightKind.Read)
        )
        for each in found
        if seen.shows(each.start)
    ]


def _location(ls: Server, seen: Look, found: Definition) -> types.Location | None:
    if found.span is not None:
        return convert.location(seen.place(found.span.start, found.span.end), seen.encoding)
    place = ls.session.place(found.location, seen.view) if found.location is not None else None
    return None if place is None else convert.location(place, seen.encoding)
