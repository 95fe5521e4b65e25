"""Convolutions and pools of onnxruntime: fused ones, and those in the layouts that its optimiser chooses.

`com.ms.internal.nhwc` has standard operators with the channels last, `com.microsoft.nchwc` in blocks of channels.
"""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.facts import Fact, Shape
from onnxls.ops import lookup, op
from onnxls.ops.channels import channels_first, channels_last
from onnxls.ops.context import OpContext
from onnxls.ops.delegation import apply_standard
from onnxls.ops.operands import OPERAND_MISMATCH, OPERAND_RANK, fit, sized

MICROSOFT = "com.microsoft"
NCHWC = "com.microsoft.nchwc"
NHWC = "com.ms.internal.nhwc"


@op("FusedConv", domain=MICROSOFT)
def fused_conv(ctx: OpContext) -> Fact:
    """com.microsoft FusedConv: Conv, plus a tensor of the result's shape, and an activation."""
    fact = apply_standard(ctx, "Conv", 11, (0, 1, 2), dtype=ctx.input(0).dtype)[0]
    _require_addend(ctx, fact.shape)
    return fact


@op("NhwcConv", "NhwcFusedConv", domain=MICROSOFT)
def nhwc_conv(ctx: OpContext) -> Fact:
    """com.microsoft NhwcConv, NhwcFusedConv: Conv with the channels last; the weights stay as they are."""
    facts, note = channels_first(ctx, 0)
    made = apply_standard(ctx, "Conv", 11, (0, 1, 2), dtype=ctx.input(0).dtype, facts=facts, note=note)[0]
    fact = channels_last(made)
    _require_addend(ctx, fact.shape)
    return fact


def _require_addend(ctx: OpContext, shape: Shape | None) -> None:
    """What is added to a convolution has its shape; nothing is broadcast."""
    addend = ctx.input(3).shape
    if shape is None or addend is None:
        return
    if len(shape) != len(addend):
        ctx.reject(OPERAND_RANK, "{3} has rank {rank}, but the convolution {want}", rank=len(addend), want=len(shape))
        return
    for axis, (have, want) in enumerate(zip(addend, shape, strict=True)):
        text = "axis {axis} of {3} is {lhs}, but of the convolution that it is added to {rhs}"
        ctx.require_equal(have, want, OPERAND_MISMATCH, text, axis=axis)


@op("NhwcMaxPool", domain=MICROSOFT)
def nhwc_max_pool(ctx: OpContext) -> Fact:
    """com.microsoft NhwcMaxPool: MaxPool with the channels last."""
    facts, note = channels_first(ctx, 0)
    return channels_last(apply_standard(ctx, "MaxPool", 12, (0,), dtype=ctx.input(0).dtype, facts=facts, note=note)[0])


@op("MaxpoolWithMask", domain=MICROSOFT)
def max_pool_with_mask(ctx: OpContext) -> Fact:
    """com.microsoft MaxpoolWithMask: MaxPool where a mask allows it."""
    return apply_standard(ctx, "MaxPool", 8, (0,), dtype=ctx.input(0).dtype)[0]


@op("ConvTransposeWithDynamicPads", domain=MICROSOFT)
def conv_transpose_with_dynamic_pads(ctx: OpContext) -> Fact:
    """com.microsoft ConvTransposeWithDynamicPads: [N, M, ...]; the sizes depend on pads that are an input."""
    x, w = ctx.input(0).shape, ctx.input(1).shape
    if x is None or len(x) < 3:
        return Fact(ctx.input(0).dtype)
    channels = ctx.fresh() if w is None or len(w) != len(x) else w[1] * ctx.int_attr("group", 1)
    return Fact(ctx.input(0).dtype, (x[0], channels, *(ctx.fresh() for _ in x[2:])))


@op(
    "AveragePool",
    "BatchNormalization",
    "Conv",
    "ConvTranspose",
    "DepthToSpace",
    "GlobalAveragePool",
    "GlobalLpPool",
    "GlobalMaxPool",
    "GridSample",
    "InstanceNormalization",
    "LpPool",
    "LRN",
    "MaxPool",
    "SpaceToDepth",
    domain=NHWC,
)
def internal_nhwc(ctx: OpContext) -> tuple[Fact, ...]:
    """Operators of com.ms.internal.nhwc: the standard ones of the same version, their image with the channels last."""
    if lookup("", ctx.op_type, ctx.version) is None:
        return (Fact(ctx.input(0).dtype),)
    facts, note = channels_first(ctx, 0)
    inputs, dtype = range(len(ctx.inputs)), ctx.input(0).dtype
    first, *rest = apply_standard(ctx, ctx.op_type, ctx.version, inputs, dtype=dtype, facts=facts, note=note)
    pooled = ctx.op_type == "MaxPool"
    return (channels_last(first), *(channels_last(each) if pooled else each for each in rest))


