"""The steps of `s0 + s1 == s2`: one build, and what its guards say of later runs; and what follows from guards."""

from __future__ import annotations

import pytest
from onnx import parser

import onnxls

MODEL = parser.parse_model(
    """<ir_version: 10, opset_import: ["" : 20]> g (float[s0, k] a, float[s1, k] b, float[s2, k] c) => (y) {
  joined = Concat <axis = 0> (a, b)
  y = Add (joined, c)
}"""
)


@pytest.mark.parametrize(
    ("sizes", "outcome"),
    [((2, 3, 5), "run"), ((3, 4, 7), "run"), ((5, 4, 7), "recompile")],
)
def test_the_steps(sizes: tuple[int, int, int], outcome: str) -> None:
    report = onnxls.analyze(MODEL, hints={"a": (2, 2), "b": (3, 2), "c": (5, 2)})
    assert [(guard.kind, str(guard)) for guard in report.guards] == [("expect", "s0 + s1 == s2")]
    shapes = dict(zip("abc", ((size, 2) for size in sizes), strict=True))
    assert report.check(shapes).outcome == outcome


def test_a_build_for_the_sizes_that_failed_runs_no_more() -> None:
    report = onnxls.analyze(MODEL, hints={"s0": 5, "s1": 4, "s2": 7})
    assert [found.verdict for found in report.diagnostics if found.severity == "error"] == ["fails"]
    assert report.check({"s0": 5, "s1": 4, "s2": 7, "k": 2}).outcome == "error"


def test_what_follows_from_guards() -> None:
    report = onnxls.analyze(MODEL, hints={"s0": 2, "s1": 3, "s2": 5}, assume=["s0 == 2"])
    assert report.static_check("s2 == 2 + s1") is True
    assert report.static_check("s2 < s1") is False
    assert report.static_check("s2 == 5") is None
    assert report.static_check("2 + 2 == 4") is True
    assert report.static_check("2 + 2 == 5") is False
    assert str(report.values["y"].shape) == str((onnxls.Dim.parse("s1 + 2"), onnxls.Dim.parse("k")))
