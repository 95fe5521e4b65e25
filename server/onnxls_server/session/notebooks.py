"""Notebooks: the Python cells of one, in their order, are one source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from onnxls.spans import LineIndex
from onnxls_server.session.documents import Change, Document
from onnxls_server.session.layout import Layout, Part
from onnxls_server.session.opened import Opened
from onnxls_server.session.session import Session
from onnxls_server.session.uris import key_of, name_of, path_of

_BETWEEN = "\n\n"
_MAGIC = re.compile(r"^([ \t]*)[%!?]", re.MULTILINE)
_CELL_MAGIC = re.compile(r"\s*%%")


@dataclass(slots=True)
class Notebook:
    """A notebook, and the URIs of its cells in order, those that are no Python among them."""

    uri: str
    version: int
    cells: list[str] = field(default_factory=list[str])
    opened: Opened | None = None


class Notebooks:
    """The open notebooks of a session. The texts of cells are documents like others."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, Notebook] = {}

    def open(self, uri: str, version: int, cells: Sequence[str], documents: Sequence[Document]) -> None:
        """A notebook was opened, with the texts of its cells."""
        notebook = Notebook(uri, version, list(cells))
        self._known[key_of(uri)] = notebook
        self.put(documents)
        self._renew(notebook)

    def put(self, documents: Sequence[Document]) -> None:
        """Texts of cells."""
        for each in documents:
            self._session.documents.open(each.uri, each.language, each.version, each.text)

    def splice(self, uri: str, start: int, deleted: int, cells: Sequence[str], closed: Sequence[str]) -> None:
        """Cells in place of others."""
        notebook = self._known.get(key_of(uri))
        if notebook is not None:
            notebook.cells[start : start + deleted] = cells
            for each in closed:
                self._session.documents.close(each)

    def change_cell(self, uri: str, version: int | None, changes: Sequence[Change]) -> None:
        """The text of a cell was edited."""
        self._session.documents.change(uri, version, changes, self._session.encoding)

    def changed(self, uri: str, version: int) -> None:
        """All changes of one message have been made."""
        notebook = self._known.get(key_of(uri))
        if notebook is not None:
            notebook.version = version
            self._renew(notebook)

    def close(self, uri: str, cells: Sequence[str]) -> None:
        """A notebook was closed."""
        notebook = self._known.pop(key_of(uri), None)
        for each in cells:
            self._session.documents.close(each)
        if notebook is not None and notebook.opened is not None:
            self._session.remove(notebook.opened)

    def _renew(self, notebook: Notebook) -> None:
        lines, layout = self._joined(notebook)
        if notebook.opened is None:
            path = f"{path_of(notebook.uri) or name_of(notebook.uri)}.py"
            notebook.opened = Opened(notebook.uri, "source", path, lines, layout, notebook.version)
            self._session.add(notebook.opened)
        else:
            self._session.renew(notebook.opened, lines, layout, notebook.version)

    def _joined(self, notebook: Notebook) -> tuple[LineIndex, Layout]:
        texts: list[str] = []
        parts: list[Part] = []
        start = 0
        for uri in notebook.cells:
            document = self._session.documents.get(uri)
            if document is None or document.language != "python":
                continue
            parts.append(Part(document.uri, document.version, document.lines, start))
            texts += [as_python(document.text), _BETWEEN]
            start += len(document.text) + len(_BETWEEN)
        return LineIndex("".join(texts)), Layout(parts)


def as_python(text: str) -> str:
    """The text of a cell with what only a notebook understands made comments, each character where it was."""
    if _CELL_MAGIC.match(text):
        return "".join(character if character in "\r\n" else "#" for character in text)
    return _MAGIC.sub(r"\1#", text)
