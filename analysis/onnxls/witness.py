"""Finds sizes: the smallest, by greatest size, that meet a list of conditions. A search proves nothing by failing.

Symbols get candidate sizes (small ones, and those that the constants of the conditions suggest); an equality whose one
open symbol is in one place is solved. Conditions are compiled, so that a try costs about a microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import isqrt

from onnxls.dims import Atom, Dim, Op, Symbol, broadcast_values
from onnxls.relations import AllOf, AnyOf, Condition, Relation, dims, relations

MAX_TRIES = 6000
MAX_WORK = 200_000
"""Terms and atoms of the conditions that one search may test."""
MAX_CANDIDATES = 28
MAX_EDGES = 12
"""Of the sizes at which a condition turns."""
MOST = MAX_CANDIDATES + MAX_EDGES
MAX_ORDERED = 400_000
"""Squared symbols times conditions: with more, nothing is searched."""
MAX_CANDIDATE = 1 << 40
MAX_DIAGONAL = 1 << 20
"""Sizes that all symbols are given at once."""
MAX_DEPTH = 5
"""Operations inside one another that are inverted."""

LIMITS = (3, 6, 12)
"""Candidates of each symbol that the first runs take."""
CEILINGS = (64, 256, 1024)
"""The greatest size of the runs after them."""

Test = Callable[[Mapping[str, int]], bool]


def find(conditions: Sequence[Condition], lows: Mapping[str, int], order: Mapping[str, int]) -> dict[str, int] | None:
    """Sizes for all symbols of `lows` (their least admitted sizes) that meet all conditions, or None.

    Conditions with a symbol that `lows` lacks must not be given.
    """
    flat = [
        part for condition in conditions for part in (condition.parts if isinstance(condition, AllOf) else (condition,))
    ]
    if not is_searched(len(lows), len(flat)):
        return None
    names = _by_constraint(flat, lows, order)
    search = _Search(flat, names, _candidates(flat, names, lows), lows)
    for limit, most in search.passes():
        found = search.run(limit, most)
        if found is not None:
            return {name: found[name] for name in sorted(found, key=lambda name: (order.get(name, 0), name))}
        if search.is_spent or not names:
            break
    return None


def is_searched(symbols: int, conditions: int) -> bool:
    """Whether so many conditions on so many symbols are searched at all."""
    return symbols**2 * conditions <= MAX_ORDERED


class _Search:
    """Depth-first over symbols; a condition is tested as soon as its last symbol has a size."""

    def __init__(
        self,
        conditions: Sequence[Condition],
        names: list[str],
        candidates: Mapping[str, list[int]],
        lows: Mapping[str, int],
    ) -> None:
        self.names = names
        self.candidates = candidates
        self.lows = lows
        self.tries = self.work = 0
        self.most: int | None = None
        rank = {name: i for i, name in enumerate(names)}
        self.tests: list[list[tuple[Test, int]]] = [[] for _ in range(len(names) + 1)]
        self.solvers: list[list[tuple[Dim, Atom]]] = [[] for _ in range(len(names) + 1)]
        for condition in conditions:
            last = max((rank[name] for name in condition.symbols()), default=-1) + 1
            self.tests[last].append((compiled(condition), sum(dim.size for dim in dims(condition))))
            if isinstance(condition, Relation) and condition.op == "==" and last:
                difference = condition.lhs - condition.rhs
                atom = _lone_atom(difference, names[last - 1])
                if atom is not None and _is_staircase(atom):
                    self.solvers[last].append((difference, atom))

    @property
    def is_spent(self) -> bool:
        """Whether the search is at its end."""
        return self.tries > MAX_TRIES or self.work > MAX_WORK

    def meets(self, sizes: Mapping[str, int], tests: Iterable[tuple[Test, int]]) -> bool:
        """Whether sizes pass the tests."""
        for test, work in tests:
            self.work += work
            if not test(sizes):
                return False
        return True

    def passes(self) -> Iterable[tuple[int, int | None]]:
        """How many candidates each run takes, and the greatest size it tries; None for any."""
        for limit in LIMITS:
            yield limit, max((sizes[:limit][-1] for sizes in self.candidates.values()), default=0)
        if any(self.solvers):
            greatest = max((sizes[-1] for sizes in self.candidates.values()), default=0)
            yield from ((MOST, most) for most in CEILINGS if most < greatest)
        yield MOST, None

    def run(self, limit: int, most: int | None) -> dict[str, int] | None:
        sizes: dict[str, int] = {}
        self.most = most
        if not self.meets(sizes, self.tests[0]):
            return None
        return sizes if self.extend(sizes, 0, limit) else None

    def extend(self, sizes: dict[str, int], depth: int, limit: int) -> bool:
        if depth == len(self.names):
            return True
        name = self.names[depth]
        tests = self.tests[depth + 1]
        for size in self.choices(name, sizes, depth, limit):
            self.tries += 1
            if self.is_spent:
                return False
            sizes[name] = size
            if self.meets(sizes, tests) and self.extend(sizes, depth + 1, limit):
                return True
        sizes.pop(name, None)
        return False

    def choices(self, name: str, sizes: Mapping[str, int], depth: int, limit: int) -> Iterable[int]:
        usual = self.candidates[name][:limit]
        for difference, atom in self.solvers[depth + 1]:
            self.work += difference.size
            value = _solve(difference, atom, sizes)
            if value is None:
                continue
            if not value or isinstance(atom, Symbol):
                return self.admitted(name, value)
            ends = set(_inverse(Dim({(atom,): 1}), *value))
            between = (size for size in usual if min(ends) < size < max(ends))
            return self.admitted(name, sorted({*ends, min(ends) + 1, *between}))
        return self.admitted(name, usual)

    def admitted(self, name: str, sizes: Iterable[int]) -> list[int]:
        """Those of the sizes that a symbol may have in this run."""
        return [size for size in sizes if size >= self.lows[name] and (self.most is None or size <= self.most)]


def _lone_atom(difference: Dim, name: str) -> Atom | None:
    """The atom that a symbol occurs in, where it is one and is in no term twice."""
    found: set[Atom] = set()
    for monomial in difference.terms:
        within = [atom for atom in monomial if name in atom.symbols]
        found.update(within)
        if len(within) > 1 or len(found) > 1:
            return None
    return next(iter(found), None)


def _is_staircase(atom: Atom, depth: int = MAX_DEPTH) -> bool:
    """Whether an atom is made of one symbol by divisions by positive constants, sums and products with constants alone:
    it has a value from one size to another."""
    if isinstance(atom, Symbol):
        return True
    part, _ = atom.args[0].split()
    if atom.op != "floordiv" or (atom.args[1].const or 0) <= 0 or len(part.terms) != 1 or not depth:
        return False
    (monomial,) = part.terms
    return len(monomial) == 1 and _is_staircase(monomial[0], depth - 1)


def _solve(difference: Dim, atom: Atom, sizes: Mapping[str, int]) -> list[int] | None:
    """The values (one or none) of an atom at which a Dim that is linear in it is 0; None where it is at any."""
    slope = constant = 0
    for monomial, coefficient in difference.terms.items():
        rest = [each for each in monomial if each != atom]
        try:
            value = Dim({tuple(rest): coefficient}).evaluate(sizes)
        except ZeroDivisionError:
            return []
        if len(rest) < len(monomial):
            slope += value
        else:
            constant += value
    if slope == 0:
        return None if constant == 0 else []
    return [-constant // slope] if constant % slope == 0 else []


def _by_constraint(conditions: Sequence[Condition], lows: Mapping[str, int], order: Mapping[str, int]) -> list[str]:
    """Symbols so that conditions close early: each next one finishes as many as it can."""
    unranked = [len(condition.symbols()) for condition in conditions]
    touching: dict[str, list[int]] = {name: [] for name in lows}
    for place, condition in enumerate(conditions):
        for name in condition.symbols():
            touching[name].append(place)
    left = sorted(lows, key=lambda name: (order.get(name, 0), name))
    closing = {name: sum(unranked[place] == 1 for place in touching[name]) for name in left}
    heap = [(-closing[name], -len(touching[name]), rank) for rank, name in enumerate(left)]
    ranks = {name: rank for rank, name in enumerate(left)}
    heapify(heap)
    names: list[str] = []
    while heap:
        finished, _, rank = heappop(heap)
        name = left[rank]
        if name not in closing or -finished != closing[name]:
            continue  # chosen already, or it finishes more by now
        names.append(name)
        del closing[name]
        for place in touching[name]:
            unranked[place] -= 1
            if unranked[place] == 1:
                last = next(each for each in conditions[place].symbols() if each in closing)
                closing[last] += 1
                heappush(heap, (-closing[last], -len(touching[last]), ranks[last]))
    return names


def _candidates(conditions: Sequence[Condition], names: Sequence[str], lows: Mapping[str, int]) -> dict[str, list[int]]:
    suggested: set[int] = set()
    edges: dict[str, set[int]] = {name: set() for name in names}
    for condition in conditions:
        for relation in relations(condition):
            difference = relation.lhs - relation.rhs
            for name, size in _turns(difference, relation.op):
                if size <= MAX_CANDIDATE:
                    edges[name].add(size)
        for dim in dims(condition):
            for number in _numbers(dim):
                if number <= MAX_CANDIDATE:
                    suggested.update((number - 1, number, number + 1, 2 * number))
                    suggested.update(_divisors(number))
    made: dict[str, list[int]] = {}
    for name in names:
        low = lows[name]
        sizes = sorted({low + i for i in range(9)} | {size for size in suggested if size >= low})
        if len(sizes) > MAX_CANDIDATES:
            sizes = [*sizes[: MAX_CANDIDATES - 6], *sizes[-6:]]
        made[name] = sorted({*sizes, *sorted(size for size in edges[name] if size >= low)[:MAX_EDGES]})
    return made


@lru_cache(maxsize=4096)
def _turns(difference: Dim, op: str) -> tuple[tuple[str, int], ...]:
    """Sizes of symbols around which a condition on a Dim turns."""
    names = difference.symbols()
    found = [
        (name, size + by) for name in names if len(names) == 1 for size in _inverse(difference, 0) for by in (-1, 0, 1)
    ]
    if op == "==" and len(names) > 1:
        found += _factors(difference)
        found += _diagonal(difference)
    return tuple(found)


def _inverse(dim: Dim, value: int, depth: int = MAX_DEPTH) -> Iterable[int]:
    """Sizes of the symbol of a Dim at the ends of where it has a value; for a Dim of one term and a constant, in which
    no more than `depth` operations are inside one another."""
    part, constant = dim.split()
    if len(part.terms) != 1 or depth < 0:
        return
    (monomial, coefficient), *_ = part.terms.items()
    if len(monomial) != 1:
        return
    (atom,), value = monomial, (value - constant) // coefficient
    if isinstance(atom, Symbol):
        yield value
        return
    by = atom.args[1].const
    if atom.op in ("max", "min"):
        for arg in atom.args:
            yield from _inverse(arg, value, depth - 1)
    elif atom.op in ("floordiv", "mod") and by is not None and by > 0:
        for inner in (value * by, value * by + by - 1) if atom.op == "floordiv" else (value, value + by):
            yield from _inverse(atom.args[0], inner, depth - 1)


def _factors(difference: Dim) -> Iterable[tuple[str, int]]:
    """Least sizes at which the operations in a product that must have a value are factors of it, near to its root."""
    part, constant = difference.split()
    if len(part.terms) != 1:
        return
    (monomial, coefficient), *_ = part.terms.items()
    value, left = divmod(-constant, coefficient)
    if left or not 1 < value <= MAX_CANDIDATE or len(monomial) < 2:
        return
    root = isqrt(value)
    near = [by for by in range(root, max(root - 64, 0), -1) if value % by == 0][:2]
    for atom in monomial:
        if isinstance(atom, Op) and len(atom.symbols) == 1:
            (name,) = atom.symbols
            for factor in {1, *near, *(value // by for by in near)}:
                yield from ((name, size) for size in list(_inverse(Dim({(atom,): 1}), factor))[:1])


def _diagonal(difference: Dim) -> Iterable[tuple[str, int]]:
    """The least size at which a Dim that grows is no longer negative, where all symbols that are divided have it and
    the others are 1: a grid of patches is often square."""
    divided = {
        name for monomial in difference.terms for atom in monomial if isinstance(atom, Op) for name in atom.symbols
    }

    def value(size: int) -> int:
        return difference.evaluate({name: size if name in divided else 1 for name in difference.symbols()})

    low, high = 1, 1
    try:
        sign = 1 if value(1) < 0 else -1
        while sign * value(high) < 0 and high < MAX_DIAGONAL:
            low, high = high, 2 * high
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if sign * value(middle) < 0 else (low, middle)
        if divided and value(high) == 0:
            yield from ((name, high) for name in divided)
    except ZeroDivisionError:
        return


@lru_cache(maxsize=4096)
def _numbers(dim: Dim) -> frozenset[int]:
    """The constants in a Dim, without sign, and the periods of divisions in divisions."""
    found: set[int] = set()
    for monomial, coefficient in dim.terms.items():
        if abs(coefficient) > 1:
            found.add(abs(coefficient))
        for atom in monomial:
            if isinstance(atom, Op):
                found.update(*map(_numbers, atom.args))
                if _period(atom) > 1:
                    found.add(_period(atom))
    return frozenset(found)


@lru_cache(maxsize=4096)
def _period(atom: Op) -> int:
    """The product of the divisors of nested divisions."""
    by = abs(atom.args[1].const or 1) if atom.op in ("floordiv", "mod") else 1
    inner = (each for monomial in atom.args[0].terms for each in monomial if isinstance(each, Op))
    return by * max((_period(each) for each in inner), default=1)


@lru_cache(maxsize=512)
def _divisors(number: int) -> tuple[int, ...]:
    if number > 1 << 20:
        return ()
    small = [by for by in range(2, 65) if number % by == 0]
    return (*small, *(number // by for by in small))


@lru_cache(maxsize=2048)
def compiled(condition: Condition) -> Test:
    """The condition as a function of sizes; false where a side has no value."""
    slots: dict[str, str] = {name: f"s[{name!r}]" for name in condition.symbols()}
    source = f"lambda s: {_condition_source(condition, slots)}"
    try:
        test: Test = eval(source, {"__builtins__": {}, "max": max, "min": min, "broadcast": broadcast_values})
    except (RecursionError, MemoryError, SyntaxError):
        return condition.holds_at

    def guarded(sizes: Mapping[str, int]) -> bool:
        try:
            return test(sizes)
        except ZeroDivisionError:
            return condition.holds_at(sizes)

    return guarded


def _condition_source(condition: Condition, slots: Mapping[str, str]) -> str:
    if isinstance(condition, Relation):
        return f"({_source(condition.lhs, slots)} {condition.op} {_source(condition.rhs, slots)})"
    joiner = " or " if isinstance(condition, AnyOf) else " and "
    if not condition.parts:
        return "True"
    return f"({joiner.join(_condition_source(part, slots) for part in condition.parts)})"


def _source(dim: Dim, slots: Mapping[str, str]) -> str:
    terms: list[str] = []
    for monomial, coefficient in dim.terms.items():
        factors = [str(coefficient)] if coefficient != 1 or not monomial else []
        for atom in monomial:
            if isinstance(atom, Symbol):
                factors.append(slots[atom.name])
                continue
            args = [_source(arg, slots) for arg in atom.args]
            if atom.op == "floordiv":
                factors.append(f"({args[0]}//{args[1]})")
            elif atom.op == "mod":
                factors.append(f"({args[0]}%{args[1]})")
            else:
                factors.append(f"{atom.op}({','.join(args)})")
        terms.append("*".join(factors))
    return f"({'+'.join(terms)})" if terms else "0"
