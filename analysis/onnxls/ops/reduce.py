"""Reductions along axes, and the places of greatest and least elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from onnxls.dims import ONE, ZERO, Dim
from onnxls.facts import INT64, Element, Fact, Shape
from onnxls.ops import arithmetic as exact
from onnxls.ops import op
from onnxls.ops.computed import settled
from onnxls.ops.context import OpContext
from onnxls.ops.emptiness import MAYBE_EMPTY, require_entries
from onnxls.relations import any_of, at_most, equal
from onnxls.rules import rule

REDUCE_AXES = rule(
    "reduce-axis-invalid",
    "OLS140",
    "error",
    """
    An axis of a reduction does not exist, or is named twice.

    Axes count from 0, or from the end with negative numbers: for rank r they lie in [-r, r-1].

    ```onnx
    g (float[N, 4] x) => (float[N, 1] y) <int64[1] axes = {2}> {
      # error: [reduce-axis-invalid]
      y = ReduceSum (x, axes)
    }
    ```

    A model that was written for images often meets features that were flattened before.
    """,
)
ARG_EMPTY = rule(
    "arg-of-empty-axis",
    "OLS141",
    "error",
    """
    ArgMax or ArgMin looks for a place on an axis that is empty.

    There is no greatest entry among none; the node refuses to run.

    ```onnx
    g (float[N, 0] x) => (int64[N, 1] y) {
      # error: [arg-of-empty-axis]
      y = ArgMax <axis = 1> (x)
    }
    ```
    """,
)

_REDUCTIONS = (
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
    "ReduceSumSquare",
)  # fmt: skip


@op(*_REDUCTIONS, "ReduceSum")
def reduce_attribute(ctx: OpContext) -> Fact:
    """ONNX ReduceL1 to ReduceSumSquare-1 to 13, ReduceSum-1, 11: the axes are an attribute; without it, all."""
    return _reduced(ctx, ctx.ints_attr("axes") or None)


@op(*_REDUCTIONS, since=18)
@op("ReduceSum", since=13)
def reduce_input(ctx: OpContext) -> Fact:
    """ONNX ReduceL1 to ReduceSumSquare-18 to 20, ReduceSum-13: the axes are an optional input. Without axes all are
    reduced, or none where `noop_with_empty_axes` is set."""
    given = ctx.input(1)
    axes = given.constants if ctx.has(1) else ()
    if given.shape is not None and len(given.shape) == 1 and given.shape[0] == 0:
        axes = ()
    if axes is None:
        return Fact(shape=_by_unknown_axes(ctx, given))
    if not axes and ctx.int_attr("noop_with_empty_axes", 0):
        kept = ctx.op_type in _COMBINE
        return Fact(shape=ctx.input(0).shape, elements=ctx.input(0).elements if kept else None)
    return _reduced(ctx, axes or None)


def _reduced(ctx: OpContext, values: Sequence[int] | None) -> Fact:
    """The input reduced over these axes; None: over all."""
    fact = ctx.input(0)
    keep = ctx.int_attr("keepdims", 1)
    if fact.shape is None:
        return Fact(shape=() if values is None and not keep else None)
    rank = len(fact.shape)
    axes = tuple(range(rank)) if values is None else ctx.axes(values, rank, REDUCE_AXES)
    if axes is None:
        return Fact()
    kept = tuple(ONE if axis in axes else dim for axis, dim in enumerate(fact.shape))
    shape = kept if keep else tuple(dim for axis, dim in enumerate(fact.shape) if axis not in axes)
    return Fact(shape=shape, elements=_content(ctx, fact, kept))


def _by_unknown_axes(ctx: OpContext, given: Fact) -> Shape | None:
    """The shape where the axes are only known at run time: each axis stays or becomes 1; how many go depends on how
    many axes there are (none means all, or none at all)."""
    shape = ctx.input(0).shape
    if shape is None:
        return None
    rank, keep = len(shape), ctx.int_attr("keepdims", 1)
    count = given.shape[0].const if given.shape is not None and len(given.shape) == 1 else None
    if count is not None and count > rank:
        ctx.reject(REDUCE_AXES, "{1} names {count} axes of {0}, which has rank {rank}", count=count, rank=rank)
        return None
    if count == rank:
        return (ONE,) * rank if keep else ()
    if keep:
        return tuple(dim if dim.const == 1 else ctx.fresh() for dim in shape)
    return ctx.fresh_shape(rank - count) if count else None


# -------------------------------------------------------------------- content

Combine = Callable[[OpContext, Element, Element], Element]

_COMBINE: dict[str, Combine] = {
    "ReduceMax": lambda ctx, a, b: exact.greatest(a, b, ctx.ask),
    "ReduceMean": lambda ctx, a, b: exact.add(a, b),
    "ReduceMin": lambda ctx, a, b: exact.least(a, b, ctx.ask),
    "ReduceProd": lambda ctx, a, b: exact.multiply(a, b),
    "ReduceSum": lambda ctx, a, b: exact.add(a, b),
}
_OF_NONE: dict[str, Element] = {"ReduceProd": ONE, "ReduceSum": ZERO}


def _content(ctx: OpContext, fact: Fact, kept: Shape) -> tuple[Element, ...] | None:
    """The reduced elements. `kept`: the result with its axes of 1."""
    combine, elements = _COMBINE.get(ctx.op_type), fact.elements
    sizes, out = exact.constant_shape(fact), exact.constant_shape(Fact(shape=kept))
    if combine is None or elements is None or sizes is None or out is None:
        return None
    places = exact.places(out, sizes)
    if places is None or any(exact.is_loose(each, fact.dtype) for each in elements):
        return None
    if ctx.op_type in ("ReduceMean", "ReduceSum") and not exact.adds_exactly(elements, fact.dtype):
        return None
    groups: dict[int, Element] = {}
    for place, value in zip(places, elements, strict=True):
        groups[place] = combine(ctx, groups[place], value) if place in groups else value
    values = [groups.get(place, _OF_NONE.get(ctx.op_type)) for place in range(prod(out))]
    if ctx.op_type == "ReduceMean":
        values = [_mean(ctx, value, len(elements) // len(values)) for value in values]
    return settled(ctx, fact.dtype, values)


def _mean(ctx: OpContext, total: Element | None, count: int) -> Element | None:
    """Runtimes divide, or multiply by the reciprocal: only what both compute exactly is kept."""
    if total is None or count == 0 or count & (count - 1):
        return None
    return exact.quotient(total, Dim.of(count), ctx.ask)


# -------------------------------------------------------------------- places


@op("ArgMax", "ArgMin")
def arg_extreme(ctx: OpContext) -> Fact:
    """ONNX ArgMax, ArgMin-1 to 13: along `axis`, by default the first."""
    shape = ctx.input(0).shape
    if shape is None:
        return Fact(INT64)
    axis = ctx.axis(ctx.int_attr("axis", 0), len(shape), REDUCE_AXES)
    if axis is None:
        return Fact(INT64)
    if shape:
        _require_entry(ctx, shape, axis)
    kept = (ONE,) if ctx.int_attr("keepdims", 1) else ()
    return Fact(INT64, (*shape[:axis], *kept, *shape[axis + 1 :]))


def _require_entry(ctx: OpContext, shape: Shape, axis: int) -> None:
    """Requires an entry along the axis, unless another axis is empty: then there is nothing to find."""
    text = "axis {axis} of {0} is {rhs}: there must be something to choose from"
    others = [dim for at, dim in enumerate(shape) if at != axis and not _has_entries(dim)]
    if not others:
        require_entries(ctx, ONE, shape[axis], ARG_EMPTY, text, axis=axis)
        return
    enough = at_most(1, shape[axis])
    if any(symbol.origin == "data" for symbol in shape[axis].atoms()) and ctx.ask(enough) is None:
        ctx.remark(MAYBE_EMPTY, text + ", and this count depends on the data", rhs=shape[axis], axis=axis)
    if not _has_entries(shape[axis]):
        condition = any_of(enough, *(equal(dim, 0) for dim in others))
        ctx.require(condition, ARG_EMPTY, text, rhs=shape[axis], axis=axis)


def _has_entries(dim: Dim) -> bool:
    low = dim.range[0]
    return low is not None and low > 0
