"""The operands of fused operators: each has a fixed rank, and axes that must agree with those of the others."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.facts import Shape
from onnxls.ops.context import OpContext
from onnxls.rules import rule

OPERAND_RANK = rule(
    "fused-operand-rank",
    "OLS500",
    "error",
    """
    An operand of a fused operator has a rank that the operator does not take.

    The operators that graph optimisers put in place of whole subgraphs (domain `com.microsoft`) are written for one
    layout, such as [batch, sequence, hidden], and broadcast far less than the operators they replace.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
    g (float[B, S, 8] x, float[1, 8] b) => (float[B, S, 8] y) {
      # error: [fused-operand-rank] "`b` has rank 2"
      y = com.microsoft.BiasGelu (x, b)
    }
    ```
    """,
)
OPERAND_MISMATCH = rule(
    "fused-operand-mismatch",
    "OLS501",
    "error",
    """
    An axis of an operand of a fused operator does not have the size that the others ask for.

    Weights, biases, caches and masks must fit the input exactly: a bias has one entry for each column, a cache has
    the batch and the heads of the queries.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
    g (float[B, S, 8] x, float[B, S, 8] skip, float[6] gamma, float[8] beta) => (float[B, S, 8] y) {
      # error: [fused-operand-mismatch] "`gamma`"
      y = com.microsoft.SkipLayerNormalization (x, skip, gamma, beta)
    }
    ```
    """,
)
FUSED_ATTRIBUTE = rule(
    "fused-attribute-invalid",
    "OLS502",
    "error",
    """
    An attribute of a fused operator is missing or has an impossible value.

    Numbers of heads, of groups and of features are positive, and the operator needs them: they say how an axis is
    divided, or what shape packed weights have.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
    g (float[B, S, 8] q, float[B, S, 8] k, float[B, S, 8] v) => (float[B, S, 8] y) {
      # error: [fused-attribute-invalid] "num_heads"
      y = com.microsoft.MultiHeadAttention (q, k, v)
    }
    ```
    """,
)


def ranked(ctx: OpContext, index: int, *ranks: int) -> Shape | None:
    """The shape of an input of one of these ranks; None where it is not known, or another (which is rejected)."""
    shape = ctx.input(index).shape
    if shape is None or len(shape) in ranks:
        return shape
    wanted = " or ".join(str(rank) for rank in ranks)
    ctx.reject(OPERAND_RANK, f"{{{index}}} has rank {{rank}}; it must have rank {wanted}", rank=len(shape))
    return None


def sized(ctx: OpContext, index: int, rank: int) -> Shape:
    """The shape of an input that has this rank; new sizes where it is not known."""
    return ranked(ctx, index, rank) or tuple(ctx.fresh() for _ in range(rank))


def fit(ctx: OpContext, index: int, **sizes: Dim | int | None) -> Shape | None:
    """Requires that an input has one axis for each of the named sizes, of that size where it is given.

    None where its shape is not known, it is absent, or its rank differs.
    """
    shape = ranked(ctx, index, len(sizes))
    if shape is None:
        return None
    for axis, (name, want) in enumerate(sizes.items()):
        if want is not None:
            text = f"axis {axis} of {{{index}}} is {{lhs}}; it must be {{rhs}}, the {name.replace('_', ' ')}"
            ctx.require_equal(shape[axis], want, OPERAND_MISMATCH, text)
    return shape


def same_shape(ctx: OpContext, index: int, other: int) -> None:
    """Requires that two inputs have one shape."""
    have, want = ctx.input(index).shape, ctx.input(other).shape
    if have is None or want is None:
        return
    if len(have) != len(want):
        text = f"{{{index}}} has rank {len(have)}, but {{{other}}} has rank {len(want)}: they must have one shape"
        ctx.reject(OPERAND_RANK, text)
        return
    for axis, (lhs, rhs) in enumerate(zip(have, want, strict=True)):
        text = f"axis {axis} of {{{index}}} is {{lhs}}, but of {{{other}}} {{rhs}}: they must have one shape"
        ctx.require_equal(lhs, rhs, OPERAND_MISMATCH, text)


def positive(ctx: OpContext, name: str, default: int = 0) -> int | None:
    """An attribute that must be positive; None (and a rejection) where it is not."""
    value = ctx.int_attr(name, default)
    if value >= 1:
        return value
    text = "the attribute {name} is {value}; it must be positive"
    if ctx.optional_int(name) is None:
        text = "the attribute {name} is missing"
    ctx.reject(FUSED_ATTRIBUTE, text, name=name, value=value)
    return None
