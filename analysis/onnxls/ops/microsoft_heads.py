"""The fused attention of onnxruntime (`com.microsoft`) whose queries, keys and values are inputs."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.dims import Dim, maximum
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.fused_attention import require_bias, require_mask
from onnxls.ops.heads import head_size, require_groups
from onnxls.ops.operands import OPERAND_MISMATCH, OPERAND_RANK, fit, positive, ranked, sized

MICROSOFT = "com.microsoft"


@dataclass(frozen=True, slots=True)
class Attended:
    """The sizes of an attention. `length`: of the new keys, or of all of them where they are the cache."""

    batch: Dim
    sequence: Dim
    length: Dim
    size: Dim
    values: Dim
    """The hidden size of the values: that of the output."""


@op("MultiHeadAttention", domain=MICROSOFT)
def multi_head_attention(ctx: OpContext) -> tuple[Fact, Fact, Fact, Fact]:
    """com.microsoft MultiHeadAttention: queries, keys and values apart, keys and values packed, or all three packed."""
    dtype, heads = ctx.input(0).dtype, positive(ctx, "num_heads")
    found = None if heads is None else _attended(ctx, heads)
    if found is None or heads is None:
        return Fact(dtype), Fact(dtype), Fact(dtype), Fact()
    cached = _require_cache(ctx, (6, 7), found, heads)
    before = cached[2] if cached is not None else ctx.fresh() if ctx.has(6) else Dim.of(0)
    total = before + found.length
    if not ctx.has(6):
        require_mask(ctx, 4, found.batch, found.sequence, total)
    if not ctx.has(8):
        require_bias(ctx, 5, found.batch, heads, found.sequence, total)
    present = before if ctx.has(8) else total
    keys = Fact(dtype, (found.batch, Dim.of(heads), present, found.size))
    values = Fact(dtype, (found.batch, Dim.of(heads), present, found.values // heads))
    scores = Fact(shape=(found.batch, Dim.of(heads), found.sequence, ctx.fresh() if ctx.has(8) else total))
    return Fact(dtype, (found.batch, found.sequence, found.values)), keys, values, scores


@op("DecoderMaskedMultiHeadAttention", domain=MICROSOFT)
def decoder_masked_multi_head_attention(ctx: OpContext) -> tuple[Fact, Fact, Fact, Fact]:
    """com.microsoft DecoderMaskedMultiHeadAttention: MultiHeadAttention for one new token."""
    dtype, heads = ctx.input(0).dtype, positive(ctx, "num_heads")
    if heads is None:
        return Fact(dtype), Fact(dtype), Fact(dtype), Fact()
    batch, sequence, hidden = sized(ctx, 0, 3)
    text = "axis 1 of {0} is {lhs}; a decoding step takes one token"
    ctx.require_equal(sequence, 1, OPERAND_MISMATCH, text)
    if not ctx.has(1):
        output = Fact(dtype, (batch, sequence, ctx.fresh()))
        return output, like(ctx, 5), like(ctx, 6), Fact(shape=(batch, Dim.of(heads), sequence, ctx.fresh()))
    found = _separate(ctx, heads, (batch, sequence, hidden))
    if found is None:
        return Fact(dtype), Fact(dtype), Fact(dtype), Fact()
    shared = bool(ctx.int_attr("past_present_share_buffer", 0))
    cached = _require_cache(ctx, (5, 6), found, heads)
    before = cached[2] if cached is not None else ctx.fresh() if ctx.has(5) else Dim.of(0)
    present = before if shared else before + found.length
    keys = Fact(dtype, (batch, Dim.of(heads), present, found.size))
    values = Fact(dtype, (batch, Dim.of(heads), present, found.values // heads))
    scores = Fact(shape=(batch, Dim.of(heads), sequence, ctx.fresh() if shared else present))
    return Fact(dtype, (batch, sequence, found.values)), keys, values, scores


def like(ctx: OpContext, index: int) -> Fact:
    """A tensor with the type and the shape of an input."""
    fact = ctx.input(index)
    return Fact(fact.dtype, fact.shape)


def _attended(ctx: OpContext, heads: int) -> Attended | None:
    """The sizes of MultiHeadAttention, in whichever layout; None where the layout is not known, or wrong."""
    query = ranked(ctx, 0, 3, 5)
    if query is None:
        return None
    if len(query) == 3:
        return _separate(ctx, heads, query) if ctx.has(1) else None
    if ctx.has(1):
        ctx.reject(OPERAND_RANK, "{0} has rank 5, so that it holds keys and values as well, but {1} is given too")
        return None
    packed = fit(ctx, 0, batch_size=None, length=None, heads=heads, queries_keys_and_values=3, head_size=None)
    if packed is None:
        return None
    return Attended(packed[0], packed[1], packed[1], packed[4], packed[4] * heads)


def _separate(ctx: OpContext, heads: int, query: Shape) -> Attended | None:
    """The sizes where the queries are an input of their own, of rank 3."""
    batch, sequence, hidden = query
    size = head_size(ctx, 0, query, heads)
    _require_projection_bias(ctx, hidden)
    key = ranked(ctx, 1, 3, 4, 5)
    if key is None:
        return None
    if len(key) == 5:
        fit(ctx, 1, batch_size=batch, length=None, heads=heads, keys_and_values=2, head_size=size)
        return Attended(batch, sequence, key[1], size, hidden)
    if len(key) == 4:
        fit(ctx, 1, batch_size=batch, heads=heads, length=None, head_size=size)
        value = fit(ctx, 2, batch_size=batch, heads=heads, length=key[2], head_size=None)
        return Attended(batch, sequence, key[2], size, (ctx.fresh() if value is None else value[3]) * heads)
    fit(ctx, 1, batch_size=batch, length=None, hidden_size=hidden)
    value = fit(ctx, 2, batch_size=batch, length_of_the_keys=key[1], hidden_size=None)
    if value is None:
        return Attended(batch, sequence, key[1], size, ctx.fresh())
    if value[2] != hidden:
        head_size(ctx, 2, value, heads)
    return Attended(batch, sequence, key[1], size, value[2])


def _require_projection_bias(ctx: OpContext, hidden: Dim) -> None:
    """The bias of the projections: for queries, keys and values, one after another."""
    index, value = (10 if ctx.op_type.startswith("Decoder") else 3), ctx.input(2).shape
    columns = 2 * hidden + value[2] if value is not None and len(value) == 3 else None
    fit(ctx, index, size_of_queries_keys_and_values=columns)


def _require_cache(ctx: OpContext, indices: tuple[int, int], found: Attended, heads: int) -> Shape | None:
    """The keys so far, [batch, heads, length, head size], with the values beside them."""
    keys = fit(ctx, indices[0], batch_size=found.batch, heads=heads, length=None, head_size=found.size)
    length = None if keys is None else keys[2]
    values = fit(ctx, indices[1], batch_size=found.batch, heads=heads, length_of_the_keys=length, head_size=None)
    return keys if keys is not None else values


@op("PackedMultiHeadAttention", domain=MICROSOFT)
def packed_multi_head_attention(ctx: OpContext) -> Fact:
    """com.microsoft PackedMultiHeadAttention: of tokens [count, hidden], or [count, heads, 3, head size]."""
    query, value = ranked(ctx, 0, 2, 4), ranked(ctx, 2, 2)
    tokens = ctx.fresh() if query is None else query[0]
    if query is not None and len(query) == 4:
        return Fact(ctx.input(0).dtype, (tokens, query[1] * query[3]))
    return Fact(ctx.input(0).dtype, (tokens, ctx.fresh() if value is None else value[1]))


@op("GroupQueryAttention", domain=MICROSOFT)
def group_query_attention(ctx: OpContext) -> tuple[Fact, Fact, Fact, Fact]:
    """com.microsoft GroupQueryAttention: a present state is as long as the whole sequence, and at least as the past."""
    batch, sequence, size = _grouped(ctx)
    heads, groups = ctx.int_attr("num_heads", 0), ctx.int_attr("kv_num_heads", 0)
    dtype, total = ctx.input(0).dtype, ctx.input(6).scalar
    fit(ctx, 5, batch_size=batch)
    past = [fit(ctx, index, batch_size=batch, heads=groups, length=None, head_size=None) for index in (3, 4)]
    length = _present_length(ctx, past[0] if past[0] is not None else past[1], total)
    states: list[Fact] = []
    for index, shape in zip((3, 4), past, strict=True):
        width = size if not ctx.has(index) and not ctx.has(12) else ctx.fresh() if shape is None else shape[3]
        state = (batch, Dim.of(groups), length, width)
        states.append(Fact(ctx.input(index).dtype if ctx.has(index) else None if ctx.has(12) else dtype, state))
    if total is not None:
        require_bias(ctx, 10, batch, heads, sequence, total)
    scores = (batch, Dim.of(heads), sequence, ctx.fresh() if total is None else total)
    return Fact(dtype, (batch, sequence, size * heads)), states[0], states[1], Fact(dtype, scores)


def _grouped(ctx: OpContext) -> Shape:
    """Batch, length of the queries, and head size, with what queries, keys and values need."""
    query = sized(ctx, 0, 3)
    heads, groups = positive(ctx, "num_heads"), positive(ctx, "kv_num_heads")
    if heads is None or groups is None:
        return (*query[:2], ctx.fresh())
    require_groups(ctx, Dim.of(heads), Dim.of(groups))
    if not ctx.has(1):
        return (*query[:2], head_size(ctx, 0, query, heads + 2 * groups))
    size = head_size(ctx, 0, query, heads)
    key = fit(ctx, 1, batch_size=query[0], length=None, hidden_size_of_keys=size * groups)
    length = None if key is None else key[1]
    fit(ctx, 2, batch_size=query[0], length_of_the_keys=length, hidden_size_of_keys=size * groups)
    return (*query[:2], size)


def _present_length(ctx: OpContext, past: Shape | None, total: Dim | None) -> Dim:
    """How long the present state is: its buffer is reused where it is long enough."""
    if past is not None and ctx.int_attr("sliding_window_cache", 0):
        return past[2]
    if total is None or (past is None and ctx.has(3)):
        return ctx.fresh()
    return maximum(total, Dim.of(0) if past is None else past[2])


@op("SparseAttention", domain=MICROSOFT)
def sparse_attention(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft SparseAttention: the caches are filled in place."""
    batch, sequence, size = _grouped(ctx)
    groups = ctx.int_attr("kv_num_heads", 0)
    for index in (3, 4):
        fit(ctx, index, batch_size=batch, heads=groups, length_of_the_cache=None, head_size=size)
    output = Fact(ctx.input(0).dtype, (batch, sequence, size * ctx.int_attr("num_heads", 0)))
    return output, like(ctx, 3), like(ctx, 4)


