"""Slice: both ends clamp to the axis, so sizes are min and max expressions, simplified where the order is known.

With a normalised start s and end e on an axis of size d, a positive step k keeps
`max(0, ceil((min(e, d) - max(s, 0)) / k))` entries: clamping s from above or e from below changes nothing there.
A negative step -k keeps `max(0, ceil((min(s, d - 1) - max(e, -1)) / k))`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onnxls.dims import ZERO, Dim, ceildiv, maximum, minimum
from onnxls.facts import Element, Fact
from onnxls.ops import op
from onnxls.ops.axes import distinct_axes
from onnxls.ops.context import OpContext
from onnxls.ops.elements import array, picked
from onnxls.relations import Relation, any_of, at_most, equal, less
from onnxls.rules import rule

END = 2**31 - 1
"""Starts and ends at or beyond this mean the end of the axis, whatever its size."""

TO_THE_END = 10_000
"""Ends from here on are taken as "to the end" by people; this matters for what is said alone."""

SLICE_OPERANDS = rule(
    "slice-operands",
    "OLS250",
    "error",
    """
    The starts, ends, axes and steps of a Slice do not fit together, or a step is 0.

    All are lists of one length, an entry for each axis that is cut.

    ```onnx
    g (float[N, 4] x) => (float[M, 4] y) <int64[1] s = {0}, int64[2] e = {2, 2}> {
      # error: [slice-operands]
      y = Slice (x, s, e)
    }
    ```
    """,
)
SLICE_EMPTY = rule(
    "slice-empty",
    "OLS251",
    "warning",
    """
    A Slice that never holds anything.

    ONNX clamps starts and ends to the axis instead of refusing them, so a start past the end, or an end before the
    start, gives an empty tensor without a word.

    ```onnx
    g (float[N, 4] x) => (float[N, M] y)
    <int64[1] s = {5}, int64[1] e = {8}, int64[1] axes = {1}> {
      # warning: [slice-empty] "axis 1 of `x` is 4"
      y = Slice (x, s, e, axes)
    }
    ```
    """,
)
SLICE_PAST_END = rule(
    "slice-end-past-axis",
    "OLS252",
    "information",
    """
    The end of a Slice lies past the end of the axis, and is clamped.

    The result is shorter than `end - start`, which is what code with fixed numbers may count on. Nothing is said
    where the slice starts at 0 with step 1, or where the end is a number that means "to the end" (such as INT_MAX).

    ```onnx
    g (float[N, 4] x) => (float[N, M] y)
    <int64[1] s = {1}, int64[1] e = {5}, int64[1] axes = {1}> {
      # information: [slice-end-past-axis] "keeps 3"
      y = Slice (x, s, e, axes)
    }
    ```
    """,
)
SLICE_BACKWARDS = rule(
    "slice-backwards-disputed",
    "OLS253",
    "warning",
    """
    A Slice with a negative step that runtimes read in two ways.

    Where a negative start lies before the axis, onnxruntime begins at the first entry and keeps one, the
    ReferenceEvaluator (like NumPy) keeps none. An end of INT_MAX means "down to the first entry" to onnxruntime.

    ```onnx
    g (float[4] x) => (float[M] y)
    <int64[1] s = {-7}, int64[1] e = {-100}, int64[1] axes = {0}, int64[1] steps = {-1}> {
      # warning: [slice-backwards-disputed]
      y = Slice (x, s, e, axes, steps)
    }
    ```

    Go backwards from -1 to INT_MIN.
    """,
)


@dataclass(frozen=True, slots=True)
class Cut:
    """What is kept of one axis; None: not known."""

    axis: int
    start: Dim | None
    end: Dim | None
    step: Dim | None


@op("Slice")
def slice_attributes(ctx: OpContext) -> Fact:
    """ONNX Slice-1: starts, ends and axes are attributes, the step is 1."""
    starts, ends = ctx.ints_attr("starts"), ctx.ints_attr("ends")
    if starts is None or ends is None:
        return Fact()
    if len(starts) != len(ends):
        text = "there are {starts} starts and {ends} ends"
        return ctx.reject(SLICE_OPERANDS, text, starts=len(starts), ends=len(ends))
    axes = ctx.ints_attr("axes")
    return _slice(ctx, [*map(Dim.of, starts)], [*map(Dim.of, ends)], range(len(starts)) if axes is None else axes, None)


@op("Slice", since=10)
def slice_inputs(ctx: OpContext) -> Fact:
    """ONNX Slice-10, 11, 13: starts, ends, axes and steps are inputs."""
    if not _lists_agree(ctx):
        return Fact()
    shape, starts, ends, axes = (ctx.input(index) for index in range(4))
    count = next((len(each) for each in (starts.integers, ends.integers) if each is not None), None)
    for operand in ctx.inputs[1:]:
        if count is None and operand is not None and operand.shape:
            count = operand.shape[0].const
    if shape.shape is None:
        return Fact()
    named = axes.constants if ctx.has(3) else range(count) if count is not None else None
    if named is None or (count is not None and len(named) != count):
        return Fact(shape=tuple(dim if dim == 0 else ctx.fresh(upper=dim) for dim in shape.shape))
    unknown = [None] * len(named)
    return _slice(ctx, starts.integers or unknown, ends.integers or unknown, named, _steps(ctx, len(named)))


def _lists_agree(ctx: OpContext) -> bool:
    """Whether the operands are lists, and required to be of one length."""
    first: Dim | None = None
    for index in range(1, min(len(ctx.inputs), 5)):
        shape = ctx.input(index).shape
        if shape is None:
            continue
        if len(shape) != 1:
            text = f"{{{index}}} has rank {len(shape)}; starts, ends, axes and steps must be lists"
            ctx.reject(SLICE_OPERANDS, text)
            return False
        if first is not None:
            text = f"{{{index}}} has {{lhs}} entries, the list before it {{rhs}}"
            ctx.require_equal(shape[0], first, SLICE_OPERANDS, text)
            if shape[0].const is not None and first.const is not None and shape[0] != first:
                return False
        first = shape[0]
    return True


def _steps(ctx: OpContext, count: int) -> Sequence[Dim | None] | None:
    return (ctx.input(4).integers or [None] * count) if ctx.has(4) else None


def _slice(
    ctx: OpContext,
    starts: Sequence[Dim | None],
    ends: Sequence[Dim | None],
    named: Sequence[int],
    steps: Sequence[Dim | None] | None,
) -> Fact:
    data = ctx.input(0)
    if data.shape is None:
        return Fact()
    axes = distinct_axes(ctx, named, len(data.shape))
    if axes is None or len(axes) != len(starts) or len(axes) != len(ends):
        return Fact()
    shape = list(data.shape)
    cuts: list[Cut] = []
    for place, axis in enumerate(axes):
        step = Dim.of(1) if steps is None else steps[place] if place < len(steps) else None
        cut = Cut(axis, starts[place], ends[place], step)
        cuts.append(cut)
        shape[axis] = _size(ctx, cut, data.shape[axis])
    return Fact(shape=tuple(shape), elements=_kept(data, cuts))


def _size(ctx: OpContext, cut: Cut, dim: Dim) -> Dim:
    """The size that is left of an axis."""
    if cut.step is not None:
        ctx.require_nonzero(cut.step, SLICE_OPERANDS, "the step on axis {axis} of {0} is 0", axis=cut.axis)
    if dim == 0:
        return ZERO
    step = None if cut.step is None else cut.step.const
    if not step:
        return ctx.fresh(upper=dim)
    front = ZERO if step > 0 else Dim.of(-1)
    start, end = _from_front(ctx, cut.start, dim, front), _from_front(ctx, cut.end, dim, front)
    if end is None and step > 0 and start is not None and _empty_from_back(ctx, cut.end, start, dim):
        end = cut.end
    if start is None or end is None or (step < 0 and _disputed(ctx, cut, start, dim)):
        return ctx.fresh(upper=dim)
    if step > 0:
        highs, lows = _least(ctx, end, dim), _greatest(ctx, ZERO, start)
    else:
        highs, lows = _least(ctx, start, dim - 1), _greatest(ctx, Dim.of(-1), end)
    size = minimum(*(ceildiv(high - low, abs(step)) for high in highs for low in lows))
    return _not_negative(ctx, cut, size, dim)


def _from_front(ctx: OpContext, value: Dim | None, dim: Dim, front: Dim) -> Dim | None:
    """A start or end counted from the front and not clamped; None where its sign is not known."""
    if value is None:
        return None
    if value.const is not None:
        if abs(value.const) >= END:
            return dim if value.const > 0 else front
        return value if value.const >= 0 else value + dim
    low = value.range[0]
    if low is not None and low >= 0:
        return value
    sign = ctx.choose(at_most(0, value), less(value, 0))
    return None if sign is None else value if sign == 0 else value + dim


def _empty_from_back(ctx: OpContext, end: Dim | None, start: Dim, dim: Dim) -> bool:
    """Whether an end of unknown sign leaves nothing where it is negative, counted from the front or from the back."""
    low = start.range[0]
    if end is None or low is None or low < 0:
        return False
    return ctx.ask(any_of(at_most(0, end), at_most(end + dim, start))) is True


def _disputed(ctx: OpContext, cut: Cut, start: Dim, dim: Dim) -> bool:
    """Whether a slice that goes backwards may be read in two ways. A start of -1 never is: it precedes an empty axis
    only."""
    if cut.end is not None and cut.end.const is not None and cut.end.const >= END:
        ctx.remark(SLICE_BACKWARDS, "on axis {axis} of {0} the end is INT_MAX and the step negative", axis=cut.axis)
        return True
    if cut.start == -1:
        return False
    inside = ctx.branch(_not_below_0(start))
    if inside is False:
        text = "the start {start} lies before axis {axis} of {0}, which is {dim}, and the step is negative"
        ctx.remark(SLICE_BACKWARDS, text, start=cut.start, axis=cut.axis, dim=dim)
    return inside is not True


def _least(ctx: OpContext, left: Dim, right: Dim) -> list[Dim]:
    """The lesser of two, or both where the order is not known."""
    low, high = (right - left).range
    if low is not None and low >= 0:
        return [left]
    if high is not None and high <= 0:
        return [right]
    taken = ctx.choose(at_most(left, right), at_most(right, left))
    return [left, right] if taken is None else [left if taken == 0 else right]


def _greatest(ctx: OpContext, left: Dim, right: Dim) -> list[Dim]:
    """The greater of two, or both where the order is not known."""
    least = _least(ctx, left, right)
    return least if len(least) == 2 else [right if least[0] is left else left]


def _not_negative(ctx: OpContext, cut: Cut, size: Dim, dim: Dim) -> Dim:
    """The size, or 0 where it is less, with what deserves a word about it."""
    told = ctx.input(0).elements is None and ctx.ask(equal(dim, 0)) is not True
    args = {"axis": cut.axis, "dim": dim, "start": cut.start, "end": cut.end}
    if ctx.ask(at_most(size, 0)) is True:
        if told:
            ctx.remark(SLICE_EMPTY, "axis {axis} of {0} is {dim}; from {start} to {end} there is nothing in it", **args)
        return ZERO
    low = size.range[0]
    if low is None or low < 0:
        taken = ctx.choose(_not_below_0(size), at_most(size, 0))
        size = maximum(size, ZERO) if taken is None else size if taken == 0 else ZERO
    if told and _counts_on_end(cut) and cut.end is not None and ctx.ask(less(dim, cut.end)) is True:
        text = "axis {axis} of {0} is {dim}, and the end {end} lies past it: the slice keeps {size}"
        ctx.remark(SLICE_PAST_END, text, size=size, **args)
    return size


def _not_below_0(dim: Dim) -> Relation:
    """0 <= dim, as a person writes it."""
    part, constant = dim.split()
    return at_most(-constant, part)


def _counts_on_end(cut: Cut) -> bool:
    """Whether the end of a slice reads as a number of entries, not as "to the end"."""
    end = None if cut.end is None else cut.end.const
    whole = cut.step == 1 and cut.start is not None and cut.start.const is not None and cut.start.const <= 0
    return end is not None and 0 < end < TO_THE_END and not whole and cut.step is not None and (cut.step.const or 0) > 0


def _kept(data: Fact, cuts: Sequence[Cut]) -> tuple[Element, ...] | None:
    """The elements that are kept, where all is constant and undisputed."""
    source = array(data)
    if source is None:
        return None
    picks: list[Sequence[int]] = [range(size) for size in source.sizes]
    for cut in cuts:
        positions = _positions(cut, source.sizes[cut.axis])
        if positions is None:
            return None
        picks[cut.axis] = positions
    kept = picked(source, picks)
    return None if kept is None else kept.elements


def _positions(cut: Cut, size: int) -> range | None:
    numbers = [None if each is None else each.const for each in (cut.start, cut.end, cut.step)]
    start, end, step = numbers
    if start is None or end is None or not step:
        return None
    start, first = (start + size if start < 0 else start), start
    end, last = (end + size if end < 0 else end), end
    if step > 0:
        return range(max(start, 0), min(end, size), step)
    if size and ((first < 0 and start < 0) or last >= END):
        return None
    return range(min(start, size - 1), max(end, -1), step)
