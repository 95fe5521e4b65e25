"""Binary models as annotated text, on request and as documents of the server's own scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from onnxls_server.protocol.parameters import field
from onnxls_server.protocol.registry import feature
from onnxls_server.session.uris import path_of

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

MODEL_TEXT = "onnxls/modelText"


@feature(MODEL_TEXT)
async def model_text(ls: Server, params: Any) -> dict[str, str]:
    """`{uri}` → `{text}`."""
    return {"text": await _text_of(ls, field(params, "uri"))}


@feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
async def content(ls: Server, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
    """The text of a document of the scheme `onnx-content`."""
    return types.TextDocumentContentResult(await _text_of(ls, params.uri))


async def _text_of(ls: Server, uri: object) -> str:
    path = path_of(uri) if isinstance(uri, str) else None
    if path is None:
        raise JsonRpcInvalidParams("`uri` must name the file of a model")
    return await ls.session.model_text(path)
