"""What conditions say is equal where no symbol can be solved for: `(n + 7)//8` where that is `4*((n + 31)//32)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from onnxls.dims import Atom, Dim, Op, ordered
from onnxls.groups import Group
from onnxls.relations import Relation, quotient, remainder_of

MAX_PASSES = 8
MAX_SIZE = 200
"""Terms and atoms of a Dim in which nothing more is replaced."""


def replaced(dim: Dim, known: Group) -> Dim:
    """The Dim with operations, outermost ones, in the form that known equalities give them."""
    values = _values(known)
    for _ in range(min(len(values), MAX_PASSES)):
        if dim.size > MAX_SIZE or not any(atom in values for monomial in dim.terms for atom in monomial):
            break
        dim = dim.map_atoms(lambda atom: values[atom] if atom in values else Dim({(atom,): 1}))
    return dim


def _values(known: Group) -> Mapping[Atom, Dim]:
    """Operations and what they equal, in other operations and symbols."""
    values: dict[Atom, Dim] | None = known.cache.get(_values)
    if values is None:
        values = {}
        for each in known.conditions:
            if isinstance(each, Relation) and each.op == "==":
                for atom, value in _solved(each.lhs - each.rhs):
                    values.setdefault(atom, value)
        known.cache[_values] = values
    return values


def _solved(difference: Dim) -> Iterator[tuple[Op, Dim]]:
    """What follows from `difference == 0` for operations in it.

    A quotient c that an integer k divides is k*((c + k - 1)//k), and c//k is that without the factor. Else it is the
    last operation, in the order of terms, that stands alone with factor 1 or -1.
    """
    divided = remainder_of(difference)
    if divided is not None:
        dividend, divisor = divided
        inner, by = quotient(dividend), divisor.const
        if inner is not None and by is not None and by > 0:
            whole = (dividend + (by - 1)) // by
            yield inner, by * whole
            lower = quotient(dividend // by)
            if lower is not None:
                yield lower, whole
        return
    for monomial, coefficient in reversed(ordered(difference.terms)):
        if len(monomial) == 1 and abs(coefficient) == 1:
            atom = monomial[0]
            rest = difference - Dim({monomial: coefficient})
            if isinstance(atom, Op) and not any(atom in other for other in rest.terms):
                yield atom, -rest if coefficient == 1 else rest
                return
