"""Images that are sampled, put together, or decoded: GridSample, AffineGrid, Col2Im, ImageDecoder."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import SIGNED, Dim, product
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import MAX_RANK, OpContext
from onnxls.ops.windows import IMAGE_RANK, WINDOW_TOO_LARGE, Windows, read_windows
from onnxls.rules import rule

GRID_MISMATCH = rule(
    "grid-mismatch",
    "OLS338",
    "error",
    """
    A sampling grid does not belong to the image, or an affine transform not to the size.

    The grid of `GridSample` has the batch of the image, then the spatial axes of the output, then one coordinate for
    each spatial axis of the image. `AffineGrid` takes a transform [N, 2, 3] for sizes [N, C, H, W], or [N, 3, 4] for
    [N, C, D, H, W].

    ```onnx
    g (float[N, 3, 8, 8] image, float[N, 4, 4, 3] grid) => (float[N, 3, 4, 4] y) {
      # error: [grid-mismatch] "axis 3 of `grid` is 3"
      y = GridSample (image, grid)
    }
    ```
    """,
)
BLOCKS_MISMATCH = rule(
    "blocks-mismatch",
    "OLS339",
    "error",
    """
    Col2Im gets blocks that do not make up the image.

    The input is [N, C * (entries of a block), L]. L is the number of places where a block lies in the image, and the
    entries of a block divide axis 1. `image_shape` and `block_shape` have one entry for each spatial axis.

    ```onnx
    g (float[1, 5, 6] x) => (float[1, 1, 5, 5] y) <int64[2] image = {5, 5}, int64[2] block = {1, 5}> {
      # error: [blocks-mismatch] "axis 2 of `x` is 6"
      y = Col2Im (x, image, block)
    }
    ```
    """,
)


@op("GridSample", since=16)
def grid_sample(ctx: OpContext) -> Fact:
    """ONNX GridSample-16, 20, 22: the image at the places that a grid names."""
    x, grid = ctx.input(0).shape, ctx.input(1).shape
    for index, shape in enumerate((x, grid)):
        if shape is not None and len(shape) < 3:
            text = (
                f"{{{index}}} has rank {{rank}}; images and grids have a batch, then channels or coordinates, and space"
            )
            return ctx.reject(IMAGE_RANK, text, rank=len(shape))
    if x is not None and grid is not None:
        if len(x) != len(grid):
            return ctx.reject(GRID_MISMATCH, "{0} has rank {x}, but {1} has rank {grid}", x=len(x), grid=len(grid))
        ctx.require_equal(
            grid[0], x[0], GRID_MISMATCH, "axis 0 of {1} is {lhs}, but of {0} {rhs}: a grid for each image"
        )
        text = "axis {axis} of {1} is {lhs}, but {0} has {rhs} spatial axes, each with a coordinate"
        ctx.require_equal(grid[-1], len(x) - 2, GRID_MISMATCH, text, axis=len(grid) - 1)
    if grid is None:
        return Fact(shape=None if x is None else (*x[:2], *(ctx.fresh() for _ in x[2:])))
    batch, channels = (grid[0], ctx.fresh()) if x is None else x[:2]
    return Fact(shape=(batch, channels, *grid[1:-1]))


@op("AffineGrid", since=20)
def affine_grid(ctx: OpContext) -> Fact:
    """ONNX AffineGrid-20: a grid for GridSample from an affine transform and the shape [N, C, ...] of the image."""
    theta, size = ctx.input(0).shape, ctx.input(1)
    length = _list_length(ctx, 1)
    if length is None and theta is not None and len(theta) == 3 and theta[1].const in (2, 3):
        length = (theta[1].const or 0) + 2
    if length is None:
        return Fact()
    if length not in (4, 5):
        text = "{1} has {length} entries; it is a shape [N, C, H, W] or [N, C, D, H, W]"
        return ctx.reject(GRID_MISMATCH, text, length=length)
    space = length - 2
    if theta is not None and len(theta) != 3:
        return ctx.reject(GRID_MISMATCH, "{0} has rank {rank}; it has a matrix for each image", rank=len(theta))
    sizes = size.integers
    if sizes is not None and len(sizes) != length:
        sizes = None
    batch = ctx.fresh() if theta is None else theta[0]
    if theta is not None:
        for axis, want in ((1, space), (2, space + 1)):
            text = "axis {axis} of {0} is {lhs}, not {rhs} as for {space} spatial axes"
            ctx.require_equal(theta[axis], want, GRID_MISMATCH, text, axis=axis, space=space)
        if sizes is not None:
            ctx.require_equal(
                sizes[0], theta[0], GRID_MISMATCH, "entry 0 of {1} is {lhs}, but {0} has {rhs} transforms"
            )
    spatial = tuple(ctx.fresh(lower=1) for _ in range(space)) if sizes is None else _spatial(ctx, 1, sizes[2:], 2)
    return Fact(shape=(batch, *spatial, Dim.of(space)))


def _list_length(ctx: OpContext, index: int) -> int | None:
    """The number of entries of a list; None where it is not known, or the operand is no list (which is rejected)."""
    shape = ctx.input(index).shape
    if shape is None:
        return None
    if len(shape) != 1:
        ctx.reject(IMAGE_RANK, f"{{{index}}} has rank {{rank}}; it is a list of sizes", rank=len(shape))
        return None
    return shape[0].const


def _spatial(ctx: OpContext, index: int, sizes: Sequence[Dim], first: int = 0) -> Shape:
    """Entries of a list as sizes, which are at least 1; new sizes for those that are not known."""
    made: list[Dim] = []
    for position, size in enumerate(sizes, first):
        if any(name.startswith(SIGNED) for name in size.symbols()):
            made.append(ctx.fresh(lower=1))
            continue
        text = f"entry {{position}} of {{{index}}} is {{rhs}}; it must be at least 1"
        ctx.require_at_most(1, size, WINDOW_TOO_LARGE, text, position=position)
        made.append(size)
    return tuple(made)


@op("Col2Im", since=18)
def col2im(ctx: OpContext) -> Fact:
    """ONNX Col2Im-18: adds up blocks, which may overlap, to an image."""
    x = ctx.input(0).shape
    if x is not None and len(x) != 3:
        text = "{0} has rank {rank}; it is [N, C * entries of a block, number of blocks]"
        return ctx.reject(IMAGE_RANK, text, rank=len(x))
    lengths = [_list_length(ctx, index) for index in (1, 2)]
    if None not in lengths and lengths[0] != lengths[1]:
        text = "{1} has {image} entries, but {2} has {block}"
        return ctx.reject(BLOCKS_MISMATCH, text, image=lengths[0], block=lengths[1])
    count = lengths[1] if lengths[0] is None else lengths[0]
    if count is None or count > MAX_RANK:
        return Fact()
    image, block = _listed(ctx, 1, count), _listed(ctx, 2, count)
    windows = None if block is None else read_windows(ctx, block)
    channels = ctx.fresh() if x is None or block is None else _channels(ctx, x[1], product(block))
    if x is not None and image is not None and windows is not None:
        _require_places(ctx, windows, image, x[2])
    spatial = tuple(ctx.fresh(lower=1) for _ in range(count)) if image is None else image
    return Fact(shape=(ctx.fresh() if x is None else x[0], channels, *spatial))


def _channels(ctx: OpContext, dim: Dim, entries: Dim) -> Dim:
    """The channels that the columns of blocks hold."""
    text = "axis 1 of {0} is {dividend}, which the {divisor} entries of a block must divide"
    ctx.require_divides(entries, dim, BLOCKS_MISMATCH, text)
    exact = dim.exact_div(entries)
    return dim // entries if exact is None else exact


def _require_places(ctx: OpContext, windows: Windows, image: Shape, have: Dim) -> None:
    """There is a block for each of its places in the image."""
    for axis, dim in enumerate(image):
        text = "the image is {dim} along spatial axis {axis}, but a block covers {lhs}"
        padded = dim + sum(windows.padding(axis))
        ctx.require_at_most(windows.extent(axis), padded, WINDOW_TOO_LARGE, text, dim=dim, axis=axis)
    places = product(windows.whole(axis, dim) for axis, dim in enumerate(image))
    text = "axis 2 of {0} is {lhs}, but the image has {rhs} places for a block"
    ctx.require_equal(have, places, BLOCKS_MISMATCH, text)


def _listed(ctx: OpContext, index: int, count: int) -> Shape | None:
    """The entries of a list as sizes; None where none is known."""
    sizes = ctx.input(index).integers
    return None if sizes is None or len(sizes) != count else _spatial(ctx, index, sizes)


@op("ImageDecoder", since=20)
def image_decoder(ctx: OpContext) -> Fact:
    """ONNX ImageDecoder-20: the bytes of a file to an image [height, width, channels]."""
    rank = ctx.input(0).rank
    if rank is not None and rank != 1:
        return ctx.reject(IMAGE_RANK, "{0} has rank {rank}; an encoded image is a list of bytes", rank=rank)
    channels = 1 if ctx.str_attr("pixel_format", "RGB") == "Grayscale" else 3
    return Fact(shape=(ctx.fresh("data"), ctx.fresh("data"), Dim.of(channels)))
