"""The masks and biases that the fused attention operators take."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.ops.context import OpContext
from onnxls.ops.operands import OPERAND_MISMATCH, fit, ranked
from onnxls.relations import Condition, all_of, any_of, at_most, equal
from onnxls.rules import rule

MASK = rule(
    "fused-attention-mask",
    "OLS505",
    "error",
    """
    The mask of a fused attention has a shape that means nothing to it.

    With B sequences of length S, P entries before them and T = P + S in all, `mask_index` may have the shape [B]
    (lengths), [2*B] (ends and starts), [3*B + 2], [B, T] (1 for each entry to attend to), [B, S, T], or
    [B, 1, M, M] with M >= T. `key_padding_mask` of `MultiHeadAttention` may be [B], [3*B + 2], [B, T] or [B, S, T].

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
    g (float[B, 7, 8] x, float[8, 24] w, float[24] b, int32[B, 6] mask) => (float[B, 7, 8] y) {
      # error: [fused-attention-mask]
      y = com.microsoft.Attention <num_heads = 2> (x, w, b, mask)
    }
    ```
    """,
)


def require_mask(ctx: OpContext, index: int, batch: Dim, sequence: Dim, total: Dim) -> None:
    """The mask of Attention, in one of its many shapes."""
    mask = ranked(ctx, index, 1, 2, 3, 4)
    if mask is None:
        return
    if len(mask) == 1:
        ways = any_of(*(equal(mask[0], size) for size in (batch, 2 * batch, 3 * batch + 2)))
        if mask[0] in (batch, 2 * batch, 3 * batch + 2):
            return
    elif len(mask) == 2:
        idle = _all_equal((mask[1], Dim.of(1)))
        if mask[0] != batch:
            idle = all_of(any_of(equal(mask[0], batch), equal(mask[0], 1)), idle)
        ways = any_of(_all_equal((mask[0], batch), (mask[1], total)), idle)
    elif len(mask) == 3:
        ways = _all_equal((mask[0], batch), (mask[1], sequence), (mask[2], total))
    else:
        ways = all_of(_all_equal((mask[0], batch), (mask[1], Dim.of(1)), (mask[2], mask[3])), at_most(total, mask[3]))
    shown = ", ".join(f"{{mask_{axis}}}" for axis in range(len(mask)))
    args = {f"mask_{axis}": dim for axis, dim in enumerate(mask)}
    text = (
        f"the mask {{{index}}} has the shape [{shown}]; with a batch of {{batch}}, queries of length {{sequence}} and"
        " {total} entries to attend to, that is none of the shapes that it may have"
    )
    ctx.require(ways, MASK, text, batch=batch, sequence=sequence, total=total, **args)


def _all_equal(*pairs: tuple[Dim, Dim]) -> Condition:
    """That the sizes of all pairs agree, without what is plain."""
    return all_of(*(equal(have, want) for have, want in pairs if have != want))


def require_bias(ctx: OpContext, index: int, batch: Dim, heads: int | None, sequence: Dim, total: Dim) -> None:
    """The bias of the scores, [batch or 1, heads or 1, sequence, total]."""
    bias = fit(ctx, index, batch_size=None, heads=None, length_of_the_queries=sequence, total_length=total)
    if bias is None:
        return
    text = f"axis 0 of {{{index}}} is {{lhs}}; it must be 1 or the batch size {{batch}}"
    ctx.require_one_of(bias[0], (batch, 1), OPERAND_MISMATCH, text, batch=batch)
    if heads is not None:
        text = f"axis 1 of {{{index}}} is {{lhs}}; it must be 1 or the number of heads {{heads}}"
        ctx.require_one_of(bias[1], (heads, 1), OPERAND_MISMATCH, text, heads=heads)
