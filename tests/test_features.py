"""Runs the suites of what editors show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from features_runner import Case, Mark, cases
from onnxls_server.features.hover import hover
from onnxls_server.features.inlay_hints import inlay_hints

SUITES = sorted((Path(__file__).parent / "features").glob("*.md"))
CASES = [pytest.param(case, id=f"{path.stem}: {case.name}") for path in SUITES for case in cases(path)]


@pytest.mark.parametrize("case", CASES)
def test_suite(case: Case) -> None:
    problems = [
        f"line {mark.line}: {said}" for mark in case.marks if (said := CHECKS[mark.kind](case, mark)) is not None
    ]
    assert not problems, "\n".join(problems)


def _nothing(case: Case, mark: Mark) -> str | None:
    return None


def _hover(case: Case, mark: Mark) -> str | None:
    found = hover(case.snapshot(), mark.offset)
    text = None if found is None else found.markup.plain()
    if mark.kind == "no hover":
        return None if text is None else f"a hover: {text!r}"
    return None if text is not None and mark.rest in text else f"hover is {text!r}"


def _inlay(case: Case, mark: Mark) -> str | None:
    found = [hint.label for hint in inlay_hints(case.snapshot(), 0, len(case.text)) if hint.offset == mark.offset + 1]
    wanted = [] if mark.kind == "no inlay" else [f": {mark.rest}"]
    return None if found == wanted else f"hints here: {found}"


CHECKS: dict[str, Callable[[Case, Mark], str | None]] = {
    "here": _nothing,
    "hover": _hover,
    "no hover": _hover,
    "inlay": _inlay,
    "no inlay": _inlay,
}
