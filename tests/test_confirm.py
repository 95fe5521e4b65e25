"""Findings are tried by running: those of the suites and of the rules' pages, and some that are wrong on purpose."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser
from onnx.external_data_helper import convert_model_to_external_data
from onnx.reference import ReferenceEvaluator

import onnxls
from mdtest_runner import Case, cases, directives, full_text
from onnxls.relations import Guard, at_most
from onnxls_server.cli import main
from onnxls_server.confirm import confirm
from onnxls_server.engine import Request
from onnxls_server.trial.client import Trial
from onnxls_server.trial.messages import Limits
from onnxls_server.trial.subject import Subject
from onnxls_server.trial.weights import LARGE, make_up, without_weights
from test_mdtest import SUITES, rules

pytest.importorskip("onnxruntime")

DEPARTURES = {
    "GroupNormalization (2)": "onnxruntime expands the function, which reshapes a scale of any rank",
    "sequence-map-length-mismatch": "onnxruntime takes as many elements as the first sequence has",
    "Element by element (2)": "onnxruntime inverts what is not square into something",
    "Masks (2)": "onnxruntime takes no mask that is broadcast along the keys, which the standard allows",
}
"""Where onnxruntime does more than the standard allows, or less, by test."""


@pytest.fixture(scope="module")
def trial() -> Iterator[Trial]:
    with Trial() as trial:
        yield trial


def about_sizes(text: str) -> list[onnxls.Diagnostic]:
    hints, assume = directives(text)
    report = onnxls.analyze_text(text, "block.onnxtxt", hints=hints, assume=assume)
    return [each for each in report.diagnostics if each.verdict is not None]


def tried(text: str, trial: Trial, found: list[onnxls.Diagnostic] | None = None) -> list[onnxls.Diagnostic]:
    """The findings about sizes in a text, each with what became of it."""
    hints, assume = directives(text)
    found = about_sizes(text) if found is None else found
    return confirm(found, "block.onnxtxt", text, Request(hints=hints, assume=tuple(assume)), trial)


def outcome(found: onnxls.Diagnostic) -> str | None:
    return None if found.proof is None else found.proof.outcome


def refuted(blocks: Iterator[Case], trial: Trial) -> list[str]:
    return [
        f"{case.name}: {found.message}: {found.proof.text}"
        for case in blocks
        if case.language == "onnx" and case.name not in DEPARTURES
        for found in tried(full_text(case.text), trial)
        if found.proof is not None and found.proof.outcome == "refuted"
    ]


@pytest.mark.parametrize("suite", SUITES, ids=lambda path: path.stem)
def test_no_finding_of_a_suite_is_refuted(suite: Path, trial: Trial) -> None:
    assert not refuted(cases(suite), trial)


def test_no_finding_of_a_page_is_refuted(tmp_path: Path, trial: Trial) -> None:
    found: list[str] = []
    for about in rules():
        page = tmp_path / f"{about.name}.md"
        page.write_text(f"# {about.name}\n\n{about.doc}\n", encoding="utf-8")
        found += refuted(cases(page), trial)
    assert not found


CONCAT = full_text("g (float[N, 4] x, float[M, 6] y) => (float[A, B] z) { z = Concat <axis = 1> (x, y) }")


def test_a_true_finding_is_confirmed(trial: Trial) -> None:
    (found,) = tried(CONCAT, trial)
    assert found.proof is not None
    assert found.proof.outcome == "confirmed"
    assert "runs N = 1, M = 1, and refuses N = 1, M = 2" in found.proof.text


def test_a_condition_that_is_too_strict_is_refuted(trial: Trial) -> None:
    (found,) = about_sizes(CONCAT)
    wrong = replace(found, failing={"N": 2, "M": 2})
    assert [outcome(each) for each in tried(CONCAT, trial, [wrong])] == ["refuted"]


def test_a_condition_that_is_too_weak_is_refuted(trial: Trial) -> None:
    (found,) = about_sizes(CONCAT)
    wrong = replace(found, passing={"N": 2, "M": 3})
    assert [outcome(each) for each in tried(CONCAT, trial, [wrong])] == ["refuted"]


def test_the_edge_of_a_condition_is_tried(trial: Trial) -> None:
    text = full_text("g (float[1, 1, H] x, float[1, 1, 5] w) => (float[A, B, C] y) { y = Conv (x, w) }")
    (found,) = about_sizes(text)
    assert str(found.guard) == "5 <= H"
    wrong = Guard("assert", at_most(9, onnxls.Dim.parse("H")))
    strict = replace(found, guard=wrong, passing={"H": 9}, failing={"H": 1})
    assert [outcome(each) for each in tried(text, trial, [found, strict])] == ["confirmed", "refuted"]


def test_a_finding_in_a_branch_takes_the_branch(trial: Trial) -> None:
    text = full_text(
        """g (bool c, float[N, 2] x) => (y) {
  y = If (c) <
    then_branch = t () => (a) { a = Relu (x) },
    else_branch = e () => (b) { two = Constant <value_ints = [1, 2]> () b = Reshape (x, two) }
  >
}"""
    )
    (found,) = tried(text, trial)
    assert found.guard is not None
    assert (str(found.guard), outcome(found)) == ("N == 1", "confirmed")


def test_declared_shapes_are_tried(trial: Trial) -> None:
    text = full_text("g (float[N, 4] x, float[M, 4] y) => (float[N, 4] z) { z = Relu (y) }")
    (found,) = tried(text, trial)
    assert outcome(found) == "confirmed"
    assert [outcome(each) for each in tried(text, trial, [replace(found, failing={"N": 3, "M": 3})])] == ["refuted"]
    assert [outcome(each) for each in tried(text, trial, [replace(found, passing={"N": 3, "M": 2})])] == ["refuted"]


@pytest.mark.parametrize("limits", [Limits(seconds=0.01), Limits(memory=64 << 20)])
def test_limits_leave_a_finding_untried(limits: Limits) -> None:
    with Trial(limits) as trial:
        (found,) = tried(CONCAT, trial)
    assert outcome(found) == "untried"


SOURCE = """
from pathlib import Path
from onnxscript import FLOAT, script
from onnxscript import opset20 as op

