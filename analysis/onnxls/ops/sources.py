"""Where values come from: constants, shapes and sizes, random numbers."""

from __future__ import annotations

import struct
from math import isfinite

from onnxls.dims import ZERO, Dim, product
from onnxls.facts import (
    FLOAT,
    INT32,
    INT64,
    MAX_ELEMENTS,
    STRING,
    Element,
    Fact,
    ratio,
    tensor,
)
from onnxls.graph import Attr, Tensor
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.rules import rule
from onnxls.seeds import tensor_fact

CONSTANT_VALUE = rule(
    "constant-value-count",
    "OLS360",
    "error",
    """
    A Constant node has no value, or more than one.

    `Constant` takes exactly one of its value attributes; with none or several of them it is not clear what it
    produces, and no runtime loads it.

    ```onnx
    g () => (int64 y) {
      # error: [constant-value-count]
      y = Constant <value_int = 1, value_float = 1.0> ()
    }
    ```

    Keep the one attribute that is meant.
    """,
)
SHAPE_RANK = rule(
    "shape-operand-not-vector",
    "OLS361",
    "error",
    """
    A shape is given as a tensor that is no vector.

    `ConstantOfShape` reads one size from each entry of a 1-D tensor. A scalar is not a list of one size: it has no
    axis at all.

    ```onnx
    g (int64 n) => (float[M] y) {
      # error: [shape-operand-not-vector]
      y = ConstantOfShape (n)
    }
    ```

    Make a vector of it (`Unsqueeze` with axes [0], or a one-element list).
    """,
)
NEGATIVE_SIZE = rule(
    "negative-size",
    "OLS362",
    "error",
    """
    A tensor is asked for with a negative size.

    `ConstantOfShape` and the random sources make a tensor of exactly the sizes they are given. A -1 does not mean
    "whatever is left" here, as it does in `Reshape`: there is nothing to be left.

    ```onnx
    g () => (float[N, 3] y) <int64[2] shape = {-1, 3}> {
      # error: [negative-size]
      y = ConstantOfShape (shape)
    }
    ```

    Compute the size, for instance with `Shape` and `Gather`.
    """,
)
FILL_VALUE = rule(
    "fill-value-count",
    "OLS363",
    "error",
    """
    The value of ConstantOfShape does not hold exactly one element.

    The attribute `value` gives the element that is repeated and its type. A list of values cannot fill a tensor.

    ```onnx
    g (int64[2] shape) => (float[M, N] y) {
      # error: [fill-value-count]
      y = ConstantOfShape <value = float[2] {0.0, 1.0}> (shape)
    }
    ```

    Give one element, or `Expand` or `Tile` the list.
    """,
)
MULTINOMIAL_RANK = rule(
    "multinomial-rank",
    "OLS366",
    "error",
    """
    The input of Multinomial is no matrix.

    `Multinomial` draws for each row of a matrix [batch, classes]; the log-probabilities of one draw still need a
    batch axis.

    ```onnx
    g (float[classes] x) => (int32[B, 5] y) {
      # error: [multinomial-rank]
      y = Multinomial <sample_size = 5> (x)
    }
    ```

    Add the axis (`Unsqueeze` with axes [0]).
    """,
)


def _exact(values: tuple[float, ...]) -> tuple[Element, ...] | None:
    """32-bit floats as exact rationals; None where one is not finite."""
    held = [_single(value) for value in values]
    if not all(isfinite(value) for value in held):
        return None
    return tuple(ratio(Dim.of(dividend), divisor) for dividend, divisor in (value.as_integer_ratio() for value in held))


