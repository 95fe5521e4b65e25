"""New names: for values, functions, dims and nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from onnxls_server.features.function_mentions import mentioned_by
from onnxls_server.features.rename import Refusal, prepare_rename, rename
from onnxls_server.protocol import convert
from onnxls_server.protocol.editing import workspace_edit
from onnxls_server.protocol.looking import PATIENTLY, compute, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

_REQUEST_FAILED = -32803


@feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
async def show_range(ls: Server, params: types.PrepareRenameParams) -> types.Range | None:
    """The range of the name at a position; null where nothing can be renamed."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.rename:
        return None
    offset = seen.offset(params.position)
    found = await compute(lambda: prepare_rename(seen.snapshot, offset))
    return None if found is None else seen.range(found.start, found.end)


@feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
async def give_name(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits, in all files of the workspace that speak of it; a refusal with its reason."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.rename:
        return None
    offset = seen.offset(params.position)
    words = await compute(lambda: mentioned_by(seen.snapshot, offset))
    views = [view for view in await ls.elsewhere.views(words) if view.snapshot.uri != seen.snapshot.uri]
    others = [view.snapshot for view in views]
    found = await compute(lambda: rename(seen.snapshot, offset, params.new_name, others))
    if isinstance(found, Refusal):
        raise JsonRpcException(found.reason, _REQUEST_FAILED)
    layouts = {view.snapshot.uri: view.layout for view in (seen.view, *views)}
    places = [(convert.in_layout(layouts[each.uri], each.start, each.end), each.text) for each in found]
    return workspace_edit(ls, places)
