"""Element types and attribute values around a rule: what a schema says of them, and what a function's caller gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from onnxls import schemas
from onnxls.element_types import output_dtype
from onnxls.facts import FLOAT, INT64, UNKNOWN, Fact
from onnxls.graph import Attr, Node
from onnxls.rules import Rule
from onnxls.type_constraints import KINDS, check_types


def type_faults(node: Node, version: int, inputs: tuple[Fact | None, ...]) -> list[tuple[Rule, str]]:
    """The element types that the operator does not take."""
    schema = schemas.lookup(node.domain, node.op_type, version)
    if schema is None:
        return []
    kinds = [None if f is None else f.dtype if f.type == "tensor" else KINDS.get(f.type or "") for f in inputs]
    return check_types(node, schema, kinds)


def typed(node: Node, version: int, inputs: tuple[Fact | None, ...], facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Element types that the rule left open, from the operator's type constraints."""
    if all(fact.dtype is not None or fact.type != "tensor" for fact in facts):
        return facts
    schema = schemas.lookup(node.domain, node.op_type, version)
    if schema is None:
        return facts
    dtypes = [fact.dtype if fact is not None else None for fact in inputs]
    made: list[Fact] = []
    for position, fact in enumerate(facts):
        if fact.dtype is None and fact.type == "tensor":
            dtype = output_dtype(schema, position, dtypes)
            if dtype is not None:
                fact = fact.of_type(dtype)
        made.append(fact)
    return tuple(made)


_SCALARS = {"value_float": FLOAT, "value_int": INT64}


def unread(node: Node, attrs: Mapping[str, Attr]) -> tuple[Fact, ...]:
    """The facts of the outputs of a node with an attribute whose value is not known."""
    if node.op_type == "Constant" and not node.domain:
        for name in attrs:
            if name in _SCALARS:
                return (Fact(_SCALARS[name], ()),)
    return (UNKNOWN,) * len(node.outputs)


def resolved(attrs: Mapping[str, Attr], given: Mapping[str, Attr]) -> Mapping[str, Attr]:
    """Attributes with references to those of the enclosing function replaced; an unset one is absent."""
    if all(attr.ref is None for attr in attrs.values()):
        return attrs
    made: dict[str, Attr] = {}
    for name, attr in attrs.items():
        if attr.ref is None:
            made[name] = attr
        elif attr.ref in given:
            made[name] = replace(given[attr.ref], name=name)
    return made
