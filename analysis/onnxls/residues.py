"""Proofs by remainders: identities and divisibilities of quasi-polynomials, decided on one period.

A Dim of symbols, products and floor divisions or remainders by positive integers is, on each class of its symbols
modulo a period, a polynomial; so finitely many values prove or refute what is asked. Dims with max, min, broadcast
or symbolic divisors, and periods that would take too many values, give None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import product
from math import gcd, lcm

from onnxls.dims import Atom, Dim, Op
from onnxls.groups import Group

MAX_POINTS = 3000


def is_identically_zero(dim: Dim) -> bool | None:
    """True: the Dim is 0 for all integers; False: it is not; None: not of the kind, or too many points."""
    periods = _periods(dim)
    if periods is None:
        return None
    names = sorted(periods)
    degrees = {name: _degree(dim, name) for name in names}
    ranges = [range(periods[name] * (degrees[name] + 1)) for name in names]
    if _count(ranges) > MAX_POINTS:
        return None
    return all(dim.evaluate(dict(zip(names, point, strict=True))) == 0 for point in product(*ranges))


def is_multiple(dim: Dim, divisor: int, known: Group) -> bool | None:
    """True: the positive divisor divides the Dim at all admitted sizes; False: at none; None: neither is proved."""
    common = reduce(gcd, (c * _known_factor(monomial, known) for monomial, c in dim.terms.items() if monomial), divisor)
    if dim.terms.get((), 0) % common:
        return False
    if common == divisor:
        return True
    seen: set[bool] = set()
    for value in _classes(dim, divisor, known):
        if value is None:
            return None
        seen.add(value % divisor == 0)
        if len(seen) > 1:
            return None
    return seen.pop() if len(seen) == 1 else None


def never_zero(dim: Dim, known: Group) -> bool:
    """Whether remainders alone show that the Dim is not 0."""
    common = reduce(gcd, (c * _known_factor(monomial, known) for monomial, c in dim.terms.items() if monomial), 0)
    return common > 1 and dim.terms.get((), 0) % common != 0


def _known_factor(monomial: tuple[Atom, ...], known: Group) -> int:
    factor = 1
    for atom in monomial:
        if not isinstance(atom, Op):
            factor *= known.multiples.get(atom.name, 1)
    return factor


def _classes(dim: Dim, divisor: int, known: Group) -> Iterator[int | None]:
    """A value of the Dim for each class of its symbols that the assumptions admit; None once it cannot be done."""
    periods = _periods(dim)
    if periods is None or any(_degree_inside(dim, name) > 1 for name in periods):
        yield None
        return
    names = sorted(periods)
    ranges: list[range] = []
    for name in names:
        step = known.multiples.get(name, 1)
        ranges.append(range(0, lcm(periods[name] * divisor, step), step))
    if _count(ranges) > MAX_POINTS:
        yield None
        return
    for point in product(*ranges):
        yield dim.evaluate(dict(zip(names, point, strict=True)))


def _count(ranges: Iterable[range]) -> int:
    count = 1
    for each in ranges:
        count *= max(-(-(each.stop - each.start) // each.step), 1)  # len() of a large range overflows
    return count


def _periods(dim: Dim) -> Mapping[str, int] | None:
    """For each symbol a period, such that the Dim is a polynomial on each class."""
    periods: dict[str, int] = {}
    for monomial in dim.terms:
        for atom in monomial:
            inner = _atom_periods(atom)
            if inner is None:
                return None
            for name, period in inner.items():
                periods[name] = lcm(period, periods.get(name, 1))
    return periods


def _atom_periods(atom: Atom) -> Mapping[str, int] | None:
    if not isinstance(atom, Op):
        return {atom.name: 1}
    by = atom.args[1].const if atom.op in ("floordiv", "mod") else None
    if by is None or by <= 0:
        return None
    inner = _periods(atom.args[0])
    return None if inner is None else {name: period * by for name, period in inner.items()}


def _degree(dim: Dim, name: str) -> int:
    return max((sum(_atom_degree(atom, name) for atom in monomial) for monomial in dim.terms), default=0)


def _atom_degree(atom: Atom, name: str) -> int:
    if not isinstance(atom, Op):
        return int(atom.name == name)
    return _degree(atom.args[0], name)


def _degree_inside(dim: Dim, name: str) -> int:
    """The greatest degree of the symbol inside a division or remainder."""
    ops = (atom for monomial in dim.terms for atom in monomial if isinstance(atom, Op))
    return max((_degree(atom.args[0], name) for atom in ops), default=0)
