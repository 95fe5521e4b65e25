"""Attention over queries, keys and values: Attention and FlexAttention."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.dims import Dim
from onnxls.facts import DOUBLE, FLOAT, Fact, Shape
from onnxls.ops import op
from onnxls.ops.broadcast import broadcast_dims
from onnxls.ops.context import OpContext
from onnxls.ops.heads import head_size, heads_attribute, require_groups
from onnxls.relations import any_of, equal
from onnxls.rules import rule

ATTENTION_SHAPE = rule(
    "attention-shape-mismatch",
    "OLS186",
    "error",
    """
    Queries, keys, values and caches of an attention do not fit together.

    All three are [batch, heads, sequence, size], or all are [batch, sequence, heads * size]. Batches are equal, queries
    and keys have one head size, keys and values one length. Caches are [batch, heads, past, size]; the two have one
    length. Nothing is broadcast by the standard; runtimes that compute version 25 by its function body repeat a batch
    of 1 of keys and values, which is not reported.

    ```onnx
    <ir_version: 11, opset_import: ["" : 23]>
    g (float[B, 4, S, 8] q, float[B, 4, T, 16] k, float[B, 4, T, 8] v) => (float[B, 4, S, 8] y) {
      # error: [attention-shape-mismatch] "the heads of `k` have 16"
      y = Attention (q, k, v)
    }
    ```
    """,
)
ATTENTION_MASK = rule(
    "attention-mask-mismatch",
    "OLS187",
    "error",
    """
    The mask of an attention does not broadcast to the scores.

    The scores are [batch, query heads, query length, past + key length]; each axis of the mask is that size or 1. Since
    version 24 the last axis may also be shorter: what is missing is masked. By the standard the mask does not widen
    the scores; runtimes that compute version 25 by its function body let it, which is not reported.

    onnxruntime broadcasts over the batch and the heads only: a size of the last two axes that just happens to be 1
    does not help.

    ```onnx
    <ir_version: 11, opset_import: ["" : 23]>
    g (float[B, 4, S, 8] q, float[B, 4, S, 8] k, float[B, 4, S, 8] v, float[7, S] m) => (float[B, 4, S, 8] y) {
      # warning: [attention-mask-mismatch] "axis 0 of `m` is 7"
      y = Attention (q, k, v, m)
    }
    ```

    With a cache the keys are `past + new`: a mask over the new ones alone is too short.
    """,
)
ATTENTION_CACHE = rule(
    "attention-cache-invalid",
    "OLS188",
    "error",
    """
    The caches of an attention are not used as they must be.

    `past_key` and `past_value` come together. `nonpad_kv_seqlen` (since version 24) is for caches that are kept
    outside, with one length for each entry of the batch; it excludes them.

    ```onnx
    <ir_version: 11, opset_import: ["" : 23]>
    g (float[B, 4, S, 8] q, float[B, 4, S, 8] k, float[B, 4, S, 8] v, float[B, 4, P, 8] past) => (float[B, 4, S, 8] y) {
      # error: [attention-cache-invalid] "past_key and past_value"
      y = Attention (q, k, v, , past)
    }
    ```
    """,
)
MODIFIER_SHAPE = rule(
    "attention-modifier-shape",
    "OLS189",
    "error",
    """
    A modifier of FlexAttention changes the shape of the scores.

    `score_mod` and `prob_mod` take the scores [batch, query heads, query length, key length] and return as many.

    ```onnx
    <ir_version: 11, opset_import: ["" : 23, "ai.onnx.preview" : 1]>
    g (float[1, 2, 3, 8] q, float[1, 2, 4, 8] k, float[1, 2, 4, 8] v) => (float[1, 2, 3, 8] y) {
      # error: [attention-modifier-shape] "score_mod makes axis 2 of the scores 1"
      # error: [attention-modifier-shape] "score_mod makes axis 3 of the scores 1"
      y = ai.onnx.preview.FlexAttention <score_mod = mod (s) => (t) { t = GlobalMaxPool (s) }> (q, k, v)
    }
    ```
    """,
)


@dataclass(frozen=True, slots=True)
class Heads:
    """The sizes of queries, keys or values.

    `row` is the last axis as it is: `packed` heads of `size` side by side, or one (`packed` = 1).
    """

    batch: Dim
    count: Dim
    length: Dim
    size: Dim
    row: Dim
    packed: int


@op("Attention", since=23)
def attention(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX Attention-23, 24, 25: Y, the caches with the new keys and values, and the scores."""
    rank = _common_rank(ctx)
    if rank is None:
        return (Fact(),)
    parts = _all_heads(ctx, rank)
    if parts is None:
        return (Fact(),)
    query, key, value = parts
    _require_fit(ctx, query, key, value)
    past = _past(ctx, query, key, value)
    if past is None:
        return (Fact(),)
    total = past + key.length
    scores = (query.batch, query.count, query.length, total)
    masked = _masked(ctx, scores)
    if masked is None:
        return (Fact(),)
    batch, count, length, _ = masked
    y: Shape = (batch, count, length, value.size)
    if rank == 3:
        groups, left = divmod(query.packed, value.packed)
        whole = value.row * groups if count == query.count and not left else count * value.size
        y = (batch, length, whole)
    return (
        Fact(shape=y),
        Fact(shape=(key.batch, key.count, total, key.size)),
        Fact(shape=(value.batch, value.count, total, value.size)),
        Fact(shape=_shown_scores(ctx, scores, masked)),
    )


