"""The one graph that every front end makes: immutable, small, and free of weights.

Names are ONNX names; a value is known by its name inside its graph. A front end never raises for a bad
input: it makes what can be made and reports the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from onnxls.spans import Origin, Span

Kind = Literal["tensor", "sequence", "optional", "map", "sparse_tensor"]
DeclaredDim = int | str | None
"""What an author wrote for an axis: a dim_value, a dim_param, or neither."""

Scalar = int | float | bool
"""An element of a small tensor. Bools are kept as bools, strings are not kept."""


def canonical_domain(domain: str) -> str:
    """A domain of operators as the graph names it: the default one is "", which files may also call "ai.onnx"."""
    return "" if domain == "ai.onnx" else domain


@dataclass(frozen=True, slots=True)
class TypeInfo:
    """A declared type. `dtype` is a `TensorProto.DataType` number (of the keys, for a map); `shape` None: no shape."""

    kind: Kind
    dtype: int | None = None
    shape: tuple[DeclaredDim, ...] | None = None
    element: TypeInfo | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A graph input or output as declared; `type` None where the author declared none."""

    name: str
    type: TypeInfo | None = None
    span: Span | None = None


class Tensor:
    """A constant: its type and dims, and its elements where they are few.

    `decode` gives the elements in row-major order, or None where there are too many, they are strings, or they lie
    in a file that cannot be read; `problem` then says why when the author should know.
    """

    def __init__(
        self,
        name: str,
        dtype: int,
        dims: tuple[int, ...],
        decode: Callable[[], tuple[Scalar, ...] | None],
        problem: str | None = None,
    ) -> None:
        self.name = name
        self.dtype = dtype
        self.dims = dims
        self.problem = problem
        self._decode = decode

    @cached_property
    def values(self) -> tuple[Scalar, ...] | None:
        """The elements in row-major order, or None."""
        return self._decode()


@dataclass(frozen=True, slots=True)
class Attr:
    """An attribute of a node. `type` is an `AttributeProto.AttributeType` number.

    `ref` names the attribute of the enclosing function that gives the value (then `value` is None). The value of a
    sparse tensor is the dense `Tensor` of its dims, without elements.
    """

    name: str
    type: int
    value: AttrValue = None
    ref: str | None = None


def is_plain(attr: Attr) -> bool:
    """Whether the value is made of numbers, strings and tensors, or absent: of nothing nested."""
    values = attr.value if isinstance(attr.value, tuple) else (attr.value,)
    return not any(isinstance(value, Graph | TypeInfo) for value in values)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One call of an operator or function. An input or output named "" is absent."""

    op_type: str
    domain: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: Mapping[str, Attr] = field(default_factory=dict[str, Attr])
    overload: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A main or nested graph. `nodes` are in the order of the file, which need not be topological in a bad one."""

    name: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    initializers: Mapping[str, Tensor] = field(default_factory=dict[str, Tensor])
    value_info: Mapping[str, TypeInfo] = field(default_factory=dict[str, TypeInfo])
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


AttrValue = (
    int
    | float
    | str
    | Tensor
    | Graph
    | TypeInfo
    | tuple[int, ...]
    | tuple[float, ...]
    | tuple[str, ...]
    | tuple[Tensor, ...]
    | tuple[Graph, ...]
    | tuple[TypeInfo, ...]
    | None
)
"""The value of an attribute; None where it is absent, refers to another, or could not be read."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the model. `attributes` have no default; `defaults` are those that have one."""

    domain: str
    name: str
    overload: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    attributes: tuple[str, ...] = ()
    defaults: Mapping[str, Attr] = field(default_factory=dict[str, Attr])
    opsets: Mapping[str, int] = field(default_factory=dict[str, int])
    value_info: Mapping[str, TypeInfo] = field(default_factory=dict[str, TypeInfo])
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A model. The default domain is "" (never "ai.onnx") in `opsets`, nodes and functions."""

    graph: Graph
    opsets: Mapping[str, int] = field(default_factory=dict[str, int])
    functions: Mapping[tuple[str, str, str], Function] = field(default_factory=dict[tuple[str, str, str], Function])
    ir_version: int = 0
    producer: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
