"""The operators of onnxruntime (`com.microsoft`) that pick, move, count and compare."""

from __future__ import annotations

from onnxls.dims import Dim, product
from onnxls.facts import INT32, INT64, STRING, Fact, tensor
from onnxls.ops import op
from onnxls.ops.axes import one_axis
from onnxls.ops.context import OpContext
from onnxls.ops.delegation import apply_standard
from onnxls.ops.operands import OPERAND_MISMATCH, OPERAND_RANK, fit, positive, ranked, sized
from onnxls.relations import unequal

MICROSOFT = "com.microsoft"
UINT32 = 12


@op("ExpandDims", domain=MICROSOFT)
def expand_dims(ctx: OpContext) -> Fact:
    """com.microsoft ExpandDims: an axis of 1, counted in the output."""
    dtype, shape, named = ctx.input(0).dtype, ctx.input(0).shape, ctx.input(1).constants
    if shape is None:
        return Fact(dtype)
    if named is None or len(named) != 1:
        return Fact(dtype, ctx.fresh_shape(len(shape) + 1))
    axis = one_axis(ctx, named[0], len(shape) + 1, "axis of the output")
    if axis is None:
        return Fact(dtype)
    return Fact(dtype, (*shape[:axis], Dim.of(1), *shape[axis:]))


@op("Range", domain=MICROSOFT)
def range_(ctx: OpContext) -> Fact:
    """com.microsoft Range: as ONNX Range-11; a step of 1 may be left out, and vectors of one entry are taken."""
    dtype, facts = ctx.input(0).dtype, {2: tensor(dtype=ctx.input(0).dtype, elements=(Dim.of(1),))}
    for index in (0, 1, 2):
        fact = ctx.input(index)
        if fact.shape is not None and len(fact.shape) == 1 and fact.shape[0] == 1:
            facts[index] = tensor(dtype=fact.dtype, elements=fact.elements)
        elif ctx.has(index):
            facts[index] = fact
    return apply_standard(ctx, "Range", 11, (0, 1, 2), dtype=dtype, facts=facts)[0]


@op("Pad", domain=MICROSOFT)
def pad(ctx: OpContext) -> Fact:
    """com.microsoft Pad: as ONNX Pad-11; the pads may also be a matrix of one row."""
    pads, facts = ctx.input(1), dict[int, Fact]()
    if pads.shape is not None and len(pads.shape) == 2:
        ctx.require_equal(pads.shape[0], 1, OPERAND_MISMATCH, "axis 0 of the pads {1} is {lhs}; there is one row")
        facts[1] = Fact(pads.dtype, pads.shape[1:], pads.elements)
    return apply_standard(ctx, "Pad", 11, (0, 1, 2), dtype=ctx.input(0).dtype, facts=facts)[0]


@op("GatherND", domain=MICROSOFT)
def gather_nd(ctx: OpContext) -> Fact:
    """com.microsoft GatherND: as ONNX GatherND-11, also with 32-bit indices."""
    return apply_standard(ctx, "GatherND", 11, (0, 1), dtype=ctx.input(0).dtype)[0]