def _shown_scores(ctx: OpContext, scores: Shape, masked: Shape) -> Shape:
    """The shape of the output of the scores: before the mask, after it, or at a stage that may be either."""
    mode = ctx.int_attr("qk_matmul_output_mode", 0)
    if mode == 0:
        return scores
    return tuple(
        after if mode == 3 or before == after else ctx.fresh() for before, after in zip(scores, masked, strict=True)
    )


@op("FlexAttention", domain="ai.onnx.preview")
def flex_attention(ctx: OpContext) -> Fact:
    """ai.onnx.preview FlexAttention-1: attention whose scores and probabilities pass through graphs of the model."""
    if not all(ctx.input(index).rank in (None, 4) for index in range(3)):
        _common_rank(ctx, only=4)
        return Fact()
    parts = _all_heads(ctx, 4)
    if parts is None:
        return Fact()
    query, key, value = parts
    _require_fit(ctx, query, key, value)
    if all(ctx.input(index).shape is not None for index in (0, 1)):
        dtype = ctx.int_attr("softmax_precision", DOUBLE if ctx.input(0).dtype == DOUBLE else FLOAT)
        scores = Fact(dtype, (query.batch, query.count, query.length, key.length))
        for name in ("score_mod", "prob_mod"):
            _require_kept(ctx, name, scores)
    return Fact(shape=(query.batch, query.count, query.length, value.size))


def _require_kept(ctx: OpContext, name: str, scores: Fact) -> None:
    """A modifier gives back the shape that it is given."""
    graph = ctx.graph_attr(name)
    if graph is None:
        return
    made = ctx.run(name, graph, (scores,), "certain").outputs
    shape = made[0].shape if len(made) == 1 else None
    if shape is None or scores.shape is None:
        return
    if len(shape) != 4:
        ctx.reject(MODIFIER_SHAPE, "{name} makes scores of rank {rank}, not 4", name=name, rank=len(shape))
        return
    for axis, (have, want) in enumerate(zip(shape, scores.shape, strict=True)):
        text = "{name} makes axis {axis} of the scores {lhs}, but it is {rhs}"
        ctx.require_equal(have, want, MODIFIER_SHAPE, text, name=name, axis=axis)


def _common_rank(ctx: OpContext, only: int | None = None) -> int | None:
    """The rank of queries, keys and values; None where it is not known, or they do not agree (a rejection)."""
    found = only
    for index in range(3):
        rank = ctx.input(index).rank
        if rank is None:
            continue
        if rank not in (3, 4) or rank != (found or rank):
            text = f"{{{index}}} has rank {{rank}}; queries, keys and values all have rank "
            text += str(found) if found else "4, or all 3 (with the heads side by side)"
            ctx.reject(ATTENTION_SHAPE, text, rank=rank)
            return None
        found = rank
    return found


def _all_heads(ctx: OpContext, rank: int) -> tuple[Heads, Heads, Heads] | None:
    """Queries, keys and values; None (and a rejection) where the heads of one cannot be counted."""
    query = _heads(ctx, 0, rank, "q_num_heads")
    key = None if query is None else _heads(ctx, 1, rank, "kv_num_heads")
    value = None if key is None else _heads(ctx, 2, rank, "kv_num_heads")
    return None if query is None or key is None or value is None else (query, key, value)


def _heads(ctx: OpContext, index: int, rank: int, attribute: str) -> Heads | None:
    """The sizes of one of queries, keys, values."""
    shape = ctx.input(index).shape
    if rank == 4:
        batch, count, length, size = shape if shape is not None else (ctx.fresh() for _ in range(4))
        return Heads(batch, count, length, size, size, 1)
    heads = heads_attribute(ctx, attribute, index)
    if heads is None:
        return None
    if shape is None:
        size = ctx.fresh()
        return Heads(ctx.fresh(), Dim.of(heads), ctx.fresh(), size, size * heads, heads)
    return Heads(shape[0], Dim.of(heads), shape[1], head_size(ctx, index, shape, heads), shape[2], heads)


def _require_fit(ctx: OpContext, query: Heads, key: Heads, value: Heads) -> None:
    """What queries, keys and values have in common, as far as their shapes are known."""
    known = [ctx.input(index).shape is not None for index in range(3)]
    repeated = ctx.version >= 25 and ctx.op_type == "Attention" and key.packed == 1
    for part, index in ((key, 1), (value, 2)):
        if known[0] and known[index]:
            text = f"axis 0 of {{{index}}} is {{lhs}}, but of {{0}} {{batch}}; the batch is one"
            ways = (query.batch, 1) if repeated else (query.batch,)
            ctx.require_one_of(part.batch, ways, ATTENTION_SHAPE, text, batch=query.batch)
    if known[0] and known[1]:
        _require_head_size(ctx, query, key)
    if known[1] and known[2]:
        axis = 2 if key.packed == 1 else 1
        text = f"axis {axis} of {{2}} is {{lhs}}, but of {{1}} {{rhs}}; "
        ctx.require_equal(value.length, key.length, ATTENTION_SHAPE, text + "keys and values have one length")
        text = "axis 1 of {2} is {lhs}, but of {1} {rhs}; keys and values have as many heads"
        ways = (key.count, 1) if repeated else (key.count,)
        ctx.require_one_of(value.count, ways, ATTENTION_SHAPE, text, rhs=key.count)
    require_groups(ctx, query.count, key.count)


