"""Operators whose result depends on the data: Compress, NonZero, Unique, TopK, OneHot, NonMaxSuppression.

Counts of data are new symbols with their bounds, one for all outputs that share them.
"""

from __future__ import annotations

from math import prod

from onnxls.dims import ONE, Dim, minimum, product
from onnxls.facts import INT64, MAX_ELEMENTS, Element, Fact, Ratio, Shape, tensor
from onnxls.ops import op
from onnxls.ops.axes import one_axis
from onnxls.ops.context import OpContext
from onnxls.ops.elements import array, constant, constant_sizes, indices, reshaped, taken
from onnxls.ops.emptiness import require_entries
from onnxls.relations import at_most, unequal
from onnxls.rules import rule

SELECT_OPERANDS = rule(
    "selection-operands",
    "OLS260",
    "error",
    """
    An operand of Compress, TopK, OneHot or NonMaxSuppression has the wrong rank or length.

    The condition of `Compress` is a list. The K of `TopK` is a list of one number (a scalar is refused). The depth of
    `OneHot` is one number, 0 or greater, and its values are two. `NonMaxSuppression` takes boxes [batch, boxes, 4]
    and scores [batch, classes, boxes].

    ```onnx
    g (float[N, 9] x) => (float[N, 2] v, int64[N, 2] i) <int64 k = {2}> {
      # error: [selection-operands]
      v, i = TopK (x, k)
    }
    ```
    """,
)
TOPK_TOO_MANY = rule(
    "topk-more-than-axis",
    "OLS261",
    "error",
    """
    TopK asks for more entries than the axis has.

    K must be 0 to the size of the axis; nothing is clamped or filled up. A number that was written down for large
    inputs fails on small ones.

    ```onnx
    g (float[N, M] x) => (float[N, 4] v, int64[N, 4] i) <int64[1] k = {4}> {
      # warning: [topk-more-than-axis] "runs for M = 4"
      v, i = TopK (x, k)
    }
    ```

    Take the `Min` of the number and the size of the axis (`Shape`, `Gather`).
    """,
)


@op("Compress", since=9)
def compress(ctx: OpContext) -> Fact:
    """ONNX Compress-9, 11: the entries of an axis, or of the flat tensor, where a condition is true."""
    data, condition = ctx.input(0), ctx.input(1)
    if condition.rank is not None and condition.rank != 1:
        text = "the condition {1} has rank {rank}; it must be a list"
        return ctx.reject(SELECT_OPERANDS, text, rank=condition.rank)
    named = ctx.optional_int("axis")
    if data.shape is None:
        return Fact(shape=None if named is not None else (ctx.fresh("data"),))
    if not data.shape:
        return ctx.reject(SELECT_OPERANDS, "{0} is a scalar; there is nothing to choose from")
    axis = None if named is None else one_axis(ctx, named, len(data.shape))
    if axis is None and named is not None:
        return Fact()
    length = product(data.shape) if axis is None else data.shape[axis]
    count, chosen = _chosen(ctx, condition, length)
    shape = (count,) if axis is None else (*data.shape[:axis], count, *data.shape[axis + 1 :])
    source = array(data)
    if axis is None and source is not None:
        source = reshaped(source, (prod(source.sizes),))
    kept = None if source is None or chosen is None else taken(source, axis or 0, chosen)
    return Fact(shape=shape, elements=None if kept is None else kept.elements)


def _chosen(ctx: OpContext, condition: Fact, length: Dim) -> tuple[Dim, list[int] | None]:
    """How many entries a condition chooses on an axis of this length, and which, where that is known."""
    given = condition.constants
    if given is None:
        size = condition.shape[0] if condition.shape else length
        return ctx.fresh("data", upper=minimum(length, size)), None
    chosen = [place for place, value in enumerate(given) if value]
    if length.const is not None:
        chosen = [place for place in chosen if place < length.const]
    if not chosen or ctx.branch(at_most(chosen[-1] + 1, length)):
        return Dim.of(len(chosen)), chosen
    return ctx.fresh("data", upper=minimum(length, Dim.of(len(chosen)))), None


