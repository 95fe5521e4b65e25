"""Heads that are packed into one axis, or have an axis of their own."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.facts import Shape
from onnxls.ops.context import OpContext
from onnxls.rules import rule

HEADS_MISMATCH = rule(
    "attention-heads-mismatch",
    "OLS185",
    "error",
    """
    Numbers of heads do not divide what they must divide, or are not given.

    A tensor [batch, sequence, hidden] holds `q_num_heads`, `kv_num_heads` or `num_heads` heads side by side: the
    attribute is needed, and divides the hidden size. Heads of keys and values are shared by equal groups of query
    heads, so that their number divides the number of query heads.

    ```onnx
    <ir_version: 11, opset_import: ["" : 23]>
    g (float[B, 6, S, 8] q, float[B, 4, T, 8] k, float[B, 4, T, 8] v) => (float[B, 6, S, 8] y) {
      # error: [attention-heads-mismatch] "6 heads of queries"
      y = Attention (q, k, v)
    }
    ```
    """,
)


def heads_attribute(ctx: OpContext, name: str, index: int) -> int | None:
    """A number of heads; None (and a rejection) where it is absent or not positive. `index`: whom it is for."""
    count = ctx.int_attr(name, 0)
    if count < 1:
        text = f"{{{index}}} has its heads side by side in one axis, so {{name}} must be given and positive"
        ctx.reject(HEADS_MISMATCH, text, name=name)
        return None
    return count


def head_size(ctx: OpContext, index: int, shape: Shape, count: int) -> Dim:
    """The size of each of the heads that the last axis of an input holds."""
    hidden = shape[-1]
    text = f"axis {len(shape) - 1} of {{{index}}} is {{dividend}}, which the {{divisor}} heads must divide"
    ctx.require_divides(count, hidden, HEADS_MISMATCH, text)
    exact = hidden.exact_div(Dim.of(count))
    return hidden // count if exact is None else exact


def require_groups(ctx: OpContext, queries: Dim, keys: Dim) -> None:
    """The heads of keys are shared by equal groups of query heads."""
    text = "{dividend} heads of queries cannot share {divisor} heads of keys in equal groups"
    ctx.require_divides(keys, queries, HEADS_MISMATCH, text)
