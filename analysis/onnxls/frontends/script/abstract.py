"""What a Python expression may stand for, as plain data: nothing here is ever run.

A number, string, bool or None stands for itself (`Plain`).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from onnxls.graph import Scalar

if TYPE_CHECKING:
    from onnxls.frontends.script.declared import Declared
    from onnxls.frontends.script.modules import Module

Plain = int | float | str | bytes | bool | None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not known, and why."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list or tuple."""

    items: tuple[Abstract, ...]
    is_list: bool = True


@dataclass(frozen=True, slots=True)
class Entries:
    """A dict with keys that are known."""

    items: tuple[tuple[Plain, Abstract], ...]


@dataclass(frozen=True, slots=True)
class Array:
    """A numpy array, a TensorProto, a tensor of the IR. `dims` or `values` None: not known."""

    dtype: int | None = None
    dims: tuple[int, ...] | None = None
    values: tuple[Scalar, ...] | None = None


@dataclass(frozen=True, slots=True)
class Opset:
    """A version of a domain; the standard one is ""."""

    domain: str
    version: int


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator as a value: `op.Add`."""

    opset: Opset
    name: str


@dataclass(frozen=True, slots=True)
class ElementType:
    """`FLOAT` of onnxscript (`tensor`), or `np.float32`."""

    dtype: int
    tensor: bool = True


@dataclass(frozen=True, slots=True)
class TensorForm:
    """`FLOAT[3, "N"]`, `FLOAT[...]` (then `shape` is None)."""

    dtype: int
    shape: tuple[int | str | None, ...] | None


@dataclass(frozen=True, slots=True)
class Form:
    """A type of `typing` with its arguments: `Sequence[int]`, `Optional[FLOAT]`, a TypeVar with its bound."""

    name: str
    args: tuple[Abstract, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """Something of a known library that is not told apart further, by its dotted name."""

    name: str


@dataclass(frozen=True, slots=True)
class Decorator:
    """`script(...)` or another decorator that makes graphs. `called` False: `@script` without parentheses."""

    kind: str
    opset: Abstract = None
    default_opset: Abstract = None
    called: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class ScriptFunction:
    """A function that is converted to a graph."""

    declared: Declared


@dataclass(frozen=True, slots=True, eq=False)
class PlainFunction:
    """A function or class of Python."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True, eq=False)
class SourceModule:
    """A module of the workspace."""

    module: Module


@dataclass(frozen=True, slots=True)
class GraphValue:
    """In a function that Python runs to make a graph: a value of that graph, by its name.

    `kind`: a tensor; or what is an integer (`size`) or a bool (`truth`) of Python there, and is computed from shapes.
    `optional`: it may be None instead.
    """

    name: str
    kind: Literal["tensor", "size", "truth"] = "tensor"
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ShapeOf:
    """The shape of a value of the graph, as Python sees it."""

    value: GraphValue


@dataclass(frozen=True, slots=True)
class Builder:
    """What nodes are made with: `op`, or with `whole` the builder that it belongs to."""

    whole: bool = False


@dataclass(frozen=True, slots=True)
class Instance:
    """`self` of a method."""


Abstract = (
    Plain
    | Unknown
    | Items
    | Entries
    | Array
    | Opset
    | Operator
    | ElementType
    | TensorForm
    | Form
    | Known
    | Decorator
    | ScriptFunction
    | PlainFunction
    | SourceModule
    | GraphValue
    | ShapeOf
    | Builder
    | Instance
)

UNKNOWN = Unknown()


def is_known(value: Abstract) -> bool:
    """Whether the value is known throughout."""
    if isinstance(value, Items):
        return all(is_known(each) for each in value.items)
    return not isinstance(value, Unknown)
