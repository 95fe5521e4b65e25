"""Notebooks that the client opens, edits and closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls.spans import LineIndex
from onnxls_server.protocol.registry import feature
from onnxls_server.protocol.synchronization import changes_of
from onnxls_server.session.documents import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onnxls_server.protocol.server import Server


@feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
def did_open(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """A notebook was opened."""
    notebook = params.notebook_document
    cells = [cell.document for cell in notebook.cells]
    ls.notebooks.open(notebook.uri, notebook.version, cells, _documents(params.cell_text_documents))


@feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
def did_change(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """Cells were added, removed, moved or edited."""
    notebook, cells = params.notebook_document, params.change.cells
    if cells is None:
        return
    structure = cells.structure
    if structure is not None:
        ls.notebooks.put(_documents(structure.did_open or ()))
        array = structure.array
        added = [cell.document for cell in array.cells or ()]
        closed = [each.uri for each in structure.did_close or ()]
        ls.notebooks.splice(notebook.uri, array.start, array.delete_count, added, closed)
    for edited in cells.text_content or ():
        ls.notebooks.change_cell(edited.document.uri, edited.document.version, changes_of(edited.changes))
    ls.notebooks.changed(notebook.uri, notebook.version)


@feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
def did_close(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """A notebook was closed."""
    ls.notebooks.close(params.notebook_document.uri, [each.uri for each in params.cell_text_documents])


def _documents(items: Sequence[types.TextDocumentItem]) -> list[Document]:
    return [Document(each.uri, str(each.language_id), each.version, LineIndex(each.text)) for each in items]
