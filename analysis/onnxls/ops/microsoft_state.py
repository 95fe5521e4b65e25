"""The operators of onnxruntime (`com.microsoft`) that carry a state from step to step."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.delegation import apply_standard
from onnxls.ops.heads import head_size
from onnxls.ops.operands import OPERAND_MISMATCH, fit, positive, ranked, same_shape, sized

MICROSOFT = "com.microsoft"


@op("LinearAttention", domain=MICROSOFT)
def linear_attention(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft LinearAttention: [batch, length, heads * size of a value]; the state is one matrix a head."""
    dtype, window = ctx.input(0).dtype, ctx.int_attr("state_window", 0)
    query, value = sized(ctx, 0, 3), sized(ctx, 2, 3)
    heads, groups = positive(ctx, "q_num_heads"), positive(ctx, "kv_num_heads")
    if heads is None or groups is None:
        return Fact(dtype), Fact(dtype)
    size = head_size(ctx, 0, query, heads)
    fit(ctx, 1, batch_size=query[0], length=query[1], hidden_size_of_keys=size * groups)
    fit(ctx, 2, batch_size=query[0], length=query[1], hidden_size_of_values=None)
    width = head_size(ctx, 2, value, groups)
    state: Shape = (query[0], Dim.of(groups), size, width)
    if window > 0:
        state = (Dim.of(window), *state)
    kept = ctx.input(3).dtype if ctx.has(3) else dtype
    return Fact(dtype, (query[0], query[1], width * max(heads, groups))), Fact(kept, state)


@op("LinearAttentionGate", domain=MICROSOFT)
def linear_attention_gate(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft LinearAttentionGate: decay and update rate of each head."""
    shape = sized(ctx, 0, 3)
    for index in (1, 2):
        fit(ctx, index, heads=shape[2])
    fit(ctx, 3, batch_size=shape[0], length=shape[1], heads=shape[2])
    made = Fact(ctx.input(0).dtype, shape)
    return made, made


@op("CausalConvWithState", domain=MICROSOFT)
def causal_conv_with_state(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft CausalConvWithState: the shape stays; the state holds what the next window needs."""
    dtype, shape, weight = ctx.input(0).dtype, ctx.input(0).shape, ctx.input(1).shape
    extended = any(ctx.int_attr(name, 0) for name in ("input_channels", "input_channel_offset", "state_length"))
    if extended or ctx.int_attr("state_channels_last", -1) != -1 or ctx.int_attr("ndim", 1) != 1:
        return Fact(dtype, None if extended else shape), Fact(dtype), Fact(dtype)
    if shape is None or len(shape) < 3 or weight is None or len(weight) != 3:
        return Fact(dtype, shape), Fact(dtype), Fact(dtype)
    length = (weight[2] - 1) * ctx.int_attr("dilation", 1)
    if ctx.int_attr("channels_last", 0):
        state: Shape = (shape[0], length, *shape[2:])
    else:
        fit(ctx, 0, batch_size=None, channels=weight[0], length=None)
        state = (*shape[:2], length)
    fit(ctx, 2, channels=weight[0])
    window = ctx.int_attr("state_window", 0)
    return Fact(dtype, shape), Fact(dtype, (Dim.of(window), *state) if window > 0 else state), Fact(dtype)


@op("GatedDeltaNet", domain=MICROSOFT)
def gated_delta_net(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft GatedDeltaNet: of tokens [count, heads, size], or [batch, sequence, heads, size]."""
    dtype, query, value, state = ctx.input(0).dtype, ctx.input(0).shape, ctx.input(2).shape, ctx.input(6)
    kept = Fact(state.dtype, ranked(ctx, 6, 4))
    if query is None or value is None or len(query) != len(value) or len(value) < 3:
        return Fact(dtype), kept, Fact(state.dtype)
    heads = value[-2]  # a positive multiple of the heads of queries
    return Fact(dtype, (*query[:-2], heads, value[-1])), kept, Fact(state.dtype)


@op("HyperConnectionPostMix", domain=MICROSOFT)
def hyper_connection_post_mix(ctx: OpContext) -> Fact:
    """com.microsoft HyperConnectionPostMix: the shape of the streams stays."""
    return Fact(ctx.input(0).dtype, ctx.input(0).shape)


@op("HyperConnectionPreMix", domain=MICROSOFT)
def hyper_connection_pre_mix(ctx: OpContext) -> Fact:
    """com.microsoft HyperConnectionPreMix: streams [..., C, H], or [..., C * H], to one [..., H]."""
    dtype, shape, branches = ctx.input(0).dtype, ctx.input(0).shape, ctx.int_attr("num_branches", 0)
    if shape is None or len(shape) < 2:
        return Fact(dtype)
    if branches <= 0:
        return Fact(dtype, (*shape[:-2], shape[-1]))
    text = "the last axis of {0} is {dividend}, which the {divisor} branches must divide"
    ctx.require_divides(branches, shape[-1], OPERAND_MISMATCH, text)
    return Fact(dtype, (*shape[:-1], shape[-1] // branches))


@op("EngramGate", domain=MICROSOFT)
def engram_gate(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft EngramGate: the shape of the keys."""
    same_shape(ctx, 1, 0)
    made = Fact(ctx.input(0).dtype, ranked(ctx, 0, 4))
    return made, made


@op("NGramHashMapping", domain=MICROSOFT)
def ngram_hash_mapping(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft NGramHashMapping: hashes for each order of n-gram and head; the ids that the next call needs."""
    batch, sequence = sized(ctx, 0, 2)
    dtype, order, heads = ctx.input(0).dtype, positive(ctx, "max_ngram_size"), positive(ctx, "n_head_per_ngram")
    if order is None or heads is None:
        return Fact(dtype), Fact(dtype)
    return Fact(dtype, (batch, sequence, Dim.of((order - 1) * heads))), Fact(dtype, (batch, Dim.of(order - 1)))


@op("DynamicQuantizeLSTM", domain=MICROSOFT)
def dynamic_quantize_lstm(ctx: OpContext) -> tuple[Fact, ...]:
    """com.microsoft DynamicQuantizeLSTM: LSTM by quantized weights, which are kept transposed."""
    facts: dict[int, Fact] = {}
    for index in (1, 2):
        fact = ctx.input(index)
        if fact.shape is not None and len(fact.shape) == 3:
            facts[index] = Fact(fact.dtype, (fact.shape[0], fact.shape[2], fact.shape[1]))
    note = " (the last two axes of {1} and {2} are counted the other way round)"
    return apply_standard(ctx, "LSTM", 7, range(8), dtype=ctx.input(0).dtype, facts=facts, note=note)


@op("AttnLSTM", domain=MICROSOFT)
def attention_lstm(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft AttnLSTM: LSTM whose input goes together with the context of an attention."""
    length, batch, _ = sized(ctx, 0, 3)
    directions, _, hidden = sized(ctx, 2, 3)
    state = Fact(ctx.input(0).dtype, (directions, batch, hidden))
    return Fact(ctx.input(0).dtype, (length, directions, batch, hidden)), state, state
