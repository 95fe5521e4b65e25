"""The fused and quantized matrix products of onnxruntime (`com.microsoft`), and its mixtures of experts."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import Dim, product
from onnxls.facts import FLOAT, INT32, Fact, Shape
from onnxls.ops import op
from onnxls.ops.axes import one_axis
from onnxls.ops.context import OpContext
from onnxls.ops.delegation import apply_standard
from onnxls.ops.operands import FUSED_ATTRIBUTE, OPERAND_MISMATCH, OPERAND_RANK, fit, positive, ranked, sized
from onnxls.rules import rule

MICROSOFT = "com.microsoft"
UINT8, UINT32, INT8 = 2, 12, 3

PACKED_WEIGHTS = rule(
    "packed-weights-mismatch",
    "OLS506",
    "error",
    """
    Packed weights, or their scales and zero points, do not have the shape that K, N and the block size make.

    `MatMulNBits` multiplies by a matrix of K rows and N columns that is kept transposed and in blocks: with
    `blocks = ceil(K / block_size)` the weights are [N, blocks, block_size * bits / 8], the scales [N, blocks] (or
    flat), the zero points [N, ceil(blocks * bits / 8)] (or flat), if they are bytes.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
    g (float[B, S, 64] x, uint8[16, 2, 8] w, float[16, 2] scales) => (float[B, S, 16] y) {
      # error: [packed-weights-mismatch] "axis 2 of `w` is 8"
      y = com.microsoft.MatMulNBits <K = 64, N = 16, block_size = 32, bits = 4> (x, w, scales)
    }
    ```

    `bits` is 4 by default: weights of 8 bits need the attribute.
    """,
)


@op("FusedMatMul", "TransposeMatMul", "FusedMatMulActivation", domain=MICROSOFT)
def fused_matmul(ctx: OpContext) -> Fact:
    """com.microsoft FusedMatMul, TransposeMatMul, FusedMatMulActivation: MatMul of operands that are turned first."""
    facts: dict[int, Fact] = {}
    for index, name in enumerate("AB"):
        shape = ctx.input(index).shape
        if shape is None:
            continue
        if ctx.int_attr(f"transBatch{name}", 0):
            if len(shape) < 3:
                text = f"{{{index}}} has rank {{rank}}; transBatch{name} moves its first axis behind the batch axes"
                return ctx.reject(OPERAND_RANK, text, rank=len(shape))
            shape = (*shape[1:-1], shape[0], shape[-1])
        if ctx.int_attr(f"trans{name}", 0) and len(shape) > 1:
            shape = (*shape[:-2], shape[-1], shape[-2])
        facts[index] = Fact(ctx.input(index).dtype, shape)
    flags = [name for name in ("transBatchA", "transA", "transBatchB", "transB") if ctx.int_attr(name, 0)]
    note = f" (as {' and '.join(flags)} turn the operands)" if flags else ""
    return apply_standard(ctx, "MatMul", 13, (0, 1), dtype=ctx.input(0).dtype, facts=facts, note=note)[0]


@op("FusedGemm", domain=MICROSOFT)
def fused_gemm(ctx: OpContext) -> Fact:
    """com.microsoft FusedGemm: Gemm and an activation."""
    return apply_standard(ctx, "Gemm", 13, (0, 1, 2), dtype=ctx.input(0).dtype)[0]


@op("GemmFloat8", domain=MICROSOFT)
def gemm_float8(ctx: OpContext) -> Fact:
    """com.microsoft GemmFloat8: Gemm, into the type `dtype`."""
    return Fact(ctx.int_attr("dtype", FLOAT), apply_standard(ctx, "Gemm", 13, (0, 1))[0].shape)


@op("GemmFastGelu", domain=MICROSOFT)
def gemm_fast_gelu(ctx: OpContext) -> Fact:
    """com.microsoft GemmFastGelu: MatMul, a bias, and FastGelu."""
    fact = apply_standard(ctx, "MatMul", 13, (0, 1), dtype=ctx.input(0).dtype)[0]
    fit(ctx, 2, columns=_columns(ctx, 1))
    return fact


@op("MatMulInteger16", domain=MICROSOFT)
def matmul_integer16(ctx: OpContext) -> Fact:
    """com.microsoft MatMulInteger16: MatMul of 16-bit integers, into 32 bits."""
    unsigned = ctx.input(0).dtype == ctx.input(1).dtype == 4
    return apply_standard(ctx, "MatMul", 13, (0, 1), dtype=UINT32 if unsigned else INT32)[0]


@op("DynamicQuantizeMatMul", domain=MICROSOFT)
def dynamic_quantize_matmul(ctx: OpContext) -> Fact:
    """com.microsoft DynamicQuantizeMatMul: MatMul by quantized weights, the input quantized on the way."""
    fact = apply_standard(ctx, "MatMul", 13, (0, 1), dtype=ctx.input(0).dtype)[0]
    _require_by_column(ctx, (2, 3), _columns(ctx, 1))
    fit(ctx, 4, columns=_columns(ctx, 1))
    return fact


@op("MatMulIntegerToFloat", domain=MICROSOFT)
def matmul_integer_to_float(ctx: OpContext) -> Fact:
    """com.microsoft MatMulIntegerToFloat: MatMul of quantized tensors, scaled."""
    fact = apply_standard(ctx, "MatMul", 13, (0, 1), dtype=ctx.input(2).dtype)[0]
    _require_by_column(ctx, (3, 5), _columns(ctx, 1))
    fit(ctx, 6, columns=_columns(ctx, 1))
    return fact


def _columns(ctx: OpContext, index: int) -> Dim | None:
    """The number of columns of a matrix, or of a stack of them."""
    shape = ctx.input(index).shape
    return None if shape is None or len(shape) < 2 else shape[-1]


def _require_by_column(ctx: OpContext, indices: Sequence[int], columns: Dim | None) -> None:
    """Scales and zero points that are vectors have an entry for each column, or one for all."""
    for index in indices:
        shape = ctx.input(index).shape
        if columns is not None and shape is not None and len(shape) == 1:
            text = f"{{{index}}} has {{lhs}} entries; it must have one, or one for each of the {{columns}} columns"
            ctx.require_one_of(shape[0], (columns, 1), OPERAND_MISMATCH, text, columns=columns)


@op("QGemm", domain=MICROSOFT)
def quantized_gemm(ctx: OpContext) -> Fact:
    """com.microsoft QGemm: Gemm of quantized tensors, into the type of the output's zero point, or float."""
    dtype = ctx.input(8).dtype if ctx.has(8) else None if ctx.has(7) else FLOAT
    fact = apply_standard(ctx, "Gemm", 13, (0, 3, 6), dtype=dtype)[0]
    weights = ctx.input(3).shape
    if weights is not None and len(weights) == 2:
        _require_by_column(ctx, (4, 5), weights[0] if ctx.int_attr("transB", 0) else weights[1])
    return fact


@op("QOrderedMatMul", domain=MICROSOFT)
def ordered_matmul(ctx: OpContext) -> Fact:
    """com.microsoft QOrderedMatMul: how the matrices lie is an attribute, so the last axis is not followed."""
    shape = ctx.input(0).shape
    return Fact(INT8, (*shape[:-1], ctx.fresh()) if shape else None)


@op("MatMulNBits", domain=MICROSOFT)
def matmul_nbits(ctx: OpContext) -> Fact:
    """com.microsoft MatMulNBits: MatMul by a matrix [K, N] of a few bits, packed in blocks."""
    inner, columns = positive(ctx, "K"), positive(ctx, "N")
    if inner is None or columns is None:
        return Fact(ctx.input(0).dtype)
    if not ctx.int_attr("weight_prepacked", 0):
        _require_packed(ctx, inner, columns)
    fit(ctx, 5, columns=columns)
    return _by_columns(ctx, inner, columns)


def _by_columns(ctx: OpContext, inner: int, columns: int) -> Fact:
    """The product of input 0 and a matrix that the attributes describe."""
    dtype, shape = ctx.input(0).dtype, ctx.input(0).shape
    if shape is None:
        return Fact(dtype)
    if not shape:
        return ctx.reject(OPERAND_RANK, "{0} is a scalar; a matrix product takes vectors and matrices")
    text = "the last axis of {0} is {lhs}, but the weights {1} have K = {rhs} rows"
    ctx.require_equal(shape[-1], inner, OPERAND_MISMATCH, text)
    return Fact(dtype, (*shape[:-1], Dim.of(columns)))


def _require_packed(ctx: OpContext, inner: int, columns: int) -> None:
    """The packed weights and what belongs to them. An axis of 0 stands for weights that are left out."""
    block, bits = ctx.int_attr("block_size", 0), ctx.int_attr("bits", 4)
    if block < 16 or block & (block - 1) or not 1 <= bits <= 8:
        text = "block_size is {block} and bits {bits}; a power of two from 16 on, and from 2 to 8 bits are needed"
        ctx.reject(FUSED_ATTRIBUTE, text, block=block, bits=bits)
        return
    blocks = -(-inner // block)
    _require_pieces(ctx, 1, (columns, blocks, -(-block * bits // 8)))
    _require_pieces(ctx, 2, (columns, blocks), flat=True)
    if ctx.input(3).dtype == UINT8:
        _require_pieces(ctx, 3, (columns, -(-blocks * bits // 8)), flat=True)
    elif ctx.input(3).dtype is not None:
        _require_pieces(ctx, 3, (columns, blocks), flat=True)


def _require_pieces(ctx: OpContext, index: int, want: tuple[int, ...], *, flat: bool = False) -> None:
    """An operand that K, N and the block size give its shape; where `flat`, also as a vector."""
    shape = ctx.input(index).shape
    if shape is None:
        return
    if flat and len(shape) == 1:
        want = (want[0] * want[1],)
    if len(shape) != len(want):
        text = f"{{{index}}} has rank {len(shape)}; K, N, block_size and bits make it {list(want)}"
        ctx.reject(PACKED_WEIGHTS, text)
        return
    for axis, (have, size) in enumerate(zip(shape, want, strict=True)):
        text = f"axis {axis} of {{{index}}} is {{lhs}}; K, N, block_size and bits make it {size}"
        ctx.require_one_of(have, (size, 0), PACKED_WEIGHTS, text)


@op("MatMulNBitsQLoRA", "MatMulPacked", domain=MICROSOFT)
def matmul_packed(ctx: OpContext) -> Fact:
    """com.microsoft MatMulNBitsQLoRA, MatMulPacked: MatMul by packed weights [K, N]."""
    return _packed_product(ctx)


def _packed_product(ctx: OpContext) -> Fact:
    """The product of input 0 and a matrix [K, N]."""
    inner, columns = positive(ctx, "K"), positive(ctx, "N")
    return Fact(ctx.input(0).dtype) if inner is None or columns is None else _by_columns(ctx, inner, columns)


@op("MatMulNBitsMlp", domain=MICROSOFT)
def matmul_nbits_mlp(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft MatMulNBitsMlp: two MatMulNBits of one input, and the sum of input and skip."""
    return _packed_product(ctx), Fact(ctx.input(0).dtype, ctx.input(0).shape)


@op("MatMulNBitsQkv", domain=MICROSOFT)
def matmul_nbits_qkv(ctx: OpContext) -> tuple[Fact, Fact, Fact, Fact]:
    """com.microsoft MatMulNBitsQkv: three MatMulNBits of one input, and the sum of input and skip."""
    shape, dtype = ctx.input(0).shape, ctx.input(0).dtype
    queries, keys = positive(ctx, "Nq"), positive(ctx, "Nkv")
    made = [Fact(dtype, (*shape[:-1], Dim.of(n)) if shape and n is not None else None) for n in (queries, keys)]
    return made[0], made[1], made[1], Fact(dtype, shape)


@op("MatMulBlockQuantizedFp4Weight", "MatMulBlockQuantizedFp8Weight", domain=MICROSOFT)
def matmul_block_quantized(ctx: OpContext) -> Fact:
    """com.microsoft MatMulBlockQuantizedFp4Weight, MatMulBlockQuantizedFp8Weight: MatMul by weights [N, K]."""
    shape, weights = ctx.input(0).shape, ranked(ctx, 1, 2)
    if shape and weights is not None:
        inner = weights[1] * (2 if "Fp4" in ctx.op_type else 1)
        text = "the last axis of {0} is {lhs}, but the weights {1} have {rhs} rows"
        ctx.require_equal(shape[-1], inner, OPERAND_MISMATCH, text)
    columns = ctx.fresh() if weights is None else weights[0]
    return Fact(ctx.input(0).dtype, (*shape[:-1], columns) if shape else None)


@op("MatMulBnb4", domain=MICROSOFT)
def matmul_bnb4(ctx: OpContext) -> Fact:
    """com.microsoft MatMulBnb4: MatMul by weights [N, K] of 4 bits, kept flat; transposed unless `transB = 0`."""
    inner, columns = positive(ctx, "K"), positive(ctx, "N")
    if inner is None or columns is None:
        return Fact(ctx.input(0).dtype)
    weights = ctx.input(1).shape
    if weights is not None:
        text = "{1} has {rhs} bytes; a matrix of K by N needs {lhs}, of two numbers each"
        ctx.require_at_most((inner * columns + 1) // 2, product(weights), PACKED_WEIGHTS, text)
    return _by_columns(ctx, inner, columns) if ctx.int_attr("transB", 1) else _by_columns(ctx, columns, inner)


@op("MatMulFpQ4", domain=MICROSOFT)
def matmul_fp_q4(ctx: OpContext) -> Fact:
    """com.microsoft MatMulFpQ4: MatMul by a packed matrix whose shape is an input."""
    dtype, sizes = ctx.input(0).dtype, ctx.input(2).content
    if sizes is not None and len(sizes) == 2:
        return apply_standard(ctx, "MatMul", 13, (0, 1), dtype=dtype, facts={1: Fact(UINT8, sizes)})[0]
    shape = ctx.input(0).shape
    return Fact(dtype, (*shape[:-1], ctx.fresh()) if shape else None)


@op("MoE", "QMoE", "MoEPacked", domain=MICROSOFT)
def mixture_of_experts(ctx: OpContext) -> Fact:
    """com.microsoft MoE, QMoE, MoEPacked: tokens [count, hidden] or [batch, sequence, hidden] keep their shape."""
    shape = ctx.input(0).shape
    if shape is not None and ctx.op_type != "MoEPacked":
        if ranked(ctx, 0, 2, 3) is None:
            return Fact(ctx.input(0).dtype)
        fit(ctx, 1, number_of_tokens=product(shape[:-1]), number_of_experts=None)
    if ctx.op_type == "MoE" and shape is not None:
        _require_experts(ctx, shape[-1])
    return Fact(ctx.input(0).dtype, shape)


def _require_experts(ctx: OpContext, hidden: Dim) -> None:
    """The weights of the experts: one matrix each."""
    router = ctx.input(1).shape
    experts = router[1] if router is not None and len(router) == 2 else None
    for index in (2, 4):
        fit(ctx, index, number_of_experts=experts, rows=None, columns=None)
    for index, size in ((3, None), (5, hidden)):
        fit(ctx, index, number_of_experts=experts, hidden_size=size)


@op("GatherBlockQuantized", domain=MICROSOFT)
def gather_block_quantized(ctx: OpContext) -> Fact:
    """com.microsoft GatherBlockQuantized: Gather of a quantized table; bytes of it hold several numbers."""
    data, places, dtype = ctx.input(0).shape, ctx.input(1).shape, ctx.input(2).dtype
    if data is None or places is None:
        return Fact(dtype)
    axis = one_axis(ctx, ctx.int_attr("gather_axis", 0), len(data), "gather_axis")
    if axis is None or ctx.input(0).dtype is None:
        return Fact(dtype)
    bits = ctx.int_attr("bits", 4)
    if ctx.input(0).dtype == UINT8 and bits in (2, 4):
        data = (*data[:-1], data[-1] * (8 // bits))
    return Fact(dtype, (*data[:axis], *places, *data[axis + 1 :]))


@op("GatherPacked", domain=MICROSOFT)
def gather_packed(ctx: OpContext) -> Fact:
    """com.microsoft GatherPacked: rows of K numbers of a packed table."""
    width, places = positive(ctx, "K"), ctx.input(1).shape
    shape: Shape | None = None if width is None or places is None else (*places, Dim.of(width))
    return Fact(ctx.int_attr("output_dtype", 16), shape)


@op("TorchEmbedding", domain=MICROSOFT)
def torch_embedding(ctx: OpContext) -> Fact:
    """com.microsoft TorchEmbedding: a row of the table for each index."""
    _, width = sized(ctx, 0, 2)
    places = ctx.input(1).shape
    return Fact(ctx.input(0).dtype, None if places is None else (*places, width))