@op("NonZero", since=9)
def non_zero(ctx: OpContext) -> Fact:
    """ONNX NonZero-9, 13: the indices of what is not 0, a column each. For a scalar runtimes differ on the rows."""
    data = ctx.input(0)
    if data.shape is None:
        return Fact(shape=(ctx.fresh(), ctx.fresh("data")))
    rank = len(data.shape)
    rows = Dim.of(rank) if rank else ctx.fresh(upper=1)
    source = array(data)
    found = None if source is None else [_is_true(ctx, element) for element in source.elements]
    if source is None or found is None or None in found:
        return Fact(shape=(rows, ctx.fresh("data", upper=product(data.shape))))
    columns = [index for index, true in zip(indices(source.sizes), found, strict=True) if true]
    elements = tuple(Dim.of(index[axis]) for axis in range(rank) for index in columns)
    return Fact(shape=(rows, Dim.of(len(columns))), elements=elements if rank else None)


def _is_true(ctx: OpContext, element: Element) -> bool | None:
    """Whether an element is not 0, where that is known."""
    return ctx.branch(unequal(element.dividend if isinstance(element, Ratio) else element, 0))


@op("Unique", since=11)
def unique(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX Unique-11: distinct entries, their first indices, where each went, and how often it occurs."""
    data = ctx.input(0)
    named = ctx.optional_int("axis")
    if data.shape is None:
        count = ctx.fresh("data")
        flat = None if named is not None else (count,)
        return Fact(shape=flat), tensor(count), Fact(shape=ctx.fresh_shape(1)), tensor(count)
    axis = None if named is None else one_axis(ctx, named, len(data.shape))
    if axis is None and named is not None:
        return (Fact(),) * 4
    length = product(data.shape) if axis is None else data.shape[axis]
    distinct = _distinct(ctx, data) if axis is None else None
    if distinct is not None:
        count = Dim.of(len(distinct))
    elif length.const is not None and length.const <= 1:
        count = length
    else:
        count = ctx.fresh("data", upper=length, lower=1 if ctx.ask(at_most(1, length)) else 0)
    shape: Shape = (count,) if axis is None else (*data.shape[:axis], count, *data.shape[axis + 1 :])
    elements = None if distinct is None else tuple(Dim.of(value) for value in distinct)
    return Fact(shape=shape, elements=elements), tensor(count), tensor(length), tensor(count)


def _distinct(ctx: OpContext, data: Fact) -> list[int] | None:
    """The distinct values of a constant, in the order of the output."""
    if data.constants is None or constant_sizes(data.shape) is None:
        return None
    values = list(dict.fromkeys(data.constants))
    return sorted(values) if ctx.int_attr("sorted", 1) else values


@op("TopK")
def topk_attribute(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX TopK-1: the number is an attribute."""
    k = ctx.optional_int("k")
    return _topk(ctx, None if k is None else Dim.of(k))


@op("TopK", since=10)
def topk(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX TopK-10, 11, 24: the number is an input."""
    k = ctx.input(1)
    if k.shape is not None:
        if len(k.shape) != 1:
            text = "{1} has rank {rank}; the number of entries must be a list of one"
            return ctx.reject(SELECT_OPERANDS, text, rank=len(k.shape)), Fact(dtype=INT64)
        ctx.require_equal(k.shape[0], ONE, SELECT_OPERANDS, "{1} holds {lhs} numbers; it must hold one")
    return _topk(ctx, k.scalar)


def _topk(ctx: OpContext, k: Dim | None) -> tuple[Fact, ...]:
    shape = ctx.input(0).shape
    if shape is None:
        return Fact(), Fact()
    axis = one_axis(ctx, ctx.int_attr("axis", -1), len(shape))
    if axis is None:
        return Fact(), Fact()
    if k is None:
        k = ctx.fresh(upper=shape[axis])
    else:
        ctx.require_at_most(0, k, TOPK_TOO_MANY, "TopK of {rhs} entries; the number may not be below 0")
        text = "TopK of {lhs} entries on axis {axis} of {0}, which is {rhs}"
        require_entries(ctx, k, shape[axis], TOPK_TOO_MANY, text, axis=axis)
    kept = (*shape[:axis], k, *shape[axis + 1 :])
    return Fact(shape=kept), Fact(dtype=INT64, shape=kept)


@op("OneHot", since=9)
def one_hot(ctx: OpContext) -> Fact:
    """ONNX OneHot-9, 11: a new axis of the given depth."""
    shape, depth, values = ctx.input(0).shape, ctx.input(1), ctx.input(2)
    for number, what in ((1, "the depth"), (2, "the values")):
        operand = ctx.input(number).shape
        if operand is not None and (len(operand) > 1 or (number == 2 and not operand)):
            text = f"{what} {{{number}}} has rank {{rank}}"
            return ctx.reject(SELECT_OPERANDS, text, rank=len(operand))
    if depth.shape:
        ctx.require_equal(depth.shape[0], ONE, SELECT_OPERANDS, "the depth {1} holds {lhs} numbers; it must hold one")
    if values.shape:
        text = "the values {2} are {lhs}; two are needed, for off and on"
        ctx.require_equal(values.shape[0], Dim.of(2), SELECT_OPERANDS, text)
    if shape is None:
        return Fact()
    if not shape:
        return ctx.reject(SELECT_OPERANDS, "the indices {0} are a scalar; they must have rank 1 or more")
    axis = one_axis(ctx, ctx.int_attr("axis", -1), len(shape) + 1, "axis of the output")
    if axis is None:
        return Fact()
    size = depth.scalar
    if size is None:
        size = ctx.fresh()
    else:
        ctx.require_at_most(0, size, SELECT_OPERANDS, "the depth is {rhs}; it may not be below 0")
    made = (*shape[:axis], size, *shape[axis:])
    return Fact(values.dtype, made, _one_hot_elements(ctx.input(0), axis, made, values))


def _one_hot_elements(picks: Fact, axis: int, shape: Shape, values: Fact) -> tuple[Element, ...] | None:
    """The off and on values, where it is known which is where; an index out of range is nowhere."""
    source, sizes, pair = array(picks), constant_sizes(shape), values.elements
    if source is None or sizes is None or pair is None or len(pair) != 2 or prod(sizes) > MAX_ELEMENTS:
        return None
    depth = sizes[axis]
    elements: list[Element] = []
    for index in indices(sizes):
        pick = constant(source.at((*index[:axis], *index[axis + 1 :])))
        if pick is None:
            return None
        elements.append(pair[-depth <= pick < depth and pick % depth == index[axis]])
    return tuple(elements)


@op("NonMaxSuppression", since=10)
def non_max_suppression(ctx: OpContext) -> Fact:
    """ONNX NonMaxSuppression-10, 11: batch, class and box of what is kept; without a number per class, nothing is."""
    boxes, scores = ctx.input(0).shape, ctx.input(1).shape
    for number, operand, form in ((0, boxes, "[batch, boxes, 4]"), (1, scores, "[batch, classes, boxes]")):
        if operand is not None and len(operand) != 3:
            text = f"{{{number}}} has rank {{rank}}; it must be {{form}}"
            return ctx.reject(SELECT_OPERANDS, text, rank=len(operand), form=form)
    if boxes is not None:
        ctx.require_equal(boxes[2], Dim.of(4), SELECT_OPERANDS, "the last axis of the boxes {0} is {lhs}, not 4")
    if boxes is not None and scores is not None:
        text = "{what} is {lhs} in {0}, but {rhs} in {1}"
        ctx.require_equal(boxes[0], scores[0], SELECT_OPERANDS, text, what="the batch")
        ctx.require_equal(boxes[1], scores[2], SELECT_OPERANDS, text, what="the number of boxes")
    most = ctx.input(2).scalar if ctx.has(2) else Dim.of(0)
    if most is not None and ctx.ask(at_most(most, 0)) is True:
        return tensor(0, 3)
    upper: Dim | None = None
    if scores is not None:
        each = scores[2] if most is None or ctx.ask(at_most(0, most)) is not True else minimum(most, scores[2])
        upper = scores[0] * scores[1] * each
    return tensor(ctx.fresh("data", upper=upper), 3)
