"""Runs the suites of fixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixes_runner import Case, cases, check

SUITES = sorted((Path(__file__).parent / "fixes").glob("*.md"))
CASES = [pytest.param(case, id=f"{path.stem}: {case.name}") for path in SUITES for case in cases(path)]


@pytest.mark.parametrize("case", CASES)
def test_fix(case: Case) -> None:
    problem = check(case)
    assert problem is None, problem