@op("Conv", domain=NCHWC)
def blocked_conv(ctx: OpContext) -> Fact:
    """com.microsoft.nchwc Conv: the channels are filled up to whole blocks, so only the windows are checked."""
    x, w = ctx.input(0).shape, ctx.input(1).shape
    facts: dict[int, Fact] = {}
    if x is not None and w is not None and len(x) > 2 and len(w) > 2:
        facts[0] = Fact(ctx.input(0).dtype, (x[0], w[1] * ctx.int_attr("group", 1), *x[2:]))
    return apply_standard(ctx, "Conv", 11, (0, 1), dtype=ctx.input(0).dtype, facts=facts)[0]


@op("MaxPool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool", domain=NCHWC)
def blocked_pool(ctx: OpContext) -> Fact:
    """com.microsoft.nchwc MaxPool, AveragePool, GlobalMaxPool, GlobalAveragePool: as the standard ones."""
    return apply_standard(ctx, ctx.op_type, 10, (0,), dtype=ctx.input(0).dtype)[0]


@op("Upsample", domain=NCHWC)
def blocked_upsample(ctx: OpContext) -> Fact:
    """com.microsoft.nchwc Upsample: by whole factors."""
    shape, scales = ctx.input(0).shape, ctx.ints_attr("scales") or ()
    if shape is None or len(shape) != len(scales):
        return Fact(ctx.input(0).dtype)
    return Fact(ctx.input(0).dtype, tuple(dim * scale for dim, scale in zip(shape, scales, strict=True)))


@op("ReorderInput", domain=NCHWC)
def reorder_input(ctx: OpContext) -> Fact:
    """com.microsoft.nchwc ReorderInput: into blocks of 8 or 16 channels, as the machine has it."""
    shape = sized(ctx, 0, 4)
    if ctx.int_attr("channels_last", 0):
        shape = (shape[0], shape[3], shape[1], shape[2])
    whole = shape[1].exact_div(Dim.of(16))
    return Fact(ctx.input(0).dtype, (shape[0], ctx.fresh() if whole is None else shape[1], *shape[2:]))


@op("ReorderOutput", domain=NCHWC)
def reorder_output(ctx: OpContext) -> Fact:
    """com.microsoft.nchwc ReorderOutput: back to plain channels, as many as `channels` says."""
    batch, _, height, width = sized(ctx, 0, 4)
    channels = ctx.int_attr("channels", 0)
    count = Dim.of(channels) if channels > 0 else ctx.fresh()
    last = bool(ctx.int_attr("channels_last", 0))
    return Fact(ctx.input(0).dtype, (batch, height, width, count) if last else (batch, count, height, width))


@op("GridSample", domain=MICROSOFT)
def grid_sample(ctx: OpContext) -> Fact:
    """com.microsoft GridSample: as ONNX GridSample-16."""
    return apply_standard(ctx, "GridSample", 16, (0, 1), dtype=ctx.input(0).dtype)[0]


@op("CropAndResize", domain=MICROSOFT)
def crop_and_resize(ctx: OpContext) -> Fact:
    """com.microsoft CropAndResize: each region of an image [N, C, H, W], resized to `crop_size`."""
    channels = sized(ctx, 0, 4)[1]
    regions = fit(ctx, 1, number_of_regions=None, corners=4)
    images = fit(ctx, 2, number_of_regions=None if regions is None else regions[0])
    fit(ctx, 3, height_and_width=2)
    count = regions[0] if regions is not None else images[0] if images is not None else ctx.fresh()
    size = ctx.input(3).content
    if size is None or len(size) != 2:
        return Fact(ctx.input(0).dtype, (count, channels, ctx.fresh(), ctx.fresh()))
    for dim in size:
        ctx.require_at_most(1, dim, OPERAND_MISMATCH, "the crop size {3} has an entry {rhs}; both must be positive")
    return Fact(ctx.input(0).dtype, (count, channels, *size))
