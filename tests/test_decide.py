"""The decider: proofs are never contradicted, by a grid of sizes or by z3; examples really pass and fail."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from onnxls import decide, samples
from onnxls.assumptions import Assumptions
from onnxls.dims import Dim, Symbol, broadcast, floordiv, maximum, minimum
from onnxls.expressions import parse_condition
from onnxls.relations import Condition, Relation, any_of, equal
from z3_judge import z3_condition

NAMES = ("A", "B", "C")
ORDER = {name: place for place, name in enumerate(("A", "B", "C", "H", "N", "P", "S", "h", "w"))}

leaves = st.one_of(
    st.sampled_from(NAMES).map(Dim.symbol), st.sampled_from([0, 1, 2, 3, 4, 8]).map(Dim.of), st.just(Dim.symbol("A"))
)


def _combined(left: Dim, right: Dim, sign: str) -> Dim:
    by_sign: dict[str, Callable[[Dim, Dim], Dim]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "//": floordiv,
        "max": maximum,
        "min": minimum,
        "broadcast": broadcast,
    }
    return by_sign[sign](left, right)


def _by_constant(dim: Dim, divisor: int, sign: str) -> Dim:
    return dim // divisor if sign == "//" else dim % divisor


dims = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(_combined, inner, inner, st.sampled_from(["+", "-", "*", "//", "max", "min", "broadcast"])),
        st.builds(_by_constant, inner, st.sampled_from([2, 3, 4]), st.sampled_from(["//", "%"])),
    ),
    max_leaves=5,
)
relations = st.builds(Relation, dims, st.sampled_from(["==", "!=", "<=", "<"]), dims)
conditions = st.one_of(relations, st.lists(relations, min_size=2, max_size=3).map(lambda parts: any_of(*parts)))


def known(assumed: list[Condition], floor: int = 0) -> Assumptions:
    learned = Assumptions(ORDER)
    for condition in assumed:
        learned = learned.learn(condition)
    return learned.with_floor(floor)


def grid(floor: int) -> list[dict[str, int]]:
    return [dict(zip(NAMES, point, strict=True)) for point in itertools.product(range(floor, floor + 6), repeat=3)]


GRIDS = {floor: grid(floor) for floor in (0, 1)}


def defined(condition: Condition, at: dict[str, int]) -> bool:
    """Whether every side has a value; broadcasts where they agree."""
    try:
        for relation in _relations(condition):
            relation.lhs.evaluate(at)
            relation.rhs.evaluate(at)
            if not all(_agrees(side, at) for side in (relation.lhs, relation.rhs)):
                return False
    except ZeroDivisionError:
        return False
    return True


def _relations(condition: Condition) -> list[Relation]:
    if isinstance(condition, Relation):
        return [condition]
    return [relation for part in condition.parts for relation in _relations(part)]


def _agrees(dim: Dim, at: dict[str, int]) -> bool:
    for monomial in dim.terms:
        for atom in monomial:
            if not isinstance(atom, Symbol):
                if not all(_agrees(arg, at) for arg in atom.args):
                    return False
                if atom.op == "broadcast" and len({arg.evaluate(at) for arg in atom.args} - {1}) > 1:
                    return False
    return True


@settings(max_examples=1500, deadline=None)
@given(conditions, st.lists(conditions, max_size=3), st.sampled_from([0, 1]))
def test_proofs_are_never_contradicted(condition: Condition, assumed: list[Condition], floor: int) -> None:
    assumptions = known(assumed, floor)
    verdict = decide.check(condition, assumptions)
    if verdict.kind == "may-fail":
        assert verdict.passing is not None
        assert verdict.failing is not None
        for example, truth in ((verdict.passing, True), (verdict.failing, False)):
            at = dict.fromkeys(NAMES, floor) | dict(example)
            assert condition.holds_at(at) is truth or not defined(condition, at)
            assert all(size >= floor for size in example.values())
            touched = set(example)
            assert all(each.holds_at(at) or not defined(each, at) for each in assumed if each.symbols() <= touched)
        return
    if verdict.kind == "unknown":
        return
    for at in GRIDS[floor]:
        if all(defined(each, at) and each.holds_at(at) for each in assumed) and defined(condition, at):
            assert condition.holds_at(at) is (verdict.kind == "holds"), (str(condition), at)


@settings(max_examples=500, deadline=None)
@given(conditions, st.lists(conditions, max_size=3), st.sampled_from([0, 1]))
def test_z3_agrees(condition: Condition, assumed: list[Condition], floor: int) -> None:
    z3 = pytest.importorskip("z3")
    verdict = decide.check(condition, known(assumed, floor))
    assume(verdict.kind in ("holds", "fails"))
    symbols: dict[str, Any] = {}
    sides: list[Any] = []
    goal = z3_condition(condition, z3, symbols, sides)
    premises = [z3_condition(each, z3, symbols, sides) for each in assumed]
    solver = z3.Solver()
    solver.set("timeout", 300)
    solver.add(*premises, *sides, *(symbol >= floor for symbol in symbols.values()))
    solver.add(z3.Not(goal) if verdict.kind == "holds" else goal)
    assert solver.check() != z3.sat, (str(condition), [str(each) for each in assumed], solver.model())


def _quotient(name: str, offset: int, divisor: int) -> Dim:
    return (Dim.symbol(name) + offset) // divisor


def _exact(dividend: Dim, divisor: int, written: bool) -> Condition:
    """That there is no remainder, as such or as the size that a model which halves and doubles has again."""
    return equal(divisor * ((dividend + divisor - 1) // divisor), dividend) if written else equal(dividend % divisor, 0)


quotients = st.builds(_quotient, st.sampled_from("AB"), st.integers(0, 15), st.sampled_from([1, 2, 3, 4, 8, 16]))
exact = st.builds(_exact, quotients, st.sampled_from([2, 3, 4]), st.booleans())
rounded = st.builds(_by_constant, quotients, st.sampled_from([1, 2, 4]), st.just("//"))
SQUARE = [{"A": a, "B": b} for a, b in itertools.product(range(0, 97, 3), range(1, 97, 5))]


@settings(max_examples=400, deadline=None)
@given(st.lists(exact, min_size=1, max_size=3), rounded, rounded, st.sampled_from([1, 2, 4, 8]))
def test_exact_quotients_are_what_they_are_rewritten_to(
    assumed: list[Condition], left: Dim, right: Dim, factor: int
) -> None:
    assumptions = known(assumed)
    admitted = [at for at in SQUARE if all(each.holds_at(at) for each in assumed)]
    for dim in (factor * left - right, factor * factor * left * left - right * right):
        rewritten = assumptions.rewrite(dim)
        claim = equal(dim, 0)
        kind = decide.check(claim, assumptions).kind
        for at in admitted:
            assert rewritten.evaluate(at) == dim.evaluate(at), (str(dim), at)
            assert kind not in ("holds", "fails") or claim.holds_at(at) is (kind == "holds"), (str(claim), at)


@settings(max_examples=300, deadline=None)
@given(st.lists(conditions, max_size=4), st.sampled_from([0, 1]))
def test_samples_meet_what_is_known(assumed: list[Condition], floor: int) -> None:
    assumptions = known(assumed, floor)
    group = assumptions.everything()
    points = samples.of(group)
    for each in group.admitted():
        assert not each.symbols() or points.truths(each) <= {True}, str(each)
    for name in NAMES:
        if name not in assumptions.rewrites:
            assert False not in points.truths(Relation(Dim.of(floor), "<=", Dim.symbol(name)))


@pytest.mark.parametrize(
    ("condition", "assumed", "kind"),
    [
        ("2*(h//2) == h", [], "may-fail"),
        ("h//2 + (h + 1)//2 == h", [], "holds"),
        ("(h + 1)//2 >= h//2", [], "holds"),
        ("N*H >= N", [], "holds"),
        ("N <= max(N, P)", [], "holds"),
        ("N*(A//N) <= A", [], "holds"),
        ("A//N <= A", [], "holds"),
        ("A <= B", ["A + 1 <= C", "C <= B"], "holds"),
        ("S + P <= 1024", ["S + P <= 512"], "holds"),
        ("A == C", ["A == B", "B == C"], "holds"),
        ("N % 8 == 0", ["N % 16 == 0"], "holds"),
        ("N % 16 == 0", ["N % 8 == 0"], "may-fail"),
        ("h*w % 4 == 0", ["h % 2 == 0", "w % 2 == 0"], "holds"),
        ("8*(N//8) == N", ["N % 8 == 0"], "holds"),
        ("(-S) % 8 + S == 8*((S + 7)//8)", [], "holds"),
        ("A//2//3 == A//6", [], "holds"),
        ("2*N == N", [], "fails"),
        ("2*N == 2*P + 1", [], "fails"),
        ("N*A == 0", [], "fails"),
        ("A == B or A == 1 or B == 1", [], "may-fail"),
        ("A == B or A == 1 or B == 1", ["A == B"], "holds"),
        ("B == A or B == 1 or A == 1", ["A == B or A == 1 or B == 1"], "holds"),
        ("A == 1 or B == 1", ["A == B or A == 1 or B == 1", "A != B"], "holds"),
        (
            "broadcast(A, B) == C or broadcast(A, B) == 1 or C == 1",
            ["A == B or A == 1 or B == 1", "A == C or A == 1 or C == 1", "B == C or B == 1 or C == 1"],
            "holds",
        ),
        ("broadcast(A, B) == 4 or broadcast(A, B) == 1", ["A == 4 or A == 1", "B == 4 or B == 1"], "holds"),
        ("broadcast(A, B) == 4", ["A == 4 or A == 1", "B == 4 or B == 1"], "may-fail"),
        ("A*B == 12", [], "may-fail"),
        ("A*H == 4096", [], "may-fail"),
        ("H == 640", [], "may-fail"),
        ("A == 5", ["A == B + C", "B == 2", "C == 3"], "holds"),
        ("32*(h//32) == h", ["(h//8) % 4 == 0"], "may-fail"),
        ("4*(h//32) == h//8", ["(h//8) % 4 == 0"], "holds"),
        (
            "16*((h + 31)//32)*((w + 31)//32) == ((h + 7)//8)*((w + 7)//8)",
            ["4*((h + 31)//32) == (h + 7)//8", "4*((w + 31)//32) == (w + 7)//8"],
            "holds",
        ),
        ("(A//3)*B == (C//2)*B", ["A//3 == C//2"], "holds"),
    ],
)
def test_everyday_questions(condition: str, assumed: list[str], kind: str) -> None:
    verdict = decide.check(parse_condition(condition), known([parse_condition(each) for each in assumed], 1))
    assert verdict.kind == kind


def test_examples_are_the_smallest() -> None:
    verdict = decide.check(parse_condition("A*B == 12"), known([], 1))
    assert verdict.passing is not None
    assert max(verdict.passing.values()) <= 6
    assert verdict.failing == {"A": 1, "B": 1}


def test_examples_meet_what_is_assumed() -> None:
    assumptions = known([parse_condition(text) for text in ("A % 8 == 0", "B == 2*A", "C <= B - 3")], 1)
    verdict = decide.check(parse_condition("C % 5 == 0"), assumptions)
    assert verdict.kind == "may-fail"
    for example in (verdict.passing, verdict.failing):
        assert example is not None
        assert example["A"] % 8 == 0
        assert example["B"] == 2 * example["A"]
        assert example["C"] <= example["B"] - 3


def test_sizes_of_zero_are_admitted_below_the_floor() -> None:
    assert decide.follows(parse_condition("N*H >= N"), known([], 1))
    assert not decide.follows(parse_condition("N*H >= N"), known([], 0))


def test_equalities_rewrite() -> None:
    learned = known([parse_condition("C == A + B"), parse_condition("A == 2")])
    assert learned.rewrite(Dim.symbol("C")) == Dim.symbol("B") + 2
    assert decide.follows(equal(Dim.symbol("C"), Dim.symbol("B") + 2), learned)


def test_symbols_that_are_no_inputs_are_never_searched() -> None:
    verdict = decide.check(equal(Dim.symbol("y#0", "data"), Dim.symbol("A")), known([], 1))
    assert verdict.kind == "unknown"


def test_a_division_by_zero_that_was_assumed_is_survived() -> None:
    none = Dim.of(0) // Dim.of(0)
    assumptions = known([equal(none, 0), equal(Dim.symbol("A"), 0)])
    assert decide.check(equal(Dim.symbol("B") + 3 * none, 1), assumptions).kind in ("unknown", "may-fail")