@op("Unique", domain=MICROSOFT)
def unique(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft Unique: of a vector, in the order in which they occur; where each is; how often."""
    (size,) = sized(ctx, 0, 1)
    count = ctx.fresh("data", upper=size)
    return Fact(ctx.input(0).dtype, (count,)), Fact(INT64, (size,)), Fact(INT64, (count,))


@op("UnfoldTensor", domain=MICROSOFT)
def unfold_tensor(ctx: OpContext) -> Fact:
    """com.microsoft UnfoldTensor: all windows of an axis, on a new last axis."""
    dtype, shape = ctx.input(0).dtype, ctx.input(0).shape
    size, step = positive(ctx, "size"), positive(ctx, "step", 1)
    if shape is None or size is None or step is None:
        return Fact(dtype)
    axis = one_axis(ctx, ctx.int_attr("dim", -1), len(shape), "dim")
    if axis is None:
        return Fact(dtype)
    text = "axis {axis} of {0} is {rhs}, shorter than the windows of {lhs}"
    ctx.require_at_most(size, shape[axis], OPERAND_MISMATCH, text, axis=axis)
    count = (shape[axis] - size) // step + 1
    return Fact(dtype, (*shape[:axis], count, *shape[axis + 1 :], Dim.of(size)))


@op("NGramRepeatBlock", domain=MICROSOFT)
def ngram_repeat_block(ctx: OpContext) -> Fact:
    """com.microsoft NGramRepeatBlock: scores [batch, vocabulary], some of them lowered."""
    scores = ranked(ctx, 1, 2)
    fit(ctx, 0, batch_size=None if scores is None else scores[0], sequence_length=None)
    return Fact(ctx.input(1).dtype, scores)


@op("BifurcationDetector", domain=MICROSOFT)
def bifurcation_detector(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft BifurcationDetector: the tokens so far and those predicted that agree; a place."""
    if not ctx.has(3):
        return Fact(INT64, ctx.input(1).shape), Fact(INT64, ())
    return Fact(INT64, (ctx.fresh("data"),)), Fact(INT64, ())


@op("DynamicTimeWarping", domain=MICROSOFT)
def dynamic_time_warping(ctx: OpContext) -> Fact:
    """com.microsoft DynamicTimeWarping: a path through a matrix of costs, [2, steps]."""
    shape = ranked(ctx, 0, 2, 3)
    if shape is not None and len(shape) == 3:
        ctx.require_equal(shape[0], 1, OPERAND_MISMATCH, "axis 0 of {0} is {lhs}; there is one matrix of costs")
    most = None if shape is None else shape[-2] + shape[-1]
    return Fact(INT32, (Dim.of(2), ctx.fresh("data", upper=most)))


@op("CDist", domain=MICROSOFT)
def cdist(ctx: OpContext) -> Fact:
    """com.microsoft CDist: the distances of all rows of two matrices."""
    rows, width = sized(ctx, 0, 2)
    others = fit(ctx, 1, rows=None, width_of_a_row=width)
    return Fact(ctx.input(0).dtype, (rows, ctx.fresh() if others is None else others[0]))


@op("MurmurHash3", domain=MICROSOFT)
def murmur_hash3(ctx: OpContext) -> Fact:
    """com.microsoft MurmurHash3: a number for each element."""
    return Fact(UINT32 if ctx.int_attr("positive", 1) else INT32, ctx.input(0).shape)


@op("Tokenizer", domain=MICROSOFT)
def tokenizer(ctx: OpContext) -> Fact:
    """com.microsoft Tokenizer: an axis of tokens more, except where there are no strings at all."""
    shape = ranked(ctx, 0, 1, 2)
    if shape is None:
        return Fact(STRING)
    filled = ctx.branch(unequal(product(shape), 0))
    if filled is None:
        return Fact(STRING)
    return Fact(STRING, (*shape, ctx.fresh("data")) if filled else shape)


@op("Rfft", domain=MICROSOFT)
def rfft(ctx: OpContext) -> Fact:
    """com.microsoft Rfft: n numbers to n//2 + 1 complex ones, for one axis of signal."""
    shape = ctx.input(0).shape
    if shape is None or ctx.int_attr("signal_ndim", 1) != 1:
        return Fact(ctx.input(0).dtype)
    if not shape:
        return ctx.reject(OPERAND_RANK, "{0} is a scalar; it has no axis of signal")
    return Fact(ctx.input(0).dtype, (*shape[:-1], shape[-1] // 2 + 1, Dim.of(2)))


@op("Irfft", domain=MICROSOFT)
def irfft(ctx: OpContext) -> Fact:
    """com.microsoft Irfft: m complex numbers to 2*(m - 1), for one axis of signal."""
    shape = ctx.input(0).shape
    if shape is None or ctx.int_attr("signal_ndim", 1) != 1:
        return Fact(ctx.input(0).dtype)
    if len(shape) < 2:
        return ctx.reject(OPERAND_RANK, "{0} has rank {rank}; it needs a signal of complex numbers", rank=len(shape))
    ctx.require_equal(shape[-1], 2, OPERAND_MISMATCH, "the last axis of {0} is {lhs}; complex numbers have {rhs} parts")
    return Fact(ctx.input(0).dtype, (*shape[:-2], 2 * shape[-2] - 2))


@op("WordConvEmbedding", "SparseToDenseMatMul", domain=MICROSOFT)
def unknown_rank(ctx: OpContext) -> Fact:
    """com.microsoft WordConvEmbedding, SparseToDenseMatMul: of a rank that the inputs do not tell."""
    return Fact(ctx.input(1).dtype)


@op("BeamSearch", "WhisperBeamSearch", domain=MICROSOFT)
def beam_search(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """com.microsoft BeamSearch, WhisperBeamSearch: sequences [batch, returned, max_length], and their scores."""
    batch, length, returned = _batch(ctx), _size(ctx, 1), _size(ctx, 4)
    return Fact(INT32, (batch, returned, length)), Fact(None, (batch, returned)), Fact(shape=ctx.fresh_shape(4))


@op("GreedySearch", "Sampling", domain=MICROSOFT)
def greedy_search(ctx: OpContext) -> tuple[Fact, Fact]:
    """com.microsoft GreedySearch, Sampling: sequences [batch, max_length]."""
    batch = _batch(ctx)
    return Fact(INT32, (batch, _size(ctx, 1))), Fact(None, (batch, ctx.fresh()))


def _batch(ctx: OpContext) -> Dim:
    shape = ranked(ctx, 0, 2, 3)
    return ctx.fresh() if shape is None else shape[0]


def _size(ctx: OpContext, index: int) -> Dim:
    """A size that is an input; a new one where it is not known, or might be negative."""
    size = ctx.input(index).scalar
    low = None if size is None else size.range[0]
    return ctx.fresh() if size is None or low is None or low < 0 else size
