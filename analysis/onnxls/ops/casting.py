"""Conversions of the element type: Cast, CastLike, BitCast."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import ONE, ZERO, Dim
from onnxls.facts import BOOL, FLOAT_TYPES, INT32, INT64, INTEGER_TYPES, STRING, Element, Fact
from onnxls.ops import arithmetic as exact
from onnxls.ops import op
from onnxls.ops.computed import Compute, content
from onnxls.ops.context import OpContext
from onnxls.relations import unequal
from onnxls.rules import rule
from onnxls.schemas import dtype_of

_WIDTHS = {1: 32, 9: 8, 10: 16, 11: 64, 14: 64, 15: 128, 16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 23: 4, 24: 8}

BITCAST_WIDTH = rule(
    "bitcast-width-mismatch",
    "OLS136",
    "error",
    """
    BitCast between types whose elements have different widths.

    `BitCast` reads the same bits as another type; each element keeps its place, so both types must have elements of
    one width, and neither may be a string.

    ```onnx
    <ir_version: 13, opset_import: ["" : 26]>
    g (float[N] x) => (int64[N] y) {
      # error: [bitcast-width-mismatch]
      y = BitCast <to = 7> (x)
    }
    ```

    Use `Cast` to convert values, or a type of the same width.
    """,
)


@op("Cast")
def cast_by_name(ctx: OpContext) -> Fact:
    """ONNX Cast-1: the type is the name of a `TensorProto.DataType`."""
    return _cast(ctx, dtype_of(f"tensor({ctx.str_attr('to', '').lower()})"))


@op("Cast", since=6)
def cast(ctx: OpContext) -> Fact:
    """ONNX Cast-6 to 28: the shape of the input, and its elements as those of another type."""
    return _cast(ctx, ctx.optional_int("to"))


@op("CastLike")
def cast_like(ctx: OpContext) -> Fact:
    """ONNX CastLike-15 to 25: to the type of the second input."""
    return _cast(ctx, ctx.input(1).dtype)


def _cast(ctx: OpContext, dtype: int | None) -> Fact:
    fact = ctx.input(0)
    reach = fact.reach if dtype in (INT32, INT64) else None
    if fact.elements is None or dtype is None:
        return Fact(dtype, fact.shape, reach=reach)
    return Fact(dtype, fact.shape, content(ctx, fact.shape, (fact,), dtype, _conversion(dtype)), reach=reach)


def _conversion(target: int) -> Compute:
    def convert(ctx: OpContext, source: int | None, row: Sequence[Element]) -> Element | None:
        value = row[0]
        if source == target:
            return value
        if exact.may_be_nan(value, source):
            return None
        if target in INTEGER_TYPES:
            return exact.toward_zero(value, ctx.ask)
        if exact.is_rounded(value):
            return None
        return _truth(ctx, value) if target == BOOL else value if target in FLOAT_TYPES else None

    return convert


def _truth(ctx: OpContext, value: Element) -> Dim | None:
    answer = ctx.branch(unequal(exact.parts(value)[0], 0))
    return None if answer is None else ONE if answer else ZERO


@op("BitCast")
def bit_cast(ctx: OpContext) -> Fact:
    """ONNX BitCast-26: the same bits, as elements of another type of the same width."""
    fact, target = ctx.input(0), ctx.optional_int("to")
    have, want = _width(fact.dtype), _width(target)
    if have is not None and want is not None and (have != want or STRING in (fact.dtype, target)):
        text = "the elements of {0} are {have} bits wide, those of the type asked for {want}: they must be alike"
        return ctx.reject(BITCAST_WIDTH, text, have=have or "not", want=want or "not")
    if fact.constants is None or fact.dtype not in INTEGER_TYPES or target not in INTEGER_TYPES:
        return Fact(target, fact.shape)
    return Fact(target, fact.shape, content(ctx, fact.shape, (fact,), target, _same_bits(target)))


def _width(dtype: int | None) -> int | None:
    """The bits of an element; 0 for a string, None for a type that is not known."""
    if dtype is None or dtype == STRING:
        return dtype and 0
    return exact.bits(dtype) or _WIDTHS.get(dtype)


def _same_bits(target: int) -> Compute:
    least, most = exact.integer_range(target)

    def read(ctx: OpContext, source: int | None, row: Sequence[Element]) -> Element | None:
        value = row[0].const if isinstance(row[0], Dim) else None
        return None if value is None else Dim.of((value - least) % (most - least + 1) + least)

    return read
