"""Element types of outputs, from an operator's type constraints alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from onnxls.schemas import Schema, dtype_of


@lru_cache(maxsize=4096)
def _source(schema: Schema, position: int) -> tuple[tuple[int, ...], bool, int | None]:
    """For an output: the formal inputs of the same type, whether the last of them repeats, and its one fixed type."""
    outputs = schema.outputs
    if not outputs:
        return (), False, None
    formal = outputs[min(position, len(outputs) - 1)]
    fixed = dtype_of(formal.type)
    if fixed is not None:
        return (), False, fixed
    allowed = schema.allowed(formal.type)
    if len(allowed) == 1:
        fixed = dtype_of(next(iter(allowed)))
    same = tuple(index for index, each in enumerate(schema.inputs) if each.type == formal.type)
    repeats = bool(same) and schema.inputs[same[-1]].option == "variadic"
    return same, repeats, fixed


def output_dtype(schema: Schema, position: int, inputs: Sequence[int | None]) -> int | None:
    """The element type of an output where the types of the inputs settle it, else None."""
    same, repeats, fixed = _source(schema, position)
    if fixed is not None:
        return fixed
    for index in same:
        if index < len(inputs) and inputs[index]:
            return inputs[index]
    if repeats:
        return next((dtype for dtype in inputs[same[-1] :] if dtype), None)
    return None
