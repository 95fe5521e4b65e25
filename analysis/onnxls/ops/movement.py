"""Operators that move elements about: Transpose, Tile, Concat, DepthToSpace, SpaceToDepth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from onnxls.dims import Dim, total
from onnxls.facts import BOOL, INTEGER_TYPES, MAX_ELEMENTS, Element, Fact, Shape
from onnxls.ops import op
from onnxls.ops.axes import AXIS_INVALID, one_axis
from onnxls.ops.context import OpContext
from onnxls.ops.elements import Array, array, concatenated, constant_sizes, taken, transposed
from onnxls.rules import rule

CONCAT_MISMATCH = rule(
    "concat-size-mismatch",
    "OLS221",
    "error",
    """
    Inputs of a Concat differ on an axis that is not the one they are joined on.

    All sizes but that of the axis must be the same; nothing is broadcast. A skip connection that was halved and
    doubled again is a row short where the size is odd.

    ```onnx
    g (float[N, 3, 4] a, float[N, 3, 5] b) => (float[N, 6, 4] y) {
      # error: [concat-size-mismatch] "axis 2"
      y = Concat <axis = 1> (a, b)
    }
    ```

    Crop or pad one of the inputs, or join on the axis that differs.
    """,
)
CONCAT_RANK = rule(
    "concat-rank-mismatch",
    "OLS222",
    "error",
    """
    Inputs of a Concat have different ranks, or one is a scalar.

    ```onnx
    g (float[N, 3] a, float[3] b) => (float[M, 3] y) {
      # error: [concat-rank-mismatch]
      y = Concat <axis = 0> (a, b)
    }
    ```

    Insert the missing axis with `Unsqueeze`. An empty list does not stand for "nothing": it has a rank too.
    """,
)
BLOCK_NOT_DIVISIBLE = rule(
    "block-not-divisible",
    "OLS227",
    "error",
    """
    An axis does not divide into blocks.

    `DepthToSpace` needs channels that divide by the square of the block size, `SpaceToDepth` rows and columns that
    divide by the block size.

    ```onnx
    g (float[N, 3, H, W] x) => (float[N, 12, P, Q] y) {
      # warning: [block-not-divisible] "axis 2 of `x` is `H`"
      # warning: [block-not-divisible] "axis 3 of `x` is `W`"
      y = SpaceToDepth <blocksize = 2> (x)
    }
    ```

    Pad the image to a multiple first.
    """,
)
TILE_REPEATS = rule(
    "tile-repeats",
    "OLS225",
    "error",
    """
    The repeats of a Tile are not one number, 0 or greater, for each axis.

    ```onnx
    g (float[N, 4] x) => (float[A, B] y) <int64[1] repeats = {2}> {
      # error: [tile-repeats]
      y = Tile (x, repeats)
    }
    ```

    Unlike in NumPy, repeats are not completed from the left: write a `1` for each axis that stays.
    """,
)
BLOCK_INPUT = rule(
    "block-input",
    "OLS226",
    "error",
    """
    DepthToSpace or SpaceToDepth of something that is no batch of images, or with a block size below 1.

    Both take a tensor of rank 4, [batch, channels, height, width].

    ```onnx
    g (float[8, H, W] x) => (float[A, B, C, D] y) {
      # error: [block-input]
      y = DepthToSpace <blocksize = 2> (x)
    }
    ```
    """,
)


@op("Transpose")
def transpose(ctx: OpContext) -> Fact:
    """ONNX Transpose-1, 13, …: permutes the axes; without `perm` reverses them."""
    data, perm = ctx.input(0), ctx.ints_attr("perm")
    if perm is None and data.shape is None:
        return Fact()
    rank = len(perm or ()) if data.shape is None else len(data.shape)
    perm = tuple(reversed(range(rank))) if perm is None else perm
    if sorted(perm) != list(range(rank)):
        return ctx.reject(
            AXIS_INVALID, "perm = {perm} is no permutation of the {rank} axes of {0}", perm=list(perm), rank=rank
        )
    if data.shape is None:
        return Fact(shape=ctx.fresh_shape(rank))
    source = array(data)
    elements = None if source is None else transposed(source, perm).elements
    return Fact(shape=tuple(data.shape[axis] for axis in perm), elements=elements, reach=data.reach)


@op("Tile")
def tile_axis(ctx: OpContext) -> Fact:
    """ONNX Tile-1: inputs `tiles` and `axis` repeat one axis."""
    shape, tiles, axis = ctx.input(0).shape, ctx.input(1).scalar, ctx.input(2).scalar
    if shape is None:
        return Fact()
    if axis is None or axis.const is None:
        return Fact(shape=ctx.fresh_shape(len(shape)))
    at = one_axis(ctx, axis.const, len(shape))
    if at is None:
        return Fact()
    return _tiled(ctx, [tiles if each == at else Dim.of(1) for each in range(len(shape))])


@op("Tile", since=6)
def tile(ctx: OpContext) -> Fact:
    """ONNX Tile-6, 13: repeats each axis."""
    shape, repeats = ctx.input(0).shape, ctx.input(1)
    if repeats.rank is not None and repeats.rank != 1:
        return ctx.reject(TILE_REPEATS, "the repeats {1} have rank {rank}; they must be a list", rank=repeats.rank)
    length = repeats.shape[0] if repeats.shape else None
    if shape is None:
        return Fact(shape=None if length is None or length.const is None else ctx.fresh_shape(length.const))
    if length is not None:
        text = "{1} holds {lhs} repeats, but {0} has {rhs} axes"
        ctx.require_equal(length, len(shape), TILE_REPEATS, text)
    entries: Sequence[Dim | None] = repeats.integers or [None] * len(shape)
    return _tiled(ctx, entries) if len(entries) == len(shape) else Fact()


def _tiled(ctx: OpContext, repeats: Sequence[Dim | None]) -> Fact:
    """The input with each axis repeated; a repeat that is None is not known."""
    data = ctx.input(0)
    assert data.shape is not None
    shape: list[Dim] = []
    for axis, (dim, repeat) in enumerate(zip(data.shape, repeats, strict=True)):
        if repeat is None:
            shape.append(dim if dim == 0 else ctx.fresh())
            continue
        text = "axis {axis} of {0} is repeated {rhs} times; a repeat may not be below 0"
        ctx.require_at_most(0, repeat, TILE_REPEATS, text, axis=axis)
        shape.append(dim * repeat)
    source = array(data)
    counts = [None if repeat is None else repeat.const for repeat in repeats]
    for axis, count in enumerate(counts):
        if source is not None:
            known = count is not None and count * source.sizes[axis] <= MAX_ELEMENTS
            source = taken(source, axis, [*range(source.sizes[axis])] * (count or 0)) if known else None
    return Fact(shape=tuple(shape), elements=None if source is None else source.elements, reach=data.reach)


@op("Concat")
def concat_default(ctx: OpContext) -> Fact:
    """ONNX Concat-1: the axis is 1 where it is not given."""
    return _concat(ctx, ctx.int_attr("axis", 1))


@op("Concat", since=4)
def concat(ctx: OpContext) -> Fact:
    """ONNX Concat-4, 11, 13: joins tensors on an axis."""
    axis = ctx.optional_int("axis")
    return Fact() if axis is None else _concat(ctx, axis)


def _concat(ctx: OpContext, named: int) -> Fact:
    shapes = [(index, ctx.input(index).shape) for index in range(len(ctx.inputs)) if ctx.has(index)]
    known = [(index, shape) for index, shape in shapes if shape is not None]
    if not known:
        return Fact()
    first, model = known[0]
    for index, shape in known[1:]:
        if len(shape) != len(model):
            text = f"{{{first}}} has rank {len(model)}, {{{index}}} rank {len(shape)}; all inputs must have one rank"
            return ctx.reject(CONCAT_RANK, text)
    if not model:
        return ctx.reject(CONCAT_RANK, f"{{{first}}} is a scalar; Concat joins tensors of rank 1 or more")
    axis = one_axis(ctx, named, len(model))
    if axis is None:
        return Fact()
    sizes = list(model)
    for at in range(len(model)):
        if at != axis:
            sizes[at] = _common_size(ctx, known, at, axis)
    complete = len(known) == len(shapes)
    sizes[axis] = total(shape[axis] for _, shape in known) if complete else ctx.fresh()
    elements = None if constant_sizes(tuple(sizes)) is None else _joined(ctx, axis)
    return Fact(shape=tuple(sizes), elements=elements)


def _common_size(ctx: OpContext, shapes: Sequence[tuple[int, Shape]], at: int, axis: int) -> Dim:
    """The one size that the inputs have on an axis on which they are not joined."""
    best = shapes[0][1][at]
    for (first, left), (second, right) in pairwise(shapes):
        if left[at].const is not None and right[at].const is None:
            first, left, second, right = second, right, first, left
        text = (
            f"axis {at} is {{lhs}} in {{{first}}}, but {{rhs}} in {{{second}}}; "
            f"inputs that are joined on axis {axis} must agree on all others"
        )
        ctx.require_equal(left[at], right[at], CONCAT_MISMATCH, text)
    for _, shape in shapes:
        if best.const is None and (shape[at].const is not None or (shape[at].is_known and not best.is_known)):
            best = shape[at]
    return best


def _joined(ctx: OpContext, axis: int) -> tuple[Element, ...] | None:
    """The elements of the inputs one after another; those of an input that is not known are unknown integers, as
    long as any is known."""
    facts = ctx.present()
    whole = any(fact.dtype in INTEGER_TYPES or fact.dtype == BOOL for fact in facts)
    parts: list[Array] = []
    for fact in facts:
        part, sizes = array(fact), constant_sizes(fact.shape)
        if part is None:
            if sizes is None or not whole or prod(sizes) > MAX_ELEMENTS:
                return None
            part = Array(sizes, tuple(ctx.fresh_element() for _ in range(prod(sizes))))
        parts.append(part)
    if not any(fact.elements for fact in facts):
        return None
    made = concatenated(parts, axis)
    return None if made is None else made.elements


@op("DepthToSpace")
def depth_to_space(ctx: OpContext) -> Fact:
    """ONNX DepthToSpace-1, 11, 13: channels become blocks of rows and columns."""
    block = _block(ctx)
    if block is None:
        return Fact(shape=ctx.fresh_shape(4))
    size, (batch, channels, height, width) = block
    text = "axis 1 of {0} is {dividend}; it must divide by {divisor}, the square of the block size"
    ctx.require_divides(size * size, channels, BLOCK_NOT_DIVISIBLE, text)
    return Fact(shape=(batch, channels // (size * size), height * size, width * size))


@op("SpaceToDepth")
def space_to_depth(ctx: OpContext) -> Fact:
    """ONNX SpaceToDepth-1, 13, 28: blocks of rows and columns become channels."""
    block = _block(ctx)
    if block is None:
        return Fact(shape=ctx.fresh_shape(4))
    size, (batch, channels, height, width) = block
    for axis, dim in ((2, height), (3, width)):
        text = "axis {axis} of {0} is {dividend}; it must divide by {divisor}, the block size"
        ctx.require_divides(size, dim, BLOCK_NOT_DIVISIBLE, text, axis=axis)
    return Fact(shape=(batch, channels * (size * size), height // size, width // size))


def _block(ctx: OpContext) -> tuple[int, Shape] | None:
    """The block size and the shape of the images; None where one is not known."""
    shape, size = ctx.input(0).shape, ctx.optional_int("blocksize")
    if shape is not None and len(shape) != 4:
        ctx.reject(BLOCK_INPUT, "{0} has rank {rank}; {op} takes images, of rank 4", rank=len(shape), op=ctx.op_type)
        return None
    if size is not None and size < 1:
        ctx.reject(BLOCK_INPUT, "the block size is {size}; it must be at least 1", size=size)
        return None
    return None if shape is None or size is None else (size, shape)
