"""Initializers that are inputs of the main graph as well: the declared type is that of the tensor, too."""

from __future__ import annotations

from onnxls.graph import TypeInfo
from onnxls.lints.collector import Collector
from onnxls.lints.scopes import Scope
from onnxls.rules import rule
from onnxls.schemas import type_string

INITIALIZER_MISMATCH = rule(
    "initializer-mismatch",
    "OLS051",
    "error",
    """
    An initializer has another shape or element type than the input of its name is declared with.

    An initializer that is an input as well is what the input is where a caller gives nothing, so that the declaration
    is about both. onnxruntime refuses the model.

    ```onnx
    g (float[N, 3] x,
       float[4, 3] w) => (float[M, 3] y) # error: [initializer-mismatch] "its initializer has the shape [2, 3]"
    <float[2, 3] w = {1, 2, 3, 4, 5, 6}> {
      y = Concat <axis = 0> (x, w)
    }
    ```

    Declare the input as the tensor is, or take it from the inputs.
    """,
)


def report_initializers(scope: Scope, collector: Collector) -> None:
    """Reports initializers that contradict the declared type of an input."""
    for value in scope.inputs:
        tensor = scope.initializers.get(value.name)
        if tensor is None or value.type is None or value.type.kind != "tensor":
            continue
        text = _difference(value.type, tensor.dtype, tensor.dims)
        if text is not None:
            collector.add(INITIALIZER_MISMATCH, f"`{value.name}` is declared {text}", scope.input_place(value))


def _difference(declared: TypeInfo, dtype: int, dims: tuple[int, ...]) -> str | None:
    if declared.dtype and dtype and declared.dtype != dtype:
        return f"{type_string(declared.dtype)}, but its initializer is {type_string(dtype)}"
    shape = declared.shape
    if shape is None:
        return None
    fits = len(shape) == len(dims) and all(
        not isinstance(want, int) or want < 0 or want == have for want, have in zip(shape, dims, strict=True)
    )
    if fits:
        return None
    shown = ", ".join("?" if size is None else str(size) for size in shape)
    return f"[{shown}], but its initializer has the shape {list(dims)}"
