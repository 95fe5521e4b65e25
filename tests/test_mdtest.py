"""Runs the Markdown suites, and the examples on the pages of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import onnxls.project
from mdtest_runner import Case, cases, check
from onnxls import ops
from onnxls.rules import Rule, declared

SUITES = sorted((Path(__file__).parent / "mdtest").rglob("*.md"))
CASES = [pytest.param(case, id=f"{path.stem}: {case.name}") for path in SUITES for case in cases(path)]


@pytest.mark.parametrize("case", CASES)
def test_suite(case: Case) -> None:
    problems = check(case.text, case.language)
    assert not problems, "\n".join(problems)


def rules() -> list[Rule]:
    assert onnxls.project
    ops.registered()
    return list(declared())


@pytest.mark.parametrize("about", rules(), ids=lambda rule: rule.name)
def test_rule_page(about: Rule, tmp_path: Path) -> None:
    page = tmp_path / f"{about.name}.md"
    page.write_text(f"# {about.name}\n\n{about.doc}\n", encoding="utf-8")
    for case in cases(page):
        problems = check(case.text, case.language)
        assert not problems, "\n".join(problems)
