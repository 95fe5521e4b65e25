"""The names of libraries that sources use, as data: onnxscript, onnx, numpy, typing, math and Python's own.

A dotted name of a known library that is not told apart stays `Known`; one of any other module is unknown.
"""

from __future__ import annotations

import math
import re

from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Decorator,
    ElementType,
    Form,
    Known,
    Opset,
    Unknown,
)

LIBRARIES = ("onnxscript", "onnx", "onnx_ir", "numpy", "math", "typing", "typing_extensions", "collections")

_ELEMENT_NAMES = (
    "FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 UINT64 COMPLEX64 COMPLEX128 BFLOAT16 "
    "FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ UINT4 INT4 FLOAT4E2M1 FLOAT8E8M0 UINT2 INT2"
)
ELEMENT_TYPES = {name: number for number, name in enumerate(_ELEMENT_NAMES.split(), 1)}
_NUMPY_TYPES = {
    "float32": 1, "single": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "int_": 7,
    "intp": 7, "bool_": 9, "float16": 10, "half": 10, "float64": 11, "double": 11, "uint32": 12, "uint64": 13,
    "complex64": 14, "complex128": 15,
}  # fmt: skip
_CONSTANTS: dict[str, float | None] = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None}
_OPSET = re.compile(r"opset(\d{1,2})")
_DOMAIN_OPSET = re.compile(r"opset_(ai_onnx_ml|ai_onnx_preview_training|ai_onnx_preview)(\d{1,2})")
_TYPING = frozenset(("Optional", "Union", "Sequence", "List", "Tuple", "TypeVar", "Annotated", "Any", "Callable"))
_MODULES = frozenset(
    (
        "onnxscript.onnx_opset", "onnxscript.onnx_types", "onnxscript.values", "onnxscript.main", "onnxscript.nn",
        "onnxscript.ir", "onnx.helper", "onnx.numpy_helper", "onnx.TensorProto", "onnx.AttributeProto",
        "collections.abc",
    )
)  # fmt: skip
_BUILTINS = (
    "abs all any bool dict divmod enumerate filter float int isinstance len list map max min pow print range repr "
    "reversed round set sorted str sum tuple type zip hasattr getattr"
)
PYTHON_NAMES = frozenset(
    (*_BUILTINS.split(), "object", "super", "Exception", "ValueError", "TypeError", "NotImplemented")
)


def is_library(module: str) -> bool:
    """Whether a module belongs to a library whose names are known."""
    return module.partition(".")[0] in LIBRARIES


def builtin(name: str) -> Abstract:
    """One of Python's own names."""
    if name in ("int", "float", "str", "bool", "list", "tuple"):
        return Form(name)
    return Known(f"builtins.{name}") if name in PYTHON_NAMES else UNKNOWN


def library_name(dotted: str) -> Abstract:
    """What a dotted name of a known library stands for."""
    library, _, rest = dotted.partition(".")
    last = dotted.rpartition(".")[2]
    if not rest or dotted in _MODULES:
        return Known(dotted)
    match library:
        case "onnxscript":
            return _of_onnxscript(dotted, last)
        case "onnx":
            return _of_onnx(dotted, last)
        case "numpy":
            if last in _NUMPY_TYPES:
                return ElementType(_NUMPY_TYPES[last], tensor=False)
            return _CONSTANTS[last] if last in _CONSTANTS else Known(dotted)
        case "math":
            return _CONSTANTS[last] if last in _CONSTANTS else Known(dotted)
        case "onnx_ir":
            if dotted.startswith("onnx_ir.DataType."):
                return ELEMENT_TYPES.get(last, Unknown(dotted))
            return Known(dotted)
        case _:
            return Form(last) if last in _TYPING else Known(dotted)


def star_name(module: str, name: str) -> Abstract | None:
    """What `from module import *` of a known library binds a name to; None where it does not."""
    value = library_name(f"{module}.{name}")
    return None if isinstance(value, (Known, Unknown)) and f"{module}.{name}" not in _MODULES else value


def _of_onnxscript(dotted: str, last: str) -> Abstract:
    if last in ELEMENT_TYPES:
        return ElementType(ELEMENT_TYPES[last])
    if last in ("script", "graph", "torch_op"):
        return Decorator(last, called=False)
    if last == "Opset":
        return Known("onnxscript.Opset")
    if last == "TensorType":
        return Form("TensorType")
    match = _OPSET.fullmatch(last)
    if match is not None:
        return Opset("", int(match[1]))
    match = _DOMAIN_OPSET.fullmatch(last)
    if match is not None:
        return Opset(match[1].replace("ai_onnx_preview_training", "ai.onnx.preview.training").replace("_", "."),
                     int(match[2]))  # fmt: skip
    if dotted.startswith("onnxscript.ir."):
        return library_name("onnx_ir." + dotted.removeprefix("onnxscript.ir."))
    if dotted.startswith("onnxscript.onnx_opset."):
        return Unknown(dotted)
    return Known(dotted)


def _of_onnx(dotted: str, last: str) -> Abstract:
    if dotted.startswith("onnx.TensorProto."):
        return ELEMENT_TYPES.get(last, Unknown(dotted))
    return Known(dotted)
