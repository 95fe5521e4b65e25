"""Element-wise operators of one input: its shape, and where they compute sizes in real models, its elements."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import ONE, ZERO, Dim
from onnxls.facts import BOOL, INTEGER_TYPES, Element, Fact, ratio
from onnxls.ops import arithmetic as exact
from onnxls.ops import op
from onnxls.ops.computed import Compute, content, of_one
from onnxls.ops.context import OpContext
from onnxls.ops.parameters import require_one_element


@op(
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Celu", "Cos", "Cosh", "Elu", "Erf", "Exp", "Gelu",
    "HardSigmoid", "HardSwish", "IsInf", "IsNaN", "LeakyRelu", "Log", "Mish", "RegexFullMatch", "Selu", "Shrink",
    "Sigmoid", "Sin", "Sinh", "Softplus", "Softsign", "Swish", "Tan", "Tanh", "ThresholdedRelu",
)  # fmt: skip
def same_shape(ctx: OpContext) -> Fact:
    """Acos to ThresholdedRelu: the shape of the input. The type is the input's, or BOOL by the schema."""
    return Fact(shape=ctx.input(0).shape)


def _complement(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
    value = row[0]
    if not isinstance(value, Dim) or dtype not in INTEGER_TYPES:
        return None
    least, most = exact.integer_range(dtype)
    return -1 - value if least < 0 else most - value


_ONE_INPUT: dict[str, Compute] = {
    "Abs": of_one(lambda ctx, a: exact.magnitude(a, ctx.ask)),
    "BitwiseNot": _complement,
    "Ceil": of_one(lambda ctx, a: exact.ceiling(a), rounded=True),
    "Floor": of_one(lambda ctx, a: exact.floor(a), rounded=True),
    "Neg": of_one(lambda ctx, a: exact.negative(a), rounded=True),
    "Not": of_one(lambda ctx, a: exact.add(ONE, exact.negative(a))),
    "Reciprocal": of_one(lambda ctx, a: exact.quotient(ONE, a, ctx.ask)),
    "Relu": of_one(lambda ctx, a: exact.greatest(a, ZERO, ctx.ask)),
    "Round": of_one(lambda ctx, a: exact.half_to_even(a), rounded=True),
    "Sign": of_one(lambda ctx, a: exact.sign(a, ctx.ask)),
    "Sqrt": of_one(lambda ctx, a: exact.square_root(a)),
}


@op(*_ONE_INPUT)
def pointwise(ctx: OpContext) -> Fact:
    """Abs to Sqrt: the shape of the input, and its elements one by one."""
    fact = ctx.input(0)
    if fact.elements is None:
        return Fact(shape=fact.shape)
    return Fact(shape=fact.shape, elements=content(ctx, fact.shape, (fact,), fact.dtype, _ONE_INPUT[ctx.op_type]))


@op("Identity")
def identity(ctx: OpContext) -> Fact:
    """ONNX Identity-1 to 25: the value itself, of whatever type."""
    return ctx.input(0)


@op("Bernoulli", "RandomNormalLike", "RandomUniformLike")
def random_like(ctx: OpContext) -> Fact:
    """Random numbers in the shape of the input, of the type that `dtype` names, else the input's."""
    return Fact(ctx.optional_int("dtype") or ctx.input(0).dtype, ctx.input(0).shape)


@op("Clip")
def clip_between_attributes(ctx: OpContext) -> Fact:
    """ONNX Clip-1, 6: the bounds are attributes."""
    bounds = [_float_bound(ctx, name) for name in ("min", "max")]
    return _clipped(ctx, bounds, [name in ctx.attrs for name in ("min", "max")])


@op("Clip", since=11)
def clip_between_inputs(ctx: OpContext) -> Fact:
    """ONNX Clip-11 to 13: the bounds are optional inputs of one element."""
    for index, what in ((1, "the lower bound"), (2, "the upper bound")):
        require_one_element(ctx, index, what)
    given = [ctx.input(index).elements for index in (1, 2)]
    bounds = [each[0] if each is not None and len(each) == 1 else None for each in given]
    return _clipped(ctx, bounds, [ctx.has(1), ctx.has(2)])


def _float_bound(ctx: OpContext, name: str) -> Element | None:
    value = ctx.float_attr(name, 0.0)
    if value - value != 0:  # infinite, or not a number
        return None
    dividend, divisor = value.as_integer_ratio()
    return ratio(Dim.of(dividend), divisor)


def _clipped(ctx: OpContext, bounds: Sequence[Element | None], given: Sequence[bool]) -> Fact:
    """The input within the bounds. Runtimes disagree where the bounds cross: nothing is said of that."""
    fact = ctx.input(0)
    low, high = (bound if there else None for bound, there in zip(bounds, given, strict=True))
    known = all(bound is not None or not there for bound, there in zip(bounds, given, strict=True))
    known = known and not any(bound is not None and exact.is_loose(bound, fact.dtype) for bound in (low, high))
    if low is not None and high is not None:
        known = known and exact.compare("<=", low, high, ctx.ask) == ONE
    if fact.elements is None or not known:
        return Fact(shape=fact.shape)

    def within(ctx: OpContext, value: Element) -> Element:
        value = value if low is None else exact.greatest(value, low, ctx.ask)
        return value if high is None else exact.least(value, high, ctx.ask)

    return Fact(shape=fact.shape, elements=content(ctx, fact.shape, (fact,), fact.dtype, of_one(within)))


@op("Dropout")
def dropout_by_attribute(ctx: OpContext) -> tuple[Fact, Fact]:
    """ONNX Dropout-1, 6: trains unless `is_test` is set. The mask has the type of the data."""
    return _dropout(ctx, trains=not ctx.int_attr("is_test", 0), mask_dtype=ctx.input(0).dtype)


@op("Dropout", since=7)
def dropout_at_inference(ctx: OpContext) -> tuple[Fact, Fact]:
    """ONNX Dropout-7, 10: never trains. The mask is BOOL since 10."""
    return _dropout(ctx, trains=False, mask_dtype=BOOL if ctx.version >= 10 else ctx.input(0).dtype)


@op("Dropout", since=12)
def dropout(ctx: OpContext) -> tuple[Fact, Fact]:
    """ONNX Dropout-12 to 22: trains where the input `training_mode` says so."""
    require_one_element(ctx, 1, "the ratio")
    require_one_element(ctx, 2, "the training mode")
    return _dropout(ctx, trains=ctx.has(2) and ctx.input(2).constants != (0,), mask_dtype=BOOL)


def _dropout(ctx: OpContext, *, trains: bool, mask_dtype: int | None) -> tuple[Fact, Fact]:
    fact = ctx.input(0)
    return Fact(fact.dtype, fact.shape, None if trains else fact.elements), Fact(mask_dtype, fact.shape)
