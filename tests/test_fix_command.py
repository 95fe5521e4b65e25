"""`onnxls check --fix` and `--diff`, on the real analysis."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx.reference import ReferenceEvaluator

import onnxls
from onnxls_server.cli import main

HEAD = "from onnxscript import FLOAT, INT64, script\nfrom onnxscript import opset20 as op\n\n"
SOURCE = (
    HEAD
    + """@script()
def f(x: FLOAT["N", 4]) -> FLOAT["N", 5]:
    y = op.Sigmiod(x)
    return y

@script()
def g(x: FLOAT["batch", 256, 6, 6]):
    y = op.Reshape(x, [1, 9216])  # onnxls: ignore[axis-invalid]
    return y
"""
)
FIXED = (
    HEAD
    + """@script()
def f(x: FLOAT["N", 4]) -> FLOAT["N", 4]:
    y = op.Sigmoid(x)
    return y

@script()
def g(x: FLOAT["batch", 256, 6, 6]):
    y = op.Reshape(x, [0, 9216])
    return y
"""
)
MODEL = """<ir_version: 10, opset_import: ["" : 20]>
g (float[batch, 256, 6, 6] x, bool c) => (float[batch, 77] y, float[batch, 9216] z) <int64[2] target = {1, 9216}> {
  y = Reshape (x, target)
  z = If (c) <
    then_branch = t () => (p) { p = Softmax <axis = 2> (y) },
    else_branch = e () => (q) { q = Identity (y) }
  >
}
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_source_is_fixed_in_place(capsys: pytest.CaptureFixture[str]) -> None:
    Path("net.py").write_bytes(SOURCE.replace("\n", "\r\n").encode())
    assert main(["check", "--fix", "net.py"]) == 0
    assert Path("net.py").read_bytes().decode() == FIXED.replace("\n", "\r\n")
    assert "Fixed 4 findings." in capsys.readouterr().err


def test_what_is_not_asked_for_stays(capsys: pytest.CaptureFixture[str]) -> None:
    Path("net.py").write_text(SOURCE)
    assert main(["check", "--fix", "--select", "unknown-operator", "net.py"]) == 0
    assert Path("net.py").read_text() == SOURCE.replace("Sigmiod", "Sigmoid")


@pytest.mark.parametrize(
    ("declared", "result"),
    [
        ('x: FLOAT["B", 10, 96])', "op.Reshape(x, [-1, 97])"),
        ('x: FLOAT["N", "K"], y: FLOAT["N", "M"]) -> FLOAT["N", "K"]', "op.Add(x, y)"),
    ],
)
def test_what_a_person_has_to_decide_stays(declared: str, result: str) -> None:
    """A target that only has to divide runs at many sizes, each with a result of its own; sizes that may not agree are
    rather the fault than the result that is declared."""
    text = f"{HEAD}@script()\ndef f({declared}:\n    return {result}\n"
    Path("net.py").write_text(text)
    offered = [fix.title for each in onnxls.analyze("net.py").diagnostics for fix in each.fixes]
    assert any(title.startswith(("Take", "Correct")) for title in offered)
    assert main(["check", "--fix", "net.py"]) == 1
    assert Path("net.py").read_text() == text


def test_diff_shows_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("net.py").write_text(SOURCE)
    assert main(["check", "--diff", "net.py"]) == 1
    shown = capsys.readouterr()
    assert Path("net.py").read_text() == SOURCE
    assert '\n-def f(x: FLOAT["N", 4]) -> FLOAT["N", 5]:\n' in shown.out
    assert '\n+def f(x: FLOAT["N", 4]) -> FLOAT["N", 4]:\n' in shown.out
    assert shown.out.startswith("--- a/net.py\n+++ b/net.py\n")
    assert "Would fix 4 findings." in shown.err
    Path("net.py").write_text(FIXED)
    assert main(["check", "--diff", "net.py"]) == 0


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SOURCE.encode())))
    assert main(["check", "--fix", "-", "--stdin-filename", "net.py"]) == 0
    assert capsys.readouterr().out == FIXED


def test_both_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("net.py").write_text(SOURCE)
    assert main(["check", "--diff", "--fix", "net.py"]) == 2


def test_a_model_is_fixed_in_a_copy(capsys: pytest.CaptureFixture[str]) -> None:
    model = onnx.parser.parse_model(MODEL)
    onnx.save_model(model, "m.onnx")  # pyright: ignore[reportUnknownMemberType]
    before = Path("m.onnx").read_bytes()
    assert main(["check", "--fix", "m.onnx"]) == 1
    assert Path("m.onnx").read_bytes() == before
    assert main(["check", "--fix", "-o", "out.onnx", "m.onnx"]) == 0
    assert Path("m.onnx").read_bytes() == before
    made = onnx.load_model("out.onnx")  # pyright: ignore[reportUnknownMemberType]
    assert [each.message for each in onnxls.analyze("out.onnx").diagnostics if each.severity != "information"] == []
    assert list(onnx.numpy_helper.to_array(made.graph.initializer[0])) == [0, 9216]
    assert made.graph.node[1].attribute[0].g.node[0].attribute[0].i == -1
    given = {"x": np.random.default_rng(0).random((1, 256, 6, 6), np.float32), "c": np.array(False)}
    for one, other in zip(_run(model, given), _run(made, given), strict=True):
        np.testing.assert_array_equal(one, other)


def _run(model: onnx.ModelProto, given: dict[str, Any]) -> list[Any]:
    """The branch with the wrong axis is not taken; onnxruntime would refuse the model for it."""
    evaluator: Any = ReferenceEvaluator(model)
    return list(evaluator.run(["y"], given))
