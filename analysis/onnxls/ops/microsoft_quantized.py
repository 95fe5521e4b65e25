"""The quantized operators of onnxruntime (`com.microsoft`) that are a standard operator with scales and zero points."""

from __future__ import annotations

from onnxls.dims import ONE
from onnxls.facts import FLOAT, INT64, Fact, Shape
from onnxls.ops import op
from onnxls.ops.channels import channels_first, channels_last
from onnxls.ops.context import OpContext
from onnxls.ops.delegation import apply_standard
from onnxls.ops.operands import OPERAND_RANK, ranked

MICROSOFT = "com.microsoft"
UINT8, INT8, INT32, UINT32 = 2, 3, 6, 12


@op("QLinearAdd", "QLinearMul", domain=MICROSOFT)
def quantized_arithmetic(ctx: OpContext) -> Fact:
    """com.microsoft QLinearAdd, QLinearMul: Add, Mul of quantized tensors."""
    shape = apply_standard(ctx, ctx.op_type.removeprefix("QLinear"), 14, (0, 3))[0].shape
    return Fact(ctx.input(0).dtype, shape)


@op("QLinearSigmoid", "QLinearLeakyRelu", "QOrderedGelu", domain=MICROSOFT)
def quantized_activation(ctx: OpContext) -> Fact:
    """com.microsoft QLinearSigmoid, QLinearLeakyRelu, QOrderedGelu: element by element."""
    return Fact(ctx.input(0).dtype, ctx.input(0).shape)


@op("QLinearSoftmax", domain=MICROSOFT)
def quantized_softmax(ctx: OpContext) -> Fact:
    """com.microsoft QLinearSoftmax: Softmax of a quantized tensor."""
    return apply_standard(ctx, "Softmax", 13, (0,), dtype=ctx.input(0).dtype)[0]


@op("QLinearWhere", domain=MICROSOFT)
def quantized_where(ctx: OpContext) -> Fact:
    """com.microsoft QLinearWhere: Where of quantized tensors."""
    return Fact(ctx.input(1).dtype, apply_standard(ctx, "Where", 16, (0, 1, 4))[0].shape)


@op("QLinearConcat", domain=MICROSOFT)
def quantized_concat(ctx: OpContext) -> Fact:
    """com.microsoft QLinearConcat: Concat of quantized tensors, each with its scale and zero point."""
    inputs = range(2, len(ctx.inputs), 3)
    return Fact(ctx.input(1).dtype, apply_standard(ctx, "Concat", 13, inputs)[0].shape)


@op("QLinearReduceMean", domain=MICROSOFT)
def quantized_reduce_mean(ctx: OpContext) -> Fact:
    """com.microsoft QLinearReduceMean: ReduceMean of a quantized tensor, the axes an attribute."""
    return Fact(ctx.input(0).dtype, apply_standard(ctx, "ReduceMean", 13, (0,))[0].shape)


@op("ReduceSumInteger", domain=MICROSOFT)
def reduce_sum_integer(ctx: OpContext) -> Fact:
    """com.microsoft ReduceSumInteger: ReduceSum of bytes into 32 bits, the axes an attribute."""
    dtype = {UINT8: UINT32, INT8: INT32}.get(ctx.input(0).dtype or 0)
    return Fact(dtype, apply_standard(ctx, "ReduceSum", 11, (0,))[0].shape)


@op("QLinearAveragePool", domain=MICROSOFT)
def quantized_average_pool(ctx: OpContext) -> Fact:
    """com.microsoft QLinearAveragePool: AveragePool of a quantized image, with the channels last if told so."""
    dtype = ctx.input(0).dtype
    if not ctx.int_attr("channels_last", 0):
        return apply_standard(ctx, "AveragePool", 10, (0,), dtype=dtype)[0]
    facts, note = channels_first(ctx, 0)
    return channels_last(apply_standard(ctx, "AveragePool", 10, (0,), dtype=dtype, facts=facts, note=note)[0])


@op("QLinearGlobalAveragePool", domain=MICROSOFT)
def quantized_global_average_pool(ctx: OpContext) -> Fact:
    """com.microsoft QLinearGlobalAveragePool: one mean for each channel, the channels last if told so."""
    dtype, shape = ctx.input(0).dtype, ctx.input(0).shape
    if shape is None:
        return Fact(dtype)
    if len(shape) < 3:
        return ctx.reject(OPERAND_RANK, "{0} has rank {rank}; there is no spatial axis", rank=len(shape))
    spatial = (ONE,) * (len(shape) - 2)
    last = bool(ctx.int_attr("channels_last", 0))
    return Fact(dtype, (shape[0], *spatial, shape[-1]) if last else (*shape[:2], *spatial))


@op("QLinearConv", domain=MICROSOFT)
def quantized_conv(ctx: OpContext) -> Fact:
    """com.microsoft QLinearConv: QLinearConv with the channels last if told so; the weights stay as they are."""
    dtype, inputs = ctx.input(7).dtype, range(9)
    if not ctx.int_attr("channels_last", 0):
        return Fact(dtype, apply_standard(ctx, "QLinearConv", 10, inputs)[0].shape)
    facts, note = channels_first(ctx, 0)
    return channels_last(Fact(dtype, apply_standard(ctx, "QLinearConv", 10, inputs, facts=facts, note=note)[0].shape))


@op("QuantizeLinear", domain=MICROSOFT)
def quantize_linear(ctx: OpContext) -> Fact:
    """com.microsoft QuantizeLinear: by tensor, or by the axis `axis`, into the type of the zero point."""
    apply_standard(ctx, "QuantizeLinear", 13, (0, 1, 2))
    return Fact(ctx.input(2).dtype if ctx.has(2) else UINT8, ctx.input(0).shape)


@op("DequantizeLinear", domain=MICROSOFT)
def dequantize_linear(ctx: OpContext) -> Fact:
    """com.microsoft DequantizeLinear: by tensor, or by the axis `axis`, into the type of the scale."""
    apply_standard(ctx, "DequantizeLinear", 13, (0, 1, 2))
    return Fact(ctx.input(1).dtype, ctx.input(0).shape)


@op("QuantizeBFP", domain=MICROSOFT)
def quantize_bfp(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft QuantizeBFP: a buffer of bytes, and the shape and the strides of what it was made from."""
    rank, shape = ctx.input(0).rank, ctx.input(0).shape
    length: Shape = (ctx.fresh() if rank is None else ONE * rank,)
    return Fact(UINT8, (ctx.fresh(),)), Fact(INT64, length, shape), Fact(INT64, length)


@op("DequantizeBFP", domain=MICROSOFT)
def dequantize_bfp(ctx: OpContext) -> Fact:
    """com.microsoft DequantizeBFP: a tensor of the shape that is an input."""
    ranked(ctx, 0, 1)
    return Fact(ctx.int_attr("dtype", FLOAT), ctx.input(1).content)


@op("QuantizeWithOrder", domain=MICROSOFT)
def quantize_with_order(ctx: OpContext) -> Fact:
    """com.microsoft QuantizeWithOrder: into int8, in another layout."""
    return Fact(INT8, ctx.input(0).shape)


@op("DequantizeWithOrder", domain=MICROSOFT)
def dequantize_with_order(ctx: OpContext) -> Fact:
    """com.microsoft DequantizeWithOrder: into the type `to`, in another layout."""
    return Fact(ctx.int_attr("to", 0) or None, ctx.input(0).shape)