def _require_head_size(ctx: OpContext, query: Heads, key: Heads) -> None:
    """Queries and keys have heads of one size; said without a division."""
    text = "the heads of {1} have {keys} entries, but those of {0} {queries}; they are multiplied with each other"
    args = {"keys": key.size, "queries": query.size}
    if key.row == key.size * key.packed:
        ctx.require_equal(query.row, key.size * query.packed, ATTENTION_SHAPE, text, **args)
    else:
        ctx.require_equal(key.row * query.packed, query.row * key.packed, ATTENTION_SHAPE, text, **args)


def _past(ctx: OpContext, query: Heads, key: Heads, value: Heads) -> Dim | None:
    """The length of the caches; None (and a rejection) where they are not used as they must be."""
    if ctx.has(4) != ctx.has(5):
        ctx.reject(ATTENTION_CACHE, "one of past_key and past_value is given without the other")
        return None
    if ctx.version >= 24 and ctx.has(6):
        if ctx.has(4):
            ctx.reject(
                ATTENTION_CACHE, "{6} counts what a cache outside holds, and past_key and past_value are given too"
            )
            return None
        lengths = ctx.input(6).shape
        if lengths is not None and len(lengths) != 1:
            ctx.reject(
                ATTENTION_CACHE, "{6} has rank {rank}; it has a length for each entry of the batch", rank=len(lengths)
            )
            return None
        if lengths is not None:
            text = "{6} has {lhs} entries, but the batch has {rhs}"
            ctx.require_equal(lengths[0], query.batch, ATTENTION_CACHE, text)
    if not ctx.has(4):
        return Dim.of(0)
    shapes = ctx.input(4).shape, ctx.input(5).shape
    past: Dim | None = None
    for index, shape, part in zip((4, 5), shapes, (key, value), strict=True):
        if shape is None:
            continue
        if len(shape) != 4:
            text = f"{{{index}}} has rank {{rank}}; a cache is [batch, heads, past, size]"
            ctx.reject(ATTENTION_SHAPE, text, rank=len(shape))
            return None
        past = shape[2] if past is None else past
        text = f"axis {{axis}} of {{{index}}} is {{have}}, but the new entries and the other cache call for {{want}}"
        for axis, want in enumerate((part.batch, part.count, past)):
            ctx.require_equal(shape[axis], want, ATTENTION_SHAPE, text, axis=axis, have=shape[axis], want=want)
        row = shape[3] * part.packed
        ctx.require_equal(row, part.row, ATTENTION_SHAPE, text, axis=3, have=shape[3], want=part.size)
    return ctx.fresh() if past is None else past


def _masked(ctx: OpContext, scores: Shape) -> Shape | None:
    """The shape of the scores with the mask, which broadcasts to them; None (and a rejection) for an impossible rank.

    Since 24 the last axis of the mask may be shorter. The function body of 25 lets a mask widen the scores. A mask that
    is written with one query or key is broadcast by the standard; onnxruntime refuses it, so that no other size is
    taken to be met by 1.
    """
    if not ctx.has(3):
        return scores
    mask = ctx.input(3).shape
    if mask is None:
        return scores if ctx.version < 25 else (ctx.fresh(), ctx.fresh(), ctx.fresh(), scores[3])
    if not 1 <= len(mask) <= 4:
        ctx.reject(ATTENTION_MASK, "{3} has rank {rank}; the scores have rank 4", rank=len(mask))
        return None
    made = list(scores)
    for axis in range(-len(mask), 0):
        have, want = mask[axis], scores[axis]
        at = axis + len(mask)
        if axis == -1 and ctx.version >= 24:
            text = "axis {at} of {3} is {lhs}, but there are only {rhs} keys"
            ctx.require_at_most(have, want, ATTENTION_MASK, text, at=at)
        elif ctx.version >= 25:
            made[axis] = broadcast_dims(ctx, want, have, ATTENTION_MASK, "the scores", "the mask {3}", axis)
        elif have != want and have.const != 1:
            name = ("keys, past and new", "queries", "heads of queries", "entries of the batch")[-1 - axis]
            text = "axis {at} of {3} is {lhs}, but there are {rhs} {name}"
            if axis < -2:
                condition = any_of(equal(have, want), equal(have, 1))
                ctx.require(
                    condition, ATTENTION_MASK, text + "; it must be equal or 1", lhs=have, rhs=want, at=at, name=name
                )
            else:
                ctx.require_equal(have, want, ATTENTION_MASK, text, at=at, name=name)
    return tuple(made)
