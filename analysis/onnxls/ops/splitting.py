"""Split: one axis cut into parts of given, equal, or nearly equal sizes."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import Dim, ceildiv, total
from onnxls.facts import Fact
from onnxls.ops import op
from onnxls.ops.axes import one_axis
from onnxls.ops.context import OpContext
from onnxls.ops.elements import array, constant_sizes, taken
from onnxls.relations import divides
from onnxls.rules import rule

SPLIT_SIZES = rule(
    "split-sizes",
    "OLS223",
    "error",
    """
    The sizes of a Split do not add up to the axis, or there is not one for each output.

    Sizes are 0 or greater, their sum is the axis, and their number that of the outputs. Sizes that were written
    down by an export, such as `[1, 1]` for a loop over a batch of two, fit that size alone.

    ```onnx
    g (float[batch, 3] x) => (float[1, 3] a, float[1, 3] b) <int64[2] sizes = {1, 1}> {
      # warning: [split-sizes] "axis 0 of `x` is `batch`"
      a, b = Split <axis = 0> (x, sizes)
    }
    ```

    Compute the sizes from `Shape`, or the last one as what is left.
    """,
)
NOT_DIVISIBLE = rule(
    "split-not-divisible",
    "OLS224",
    "error",
    """
    An axis cannot be cut into so many parts.

    `Split` without sizes makes equal parts. With `num_outputs` all parts but the last have the rounded-up size, and
    what is left for the last may not be below 0 (5 rows in 4 parts: 2, 2, 2, -1).

    ```onnx
    <ir_version: 10, opset_import: ["" : 13]>
    g (float[N, 4] x) => (float[A, 4] a, float[B, 4] b) {
      # warning: [split-not-divisible] "N = 1"
      a, b = Split <axis = 0> (x)
    }
    ```

    Pad the axis first, or give the sizes.
    """,
)


@op("Split")
def split_1(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX Split-1: the sizes are an optional input or an attribute."""
    return _split_input(ctx) if ctx.has(1) else _split_attribute(ctx)


