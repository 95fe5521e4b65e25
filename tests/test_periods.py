"""Proofs about one symbol against trying sizes: what is proved is never contradicted, and what is true is proved."""

from __future__ import annotations

from itertools import chain
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from onnxls import periods
from onnxls.assumptions import Assumptions
from onnxls.dims import Dim, apply
from onnxls.expressions import parse_condition
from onnxls.groups import Group
from onnxls.relations import Condition, Relation, any_of, tidy

N = Dim.symbol("N")
FAR = range(4000)


def line(factor: int, constant: int) -> Dim:
    return factor * N + constant


def quotient(dim: Dim, by: int) -> Dim:
    return dim // by


def remainder(dim: Dim, by: int) -> Dim:
    return dim % by


def added(left: Dim, right: Dim) -> Dim:
    return left + right


def operation(op: Literal["max", "min"], left: Dim, right: Dim) -> Dim:
    return apply(op, left, right)


def lines(depth: int) -> st.SearchStrategy[Dim]:
    leaf = st.builds(line, st.integers(-3, 3), st.integers(-9, 9))
    if not depth:
        return leaf
    inner = lines(depth - 1)
    by = st.integers(1, 8)
    return st.one_of(
        leaf,
        st.builds(quotient, inner, by),
        st.builds(remainder, inner, by),
        st.builds(operation, st.sampled_from(("max", "min")), inner, inner),
        st.builds(added, inner, inner),
    )


comparisons = st.builds(Relation, lines(2), st.sampled_from(("==", "!=", "<=", "<")), lines(1))
conditions = st.one_of(comparisons, st.builds(any_of, comparisons, comparisons))


def known(*given: Condition, floor: int = 0) -> Group:
    learned = Assumptions({"N": 0}, floor)
    for each in given:
        learned = learned.learn(each)
    return learned.about(["N"])


@settings(deadline=None)
@given(conditions, st.lists(conditions, max_size=2), st.integers(0, 1))
def test_what_is_proved_holds(condition: Condition, given_: list[Condition], floor: int) -> None:
    if not periods.follows(condition, known(*given_, floor=floor)):
        return
    for size in chain(FAR[floor:], (10**6 + 1, 10**9 + 7)):
        sizes = {"N": size}
        if all(each.holds_at(sizes) for each in given_):
            assert condition.holds_at(sizes), size


@settings(deadline=None)
@given(conditions)
def test_what_is_true_of_small_periods_is_proved(condition: Condition) -> None:
    if condition.symbols() and all(condition.holds_at({"N": size}) for size in FAR):
        learned = known()
        assert periods.follows(condition, learned) or not periods.has_op(condition)


@settings(deadline=None)
@given(conditions)
def test_a_tidy_condition_says_the_same(condition: Condition) -> None:
    tidied = tidy(condition)
    for size in range(300):
        assert tidied.holds_at({"N": size}) == condition.holds_at({"N": size})


def test_the_strides_of_a_network() -> None:
    strong = parse_condition("4*((N + 31)//32) == (N + 7)//8")
    weak = parse_condition("2*((N + 31)//32) == (N + 15)//16")
    assert str(tidy(strong)) == "((N + 7)//8) % 4 == 0"
    assert periods.follows(weak, known(strong))
    assert not periods.follows(strong, known(weak))


def test_bounds_are_written_with_one_constant() -> None:
    for text, tidied in (
        ("256 <= N + 64", "192 <= N"),
        ("1 <= (N + 3)//8", "5 <= N"),
        ("0 <= N - 3", "3 <= N"),
        ("N < 8", "N < 8"),
        ("(N + 3)//8 <= 2", "N <= 20"),
        ("max(N - 240, 0)//160 != 0", "400 <= N"),
        ("400 <= N - (N + 80) % 160", "400 <= N"),
        ("399 <= N - (N + 5) % 160", "475 <= N"),
        ("N + min(N, 120) <= 512", "N + min(N, 120) <= 512"),
    ):
        assert str(tidy(parse_condition(text))) == tidied
