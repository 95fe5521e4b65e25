"""Sizes at which all that is known is true: a claim that is false at one of them has no proof.

They only cut short what must fail, so which sizes are taken never shows in a result. Symbols that conditions tie
together are sampled together; the others get sizes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from zlib import crc32

from onnxls import witness
from onnxls.compiled import compiled
from onnxls.dims import Atom, Dim, Monomial, Symbol
from onnxls.groups import Group
from onnxls.relations import AnyOf, Condition, Relation

POINTS = 12
"""Sample points of one state of knowledge."""

MAX_TIED = 60
"""More conditions than these on symbols that they tie together, and the symbols have no samples."""

Column = Sequence[int | None]
"""A value at each point; None where there is none: after a division by zero, or a broadcast of sizes that disagree."""

_PATTERNS = (
    (1,), (7,), (1, 7), (1, 2, 3), (2, 3, 5, 7, 11, 13), (0, 1, 2), (1, 4), (6, 12, 24, 48), (1, 4, 64), (2,),
    (5, 8, 16, 97), (1, 9, 30, 210, 1000),
)  # fmt: skip
"""Sizes that the symbols of one point are drawn from: few different ones, so that they broadcast; and many."""

_ROUNDS = 8


class Values:
    """The values of Dims and conditions at points, by the columns of their symbols."""

    def __init__(self, column: Callable[[str], Column | None], count: int) -> None:
        self._column = column
        self._count = count
        self._monomials: dict[Monomial, Column | None] = {(): (1,) * count}

    def of(self, dim: Dim) -> Column | None:
        """The values of a Dim; None where a symbol has no samples."""
        total: list[int | None] = [0] * self._count
        known = self._monomials
        for monomial, coefficient in dim.terms.items():
            values = known[monomial] if monomial in known else self._product(monomial)
            if values is None:
                return None
            total = [
                None if a is None or b is None else a + coefficient * b for a, b in zip(total, values, strict=True)
            ]
        return total

    def truths(self, condition: Condition) -> Sequence[bool | None] | None:
        """The truth of a condition at the points, None where it cannot be said."""
        if isinstance(condition, Relation):
            lhs, rhs = self.of(condition.lhs), self.of(condition.rhs)
            if lhs is None or rhs is None:
                return None
            return [_compared(a, condition.op, b) for a, b in zip(lhs, rhs, strict=True)]
        parts: list[Sequence[bool | None]] = []
        for part in condition.parts:
            truths = self.truths(part)
            if truths is None:
                return None
            parts.append(truths)
        joined = any if isinstance(condition, AnyOf) else all
        return [None if None in each else joined(each) for each in zip(*parts, strict=True)]

    def _product(self, monomial: Monomial) -> Column | None:
        product: Column | None = (1,) * self._count
        for atom in monomial:
            values = self._atom(atom)
            if values is None:
                product = None
                break
            product = [None if a is None or b is None else a * b for a, b in zip(product, values, strict=True)]
        self._monomials[monomial] = product
        return product

    def _atom(self, atom: Atom) -> Column | None:
        if isinstance(atom, Symbol):
            return self._column(atom.name)
        args: list[Column] = []
        for arg in atom.args:
            values = self.of(arg)
            if values is None:
                return None
            args.append(values)
        return [None if None in each else _applied(atom.op, each) for each in zip(*args, strict=True)]  # type: ignore[arg-type]


class Samples:
    """The sample points of one state of knowledge. `values` reads Dims as they are, `shifted` takes each symbol for
    its excess over its least size."""

    def __init__(self, known: Group, within: tuple[Samples, Sequence[int]] | None = None) -> None:
        """`within`: wider samples, and which of their points to take."""
        self._known = known
        self._within = within
        self.count = POINTS if within is None else len(within[1])
        self._columns: dict[str, Column | None] = {}
        self._conditions: dict[str, list[Condition]] | None = None
        self._contradictory = False
        self.values = Values(self._column, self.count)
        self.shifted = Values(self._excess, self.count)

    def truths(self, condition: Condition) -> frozenset[bool]:
        """The truth values that a condition has at the points."""
        truths = self.values.truths(condition)
        return frozenset(truth for truth in truths or () if truth is not None)

    def case(self, condition: Condition, known: Group) -> Samples:
        """The points at which a condition is true as well; `known` is what is known together with it."""
        truths = self.values.truths(condition) or ()
        return Samples(known, (self, [point for point, truth in enumerate(truths) if truth]))

    def _excess(self, name: str) -> Column | None:
        column, least = self._column(name), self._known.shift(name)
        return column if column is None or not least else [None if x is None else x - least for x in column]

    def _column(self, name: str) -> Column | None:
        if name in self._columns:
            return self._columns[name]
        if self._within is not None:
            wider, points = self._within
            column = wider._column(name)
            self._columns[name] = [column[point] for point in points] if column is not None and points else None
        else:
            names, tied = self._tied(name)
            points = None
            if tied is not None:
                lows = tuple(self._known.low(each) for each in names)
                points = _points(names, tied, lows, tuple(self._known.multiples.get(each, 1) for each in names))
            for place, each in enumerate(names):
                self._columns[each] = None if points is None else [point[place] for point in points]
        return self._columns[name]

    def _tied(self, name: str) -> tuple[tuple[str, ...], tuple[Condition, ...] | None]:
        """The symbols that conditions tie to this one, and the conditions; None where they are too many."""
        by_name = self._by_name()
        if self._contradictory:
            return (name,), None
        names, left, tied = {name: None}, [name], dict[Condition, None]()
        while left:
            for condition in by_name.get(left.pop(), ()):
                if condition not in tied:
                    tied[condition] = None
                    fresh = [each for each in condition.symbols() if each not in names]
                    names.update(dict.fromkeys(fresh))
                    left += fresh
                    if len(tied) > MAX_TIED:
                        return (name,), None
        return tuple(sorted(names)), tuple(tied)

    def _by_name(self) -> Mapping[str, list[Condition]]:
        if self._conditions is None:
            self._conditions = {}
            for condition in self._known.admitted():
                symbols = condition.symbols()
                self._contradictory |= not symbols and not condition.holds_at({})
                for name in symbols:
                    self._conditions.setdefault(name, []).append(condition)
        return self._conditions


def of(known: Group) -> Samples:
    """The samples of a state of knowledge, made once."""
    samples: Samples | None = known.cache.get(Samples)
    if samples is None:
        samples = known.cache[Samples] = Samples(known)
    return samples


@lru_cache(maxsize=1024)
def _points(
    names: tuple[str, ...], tied: tuple[Condition, ...], lows: tuple[int | None, ...], multiples: tuple[int, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """Points that meet the conditions and bounds, one repeated where there are fewer than wanted; None for none."""
    found: dict[tuple[int, ...], None] = {}
    tests = [compiled(condition) for condition in tied]
    seeds = [crc32(name.encode("utf-8", "surrogatepass")) for name in names]
    for turn in range(len(_PATTERNS) * (_ROUNDS if tied else 1)):
        point = tuple(_size(seed, turn, low, by) for seed, low, by in zip(seeds, lows, multiples, strict=True))
        sizes = dict(zip(names, point, strict=True))
        if point not in found and all(test(sizes) for test in tests):
            found[point] = None
            if len(found) == POINTS:
                break
    if not found:
        least = {name: low or 0 for name, low in zip(names, lows, strict=True)}
        sizes = witness.find(tied, least, {})
        if sizes is None or any(sizes[name] % by for name, by in zip(names, multiples, strict=True)):
            return None
        found[tuple(sizes[name] for name in names)] = None
    points = list(found)
    return tuple(points[turn % len(points)] for turn in range(POINTS))


def _size(seed: int, turn: int, low: int | None, by: int) -> int:
    """A size for a symbol: at least `low` (of any sign where there is none), a multiple of `by`."""
    draw = (seed ^ turn * 0x9E3779B1) * 0x85EBCA6B >> 11 & 0xFFFFFFFF
    pattern = _PATTERNS[turn % len(_PATTERNS)]
    size = pattern[draw % len(pattern)] * by
    if low is None:
        return -size if draw >> 16 & 1 else size
    return size if size >= low else size + -(-low // by) * by


def _compared(lhs: int | None, op: str, rhs: int | None) -> bool | None:
    if lhs is None or rhs is None:
        return None
    if op == "==":
        return lhs == rhs
    if op == "!=":
        return lhs != rhs
    return lhs <= rhs if op == "<=" else lhs < rhs


def _applied(op: str, values: Sequence[int]) -> int | None:
    if op == "max":
        return max(values)
    if op == "min":
        return min(values)
    if op == "broadcast":
        sizes = set(values) - {1}
        return None if len(sizes) > 1 else next(iter(sizes), 1)
    if values[1] == 0:
        return None
    return values[0] // values[1] if op == "floordiv" else values[0] % values[1]


def assume(condition: Condition, known: Group) -> Group:
    """`known` with a condition taken as true for a while: its samples are those of `known` at which it is."""
    case: Group | None = known.cache.get((assume, condition))
    if case is None:
        case = replace(known.learn(condition))
        case.cache[Samples] = of(known).case(condition, case)
        known.remember((assume, condition), case)
    return case
