"""Element-wise operators of several inputs: what they broadcast to, and the elements of small results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onnxls.dims import ONE, ZERO, Dim
from onnxls.facts import BOOL, FLOAT_TYPES, INTEGER_TYPES, Element, Fact, Shape
from onnxls.ops import arithmetic as exact
from onnxls.ops import op
from onnxls.ops.broadcast import broadcast_inputs
from onnxls.ops.computed import Compute, content, of_two, settled, spread
from onnxls.ops.context import OpContext
from onnxls.relations import any_of, equal, unequal
from onnxls.rules import rule

OPERANDS_DIFFER = rule(
    "operand-shapes-differ",
    "OLS130",
    "error",
    """
    Operands that must have one shape have several; this operator does not broadcast.

    Before opset 7, `Add`, `Mul`, comparisons and logic broadcast only where the attribute `broadcast` is set, and
    then only the second operand to the first; `Max`, `Min`, `Sum` and `Mean` broadcast since opset 8; `SwiGLU`
    never does.

    ```onnx
    <ir_version: 3, opset_import: ["" : 6]>
    g (float[N, 4] x, float[4] b) => (float[N, 4] y) {
      # error: [operand-shapes-differ]
      y = Add (x, b)
    }
    ```

    Set `broadcast = 1` (and `axis`), or raise the opset version of the model.
    """,
)


DIVISION_BY_ZERO = rule(
    "integer-division-by-zero",
    "OLS138",
    "error",
    """
    Integers are divided by a number that is 0, or a size that may be.

    Sizes are often computed by dividing other sizes. Where the divisor is 0, runtimes refuse; a size that is empty
    only for an empty input is reported as information.

    ```onnx
    g (float[N, 8] x) => (int64[2] y) <int64[1] groups = {0}> {
      s = Shape (x)
      # error: [integer-division-by-zero]
      y = Div (s, groups)
    }
    ```
    """,
)


def _difference(ctx: OpContext, a: Element, b: Element) -> Element:
    return exact.add(a, exact.negative(b))


def _divided(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
    """Integers are divided toward zero, floats exactly; where the type is not known, what is the same for both."""
    a, b = row
    if dtype in INTEGER_TYPES:
        if not isinstance(a, Dim) or not isinstance(b, Dim):
            return None
        whole = _whole_quotient(a, b)
        return exact.truncated_quotient(a, b, ctx.ask) if whole is None else whole
    if exact.is_loose(a, dtype) or exact.is_loose(b, dtype):
        return None
    result = exact.quotient(a, b, ctx.ask)
    return result if dtype in FLOAT_TYPES or isinstance(result, Dim) else None


def _require_divisors(ctx: OpContext) -> None:
    """Requires that integers are not divided by 0, which runtimes refuse. What is known of a quotient relies on it."""
    if ctx.input(0).elements and ctx.input(0).dtype in INTEGER_TYPES:
        for divisor in dict.fromkeys(ctx.input(1).integers or ()):
            text = "{1} holds the divisor {lhs}, and integers are not divided by 0"
            ctx.require_nonzero(divisor, DIVISION_BY_ZERO, text)


def _whole_quotient(a: Element, b: Element) -> Dim | None:
    """a / b of integers where nothing remains; the divisor is not 0 (see `_require_divisors`)."""
    return a.exact_div(b) if isinstance(a, Dim) and isinstance(b, Dim) and b.const != 0 else None


def _remainder(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
    a, b = row
    if dtype in INTEGER_TYPES and _whole_quotient(a, b) is not None:
        return ZERO
    if exact.is_loose(a, dtype) or exact.is_loose(b, dtype):
        return None
    if ctx.int_attr("fmod", 0):
        return exact.truncated_remainder(a, b, ctx.ask)
    return exact.remainder(a, b) if isinstance(a, Dim) and isinstance(b, Dim) else None


def _shifted(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
    value, count = row
    width = exact.bits(dtype)
    places = count.const if isinstance(count, Dim) else None
    if not isinstance(value, Dim) or width is None or places is None or not 0 <= places < width:
        return None
    if ctx.str_attr("direction", "") == "RIGHT":
        return value // 2**places
    return Dim.of(value.const * 2**places % 2**width) if value.const is not None else value * 2**places


def _bitwise(of_bits: Callable[[int, int], int]) -> Compute:
    def of_row(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
        values = [value.const for value in row if isinstance(value, Dim)]
        known = [value for value in values if value is not None]
        return Dim.of(of_bits(known[0], known[1])) if len(known) == 2 else None

    return of_row


def _compared(op: str, *, swapped: bool = False) -> Compute:
    def of_row(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
        if any(exact.is_loose(value, dtype) for value in row):
            return None
        a, b = reversed(row) if swapped else row
        return exact.compare(op, a, b, ctx.branch)

    return of_row


_ARITHMETIC: dict[str, Compute] = {
    "Add": of_two(lambda ctx, a, b: exact.add(a, b)),
    "BitShift": _shifted,
    "BitwiseAnd": _bitwise(lambda a, b: a & b),
    "BitwiseOr": _bitwise(lambda a, b: a | b),
    "BitwiseXor": _bitwise(lambda a, b: a ^ b),
    "Div": _divided,
    "Mod": _remainder,
    "Mul": of_two(lambda ctx, a, b: exact.multiply(a, b)),
    "Pow": of_two(lambda ctx, a, b: exact.power(a, b, ctx.ask)),
    "Sub": of_two(_difference),
}
_TRUTHS: dict[str, Compute] = {
    "And": of_two(lambda ctx, a, b: exact.multiply(a, b)),
    "Equal": _compared("=="),
    "Greater": _compared("<", swapped=True),
    "GreaterOrEqual": _compared("<=", swapped=True),
    "Less": _compared("<"),
    "LessOrEqual": _compared("<="),
    "Or": of_two(lambda ctx, a, b: exact.greatest(a, b, ctx.ask)),
    "Xor": of_two(lambda ctx, a, b: exact.add(a, exact.multiply(b, exact.add(ONE, exact.multiply(Dim.of(-2), a))))),
}
_TWO_INPUTS = _ARITHMETIC | _TRUTHS
_DEMANDS: dict[str, Callable[[OpContext], None]] = {"Div": _require_divisors, "Mod": _require_divisors}
_BEFORE_BROADCASTING = ("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor")


def _result(ctx: OpContext, shape: Shape | None, compute: Compute, operands: Sequence[Fact]) -> Fact:
    if ctx.op_type in _DEMANDS:
        _DEMANDS[ctx.op_type](ctx)
    dtype = BOOL if ctx.op_type in _TRUTHS else operands[0].dtype if operands else None
    return Fact(dtype, shape, content(ctx, shape, operands, dtype, compute), reach=_reach(ctx, operands))


def _reach(ctx: OpContext, operands: Sequence[Fact]) -> tuple[Dim, Dim] | None:
    """The least and the greatest sum or difference with one number."""
    if ctx.op_type not in ("Add", "Sub") or len(operands) != 2:
        return None
    a, b = operands
    moved, by = (b, a.scalar) if ctx.op_type == "Add" and b.reach is not None else (a, b.scalar)
    if moved.reach is None or by is None:
        return None
    by = by if ctx.op_type == "Add" else -by
    return moved.reach[0] + by, moved.reach[1] + by


@op(*(name for name in _TWO_INPUTS if name not in _BEFORE_BROADCASTING))
@op(*_BEFORE_BROADCASTING, since=7)
def broadcasting(ctx: OpContext) -> Fact:
    """Add to Xor: the broadcast of both inputs; comparisons and logic give BOOL."""
    operands = (ctx.input(0), ctx.input(1))
    return _result(ctx, broadcast_inputs(ctx, (0, 1)), _TWO_INPUTS[ctx.op_type], operands)


@op("StringConcat")
def string_concat(ctx: OpContext) -> Fact:
    """ONNX StringConcat-20: the broadcast of both inputs."""
    return Fact(shape=broadcast_inputs(ctx, (0, 1)))


@op(*_BEFORE_BROADCASTING)
def one_way(ctx: OpContext) -> Fact:
    """Add to Xor before version 7: the shape of the first input. The second has the same, or (with `broadcast`) is
    one element or matches a run of axes that begins at `axis`, by default the last ones."""
    a, b = ctx.input(0), ctx.input(1)
    compute = _TWO_INPUTS[ctx.op_type]
    if not ctx.int_attr("broadcast", 0):
        _require_one_shape(ctx)
        return _result(ctx, a.shape, compute, (a, b))
    if a.shape is None or b.shape is None:
        return _result(ctx, a.shape, compute, (a, b))
    rank, own = len(a.shape), len(b.shape)
    start = ctx.int_attr("axis", rank - own)
    start = start + rank if start < 0 and own <= rank else start
    if not 0 <= start <= rank - own:
        text = "{1} has rank {own}; it does not match axes of {0}, which has rank {rank}, from axis {start}"
        return ctx.reject(OPERANDS_DIFFER, text, own=own, rank=rank, start=start)
    for axis, dim in enumerate(b.shape):
        have = a.shape[start + axis]
        if dim != have and dim.const != 1:
            text = "axis {axis} of {1} is {lhs}; it is matched with axis {other} of {0}, which is {rhs}"
            condition = any_of(equal(dim, have), equal(dim, 1))
            ctx.require(condition, OPERANDS_DIFFER, text, lhs=dim, rhs=have, axis=axis, other=start + axis)
    if start != rank - own:
        return _result(ctx, a.shape, compute, (Fact(a.dtype), b))
    return _result(ctx, a.shape, compute, (a, b))


def _require_one_shape(ctx: OpContext) -> Shape | None:
    """Requires that all inputs have one shape."""
    common: Shape | None = None
    first = 0
    for index in range(len(ctx.inputs)):
        shape = ctx.input(index).shape
        if shape is None:
            continue
        if common is None:
            common, first = shape, index
            continue
        names = f"{{{first}}} and {{{index}}}"
        if len(shape) != len(common):
            text = names + " must have one shape, but their ranks are {have} and {want}"
            ctx.reject(OPERANDS_DIFFER, text, have=len(common), want=len(shape))
            return None
        for axis, (have, want) in enumerate(zip(common, shape, strict=True)):
            text = names + " must have one shape, but axis {axis} is {lhs} and {rhs}"
            ctx.require_equal(have, want, OPERANDS_DIFFER, text, axis=axis)
    return common


def _sum(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
    if not exact.adds_exactly(row, dtype):
        return None
    result: Element = ZERO
    for value in row:
        result = exact.add(result, value)
    return result


def _mean(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
    """Runtimes divide, or multiply by the reciprocal: only what both compute exactly is kept."""
    total, count = _sum(ctx, dtype, row), len(row)
    return None if total is None or count & (count - 1) else exact.quotient(total, Dim.of(count), ctx.ask)


_MANY_INPUTS: dict[str, Compute] = {
    "Max": of_two(lambda ctx, a, b: exact.greatest(a, b, ctx.ask)),
    "Mean": _mean,
    "Min": of_two(lambda ctx, a, b: exact.least(a, b, ctx.ask)),
    "Sum": _sum,
}


@op(*_MANY_INPUTS)
def of_one_shape(ctx: OpContext) -> Fact:
    """ONNX Max, Mean, Min, Sum-1, 6: all inputs have one shape."""
    return _result(ctx, _require_one_shape(ctx), _MANY_INPUTS[ctx.op_type], ctx.present())


@op(*_MANY_INPUTS, since=8)
def of_many(ctx: OpContext) -> Fact:
    """ONNX Max, Mean, Min, Sum-8 to 13: the broadcast of all inputs."""
    shape = broadcast_inputs(ctx, range(len(ctx.inputs)))
    return _result(ctx, shape, _MANY_INPUTS[ctx.op_type], ctx.present())


@op("SwiGLU")
def swiglu(ctx: OpContext) -> Fact:
    """ONNX SwiGLU-28: both inputs have one shape."""
    return Fact(shape=_require_one_shape(ctx))


PRELU_SLOPE = rule(
    "prelu-slope-mismatch",
    "OLS131",
    "error",
    """
    The slope of PRelu does not broadcast to its input.

    The slope is aligned with the last axes of the input, and each of its axes is 1 or the size there. One slope for
    each channel of an image needs the shape [C, 1, 1], not [C].

    ```onnx
    g (float[N, 8, H, 5] x, float[8] slope) => (float[N, 8, H, 5] y) {
      # error: [prelu-slope-mismatch]
      y = PRelu (x, slope)
    }
    ```
    """,
)
PRELU_WIDER = rule(
    "prelu-slope-wider",
    "OLS137",
    "warning",
    """
    The slope of PRelu is larger than its input.

    ONNX broadcasts the slope to the input and never the input to the slope. Runtimes do it all the same, and the
    result is larger than the input, while other tools take it to have the shape of the input.

    ```onnx
    g (float[N, 1] x, float[8] slope) => (float[N, 8] y) {
      # warning: [prelu-slope-wider]
      y = PRelu (x, slope)
    }
    ```

    Give the slope the shape that is meant, or repeat the input with `Expand` before.
    """,
)


@op("PRelu")
def prelu_by_channel(ctx: OpContext) -> Fact:
    """ONNX PRelu-1, 6: one slope, or one for each channel (axis 1)."""
    x, slope = ctx.input(0).shape, ctx.input(1).shape
    if slope is not None and x is not None and len(slope) == 1 and len(x) > 1:
        text = "{1} holds {lhs} slopes; {0} has {channels} channels (axis 1), and there must be one for each, or 1"
        ctx.require_one_of(slope[0], (x[1], ONE), PRELU_SLOPE, text, channels=x[1])
    return Fact(shape=x)


@op("PRelu", since=7)
def prelu(ctx: OpContext) -> Fact:
    """ONNX PRelu-7 to 16: the slope is broadcast to the input. Runtimes broadcast both ways."""
    x, slope = ctx.input(0).shape, ctx.input(1).shape
    if x is not None and slope is not None:
        if len(slope) > len(x):
            ctx.remark(PRELU_WIDER, f"{{1}} has rank {len(slope)}, more than the rank {len(x)} of {{0}}")
        for axis in range(-min(len(x), len(slope)), 0):
            if x[axis].const == 1 and slope[axis].const not in (None, 1):
                text = "axis {axis} of {1} is {size}, while that of {0} is 1: the result is larger than the input"
                ctx.remark(PRELU_WIDER, text, axis=axis, size=slope[axis])
    return Fact(ctx.input(0).dtype, broadcast_inputs(ctx, (0, 1), PRELU_SLOPE))


@op("Where")
def where(ctx: OpContext) -> Fact:
    """ONNX Where-9, 16: the broadcast of all three inputs; each element is that of X where the condition is true."""
    shape = broadcast_inputs(ctx, (0, 1, 2))
    dtype = ctx.input(1).dtype or ctx.input(2).dtype
    condition, *choices = (spread(ctx.input(index), shape) for index in range(3))
    if choices == [None, None]:
        return Fact(dtype, shape)
    x, y = choices
    size = len(x if x is not None else y or ())
    values: list[Element | None] = []
    for index in range(size):
        this, other = (None if each is None else each[index] for each in (x, y))
        chosen = None if condition is None else _truth(ctx, condition[index])
        if chosen is None:
            values.append(this if this == other else None)
        else:
            values.append(this if chosen else other)
    return Fact(dtype, shape, settled(ctx, dtype, values))


def _truth(ctx: OpContext, element: Element) -> bool | None:
    dividend = exact.parts(element)[0]
    return bool(dividend.const) if dividend.const is not None else ctx.branch(unequal(dividend, 0))
