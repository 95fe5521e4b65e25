"""Sequences. A short list whose elements are known is kept whole; else what all elements share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onnxls.dims import ONE, ZERO, Dim, ceildiv, total
from onnxls.facts import FLOAT, INT64, UNKNOWN, Fact, Shape, tensor
from onnxls.ops import op
from onnxls.ops.axes import one_axis
from onnxls.ops.context import OpContext
from onnxls.ops.elements import Array, array, concatenated, constant_sizes, taken
from onnxls.ops.joins import join, renewed, without_elements
from onnxls.relations import divides
from onnxls.rules import rule

MAX_ITEMS = 64

POSITION = rule(
    "sequence-position",
    "OLS420",
    "error",
    """
    A position is outside of the sequence.

    A sequence of n elements has the positions -n to n-1, negative ones counted from the end; `SequenceInsert` also
    takes n, the end. Nothing can be taken out of an empty sequence.

    ```onnx
    g (float[N] x) => (float[M] y) <int64 two = {2}> {
      s = SequenceConstruct (x, x)
      # error: [sequence-position]
      y = SequenceAt (s, two)
    }
    ```
    """,
)
TYPES_DIFFER = rule(
    "sequence-types-differ",
    "OLS421",
    "error",
    """
    A tensor is put into a sequence of another element type.

    All tensors of a sequence have one element type; their shapes may differ.

    ```onnx
    g (float[N] x) => (float[M] y) <int64 zero = {0}> {
      i = Shape (x)
      t = SequenceConstruct (x)
      # error: [sequence-types-differ]
      s = SequenceInsert (t, i)
      y = SequenceAt (s, zero)
    }
    ```

    `Cast` it first.
    """,
)
SPLIT_SIZES = rule(
    "split-to-sequence-sizes",
    "OLS422",
    "error",
    """
    The sizes of a SplitToSequence do not cut the axis.

    A scalar size must be positive; the last chunk takes what is left. A vector of sizes must add up to the axis: a
    vector of one element is not a scalar, it asks for one chunk.

    ```onnx
    g (float[5, 2] x) => (seq(float[M, 2]) y) <int64[2] sizes = {2, 2}> {
      # error: [split-to-sequence-sizes]
      y = SplitToSequence <axis = 0> (x, sizes)
    }
    ```
    """,
)
CONCAT_SHAPES = rule(
    "concat-from-sequence-shapes",
    "OLS423",
    "error",
    """
    The elements of a sequence cannot be joined into one tensor.

    `ConcatFromSequence` needs at least one element. All have one rank, and one size on each axis but the one they are
    joined on; with `new_axis=1` they are stacked, and all sizes must agree.

    ```onnx
    g (float[3, 2] x, float[3, 4] z) => (float[A, B] y) {
      s = SequenceConstruct (x, z)
      # error: [concat-from-sequence-shapes]
      y = ConcatFromSequence <axis = 0> (s)
    }
    ```
    """,
)


def sequence(items: Sequence[Fact], ctx: OpContext) -> Fact:
    """The fact of a sequence of these elements."""
    element = without_elements(join(ctx, items)) if items else None
    kept = tuple(items) if len(items) <= MAX_ITEMS else None
    return Fact(type="sequence", element=element, items=kept, length=Dim.of(len(items)))


def _require_type(ctx: OpContext, dtype: int | None, index: int) -> None:
    """Requires that an input has the element type of the sequence."""
    got = ctx.input(index).dtype
    if dtype is not None and got is not None and dtype != got:
        text = f"{{{index}}} has another element type than the rest of the sequence; all must have one type"
        ctx.reject(TYPES_DIFFER, text)


@op("SequenceConstruct", since=11)
def sequence_construct(ctx: OpContext) -> Fact:
    """ONNX SequenceConstruct-11: a sequence of the inputs."""
    items = [ctx.input(index) for index in range(len(ctx.inputs))]
    return sequence(items, ctx)


@op("SequenceEmpty", since=11)
def sequence_empty(ctx: OpContext) -> Fact:
    """ONNX SequenceEmpty-11: a sequence without elements, of a type."""
    element = Fact(ctx.int_attr("dtype", FLOAT))
    return Fact(type="sequence", element=element, items=(), length=ZERO)


@op("SequenceAt", since=11)
def sequence_at(ctx: OpContext) -> Fact:
    """ONNX SequenceAt-11: the element at a position."""
    fact = ctx.input(0)
    place = ctx.input(1).scalar
    _require_position(ctx, 1, place, fact.length, ZERO)
    if fact.items:
        if place is not None and place.const is not None:
            at = _index(place.const, len(fact.items), len(fact.items))
            return UNKNOWN if at is None else fact.items[at]
        return join(ctx, fact.items)
    return Fact() if fact.element is None else renewed(ctx, fact.element)


def _require_position(ctx: OpContext, index: int, place: Dim | None, length: Dim | None, past: Dim) -> None:
    """Requires -length <= place < length + past."""
    if place is None or length is None:
        return
    least = place.range[0]
    text = f"position {{place}} of {{{index}}} is out of range for a sequence of {{length}} elements"
    if least is None or least < 0:
        ctx.require_at_most(-place, length, POSITION, text, place=place, length=length)
    if place.const is None or place.const >= 0:
        ctx.require_at_most(place + 1, length + past, POSITION, text, place=place, length=length)


def _index(place: int, length: int, end: int) -> int | None:
    """A position counted from the start, up to `end`; None where it is out of range."""
    at = place + length if place < 0 else place
    return at if 0 <= at < end else None


@op("SequenceInsert", since=11)
def sequence_insert(ctx: OpContext) -> Fact:
    """ONNX SequenceInsert-11: one more element, at a position or at the end."""
    fact, new = ctx.input(0), ctx.input(1)
    _require_type(ctx, None if fact.element is None else fact.element.dtype, 1)
    place = ctx.input(2).scalar if ctx.has(2) else fact.length
    if ctx.has(2):
        _require_position(ctx, 2, place, fact.length, ONE)
    if fact.items is not None and place is not None and place.const is not None:
        at = _index(place.const, len(fact.items), len(fact.items) + 1)
        if at is not None:
            return sequence((*fact.items[:at], new, *fact.items[at:]), ctx)
    element = None
    if fact.length is not None and fact.length == 0:
        element = without_elements(new)
    elif fact.element is not None:
        element = without_elements(join(ctx, (fact.element, new)))
    return Fact(type="sequence", element=element, length=None if fact.length is None else fact.length + 1)


@op("SequenceErase", since=11)
def sequence_erase(ctx: OpContext) -> Fact:
    """ONNX SequenceErase-11: without the element at a position, or the last one."""
    fact = ctx.input(0)
    if ctx.has(1):
        place = ctx.input(1).scalar
        _require_position(ctx, 1, place, fact.length, ZERO)
    else:
        place = Dim.of(-1)
        if fact.length is not None:
            ctx.require_at_most(1, fact.length, POSITION, "the sequence {0} is empty: it has no last element")
    if fact.items is not None and place is not None and place.const is not None:
        at = _index(place.const, len(fact.items), len(fact.items))
        if at is not None:
            return sequence((*fact.items[:at], *fact.items[at + 1 :]), ctx)
    return replace(fact, items=None, length=None if fact.length is None else fact.length - 1)


@op("SequenceLength", since=11)
def sequence_length(ctx: OpContext) -> Fact:
    """ONNX SequenceLength-11: the number of elements."""
    length = ctx.input(0).length
    return tensor(dtype=INT64, elements=None if length is None else [length])


@op("SplitToSequence", since=11)
def split_to_sequence(ctx: OpContext) -> Fact:
    """ONNX SplitToSequence-11, 24: an axis cut into chunks of one size, or of given sizes."""
    fact = ctx.input(0)
    if fact.shape is None:
        return Fact(type="sequence", element=Fact(fact.dtype))
    axis = one_axis(ctx, ctx.int_attr("axis", 0), len(fact.shape))
    if axis is None:
        return UNKNOWN
    if not ctx.has(1):
        return _chunks(ctx, axis, ONE, keep=ctx.int_attr("keepdims", 1) != 0)
    sizes = ctx.input(1)
    if sizes.shape is None:
        return Fact(type="sequence", element=_chunk(fact, axis, ctx.fresh()))
    if not sizes.shape:
        size = sizes.scalar
        if size is not None:
            text = "the size {1} of a chunk is {rhs}; it must be positive"
            ctx.require_at_most(1, size, SPLIT_SIZES, text)
            chunks = _chunks(ctx, axis, size, keep=True)
            # onnxruntime drops the axis all the same, against the text: keepdims is ignored where there are sizes
            disputed = ctx.int_attr("keepdims", 1) == 0
            return replace(chunks, items=None, element=Fact(fact.dtype)) if disputed else chunks
        return Fact(type="sequence", element=_chunk(fact, axis, ctx.fresh()), length=ctx.fresh())
    return _given_chunks(ctx, fact, axis, sizes)


def _chunk(fact: Fact, axis: int, size: Dim | None) -> Fact:
    """A chunk of a tensor, without its content; `size` None: the axis is dropped."""
    shape = fact.shape or ()
    kept: Shape = () if size is None else (size,)
    return Fact(fact.dtype, (*shape[:axis], *kept, *shape[axis + 1 :]))


def _piece(fact: Fact, axis: int, start: int, size: int, *, keep: bool) -> Fact:
    """A chunk at a constant place, with its content where it is known."""
    chunk = _chunk(fact, axis, Dim.of(size) if keep else None)
    source = array(fact) if fact.elements is not None else None
    part = None if source is None else taken(source, axis, range(start, start + size))
    return chunk if part is None else replace(chunk, elements=part.elements)


def _chunks(ctx: OpContext, axis: int, size: Dim, *, keep: bool) -> Fact:
    """Chunks of one size, the last of which takes what is left."""
    fact = ctx.input(0)
    dim = (fact.shape or ())[axis]
    if dim.const is not None and size.const is not None and size.const >= 1 and dim.const <= MAX_ITEMS * size.const:
        starts = range(0, dim.const, size.const)
        pieces = [_piece(fact, axis, at, min(size.const, dim.const - at), keep=keep) for at in starts]
        return sequence(pieces, ctx)
    if not keep:
        return Fact(type="sequence", element=_chunk(fact, axis, None), length=dim)
    exact = size == 1 or ctx.branch(divides(size, dim)) is True
    count = dim if size == 1 else ceildiv(dim, size)
    return Fact(type="sequence", element=_chunk(fact, axis, size if exact else ctx.fresh()), length=count)


def _given_chunks(ctx: OpContext, fact: Fact, axis: int, sizes: Fact) -> Fact:
    """Chunks of sizes that are given one by one."""
    if sizes.shape is None or len(sizes.shape) != 1:
        return ctx.reject(
            SPLIT_SIZES, "the sizes {1} have rank {rank}; they must be a scalar or a list", rank=sizes.rank
        )
    dim = (fact.shape or ())[axis]
    known = sizes.integers
    if known is None:
        count = sizes.shape[0]
        if count.const is None or not 0 < count.const <= MAX_ITEMS:
            return Fact(type="sequence", element=_chunk(fact, axis, ctx.fresh()), length=count)
        rest = [ctx.fresh(upper=dim) for _ in range(count.const - 1)]
        known = (*rest, dim - total(rest))
    for position, size in enumerate(known):
        text = "size {position} of {1} is {rhs}; it may not be negative"
        ctx.require_at_most(0, size, SPLIT_SIZES, text, position=position)
    text = "the sizes {1} add up to {rhs}, but axis {axis} of {0} is {lhs}"
    ctx.require_equal(dim, total(known), SPLIT_SIZES, text, axis=axis)
    pieces: list[Fact] = []
    start: int | None = 0
    for size in known:
        if start is not None and size.const is not None and size.const >= 0 and dim.const is not None:
            fits = start + size.const <= dim.const
            pieces.append(_piece(fact, axis, start, size.const, keep=True) if fits else _chunk(fact, axis, size))
            start += size.const
        else:
            pieces.append(_chunk(fact, axis, size))
            start = None
    return sequence(pieces, ctx)


@op("ConcatFromSequence", since=11)
def concat_from_sequence(ctx: OpContext) -> Fact:
    """ONNX ConcatFromSequence-11: the elements joined on an axis, or stacked on a new one."""
    fact = ctx.input(0)
    new = ctx.int_attr("new_axis", 0) != 0
    if fact.length is not None:
        ctx.require_at_most(1, fact.length, CONCAT_SHAPES, "the sequence {0} is empty; there is nothing to join")
    if fact.items:
        return _joined_items(ctx, fact.items, new=new)
    if fact.element is None or fact.element.shape is None or (fact.length is not None and fact.length == 0):
        return Fact(None if fact.element is None else fact.element.dtype)
    element = renewed(ctx, fact.element)
    shape = element.shape or ()
    axis = one_axis(ctx, ctx.int_attr("axis", 0), len(shape) + new)
    if axis is None:
        return UNKNOWN
    if new:
        length = ctx.fresh(lower=1) if fact.length is None else fact.length
        return Fact(element.dtype, (*shape[:axis], length, *shape[axis:]))
    uniform = shape[axis] == fact.element.shape[axis]
    size = shape[axis] * fact.length if uniform and fact.length is not None else ctx.fresh()
    return Fact(element.dtype, (*shape[:axis], size, *shape[axis + 1 :]))


def _joined_items(ctx: OpContext, items: Sequence[Fact], *, new: bool) -> Fact:
    """Known elements, joined."""
    dtype = items[0].dtype
    shapes = [item.shape for item in items if item.shape is not None]
    if not shapes:
        return Fact(dtype)
    rank = len(shapes[0])
    for position, shape in enumerate(shapes):
        if len(shape) != rank:
            text = "element {position} of {0} has rank {got}, the first {want}; all must have one rank"
            return ctx.reject(CONCAT_SHAPES, text, position=position, got=len(shape), want=rank)
    axis = one_axis(ctx, ctx.int_attr("axis", 0), rank + new)
    if axis is None:
        return UNKNOWN
    for position, shape in enumerate(shapes[1:], 1):
        for at, (want, got) in enumerate(zip(shapes[0], shape, strict=True)):
            if new or at != axis:
                text = "axis {at} of element {position} of {0} is {rhs}, but of the first {lhs}; they must be equal"
                ctx.require_equal(want, got, CONCAT_SHAPES, text, at=at, position=position)
    first = shapes[0]
    if new:
        return _with_content(Fact(dtype, (*first[:axis], Dim.of(len(items)), *first[axis:])), items, axis, new=True)
    size = total(shape[axis] for shape in shapes) if len(shapes) == len(items) else ctx.fresh()
    return _with_content(Fact(dtype, (*first[:axis], size, *first[axis + 1 :])), items, axis, new=False)


def _with_content(fact: Fact, items: Sequence[Fact], axis: int, *, new: bool) -> Fact:
    """The fact with the elements of all parts, where they are known and few."""
    if constant_sizes(fact.shape) is None:
        return fact
    parts: list[Array] = []
    for item in items:
        part = array(item)
        if part is None:
            return fact
        sizes = (*part.sizes[:axis], 1, *part.sizes[axis:]) if new else part.sizes
        parts.append(Array(sizes, part.elements))
    made = concatenated(parts, axis)
    return fact if made is None else replace(fact, elements=made.elements)
