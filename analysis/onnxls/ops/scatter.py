"""Operators that write entries by index: Scatter, ScatterElements, ScatterND, TensorScatter."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.facts import Element, Fact
from onnxls.ops import op
from onnxls.ops.axes import AXIS_INVALID, one_axis, require_indices
from onnxls.ops.context import OpContext
from onnxls.ops.elements import Array, array, constant, indices, offset
from onnxls.rules import rule

SCATTER_OPERANDS = rule(
    "scatter-operands",
    "OLS280",
    "error",
    """
    The data, indices and updates of a Scatter do not fit together.

    `ScatterElements`: one rank for all three, updates of the shape of the indices, and indices no larger than the
    data off the axis. `ScatterND`: index tuples of at most the rank of the data, and updates of the shape
    `indices.shape[:-1] + data.shape[k:]`, with k the length of a tuple. `TensorScatter`: an update of the shape of
    the cache off its axis, with a place to write for each batch entry.

    ```onnx
    g (float[N, 4] data, int64[2, 1] at, float[2, 3] updates) => (float[N, 4] y) {
      # error: [scatter-operands] "axis 1 of `updates` is 3"
      y = ScatterND (data, at, updates)
    }
    ```
    """,
)
CACHE_OVERFLOW = rule(
    "cache-overflow",
    "OLS281",
    "error",
    """
    A TensorScatter writes more than its cache holds.

    The update may be no longer than the cache on the sequence axis, and in linear mode what is written must end
    within it.

    ```onnx
    <ir_version: 12, opset_import: ["" : 24]>
    g (float[B, 8, D] cache, float[B, T, D] update) => (float[B, 8, D] y) {
      # warning: [cache-overflow] "fails for T = 9"
      y = TensorScatter (cache, update)
    }
    ```
    """,
)


@op("Scatter", since=9)
@op("ScatterElements", since=11)
def scatter_elements(ctx: OpContext) -> Fact:
    """ONNX Scatter-9, 11 (the old name) and ScatterElements-11, 13, 16, 18: entries along one axis."""
    data, index, updates = ctx.input(0), ctx.input(1), ctx.input(2)
    shape = data.shape if data.shape is not None else ctx.fresh_shape(index.rank) if index.rank is not None else None
    if shape is None:
        return Fact()
    rank = len(shape)
    for number, fact in ((1, index), (2, updates)):
        if fact.rank is not None and (fact.rank != rank or not rank):
            text = f"{{0}} has rank {{rank}} and {{{number}}} rank {{other}}; they must have one rank, of 1 or more"
            return ctx.reject(SCATTER_OPERANDS, text, rank=rank, other=fact.rank)
    axis = one_axis(ctx, ctx.int_attr("axis", 0), rank)
    if axis is None:
        return Fact()
    if index.shape is not None and updates.shape is not None:
        for at, (left, right) in enumerate(zip(index.shape, updates.shape, strict=True)):
            text = "axis {at} is {lhs} in the indices {1}, but {rhs} in the updates {2}"
            ctx.require_equal(left, right, SCATTER_OPERANDS, text, at=at)
    if data.shape is not None and index.shape is not None:
        for at in range(rank):
            if at != axis:
                text = "axis {at} of {1} is {lhs}, more than the {rhs} of {0}; the indices run along axis {axis} only"
                ctx.require_at_most(index.shape[at], data.shape[at], SCATTER_OPERANDS, text, at=at, axis=axis)
    if data.shape is not None and index.integers is not None:
        require_indices(ctx, index.integers, data.shape[axis], axis)
    return Fact(shape=shape, elements=_scattered_along(ctx, axis))


def _scattered_along(ctx: OpContext, axis: int) -> tuple[Element, ...] | None:
    """The elements after the updates, for constant indices and no reduction."""
    operands = _replacing(ctx)
    if operands is None:
        return None
    data, index, updates = operands
    if index.sizes != updates.sizes or len(index.sizes) != len(data.sizes):
        return None
    elements = list(data.elements)
    for place in indices(index.sizes):
        entry, at = constant(index.at(place)), [*place]
        if entry is None or not -data.sizes[axis] <= entry < data.sizes[axis]:
            return None
        at[axis] = entry % data.sizes[axis]
        if any(each >= size for each, size in zip(at, data.sizes, strict=True)):
            return None
        elements[offset(data.sizes, at)] = updates.at(place)
    return tuple(elements)


def _replacing(ctx: OpContext) -> tuple[Array, Array, Array] | None:
    """Data, indices and updates as arrays; None where one is not known, or updates are combined with the data."""
    data, index, updates = array(ctx.input(0)), array(ctx.input(1)), array(ctx.input(2))
    if data is None or index is None or updates is None or ctx.str_attr("reduction", "none") != "none":
        return None
    return data, index, updates


@op("ScatterND", since=11)
def scatter_nd(ctx: OpContext) -> Fact:
    """ONNX ScatterND-11, 13, 16, 18: entries or whole slices at tuples of indices."""
    data, index, updates = ctx.input(0), ctx.input(1), ctx.input(2)
    for number, fact in ((0, data), (1, index)):
        if fact.rank == 0:
            text = f"{{{number}}} is a scalar; ScatterND takes data and indices of rank 1 or more"
            return ctx.reject(SCATTER_OPERANDS, text)
    if data.shape is None or index.shape is None:
        return Fact(shape=data.shape)
    length = index.shape[-1]
    if updates.rank is not None and length.const is None:
        fixed = len(index.shape) - 1 + len(data.shape) - updates.rank
        text = "the last axis of {1} is {lhs}; for updates of rank {rank} it must be {rhs}"
        ctx.require_equal(length, fixed, SCATTER_OPERANDS, text, rank=updates.rank)
        length = Dim.of(fixed)
    text = "the last axis of {1} is {lhs}: index tuples longer than the {rhs} axes of {0}"
    ctx.require_at_most(length, len(data.shape), SCATTER_OPERANDS, text)
    if length.const is None or not 0 <= length.const <= len(data.shape):
        return Fact(shape=data.shape)
    wanted = (*index.shape[:-1], *data.shape[length.const :])
    if updates.shape is not None:
        if len(updates.shape) != len(wanted):
            text = "the updates {2} have rank {rank}; {1} and {0} need rank {wanted}"
            return ctx.reject(SCATTER_OPERANDS, text, rank=len(updates.shape), wanted=len(wanted))
        for axis, (have, want) in enumerate(zip(updates.shape, wanted, strict=True)):
            source = "{1}" if axis < len(index.shape) - 1 else "{0}"
            text = f"axis {{axis}} of {{2}} is {{lhs}}; it must be {{rhs}}, as in {source}"
            ctx.require_equal(have, want, SCATTER_OPERANDS, text, axis=axis)
    if index.integers is not None:
        for axis in range(length.const):
            require_indices(ctx, index.integers[axis :: length.const], data.shape[axis], axis)
    return Fact(shape=data.shape, elements=_scattered_at_tuples(ctx))


def _scattered_at_tuples(ctx: OpContext) -> tuple[Element, ...] | None:
    """The elements after the updates, for constant indices and no reduction."""
    operands = _replacing(ctx)
    if operands is None:
        return None
    data, index, updates = operands
    length = index.sizes[-1]
    rest = data.sizes[length:]
    if updates.sizes != (*index.sizes[:-1], *rest):
        return None
    elements = list(data.elements)
    for place in indices(index.sizes[:-1]):
        at: list[int] = []
        for axis in range(length):
            entry = constant(index.at((*place, axis)))
            if entry is None or not -data.sizes[axis] <= entry < data.sizes[axis]:
                return None
            at.append(entry % data.sizes[axis])
        for inner in indices(rest):
            elements[offset(data.sizes, (*at, *inner))] = updates.at((*place, *inner))
    return tuple(elements)


@op("TensorScatter", since=24)
def tensor_scatter(ctx: OpContext) -> Fact:
    """ONNX TensorScatter-24: writes an update into a cache along its sequence axis."""
    cache, update, places = ctx.input(0), ctx.input(1), ctx.input(2)
    if places.rank is not None and places.rank != 1:
        return ctx.reject(SCATTER_OPERANDS, "the places {2} have rank {rank}; they must be a list", rank=places.rank)
    if cache.shape is None:
        return Fact()
    rank = len(cache.shape)
    if update.rank is not None and update.rank != rank:
        text = "{0} has rank {rank} and {1} rank {other}; they must have one rank"
        return ctx.reject(SCATTER_OPERANDS, text, rank=rank, other=update.rank)
    axis = one_axis(ctx, ctx.int_attr("axis", -2), rank)
    if axis is None:
        return Fact()
    if axis == 0:
        return ctx.reject(AXIS_INVALID, "axis 0 is the batch; TensorScatter writes along another one")
    if places.shape is not None:
        text = "{2} holds {lhs} places for a batch of {rhs} in {0}"
        ctx.require_equal(places.shape[0], cache.shape[0], SCATTER_OPERANDS, text)
    if update.shape is not None:
        _check_update(ctx, axis)
    return Fact(shape=cache.shape)


def _check_update(ctx: OpContext, axis: int) -> None:
    cache, update, places = ctx.input(0).shape, ctx.input(1).shape, ctx.input(2)
    for at, (have, want) in enumerate(zip(update or (), cache or (), strict=True)):
        if at == axis:
            text = "axis {at} of the update {1} is {lhs}, more than the {rhs} of {0}"
            ctx.require_at_most(have, want, CACHE_OVERFLOW, text, at=at)
            known = places.constants if ctx.str_attr("mode", "linear") == "linear" else None
            if known:
                text = "the update {1} of {have} entries at {place} ends past the {rhs} of axis {at} of {0}"
                ctx.require_at_most(have + max(known), want, CACHE_OVERFLOW, text, at=at, have=have, place=max(known))
        else:
            ctx.require_equal(have, want, SCATTER_OPERANDS, "axis {at} is {lhs} in {1}, but {rhs} in {0}", at=at)
