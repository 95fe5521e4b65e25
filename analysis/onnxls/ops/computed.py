"""The elements of a result, computed one by one from those of the operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onnxls.facts import BOOL, INTEGER_TYPES, Element, Fact, Shape
from onnxls.ops.arithmetic import constant_shape, fits, is_loose, may_be_nan, places
from onnxls.ops.context import OpContext

Compute = Callable[[OpContext, "int | None", Sequence[Element]], "Element | None"]
"""The element that an operator makes of elements of a type, or None."""


def content(
    ctx: OpContext, shape: Shape | None, operands: Sequence[Fact], dtype: int | None, compute: Compute
) -> tuple[Element, ...] | None:
    """The elements of a result of this shape and type, each computed from those of the operands."""
    if any(fact.elements is None for fact in operands):
        return None
    columns = [spread(fact, shape) for fact in operands]
    rows = [column for column in columns if column is not None]
    if len(rows) != len(columns):
        return None
    return settled(ctx, dtype, [compute(ctx, operands[0].dtype, row) for row in zip(*rows, strict=True)])


def spread(fact: Fact, shape: Shape | None) -> list[Element] | None:
    """The elements of an operand, as often as it is repeated in a result of this shape."""
    own, out = constant_shape(fact), constant_shape(Fact(shape=shape))
    found = None if own is None or out is None else places(own, out)
    elements = fact.elements
    return None if found is None or elements is None else [elements[place] for place in found]


def settled(ctx: OpContext, dtype: int | None, values: Sequence[Element | None]) -> tuple[Element, ...] | None:
    """Computed elements as those of a tensor of this type: what it cannot hold is unknown. An unknown float among
    known ones cannot be expressed."""
    kept = [value if value is not None and fits(value, dtype) else None for value in values]
    if kept and all(value is None for value in kept):
        return None
    if None in kept and dtype not in INTEGER_TYPES and dtype != BOOL:
        return None
    return tuple(ctx.fresh_element() if value is None else value for value in kept)


def of_one(compute: Callable[[OpContext, Element], Element | None], *, rounded: bool = False) -> Compute:
    """A function of one element. `rounded`: it is right for quotients that a runtime rounds, too."""

    def of_row(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
        refuses = may_be_nan if rounded else is_loose
        return None if refuses(row[0], dtype) else compute(ctx, row[0])

    return of_row


def of_two(compute: Callable[[OpContext, Element, Element], Element | None]) -> Compute:
    """A function of two elements, applied from left to right."""

    def of_row(ctx: OpContext, dtype: int | None, row: Sequence[Element]) -> Element | None:
        result: Element | None = row[0]
        for value in row[1:]:
            if result is None or is_loose(result, dtype) or is_loose(value, dtype):
                return None
            result = compute(ctx, result, value)
        return result

    return of_row
