"""Assumptions of callers, and names that read as expressions."""

from __future__ import annotations

import onnxls
from onnxls.report import Options

PAST = """<ir_version: 10, opset_import: ["" : 20]>
g (float[past] cache, float[1] new, float["past + 1"] mask) => (z) {
  all = Concat <axis = 0> (cache, new)
  z = Add (all, mask)
}"""


def told(text: str, options: Options | None = None, assume: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    report = onnxls.analyze_text(text, "m.onnxtxt", assume=assume, options=options)
    return [(found.severity, found.rule) for found in report.diagnostics]


def test_a_name_that_reads_as_an_expression_may_be_trusted() -> None:
    assert told(PAST) == [("information", "broadcast-mismatch")]
    assert told(PAST, Options(trust_names=True)) == []
    report = onnxls.analyze_text(PAST, "m.onnxtxt", options=Options(trust_names=True))
    assert [str(dim) for dim in report.values["z"].shape or ()] == ["past + 1"]
    assert report.static_check("`past + 1` == past + 1") is True


def test_an_assumption_that_changes_nothing_is_told() -> None:
    assert told(PAST, assume=("past % 2 == 0",)) == [
        ("information", "unneeded-assumption"),
        ("information", "broadcast-mismatch"),
    ]
    assert told(PAST, assume=("`past + 1` == past + 1",)) == []


def test_assumptions_that_exclude_each_other_are_both_named() -> None:
    report = onnxls.analyze_text(PAST, "m.onnxtxt", assume=("past < 3", "past % 2 == 0", "5 <= past"))
    found = [each.message for each in report.diagnostics if each.rule == "contradictory-assumptions"]
    assert found == ["no sizes meet both assumptions, past < 3 and 5 <= past"]
