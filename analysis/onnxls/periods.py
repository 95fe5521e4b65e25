"""Proofs about one symbol: from some size on, truth repeats with a period, so finitely many sizes decide.

A Dim of one symbol, its multiples, floor divisions and remainders by positive integers, and greater and lesser of
such, is a straight line and something that repeats; a comparison of two of them comes to repeat, or to stay. Other
Dims, and turns that come too late, prove nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, gcd, lcm

from onnxls.compiled import compiled
from onnxls.dims import Atom, Dim, Op
from onnxls.groups import Group
from onnxls.relations import Condition, Relation, dims, relations

MAX_SIZES = 4096
"""Sizes that one question may try."""


@dataclass(frozen=True, slots=True)
class Line:
    """`slope * n + e` for all n >= start, where e lies between `low` and `high` and repeats with `period`."""

    slope: Fraction
    low: Fraction
    high: Fraction
    period: int = 1
    start: int = 0

    def __add__(self, other: Line) -> Line:
        return Line(
            self.slope + other.slope,
            self.low + other.low,
            self.high + other.high,
            lcm(self.period, other.period),
            max(self.start, other.start),
        )

    def times(self, factor: int) -> Line:
        """The bounds of a multiple."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Line(self.slope * factor, low, high, self.period, self.start)


def follows(condition: Condition, known: Group) -> bool:
    """Whether a condition on one symbol holds at all sizes that what is known of it admits."""
    names = condition.symbols()
    if len(names) != 1:
        return False
    (name,) = names
    low = known.low(name)
    if low is None:
        return False
    given: list[Condition] = [each for each in known.conditions if each.symbols() == names]
    given += [Relation(Dim.of(0), "<=", dim) for dim in known.nonnegative if dim.symbols() == names]
    if not any(has_op(each) for each in (condition, *given)):
        return False
    return _follows(condition, tuple(given), low)


@lru_cache(maxsize=1024)
def _follows(condition: Condition, given: tuple[Condition, ...], low: int) -> bool:
    turn = _turn((condition,))
    if turn is None:
        return False
    helpful = [each for each in given if _turn((each,)) is not None]
    turn = _turn((condition, *helpful))
    assert turn is not None
    start, period = turn
    last = max(start, low) + period
    if last - low > MAX_SIZES:
        return False
    (name,) = condition.symbols()
    tests, wanted = [compiled(each) for each in helpful], compiled(condition)
    for size in range(low, last):
        sizes = {name: size}
        if not wanted(sizes) and all(test(sizes) for test in tests):
            return False
    return True


def _turn(conditions: Iterable[Condition]) -> tuple[int, int] | None:
    """From which size on, and with which period, the truth of the conditions repeats; None: not known, or too late."""
    start, period = 0, 1
    for condition in conditions:
        for relation in relations(condition):
            line = _line(relation.lhs - relation.rhs)
            if line is None:
                return None
            start = max(start, line.start)
            if line.slope:
                start = max(start, ceil(max(abs(line.low), abs(line.high)) / abs(line.slope)) + 1)
            else:
                period = lcm(period, line.period)
            if start > MAX_SIZES or period > MAX_SIZES:
                return None
    return start, period


@lru_cache(maxsize=1024)
def _line(dim: Dim) -> Line | None:
    total = Line(Fraction(0), Fraction(0), Fraction(0))
    for monomial, coefficient in dim.terms.items():
        if not monomial:
            total += Line(Fraction(0), Fraction(coefficient), Fraction(coefficient))
            continue
        line = _atom_line(monomial[0]) if len(monomial) == 1 else None
        if line is None or line.period > MAX_SIZES:
            return None
        total += line.times(coefficient)
    return total


def _atom_line(atom: Atom) -> Line | None:
    if not isinstance(atom, Op):
        return Line(Fraction(1), Fraction(0), Fraction(0))
    lines = [_line(arg) for arg in atom.args[: 1 if atom.op in ("floordiv", "mod") else 2]]
    known = [line for line in lines if line is not None]
    if len(known) < len(lines):
        return None
    if atom.op in ("floordiv", "mod"):
        by = atom.args[1].const or 0
        if by <= 0:
            return None
        line = known[0]
        step = line.slope * line.period
        period = line.period * (by // gcd(int(step), by))
        if atom.op == "mod":
            return Line(Fraction(0), Fraction(0), Fraction(by - 1), period, line.start)
        return Line(line.slope / by, (line.low - by + 1) / by, line.high / by, period, line.start)
    return _winner(known, atom.op) if atom.op in ("max", "min") else None


def _winner(lines: Sequence[Line], op: str) -> Line:
    """The greater or lesser of two lines, from where it is always the same one, or repeats."""
    first, second = lines
    start = max(first.start, second.start)
    if first.slope == second.slope:
        pick = max if op == "max" else min
        return Line(
            first.slope,
            pick(first.low, second.low),
            pick(first.high, second.high),
            lcm(first.period, second.period),
            start,
        )
    steep, flat = (first, second) if first.slope > second.slope else (second, first)
    apart = ceil(max(flat.high - steep.low, Fraction(0)) / (steep.slope - flat.slope))
    line = steep if op == "max" else flat
    return Line(line.slope, line.low, line.high, line.period, max(start, apart))


def has_op(condition: Condition) -> bool:
    """Whether a condition has more in it than symbols and their multiples."""
    return any(isinstance(atom, Op) for dim in dims(condition) for monomial in dim.terms for atom in monomial)
