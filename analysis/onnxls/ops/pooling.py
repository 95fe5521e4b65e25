"""Pools: over windows, over whole images, over regions, and back."""

from __future__ import annotations

from onnxls.dims import ONE, Dim
from onnxls.facts import INT64, Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.windows import (
    IMAGE_RANK,
    WINDOW_ATTRIBUTE,
    WINDOW_TOO_LARGE,
    Windows,
    read_windows,
    require_image,
    spatial_kernel,
    window_counts,
)
from onnxls.relations import any_of, at_most, equal
from onnxls.rules import rule

POOL_PADS = rule(
    "pool-pads-too-wide",
    "OLS320",
    "error",
    """
    A pool is padded by as much as its kernel or more.

    Such a window could lie in the padding alone, where there is nothing to take the maximum or the mean of.
    onnxruntime refuses the node.

    ```onnx
    g (float[N, 3, 32, 32] image) => (float[N, 3, H, W] y) {
      # error: [pool-pads-too-wide]
      y = MaxPool <kernel_shape = [2, 2], pads = [2, 2, 2, 2]> (image)
    }
    ```

    Use pads below the kernel size, or a `Pad` node.
    """,
)
UNPOOL_MISMATCH = rule(
    "unpool-mismatch",
    "OLS321",
    "error",
    """
    MaxUnpool gets indices or an output shape that do not belong to its input.

    The indices name, for each entry of X, its place in the output, so both have one shape. `output_shape` is the whole
    shape of the output, batch and channels included, and at least what the windows cover.

    ```onnx
    g (float[1, 1, 2, 2] x, int64[1, 1, 2, 3] places) => (float[1, 1, 4, 4] y) {
      # error: [unpool-mismatch] "axis 3 of `places` is 3"
      y = MaxUnpool <kernel_shape = [2, 2], strides = [2, 2]> (x, places)
    }
    ```
    """,
)
REGIONS = rule(
    "regions-mismatch",
    "OLS322",
    "error",
    """
    The regions of a pool over regions do not have the form that the operator takes.

    `RoiAlign` takes regions [R, 4] and the image of each in `batch_indices`, of shape [R]; `MaxRoiPool` takes [R, 5],
    with the index of the image first.

    ```onnx
    g (float[1, 3, 16, 16] x, float[R, 5] rois, int64[R] images) => (float[R, 3, 2, 2] y) {
      # error: [regions-mismatch] "axis 1 of `rois` is 5"
      y = RoiAlign <output_height = 2, output_width = 2> (x, rois, images)
    }
    ```
    """,
)


