"""Products of matrices: MatMul and its integer forms, Gemm, Einsum, Det."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.broadcast import broadcast_shapes, unidirectional
from onnxls.ops.context import OpContext
from onnxls.rules import rule

MATMUL_INNER = rule(
    "matmul-inner-mismatch",
    "OLS120",
    "error",
    """
    The inner sizes of a matrix product differ.

    `MatMul (A, B)` sums over the last axis of A and the last but one of B (the only one of a vector). Where the two
    differ, the node refuses to run; nothing is broadcast here.

    ```onnx
    g (float[N, 3] x, float[4, M] w) => (float[N, M] y) {
      # error: [matmul-inner-mismatch]
      y = MatMul (x, w)
    }
    ```

    Often an operand wants a `Transpose`, or the lengths of two sequences were taken for one another.
    """,
)
MATMUL_RANK = rule(
    "matmul-rank",
    "OLS121",
    "error",
    """
    An operand of a matrix product has a rank that the operator does not take.

    `MatMul` takes vectors, matrices and stacks of matrices, but no scalars; `Gemm` takes matrices only. A pooled
    image of shape [N, C, 1, 1] must be flattened first.

    ```onnx
    g (float[N, 4, 1, 1] x, float[4, 3] w) => (float[N, 3] y) {
      # error: [matmul-rank]
      y = Gemm (x, w)
    }
    ```
    """,
)


@op("MatMul")
def matmul(ctx: OpContext) -> Fact:
    """ONNX MatMul-1, 9, 13: numpy's matmul."""
    return Fact(shape=product_shape(ctx, 0, 1))


def product_shape(ctx: OpContext, left: int, right: int) -> Shape | None:
    """The shape of the matrix product of two inputs. A vector gets an axis of 1 that is taken away again."""
    a, b = ctx.input(left).shape, ctx.input(right).shape
    for index, shape in ((left, a), (right, b)):
        if shape is not None and not shape:
            ctx.reject(MATMUL_RANK, f"{{{index}}} is a scalar; a matrix product takes vectors and matrices")
            return None
    if a is None or b is None:
        return None
    rows: Shape = a[-2:-1]
    columns: Shape = b[-1:] if len(b) > 1 else ()
    inner, outer = a[-1], b[-2] if len(b) > 1 else b[0]
    axis = max(len(b) - 2, 0)
    text = (
        f"the last axis of {{{left}}} is {{lhs}}, but axis {axis} of {{{right}}} is {{rhs}}; the product sums over both"
    )
    ctx.require_equal(inner, outer, MATMUL_INNER, text)
    batch = broadcast_shapes(ctx, [(f"{{{left}}}", a[:-2]), (f"{{{right}}}", b[:-2])])
    return (*batch, *rows, *columns)


@op("Gemm")
def gemm(ctx: OpContext) -> Fact:
    """ONNX Gemm-1 to 13: alpha * A' B' + beta * C, C broadcast to the result."""
    a, b = ctx.input(0).shape, ctx.input(1).shape
    for index, shape in enumerate((a, b)):
        if shape is not None and len(shape) != 2:
            return ctx.reject(
                MATMUL_RANK, f"{{{index}}} has rank {{rank}}; Gemm takes matrices, of rank 2", rank=len(shape)
            )
    rows, inner = _oriented(ctx, a, "transA")
    outer, columns = _oriented(ctx, b, "transB")
    text = "the inner sizes differ: {lhs} of {0}, {rhs} of {1}" + _flags(ctx)
    if a is not None and b is not None:
        ctx.require_equal(inner, outer, MATMUL_INNER, text)
    shape = (rows, columns)
    if ctx.has(2) and a is not None and b is not None:
        unidirectional(ctx, shape, 2, BIAS_MISMATCH, "the product")
    return Fact(shape=shape)


BIAS_MISMATCH = rule(
    "gemm-bias-mismatch",
    "OLS122",
    "error",
    """
    The third operand of Gemm does not broadcast to the product.

    C is added to a matrix of shape [M, N]; each of its axes must have that size or 1, and its rank may not be
    greater than 2. C is broadcast to the product, never the product to C.

    ```onnx
    g (float[N, 4] x, float[4, 3] w, float[4] b) => (float[N, 3] y) {
      # error: [gemm-bias-mismatch]
      y = Gemm (x, w, b)
    }
    ```
    """,
)


def _oriented(ctx: OpContext, shape: Shape | None, flag: str) -> tuple[Dim, Dim]:
    """Rows and columns of a matrix as Gemm takes it; new sizes where its shape is not known."""
    if shape is None:
        return ctx.fresh(), ctx.fresh()
    return (shape[1], shape[0]) if ctx.int_attr(flag, 0) else (shape[0], shape[1])


def _flags(ctx: OpContext) -> str:
    flags = [flag for flag in ("transA", "transB") if ctx.int_attr(flag, 0)]
    return f" (with {' and '.join(flags)})" if flags else ""
