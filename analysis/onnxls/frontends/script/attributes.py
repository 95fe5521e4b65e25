"""The value of an attribute, from what is written: checked against the type that the operator wants."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.facts import FLOAT as FLOAT_TYPE
from onnxls.frontends.script.abstract import Abstract, Array, ElementType, Items, TensorForm, Unknown, is_known
from onnxls.frontends.script.annotations import FLOAT, FLOATS, INT, INTS, STRING, STRINGS, TENSOR
from onnxls.frontends.script.arrays import array_of, ints_of, tensor_of
from onnxls.graph import Attr
from onnxls.rules import rule

NO_ATTRIBUTE = rule(
    "not-an-attribute",
    "OLS560",
    "error",
    """
    A value is given for an attribute that cannot be one.

    An attribute is a number, a string, a tensor, or a list of one of them. An element type is a number only with
    `.dtype` after it.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N", 4]):
        return op.Cast(x, to=FLOAT)  # error: [not-an-attribute] "write `.dtype` after it"
    ```
    """,
)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that does not fit, and what was found."""

    found: str


def make_attribute(name: str, value: Abstract, wanted: int | None) -> Attr | Wrong:
    """The attribute, with `value` None where it is not known; `wanted` None: the value tells the type."""
    if wanted == TENSOR:
        made = array_of(value, None, FLOAT_TYPE) if not isinstance(value, Unknown) else Array()
        if not isinstance(made, Array):
            return Wrong(_found(value))
        return Attr(name, TENSOR, tensor_of(made, name))
    if not is_known(value):
        return Attr(name, wanted or INT)
    if isinstance(value, Array):
        return _from_array(name, value, wanted)
    kind = _kind(value)
    if kind is None:
        return Wrong(_found(value)) if not isinstance(value, TensorForm) else Attr(name, wanted or INT)
    if wanted is None or wanted == kind:
        return _made(name, kind, value)
    if (wanted, kind) == (FLOAT, INT) and isinstance(value, int):
        return Attr(name, FLOAT, float(value))
    if isinstance(value, Items) and (wanted, kind) == (FLOATS, INTS):
        return Attr(name, FLOATS, tuple(float(each) for each in value.items if isinstance(each, (int, float))))
    if isinstance(value, Items) and not value.items and wanted in (INTS, FLOATS, STRINGS):
        return Attr(name, wanted, ())
    return _made(name, kind, value)


def _made(name: str, kind: int, value: Abstract) -> Attr:
    match value:
        case bool():
            return Attr(name, kind, int(value))
        case int() | float() | str():
            return Attr(name, kind, value)
        case bytes():
            return Attr(name, kind, value.decode("utf-8", "replace"))
        case Items() if kind == STRINGS:
            return Attr(name, kind, tuple(each for each in value.items if isinstance(each, str)))
        case Items() if kind == FLOATS:
            return Attr(name, kind, tuple(float(each) for each in value.items if isinstance(each, (int, float))))
        case Items():
            return Attr(name, kind, tuple(int(each) for each in value.items if isinstance(each, int)))
        case _:
            return Attr(name, kind)


def _from_array(name: str, value: Array, wanted: int | None) -> Attr | Wrong:
    """numpy numbers and arrays count as numbers and lists; a tensor without a wish is a tensor."""
    if wanted is None:
        return Attr(name, TENSOR, tensor_of(value, name))
    if wanted == INTS and ints_of(value) is not None:
        return Attr(name, INTS, ints_of(value))
    if wanted in (INT, FLOAT) and value.values is not None and len(value.values) == 1:
        return make_attribute(name, value.values[0], wanted)
    return Attr(name, wanted)


def _kind(value: Abstract) -> int | None:
    match value:
        case bool() | int():
            return INT
        case float():
            return FLOAT
        case str() | bytes():
            return STRING
        case Items():
            kinds = {_kind(each) for each in value.items}
            if kinds <= {INT}:
                return INTS
            if kinds <= {INT, FLOAT}:
                return FLOATS
            return STRINGS if kinds == {STRING} else None
        case _:
            return None


def _found(value: Abstract) -> str:
    match value:
        case ElementType():
            return "an element type; write `.dtype` after it"
        case None:
            return "None"
        case Items():
            return "a list of different things"
        case _:
            return "this value"