def _single(value: float) -> float:
    """The number as a 32-bit float holds it; infinite where it is out of range."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf")


_FORMS = (
    "value",
    "sparse_value",
    "value_int",
    "value_ints",
    "value_float",
    "value_floats",
    "value_string",
    "value_strings",
)


@op("Constant")
def constant(ctx: OpContext) -> Fact:
    """ONNX Constant-1, 11, 12 and later: the value of the one attribute."""
    given = [name for name in _FORMS if name in ctx.attrs]
    if len(given) != 1:
        found = "several of them: " + ", ".join(given) if given else "none"
        return ctx.reject(CONSTANT_VALUE, "Constant takes exactly one value attribute, but has {found}", found=found)
    return _constant(given[0], ctx.attrs[given[0]])


def _constant(form: str, attr: Attr) -> Fact:
    value = attr.value
    if isinstance(value, Tensor):
        return tensor_fact(value)
    if form == "value_int" and isinstance(value, int):
        return tensor(dtype=INT64, elements=[Dim.of(value)])
    if form == "value_float" and isinstance(value, (int, float)):
        return Fact(FLOAT, (), _exact((value,)))
    if form == "value_string":
        return tensor(dtype=STRING)
    if not isinstance(value, tuple):
        return Fact()
    shape = (Dim.of(len(value)),)
    few = len(value) <= MAX_ELEMENTS
    if form == "value_ints":
        return Fact(INT64, shape, tuple(Dim.of(each) for each in value if isinstance(each, int)) if few else None)
    if form == "value_floats":
        numbers = tuple(float(each) for each in value if isinstance(each, (int, float)))
        return Fact(FLOAT, shape, _exact(numbers) if few else None)
    return Fact(STRING, shape)


@op("ConstantOfShape", since=9)
def constant_of_shape(ctx: OpContext) -> Fact:
    """ONNX ConstantOfShape-9 and later: one element repeated; an empty shape gives a scalar."""
    wanted = ctx.input(0)
    fill = ctx.tensor_attr("value")
    dtype, element = FLOAT, ZERO
    if fill is not None:
        fact = tensor_fact(fill)
        if any(dim != 1 for dim in fill.dims):
            return ctx.reject(FILL_VALUE, "`value` has the shape {dims}; it must hold one element", dims=[*fill.dims])
        dtype, element = fill.dtype, fact.elements[0] if fact.elements else None
    if wanted.shape is not None and len(wanted.shape) != 1:
        text = "{0} has rank {rank}; it must be a vector of sizes, of rank 1"
        return ctx.reject(SHAPE_RANK, text, rank=len(wanted.shape))
    sizes = wanted.integers
    if sizes is None:
        rank = wanted.shape[0].const if wanted.shape is not None else None
        return Fact(dtype, None if rank is None else ctx.fresh_shape(rank))
    for axis, size in enumerate(sizes):
        ctx.require_at_most(
            0, size, NEGATIVE_SIZE, "entry {axis} of {0} is {rhs}; a size cannot be negative", axis=axis
        )
    count = product(sizes).const
    few = element is not None and count is not None and 0 <= count <= MAX_ELEMENTS
    return Fact(dtype, sizes, (element,) * count if few and element is not None and count is not None else None)


@op("Shape")
def shape(ctx: OpContext) -> Fact:
    """ONNX Shape-1, 13: the sizes of all axes."""
    return _shape(ctx, 0, None)


@op("Shape", since=15)
def shape_part(ctx: OpContext) -> Fact:
    """ONNX Shape-15 and later: the sizes of the axes from `start` up to `end`, both clamped to the rank."""
    return _shape(ctx, ctx.int_attr("start", 0), ctx.optional_int("end"))


def _shape(ctx: OpContext, start: int, end: int | None) -> Fact:
    dims = ctx.input(0).shape
    if dims is None:
        return tensor(ctx.fresh(), dtype=INT64)
    taken = dims[start:end]
    return tensor(len(taken), dtype=INT64, elements=taken if len(taken) <= MAX_ELEMENTS else None)


@op("Size")
def size(ctx: OpContext) -> Fact:
    """ONNX Size-1 and later: the number of elements."""
    dims = ctx.input(0).shape
    return tensor(dtype=INT64, elements=None if dims is None else [product(dims)])


@op("RandomNormal", "RandomUniform")
def random(ctx: OpContext) -> Fact:
    """ONNX RandomNormal-1, RandomUniform-1 and later: random numbers in the shape of an attribute."""
    dtype = ctx.int_attr("dtype", FLOAT)
    wanted = ctx.ints_attr("shape")
    if wanted is None:
        return Fact(dtype)
    sizes = tuple(Dim.of(each) for each in wanted)
    for axis, dim in enumerate(sizes):
        text = "entry {axis} of the attribute `shape` is {rhs}; a size cannot be negative"
        ctx.require_at_most(0, dim, NEGATIVE_SIZE, text, axis=axis)
    return Fact(dtype, sizes)


@op("Multinomial", since=7)
def multinomial(ctx: OpContext) -> Fact:
    """ONNX Multinomial-7 and later: `sample_size` classes for each row."""
    dtype = ctx.int_attr("dtype", INT32)
    dims = ctx.input(0).shape
    drawn = Dim.of(ctx.int_attr("sample_size", 1))
    if dims is None:
        return tensor(ctx.fresh(), drawn, dtype=dtype)
    if len(dims) != 2:
        return ctx.reject(MULTINOMIAL_RANK, "{0} has rank {rank}; it must be [batch, classes]", rank=len(dims))
    return tensor(dims[0], drawn, dtype=dtype)
