"""Optionals. In a fact, the `length` of one is 1 where it holds an element and 0 where it is empty."""

from __future__ import annotations

from onnxls.dims import ONE, ZERO
from onnxls.facts import BOOL, UNKNOWN, Fact, tensor
from onnxls.graph import TypeInfo
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.rules import rule

OPTIONAL_EMPTY = rule(
    "optional-is-empty",
    "OLS424",
    "error",
    """
    The element of an empty optional is asked for.

    `OptionalGetElement` fails on an optional that holds nothing; `OptionalHasElement` says whether it does.

    ```onnx
    g () => (float[N] y) {
      o = Optional <type = float[N]> ()
      # error: [optional-is-empty]
      y = OptionalGetElement (o)
    }
    ```

    Ask inside the branch of an `If` on `OptionalHasElement`.
    """,
)


@op("Optional", since=15)
def optional(ctx: OpContext) -> Fact:
    """ONNX Optional-15, 28: the input wrapped, or an empty optional of a type."""
    if ctx.has(0):
        return Fact(type="optional", element=ctx.input(0), length=ONE)
    declared = ctx.type_attr("type")
    return Fact(type="optional", element=None if declared is None else _of_type(declared), length=ZERO)


def _of_type(declared: TypeInfo) -> Fact:
    """What a type says without its shape."""
    element = None if declared.element is None else _of_type(declared.element)
    return Fact(declared.dtype, type=declared.kind, element=element)


@op("OptionalGetElement", since=15)
def optional_get_element(ctx: OpContext) -> Fact:
    """ONNX OptionalGetElement-15, 18, 28: what an optional holds; since 18 a tensor or sequence is taken as it is."""
    fact = ctx.input(0)
    if fact.type != "optional":
        return fact
    if fact.length is not None:
        ctx.require_at_most(1, fact.length, OPTIONAL_EMPTY, "the optional {0} holds nothing")
    return UNKNOWN if fact.element is None else fact.element


@op("OptionalHasElement", since=15)
def optional_has_element(ctx: OpContext) -> Fact:
    """ONNX OptionalHasElement-15, 18, 28: whether there is an element; since 18 also of no input, or of a tensor."""
    fact = ctx.input(0)
    if not ctx.has(0):
        return tensor(dtype=BOOL, elements=[ZERO])
    if fact.type in ("tensor", "sequence"):
        return tensor(dtype=BOOL, elements=[ONE])
    known = fact.type == "optional" and fact.length is not None
    return tensor(dtype=BOOL, elements=[fact.length] if known and fact.length is not None else None)
