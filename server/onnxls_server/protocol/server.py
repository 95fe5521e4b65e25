"""The server of one client: a connection, a session, and what is sent without being asked for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from onnxls import __version__
from onnxls_server.protocol import registry
from onnxls_server.protocol.client import Client
from onnxls_server.protocol.messages import Messages, make_converter
from onnxls_server.protocol.processes import watch_parent
from onnxls_server.protocol.publishing import Publisher
from onnxls_server.protocol.streams import Connection, Reader, Writer
from onnxls_server.session.elsewhere import Elsewhere
from onnxls_server.session.garbage import Collector
from onnxls_server.session.notebooks import Notebooks
from onnxls_server.session.opened import Opened
from onnxls_server.session.session import Session
from onnxls_server.session.survey import Survey
from onnxls_server.session.uris import CONTENT_SCHEME

log = logging.getLogger(__name__)

NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[types.NotebookDocumentFilterWithNotebook("*", cells=[types.NotebookCellLanguage("python")])]
)


class Server(LanguageServer):
    """Handlers get it as `ls`. It lives on one event loop, from `serve` to `stop`."""

    protocol: Messages  # type: ignore[assignment]
    session: Session
    client: Client
    writer: Writer | None = None

    def __init__(self) -> None:
        super().__init__(  # type: ignore[misc]
            "onnxls",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            NOTEBOOKS,
            protocol_cls=Messages,
            converter_factory=make_converter,
        )
        for method, (handler, options) in registry.FEATURES.items():
            self.feature(method, options)(handler)
        for name, handler in registry.COMMANDS.items():
            self.command(name)(handler)
        self.client = Client(types.ClientCapabilities())
        self.folders: dict[str, None] = {}
        self.given_settings: object = None

    async def serve(self, connection: Connection) -> int:
        """Answers one client until it is done; the exit status."""
        loop = asyncio.get_running_loop()
        self._stopped: asyncio.Future[int] = loop.create_future()
        self.writer = Writer(connection)
        self.session = Session(self, loop)
        self.survey = Survey(self.session, loop)
        self.elsewhere = Elsewhere(self.session)
        self.notebooks = Notebooks(self.session)
        self._publisher = Publisher(self, loop)
        self._collector = Collector(loop, lambda: self.session.scheduler.busy or self.survey.busy)
        Reader(connection, loop, self.protocol.receive, self.protocol.end)
        status = await self._stopped
        self._collector.close()
        self.survey.shutdown()
        self.session.shutdown()
        self.writer.close()
        return status

    def stop(self, status: int) -> None:
        """Ends `serve`."""
        if not self._stopped.done():
            self._stopped.set_result(status)

    def started(self, params: types.InitializeParams) -> None:
        """Takes note of the client."""
        self.client = Client(params.capabilities)
        self.session.encoding = self.client.encoding
        if params.process_id is not None:
            watch_parent(params.process_id, asyncio.get_running_loop(), lambda: self.stop(1))

    def adapt(self, capabilities: types.ServerCapabilities) -> None:
        """Announces one model of diagnostics only: a client would show both."""
        if not self.client.pulls:
            capabilities.diagnostic_provider = None
        content = self.client.has("workspace.text_document_content")
        if content and not self.client.can("workspace.text_document_content.dynamic_registration"):
            options = capabilities.workspace or types.WorkspaceOptions()
            options.text_document_content = types.TextDocumentContentOptions([CONTENT_SCHEME])
            capabilities.workspace = options

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Errors are for the log: nobody who writes a model wants a window about them. An answer is no error."""
        log.log(logging.DEBUG if isinstance(error, JsonRpcException) else logging.ERROR, "%s", error)

    # What the session has to say

    def pages_changed(self, uris: Collection[str], by_edit: bool) -> None:
        """Shows findings."""
        self._publisher.pages_changed(uris, by_edit)

    def analysed(self, opened: Opened) -> None:
        """There is a new view of a document."""
        self._publisher.analysed(opened)

    def busy_changed(self) -> None:
        """Work has begun, or all is done."""
        self._publisher.status_changed()
        self._collector.worked()

    def warmed_up(self) -> None:
        """The engine is loaded."""
        self._collector.loaded()

    def settings_changed(self) -> None:
        """Settings are others now: models are checked again, features are asked for again."""
        self.survey.everything_again()
        self._publisher.settings_changed()

    def say(self, message: str) -> None:
        """A message for the person who uses the editor."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
