"""Operators that pick entries by index: Gather, GatherElements, GatherND."""

from __future__ import annotations

from math import prod

from onnxls.dims import Dim
from onnxls.facts import BOOL, INTEGER_TYPES, MAX_ELEMENTS, Element, Fact
from onnxls.ops import op
from onnxls.ops.axes import one_axis, require_indices, require_reach
from onnxls.ops.context import OpContext
from onnxls.ops.elements import Array, array, constant, constant_sizes, indices, taken
from onnxls.relations import equal
from onnxls.rules import rule

GATHER_OPERANDS = rule(
    "gather-operands",
    "OLS255",
    "error",
    """
    The data and the indices of a Gather do not fit together.

    `Gather` picks from an axis, so its data may be no scalar. `GatherElements` takes indices of the rank of the data
    and no larger than it off the axis. `GatherND` takes index tuples from the last axis of its indices: their length
    is 1 to the number of axes after the batch axes, and the batch axes agree.

    ```onnx
    g (float[N, 4] data, int64[N, 2, 3] indices) => (float[N, 2] y) {
      # error: [gather-operands]
      y = GatherND (data, indices)
    }
    ```
    """,
)


@op("Gather")
def gather(ctx: OpContext) -> Fact:
    """ONNX Gather-1, 11, 13: entries of one axis; negative indices since 11."""
    data, index = ctx.input(0), ctx.input(1)
    if data.shape is None:
        return Fact()
    if not data.shape:
        return ctx.reject(GATHER_OPERANDS, "{0} is a scalar; there is no axis to gather from")
    axis = one_axis(ctx, ctx.int_attr("axis", 0), len(data.shape))
    if axis is None:
        return Fact()
    if index.integers is not None:
        require_indices(ctx, index.integers, data.shape[axis], axis)
    else:
        require_reach(ctx, index, data.shape[axis], axis)
    if index.shape is None:
        return Fact()
    elements = _gathered(ctx, axis)
    return Fact(shape=(*data.shape[:axis], *index.shape, *data.shape[axis + 1 :]), elements=elements)


def _gathered(ctx: OpContext, axis: int) -> tuple[Element, ...] | None:
    """The elements that are picked; unknown integers where an index is not known but others are."""
    data, index = ctx.input(0), ctx.input(1)
    source, sizes = array(data), constant_sizes(index.shape)
    if source is None or sizes is None or prod(sizes) > MAX_ELEMENTS:
        return None
    wanted = index.integers if prod(sizes) else ()
    if wanted is None:
        return None
    size = source.sizes[axis]
    places = [None if each.const is None or not -size <= each.const < size else each.const % size for each in wanted]
    if all(place is None for place in places) and places:
        return None
    made = taken(source, axis, [0 if place is None else place for place in places])
    if made is None or None not in places:
        return None if made is None else made.elements
    if data.dtype not in INTEGER_TYPES and data.dtype != BOOL:
        return None
    return tuple(
        ctx.fresh_element() if places[place[axis]] is None else element
        for place, element in zip(indices(made.sizes), made.elements, strict=True)
    )


@op("GatherElements", since=11)
def gather_elements(ctx: OpContext) -> Fact:
    """ONNX GatherElements-11, 13: for each index the entry at its own place on the other axes."""
    data, index = ctx.input(0), ctx.input(1)
    if data.shape is None or index.shape is None:
        return Fact(shape=index.shape)
    rank = len(data.shape)
    if len(index.shape) != rank or not rank:
        text = "{0} has rank {rank} and {1} rank {other}; GatherElements takes one rank, of 1 or more"
        return ctx.reject(GATHER_OPERANDS, text, rank=rank, other=len(index.shape))
    axis = one_axis(ctx, ctx.int_attr("axis", 0), rank)
    if axis is None:
        return Fact()
    for at in range(rank):
        if at != axis:
            text = "axis {at} of {1} is {lhs}, more than the {rhs} of {0}; the indices run along axis {axis} only"
            ctx.require_at_most(index.shape[at], data.shape[at], GATHER_OPERANDS, text, at=at, axis=axis)
    if index.integers is not None:
        require_indices(ctx, index.integers, data.shape[axis], axis)
    source, wanted = array(data), array(index)
    elements = None if source is None or wanted is None else _element_by_element(source, wanted, axis)
    return Fact(shape=index.shape, elements=elements)


def _element_by_element(source: Array, wanted: Array, axis: int) -> tuple[Element, ...] | None:
    elements: list[Element] = []
    for place in indices(wanted.sizes):
        entry = constant(wanted.at(place))
        if entry is None or not -source.sizes[axis] <= entry < source.sizes[axis]:
            return None
        at = [*place]
        at[axis] = entry % source.sizes[axis]
        if any(each >= size for each, size in zip(at, source.sizes, strict=True)):
            return None
        elements.append(source.at(at))
    return tuple(elements)


@op("GatherND", since=11)
def gather_nd(ctx: OpContext) -> Fact:
    """ONNX GatherND-11, 12, 13: what tuples of indices name; the leading `batch_dims` axes go along since 12."""
    data, index, batch = ctx.input(0), ctx.input(1), ctx.int_attr("batch_dims", 0)
    for number, fact in enumerate((data, index)):
        if fact.rank is not None and not 0 <= batch < fact.rank:
            text = f"batch_dims is {{batch}}, but {{{number}}} has rank {{rank}}"
            return ctx.reject(GATHER_OPERANDS, text, batch=batch, rank=fact.rank)
    if data.shape is None or index.shape is None:
        return Fact()
    for axis in range(batch):
        text = "batch axis {axis} is {lhs} in {0}, but {rhs} in {1}"
        ctx.require_equal(data.shape[axis], index.shape[axis], GATHER_OPERANDS, text, axis=axis)
    most, length = len(data.shape) - batch, index.shape[-1]
    ctx.require_at_most(
        length,
        most,
        GATHER_OPERANDS,
        "the last axis of {1} is {lhs}: index tuples longer than the {rhs} axes of {0} that they index",
    )
    ctx.require_at_most(1, length, GATHER_OPERANDS, "the last axis of {1} is {rhs}: index tuples of no numbers")
    if length.const is None:
        way = ctx.choose(*(equal(length, number) for number in range(1, most + 1)))
        length = length if way is None else Dim.of(way + 1)
    if length.const is None or not 1 <= length.const <= most:
        return Fact()
    if index.integers is not None:
        for place in range(length.const):
            column = index.integers[place :: length.const]
            require_indices(ctx, column, data.shape[batch + place], batch + place)
    shape = (*index.shape[:-1], *data.shape[batch + length.const :])
    return Fact(shape=shape, elements=_by_tuples(data, index, batch))


def _by_tuples(data: Fact, index: Fact, batch: int) -> tuple[Element, ...] | None:
    source, wanted = array(data), array(index)
    if source is None or wanted is None:
        return None
    length = wanted.sizes[-1]
    rest = source.sizes[batch + length :]
    elements: list[Element] = []
    for place in indices(wanted.sizes[:-1]):
        at: list[int] = [*place[:batch]]
        for number in range(length):
            size, entry = source.sizes[batch + number], constant(wanted.at((*place, number)))
            if entry is None or not -size <= entry < size:
                return None
            at.append(entry % size)
        elements.extend(source.at((*at, *inner)) for inner in indices(rest))
        if len(elements) > MAX_ELEMENTS:
            return None
    return tuple(elements)
