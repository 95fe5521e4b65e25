"""Proofs that a Dim is never negative: exact integers, a budget, no search.

Symbols are shifted by their lower bounds, so that all are >= 0 and a polynomial without negative coefficients is at
least its constant. Negative terms are traded against known inequalities; max, min and broadcast are split into their
cases; floor divisions are replaced by the rational bounds of their sign.
"""

from __future__ import annotations

from onnxls import samples
from onnxls.dims import Atom, Dim, Monomial, Op, apply, ordered
from onnxls.groups import Group

MAX_WORK = 1500
"""Terms and atoms that one proof may touch."""
MAX_SIZE = 90
"""Larger Dims are judged by their interval alone: what is to be proved of them is not worth the time."""
Points = tuple[int, ...]
"""The sample points at which the known inequalities of a proof hold."""
MAX_DEPTH = 7
MAX_KNOWN = 24


def is_nonnegative(dim: Dim, known: Group) -> bool:
    """Whether the Dim is proved to be >= 0 under the assumptions. The Dim is rewritten already."""
    low = dim.range[0]
    if low is not None and low >= 0:
        return True
    if dim.const is not None or dim.size > MAX_SIZE:
        return False
    if any(value is not None and value < 0 for value in samples.of(known).values.of(dim) or ()):
        return False
    return _Proof(dim, known).run() or _multiplied_back(dim, known)


def _multiplied_back(dim: Dim, known: Group) -> bool:
    """The same with b*(a//b) bounded by a, for divisors that are symbols: done before symbols are shifted."""
    for monomial, coefficient in ordered(dim.terms):
        for atom in monomial if coefficient < 0 else ():
            if isinstance(atom, Op) and atom.op == "floordiv" and atom.args[1].as_symbol in monomial:
                bounded = _bounded(dim, monomial, coefficient, atom, _without(monomial, atom))
                if bounded is not None:
                    return is_nonnegative(bounded, known)
    return False


def is_zero(dim: Dim, known: Group) -> bool:
    """Whether the Dim is proved to be 0, by being neither negative nor positive."""
    return is_nonnegative(dim, known) and is_nonnegative(-dim, known)


class _Proof:
    """One proof attempt. All Dims in it are shifted."""

    def __init__(self, dim: Dim, known: Group) -> None:
        self.work = 0
        points = samples.of(known)
        self.values, self.points = points.shifted, tuple(range(points.count))
        self.goal = _shifted(dim, known)
        self.known = [_shifted(each, known) for each in _relevant(dim, known)]

    def run(self) -> bool:
        return self.prove(self.goal, tuple(self.known), self.points, 0)

    def prove(self, dim: Dim, known: tuple[Dim, ...], points: Points, depth: int) -> bool:
        low = dim.range[0]
        if low is not None and low >= 0:
            return True
        if dim.const is not None or depth > MAX_DEPTH or self.work > MAX_WORK:
            return False
        high = dim.range[1]
        if high is not None and high < 0:
            return False
        values = self.values.of(dim)
        if values is not None and any((values[point] or 0) < 0 for point in points):
            return False
        self.work += dim.size
        return (
            self.by_known(dim, known, points, depth)
            or self.by_cases(dim, known, points, depth)
            or self.by_division(dim, known, points, depth)
        )

    def by_known(self, dim: Dim, known: tuple[Dim, ...], points: Points, depth: int) -> bool:
        """Takes away a multiple of a known inequality, so that a negative term vanishes."""
        for monomial, coefficient in ordered(dim.terms):
            if coefficient > 0 or not monomial:
                continue
            for each in known:
                self.work += len(each.terms)
                if self.work > MAX_WORK:
                    return False
                for factor, rest in _factors(monomial):
                    have = each.terms.get(factor, 0)
                    if have >= 0 or (rest and Dim({rest: 1}).range[0] is None):
                        continue
                    traded = coefficient * each * Dim({rest: 1}) - have * dim
                    if self.prove(traded, known, points, depth + 1):
                        return True
        return self.by_negative_constant(dim, known, points, depth)

    def by_negative_constant(self, dim: Dim, known: tuple[Dim, ...], points: Points, depth: int) -> bool:
        """Where only the constant is negative: an inequality whose terms are all here pays for it."""
        if dim.terms.get((), 0) >= 0:
            return False
        for each in known:
            covered = each.terms.get((), 0) < 0 and all(
                dim.terms.get(monomial, 0) >= coefficient for monomial, coefficient in each.terms.items() if monomial
            )
            if covered and self.prove(dim - each, known, points, depth + 1):
                return True
        return False

    def by_cases(self, dim: Dim, known: tuple[Dim, ...], points: Points, depth: int) -> bool:
        """max, min and broadcast are one of their arguments."""
        atom = _first(dim, ("max", "min", "broadcast"))
        if atom is None:
            return False
        for arg in atom.args:
            facts, there = known, points
            if atom.op != "broadcast":
                for other in atom.args:
                    if other is not arg:
                        greater = arg - other if atom.op == "max" else other - arg
                        facts = (*facts, greater)
                        values = self.values.of(greater)
                        there = () if values is None else tuple(p for p in there if (values[p] or 0) >= 0)
            if not self.prove(_substitute(dim, atom, arg), facts[-MAX_KNOWN:], there, depth + 1):
                return False
        return True

    def by_division(self, dim: Dim, known: tuple[Dim, ...], points: Points, depth: int) -> bool:
        """a//b lies between (a - b + 1)/b and a/b; a % b between 0 and b - 1."""
        for monomial, coefficient in ordered(dim.terms):
            for atom in monomial:
                if not isinstance(atom, Op) or atom.op not in ("floordiv", "mod"):
                    continue
                rest = _without(monomial, atom)
                if rest and Dim({rest: 1}).range[0] is None:
                    continue
                bounded = _bounded(dim, monomial, coefficient, atom, rest)
                if bounded is not None and self.prove(bounded, known, points, depth + 1):
                    return True
        return False


