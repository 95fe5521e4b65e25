"""Operators that work along an axis and keep the shape: Softmax, CumSum, Trilu, ReverseSequence and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onnxls.dims import ONE, ZERO, Dim
from onnxls.facts import Element, Fact
from onnxls.ops import arithmetic as exact
from onnxls.ops import op
from onnxls.ops.computed import settled
from onnxls.ops.context import OpContext
from onnxls.ops.parameters import require_one_element
from onnxls.rules import rule

AXIS_OUT_OF_RANGE = rule(
    "elementwise-axis-out-of-range",
    "OLS133",
    "error",
    """
    The axis along which an operator works does not exist.

    `Softmax`, `LpNormalization`, `CumSum` and the like count axes from 0, or from the end with negative numbers; the
    axis must be one of the input.

    ```onnx
    g (float[N, 4] x) => (float[N, 4] y) {
      # error: [elementwise-axis-out-of-range]
      y = Softmax <axis = 2> (x)
    }
    ```
    """,
)
WRONG_RANK = rule(
    "elementwise-rank",
    "OLS134",
    "error",
    """
    An input has a rank that the operator does not take.

    `Trilu` works on matrices and stacks of them, `EyeLike` on matrices, `ReverseSequence` needs an axis of batches
    and one of times, `LRN` one of channels.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # error: [elementwise-rank]
      y = Trilu (x)
    }
    ```
    """,
)


def _axis_in_range(ctx: OpContext, value: int) -> int | None:
    """The axis of the input, normalised; None where its rank is not known, or has no such axis (then rejected)."""
    rank = ctx.input(0).rank
    return None if rank is None else ctx.axis(value, rank, AXIS_OUT_OF_RANGE)


def _require_rank(ctx: OpContext, least: int, why: str) -> bool:
    rank = ctx.input(0).rank
    if rank is not None and rank < least:
        text = "{0} has rank {rank}; {why}"
        ctx.reject(WRONG_RANK, text, rank=rank, why=why)
        return False
    return True


@op("Hardmax", "LogSoftmax", "Softmax")
def softmax_flattened(ctx: OpContext) -> Fact:
    """ONNX Hardmax, LogSoftmax, Softmax-1, 11: over all axes from `axis` on, by default 1."""
    _axis_in_range(ctx, ctx.int_attr("axis", 1))
    return Fact(shape=ctx.input(0).shape)


@op("Hardmax", "LogSoftmax", "Softmax", since=13)
@op("LpNormalization")
def softmax(ctx: OpContext) -> Fact:
    """ONNX Hardmax, LogSoftmax, Softmax-13, LpNormalization-1, 22: along one axis, by default the last."""
    _axis_in_range(ctx, ctx.int_attr("axis", -1))
    return Fact(shape=ctx.input(0).shape)


@op("MeanVarianceNormalization")
def mean_variance_normalization(ctx: OpContext) -> Fact:
    """ONNX MeanVarianceNormalization-9, 13: over `axes`, by default all of an image but the channels.

    Where the default names axes that the input lacks, onnxruntime takes those that are there: that is not refused.
    """
    shape = ctx.input(0).shape
    if shape is not None:
        ctx.axes(ctx.ints_attr("axes") or (), len(shape), AXIS_OUT_OF_RANGE)
    return Fact(shape=shape)


@op("LRN")
def lrn(ctx: OpContext) -> Fact:
    """ONNX LRN-1, 13: over neighbouring channels, which lie on axis 1."""
    _require_rank(ctx, 2, "LRN works over channels, which lie on axis 1")
    return Fact(shape=ctx.input(0).shape)


@op("EyeLike")
def eye_like(ctx: OpContext) -> Fact:
    """ONNX EyeLike-9, 22: a matrix of the shape of the input."""
    fact = ctx.input(0)
    if fact.shape is not None and len(fact.shape) != 2:
        return ctx.reject(WRONG_RANK, "{0} has rank {rank}; EyeLike makes a matrix, of rank 2", rank=len(fact.shape))
    return Fact(ctx.optional_int("dtype") or fact.dtype, fact.shape)


# -------------------------------------------------------------------- sums along an axis


@op("CumProd", "CumSum")
def cumulative(ctx: OpContext) -> Fact:
    """ONNX CumSum-11, 14, CumProd-26: sums or products of all elements so far along an axis."""
    fact = ctx.input(0)
    require_one_element(ctx, 1, "the axis")
    given = ctx.input(1).scalar
    axis = None if given is None or given.const is None else _axis_in_range(ctx, given.const)
    if axis is None or fact.elements is None:
        return Fact(shape=fact.shape)
    combine, start = (exact.add, ZERO) if ctx.op_type == "CumSum" else (exact.multiply, ONE)
    return Fact(shape=fact.shape, elements=_accumulated(ctx, fact, axis, combine, start))


def _accumulated(
    ctx: OpContext, fact: Fact, axis: int, combine: Callable[[Element, Element], Element], start: Dim
) -> tuple[Element, ...] | None:
    sizes = exact.constant_shape(fact)
    kept = None if sizes is None else exact.places((*sizes[:axis], 1, *sizes[axis + 1 :]), sizes)
    elements = fact.elements
    if kept is None or elements is None or any(exact.is_loose(each, fact.dtype) for each in elements):
        return None
    if combine is exact.add and not exact.adds_exactly(elements, fact.dtype):
        return None
    values: list[Element] = [ZERO] * len(elements)
    so_far: dict[int, Element] = {}
    order = range(len(elements))
    for place in reversed(order) if ctx.int_attr("reverse", 0) else order:
        before = so_far.get(kept[place], start)
        after = so_far[kept[place]] = combine(before, elements[place])
        values[place] = before if ctx.int_attr("exclusive", 0) else after
    return settled(ctx, fact.dtype, values)


# -------------------------------------------------------------------- triangles and sequences


@op("Trilu")
def trilu(ctx: OpContext) -> Fact:
    """ONNX Trilu-14: the upper or lower triangle of matrices, from the diagonal `k` on."""
    fact = ctx.input(0)
    require_one_element(ctx, 1, "the diagonal")
    if not _require_rank(ctx, 2, "Trilu takes matrices and stacks of them, of rank 2 or more"):
        return fact
    k = ctx.input(1).scalar if ctx.has(1) else ZERO
    sizes = exact.constant_shape(fact)
    if fact.elements is None or sizes is None or k is None or k.const is None:
        return Fact(shape=fact.shape)
    kept = _triangle(fact.elements, sizes, k.const, upper=bool(ctx.int_attr("upper", 1)))
    return Fact(shape=fact.shape, elements=settled(ctx, fact.dtype, kept))


def _triangle(elements: Sequence[Element], sizes: tuple[int, ...], k: int, *, upper: bool) -> list[Element]:
    rows, columns = sizes[-2:]
    kept: list[Element] = []
    for place, value in enumerate(elements):
        above = place % columns - place // columns % rows - k
        kept.append(value if above == 0 or (above > 0) == upper else ZERO)
    return kept


SEQUENCE_LENGTHS = rule(
    "reverse-sequence-lengths",
    "OLS135",
    "error",
    """
    The lengths given to ReverseSequence do not suit its input.

    `ReverseSequence` takes one length for each entry on its batch axis, a vector; no length is greater than the size
    of the time axis. These two axes are 0 and 1, in either order.

    ```onnx
    g (float[T, 4] x) => (float[T, 4] y) <int64[3] lengths = {1, 1, 1}> {
      # error: [reverse-sequence-lengths]
      y = ReverseSequence (x, lengths)
    }
    ```
    """,
)


@op("ReverseSequence")
def reverse_sequence(ctx: OpContext) -> Fact:
    """ONNX ReverseSequence-10: the first `sequence_lens[b]` entries along the time axis in reverse."""
    fact, lengths = ctx.input(0), ctx.input(1)
    batch, time = ctx.int_attr("batch_axis", 1), ctx.int_attr("time_axis", 0)
    if {batch, time} != {0, 1}:
        text = "batch_axis is {batch} and time_axis {time}; they must be 0 and 1, in either order"
        return ctx.reject(SEQUENCE_LENGTHS, text, batch=batch, time=time)
    if not _require_rank(ctx, 2, "ReverseSequence needs an axis of batches and one of times"):
        return fact
    if lengths.shape is not None and len(lengths.shape) != 1:
        text = "{1} has rank {rank}; it must be a vector, with one length for each entry of the batch axis"
        return ctx.reject(SEQUENCE_LENGTHS, text, rank=len(lengths.shape))
    if fact.shape is None:
        return fact
    if lengths.shape is not None:
        text = "{1} has {lhs} lengths, but the batch axis {axis} of {0} is {rhs}; there must be one for each"
        ctx.require_equal(lengths.shape[0], fact.shape[batch], SEQUENCE_LENGTHS, text, axis=batch)
    for length in lengths.content or ():
        text = "{1} holds the length {lhs}, more than the size {rhs} of the time axis {axis} of {0}"
        ctx.require_at_most(length, fact.shape[time], SEQUENCE_LENGTHS, text, axis=time)
    return Fact(shape=fact.shape)
