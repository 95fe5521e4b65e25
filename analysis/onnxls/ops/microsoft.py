"""The fused operators of onnxruntime (`com.microsoft`) that act element by element or normalise."""

from __future__ import annotations

from onnxls.dims import ONE, Dim
from onnxls.facts import BOOL, FLOAT, INT32, Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.delegation import apply_standard
from onnxls.ops.operands import OPERAND_MISMATCH, OPERAND_RANK, fit, positive, ranked, same_shape, sized
from onnxls.relations import any_of, at_most, equal
from onnxls.rules import rule

MICROSOFT = "com.microsoft"
UINT32 = 12

HALVES = rule(
    "fused-halves-differ",
    "OLS503",
    "error",
    """
    An axis that holds two halves side by side has an odd size.

    `BiasSplitGelu`, and `SwiGLU` with one input, cut the last axis into a left and a right half and multiply one with
    the activation of the other.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
    g (float[N, S, 9] x, float[9] b) => (float[N, S, C] y) {
      # error: [fused-halves-differ]
      y = com.microsoft.BiasSplitGelu (x, b)
    }
    ```
    """,
)
FUSED_GROUPS = rule(
    "fused-group-channels",
    "OLS504",
    "error",
    """
    The channels do not divide into the groups of a fused normalisation.

    `GroupNorm` and `SkipGroupNorm` take images with the channels last ([N, H, W, C]) unless `channels_last = 0`; a
    model converted by hand often still has them on axis 1. `groups` must divide the channels.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
    g (float[N, 32, H, 20] x, float[20] gamma, float[20] beta) => (float[N, 32, H, 20] y) {
      # error: [fused-group-channels]
      y = com.microsoft.GroupNorm <groups = 8, activation = 0> (x, gamma, beta)
    }
    ```
    """,
)


def like(ctx: OpContext, index: int = 0) -> Fact:
    """A tensor with the type and the shape of an input."""
    fact = ctx.input(index)
    return Fact(fact.dtype, fact.shape)


@op("Gelu", "QuickGelu", "ScaledSiLU", "SampleOp", domain=MICROSOFT)
def activation(ctx: OpContext) -> Fact:
    """com.microsoft Gelu, QuickGelu, ScaledSiLU, SampleOp: element by element."""
    return like(ctx)


@op("BiasGelu", "FastGelu", domain=MICROSOFT)
def bias_gelu(ctx: OpContext) -> Fact:
    """com.microsoft BiasGelu, FastGelu: a bias along the last axis (optional for FastGelu), then Gelu."""
    shape = ctx.input(0).shape
    if shape is not None and not shape and ctx.has(1):
        return ctx.reject(OPERAND_RANK, "{0} is a scalar; the bias {1} needs an axis")
    fit(ctx, 1, size_of_the_last_axis=None if shape is None else shape[-1] if shape else ONE)
    return like(ctx)


@op("BiasSplitGelu", domain=MICROSOFT)
def bias_split_gelu(ctx: OpContext) -> Fact:
    """com.microsoft BiasSplitGelu: a bias, then the left half times Gelu of the right."""
    batch, image, hidden = sized(ctx, 0, 3)
    fit(ctx, 1, hidden_size=hidden)
    return Fact(ctx.input(0).dtype, (batch, image, _half(ctx, hidden, 2)))


def _half(ctx: OpContext, dim: Dim, axis: int) -> Dim:
    text = f"axis {axis} of {{0}} is {{dividend}}, which must divide into two halves"
    ctx.require_divides(2, dim, HALVES, text)
    return dim // 2


@op("SwiGLU", domain=MICROSOFT)
def swiglu(ctx: OpContext) -> Fact:
    """com.microsoft SwiGLU: of two tensors of one shape, or of the halves of one."""
    shape = ctx.input(0).shape
    if ctx.has(1):
        same_shape(ctx, 1, 0)
        return like(ctx)
    if shape is None:
        return Fact(ctx.input(0).dtype)
    if not shape:
        return ctx.reject(OPERAND_RANK, "{0} is a scalar; it needs an axis to cut in two")
    return Fact(ctx.input(0).dtype, (*shape[:-1], _half(ctx, shape[-1], len(shape) - 1)))


@op("BiasAdd", domain=MICROSOFT)
def bias_add(ctx: OpContext) -> Fact:
    """com.microsoft BiasAdd: x + bias + skip of [N, S, C]."""
    shape = sized(ctx, 0, 3)
    fit(ctx, 1, channels=shape[2])
    fit(ctx, 2, batch_size=shape[0], image_size=shape[1], channels=shape[2])
    return Fact(ctx.input(0).dtype, shape)


