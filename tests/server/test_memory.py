"""What the server keeps is bounded: a report is let go when a newer one has come."""

from __future__ import annotations

import gc
import weakref

from onnxls.assembly import Request
from onnxls.frontends.script.functions import FunctionModel
from onnxls.spans import LineIndex
from onnxls.workspace import Workspace
from onnxls_server.features.hover import hover
from onnxls_server.session.snapshot import Snapshot

SOURCE = """\
from onnxscript import FLOAT, script
from onnxscript import opset20 as op

@script()
def f(x: FLOAT["N", 4]):
    return op.Relu(x)
"""


def test_looking_at_a_report_does_not_keep_it():
    workspace = Workspace()
    kept: list[weakref.ref[object]] = []
    for number in range(4):
        text = SOURCE.replace("4", str(number + 4))
        report = workspace.analyze_text(text, "/work/net.py", Request())
        snapshot = Snapshot("file:///work/net.py", "/work/net.py", 1, "source", text, LineIndex(text), report, text)
        assert hover(snapshot, text.index("x)")) is not None
        kept.append(weakref.ref(report))
        del report, snapshot
    gc.collect()
    assert [each() for each in kept[:-1]] == [None, None, None]


def test_versions_of_a_function_are_let_go():
    workspace = Workspace()
    for number in range(6):
        text = SOURCE.replace("f(x", "typed(x").replace("4", str(number + 4))
        workspace.analyze_text(text, "/work/net.py", Request())
    gc.collect()
    models = [each for each in gc.get_objects() if isinstance(each, FunctionModel)]
    assert sum(each.name == "typed" for each in models) == 1
