"""Features on texts that are cut or edited anywhere, with the analysis of this text and with that of an older one.

Nothing raises, every range lies in the text, and what is said to be the same thing has the same name there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from features_runner import code_actions
from onnxls.assembly import Request
from onnxls.spans import LineIndex
from onnxls.workspace import Workspace
from onnxls_server.features.code_actions import fix_all
from onnxls_server.features.completion import completion
from onnxls_server.features.definition import definition, highlight
from onnxls_server.features.folding import folding
from onnxls_server.features.guards import code_lens, guards
from onnxls_server.features.hover import hover
from onnxls_server.features.inlay_hints import inlay_hints
from onnxls_server.features.neighbourhood import neighbourhood
from onnxls_server.features.rename import Refusal, rename
from onnxls_server.features.semantic_tokens import semantic_tokens
from onnxls_server.features.signature_help import signature_help
from onnxls_server.features.symbols import document_symbols
from onnxls_server.session.snapshot import Snapshot

SOURCE = '''from onnxscript import FLOAT, INT64, graph, script
from onnxscript import opset20 as op

@script()
def norm(x, axis: int = 1):
    return op.Softmax(x, axis=axis)

# onnxls: assume N % 2 == 0
@script()
def f(x: FLOAT["N", 4], s: FLOAT[4]) -> FLOAT["N", 4]:
    """Über `x`: é."""
    @graph()
    def add(total, row):
        new = op.Add(op.Add(total, row), s)
        return new, op.Identity(new)
    last, rows = op.Scan(s, x, body=add, num_scan_inputs=1)  # onnxls: ignore[axis-invalid]
    if op.ReduceSum(last, keepdims=0) > 1.0:
        y = op.Neg(rows)
    else:
        y = norm(rows, axis=1)
    z: FLOAT["N", 5] = y * 2.0
    return op.Reshape(z, [2, -1])
'''
TEXT = """<ir_version: 10, opset_import: ["" : 20, "local" : 1]>
g (float[N, "2*N"] x, bool c) => (float[N, M] y) <int64[2] t = {1, -1}> {
  [first] a = Relu (x)
  b = local.f <alpha = 2.0> (a)
  y = If (c) <then_branch = tg () => (p) { p = Reshape (b, t) }, else_branch = eg () => (q) {
    q = Softmax <axis = 3> (b)
  }>
}
<domain: "local", opset_import: ["": 20]>
f <alpha> (p) => (q) { q = LeakyRelu <alpha: float = @alpha> (p) }
"""
PIECES = (
    "(",
    ")",
    "[",
    "]",
    '"',
    "'",
    "{",
    "}",
    "<",
    ">",
    ",",
    "=",
    ".",
    "op.",
    "\n",
    "    ",
    "#",
    "é",
    "x",
    "\r\n",
    "'''",
    "@",
)


def edits(text: str, rng: random.Random, count: int) -> Iterator[str]:
    """The text cut, or with something typed into it or taken out of it."""
    for _ in range(count):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(3):
            case 0:
                yield text[:at]
            case 1:
                yield text[:at] + rng.choice(PIECES) + text[at:]
            case _:
                yield text[:at] + text[at + rng.randrange(1, 12) :]


@pytest.mark.parametrize(("path", "text"), [("a.py", SOURCE), ("a.onnxtxt", TEXT)])
@pytest.mark.parametrize("seed", range(4))
def test_edits(path: str, text: str, seed: int) -> None:
    rng = random.Random(seed)
    workspace = Workspace()
    before = text
    for changed in edits(text, rng, 12):
        older = workspace.analyze_text(before, path, Request())
        newer = workspace.analyze_text(changed, path, Request())
        kind = "source" if path.endswith(".py") else "model-text"
        for report, analyzed in ((older, before), (newer, changed)):
            snapshot = Snapshot("u", path, 1, kind, changed, LineIndex(changed), report, analyzed)
            try_all(snapshot, rng)
        before = changed


def try_all(snapshot: Snapshot, rng: random.Random) -> None:
    text, size = snapshot.text, len(snapshot.text)
    for each in inlay_hints(snapshot, 0, size, True):
        assert 0 < each.offset <= size
    for token in semantic_tokens(snapshot):
        assert 0 <= token.start < token.end <= size
        assert "\n" not in text[token.start : token.end]
    for symbol in document_symbols(snapshot):
        assert 0 <= symbol.span.start <= symbol.selection.start <= symbol.selection.end <= symbol.span.end <= size
    folding(snapshot)
    code_lens(snapshot)
    guards(snapshot)
    if (action := fix_all(snapshot, snapshot.report.found)) is not None:
        assert all(0 <= edit.start <= edit.end <= size for edit in action.edits)
    for offset in (*(rng.randrange(size + 1) for _ in range(12)), 0, size):
        at(snapshot, offset)


def at(snapshot: Snapshot, offset: int) -> None:
    text, size = snapshot.text, len(snapshot.text)
    shown = hover(snapshot, offset)
    if shown is not None:
        assert 0 <= shown.start <= offset <= shown.end <= size
        assert shown.markup.markdown()
    named = {text[each.start : each.end].strip('"') for each in highlight(snapshot, offset)}
    assert len(named) <= 1, named
    for each in definition(snapshot, offset):
        assert each.span is not None
        assert {text[each.span.start : each.span.end].strip('"')} == named
    for item in completion(snapshot, offset):
        assert 0 <= item.start <= item.end == offset
    signature_help(snapshot, offset)
    neighbourhood(snapshot, offset)
    for action in code_actions(snapshot, offset, offset):
        assert all(0 <= edit.start <= edit.end <= size for edit in action.edits)
    renamed = rename(snapshot, offset, "renamed")
    if not isinstance(renamed, Refusal):
        assert len({text[edit.start : edit.end].strip('"') for edit in renamed}) == 1
