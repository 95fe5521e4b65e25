"""The fused operators of onnxruntime (`com.microsoft`) that put positions into queries, keys and scores."""

from __future__ import annotations

from onnxls.dims import ONE, Dim
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.heads import HEADS_MISMATCH, head_size
from onnxls.ops.operands import OPERAND_MISMATCH, OPERAND_RANK, fit, positive, ranked, same_shape, sized

MICROSOFT = "com.microsoft"


@op("RotaryEmbedding", domain=MICROSOFT)
def rotary_embedding(ctx: OpContext) -> Fact:
    """com.microsoft RotaryEmbedding: of [batch, sequence, hidden] or [batch, heads, sequence, head size]."""
    shape, cosine = ranked(ctx, 0, 3, 4), ranked(ctx, 2, 2)
    same_shape(ctx, 3, 2)
    fact = Fact(ctx.input(0).dtype, ctx.input(0).shape)
    if shape is None:
        return fact
    sequence = shape[1] if len(shape) == 3 else shape[2]
    _require_positions(ctx, shape[0], sequence)
    if cosine is not None:
        text = "the sequences of {0} are {lhs} long, but {2} has values for {rhs} positions"
        ctx.require_at_most(sequence, cosine[0], OPERAND_MISMATCH, text)
        _require_rotated(ctx, shape, cosine[1])
    return fact


def _require_positions(ctx: OpContext, batch: Dim, sequence: Dim) -> None:
    """The positions: a first one for all, or one for each token."""
    own = ctx.input(1).shape
    if own is None:
        return
    if len(own) == 2:
        fit(ctx, 1, batch_size=batch, sequence_length=sequence)
    elif len(own) == 1:
        text = "{1} has {lhs} entries; it must be one first position, or [batch, sequence] of them"
        ctx.require_equal(own[0], 1, OPERAND_MISMATCH, text)
    elif own:
        text = "{1} has rank {rank}; it must be one first position, or [batch, sequence] of them"
        ctx.reject(OPERAND_RANK, text, rank=len(own))


def _require_rotated(ctx: OpContext, shape: Shape, half: Dim) -> None:
    """The caches hold half of what is rotated: of a head, or of its first `rotary_embedding_dim` entries."""
    rotated, heads = ctx.int_attr("rotary_embedding_dim", 0), ctx.int_attr("num_heads", 0)
    if rotated > 0 or heads > 0:
        if len(shape) == 3 and heads > 0:
            head_size(ctx, 0, shape, heads)
        return
    if len(shape) == 4:
        text = "axis 3 of {0}, the head size, is {lhs}; the cache {2} is made for {rhs} (twice its axis 1)"
        ctx.require_equal(shape[3], 2 * half, OPERAND_MISMATCH, text)
        return
    text = "axis 2 of {0} is {dividend}, which the head size {divisor} (twice axis 1 of {2}) must divide"
    ctx.require_divides(2 * half, shape[2], HEADS_MISMATCH, text)


@op("MRotaryEmbedding", domain=MICROSOFT)
def multimodal_rotary_embedding(ctx: OpContext) -> Fact:
    """com.microsoft MRotaryEmbedding: RotaryEmbedding with three positions for each token."""
    shape = ranked(ctx, 0, 3, 4)
    same_shape(ctx, 3, 2)
    if shape is not None:
        fit(ctx, 1, streams_of_positions=3, batch_size=shape[0], sequence_length=shape[1 if len(shape) == 3 else 2])
    return Fact(ctx.input(0).dtype, shape)


@op("GemmaRotaryEmbedding", domain=MICROSOFT)
def gemma_rotary_embedding(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft GemmaRotaryEmbedding: of queries and of keys, [batch, heads, sequence, head size]."""
    for rotated, plain in ((2, 1), (4, 3)):
        same_shape(ctx, rotated, plain)
    made = [Fact(ctx.input(index).dtype, ctx.input(index).shape) for index in (1, 3)]
    return made[0], made[1]


@op("RelativePositionBias", domain=MICROSOFT)
def relative_position_bias(ctx: OpContext) -> Fact:
    """com.microsoft RelativePositionBias: [1, heads, queries, keys] from a table [buckets, heads]."""
    _, heads = sized(ctx, 0, 2)
    lengths = [_length(ctx, index) for index in (1, 2)]
    return Fact(ctx.input(0).dtype, (ONE, heads, *lengths))


def _length(ctx: OpContext, index: int) -> Dim:
    """A length that is an input; a new one where it is not known, or might be negative."""
    length = ctx.input(index).scalar
    low = None if length is None else length.range[0]
    return ctx.fresh() if length is None or low is None or low < 0 else length


@op("GatedRelativePositionBias", domain=MICROSOFT)
def gated_relative_position_bias(ctx: OpContext) -> Fact:
    """com.microsoft GatedRelativePositionBias: [batch, heads, sequence, sequence]."""
    query, heads = ranked(ctx, 0, 2, 3), positive(ctx, "num_heads")
    offsets, bias = ranked(ctx, 6, 2), ranked(ctx, 2, 4)
    if heads is None:
        return Fact(ctx.input(0).dtype)
    if offsets is not None:
        batch, sequence = offsets
    elif query is not None and len(query) == 3:
        batch, sequence = query[:2]
    else:
        batch, sequence = ctx.fresh(), ctx.fresh() if bias is None else bias[2]
    fit(ctx, 2, one=1, heads=heads, sequence_length=sequence, length_of_the_keys=sequence)
    if query is not None:
        fit(ctx, 1, hidden_size=query[-1])
    return Fact(ctx.input(0).dtype, (batch, Dim.of(heads), sequence, sequence))


@op("RMSNormRotary", domain=MICROSOFT)
def rms_norm_rotary(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft RMSNormRotary: of [batch, sequence, heads, stride], into [batch, sequence, heads * width]."""
    batch, sequence, heads, _ = sized(ctx, 0, 4)
    (width,) = sized(ctx, 1, 1)
    normalized = Fact(ctx.input(1).dtype, (batch, sequence, heads, width))
    return Fact(None, (batch, sequence, heads * width)), normalized
