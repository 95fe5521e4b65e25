"""The fused attention of onnxruntime (`com.microsoft`) that projects its input by weights of its own."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import Dim
from onnxls.facts import INT32, Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.fused_attention import require_bias, require_mask
from onnxls.ops.heads import HEADS_MISMATCH
from onnxls.ops.operands import FUSED_ATTRIBUTE, OPERAND_MISMATCH, fit, positive, sized

MICROSOFT = "com.microsoft"
INT8 = 3


@op("Attention", "DecoderMaskedSelfAttention", domain=MICROSOFT)
def attention(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft Attention, DecoderMaskedSelfAttention: queries, keys and values from one input and one matrix."""
    decoding = ctx.op_type == "DecoderMaskedSelfAttention"
    batch, sequence, features = sized(ctx, 0, 3)
    if decoding:
        text = "axis 1 of {0} is {lhs}; a decoding step takes one token"
        ctx.require_equal(sequence, 1, OPERAND_MISMATCH, text)
    heads = positive(ctx, "num_heads")
    columns = _columns(ctx, features, (1, 2))
    queries, values = _hidden_sizes(ctx, columns, heads)
    past = _past(ctx, 4, batch, heads, queries)
    total, length = _lengths(ctx, past, sequence)
    if total is not None:
        require_mask(ctx, 3, batch, sequence, total)
        require_bias(ctx, 5, batch, heads, sequence, total)
    dtype = ctx.input(0).dtype
    present = None
    if heads is not None and queries is values:
        length = ctx.fresh() if length is None else length
        present = (Dim.of(2), batch, Dim.of(heads), length, queries // heads)
    return Fact(dtype, (batch, sequence, values)), Fact(dtype, present)


@op("QAttention", domain=MICROSOFT)
def quantized_attention(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft QAttention: Attention of a quantized input and quantized weights."""
    batch, sequence, features = sized(ctx, 0, 3)
    heads = positive(ctx, "num_heads")
    hidden, _ = _hidden_sizes(ctx, _columns(ctx, features, (1, 2)), heads)
    past = _past(ctx, 8, batch, heads, hidden)
    total = past[3] + sequence if past is not None else None if ctx.has(8) else sequence
    if total is not None:
        require_mask(ctx, 5, batch, sequence, total)
    dtype, present = ctx.input(2).dtype, None
    if heads is not None:
        total = ctx.fresh() if total is None else total
        present = (Dim.of(2), batch, Dim.of(heads), total, hidden // heads)
    return Fact(dtype, (batch, sequence, hidden)), Fact(dtype, present)


@op("PackedAttention", domain=MICROSOFT)
def packed_attention(ctx: OpContext) -> Fact:
    """com.microsoft PackedAttention: Attention of tokens [count, features] without padding."""
    tokens, features = sized(ctx, 0, 2)
    heads = positive(ctx, "num_heads")
    _, values = _hidden_sizes(ctx, _columns(ctx, features, (1, 2)), heads)
    return Fact(ctx.input(0).dtype, (tokens, values))


@op("LongformerAttention", "QOrderedLongformerAttention", domain=MICROSOFT)
def longformer_attention(ctx: OpContext) -> Fact:
    """com.microsoft LongformerAttention, QOrderedLongformerAttention: the shape of the input stays."""
    return Fact(ctx.input(0).dtype, sized(ctx, 0, 3))


@op("DecoderAttention", domain=MICROSOFT)
def decoder_attention(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft DecoderAttention: [sequence, batch, hidden]; which caches it fills depends on its flags."""
    length, batch, hidden = sized(ctx, 0, 3)
    heads, dtype = positive(ctx, "num_heads"), ctx.input(0).dtype
    if heads is None:
        return Fact(dtype), Fact(dtype), Fact(dtype)
    _require_heads(ctx, hidden, heads, "axis 2 of {0}")
    cache = (batch, Dim.of(heads), ctx.fresh(), hidden // heads)
    return Fact(dtype, (length, batch, hidden)), Fact(dtype, cache), Fact(dtype, cache)


@op("QOrderedAttention", domain=MICROSOFT)
def ordered_attention(ctx: OpContext) -> Fact:
    """com.microsoft QOrderedAttention: Attention in int8, with a matrix each for queries, keys and values."""
    batch, sequence, features = sized(ctx, 0, 3)
    for index in (5, 6):
        fit(ctx, index, features=features, hidden_size=None)
    values = fit(ctx, 7, features=features, hidden_size=None)
    return Fact(INT8, (batch, sequence, ctx.fresh() if values is None else values[1]))


def _columns(ctx: OpContext, features: Dim, indices: tuple[int, int]) -> Dim:
    """The columns of the merged weights, which are as long as the input has features."""
    weights = fit(ctx, indices[0], features=features, columns=None)
    bias = fit(ctx, indices[1], columns=None if weights is None else weights[1])
    return weights[1] if weights is not None else bias[0] if bias is not None else ctx.fresh()


def _hidden_sizes(ctx: OpContext, columns: Dim, heads: int | None) -> tuple[Dim, Dim]:
    """The hidden sizes of queries (and keys) and of values; one object where they are one."""
    sizes: Sequence[int] = ctx.ints_attr("qkv_hidden_sizes") or ()
    if not sizes:
        text = "there are {dividend} columns in the weights {1}, for equal queries, keys and values: divide by 3"
        ctx.require_divides(3, columns, HEADS_MISMATCH, text)
        exact = columns.exact_div(Dim.of(3))
        hidden = columns // 3 if exact is None else exact
        if heads is not None:
            _require_heads(ctx, hidden, heads, "a third of the columns of {1}")
        return hidden, hidden
    if len(sizes) != 3 or sizes[0] != sizes[1] or (heads is not None and any(size % heads for size in sizes)):
        text = "qkv_hidden_sizes is {sizes}; it needs three multiples of the {heads} heads, the first two equal"
        ctx.reject(FUSED_ATTRIBUTE, text, sizes=list(sizes), heads=heads)
        return ctx.fresh(), ctx.fresh()
    text = "there are {lhs} columns in the weights {1}, but qkv_hidden_sizes makes {rhs}"
    ctx.require_equal(columns, sum(sizes), OPERAND_MISMATCH, text)
    queries = Dim.of(sizes[0])
    return queries, queries if sizes[2] == sizes[0] else Dim.of(sizes[2])


def _require_heads(ctx: OpContext, hidden: Dim, heads: int, what: str) -> None:
    text = what + " is {dividend}, which the {divisor} heads must divide"
    ctx.require_divides(heads, hidden, HEADS_MISMATCH, text)


def _past(ctx: OpContext, index: int, batch: Dim, heads: int | None, hidden: Dim) -> Shape | None:
    """The shape of the keys and values so far, [2, batch, heads, length, head size]."""
    size = None if heads is None else hidden // heads
    return fit(ctx, index, number_of_keys_and_values=2, batch_size=batch, heads=heads, length=None, head_size=size)


def _lengths(ctx: OpContext, past: Shape | None, sequence: Dim) -> tuple[Dim | None, Dim | None]:
    """How many entries are attended to, and how many the present state holds."""
    if not ctx.has(4):
        return sequence, sequence
    if past is None:
        return None, None
    if not ctx.int_attr("past_present_share_buffer", 0):
        return past[3] + sequence, past[3] + sequence
    so_far = ctx.input(6).scalar
    return (None if so_far is None else so_far + sequence), past[3]


@op("RemovePadding", domain=MICROSOFT)
def remove_padding(ctx: OpContext) -> tuple[Fact, Fact, Fact, Fact]:
    """com.microsoft RemovePadding: the tokens that are no padding, one after another, and where they were."""
    batch, sequence, hidden = sized(ctx, 0, 3)
    fit(ctx, 1, batch_size=batch)
    tokens = ctx.fresh("data", upper=batch * sequence)
    places = Fact(INT32, (batch, sequence))
    lengths = Fact(INT32, (batch + 1,))
    return Fact(ctx.input(0).dtype, (tokens, hidden)), places, lengths, Fact(INT32, (Dim.of(1),))


@op("RestorePadding", domain=MICROSOFT)
def restore_padding(ctx: OpContext) -> Fact:
    """com.microsoft RestorePadding: tokens back to their places in [batch, sequence, hidden]."""
    _, hidden = sized(ctx, 0, 2)
    batch, sequence = sized(ctx, 1, 2)
    return Fact(ctx.input(0).dtype, (batch, sequence, hidden))
