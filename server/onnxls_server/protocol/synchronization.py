"""Documents that the client opens, edits and closes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.protocol.registry import feature
from onnxls_server.session.documents import Change

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


@feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    document = params.text_document
    ls.session.open(document.uri, str(document.language_id), document.version, document.text)


@feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """A document was edited."""
    document = params.text_document
    ls.session.change(document.uri, document.version, changes_of(params.content_changes))


@feature(types.TEXT_DOCUMENT_DID_CLOSE)
def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    ls.session.close_document(params.text_document.uri)


def changes_of(
    changes: Sequence[types.TextDocumentContentChangeEvent],
) -> list[Change]:
    """The changes as plain data."""
    made: list[Change] = []
    for each in changes:
        if isinstance(each, types.TextDocumentContentChangePartial):
            start, end = each.range.start, each.range.end
            made.append(Change((start.line, start.character, end.line, end.character), each.text))
        else:
            made.append(Change(None, each.text))
    return made
