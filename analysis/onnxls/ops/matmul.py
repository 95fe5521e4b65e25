"""Products of matrices: MatMul and its integer forms, Gemm, Det."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import ONE, Dim
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
QUANTIZATION_MISMATCH = rule(
    "matmul-quantization-mismatch",
    "OLS123",
    "error",
    """
    A scale or zero point of an integer matrix product does not fit its matrix.

    Each is for the whole matrix (a scalar, or one entry), for the rows of A ([M]), or for the columns of B ([N]). For
    stacks of matrices it has as many axes as the matrix, with a 1 on the axis that is summed over.

    ```onnx
    g (uint8[N, 3] x, uint8[3, 4] w, uint8 x_zero, uint8[3] w_zero) => (int32[N, 4] y) {
      # error: [matmul-quantization-mismatch] "`w_zero` has 3 entries"
      y = MatMulInteger (x, w, x_zero, w_zero)
    }
    ```
    """,
)
NOT_SQUARE = rule(
    "det-not-square",
    "OLS124",
    "error",
    """
    Only square matrices have a determinant.

    `Det` takes matrices, or stacks of them: the last two axes must be equal.

    ```onnx
    g (float[N, 3, 4] x) => (float[N] y) {
      # error: [det-not-square]
      y = Det (x)
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
    axis = max(len(b) - 2, 0)
    inner, outer = a[-1], b[axis]
    text = (
        f"the last axis of {{{left}}} is {{lhs}}, but axis {axis} of {{{right}}} is {{rhs}}; the product sums over both"
    )
    ctx.require_equal(inner, outer, MATMUL_INNER, text)
    batch = broadcast_shapes(ctx, [(f"{{{left}}}", a[:-2]), (f"{{{right}}}", b[:-2])])
    return (*batch, *rows, *columns)


@op("MatMulInteger", since=10)
def matmul_integer(ctx: OpContext) -> Fact:
    """ONNX MatMulInteger-10: the product of integers, less their zero points, in int32."""
    shape = product_shape(ctx, 0, 1)
    _require_quantization(ctx, 0, (2,), rows=True)
    _require_quantization(ctx, 1, (3,), rows=False)
    return Fact(shape=shape)


@op("QLinearMatMul", since=10)
def qlinear_matmul(ctx: OpContext) -> Fact:
    """ONNX QLinearMatMul-10, 21: the product of quantized matrices."""
    shape = product_shape(ctx, 0, 3)
    _require_quantization(ctx, 0, (1, 2), rows=True)
    _require_quantization(ctx, 3, (4, 5), rows=False)
    return Fact(shape=shape)


def _require_quantization(ctx: OpContext, matrix: int, indices: Sequence[int], *, rows: bool) -> None:
    """Scales and zero points: of the whole matrix, of its rows (of A), or of its columns (of B)."""
    shape = ctx.input(matrix).shape
    for index in indices:
        own = ctx.input(index).shape
        if shape is None or not own:
            continue
        summed = -1 if rows else -2
        if len(own) == 1:
            kept = shape[-3 - summed] if len(shape) > 1 else ONE
            text = f"{{{index}}} has {{lhs}} entries; it needs one, or one for each of the {{count}} "
            text += f"rows of {{{matrix}}}" if rows else f"columns of {{{matrix}}}"
            ctx.require_one_of(own[0], (kept, 1), QUANTIZATION_MISMATCH, text, count=kept)
        elif len(own) != len(shape):
            text = f"{{{index}}} has rank {{own}}, but {{{matrix}}} has rank {{rank}}"
            ctx.reject(QUANTIZATION_MISMATCH, text, own=len(own), rank=len(shape))
        else:
            text = f"axis {{axis}} of {{{index}}} is {{lhs}}; it must be 1, as the product sums over it in {{{matrix}}}"
            ctx.require_equal(own[summed], 1, QUANTIZATION_MISMATCH, text, axis=len(own) + summed)


@op("Gemm")
def gemm_broadcast(ctx: OpContext) -> Fact:
    """ONNX Gemm-1, 6: C has the shape of the product, unless the attribute `broadcast` is set."""
    shape = _gemm_shape(ctx)
    c = ctx.input(2).shape
    if shape is None or ctx.int_attr("broadcast", 0):
        return _with_bias(ctx, shape)
    if c is not None and len(c) != 2:
        text = "{2} has rank {rank}, but the product has rank 2; without broadcast = 1 the two must agree"
        return ctx.reject(BIAS_MISMATCH, text, rank=len(c))
    for axis, (have, want) in enumerate(zip(c or (), shape, strict=False)):
        text = "axis {axis} of {2} is {lhs}, but of the product {rhs}; without broadcast = 1 the two must agree"
        ctx.require_equal(have, want, BIAS_MISMATCH, text, axis=axis)
    return Fact(shape=shape)


@op("Gemm", since=7)
def gemm(ctx: OpContext) -> Fact:
    """ONNX Gemm-7, 9, 11, 13: alpha * A' B' + beta * C, C broadcast to the result."""
    return _with_bias(ctx, _gemm_shape(ctx))


def _gemm_shape(ctx: OpContext) -> Shape | None:
    """Rows of A' and columns of B'; None (and a rejection) where one of them is no matrix."""
    a, b = ctx.input(0).shape, ctx.input(1).shape
    for index, shape in enumerate((a, b)):
        if shape is not None and len(shape) != 2:
            text = f"{{{index}}} has rank {{rank}}; Gemm takes matrices, of rank 2"
            ctx.reject(MATMUL_RANK, text, rank=len(shape))
            return None
    rows, inner = _oriented(ctx, a, "transA")
    outer, columns = _oriented(ctx, b, "transB")
    if a is not None and b is not None:
        text = "the inner sizes differ: {lhs} of {0}, {rhs} of {1}" + _flags(ctx)
        ctx.require_equal(inner, outer, MATMUL_INNER, text)
    return rows, columns


def _with_bias(ctx: OpContext, shape: Shape | None) -> Fact:
    """The product, to which C is broadcast."""
    if shape is not None and ctx.has(2) and ctx.input(0).shape is not None and ctx.input(1).shape is not None:
        unidirectional(ctx, shape, 2, BIAS_MISMATCH, "the product")
    return Fact(shape=shape)


def _oriented(ctx: OpContext, shape: Shape | None, flag: str) -> tuple[Dim, Dim]:
    """Rows and columns of a matrix as Gemm takes it; new sizes where its shape is not known."""
    if shape is None:
        return ctx.fresh(), ctx.fresh()
    return (shape[1], shape[0]) if ctx.int_attr(flag, 0) else (shape[0], shape[1])


def _flags(ctx: OpContext) -> str:
    flags = [flag for flag in ("transA", "transB") if ctx.int_attr(flag, 0)]
    return f" (with {' and '.join(flags)})" if flags else ""


@op("Det", since=11)
def det(ctx: OpContext) -> Fact:
    """ONNX Det-11, 22: the determinant of each matrix of a stack."""
    x = ctx.input(0).shape
    if x is None:
        return Fact()
    if len(x) < 2:
        return ctx.reject(NOT_SQUARE, "{0} has rank {rank}; a matrix has two axes", rank=len(x))
    text = "the last axes of {0} are {lhs} and {rhs}; a determinant needs a square matrix"
    ctx.require_equal(x[-2], x[-1], NOT_SQUARE, text)
    return Fact(shape=x[:-2])