@op("Split", since=2)
def split_2(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX Split-2, 11: the sizes are an attribute; without it the parts are equal."""
    return _split_attribute(ctx)


def _split_attribute(ctx: OpContext) -> tuple[Fact, ...]:
    sizes = ctx.ints_attr("split")
    if sizes is None:
        return _equal_parts(ctx)
    return _parts(ctx, [Dim.of(size) for size in sizes])


@op("Split", since=13)
def split_13(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX Split-13: the sizes are an optional input; without it the parts are equal."""
    return _split_input(ctx) if ctx.has(1) else _equal_parts(ctx)


@op("Split", since=18)
def split_18(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX Split-18: with `num_outputs`, the last part may be smaller than the others."""
    outputs = ctx.optional_int("num_outputs")
    if outputs is None:
        return _split_input(ctx) if ctx.has(1) else _equal_parts(ctx)
    if ctx.has(1):
        ctx.reject(SPLIT_SIZES, "Split takes the sizes {1} or num_outputs, not both")
        return _unknown(ctx)
    if outputs != len(ctx.wanted):
        ctx.reject(
            SPLIT_SIZES, "num_outputs is {outputs}, but there are {count}", outputs=outputs, count=len(ctx.wanted)
        )
        return _unknown(ctx)
    return _uneven_parts(ctx)


def _split_input(ctx: OpContext) -> tuple[Fact, ...]:
    sizes = ctx.input(1)
    if sizes.rank is not None and sizes.rank != 1:
        ctx.reject(SPLIT_SIZES, "the sizes {1} have rank {rank}; they must be a list", rank=sizes.rank)
        return _unknown(ctx)
    if sizes.integers is not None:
        return _parts(ctx, sizes.integers)
    if sizes.shape is not None:
        text = "there are {lhs} sizes in {1} for {rhs} outputs"
        ctx.require_equal(sizes.shape[0], len(ctx.wanted), SPLIT_SIZES, text)
    axis = _split_axis(ctx)
    if axis is None:
        return _unknown(ctx)
    dim = (ctx.input(0).shape or ())[axis]
    unknown: list[Dim] = []
    for _ in ctx.wanted[1:]:
        unknown.append(ctx.fresh(upper=dim - total(unknown)))
    return _cut(ctx, axis, [*unknown, dim - total(unknown)])


def _unknown(ctx: OpContext) -> tuple[Fact, ...]:
    """Tensors of which nothing else is known, one for each output."""
    return tuple(Fact() for _ in ctx.wanted)


def _split_axis(ctx: OpContext) -> int | None:
    """The axis that is cut; None where it or the rank is not known."""
    shape = ctx.input(0).shape
    return None if shape is None else one_axis(ctx, ctx.int_attr("axis", 0), len(shape))


def _parts(ctx: OpContext, sizes: Sequence[Dim]) -> tuple[Fact, ...]:
    """Parts of given sizes."""
    if len(sizes) != len(ctx.wanted):
        ctx.reject(SPLIT_SIZES, "there are {given} sizes for {count} outputs", given=len(sizes), count=len(ctx.wanted))
        return _unknown(ctx)
    axis = _split_axis(ctx)
    if axis is None:
        return _unknown(ctx)
    for position, size in enumerate(sizes):
        text = "the size of output {position} is {rhs}; it may not be below 0"
        ctx.require_at_most(0, size, SPLIT_SIZES, text, position=position)
    dim = (ctx.input(0).shape or ())[axis]
    text = "the sizes {sizes} add up to {rhs}, but axis {axis} of {0} is {lhs}"
    shown = "[" + ", ".join(str(size) for size in sizes) + "]"
    ctx.require_equal(dim, total(sizes), SPLIT_SIZES, text, sizes=shown, axis=axis)
    return _cut(ctx, axis, sizes)


def _equal_parts(ctx: OpContext) -> tuple[Fact, ...]:
    axis, count = _split_axis(ctx), len(ctx.wanted)
    if axis is None:
        return _unknown(ctx)
    dim = (ctx.input(0).shape or ())[axis]
    text = "axis {axis} of {0} is {dividend}, which must divide into {divisor} equal parts"
    ctx.require_divides(count, dim, NOT_DIVISIBLE, text, axis=axis)
    return _cut(ctx, axis, [dim // count] * count)


def _uneven_parts(ctx: OpContext) -> tuple[Fact, ...]:
    """Parts of the rounded-up size; the last has what is left, which may be nothing."""
    axis, count = _split_axis(ctx), len(ctx.wanted)
    if axis is None:
        return _unknown(ctx)
    dim = (ctx.input(0).shape or ())[axis]
    if ctx.branch(divides(Dim.of(count), dim)):
        return _cut(ctx, axis, [dim // count] * count)
    part = ceildiv(dim, count)
    text = "axis {axis} of {0} is {rhs}; {parts} parts of {part} and a last one do not come out of it"
    ctx.require_at_most(part * (count - 1), dim, NOT_DIVISIBLE, text, axis=axis, parts=count - 1, part=part)
    return _cut(ctx, axis, [part] * (count - 1) + [dim - part * (count - 1)])


def _cut(ctx: OpContext, axis: int, sizes: Sequence[Dim]) -> tuple[Fact, ...]:
    """The parts of these sizes, with their elements."""
    data = ctx.input(0)
    shape = data.shape or ()
    source, known = array(data), constant_sizes(tuple(sizes))
    facts: list[Fact] = []
    start = 0
    for position, size in enumerate(sizes):
        elements = None
        if source is not None and known is not None and sum(known) == source.sizes[axis]:
            part = taken(source, axis, range(start, start + known[position]))
            elements = None if part is None else part.elements
            start += known[position]
        facts.append(Fact(shape=(*shape[:axis], size, *shape[axis + 1 :]), elements=elements))
    return tuple(facts)
