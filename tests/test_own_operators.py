"""Shape rules of operators that are not in the table: as text, and from installed packages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import onnxls
from mdtest_runner import Case, cases, check
from onnxls.ops.signatures import SignatureError, parse_signature
from onnxls.report import Options

ROOT = Path(__file__).parents[1]

MODEL = """<ir_version: 10, opset_import: ["" : 20, "my.domain" : 1]>
g (float[N, 4] x) => (y, z) {
  y = my.domain.Pair (x)
  z = my.domain.Flat (x)
}
"""

PACKAGE = """
from onnxls.dims import product
from onnxls.facts import Fact

def flat(ctx):
    shape = ctx.input(0).shape
    return Fact(ctx.input(0).dtype, None if shape is None else (product(shape),))

OPERATORS = {"my.domain::Pair": "T(N, C) -> T(N, 2*C)", "my.domain::Flat": flat}
"""

SCRIPT = """
import json, sys
import onnxls
report = onnxls.analyze_text(sys.argv[1], "m.onnxtxt")
shapes = {name: fact.shape for name, fact in report.values.items()}
values = {name: None if shape is None else [str(dim) for dim in shape] for name, shape in shapes.items()}
print(json.dumps([values, [each.message for each in report.diagnostics]]))
"""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(N)",
        "(N) ->",
        "(N) -> (N) -> (N)",
        "N -> N",
        "(N -> (N)",
        "(N)) -> (N)",
        "(N),, (M) -> (N)",
        "(N), -> (N)",
        "(N) (M) -> (N)",
        "(N)* , (M) -> (N)",
        "(N) -> (N)?",
        "(..., ...) -> (N)",
        "(N) -> (..., N)",
        "(N,, M) -> (N)",
        "(N!) -> (N)",
        "(N/2) -> (N)",
        "(" * 3000 + " -> (N)",
    ],
)
def test_what_is_no_shape_rule_is_refused(text: str) -> None:
    with pytest.raises(SignatureError):
        parse_signature(text)


@pytest.mark.parametrize("text", ["-> (3)", "() -> ()", "_ -> _", "(N,) -> (N)", "float16(`a b`, 2*N) -> (`a b`)"])
def test_what_is_a_shape_rule_is_read(text: str) -> None:
    assert parse_signature(text).outputs


@pytest.mark.parametrize("name", ["Foo", "::Foo", "my.domain::", "ai.onnx::Foo", "ai.onnx.ml::Foo"])
def test_only_operators_of_other_domains_are_declared(name: str) -> None:
    with pytest.raises(SignatureError):
        onnxls.analyze_text(MODEL, "m.onnxtxt", options=Options(operators={name: "(N) -> (N)"}))


def install(folder: Path, name: str, code: str, value: str) -> None:
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[onnxls.operators]\n{name} = {value}\n", encoding="utf-8")


def analysed(folder: Path) -> tuple[dict[str, list[str] | None], list[str]]:
    script = f"import sys; sys.path.insert(0, {str(folder)!r})\n{SCRIPT}"
    command = [sys.executable, "-c", script, MODEL]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    values, messages = json.loads(done.stdout)
    return values, messages


def test_installed_packages_offer_rules(tmp_path: Path) -> None:
    install(tmp_path, "pairs", PACKAGE, "pairs:OPERATORS")
    values, messages = analysed(tmp_path)
    assert values == {"x": ["N", "4"], "y": ["N", "8"], "z": ["4*N"]}
    assert messages == []


def test_a_package_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    install(tmp_path, "broken", "raise RuntimeError('out of order')", "broken:OPERATORS")
    install(tmp_path, "wrong", "OPERATORS = {'my.domain::Pair': 3}", "wrong:OPERATORS")
    values, messages = analysed(tmp_path)
    assert values["y"] is None
    assert len(messages) == 1
    assert "`broken` cannot be loaded: out of order" in messages[0]
    assert "`wrong` cannot be loaded" in messages[0]


@pytest.mark.parametrize("case", cases(ROOT / "docs" / "own-operators.md"), ids=lambda case: case.name)
def test_the_example_of_the_page(case: Case) -> None:
    if case.language == "onnx":
        assert check(case.text) == []