@op("BiasDropout", "BitmaskBiasDropout", domain=MICROSOFT)
def bias_dropout(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft BiasDropout, BitmaskBiasDropout: Dropout (data + bias) + residual."""
    if ctx.has(2):
        same_shape(ctx, 2, 0)
    mask = Fact(BOOL, ctx.input(0).shape) if ctx.op_type == "BiasDropout" else Fact(UINT32)
    return like(ctx), mask


@op("BitmaskDropout", domain=MICROSOFT)
def bitmask_dropout(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft BitmaskDropout: the mask is packed into words."""
    return like(ctx), Fact(UINT32)


@op("BiasSoftmax", domain=MICROSOFT)
def bias_softmax(ctx: OpContext) -> Fact:
    """com.microsoft BiasSoftmax: Softmax (data + bias), the bias broadcast in its own way."""
    return like(ctx)


@op("GatedAdd", domain=MICROSOFT)
def gated_add(ctx: OpContext) -> Fact:
    """com.microsoft GatedAdd: x + gate * y."""
    same_shape(ctx, 1, 0)
    return like(ctx)


@op("IsAllFinite", domain=MICROSOFT)
def is_all_finite(ctx: OpContext) -> Fact:
    """com.microsoft IsAllFinite: one truth for all inputs. Runtimes make it a scalar or a vector of one entry."""
    return Fact(BOOL)


@op("MulInteger", domain=MICROSOFT)
def mul_integer(ctx: OpContext) -> Fact:
    """com.microsoft MulInteger: Mul of quantized tensors, into int32."""
    (fact, *_) = apply_standard(ctx, "Mul", 14, (0, 2))
    return Fact(INT32, fact.shape)


@op("SimplifiedLayerNormalization")
@op("LayerNormalization", "SimplifiedLayerNormalization", domain=MICROSOFT)
def simplified_layer_normalization(ctx: OpContext) -> tuple[Fact, ...]:
    """SimplifiedLayerNormalization, which onnxruntime has in the standard domain: by the root mean square."""
    simplified = ctx.op_type.startswith("Simplified")
    facts = apply_standard(ctx, "LayerNormalization", 17, (0, 1) if simplified else (0, 1, 2))
    first = Fact(ctx.input(1).dtype, facts[0].shape)
    return (first, *(facts[2:] if simplified else facts[1:]))


@op("SkipLayerNormalization", "SkipSimplifiedLayerNormalization", domain=MICROSOFT)
def skip_layer_normalization(ctx: OpContext) -> tuple[Fact, Fact, Fact, Fact]:
    """com.microsoft SkipLayerNormalization, SkipSimplifiedLayerNormalization: of x + skip + bias, by the last axis."""
    dtype, shape, skip = ctx.input(0).dtype, ranked(ctx, 0, 2, 3), ranked(ctx, 1, 2, 3)
    if shape is None:
        return Fact(dtype), Fact(FLOAT), Fact(FLOAT), Fact(dtype)
    if skip is not None:
        _require_skip(ctx, shape, skip)
    for index in (2, 3) if ctx.op_type == "SkipSimplifiedLayerNormalization" else (2, 3, 4):
        fit(ctx, index, hidden_size=shape[-1])
    made, statistics = Fact(dtype, shape), Fact(FLOAT, (*shape[:-1], ONE))
    return made, statistics, statistics, made


def _require_skip(ctx: OpContext, shape: Shape, skip: Shape) -> None:
    """The skip has the last two axes of the input, and may lack its batch."""
    if len(skip) > len(shape):
        ctx.reject(OPERAND_RANK, "{1} has rank 3, but {0} has rank 2: they must have one shape")
        return
    for axis in (-2, -1):
        text = "axis {axis} of {1} is {lhs}, but of {0} {rhs}; only the batch of a skip is repeated"
        ctx.require_equal(skip[axis], shape[axis], OPERAND_MISMATCH, text, axis=len(skip) + axis)


@op("EmbedLayerNormalization", domain=MICROSOFT)
def embed_layer_normalization(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft EmbedLayerNormalization: the sum of word, position and segment embeddings, normalised."""
    shape = _embedded(ctx)
    _require_ids(ctx, 8, shape)
    made = Fact(ctx.input(2).dtype, shape)
    return made, Fact(INT32, shape[:1]), made


@op("QEmbedLayerNormalization", domain=MICROSOFT)
def quantized_embed_layer_normalization(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft QEmbedLayerNormalization: EmbedLayerNormalization of quantized tables."""
    shape = _embedded(ctx)
    return Fact(ctx.input(8).dtype, shape), Fact(INT32, shape[:1])


def _embedded(ctx: OpContext) -> Shape:
    """[batch, sequence, hidden] of the embeddings, with what ids, tables and parameters need."""
    batch, sequence = sized(ctx, 0, 2)
    _, hidden = sized(ctx, 2, 2)
    places = fit(ctx, 3, rows=None, hidden_size=hidden)
    fit(ctx, 4, rows=None, hidden_size=hidden)
    for index in (5, 6):
        fit(ctx, index, hidden_size=hidden)
    if places is not None and (ctx.op_type.startswith("Q") or not ctx.has(8)):
        text = "the sequences of {0} are {lhs} long, but {3} has embeddings for {rhs} positions"
        ctx.require(
            any_of(at_most(sequence, places[0]), equal(batch, 0)), OPERAND_MISMATCH, text, lhs=sequence, rhs=places[0]
        )
    for index in (1, 7):
        fit(ctx, index, batch_size=batch, sequence_length=sequence)
    return batch, sequence, hidden


def _require_ids(ctx: OpContext, index: int, shape: Shape) -> None:
    """The positions: one row for each sequence, or one row for all."""
    own = fit(ctx, index, batch_size=None, sequence_length=shape[1])
    if own is not None:
        text = f"axis 0 of {{{index}}} is {{lhs}}; it must be the batch size {{batch}}, or 1"
        ctx.require_one_of(own[0], (shape[0], 1), OPERAND_MISMATCH, text, batch=shape[0])


@op("GroupNorm", domain=MICROSOFT)
def group_norm(ctx: OpContext) -> Fact:
    """com.microsoft GroupNorm: with the channels last, unless `channels_last = 0`."""
    _grouped(ctx)
    return like(ctx)


@op("SkipGroupNorm", domain=MICROSOFT)
def skip_group_norm(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft SkipGroupNorm: GroupNorm of x + skip + bias; the skip may lack the axes of the image."""
    shape = _grouped(ctx)
    if shape is not None:
        channels = shape[-1] if ctx.int_attr("channels_last", 1) else shape[1]
        fit(ctx, 4, channels=channels)
    skip = ranked(ctx, 3, 2, 4)
    if shape is not None and skip is not None and len(skip) == 2:
        fit(ctx, 3, batch_size=shape[0], channels=shape[-1] if ctx.int_attr("channels_last", 1) else shape[1])
    return like(ctx), like(ctx)


def _grouped(ctx: OpContext) -> Shape | None:
    """The image, with what its groups and parameters need."""
    shape, groups = ranked(ctx, 0, 4), positive(ctx, "groups")
    if shape is None or groups is None:
        return None
    axis = 3 if ctx.int_attr("channels_last", 1) else 1
    text = f"axis {axis} of {{0}} is {{dividend}}; these channels do not divide into {{divisor}} groups"
    ctx.require_divides(groups, shape[axis], FUSED_GROUPS, text)
    for index in (1, 2):
        fit(ctx, index, channels=shape[axis])
    return shape


@op("GatedRMSNorm", domain=MICROSOFT)
def gated_rms_norm(ctx: OpContext) -> Fact:
    """com.microsoft GatedRMSNorm: over each run of C entries of the last axis, times the activation of a gate."""
    shape, scale = ctx.input(0).shape, ranked(ctx, 1, 1)
    same_shape(ctx, 2, 0)
    if shape and scale is not None:
        text = "{0} has {dividend} entries on its last axis, which the {divisor} entries of {1} must divide"
        ctx.require_divides(scale[0], shape[-1], OPERAND_MISMATCH, text)
    return like(ctx)


@op("BranchwiseRMSNorm", "QOrderedLayerNormalization", domain=MICROSOFT)
def branchwise_rms_norm(ctx: OpContext) -> Fact:
    """com.microsoft BranchwiseRMSNorm, QOrderedLayerNormalization: the shape stays."""
    return like(ctx)


@op("Trilu", domain=MICROSOFT)
def trilu(ctx: OpContext) -> Fact:
    """com.microsoft Trilu: as ONNX Trilu-14."""
    return apply_standard(ctx, "Trilu", 14, (0, 1), dtype=ctx.input(0).dtype)[0]


@op("Inverse", domain=MICROSOFT)
def inverse(ctx: OpContext) -> Fact:
    """com.microsoft Inverse: of a stack of square matrices."""
    shape = ctx.input(0).shape
    if shape is not None and len(shape) < 2:
        return ctx.reject(OPERAND_RANK, "{0} has rank {rank}; it must be a matrix or a stack of them", rank=len(shape))
    if shape is not None:
        text = "the last two axes of {0} are {lhs} and {rhs}; only square matrices have an inverse"
        ctx.require_equal(shape[-2], shape[-1], OPERAND_MISMATCH, text)
    return like(ctx)


@op("ComplexMul", "ComplexMulConj", domain=MICROSOFT)
def complex_mul(ctx: OpContext) -> Fact:
    """com.microsoft ComplexMul, ComplexMulConj: the last axis holds the real and the imaginary part."""
    for index in (0, 1):
        shape = ctx.input(index).shape
        if shape:
            text = f"the last axis of {{{index}}} is {{lhs}}; it must hold a real and an imaginary part"
            ctx.require_equal(shape[-1], 2, OPERAND_MISMATCH, text)
    return apply_standard(ctx, "Mul", 14, (0, 1), dtype=ctx.input(0).dtype)[0]
