"""Operators that add to or cut from the ends of axes: Pad, CenterCropPad."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from onnxls.dims import Dim, never_zero
from onnxls.facts import MAX_ELEMENTS, Element, Fact, Shape
from onnxls.ops import op
from onnxls.ops.axes import distinct_axes
from onnxls.ops.context import OpContext
from onnxls.ops.elements import array, constant_sizes, indices
from onnxls.relations import Condition, any_of, at_most, equal
from onnxls.rules import rule

PAD_COUNT = rule(
    "pad-count",
    "OLS230",
    "error",
    """
    The pads of a Pad, or the target of a CenterCropPad, have the wrong length.

    `Pad` takes the numbers for the beginnings of all axes, then those for the ends: two for each axis (of `axes`,
    where that is given). `CenterCropPad` takes one size for each axis that it works on.

    ```onnx
    g (float[N, 3, H, W] x) => (float[N, 3, P, Q] y) <int64[4] pads = {1, 1, 1, 1}> {
      # error: [pad-count]
      y = Pad (x, pads)
    }
    ```

    PyTorch's `F.pad` counts from the last axis and in pairs; ONNX does neither.
    """,
)
PAD_TOO_MUCH = rule(
    "pad-beyond-axis",
    "OLS231",
    "error",
    """
    A Pad cuts away more than there is, or mirrors more than there is.

    Negative pads cut, and the result may not be below 0. With `reflect` a pad is at most one less than the axis, and
    with `edge` and `wrap` the axis must hold something to repeat.

    ```onnx
    g (float[N, W] x) => (float[N, Q] y) <int64[4] pads = {0, 3, 0, 3}> {
      # warning: [pad-beyond-axis] "runs for W = 4"
      y = Pad <mode = "reflect"> (x, pads)
    }
    ```

    Pad with `edge` or a constant, or make sure that the axis is long enough.
    """,
)
CROP_TARGET = rule(
    "crop-target",
    "OLS232",
    "error",
    """
    A CenterCropPad to a negative size.

    ```onnx
    g (float[N, W] x) => (float[N, Q] y) <int64[1] size = {-1}> {
      # error: [crop-target]
      y = CenterCropPad <axes = [1]> (x, size)
    }
    ```
    """,
)


@op("Pad")
def pad_1(ctx: OpContext) -> Fact:
    """ONNX Pad-1: the numbers are the attribute `paddings`."""
    return _pad_attribute(ctx, "paddings")


@op("Pad", since=2)
def pad_2(ctx: OpContext) -> Fact:
    """ONNX Pad-2: the numbers are the attribute `pads`."""
    return _pad_attribute(ctx, "pads")


def _pad_attribute(ctx: OpContext, name: str) -> Fact:
    pads, shape = ctx.ints_attr(name), ctx.input(0).shape
    if pads is None:
        return Fact()
    if shape is None:
        return Fact(shape=ctx.fresh_shape(len(pads) // 2))
    fill = Dim.of(0) if ctx.float_attr("value", 0.0) == 0.0 else None
    return _padded(ctx, [Dim.of(pad) for pad in pads], range(len(shape)), fill)


@op("Pad", since=11)
def pad(ctx: OpContext) -> Fact:
    """ONNX Pad-11, 13, 18, …: the numbers are an input; `axes` since 18."""
    shape, pads = ctx.input(0).shape, ctx.input(1)
    count = pads.shape[0].const if pads.shape is not None and len(pads.shape) == 1 else None
    if shape is None:
        no_axes = not ctx.has(3)
        return Fact(shape=ctx.fresh_shape(count // 2) if count is not None and no_axes else None)
    axes: Sequence[int] | None = range(len(shape))
    if ctx.has(3):
        named = ctx.input(3).constants
        axes = None if named is None else distinct_axes(ctx, named, len(shape))
    if axes is None:
        return Fact(shape=ctx.fresh_shape(len(shape)))
    if count is not None and count != 2 * len(axes):
        return _wrong_count(ctx, count, len(axes))
    numbers: Sequence[Dim | None] = pads.integers or [None] * (2 * len(axes))
    fill = ctx.input(2).elements if ctx.has(2) else (Dim.of(0),)
    return _padded(ctx, numbers, axes, fill[0] if fill is not None and len(fill) == 1 else None)


def _wrong_count(ctx: OpContext, pads: int, axes: int) -> Fact:
    text = "there are {count} pads for {axes} axes of {0}; each takes two, for its beginning and its end"
    return ctx.reject(PAD_COUNT, text, count=pads, axes=axes)


def _padded(ctx: OpContext, pads: Sequence[Dim | None], axes: Sequence[int], fill: Element | None) -> Fact:
    """The input with its axes longer or shorter; a number that is None is not known."""
    data = ctx.input(0)
    assert data.shape is not None
    if len(pads) != 2 * len(axes):
        return _wrong_count(ctx, len(pads), len(axes))
    shape = list(data.shape)
    starts = [Dim.of(0)] * len(shape)
    for place, axis in enumerate(axes):
        begin, end = pads[place], pads[place + len(axes)]
        if begin is None or end is None:
            shape[axis] = ctx.fresh()
            continue
        _check_axis(ctx, axis, shape[axis], begin, end)
        shape[axis], starts[axis] = shape[axis] + begin + end, begin
    elements = None
    if ctx.str_attr("mode", "constant") == "constant" and None not in pads:
        elements = _padded_elements(data, tuple(shape), starts, fill)
    return Fact(shape=tuple(shape), elements=elements)


def _check_axis(ctx: OpContext, axis: int, dim: Dim, begin: Dim, end: Dim) -> None:
    mode = ctx.str_attr("mode", "constant")
    text = "axis {axis} of {0} is {dim}; with the pads {begin} and {end}, {left} is left of it"
    args = {"axis": axis, "dim": dim, "begin": begin, "end": end, "left": dim + begin + end}
    ctx.require_at_most(-(begin + end), dim, PAD_TOO_MUCH, text, **args)
    if mode == "constant":
        return
    cut = sum(pad.const for pad in (begin, end) if pad.const is not None and pad.const < 0)
    for pad in (begin, end):
        if pad == 0 or (pad.range[0] is None and pad.const is None):
            continue
        enough: Condition = at_most(1 - cut, dim)
        if mode == "reflect" and pad.range[0] is not None and pad.range[0] >= 0:
            enough = at_most(pad + 1 - cut, dim)
        if not never_zero(pad):
            enough = any_of(enough, equal(pad, 0))
        needs = "more than the pad of {pad} on it" if mode == "reflect" else "something to repeat"
        text = f'axis {{axis}} of {{0}} is {{dim}}; the mode "{mode}" needs {needs}'
        ctx.require(enough, PAD_TOO_MUCH, text, axis=axis, dim=dim, pad=pad)


def _padded_elements(
    data: Fact, shape: Shape, starts: Sequence[Dim], fill: Element | None
) -> tuple[Element, ...] | None:
    """The elements with a constant around them; None where one is not known."""
    source, sizes = array(data), constant_sizes(shape)
    offsets = [start.const for start in starts]
    if source is None or sizes is None or prod(sizes) > MAX_ELEMENTS:
        return None
    elements: list[Element] = []
    for index in indices(sizes):
        place = [at - (offset or 0) for at, offset in zip(index, offsets, strict=True)]
        inside = all(0 <= at < size for at, size in zip(place, source.sizes, strict=True))
        if None in offsets or (not inside and fill is None):
            return None
        elements.append(source.at(place) if inside or fill is None else fill)
    return tuple(elements)


@op("CenterCropPad", since=18)
def center_crop_pad(ctx: OpContext) -> Fact:
    """ONNX CenterCropPad-18: cuts or pads the named axes to given sizes, keeping the centre."""
    shape, target = ctx.input(0).shape, ctx.input(1)
    if shape is None:
        return Fact()
    named = ctx.ints_attr("axes")
    axes = range(len(shape)) if named is None else distinct_axes(ctx, named, len(shape))
    if axes is None:
        return Fact()
    if target.shape is not None and len(target.shape) == 1:
        text = "there are {lhs} sizes in {1} for {rhs} axes of {0}"
        ctx.require_equal(target.shape[0], len(axes), PAD_COUNT, text)
    sizes: Sequence[Dim | None] = target.integers or [None] * len(axes)
    if len(sizes) != len(axes):
        return Fact()
    made = list(shape)
    for axis, size in zip(axes, sizes, strict=True):
        if size is not None:
            text = "axis {axis} of {0} is cropped to {rhs}, which may not be below 0"
            ctx.require_at_most(0, size, CROP_TARGET, text, axis=axis)
        made[axis] = ctx.fresh() if size is None else size
    return Fact(shape=tuple(made))
