"""Quantization: QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear."""

from __future__ import annotations

from onnxls.dims import ceildiv
from onnxls.facts import FLOAT, Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.relations import any_of, equal
from onnxls.rules import rule
from onnxls.schemas import type_string

UINT8 = 2

SCALE_MISMATCH = rule(
    "quantize-scale-mismatch",
    "OLS150",
    "error",
    """
    The scale or the zero point of a quantization does not suit the tensor.

    There is one scale for the whole tensor (a scalar), or one for each entry of the axis `axis` (a vector of that
    size), or one for each block of `block_size` entries along it (a tensor of the same rank). The zero point has the
    shape of the scale.

    ```onnx
    g (float[N, 8] x, float[4] scale, uint8[4] zero) => (uint8[N, 8] y) {
      # error: [quantize-scale-mismatch]
      y = QuantizeLinear (x, scale, zero)
    }
    ```

    Weights are often quantized along axis 0 while `axis` is 1 by default.
    """,
)
AXIS_OUT_OF_RANGE = rule(
    "quantize-axis-out-of-range",
    "OLS151",
    "error",
    """
    The axis along which scales differ does not exist.

    With a vector of scales, or scales by block, `axis` (1 by default) must be an axis of the tensor. A vector such as
    a bias has axis 0 only.

    ```onnx
    g (float[8] x, float[8] scale, uint8[8] zero) => (uint8[8] y) {
      # error: [quantize-axis-out-of-range]
      y = QuantizeLinear (x, scale, zero)
    }
    ```
    """,
)
BLOCK_SIZE = rule(
    "quantize-block-size",
    "OLS152",
    "error",
    """
    A block size that is negative, or scales that are not scales by block.

    With `block_size` set, the scale has the rank of the tensor, and along `axis` one entry for each block.

    ```onnx
    <ir_version: 10, opset_import: ["" : 21]>
    g (float[N, 8] x, float scale) => (uint8[N, 8] y) {
      # error: [quantize-block-size]
      y = QuantizeLinear <axis = 1, block_size = 4> (x, scale)
    }
    ```
    """,
)


@op("QuantizeLinear")
def quantize_linear(ctx: OpContext) -> Fact:
    """ONNX QuantizeLinear-10 to 25: the type is that of the zero point, else `output_dtype`, else UINT8."""
    _require_parameters(ctx)
    named, zero = ctx.int_attr("output_dtype", 0), ctx.input(2).dtype
    if named and zero and named != zero:
        text = "output_dtype asks for {named}, but the zero point {2} is {zero}"
        ctx.reject(SCALE_MISMATCH, text, named=type_string(named), zero=type_string(zero))
    dtype = zero if ctx.has(2) else named or UINT8
    return Fact(dtype, ctx.input(0).shape)


@op("DequantizeLinear")
def dequantize_linear(ctx: OpContext) -> Fact:
    """ONNX DequantizeLinear-10 to 25: the type is `output_dtype`, else that of the scale."""
    _require_parameters(ctx)
    dtype = ctx.int_attr("output_dtype", 0) or (ctx.input(1).dtype if ctx.version >= 19 else FLOAT)
    return Fact(dtype, ctx.input(0).shape)


@op("DynamicQuantizeLinear")
def dynamic_quantize_linear(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """ONNX DynamicQuantizeLinear-11: the quantized tensor, its scale and its zero point."""
    return Fact(UINT8, ctx.input(0).shape), Fact(FLOAT, ()), Fact(UINT8, ())


def _require_parameters(ctx: OpContext) -> None:
    """Requires that scale and zero point suit the tensor and each other."""
    shape, block = ctx.input(0).shape, ctx.int_attr("block_size", 0)
    if block < 0:
        ctx.reject(BLOCK_SIZE, "the block size is {block}; it must be positive", block=block)
        return
    for index, what in ((1, "the scale"), (2, "the zero point")):
        own = ctx.input(index).shape
        if own is None or shape is None or (index == 2 and ctx.input(1).shape is not None):
            continue  # the zero point is held against the scale
        if block:
            _require_by_block(ctx, shape, own, block, f"{what} {{{index}}}")
        elif len(own) == 1:
            _require_by_axis(ctx, shape, own, f"{what} {{{index}}}")
        elif own:
            text = f"{what} {{{index}}} has rank {len(own)}; it must be a scalar, or a vector along one axis"
            ctx.reject(SCALE_MISMATCH, text)
            return
    _require_same(ctx)


def _require_by_axis(ctx: OpContext, shape: Shape, own: Shape, who: str) -> None:
    """A vector of parameters: one for each entry of an axis, or one for the tensor; then the axis does not matter."""
    if own[0] == 1:
        return
    axis, rank = ctx.int_attr("axis", 1), len(shape)
    if not -rank <= axis < rank:
        text = who + " is a vector of {lhs} along axis {axis} of {0}, which has rank {rank}"
        ctx.require_equal(own[0], 1, AXIS_OUT_OF_RANGE, text, axis=axis, rank=rank)
        return
    size = shape[axis]
    text = who + " has {lhs} entries, but axis {axis} of {0} has {rhs}: there must be one for each, or one for all"
    if own[0] != size:
        condition = any_of(equal(own[0], size), equal(own[0], 1))
        ctx.require(condition, SCALE_MISMATCH, text, lhs=own[0], rhs=size, axis=axis)


def _require_by_block(ctx: OpContext, shape: Shape, own: Shape, block: int, who: str) -> None:
    """Parameters by block: as many as blocks along the axis, and one for each entry of the others."""
    rank = len(shape)
    if len(own) != rank:
        text = who + " has rank {own}; with a block size it must have the rank {rank} of {0}"
        ctx.reject(BLOCK_SIZE, text, own=len(own), rank=rank)
        return
    blocked = ctx.axis(ctx.int_attr("axis", 1), rank, AXIS_OUT_OF_RANGE)
    if blocked is None:
        return
    for axis, (have, size) in enumerate(zip(own, shape, strict=True)):
        text = "axis {axis} of " + who + " is {lhs}, but of {0} {rhs}"
        if axis == blocked:
            size = ceildiv(size, block)
            text = "axis {axis} of " + who + " is {lhs}, but {0} has {rhs} blocks of {block} there"
        ctx.require_equal(have, size, SCALE_MISMATCH, text, axis=axis, block=block)


def _require_same(ctx: OpContext) -> None:
    """Scale and zero point have one shape. One entry may be a scalar or a vector."""
    scale, zero = ctx.input(1).shape, ctx.input(2).shape
    if scale is None or zero is None:
        return
    text = "the scale {1} and the zero point {2} must have one shape, but axis {axis} is {lhs} and {rhs}"
    if len(scale) == len(zero):
        for axis, (have, want) in enumerate(zip(scale, zero, strict=True)):
            ctx.require_equal(have, want, SCALE_MISMATCH, text, axis=axis)
    elif len(scale) + len(zero) == 1:
        text = "the scale {1} and the zero point {2} must have one shape, but one is a scalar, one has {lhs} entries"
        ctx.require_equal((*scale, *zero)[0], 1, SCALE_MISMATCH, text)
