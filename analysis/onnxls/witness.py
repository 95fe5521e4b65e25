"""Finds sizes: the smallest, by greatest size, that meet a list of conditions. A search proves nothing by failing.

Symbols get candidate sizes; an equality whose one open symbol is in one place is solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from onnxls.candidates import MAX_DEPTH, MOST, candidates, inverse
from onnxls.compiled import Test, compiled
from onnxls.dims import Atom, Dim, Symbol
from onnxls.relations import AllOf, Condition, Relation, dims

MAX_TRIES = 6000
MAX_WORK = 200_000
"""Terms and atoms of the conditions that one search may test."""
MAX_ORDERED = 400_000
"""Squared symbols times conditions: with more, nothing is searched."""

LIMITS = (3, 6, 12)
"""Candidates of each symbol that the first runs take."""
CEILINGS = (64, 256, 1024)
"""The greatest size of the runs after them."""


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
    search = _Search(flat, names, candidates(flat, names, lows), lows)
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
            ends = set(inverse(Dim({(atom,): 1}), *value))
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
