"""From the body of a message to its handler, and back: pygls' dispatch with the answers that the specification asks.

A body that cannot be understood is answered, if it has an id, and never ends the server. No answer shows a traceback.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, cast

from cattrs import Converter
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage

from onnxls_server.protocol.framing import framed

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import RPCMessage

    from onnxls_server.protocol.server import Server

log = logging.getLogger(__name__)

_PARSE_ERROR, _INVALID_REQUEST, _INVALID_PARAMS, _NOT_INITIALIZED = -32700, -32600, -32602, -32002


def make_converter() -> Converter:
    """The converter of the protocol's types; parameters of other methods stay plain JSON."""
    converter = converters.get_converter()
    for fallback in (JsonRPCRequestMessage, JsonRPCNotification, JsonRPCResponseMessage):
        converter.register_structure_hook(fallback, _as_it_is)
    return converter


def _as_it_is(message: dict[str, Any], cls: type[Any]) -> Any:
    return cls(**{name: message.get(name) for name in cls.__annotations__})


class Messages(LanguageServerProtocol):
    """The protocol of one connection. Texts are kept by the session, not by pygls."""

    _server: Server  # type: ignore[assignment]

    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]
    lsp_workspace__execute_command = None  # type: ignore[assignment]
    lsp_notebook_document__did_open = None  # type: ignore[assignment]
    lsp_notebook_document__did_change = None  # type: ignore[assignment]
    lsp_notebook_document__did_close = None  # type: ignore[assignment]

    initialized = False

    def receive(self, body: bytes) -> None:
        """Handles the body of a message; raises nothing."""
        try:
            data: object = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, _PARSE_ERROR, "the body is not JSON")
            return
        if not isinstance(data, dict):
            self._refuse(None, _INVALID_REQUEST, "a message is a JSON object")
            return
        try:
            self._handle(cast("dict[str, Any]", data))
        except Exception:
            log.exception("a message could not be handled")

    def _handle(self, data: dict[str, Any]) -> None:
        method, id_ = data.get("method"), data.get("id")
        known_id = id_ if isinstance(id_, str | int) and not isinstance(id_, bool) else None
        is_request = method is not None and "id" in data
        if data.get("jsonrpc") != "2.0" or not isinstance(method, str | None) or ("id" in data and known_id is None):
            if method is not None or "id" not in data:
                self._refuse(known_id, _INVALID_REQUEST, "not a message of JSON-RPC 2.0")
            return
        if method not in (None, types.EXIT) and (self._shutdown or not self.initialized):
            if self._shutdown or method != types.INITIALIZE:
                if is_request and self._shutdown:
                    self._refuse(known_id, _INVALID_REQUEST, "the server is shutting down")
                elif is_request:
                    self._refuse(known_id, _NOT_INITIALIZED, "the server is not initialized")
                return
        elif method == types.INITIALIZE:
            self._refuse(known_id, _INVALID_REQUEST, "the server is initialized already")
            return
        try:
            message = self.structure_message(data)
        except JsonRpcException:
            if is_request:
                self._refuse(known_id, _INVALID_PARAMS, f"the parameters of {method} cannot be understood")
            return
        if method == types.INITIALIZE:
            self.initialized = True
        self.handle_message(cast("RPCMessage", message))

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        if isinstance(msg_id, str | int):
            super()._handle_cancel_notification(msg_id)

    def _refuse(self, id_: str | int | None, code: int, message: str) -> None:
        self._send_data({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}})

    def _send_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        if error is not None and error.data is not None:
            error = types.ResponseError(error.code, error.message)
        super()._send_response(msg_id, result, error)

    def _send_data(self, data: Any) -> None:
        writer = self._server.writer
        if writer is not None:
            body = json.dumps(data, default=self._serialize_message, separators=(",", ":"))
            writer.write(framed(body.encode()))

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Adds what pygls does not know, takes away what this client shall not use."""
        result = yield from super().lsp_initialize(params)
        self._server.adapt(result.capabilities)
        return result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        """Ends the server: with 0 after `shutdown`, else with 1."""
        self.end()

    def end(self) -> None:
        """Ends the server, as asked or because the client is gone."""
        self._server.stop(0 if self._shutdown else 1)
