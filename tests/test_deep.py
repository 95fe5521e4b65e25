"""The second opinion of z3: conditions are put to it as they are evaluated, and what it says is never contradicted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onnxls
from mdtest_runner import full_text
from onnxls import decide
from onnxls.assumptions import Assumptions
from onnxls.dims import Dim
from onnxls.expressions import parse_condition
from onnxls.relations import Condition, equal
from onnxls.report import Options
from onnxls_server.cli import main
from test_decide import GRIDS, NAMES, conditions, defined

deep = pytest.importorskip("onnxls.deep", exc_type=ImportError)


def known(assumed: list[Condition], floor: int, *, asked: bool = True) -> Assumptions:
    learned = Assumptions(NAMES, floor, prover=deep.Z3() if asked else None)
    for condition in assumed:
        learned = learned.learn(condition)
    return learned


@settings(max_examples=300, deadline=None)
@given(conditions, st.tuples(*[st.integers(0, 6)] * 3))
def test_a_condition_means_to_z3_what_it_evaluates_to(condition: Condition, sizes: tuple[int, int, int]) -> None:
    at: dict[str, int] = dict(zip(NAMES, sizes, strict=True))
    question = deep.Question(())
    for name, size in at.items():
        question.add(equal(Dim.symbol(name), size))
    formula = question.formula(condition)
    assert question.excludes(formula) is not condition.holds_at(at)


@settings(max_examples=100, deadline=None)
@given(conditions, st.lists(conditions, max_size=2), st.sampled_from([0, 1]))
def test_verdicts_are_never_contradicted(condition: Condition, assumed: list[Condition], floor: int) -> None:
    verdict = decide.check(condition, known(assumed, floor))
    if verdict.kind == "may-fail":
        for example, truth in ((verdict.passing, True), (verdict.failing, False)):
            at = dict.fromkeys(NAMES, floor) | dict(example or {})
            assert condition.holds_at(at) is truth or not defined(condition, at)
    elif verdict.kind != "unknown":
        for at in GRIDS[floor]:
            if all(defined(each, at) and each.holds_at(at) for each in assumed) and defined(condition, at):
                assert condition.holds_at(at) is (verdict.kind == "holds"), (str(condition), at)


@pytest.mark.parametrize(
    ("text", "assumed", "kind"),
    [
        ("4*A*B <= (A + B)*(A + B)", [], "holds"),
        ("(A + B)*(A + B) < 4*A*B", [], "fails"),
        ("A % 7 == 3", ["A % 5 == 2", "A % 3 == 1"], "may-fail"),
        ("7919*A % 100003 != 5", [], "may-fail"),
        ("A*A*A + B*B*B != C*C*C", [], "unknown"),
    ],
)
def test_what_is_open_without_it(text: str, assumed: list[str], kind: str) -> None:
    condition, given = parse_condition(text), [parse_condition(each) for each in assumed]
    assert decide.check(condition, known(given, 1, asked=False)).kind == "unknown"
    verdict = decide.check(condition, known(given, 1))
    assert verdict.kind == kind
    if kind == "may-fail":
        assert condition.holds_at(verdict.passing or {})
        assert not condition.holds_at(verdict.failing or {})


FAR = full_text("""g (float[A] x, float[5] rest) => (y) {
  times = Constant <value_ints = [7919]> ()
  rows = Constant <value_ints = [-1, 100003]> ()
  many = Tile (x, times)
  all = Concat <axis = 0> (many, rest)
  y = Reshape (all, rows)
}""")
"""The first sizes that fit are far away."""


def test_the_analysis_asks_where_it_is_wished_for() -> None:
    plain = onnxls.analyze_text(FAR, "far.onnxtxt")
    asked = onnxls.analyze_text(FAR, "far.onnxtxt", options=Options(deep=True))
    assert [each.rule for each in plain.diagnostics] == []
    (found,) = asked.diagnostics
    assert (found.rule, found.verdict, found.passing) == ("reshape-not-divisible", "may-fail", {"A": 63419})
    assert [str(guard) for guard in plain.guards] == [str(guard) for guard in asked.guards]


def test_the_command_line_and_the_settings_ask_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "far.onnxtxt"
    path.write_text(FAR, encoding="utf-8")

    def found(*options: str) -> list[str]:
        main(["check", *options, "--output-format", "json", str(path)])
        return [each["rule"] for each in json.loads(capsys.readouterr().out)["diagnostics"]]

    assert found() == []
    assert found("--deep") == ["reshape-not-divisible"]
    (tmp_path / "onnxls.toml").write_text("deep = true\n", encoding="utf-8")
    assert found() == ["reshape-not-divisible"]


def test_without_z3_it_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(name: str) -> None: ...

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    path = tmp_path / "far.onnxtxt"
    path.write_text(FAR, encoding="utf-8")
    for command in ("check", "infer", "guards", "show"):
        assert main([command, "--deep", str(path)]) == 2
        assert "pip install 'onnxls[deep]'" in capsys.readouterr().err
    (tmp_path / "onnxls.toml").write_text("deep = true\n", encoding="utf-8")
    assert main(["check", str(path)]) == 0
    assert "`deep` must be false, since z3 is not installed" in capsys.readouterr().err


def test_z3_is_not_loaded_unasked(tmp_path: Path) -> None:
    path = tmp_path / "far.onnxtxt"
    path.write_text(FAR, encoding="utf-8")
    program = (
        "import sys; from onnxls_server.cli import main; "
        f"status = main(['check', '--no-cache', {str(path)!r}]); sys.exit(status or 'z3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
