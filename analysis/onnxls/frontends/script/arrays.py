"""Calls of numpy, onnx.helper and onnx_ir that make a small tensor from literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from onnxls.facts import BOOL, DOUBLE, FLOAT, INT64, STRING
from onnxls.frontends.script.abstract import UNKNOWN, Abstract, Array, ElementType, Form, Items, is_known
from onnxls.graph import Scalar, Tensor

MAX_ARRAY = 4096
_FORMS = {"int": INT64, "float": DOUBLE, "bool": BOOL}
_TEXTS = {
    "float32": 1, "uint8": 2, "int8": 3, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11,
}  # fmt: skip


def make_array(name: str, args: Sequence[Abstract], keywords: Mapping[str, Abstract]) -> Abstract:
    """The value of a call of a function that makes a tensor, or UNKNOWN."""

    def given(position: int, keyword: str) -> Abstract:
        return args[position] if position < len(args) else keywords.get(keyword)

    match name:
        case "numpy.array" | "numpy.asarray":
            return array_of(given(0, "object"), dtype_of(given(1, "dtype")), DOUBLE)
        case "onnx_ir.tensor":
            return array_of(given(0, "value"), dtype_of(given(1, "dtype")), FLOAT)
        case "numpy.zeros" | "numpy.ones" | "numpy.empty":
            fill = {"numpy.zeros": 0, "numpy.ones": 1}.get(name)
            return _filled(given(0, "shape"), fill, dtype_of(given(1, "dtype")) or DOUBLE)
        case "numpy.arange":
            return _arange(args, dtype_of(keywords.get("dtype")))
        case "numpy.random.rand" | "numpy.random.randn":
            return _filled(Items(tuple(args)), None, DOUBLE)
        case "numpy.random.random" | "numpy.random.standard_normal":
            return _filled(given(0, "size"), None, DOUBLE)
        case "numpy.random.normal" | "numpy.random.uniform":
            return _filled(given(2, "size"), None, DOUBLE)
        case "numpy.full":
            made = array_of(given(1, "fill_value"), None, DOUBLE)
            fill = made.values[0] if isinstance(made, Array) and made.values else None
            return _filled(given(0, "shape"), fill, dtype_of(given(2, "dtype")) or _dtype(made))
        case "onnx.numpy_helper.from_array":
            made = given(0, "arr")
            return made if isinstance(made, Array) else Array()
        case "onnx.helper.make_tensor":
            return _make_tensor(given(1, "data_type"), given(2, "dims"), given(3, "vals"))
        case _:
            return UNKNOWN


def _make_tensor(data_type: Abstract, dims: Abstract, vals: Abstract) -> Array:
    dtype = data_type if isinstance(data_type, int) else None
    sizes = ints_of(dims)
    flat = vals.items if isinstance(vals, Items) else None
    if sizes is None or flat is None or len(flat) != prod(sizes) or len(flat) > MAX_ARRAY:
        return Array(dtype, sizes)
    values = tuple(each for each in flat if isinstance(each, (int, float)))
    return Array(dtype, sizes, values if len(values) == len(flat) else None)


def _filled(shape: Abstract, fill: Scalar | None, dtype: int | None) -> Array:
    sizes = (shape,) if isinstance(shape, int) else ints_of(shape)
    if sizes is None or any(size < 0 for size in sizes):
        return Array(dtype)
    count = prod(sizes)
    return Array(dtype, sizes, None if fill is None or count > MAX_ARRAY else (fill,) * count)


def _arange(args: Sequence[Abstract], dtype: int | None) -> Array:
    bounds = [each for each in args if isinstance(each, int)]
    if not 1 <= len(bounds) == len(args) <= 3 or 0 in bounds[2:]:
        return Array(dtype)
    numbers = range(*bounds)
    return Array(dtype or INT64, (len(numbers),), tuple(numbers) if len(numbers) <= MAX_ARRAY else None)


def reshaped(array: Array, sizes: tuple[int, ...] | None) -> Array:
    """The array with other dims, of which one may be -1; of unknown dims where that cannot be."""
    if sizes is None or array.dims is None or any(size < -1 for size in sizes) or sizes.count(-1) > 1:
        return Array(array.dtype)
    count, known = prod(array.dims), prod(size for size in sizes if size != -1)
    if -1 in sizes and known and count % known == 0:
        sizes = tuple(count // known if size == -1 else size for size in sizes)
    return Array(array.dtype, sizes, array.values) if prod(sizes) == count else Array(array.dtype)


def transposed(array: Array) -> Array:
    """The array with its axes in reverse order."""
    if array.dims is None or len(array.dims) < 2:
        return array
    return Array(array.dtype, array.dims[::-1])


def array_of(value: Abstract, dtype: int | None, of_floats: int) -> Abstract:
    """The tensor of a literal; `of_floats` is the element type of floats where none is given."""
    if isinstance(value, Array):
        return Array(dtype or value.dtype, value.dims, value.values)
    if not is_known(value):
        return Array(dtype)
    dims: list[int] = []
    level: list[Abstract] = [value]
    while level and all(isinstance(each, Items) for each in level):
        rows = [each.items for each in level if isinstance(each, Items)]
        if len({len(row) for row in rows}) != 1 or len(dims) > 16:
            return UNKNOWN
        dims.append(len(rows[0]))
        if len(rows) * len(rows[0]) > MAX_ARRAY:
            return Array(dtype)
        level = [each for row in rows for each in row]
    if level and all(isinstance(each, str) for each in level):
        return Array(STRING, tuple(dims), None)
    values = tuple(each for each in level if isinstance(each, (int, float)))
    if len(values) != len(level):
        return UNKNOWN
    if dtype is None:
        if not values:
            dtype = of_floats
        elif all(isinstance(each, bool) for each in values):
            dtype = BOOL
        else:
            dtype = of_floats if any(isinstance(each, float) for each in values) else INT64
    return Array(dtype, tuple(dims), values)


def dtype_of(value: Abstract) -> int | None:
    """The element type that a `dtype` argument names."""
    match value:
        case ElementType():
            return value.dtype
        case Form():
            return _FORMS.get(value.name)
        case str():
            return _TEXTS.get(value)
        case int():
            return value
        case _:
            return None


def ints_of(value: Abstract) -> tuple[int, ...] | None:
    """The integers of a list, tuple or one-dimensional array."""
    if isinstance(value, Array):
        if value.dims is None or len(value.dims) != 1 or value.values is None:
            return None
        return tuple(each for each in value.values if isinstance(each, int)) if value.dtype == INT64 else None
    if not isinstance(value, Items):
        return None
    found = tuple(each for each in value.items if isinstance(each, int))
    return found if len(found) == len(value.items) else None


def tensor_of(array: Array, name: str) -> Tensor | None:
    """The constant of a graph, where type and dims are known."""
    if array.dtype is None or array.dims is None:
        return None
    values = array.values
    return Tensor(name, array.dtype, array.dims, lambda: values)


def _dtype(made: Abstract) -> int | None:
    return made.dtype if isinstance(made, Array) else None
