"""Facts that need no rule: of constants, and of declared types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite

from onnxls.dims import Dim
from onnxls.facts import BOOL, INTEGER_TYPES, MAX_ELEMENTS, MAX_FRACTIONS, Element, Fact, Ratio, Shape
from onnxls.graph import DeclaredDim, Graph, Model, Tensor, TypeInfo


def tensor_fact(tensor: Tensor) -> Fact:
    """The fact of a constant."""
    shape = tuple(Dim.of(dim) for dim in tensor.dims if dim >= 0)
    if len(shape) != len(tensor.dims):
        return Fact(tensor.dtype)
    count = 1
    for dim in tensor.dims:
        count *= dim
    is_integer = tensor.dtype in INTEGER_TYPES or tensor.dtype == BOOL
    if count > (MAX_ELEMENTS if is_integer else MAX_FRACTIONS):
        return Fact(tensor.dtype, shape)
    return Fact(tensor.dtype, shape, exact_elements(tensor))


def exact_elements(tensor: Tensor) -> tuple[Element, ...] | None:
    """The elements of a small constant as exact numbers; None where one is not finite."""
    values = tensor.values
    if values is None:
        return None
    if tensor.dtype in INTEGER_TYPES or tensor.dtype == BOOL:
        return tuple(Dim.of(int(value)) for value in values)
    made: list[Element] = []
    for value in values:
        if not isfinite(value):
            return None
        dividend, divisor = float(value).as_integer_ratio()  # in lowest terms
        made.append(Dim.of(dividend) if divisor == 1 else Ratio(Dim.of(dividend), divisor))
    return tuple(made)


def type_fact(info: TypeInfo, size: Callable[[str, DeclaredDim], Dim]) -> Fact:
    """The fact that a declared type states; `size(axis, dim)` gives the Dim of an axis."""
    shape: Shape | None = None
    if info.shape is not None:
        shape = tuple(size(str(axis), dim) for axis, dim in enumerate(info.shape))
    element = None
    if info.element is not None:
        element = type_fact(info.element, lambda axis, dim: size(f"element,{axis}", dim))
    return Fact(info.dtype, shape, None, info.kind, element)


def declared_names(model: Model) -> frozenset[str]:
    """All dim_params that the author wrote anywhere."""
    infos = (info for function in model.functions.values() for info in function.value_info.values())
    return dim_names(model.graph) | frozenset(name for info in infos for name in _params(info))


def dim_names(graph: Graph) -> frozenset[str]:
    """The dim_params in a graph and in those nested in it."""
    found: set[str] = set()

    def visit(graph: Graph) -> None:
        for value in (*graph.inputs, *graph.outputs):
            found.update(_params(value.type))
        for info in graph.value_info.values():
            found.update(_params(info))
        for node in graph.nodes:
            for attr in node.attrs.values():
                for each in attr.value if isinstance(attr.value, tuple) else (attr.value,):
                    if isinstance(each, Graph):
                        visit(each)

    visit(graph)
    return frozenset(found)


def _params(info: TypeInfo | None) -> Iterator[str]:
    while info is not None:
        yield from (dim for dim in info.shape or () if isinstance(dim, str))
        info = info.element