def _shifted(dim: Dim, known: Group) -> Dim:
    """The Dim over the excess of each symbol over its least size."""
    key = (_shifted, dim)
    shifted: Dim | None = known.cache.get(key)
    if shifted is None:
        leasts = {name: known.shift(name) for name in dim.symbols()}
        shifted = dim.replace({name: Dim.symbol(name) + least for name, least in leasts.items() if least})
        known.remember(key, shifted)
    return shifted


def _bounded(dim: Dim, monomial: Monomial, coefficient: int, atom: Op, rest: Monomial) -> Dim | None:
    """A Dim without one division; where it is >= 0, so is `dim`.

    b times `dim` is at least what has b*(a//b) at its bound instead; and an integer above -1 is >= 0, so that b - 1 may
    be added to that.
    """
    dividend, divisor = atom.args
    by = divisor.const
    others = dim - Dim({monomial: coefficient})
    factor = Dim({rest: coefficient})
    if by is None:
        low = dividend.range[0]
        least = divisor.range[0]
        if coefficient > 0 or low is None or low < 0 or least is None or least < 0:
            return None
        symbol = divisor.as_symbol
        if atom.op == "floordiv" and symbol is not None and symbol in rest:
            return others + Dim({_without(rest, symbol): coefficient}) * dividend
        return others + factor * (dividend if atom.op == "floordiv" else divisor - 1)
    if by <= 0:
        return None
    if atom.op == "mod":
        return others + factor * (dividend - by * (dividend // by))
    return others * by + factor * (dividend if coefficient < 0 else dividend - (by - 1)) + (by - 1)


def _relevant(dim: Dim, known: Group) -> list[Dim]:
    """The known inequalities that share symbols with the Dim, directly or through each other."""
    names: set[str] = set(dim.symbols())
    found: list[Dim] = []
    left: list[Dim] = [each for each in known.nonnegative if each.size <= MAX_SIZE]
    grown = True
    while grown and len(found) < MAX_KNOWN:
        grown = False
        rest: list[Dim] = []
        for each in left:
            if names.isdisjoint(each.symbols()):
                rest.append(each)
            else:
                names |= each.symbols()
                found.append(each)
                grown = True
        left = rest
    return found[:MAX_KNOWN]


def _factors(monomial: Monomial) -> list[tuple[Monomial, Monomial]]:
    """Ways to write a monomial as an outer and a left-over factor: the whole, and each atom alone."""
    ways: list[tuple[Monomial, Monomial]] = [(monomial, ())]
    if len(monomial) > 1:
        ways += [((atom,), _without(monomial, atom)) for atom in dict.fromkeys(monomial)]
        ways += [(_without(monomial, atom), (atom,)) for atom in dict.fromkeys(monomial) if len(monomial) > 2]
    return ways


def _first(dim: Dim, ops: tuple[str, ...]) -> Op | None:
    for monomial, _ in ordered(dim.terms):
        for atom in monomial:
            if isinstance(atom, Op):
                if atom.op in ops:
                    return atom
                for arg in atom.args:
                    inner = _first(arg, ops)
                    if inner is not None:
                        return inner
    return None


def _substitute(dim: Dim, atom: Op, value: Dim) -> Dim:
    def change(each: Atom) -> Dim:
        if each == atom:
            return value
        if isinstance(each, Op):
            return apply(each.op, *(arg.map_atoms(change) for arg in each.args))
        return Dim({(each,): 1})

    return dim.map_atoms(change)


def _without(monomial: Monomial, atom: Atom) -> Monomial:
    left = list(monomial)
    left.remove(atom)
    return tuple(left)