Path("ran").touch()

@script()
def joined(x: FLOAT["N", 4], y: FLOAT["M", 6], axis: int = 1):
    return op.Concat(x, y, axis=axis)

@script()
def outer(x: FLOAT["N", 4], y: FLOAT[3, 6]):
    z = joined(x, y)
    return z

@script()
def turns(x: FLOAT["N", 2]) -> FLOAT["N", 2]:
    rows = op.Identity(x)
    for i in range(3):
        rows = op.Concat(rows, x, axis=0)
    return rows

@script()
def open_axis(x: FLOAT["N", 4], y: FLOAT["M", 6], axis: int):
    z = op.Concat(x, y, axis=1)
    return op.Softmax(z, axis=axis)

@script()
def any_rank(x: FLOAT[...], y: FLOAT["M", 6]):
    return op.MatMul(y, y), x
"""


def test_a_source_is_tried_and_not_executed(trial: Trial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = [each for each in onnxls.analyze_text(SOURCE, "model.py").diagnostics if each.verdict is not None]
    proofs = [each.proof for each in confirm(found, "model.py", SOURCE, Request(), trial)]
    assert [proof and proof.outcome for proof in proofs] == ["confirmed"] * 3 + ["untried"] * 2
    assert "the attribute parameter 'axis' has no value" in str(proofs[3])
    assert "the input 'x' is not declared as a tensor with a rank" in str(proofs[4])
    assert list(tmp_path.iterdir()) == []
    with Trial() as outside:
        (nowhere,) = confirm([replace(found[0], location=onnxls.Location("model.py", 2, 1))], "model.py", SOURCE,
                             Request(), outside)  # fmt: skip
    assert outcome(nowhere) == "untried"


def test_a_loop_without_condition_takes_its_turns_in_the_reference(trial: Trial) -> None:
    text = full_text(
        """g (float[N, 2] x) => (float[N, 2] y) {
  three = Constant <value = int64 {3}> ()
  y = Loop (three, , x) <body = b (int64 i, bool c, float[K, 2] a) => (bool d, float[K2, 2] e) {
    d = Identity (c)
    e = Concat <axis = 0> (a, x)
  }>
}"""
    )
    found = [each for each in tried(text, trial) if each.rule == "annotation-name"]
    assert {outcome(each) for each in found} == {"confirmed"}


def heavy_model() -> onnx.ModelProto:
    text = full_text("g (float[N, K] x) => (float[N, 300] y) { y = MatMul (x, w) }")
    model = parser.parse_model(text)
    model.graph.initializer.append(numpy_helper.from_array(np.ones((300, 300), np.float32), "w"))
    return model


def test_large_weights_are_neither_kept_nor_needed() -> None:
    model = heavy_model()
    assert len(model.graph.initializer[0].raw_data) > LARGE
    light = onnx.load_model_from_string(without_weights(model.SerializeToString()))
    assert light.ByteSize() < 1000
    assert make_up(light, 20) is None
    evaluator: Any = ReferenceEvaluator(light)
    (y,) = evaluator.run(None, {"x": np.ones((2, 300), np.float32)})
    assert y.shape == (2, 300)


def test_external_weights_need_not_be_there(tmp_path: Path, trial: Trial) -> None:
    path = tmp_path / "model.onnx"
    model = heavy_model()
    convert_model_to_external_data(model, location="weights.bin", size_threshold=0)
    model.graph.initializer[0].ClearField("raw_data")
    path.write_bytes(model.SerializeToString())
    assert [tensor.name for tensor in Subject(str(path), None).model.graph.initializer] == ["w/shape"]
    found = [each for each in onnxls.analyze(path).diagnostics if each.verdict is not None]
    assert [outcome(each) for each in confirm(found, str(path), None, Request(), trial)] == ["confirmed"]


def test_the_command_line_says_what_became_of_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.onnxtxt"
    path.write_text(CONCAT, encoding="utf-8")
    assert main(["check", "--confirm", str(path)]) == 1
    assert "= confirmed: onnxruntime" in capsys.readouterr().out
    assert main(["check", "--confirm", "--output-format", "concise", str(path)]) == 1
    assert "; confirmed [dims-must-agree]" in capsys.readouterr().out
    assert main(["check", "--confirm", "--output-format", "json", str(path)]) == 1
    proofs = [found["proof"] for found in json.loads(capsys.readouterr().out)["diagnostics"]]
    assert [proof and proof["outcome"] for proof in proofs] == ["confirmed"]
