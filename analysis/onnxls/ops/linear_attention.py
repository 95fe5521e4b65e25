"""Around attention: rotary position embeddings, and attention by a recurrent state."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import Dim
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.heads import head_size, heads_attribute, require_groups
from onnxls.rules import Rule, rule

ROTARY_MISMATCH = rule(
    "rotary-embedding-mismatch",
    "OLS190",
    "error",
    """
    The caches or positions of RotaryEmbedding do not fit the input.

    Half of each head (or of `rotary_embedding_dim`) is rotated against the other, so that the caches have half as many
    columns: [positions, size / 2] where `position_ids` [batch, sequence] pick the rows, else [batch, sequence,
    size / 2]. The two caches have one shape.

    ```onnx
    <ir_version: 11, opset_import: ["" : 23]>
    g (float[B, 4, S, 8] x, float[50, 8] c, float[50, 8] s, int64[B, S] ids) => (float[B, 4, S, 8] y) {
      # error: [rotary-embedding-mismatch] "axis 1 of `c` is 8"
      # error: [rotary-embedding-mismatch] "axis 1 of `s` is 8"
      y = RotaryEmbedding (x, c, s, ids)
    }
    ```
    """,
)
LINEAR_ATTENTION = rule(
    "linear-attention-mismatch",
    "OLS191",
    "error",
    """
    The operands of LinearAttention do not fit together.

    Queries [batch, steps, heads * key size], keys and values share batch, steps and, keys with queries, the key size.
    The state is [batch, heads, key size, value size]. `decay` belongs to the rules "gated" and "gated_delta", `beta` to
    "delta" and "gated_delta": there they are needed, elsewhere forbidden.

    ```onnx
    <ir_version: 11, opset_import: ["" : 27]>
    g (float[B, T, 8] q, float[B, T, 8] k, float[B, T, 8] v) => (float[B, T, 8] y, float[B, 2, 4, 4] state) {
      # error: [linear-attention-mismatch] "needs decay"
      y, state = LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = "gated"> (q, k, v)
    }
    ```
    """,
)


@op("RotaryEmbedding", since=23)
def rotary_embedding(ctx: OpContext) -> Fact:
    """ONNX RotaryEmbedding-23: the shape of the input."""
    x = ctx.input(0).shape
    if x is None:
        return Fact()
    if len(x) not in (3, 4):
        text = "{0} has rank {rank}; it is [batch, heads, sequence, size] or [batch, sequence, heads * size]"
        return ctx.reject(ROTARY_MISMATCH, text, rank=len(x))
    size = x[-1]
    if len(x) == 3:
        heads = heads_attribute(ctx, "num_heads", 0)
        if heads is None:
            return Fact()
        size = head_size(ctx, 0, x, heads)
    rotated = ctx.int_attr("rotary_embedding_dim", 0)
    if rotated:
        ctx.require_at_most(
            rotated, size, ROTARY_MISMATCH, "rotary_embedding_dim is {lhs}, more than the head size {rhs}"
        )
    _require_caches(ctx, x[0], x[-2], Dim.of(rotated) if rotated else size)
    return Fact(shape=x)


def _require_caches(ctx: OpContext, batch: Dim, length: Dim, rotated: Dim) -> None:
    """The shapes of the caches and of the positions; what is rotated is an even number of entries."""
    cosines, sines = ctx.input(1).shape, ctx.input(2).shape
    picked = ctx.has(3)
    form = "[positions, size / 2], for {3} to pick rows" if picked else "[batch, sequence, size / 2]"
    for index, cache in ((1, cosines), (2, sines)):
        if cache is None:
            continue
        if len(cache) != (2 if picked else 3):
            text = f"{{{index}}} has rank {{rank}}; it is {form}"
            ctx.reject(ROTARY_MISMATCH, text, rank=len(cache))
            return
        text = f"axis {len(cache) - 1} of {{{index}}} is {{columns}}, but {{lhs}} entries of each head are rotated"
        text += ", half of them against the others"
        ctx.require_equal(rotated, cache[-1] * 2, ROTARY_MISMATCH, text, columns=cache[-1])
        if not picked:
            _require_shape(ctx, index, (batch, length, cache[-1]), ROTARY_MISMATCH)
    if cosines is None and sines is None:
        ctx.require_divides(
            2, rotated, ROTARY_MISMATCH, "{dividend} entries of each head are rotated; they must be even"
        )
    if picked:
        if cosines is not None and sines is not None:
            text = "axis 0 of {2} is {lhs}, but of {1} {rhs}: the caches have one shape"
            ctx.require_equal(sines[0], cosines[0], ROTARY_MISMATCH, text)
        _require_shape(ctx, 3, (batch, length), ROTARY_MISMATCH)


def _require_shape(ctx: OpContext, index: int, want: Shape, rule: Rule) -> None:
    """An input has a shape that follows from the others."""
    shape = ctx.input(index).shape
    if shape is None:
        return
    if len(shape) != len(want):
        ctx.reject(rule, f"{{{index}}} has rank {{rank}}, not {{want}}", rank=len(shape), want=len(want))
        return
    for axis, (have, size) in enumerate(zip(shape, want, strict=True)):
        text = f"axis {{axis}} of {{{index}}} is {{lhs}}, but the other inputs call for {{rhs}}"
        ctx.require_equal(have, size, rule, text, axis=axis)


GATES = {"linear": (), "gated": ("decay",), "delta": ("beta",), "gated_delta": ("decay", "beta")}


@op("LinearAttention", since=27)
def linear_attention(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX LinearAttention-27: attention by a state that each step updates; the outputs, and the last state."""
    q_heads, kv_heads = heads_attribute(ctx, "q_num_heads", 0), heads_attribute(ctx, "kv_num_heads", 1)
    shapes = [ctx.input(index).shape for index in range(3)]
    for index, shape in enumerate(shapes):
        if shape is not None and len(shape) != 3:
            text = f"{{{index}}} has rank {{rank}}; it is [batch, steps, heads * size]"
            return (ctx.reject(LINEAR_ATTENTION, text, rank=len(shape)), Fact())
    if q_heads is None or kv_heads is None or not _gates_fit(ctx):
        return (Fact(), Fact())
    require_groups(ctx, Dim.of(q_heads), Dim.of(kv_heads))
    known = next((shape for shape in shapes if shape is not None), None)
    batch, steps = (ctx.fresh(), ctx.fresh()) if known is None else known[:2]
    q, k, v = shapes
    value_size = ctx.fresh() if v is None else head_size(ctx, 2, v, kv_heads)
    key_size = ctx.fresh() if k is None else head_size(ctx, 1, k, kv_heads)
    if q is not None:
        own = head_size(ctx, 0, q, q_heads)
        if k is not None:
            text = (
                "the heads of {1} have {keys} entries, but those of {0} {queries}; they are multiplied with each other"
            )
            ctx.require_equal(k[2] * q_heads, q[2] * kv_heads, LINEAR_ATTENTION, text, keys=key_size, queries=own)
        key_size = own if k is None else key_size
    key_row = key_size * kv_heads if k is None else k[2]
    value_row = value_size * kv_heads if v is None else v[2]
    _require_shape(ctx, 1, (batch, steps, key_row), LINEAR_ATTENTION)
    _require_shape(ctx, 2, (batch, steps, value_row), LINEAR_ATTENTION)
    state = (batch, Dim.of(kv_heads), key_size, value_size)
    _require_shape(ctx, 3, state, LINEAR_ATTENTION)
    _require_gate(ctx, 4, batch, steps, (Dim.of(kv_heads), key_row))
    _require_gate(ctx, 5, batch, steps, (Dim.of(kv_heads), Dim.of(1)))
    kept = ctx.input(3) if ctx.has(3) else ctx.input(0)
    return (Fact(shape=(batch, steps, value_row * (q_heads // kv_heads))), Fact(kept.dtype, state))


def _gates_fit(ctx: OpContext) -> bool:
    """Whether the update rule gets the gates that it needs, and no others."""
    name = ctx.str_attr("update_rule", "gated_delta")
    if name not in GATES:
        ctx.reject(LINEAR_ATTENTION, "update_rule is {name!r}, which is none of its values", name=name)
        return False
    for index, gate in ((4, "decay"), (5, "beta")):
        if ctx.has(index) != (gate in GATES[name]):
            text = "the update rule {name!r} " + ("takes no {gate}" if ctx.has(index) else "needs {gate}")
            ctx.reject(LINEAR_ATTENTION, text, name=name, gate=gate)
            return False
    return True


def _require_gate(ctx: OpContext, index: int, batch: Dim, steps: Dim, widths: Sequence[Dim]) -> None:
    """A gate has a row for each step, of one of two widths."""
    shape = ctx.input(index).shape
    if shape is None:
        return
    if len(shape) != 3:
        ctx.reject(LINEAR_ATTENTION, f"{{{index}}} has rank {{rank}}, not 3", rank=len(shape))
        return
    _require_shape(ctx, index, (batch, steps, shape[2]), LINEAR_ATTENTION)
    text = f"axis 2 of {{{index}}} is {{lhs}}; it must be {{first}} or {{second}}"
    ctx.require_one_of(shape[2], widths, LINEAR_ATTENTION, text, first=widths[0], second=widths[1])
