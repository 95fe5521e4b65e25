"""Range. Its length is a division, which runtimes do in floating point for floats: it is only as sure as that."""

from __future__ import annotations

import struct
from dataclasses import replace
from math import ceil

from onnxls.dims import ZERO, Dim, ceildiv, maximum
from onnxls.facts import (
    BFLOAT16,
    FLOAT,
    FLOAT16,
    FLOAT_TYPES,
    INTEGER_TYPES,
    MAX_ELEMENTS,
    Element,
    Fact,
    Ratio,
    ratio,
    tensor,
)
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.relations import Condition, at_most
from onnxls.rules import rule

RANGE_OPERAND = rule(
    "range-operand-not-scalar",
    "OLS364",
    "error",
    """
    A bound or step of Range does not hold exactly one element.

    `Range` counts from one number to another; start, limit and delta are scalars. (Runtimes also take a vector of
    one element, as a `Gather` with a vector of indices makes it; onnxls says nothing about those.)

    ```onnx
    g (float[B, T] x) => (int64[M] y) <int64 zero = {0}, int64 one = {1}> {
      s = Shape (x)
      # error: [range-operand-not-scalar]
      y = Range (zero, s, one)
    }
    ```

    Pick the element that is meant (`Gather` with a scalar index), or `Squeeze` the operand.
    """,
)
RANGE_ZERO_STEP = rule(
    "range-zero-step",
    "OLS365",
    "error",
    """
    The step of Range is 0.

    A range with step 0 never reaches its limit; its length is a division by zero, and runtimes refuse it. The step
    of 0 often comes from a fraction that was cast to an integer.

    ```onnx
    g (int64 limit) => (int64[M] y) <int64 zero = {0}> {
      # error: [range-zero-step]
      y = Range (zero, limit, zero)
    }
    ```
    """,
)


@op("Range", since=11)
def range_(ctx: OpContext) -> Fact:
    """ONNX Range-11, 27: start, start + delta, … while before the limit."""
    for index, what in enumerate(("start", "limit", "step")):
        _require_one_element(ctx, index, what)
    operands = [_only(ctx.input(index)) for index in range(3)]
    start, limit, delta = operands
    if delta is not None:
        ctx.require_nonzero(delta.dividend if isinstance(delta, Ratio) else delta, RANGE_ZERO_STEP, "the step {2} is 0")
    known = [operand for operand in operands if operand is not None]
    if len(known) < 3 or delta is None or start is None or limit is None or _plain(delta) == 0:
        return tensor(ctx.fresh())
    dtype = next((fact.dtype for fact in ctx.present() if fact.dtype is not None), None)
    if dtype in FLOAT_TYPES or dtype is None:
        count = _float_count(dtype, start, limit, delta)
    elif isinstance(start, Dim) and isinstance(limit, Dim) and isinstance(delta, Dim):
        count = ceildiv(limit - start, delta)
    else:
        count = None
    if count is None:
        return tensor(ctx.fresh())
    count = _clamped(ctx, count, start, limit, delta)
    made = tensor(count, elements=_progression(start, delta, count.const))
    return replace(made, reach=_reach(start, delta, count)) if dtype in INTEGER_TYPES else made


def _reach(start: Element, delta: Element, count: Dim) -> tuple[Dim, Dim] | None:
    """The least and the greatest element, where the sign of the step is known."""
    if isinstance(start, Ratio) or isinstance(delta, Ratio):
        return None
    low, high = delta.range
    last = start + (count - 1) * delta
    if low is not None and low > 0:
        return start, last
    return (last, start) if high is not None and high < 0 else None


def _require_one_element(ctx: OpContext, index: int, what: str) -> None:
    dims = ctx.input(index).shape
    if dims is None:
        return
    if len(dims) == 1:
        text = f"the {what} {{{index}}} has {{lhs}} elements; it must be a scalar"
        ctx.require_equal(dims[0], 1, RANGE_OPERAND, text)
    elif dims:
        ctx.reject(RANGE_OPERAND, f"the {what} {{{index}}} has rank {len(dims)}; it must be a scalar")


def _only(fact: Fact) -> Element | None:
    return fact.elements[0] if fact.elements is not None and len(fact.elements) == 1 else None


def _clamped(ctx: OpContext, count: Dim, start: Element, limit: Element, delta: Element) -> Dim:
    """max(0, count), or the side of it that is known or hinted."""
    clamped = maximum(ZERO, count)
    if clamped in (count, ZERO):
        return clamped
    way = ctx.branch(_not_backwards(count, start, limit, delta))
    return clamped if way is None else count if way else ZERO


def _not_backwards(count: Dim, start: Element, limit: Element, delta: Element) -> Condition:
    """count >= 0, as a condition on start and limit where the sign of the step is known."""
    if isinstance(start, Ratio) or isinstance(limit, Ratio):
        return at_most(0, count)
    low, high = (delta.dividend if isinstance(delta, Ratio) else delta).range
    if low is not None and low > 0:
        return at_most(start, limit)
    if high is not None and high < 0:
        return at_most(limit, start)
    return at_most(0, count)


def _progression(start: Element, delta: Element, count: int | None) -> list[Element] | None:
    """The elements of a short range; None where rounding might show in them."""
    if count is None or count > MAX_ELEMENTS:
        return None
    (a, p), (b, q) = _fraction(start), _fraction(delta)
    if p > EXACT_FRACTION or q > EXACT_FRACTION:
        return None
    return [ratio(a * q + b * p * i, p * q) for i in range(count)]


EXACT_FRACTION = 16
"""Up to this denominator, sums and quotients of numbers of everyday size round to the right length in a float."""


def _float_count(dtype: int | None, start: Element, limit: Element, delta: Element) -> Dim | None:
    """The length of a range of floats, before it is clamped; None where it depends on how a runtime rounds."""
    numbers = [_plain(each) for each in (start, limit, delta)]
    if dtype is not None and all(number is not None for number in numbers):
        begin, end, step = (number for number in numbers if number is not None)
        return _rounded_count(dtype, begin, end, step)
    (a, p), (b, q), (c, r) = _fraction(start), _fraction(limit), _fraction(delta)
    if dtype in (FLOAT16, BFLOAT16) or max(p, q, r) > EXACT_FRACTION:
        return None
    return ceildiv((b * p - a * q) * r, c * (p * q))


def _rounded_count(dtype: int, start: float, limit: float, delta: float) -> Dim | None:
    """The length as onnxruntime computes it (the quotient in double precision), where numpy's is the same."""
    span = _held(limit - start, dtype)
    quotient = span / delta
    rounded = _held(quotient, dtype)
    if not abs(rounded) < 2**53 or ceil(quotient) != ceil(rounded):
        return None
    return Dim.of(ceil(quotient))


def _fraction(element: Element) -> tuple[Dim, int]:
    return (element.dividend, element.divisor) if isinstance(element, Ratio) else (element, 1)


def _plain(element: Element) -> float | None:
    """A constant element as a number."""
    dividend, divisor = _fraction(element)
    if dividend.const is None:
        return None
    try:
        return dividend.const / divisor
    except OverflowError:
        return None


def _held(value: float, dtype: int) -> float:
    """The number as a floating-point type holds it; infinite where it is out of range."""
    try:
        if dtype == BFLOAT16:
            bits = int(struct.unpack("<I", struct.pack("<f", value))[0])
            bits += 0x7FFF + (bits >> 16 & 1)
            return float(struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0])
        form = {FLOAT: "f", FLOAT16: "e"}.get(dtype, "d")
        return float(struct.unpack(form, struct.pack(form, value))[0])
    except (OverflowError, struct.error):
        return float("inf")
