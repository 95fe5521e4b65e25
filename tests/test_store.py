"""The store of guards: nothing in a list follows from the rest, and no order of learning matters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

import onnxls
from mdtest_runner import Case, cases, directives, full_text
from onnxls import decide
from onnxls.assumptions import Assumptions
from onnxls.expressions import parse_condition
from onnxls.relations import Condition, Guard
from onnxls.store import HINT, minimal
from test_mdtest import SUITES
from z3_judge import z3_condition

BLOCKS = [(f"{suite.stem}: {case.name}", case) for suite in SUITES for case in cases(suite) if case.language == "onnx"]


def binding(guards: Sequence[Guard], guard: Guard) -> list[Guard]:
    """The guards that may make another idle: the branch that a hint takes later does not make an assertion so."""
    place = guards.index(guard)
    return [
        other
        for at, other in enumerate(guards)
        if at != place and not (guard.kind == "assert" and other.reason == HINT and at > place) and other.symbols()
    ]


@pytest.mark.parametrize("case", [case for _, case in BLOCKS], ids=[name for name, _ in BLOCKS])
def test_no_line_follows_from_the_others(case: Case) -> None:
    z3: Any = pytest.importorskip("z3")
    text = full_text(case.text)
    hints, _ = directives(text)
    for unit in onnxls.analyze_text(text, "block.onnxtxt", hints=hints).units:
        for guard in unit.guards if len(unit.guards) > 1 else ():
            if not guard.symbols():
                continue
            symbols: dict[str, Any] = {}
            sides: list[Any] = []
            others = [z3_condition(other.condition, z3, symbols, sides) for other in binding(list(unit.guards), guard)]
            goal = z3_condition(guard.condition, z3, symbols, sides)
            solver = z3.Solver()
            solver.set("timeout", 200)
            solver.add(*others, *sides, *(symbol >= 0 for symbol in symbols.values()), z3.Not(goal))
            assert solver.check() != z3.unsat, f"{guard} follows from {[str(other) for other in unit.guards]}"


@pytest.mark.parametrize(
    "texts",
    [
        ("s2 == s0 + s1", "s0 == 2", "3 <= s1"),
        ("A == B", "B == C", "C % 4 == 0"),
        ("N % 2 == 0", "N % 3 == 0", "7 <= N"),
        ("A == B or A == 1 or B == 1", "2 <= A", "2 <= B"),
        ("((H + 7)//8) % 4 == 0", "5 <= H", "H <= 64"),
        ("A == 2*B", "B == 2*C", "C != 0"),
    ],
)
def test_the_order_of_learning_does_not_matter(texts: tuple[str, ...]) -> None:
    conditions = [parse_condition(text) for text in texts]
    names = sorted({name for condition in conditions for name in condition.symbols()})
    order = {name: place for place, name in enumerate(names)}
    asked = [*conditions, *(condition.negation() for condition in conditions)]
    answers: set[tuple[bool | None, ...]] = set()
    lists: list[list[Condition]] = []
    for each in permutations(conditions):
        known = Assumptions(order)
        for condition in each:
            known = known.learn(condition)
        answers.add(tuple(decide.proved(condition, known) for condition in asked))
        guards = [Guard("assert", condition) for condition in each]
        lists.append([guard.condition for guard in minimal(guards, Assumptions(order))])
    assert answers == {(True,) * len(conditions) + (False,) * len(conditions)}
    for kept in lists:
        assert [proved_by(kept, condition) for condition in conditions] == [True] * len(conditions)
        assert [proved_by([each for each in kept if each != line], line) for line in kept] == [None] * len(kept)


def proved_by(known: Sequence[Condition], condition: Condition) -> bool | None:
    names = sorted({name for each in (*known, condition) for name in each.symbols()})
    assumptions = Assumptions({name: place for place, name in enumerate(names)})
    for each in known:
        assumptions = assumptions.learn(each)
    return decide.proved(condition, assumptions)


def test_the_same_model_gives_the_same_list() -> None:
    for _, case in BLOCKS[::7]:
        text = full_text(case.text)
        first, second = (onnxls.analyze_text(text, "block.onnxtxt") for _ in range(2))
        assert [str(guard) for guard in first.guards] == [str(guard) for guard in second.guards]


@pytest.mark.parametrize(
    ("body", "origins"),
    [
        ("p = Concat <axis = 1> (x, a) q = Concat <axis = 1> (x, b)", {"p": "N == 4"}),
        ("p = Concat <axis = 1> (x, m) q = Concat <axis = 1> (x, a) r = Concat <axis = 1> (m, b)",
         {"p": "N == M", "q": "N == 4"}),
        ("o = Add (m, b) p = Concat <axis = 1> (x, a) q = Concat <axis = 1> (x, b)", {"p": "N == 4"}),
        ("p = Add (x, a) n = Shape <end = 1> (x) q = ConstantOfShape (n) r = MatMul (q, b)",
         {"p": "N == 4 or N == 1"}),
        ("p = Conv (image, w) n = Shape <start = 2> (image) most, q = TopK <axis = 0> (a, n)", {"p": "5 <= H"}),
        ("p = Concat <axis = 1> (a, b)", {}),
    ],
)  # fmt: skip
def test_what_a_condition_contradicts_is_told_with_it(body: str, origins: dict[str, str]) -> None:
    head = "float[N, 2] x, float[M, 2] m, float[4, 2] a, float[6, 2] b, float[1, 1, H] image, float[1, 1, 5] w"
    lines = body.replace(") ", ")\n")
    report = onnxls.analyze_text(full_text(f"g ({head}) => (z) {{\n{lines}\n}}"), "block.onnxtxt")
    (found,) = (each for each in report.diagnostics if each.verdict == "fails")
    places = {unit.places[name].graph_path: name for unit in report.units for name in unit.places}
    assert {places[str(each.location.graph_path)]: each.message for each in found.related} == {
        name: f"{condition} is needed here" for name, condition in origins.items()
    }
