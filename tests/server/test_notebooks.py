"""The cells of a notebook are one source: names reach from cell to cell, findings and hovers stay in theirs."""

from __future__ import annotations

from typing import Any

from wire import Wire

NOTEBOOK = "file:///work/net.ipynb"
CELLS = {
    "vscode-notebook-cell:/work/net.ipynb#W0": "%matplotlib inline\nfrom onnxscript import FLOAT, script\n"
    "from onnxscript import opset20 as op",
    "vscode-notebook-cell:/work/net.ipynb#W1": "# heading",
    "vscode-notebook-cell:/work/net.ipynb#W2": '@script()\ndef f(x: FLOAT["N", 4], y: FLOAT["M", 3]):\n'
    '    "\U0001f600"; return op.MatMul(x, y)',
    "vscode-notebook-cell:/work/net.ipynb#W3": '@script()\ndef g(x: FLOAT["N", 4], y: FLOAT[4, 3]):\n'
    "    return op.Relu(f(x, y))\n",
}
FIRST, _, SECOND, THIRD = CELLS


def item(uri: str, text: str) -> dict[str, object]:
    language = "markdown" if text.startswith("# heading") else "python"
    return {"uri": uri, "languageId": language, "version": 1, "text": text}


def opened(wire: Wire) -> None:
    wire.initialize({"notebookDocument": {"synchronization": {}}})
    cells = [{"kind": 1 if "heading" in text else 2, "document": uri} for uri, text in CELLS.items()]
    params: dict[str, Any] = {
        "notebookDocument": {"uri": NOTEBOOK, "notebookType": "jupyter-notebook", "version": 1, "cells": cells},
        "cellTextDocuments": [item(uri, text) for uri, text in CELLS.items()],
    }
    wire.notify("notebookDocument/didOpen", params)


def change(wire: Wire, version: int, **cells: object) -> None:
    document = {"uri": NOTEBOOK, "version": version}
    wire.notify("notebookDocument/didChange", {"notebookDocument": document, "change": {"cells": cells}})


def test_findings_are_in_the_cell_that_they_are_about():
    with Wire() as wire:
        opened(wire)
        (found,) = wire.diagnostics(SECOND)
        line = '    "\U0001f600"; return op.MatMul(x, y)'
        start = len(line[: line.index("op.")].encode("utf-16-le")) // 2
        assert found["range"]["start"] == {"line": 2, "character": start}
        assert found["range"]["end"] == {"line": 2, "character": start + len("op.MatMul(x, y)")}
        place = {"textDocument": {"uri": THIRD}, "position": {"line": 2, "character": 20}}
        hover = wire.result("textDocument/hover", place)
        assert "f" in hover["contents"]["value"]
        (defined,) = wire.result("textDocument/definition", place)
        assert (defined["uri"], defined["range"]["start"]) == (SECOND, {"line": 1, "character": 4})


def test_edits_of_a_cell_and_of_the_order_of_cells():
    with Wire() as wire:
        opened(wire)
        assert len(wire.diagnostics(SECOND)) == 1
        fixed = CELLS[SECOND].replace('"M"', "4")
        edit = {"document": {"uri": SECOND, "version": 2}, "changes": [{"text": fixed}]}
        change(wire, 2, textContent=[edit])
        assert wire.diagnostics(SECOND, 2) == []
        wrong = item("vscode-notebook-cell:/work/net.ipynb#W4", CELLS[SECOND].replace("def f", "def h"))
        array = {"start": 3, "deleteCount": 1, "cells": [{"kind": 2, "document": wrong["uri"]}]}
        change(wire, 3, structure={"array": array, "didOpen": [wrong], "didClose": [{"uri": THIRD}]})
        assert len(wire.diagnostics(str(wrong["uri"]))) == 1
        closed = [{"uri": uri} for uri in (FIRST, SECOND, wrong["uri"])]
        wire.notify("notebookDocument/didClose", {"notebookDocument": {"uri": NOTEBOOK}, "cellTextDocuments": closed})
        assert wire.diagnostics(str(wrong["uri"])) == []
