"""Edits of several documents as the client takes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.protocol import convert
from onnxls_server.session.places import Place

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


def workspace_edit(ls: Server, edits: Iterable[tuple[Place, str]]) -> types.WorkspaceEdit:
    """New texts at places; of the versions that are open, where the client minds versions."""
    changes: dict[str, list[types.TextEdit]] = {}
    for place, text in edits:
        changes.setdefault(place.uri, []).append(types.TextEdit(convert.place_range(place, ls.session.encoding), text))
    if not ls.client.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes=changes)
    versioned: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for uri, made in changes.items():
        document = ls.session.documents.get(uri)
        identifier = types.OptionalVersionedTextDocumentIdentifier(
            uri, document.version if document is not None else None
        )
        versioned.append(types.TextDocumentEdit(identifier, made))
    return types.WorkspaceEdit(document_changes=versioned)