@op("DynamicSparseAttention", domain=MICROSOFT)
def dynamic_sparse_attention(ctx: OpContext) -> tuple[Fact, Fact, Fact, Fact]:
    """com.microsoft DynamicSparseAttention: attention to selected entries; the caches are not followed."""
    batch, sequence, size = _grouped(ctx)
    output = Fact(None, (batch, sequence, size * ctx.int_attr("num_heads", 0)))
    return output, Fact(ctx.input(3).dtype), Fact(ctx.input(4).dtype), Fact()


@op("PagedAttention", "SparsePagedAttention", domain=MICROSOFT)
def paged_attention(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft PagedAttention, SparsePagedAttention: of tokens [count, hidden]; the cache lies in blocks."""
    query, heads, groups = sized(ctx, 0, 2), positive(ctx, "num_heads"), positive(ctx, "kv_num_heads")
    if heads is None or groups is None:
        return Fact(), like(ctx, 3), like(ctx, 4)
    count = heads if ctx.has(1) else heads + 2 * groups
    if ctx.int_attr("v_head_size", 0):
        hidden = Dim.of(heads * ctx.int_attr("v_head_size", 0))
    elif ctx.str_attr("kv_cache_layout", "SEPARATE") != "SEPARATE":
        hidden = ctx.fresh()
    else:
        hidden = head_size(ctx, 0, query, count) * heads
    return Fact(ctx.input(0).dtype, (query[0], hidden)), like(ctx, 3), like(ctx, 4)
