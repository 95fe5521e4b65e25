"""Intervals that hold a size at all admitted values of its symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.dims.atoms import Monomial, Operation
    from onnxls.dims.polynomial import Dim

Range = tuple[int | None, int | None]
"""An inclusive interval; None is infinity."""


def op_range(op: Operation, args: tuple[Dim, ...]) -> Range:
    """The interval of an operation on Dims, wherever it is defined."""
    if op == "floordiv":
        return _floordiv_range(args[0].range, args[1])
    if op == "mod":
        low, high = args[1].range
        return (0, None if high is None else max(high - 1, 0)) if low is not None and low >= 0 else (None, None)
    lows, highs = [arg.range[0] for arg in args], [arg.range[1] for arg in args]
    some_lows, some_highs = [x for x in lows if x is not None], [x for x in highs if x is not None]
    all_low = min(some_lows) if len(some_lows) == len(args) else None
    all_high = max(some_highs) if len(some_highs) == len(args) else None
    if op == "max":
        return max(some_lows, default=None), all_high
    if op == "min":
        return all_low, min(some_highs, default=None)
    return all_low, all_high


def _floordiv_range(dividend: Range, divisor: Dim) -> Range:
    low, high = dividend
    by = divisor.const
    if by is not None and by > 0:
        return (None if low is None else low // by), (None if high is None else high // by)
    least = divisor.range[0]
    if low is None or low < 0 or least is None or least < 0:
        return None, None
    return 0, (None if high is None else high // max(least, 1))


def polynomial_range(terms: Mapping[Monomial, int]) -> Range:
    """The interval of a sum of terms."""
    low: int | None = 0
    high: int | None = 0
    for monomial, coefficient in terms.items():
        least, most = _monomial_range(monomial)
        if coefficient < 0:
            least, most = most, least
        low = None if low is None or least is None else low + coefficient * least
        high = None if high is None or most is None else high + coefficient * most
    return low, high


def _monomial_range(monomial: Monomial) -> Range:
    low, high = 1, 1
    for atom in monomial:
        least, most = atom.range
        if least is None or least < 0:
            return (None, None) if len(monomial) > 1 else (least, most)
        low *= least
        high = None if most is None or high is None else high * most
    return low, high
