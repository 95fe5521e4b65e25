"""Constants of a model as exact facts."""

from __future__ import annotations

import struct
from math import isfinite

from onnxls.dims import Dim
from onnxls.facts import BOOL, INTEGER_TYPES, MAX_ELEMENTS, Element, Fact, ratio
from onnxls.graph import Tensor


def tensor_fact(tensor: Tensor) -> Fact:
    """The fact of a constant."""
    shape = tuple(Dim.of(dim) for dim in tensor.dims if dim >= 0)
    if len(shape) != len(tensor.dims):
        return Fact(tensor.dtype)
    count = 1
    for dim in tensor.dims:
        count *= dim
    return Fact(tensor.dtype, shape, exact_elements(tensor) if count <= MAX_ELEMENTS else None)


def exact_elements(tensor: Tensor) -> tuple[Element, ...] | None:
    """The elements of a small constant as exact numbers; None where one is not finite."""
    values = tensor.values
    if values is None:
        return None
    if tensor.dtype in INTEGER_TYPES or tensor.dtype == BOOL:
        return tuple(Dim.of(int(value)) for value in values)
    return exact_floats(tuple(float(value) for value in values))


def exact_floats(values: tuple[float, ...]) -> tuple[Element, ...] | None:
    """Floating-point numbers as exact rationals; None where one is not finite."""
    if not all(isfinite(value) for value in values):
        return None
    return tuple(ratio(Dim.of(dividend), divisor) for dividend, divisor in (v.as_integer_ratio() for v in values))


def single(value: float) -> float:
    """The number as a 32-bit float holds it; infinite where it is out of range."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf")
