"""Element types that an operator takes: each parameter from a set of its own, and one type for each type variable.

Only what is known is judged. Of a sequence, an optional or a map it is judged only whether one is taken at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from onnxls.graph import Node
from onnxls.rules import Rule, rule
from onnxls.schemas import Schema, type_string

UNSUPPORTED_TYPE = rule(
    "unsupported-element-type",
    "OLS045",
    "error",
    """
    An operator does not take tensors of an element type, in the opset that the model imports.

    onnx's checker (with full check) and onnxruntime refuse the model. That a type is in the standard does not mean
    that a runtime has a kernel for it.

    ```onnx
    g (bool[N] x) => (bool[N] y) {
      # error: [unsupported-element-type] "bool"
      y = Relu (x)
    }
    ```

    Convert with `Cast`, or import a newer opset if that one has the type.
    """,
)
MIXED_TYPES = rule(
    "mixed-element-types",
    "OLS046",
    "error",
    """
    Inputs that must be of one element type are of two.

    ONNX converts nothing by itself: an `int64` constant is not added to a `float` tensor, and
    onnxruntime refuses the model.

    ```onnx
    g (float[N] x, int64[N] n) => (float[N] y) {
      # error: [mixed-element-types] "`n` is int64, but `x` is float"
      y = Div (x, n)
    }
    ```

    Convert one of them: `Cast`, or `CastLike` for the type of the other.
    """,
)

HETEROGENEOUS = frozenset({"Loop", "Scan", "SequenceMap", "Adagrad", "Adam", "Gradient", "Momentum"})
"""Operators whose variadic inputs need not agree, though they share a type variable."""

KINDS = {"sequence": -1, "optional": -2, "map": -3, "sparse_tensor": -4}
"""What stands for the element type of an input that is no tensor."""

_KIND_NAMES = {number: f"a {name.replace('_', ' ')}" for name, number in KINDS.items()}
_KIND_STARTS = {-1: "seq(", -2: "optional(", -3: "map(", -4: "sparse_tensor("}

Fault = tuple[Rule, int, int | None]
"""A rule, the input that breaks it, and the input with which it does not agree."""

MAX_SHOWN = 8


def check_types(node: Node, schema: Schema, dtypes: Sequence[int | None]) -> list[tuple[Rule, str]]:
    """What is wrong with the element types of the inputs of a node.

    `dtypes`: numbers of `TensorProto.DataType` for tensors, of `KINDS` for others; None or 0 for what is not known.
    """
    faults = _faults(schema, tuple(dtypes))
    return [_told(node, schema, dtypes, fault) for fault in faults] if faults else []


@lru_cache(maxsize=16384)
def _faults(schema: Schema, dtypes: tuple[int | None, ...]) -> tuple[Fault, ...]:
    formals = schema.inputs
    found: list[Fault] = []
    bound: dict[str, int] = {}
    for position, dtype in enumerate(dtypes):
        if not dtype or not formals:
            continue
        formal = formals[min(position, len(formals) - 1)]
        if position >= len(formals) and formal.option != "variadic":
            break
        if not _takes(schema.allowed(formal.type), dtype):
            found.append((UNSUPPORTED_TYPE, position, None))
            continue
        if (
            dtype < 0
            or formal.type not in schema.constraints
            or (formal.option == "variadic" and schema.name in HETEROGENEOUS)
        ):
            continue
        first = bound.setdefault(formal.type, position)
        if dtypes[first] != dtype:
            found.append((MIXED_TYPES, position, first))
    return tuple(found)


def _takes(allowed: frozenset[str], dtype: int) -> bool:
    start = _KIND_STARTS.get(dtype)
    if start is not None:
        return any(each.startswith(start) for each in allowed)
    name = type_string(dtype)
    return name is None or name in allowed


def _told(node: Node, schema: Schema, dtypes: Sequence[int | None], fault: Fault) -> tuple[Rule, str]:
    about, position, other = fault
    value, dtype = _value(node, position), _shown(dtypes[position])
    if other is not None:
        text = f"{value} is {dtype}, but {_value(node, other)} is {_shown(dtypes[other])}; they must be of one type"
        return about, text
    formal = schema.inputs[min(position, len(schema.inputs) - 1)]
    return about, f"{value} is {dtype}; {_taken(schema.allowed(formal.type))}"


def _value(node: Node, position: int) -> str:
    name = node.inputs[position] if position < len(node.inputs) else ""
    return f"`{name}`" if name else f"input {position}"


def _taken(allowed: frozenset[str]) -> str:
    names = sorted(name.removeprefix("tensor(").removesuffix(")") for name in allowed)
    if not any(each.startswith("tensor(") for each in allowed):
        return "no tensor is taken here"
    shown = ", ".join(names[:MAX_SHOWN])
    return f"taken here: {shown}" + (", ..." if len(names) > MAX_SHOWN else "")


def _shown(dtype: int | None) -> str:
    if dtype in _KIND_NAMES:
        return _KIND_NAMES[dtype]
    text = type_string(dtype) if dtype else None
    return "?" if text is None else text.removeprefix("tensor(").removesuffix(")")
