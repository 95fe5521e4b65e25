"""Images of another size: Resize and its forerunner Upsample.

Runtimes multiply sizes and scales in floats of different precision. A size is stated only where each of them gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from struct import pack, unpack

from onnxls.dims import SIGNED, Dim
from onnxls.facts import FLOAT, Element, Fact, Shape, ratio
from onnxls.ops import op
from onnxls.ops.arithmetic import fits, is_rounded, parts
from onnxls.ops.axes import distinct_axes
from onnxls.ops.context import OpContext
from onnxls.relations import any_of, at_most, equal, unequal
from onnxls.rules import rule

RESIZE_OPERANDS = rule(
    "resize-operands",
    "OLS335",
    "error",
    """
    Resize does not get exactly one list of scales or sizes of the right length.

    Either `scales` or `sizes` is given, the other is left out (`""`, or an empty tensor). The list has an entry for
    each axis of the input, batch and channels included, or for each entry of `axes` (since version 18). `roi`, which
    only `tf_crop_and_resize` reads, has two.

    ```onnx
    g (float[N, 3, H, W] image) => (float[N, 3, A, B] y) <int64[2] sizes = {224, 224}> {
      # error: [resize-operands] "`sizes` has 2 entries"
      y = Resize (image, , , sizes)
    }
    ```

    Name the spatial axes: `axes = [2, 3]`.
    """,
)
RESIZE_IMPOSSIBLE = rule(
    "resize-to-impossible-size",
    "OLS336",
    "error",
    """
    A scale is not positive, a size is negative, or an empty axis is to become non-empty.

    There is nothing to interpolate on an axis without entries. `Upsample` moreover takes scales of 1 and above only.

    ```onnx
    g (float[1, 3, H, W] image) => (float[1, 3, A, B] y) <float[4] scales = {1.0, 1.0, 0.0, 0.5}> {
      # error: [resize-to-impossible-size] "is 0"
      y = Resize (image, , scales)
    }
    ```
    """,
)
RESIZE_INEXACT = rule(
    "resize-size-inexact",
    "OLS337",
    "information",
    """
    The size that Resize gives depends on how a runtime rounds.

    The size is `floor(d * scale)`. A scale such as 0.7 is no float: rounded to single precision it is a bit too small,
    10 times it is 6.9999998, and that is 7 in single precision and 6 when computed exactly. onnxruntime and the
    reference implementation give different sizes. Scales such as 2, 0.5, 0.75 are exact; 0.6 is rounded to a bit more
    than it is, which does no harm.

    ```onnx
    g (float[1, 1, 10] x) => (float[1, 1, L] y) <float[3] scales = {1.0, 1.0, 0.7}> {
      # information: [resize-size-inexact]
      y = Resize (x, , scales)
    }
    ```

    Give `sizes` (computed with `Shape` where the input varies), or a scale that is a fraction of a power of two.
    """,
)


@op("Upsample")
def upsample_height_width(ctx: OpContext) -> Fact:
    """ONNX Upsample-1: images [N, C, H, W], scaled by two attributes."""
    scales = (1.0, 1.0, ctx.float_attr("height_scale", 1.0), ctx.float_attr("width_scale", 1.0))
    return _upsampled(ctx, _exact(scales))


@op("Upsample", since=7)
def upsample_attribute(ctx: OpContext) -> Fact:
    """ONNX Upsample-7: the scales are an attribute."""
    return _upsampled(ctx, _exact(ctx.floats_attr("scales") or ()))


@op("Upsample", since=9)
def upsample(ctx: OpContext) -> Fact:
    """ONNX Upsample-9, 10: the scales are an input."""
    _require_list(ctx, 1, ctx.input(0).rank)
    return _upsampled(ctx, ctx.input(1).elements)


def _exact(values: Sequence[float]) -> tuple[Element, ...] | None:
    """Attributes as exact elements; None where one is not finite."""
    if any(not abs(value) < float("inf") for value in values):
        return None
    return tuple(ratio(Dim.of(p), q) for p, q in (value.as_integer_ratio() for value in values))


def _upsampled(ctx: OpContext, scales: tuple[Element, ...] | None) -> Fact:
    x = ctx.input(0).shape
    if x is None:
        return Fact() if scales is None else Fact(shape=ctx.fresh_shape(len(scales)))
    if scales is None:
        return Fact(shape=ctx.fresh_shape(len(x)))
    if len(scales) != len(x):
        text = "there are {have} scales, but {0} has rank {rank}"
        return ctx.reject(RESIZE_OPERANDS, text, have=len(scales), rank=len(x))
    return Fact(shape=_scaled(ctx, x, range(len(x)), scales, grow=True))


@op("Resize", since=10)
def resize_scales(ctx: OpContext) -> Fact:
    """ONNX Resize-10: by scales, one for each axis."""
    x = ctx.input(0).shape
    if x is None:
        return Fact(shape=_rank_of_list(ctx, 1))
    _require_list(ctx, 1, len(x))
    return Fact(shape=_by_scales(ctx, 1, x, range(len(x))))


@op("Resize", since=11)
def resize(ctx: OpContext) -> Fact:
    """ONNX Resize-11, 13, 18, 19: by scales or to sizes, all axes or (18) those that are named."""
    x = ctx.input(0).shape
    operand = _given_operand(ctx)
    if operand is None:
        return Fact(shape=None if x is None else ctx.fresh_shape(len(x)))
    named = ctx.ints_attr("axes") if ctx.version >= 18 else None
    axes: Sequence[int] | None = None
    if x is not None:
        axes = range(len(x)) if named is None else distinct_axes(ctx, named, len(x))
        if axes is None:
            return Fact()
    count = len(named) if named is not None else None if x is None else len(x)
    _require_list(ctx, operand, count)
    if count is not None and _crops(ctx):
        _require_list(ctx, 1, 2 * count)
    if x is None or axes is None:
        return Fact(shape=_rank_of_list(ctx, operand) if named is None else None)
    return Fact(shape=_by_scales(ctx, operand, x, axes) if operand == SCALES else _to_sizes(ctx, x, axes))


SCALES, SIZES = 2, 3


def _given_operand(ctx: OpContext) -> int | None:
    """The operand that says how large the image becomes; None where that is not known, or none does."""
    scales, sizes = _is_given(ctx, SCALES), _is_given(ctx, SIZES)
    if scales is False and sizes is False:
        ctx.reject(RESIZE_OPERANDS, "neither scales nor sizes are given")
    elif scales and sizes:
        ctx.reject(RESIZE_OPERANDS, "scales and sizes are both given; leave one out")
    elif scales or sizes is False:
        return SCALES
    elif sizes or scales is False:
        return SIZES
    return None


def _is_given(ctx: OpContext, index: int) -> bool | None:
    """Whether a list is there: an empty tensor stands for none. None: it may be empty."""
    if not ctx.has(index):
        return False
    shape = ctx.input(index).shape
    if shape is None or len(shape) != 1 or shape[0].const is None:
        return None
    return shape[0].const != 0


def _rank_of_list(ctx: OpContext, index: int) -> Shape | None:
    """New sizes, one for each entry of a list of known length."""
    shape = ctx.input(index).shape
    length = shape[0].const if shape is not None and len(shape) == 1 else None
    return None if length is None else ctx.fresh_shape(length)


def _crops(ctx: OpContext) -> bool:
    return ctx.str_attr("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize"


def _require_list(ctx: OpContext, index: int, count: int | None) -> None:
    """An operand that is a list of so many numbers."""
    shape = ctx.input(index).shape
    if shape is None:
        return
    if len(shape) != 1:
        ctx.reject(RESIZE_OPERANDS, f"{{{index}}} has rank {{rank}}; it is a list of numbers", rank=len(shape))
    elif count is not None:
        text = f"{{{index}}} has {{lhs}} entries, but {{rhs}} are needed"
        ctx.require_equal(shape[0], count, RESIZE_OPERANDS, text)


# -------------------------------------------------------------------- scales


def _by_scales(ctx: OpContext, index: int, x: Shape, axes: Sequence[int]) -> Shape:
    """The sizes of the named axes times the scales."""
    scales = ctx.input(index).elements
    if scales is None or len(scales) != len(axes):
        return _opened(ctx, x, axes)
    return _scaled(ctx, x, axes, scales)


def _opened(ctx: OpContext, x: Shape, axes: Sequence[int]) -> Shape:
    """The shape with the named axes of new sizes."""
    return tuple(ctx.fresh() if axis in axes else dim for axis, dim in enumerate(x))


def _scaled(ctx: OpContext, x: Shape, axes: Sequence[int], scales: Sequence[Element], *, grow: bool = False) -> Shape:
    """The sizes times the scales, rounded down. The scales are above 0, or (`grow`) not below 1."""
    shape, sure = list(x), True
    for axis, scale in zip(axes, scales, strict=True):
        _require_scale(ctx, axis, scale, grow=grow)
        bounds = _product(x[axis], scale)
        if bounds is None or (_crops(ctx) and not _takes_whole(ctx, axis, axes)):
            shape[axis], sure = ctx.fresh(), False
        elif isinstance(bounds, Dim):
            shape[axis] = bounds
        else:
            shape[axis], sure = ctx.fresh(lower=bounds[0], upper=bounds[1]), False
    if not sure:
        ctx.remark(RESIZE_INEXACT, "the size depends on how a runtime rounds; give sizes, or a scale that is exact")
    return tuple(shape)


def _require_scale(ctx: OpContext, axis: int, scale: Element, *, grow: bool) -> None:
    dividend, divisor = parts(scale)
    text = "the scale of axis {axis} is {scale}; it must be " + ("at least 1" if grow else "greater than 0")
    shown: object = dividend if divisor == 1 else f"{dividend}/{divisor}"
    if dividend.const is not None:
        shown = f"{dividend.const / divisor:.6g}"
    ctx.require_at_most(divisor if grow else 1, dividend, RESIZE_IMPOSSIBLE, text, axis=axis, scale=shown)


def _product(dim: Dim, scale: Element) -> Dim | tuple[int, int] | None:
    """A size times a scale, rounded down: the one that all runtimes give, or the least and the greatest of them."""
    dividend, divisor = parts(scale)
    if dim.const is not None and dividend.const is not None:
        exact = Fraction(dividend.const, divisor)
        return _agreed(floor(exact * dim.const), floor(_single(_single(exact) * _single(dim.const))))
    if not is_rounded(scale) and fits(ratio(dim * dividend, divisor), FLOAT):
        return (dim * dividend) // divisor
    near = None if dividend.const is None else _meant(Fraction(dividend.const, divisor))
    return None if near is None else (dim * near.numerator) // near.denominator


def _meant(scale: Fraction) -> Fraction | None:
    """The simple fraction that a scale stands for, where every runtime gives what the fraction gives.

    A float that lies just above a/b keeps the product above every integer that it should reach, however it is rounded.
    The excess must not reach the next integer, which is at least 1/b away, on axes of up to 2**16 entries.
    """
    near = scale.limit_denominator(64)
    excess = scale - near
    if excess >= 0 and 2**16 * (excess + scale / 2**24) < Fraction(1, near.denominator):
        return near
    return None


def _agreed(first: int, second: int) -> Dim | tuple[int, int]:
    return Dim.of(first) if first == second else (min(first, second), max(first, second))


def _single(value: float | Fraction) -> float:
    """The nearest number in single precision."""
    return unpack("f", pack("f", float(value)))[0]


def _takes_whole(ctx: OpContext, axis: int, axes: Sequence[int]) -> bool:
    """Whether the region of interest is all of an axis. (By the text it shortens the axis, in runtimes it does not.)"""
    if not ctx.has(1):
        return True
    region = ctx.input(1).elements
    position = list(axes).index(axis)
    if region is None or len(region) != 2 * len(axes):
        return False
    return region[position] == Dim.of(0) and region[position + len(axes)] == Dim.of(1)


# -------------------------------------------------------------------- sizes


def _to_sizes(ctx: OpContext, x: Shape, axes: Sequence[int]) -> Shape:
    """The entries of `sizes`, or what keeps the aspect ratio within (or around) them."""
    sizes = ctx.input(SIZES).integers
    if sizes is None or len(sizes) != len(axes):
        return _opened(ctx, x, axes)
    known: list[Dim | None] = []
    for position, (axis, size) in enumerate(zip(axes, sizes, strict=True)):
        if any(name.startswith(SIGNED) for name in size.symbols()):
            known.append(None)
            continue
        text = "entry {position} of {3} is {rhs}; a size cannot be negative"
        ctx.require_at_most(0, size, RESIZE_IMPOSSIBLE, text, position=position)
        if size != x[axis] and (
            x[axis].as_symbol or x[axis].const is not None
        ):  # runtimes may differ on other sizes at 0
            text = "axis {axis} of {0} is {dim}, and cannot be stretched to {size}: there is nothing to interpolate"
            wanted = any_of(unequal(x[axis], 0), equal(size, 0))
            ctx.require(wanted, RESIZE_IMPOSSIBLE, text, axis=axis, dim=x[axis], size=size)
        known.append(size)
    policy = ctx.str_attr("keep_aspect_ratio_policy", "stretch") if ctx.version >= 18 else "stretch"
    if policy != "stretch" and len(axes) > 1:
        known = _keeping_ratio(ctx, [x[axis] for axis in axes], known, larger=policy == "not_smaller")
    shape = list(x)
    for axis, size in zip(axes, known, strict=True):
        shape[axis] = ctx.fresh() if size is None else size
    return tuple(shape)


def _keeping_ratio(
    ctx: OpContext, dims: Sequence[Dim], sizes: Sequence[Dim | None], *, larger: bool
) -> list[Dim | None]:
    """One axis gets its size, the others what the same scale gives, halves rounded up."""
    wanted = [size for size in sizes if size is not None]
    if len(wanted) != len(sizes):
        return [None] * len(sizes)
    limit = _limit(ctx, dims, wanted, larger=larger)
    if limit is None:
        return [None if larger else ctx.fresh(upper=size) for size in wanted]
    return [
        size if position == limit else _in_ratio(dim, wanted[limit], dims[limit])
        for position, (dim, size) in enumerate(zip(dims, wanted, strict=True))
    ]


def _limit(ctx: OpContext, dims: Sequence[Dim], sizes: Sequence[Dim], *, larger: bool) -> int | None:
    """The axis whose scale counts: the least one, or (`larger`) the greatest."""
    if any(dim.const == 0 for dim in dims):
        return None
    best = 0
    for position in range(1, len(dims)):
        lhs, rhs = sizes[best] * dims[position], sizes[position] * dims[best]
        if sizes[best] == sizes[position]:
            lhs, rhs = dims[position], dims[best]
        keep = ctx.branch(at_most(rhs, lhs) if larger else at_most(lhs, rhs))
        if keep is None:
            return None
        best = best if keep else position
    return best


def _in_ratio(dim: Dim, size: Dim, of: Dim) -> Dim | None:
    """dim * size / of, rounded to the nearest, halves up; None where runtimes may differ."""
    if dim == of:
        return size
    if size.const is None or not of.const:
        return None
    scale = Fraction(size.const, of.const)
    if dim.const is not None:
        agreed = _agreed(floor(scale * dim.const + Fraction(1, 2)), floor(_single(_single(scale) * dim.const) + 0.5))
        return agreed if isinstance(agreed, Dim) else None
    element = ratio(dim * scale.numerator, scale.denominator)
    if is_rounded(element) or not fits(element, FLOAT):
        return None
    return (dim * (2 * scale.numerator) + scale.denominator) // (2 * scale.denominator)
