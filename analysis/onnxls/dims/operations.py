"""max, min and broadcast in normal form, and operations by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from math import gcd
from typing import Literal

from onnxls.dims.atoms import Operation
from onnxls.dims.division import floordiv, mod, never_zero
from onnxls.dims.polynomial import ONE, Dim, atom_dim, single_op


def apply(op: Operation, *args: Dim) -> Dim:
    """The operation in normal form."""
    if op == "floordiv":
        return floordiv(*args)
    if op == "mod":
        return mod(*args)
    if op == "broadcast":
        return broadcast(*args)
    return _extremum(op, args)


def maximum(*args: Dim) -> Dim:
    """The greatest of the arguments."""
    return _extremum("max", args)


def minimum(*args: Dim) -> Dim:
    """The least of the arguments."""
    return _extremum("min", args)


def _extremum(op: Literal["max", "min"], args: tuple[Dim, ...]) -> Dim:
    """max or min: flat, without repeated or dominated arguments, common terms pulled out."""
    flat: dict[Dim, None] = {}
    for arg in args:
        inner = single_op(arg, op)
        for each in inner.args if inner else (arg,):
            flat[each] = None
    kept = [arg for arg in flat if not any(_dominated(op, arg, other, flat) for other in flat if other is not arg)]
    if len(kept) == 1:
        return kept[0]
    common = {
        monomial: coefficient
        for monomial, coefficient in kept[0].terms.items()
        if all(arg.terms.get(monomial) == coefficient for arg in kept)
    }
    if common:
        shared = Dim(common)
        return shared + _extremum(op, tuple(arg - shared for arg in kept))
    factor = reduce(gcd, (coefficient for arg in kept for coefficient in arg.terms.values()), 0)
    if factor > 1:
        return factor * _extremum(op, tuple(Dim({m: c // factor for m, c in arg.terms.items()}) for arg in kept))
    kept.sort(key=_argument_key)
    return atom_dim(op, *kept)


def _argument_key(arg: Dim) -> tuple[bool, str]:
    return arg.const is not None, str(arg)


def _dominated(op: Literal["max", "min"], arg: Dim, other: Dim, among: Mapping[Dim, None]) -> bool:
    """Whether `other` makes `arg` superfluous. Of two that are always equal the first stays."""
    low, high = (other - arg).range
    if op == "min":
        low, high = (None if high is None else -high), (None if low is None else -low)
    if low is None or low < 0:
        return False
    return high != 0 or low != 0 or next(each for each in among if each in (arg, other)) is other


def broadcast(*args: Dim) -> Dim:
    """The one size that the arguments broadcast to: their size other than 1. Defined where they agree or are 1."""
    flat: dict[Dim, None] = {}
    for arg in args:
        inner = single_op(arg, "broadcast")
        for each in inner.args if inner else (arg,):
            if each.const != 1:
                flat[each] = None
    if not flat:
        return ONE
    if len(flat) == 1:
        return next(iter(flat))
    settled = [arg for arg in flat if never_zero(arg - 1)]
    if settled:
        return min(settled, key=_broadcast_key)
    return atom_dim("broadcast", *sorted(flat, key=_argument_key))


def broadcast_arms(dim: Dim) -> tuple[Dim, ...]:
    """The sizes that a size is broadcast from: itself where it is no broadcast."""
    op = single_op(dim, "broadcast")
    return op.args if op is not None else (dim,)


def _broadcast_key(arg: Dim) -> tuple[bool, int, str]:
    return arg.const is None, arg.size, str(arg)
