"""Sizes that are worth trying: a condition turns at few of them, and its constants say where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import isqrt

from onnxls.dims import Dim, Op, Symbol
from onnxls.relations import Condition, dims, relations

MAX_CANDIDATES = 28
MAX_EDGES = 12
"""Of the sizes at which a condition turns."""
MOST = MAX_CANDIDATES + MAX_EDGES
MAX_CANDIDATE = 1 << 40
MAX_DIAGONAL = 1 << 20
"""Sizes that all symbols are given at once."""
MAX_DEPTH = 5
"""Operations inside one another that are inverted."""


def candidates(conditions: Sequence[Condition], names: Sequence[str], lows: Mapping[str, int]) -> dict[str, list[int]]:
    """For each symbol the sizes to try, ascending: small ones, and those that the conditions suggest."""
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
        (name, size + by) for name in names if len(names) == 1 for size in inverse(difference, 0) for by in (-1, 0, 1)
    ]
    if op == "==" and len(names) > 1:
        found += _factors(difference)
        found += _diagonal(difference)
    return tuple(found)


def inverse(dim: Dim, value: int, depth: int = MAX_DEPTH) -> Iterable[int]:
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
            yield from inverse(arg, value, depth - 1)
    elif atom.op in ("floordiv", "mod") and by is not None and by > 0:
        for inner in (value * by, value * by + by - 1) if atom.op == "floordiv" else (value, value + by):
            yield from inverse(atom.args[0], inner, depth - 1)


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
                yield from ((name, size) for size in list(inverse(Dim({(atom,): 1}), factor))[:1])


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
