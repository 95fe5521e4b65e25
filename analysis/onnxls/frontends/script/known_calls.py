"""What calls of known libraries make of values that are known: types, decorators, opsets, small tensors."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from math import isfinite

from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Array,
    Decorator,
    ElementType,
    Form,
    Items,
    Known,
    Opset,
    TensorForm,
)
from onnxls.frontends.script.arrays import array_of, dtype_of, ints_of, make_array, reshaped, transposed
from onnxls.frontends.script.folding import MAX_ITEMS
from onnxls.graph import canonical_domain


def called(
    callee: Known | Form | ElementType | Decorator, args: list[Abstract], keywords: Mapping[str, Abstract]
) -> Abstract:
    """The value of a call."""
    match callee:
        case Decorator():
            return _decorate(callee, args, keywords)
        case ElementType():
            made = array_of(args[0] if args else 0, callee.dtype, callee.dtype)
            return made if not callee.tensor else UNKNOWN
        case Form():
            return _construct(callee, args, keywords)
        case Known(name="onnxscript.Opset"):
            domain = args[0] if args else keywords.get("domain")
            version = args[1] if len(args) > 1 else keywords.get("version")
            if isinstance(domain, str) and isinstance(version, int):
                return Opset(canonical_domain(domain), version)
            return UNKNOWN
        case Known(name="builtins.range"):
            return _range(args)
        case Known(name="builtins.len"):
            return len(args[0].items) if len(args) == 1 and isinstance(args[0], Items) else UNKNOWN
        case Known():
            return make_array(callee.name, args, keywords)


def _decorate(decorator: Decorator, args: list[Abstract], keywords: Mapping[str, Abstract]) -> Abstract:
    if decorator.called:
        return UNKNOWN
    if decorator.kind == "torch_op":
        traced = keywords.get("trace_only")
        kind = "torch_op" if traced is None or traced is False else "traced"
        return Decorator(kind, Opset("pkg.onnxscript.torch_lib", 1))
    opset = args[0] if args else keywords.get("opset")
    return Decorator(decorator.kind, opset, args[1] if len(args) > 1 else keywords.get("default_opset"))


def _construct(form: Form, args: list[Abstract], keywords: Mapping[str, Abstract]) -> Abstract:
    match form.name:
        case "TypeVar":
            bound = keywords.get("bound")
            name = args[0] if args and isinstance(args[0], str) else ""
            return Form("TypeVar", (name, bound if bound is not None else Form("Union", tuple(args[1:]))))
        case "int" | "float" | "bool" if len(args) == 1 and isinstance(args[0], (int, float)):
            if form.name == "float":
                return float(args[0])
            if form.name == "bool":
                return bool(args[0])
            return int(args[0]) if isfinite(args[0]) else UNKNOWN
        case "str" if len(args) == 1 and isinstance(args[0], str):
            return args[0]
        case "list" | "tuple" if len(args) == 1 and isinstance(args[0], Items):
            return Items(args[0].items, form.name == "list")
        case _:
            return UNKNOWN


def tensor_form(dtype: int, given: Abstract, index: ast.expr) -> Abstract:
    """`FLOAT[3, "N"]` of an element type and an index."""
    if isinstance(index, ast.Constant) and index.value is ...:
        return TensorForm(dtype, None)
    dims: list[int | str | None] = []
    for each in given.items if isinstance(given, Items) else (given,):
        dims.append(each if isinstance(each, (int, str)) and not isinstance(each, bool) else None)
    return TensorForm(dtype, tuple(dims))


def array_method(array: Array, name: str, args: list[Abstract]) -> Abstract:
    """The value of a method of a numpy array."""
    match name:
        case "astype":
            return Array(dtype_of(args[0]) if args else None, array.dims, array.values)
        case "reshape":
            return reshaped(
                array, ints_of(args[0] if len(args) == 1 and isinstance(args[0], Items) else Items(tuple(args)))
            )
        case "flatten" | "ravel":
            return reshaped(array, (-1,))
        case "copy":
            return array
        case "transpose" if not args:
            return transposed(array)
        case "item" if array.values is not None and len(array.values) == 1:
            return array.values[0]
        case "tolist" if array.values is not None and array.dims is not None and len(array.dims) == 1:
            return Items(array.values)
        case _:
            return UNKNOWN


def _range(args: list[Abstract]) -> Abstract:
    bounds = [each for each in args if isinstance(each, int)]
    if not 1 <= len(bounds) == len(args) <= 3 or 0 in bounds[2:]:
        return UNKNOWN
    numbers = range(*bounds)
    return Items(tuple(numbers)) if len(numbers) <= MAX_ITEMS else UNKNOWN
