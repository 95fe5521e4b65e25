"""A model without its weights: large tensors are cut out of the bytes and made up from their type and shape.

What is made up costs no memory before the node that reads it runs. Tensors that may decide shapes are small and stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from onnxls.frontends.wire import BYTES, Buffer, encoded_field, fields, packed, signed

if TYPE_CHECKING:
    from onnx import ModelProto, TensorProto

LARGE = 1 << 16
"""Elements of a tensor from which on it is a weight."""

_GRAPH, _INITIALIZER = 7 << 3 | BYTES, 5 << 3 | BYTES
_DIMS, _DIMS_PACKED = 1 << 3, 1 << 3 | BYTES
_ELEMENT_FIELDS = (4, 5, 6, 7, 9, 10, 11)
_FILLABLE = {1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16}
"""The element types that ConstantOfShape gives."""

_FLOATS = {1, 10, 11, 16}


def without_weights(data: Buffer) -> bytes:
    """The bytes of a model in which large initializers have no elements. Raises WireError."""
    return b"".join(_model(data))


def _model(data: Buffer) -> Iterator[bytes]:
    position = 0
    for tag, start, end in fields(data, 0, len(data)):
        stop = end
        if tag == _GRAPH:
            body = b"".join(_graph(data, start, end))
            yield encoded_field(tag, body)
        else:
            yield data[position:stop]
        position = stop


def _graph(data: Buffer, first: int, last: int) -> Iterator[bytes]:
    position = first
    for tag, start, end in fields(data, first, last):
        if tag == _INITIALIZER and _elements(data, start, end) >= LARGE:
            body = b"".join(_tensor(data, start, end))
            yield encoded_field(tag, body)
        else:
            yield data[position:end]
        position = end


def _tensor(data: Buffer, first: int, last: int) -> Iterator[bytes]:
    position = first
    for tag, _, end in fields(data, first, last):
        if tag >> 3 not in _ELEMENT_FIELDS:
            yield data[position:end]
        position = end


def _elements(data: Buffer, first: int, last: int) -> int:
    count = 1
    for tag, start, end in fields(data, first, last):
        if tag == _DIMS:
            count *= signed(start)
        elif tag == _DIMS_PACKED:
            for dim in packed(data, start, end):
                count *= dim
    return count


def make_up(model: ModelProto, opset: int) -> str | None:
    """Gives every large tensor without elements some: 0.01 throughout, or 0. What cannot be made up, or None."""
    from onnx import helper

    graph = model.graph
    kept: list[TensorProto] = []
    for tensor in graph.initializer:
        if not _is_empty(tensor):
            kept.append(tensor)
        elif tensor.data_type not in _FILLABLE or opset < 9:
            return f"the weight {tensor.name!r} is of a type that cannot be made up"
        else:
            shape = helper.make_tensor(f"{tensor.name}/shape", 7, (len(tensor.dims),), tensor.dims)
            value = helper.make_tensor("value", tensor.data_type, (1,), (0.01 if tensor.data_type in _FLOATS else 0,))
            kept.append(shape)
            graph.node.insert(0, helper.make_node("ConstantOfShape", [shape.name], [tensor.name], value=value))
    made = {tensor.name for tensor in graph.initializer} - {tensor.name for tensor in kept}
    inputs = [value for value in graph.input if value.name not in made]
    del graph.initializer[:], graph.input[:]
    graph.initializer.extend(kept)
    graph.input.extend(inputs)
    return None


def _is_empty(tensor: TensorProto) -> bool:
    count = 1
    for dim in tensor.dims:
        count *= dim
    return count >= LARGE and not any(
        (tensor.raw_data, tensor.float_data, tensor.int32_data, tensor.int64_data, tensor.double_data,
         tensor.uint64_data, tensor.string_data)
    )  # fmt: skip