@op("MaxPool")
def max_pool(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX MaxPool-1, 8, 10, 11, 12, 22: the maximum of each window, and since 8 its place in the input."""
    shape = _pooled(ctx, ceil_since=10, dilated_since=10)
    return Fact(shape=shape), Fact(INT64, shape)


@op("AveragePool")
def average_pool(ctx: OpContext) -> Fact:
    """ONNX AveragePool-1, 7, 10, 11, 19, 22: the mean of each window of the image."""
    return Fact(shape=_pooled(ctx, ceil_since=10, dilated_since=19))


@op("LpPool")
def lp_pool(ctx: OpContext) -> Fact:
    """ONNX LpPool-1, 2, 11, 18, 22: the norm of each window of the image."""
    return Fact(shape=_pooled(ctx, ceil_since=18, dilated_since=18))


def _pooled(ctx: OpContext, ceil_since: int, dilated_since: int) -> Shape | None:
    """The shape of a pool: [N, C, windows...]."""
    windows = _read(ctx, dilated=ctx.version >= dilated_since)
    if windows is None:
        return None
    x = ctx.input(0).shape
    ceil = ctx.version >= ceil_since and bool(ctx.int_attr("ceil_mode", 0))
    counts = window_counts(ctx, 0, windows, pool=True, ceil=ceil)
    return (*((ctx.fresh(), ctx.fresh()) if x is None else x[:2]), *counts)


def _read(ctx: OpContext, *, dilated: bool) -> Windows | None:
    """The windows of a pool; None (and a rejection) where something is wrong."""
    kernel = spatial_kernel(ctx)
    if kernel is None:
        if ctx.ints_attr("kernel_shape") is None:
            ctx.reject(WINDOW_ATTRIBUTE, "a pool needs the attribute kernel_shape")
        return None
    if not require_image(ctx, 0) or not require_image(ctx, 0, len(kernel)):
        return None
    windows = read_windows(ctx, kernel, dilated=dilated)
    if windows is None:
        return None
    for axis, size in enumerate(kernel):
        if any(not 0 <= pad < (size.const or 1) for pad in windows.padding(axis)):
            text = "pads are {pads} on spatial axis {axis}; they must be from 0 to less than the kernel, {size}"
            ctx.reject(POOL_PADS, text, pads=windows.padding(axis), axis=axis, size=size)
            return None
    return windows


@op("GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool")
def global_pool(ctx: OpContext) -> Fact:
    """ONNX GlobalAveragePool-1, 22, GlobalLpPool-1, 2, 22, GlobalMaxPool-1, 22: one window as large as the image."""
    x = ctx.input(0).shape
    if x is None or not require_image(ctx, 0):
        return Fact()
    if ctx.op_type == "GlobalMaxPool":
        for axis, dim in enumerate(x[2:], 2):
            text = "axis {axis} of {0} is {dim}: there is nothing to take the maximum of"
            ctx.require(any_of(at_most(1, dim), equal(x[0], 0)), WINDOW_TOO_LARGE, text, axis=axis, dim=dim)
    return Fact(shape=(*x[:2], *(ONE for _ in x[2:])))


@op("MaxUnpool", since=9)
def max_unpool(ctx: OpContext) -> Fact:
    """ONNX MaxUnpool-9, 11, 22: puts the maxima of a MaxPool back to their places."""
    windows = _read(ctx, dilated=False)
    x = ctx.input(0).shape
    if windows is None:
        return Fact()
    _require_same_shape(ctx, x)
    if ctx.has(2):
        return Fact(shape=_wanted_shape(ctx, windows, x))
    if x is None:
        return Fact(shape=ctx.fresh_shape(len(windows.kernel) + 2))
    sizes = tuple(_unpooled(windows, axis, dim) for axis, dim in enumerate(x[2:]))
    for axis, size in enumerate(sizes, 2):
        text = "axis {axis} of {0} is {dim}, so that the output would be {rhs} long"
        ctx.require_at_most(0, size, UNPOOL_MISMATCH, text, axis=axis, dim=x[axis])
    return Fact(shape=(*x[:2], *sizes))


def _require_same_shape(ctx: OpContext, x: Shape | None) -> None:
    """The indices have the shape of the input."""
    places = ctx.input(1).shape
    if x is None or places is None:
        return
    if len(x) != len(places):
        ctx.reject(UNPOOL_MISMATCH, "{0} has rank {x}, but {1} has rank {other}", x=len(x), other=len(places))
        return
    for axis, (have, want) in enumerate(zip(places, x, strict=True)):
        text = "axis {axis} of {1} is {lhs}, but of {0} {rhs}: each entry has one place"
        ctx.require_equal(have, want, UNPOOL_MISMATCH, text, axis=axis)


def _unpooled(windows: Windows, axis: int, dim: Dim) -> Dim:
    begin, end = windows.padding(axis)
    return (dim - 1) * windows.strides[axis] + windows.kernel[axis] - (begin + end)


def _wanted_shape(ctx: OpContext, windows: Windows, x: Shape | None) -> Shape | None:
    """The entries of `output_shape`: the whole shape, at least what the windows cover."""
    rank = len(windows.kernel) + 2
    wanted = ctx.input(2)
    if wanted.rank is not None and wanted.rank != 1:
        ctx.reject(UNPOOL_MISMATCH, "{2} has rank {rank}; it is a list of sizes", rank=wanted.rank)
    elif wanted.shape is not None:
        text = "{2} has {lhs} entries, but the output has rank {rhs}: batch and channels count"
        ctx.require_equal(wanted.shape[0], rank, UNPOOL_MISMATCH, text)
    sizes = wanted.integers
    if sizes is None or len(sizes) != rank:
        return ctx.fresh_shape(rank)
    if x is not None:
        for axis, dim in enumerate(x):
            least = dim if axis < 2 else _unpooled(windows, axis - 2, dim)
            text = "entry {axis} of {2} is {rhs}, but axis {axis} of {0}, of size {dim}, covers {lhs}"
            ctx.require_at_most(least, sizes[axis], UNPOOL_MISMATCH, text, axis=axis, dim=dim)
    return tuple(_known_size(ctx, size) for size in sizes)


def _known_size(ctx: OpContext, size: Dim) -> Dim:
    """An entry as a size; a new one where it may be negative."""
    low = size.range[0]
    return ctx.fresh() if low is None or low < 0 else size


@op("MaxRoiPool")
def max_roi_pool(ctx: OpContext) -> Fact:
    """ONNX MaxRoiPool-1, 22: the maxima of a grid laid over each region."""
    _require_rank_four(ctx)
    x = ctx.input(0).shape
    size = ctx.ints_attr("pooled_shape")
    if size is None or len(size) != 2 or any(each < 1 for each in size):
        return ctx.reject(WINDOW_ATTRIBUTE, "pooled_shape is {size}; it is [height, width]", size=list(size or ()))
    count = _regions(ctx, 5)
    channels = ctx.fresh() if x is None or len(x) != 4 else x[1]
    return Fact(shape=(count, channels, *(Dim.of(each) for each in size)))


@op("RoiAlign", since=10)
def roi_align(ctx: OpContext) -> Fact:
    """ONNX RoiAlign-10, 16, 22: samples of each region, taken between the pixels."""
    _require_rank_four(ctx)
    x = ctx.input(0).shape
    height, width = ctx.int_attr("output_height", 1), ctx.int_attr("output_width", 1)
    if height < 1 or width < 1:
        text = "the output would be {height} by {width}; both are at least 1"
        return ctx.reject(WINDOW_ATTRIBUTE, text, height=height, width=width)
    count = _regions(ctx, 4)
    images = ctx.input(2).shape
    if images is not None:
        if len(images) != 1:
            return ctx.reject(REGIONS, "{2} has rank {rank}; it has one index for each region", rank=len(images))
        text = "{2} has {lhs} entries, but {1} has {rhs} regions: each belongs to one image"
        ctx.require_equal(images[0], count, REGIONS, text)
        count = images[0] if ctx.input(1).shape is None else count
    channels = ctx.fresh() if x is None or len(x) != 4 else x[1]
    return Fact(shape=(count, channels, Dim.of(height), Dim.of(width)))


def _require_rank_four(ctx: OpContext) -> None:
    rank = ctx.input(0).rank
    if rank is not None and rank != 4:
        ctx.reject(IMAGE_RANK, "{0} has rank {rank}; regions are cut from images [N, C, H, W]", rank=rank)


def _regions(ctx: OpContext, width: int) -> Dim:
    """The number of regions, which are rows of `width` numbers."""
    rois = ctx.input(1).shape
    if rois is None:
        return ctx.fresh()
    if len(rois) != 2:
        ctx.reject(
            REGIONS, "{1} has rank {rank}; it has a row of {width} numbers for each region", rank=len(rois), width=width
        )
        return ctx.fresh()
    ctx.require_equal(rois[1], width, REGIONS, "axis 1 of {1} is {lhs}; each region is a row of {rhs} numbers")
    return rois[0]
