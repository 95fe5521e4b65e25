"""What goes to the client unasked: findings (or the word to ask for them), refreshed hints, the server's status."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, TimerHandle
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from onnxls import __version__
from onnxls_server.protocol.findings import diagnostics_of
from onnxls_server.session.opened import Opened
from onnxls_server.session.uris import path_of, uri_of

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

STATUS = "onnxls/status"
MODEL_FINDINGS = "onnxls/modelFindings"
_PAUSE = 0.1
"""Seconds in which several reasons for one message become one."""


class Publisher:
    """Sends for one server."""

    def __init__(self, server: Server, loop: AbstractEventLoop) -> None:
        self._server = server
        self._loop = loop
        self._due: dict[str, TimerHandle] = {}
        self._status: object = None
        self._counts: dict[str, int] = {}

    def pages_changed(self, uris: Collection[str], by_edit: bool) -> None:
        """Findings of these URIs are new. One who asks for them does so after an edit of his own."""
        if not uris:
            return
        if not self._server.client.pulls:
            for uri in uris:
                self._publish(uri)
        elif not by_edit:
            self._soon("diagnostics", self._refresh_diagnostics)
        for uri in uris:
            self._count(uri)
        self.status_changed()

    def analysed(self, opened: Opened) -> None:
        """Hints of a document may be new, though its text is not."""
        del opened
        self._refresh_features()

    def _refresh_features(self) -> None:
        client = self._server.client
        if client.can("workspace.inlay_hint.refresh_support"):
            self._soon("hints", lambda: self._ask(types.WORKSPACE_INLAY_HINT_REFRESH))
        if client.can("workspace.code_lens.refresh_support"):
            self._soon("lenses", lambda: self._ask(types.WORKSPACE_CODE_LENS_REFRESH))
        if client.can("workspace.semantic_tokens.refresh_support"):
            self._soon("tokens", lambda: self._ask(types.WORKSPACE_SEMANTIC_TOKENS_REFRESH))

    def settings_changed(self) -> None:
        """Features may be switched on or off."""
        if self._server.client.pulls:
            self._soon("diagnostics", self._refresh_diagnostics)
        self._refresh_features()

    def status_changed(self) -> None:
        """The server has become busy or idle, or has found something."""
        self._soon("status", self._send_status)

    def _publish(self, uri: str) -> None:
        page = self._server.session.pages.get(uri)
        items = diagnostics_of(self._server, page) if page is not None else []
        version = page.version if page is not None else None
        shown = page.uri if page is not None else uri
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(shown, items, version))

    def _refresh_diagnostics(self) -> None:
        self._ask(types.WORKSPACE_DIAGNOSTIC_REFRESH)

    def _ask(self, method: str) -> None:
        self._server.protocol.send_request(method).add_done_callback(_forget)

    def _count(self, uri: str) -> None:
        """Tells how many findings a binary model has, wherever they are shown."""
        path = path_of(uri)
        if path is None or not path.lower().endswith(".onnx"):
            return
        pages = [page for page in self._server.session.pages if path_of(page.uri) == path]
        count = sum(each.severity in ("error", "warning") for page in pages for each in page.diagnostics)
        file = uri_of(path)
        if self._counts.get(file, 0) != count:
            self._counts[file] = count
            self._server.protocol.notify(MODEL_FINDINGS, {"uri": file, "count": count})

    def _send_status(self) -> None:
        session = self._server.session
        status = {
            "busy": session.scheduler.busy or self._server.survey.busy,
            "findings": session.pages.count(),
            "version": __version__,
            "hints": session.sizes_in_force(),
        }
        if status != self._status:
            self._status = status
            self._server.protocol.notify(STATUS, status)

    def _soon(self, what: str, send: Callable[[], None]) -> None:
        if what not in self._due:
            self._due[what] = self._loop.call_later(_PAUSE, self._send, what, send)

    def _send(self, what: str, send: Callable[[], None]) -> None:
        del self._due[what]
        send()


def _forget(answer: Future[Any] | Any) -> None:
    """The client's refusal is its affair."""
    if not answer.cancelled():
        answer.exception()
