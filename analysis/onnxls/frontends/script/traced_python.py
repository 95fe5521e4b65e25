"""Calls of Python in a function that is run: what they give where their arguments are known, and what they change."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Builder,
    Decorator,
    ElementType,
    Form,
    GraphValue,
    Items,
    Known,
    Opset,
    ShapeOf,
    TensorForm,
)
from onnxls.frontends.script.known_calls import called as known_call
from onnxls.frontends.script.traced_emit import Traced
from onnxls.frontends.script.traced_expressions import TracedExpressions
from onnxls.graph import TypeInfo

_DECLARING = frozenset(("onnx_ir.Value", "onnx_ir.val", "onnx_ir.Input"))


class TracedPython(TracedExpressions):
    """Calls that make no nodes of their own."""

    def in_python(self, node: ast.Call, callee: Abstract, owner: Abstract, target: str | None) -> Traced:
        """What a call of Python gives, where its arguments are known."""
        if isinstance(node.func, ast.Attribute):
            declared = self.declares(node, node.func, owner, target)
            if declared is not None:
                return declared
            if isinstance(owner, Items) and owner.is_list:
                self.change(owner, node, node.func)
                return UNKNOWN
        items = None if any(each.arg is None for each in node.keywords) else self.spread(node.args)
        if items is None or not isinstance(callee, (Known, Form, ElementType, Decorator)):
            return self.not_followed(node, callee)
        match callee, items:
            case Known(name=name), _ if name.startswith("onnxscript.") and name.endswith(".GraphBuilder"):
                return Builder(whole=True)
            case Known(name="builtins.len"), [ShapeOf() as shape]:
                return self.rank(shape, node, target)
            case Form(name="list" | "tuple" as name), [Items() as one]:
                return Items(one.items, name == "list")
            case Known(name="builtins.reversed"), [Items() as one]:
                return Items(tuple(reversed(one.items)))
            case Known(name="builtins.enumerate"), [Items() as one]:
                return Items(tuple(Items((at, each), is_list=False) for at, each in enumerate(one.items)))
            case Known(name="builtins.zip"), _ if items and all(isinstance(each, Items) for each in items):
                rows = zip(*(each.items for each in items if isinstance(each, Items)), strict=False)
                return Items(tuple(Items(row, is_list=False) for row in rows))
            case Known(name="builtins.max" | "builtins.min" | "builtins.abs" as name), _:
                return _of_numbers(name, items[0].items if len(items) == 1 and isinstance(items[0], Items) else items)
            case _:
                keywords = {each.arg: self.plain(each.value) for each in node.keywords if each.arg is not None}
                if all(map(_is_simple, (*items, *keywords.values()))):
                    return known_call(callee, items, keywords)
                return self.not_followed(node, callee)

    def not_followed(self, node: ast.Call, callee: Abstract) -> Abstract:
        """A call of anything else. Of Python's own functions none changes a list that it is given."""
        if not isinstance(callee, (Known, Form, ElementType)):
            self.operands(node)
        return UNKNOWN

    def declares(self, node: ast.Call, func: ast.Attribute, owner: Abstract, target: str | None) -> Abstract | None:
        """A value that is made as an input of the graph: `builder.input("x", ...)`, `ir.Value(...)`."""
        of_builder = isinstance(owner, Builder) and owner.whole
        if of_builder and func.attr == "opset":
            domain = self.plain(node.args[0]) if node.args else UNKNOWN
            version = self.plain(node.args[1]) if len(node.args) > 1 else 1
            return Opset(domain, version) if isinstance(domain, str) and isinstance(version, int) else UNKNOWN
        of_builder = of_builder and func.attr == "input"
        of_ir = isinstance(owner, Known) and f"{owner.name}.{func.attr}" in _DECLARING
        if not of_builder and not of_ir:
            return None
        keywords = {each.arg: self.plain(each.value) for each in node.keywords if each.arg is not None}
        positional = [self.plain(each) for each in node.args if not isinstance(each, ast.Starred)]
        if of_builder or func.attr == "val":
            keywords = {**dict(zip(("name", "dtype", "shape"), positional, strict=False)), **keywords}
        return self.declared_input(declared_type(keywords), node, target)

    def declared_input(self, type_: TypeInfo | None, node: ast.expr, target: str | None) -> Abstract:
        """A further input of the graph."""
        raise NotImplementedError

    def change(self, owner: Items, node: ast.Call, func: ast.Attribute) -> None:
        """`list.append(x)` and its kin on a list that is known; what else is done to a list makes it unknown."""
        given = [self.plain(each) for each in node.args]
        holders = [name for name, each in self.variables.items() if each is owner]
        inside = any(each is not owner and _holds(each, owner) for each in self.variables.values())
        new: Items | None = None
        match func.attr, given:
            case "append", [one]:
                new = Items((*owner.items, one))
            case "extend", [Items() as more]:
                new = Items((*owner.items, *more.items))
            case "insert", [int() as at, one]:
                rows = list(owner.items)
                rows.insert(at, one)
                new = Items(tuple(rows))
            case "index" | "count" | "copy", _:
                return
            case _:
                pass
        if new is None or inside or not self.is_small(new):
            self.spoil(owner)
            return
        for name in holders:
            self.variables[name] = new

    def operands(self, node: ast.Call) -> None:
        """Makes what stands in the arguments of a call that cannot be followed; lists in them may change."""
        for each in (*node.args, *(keyword.value for keyword in node.keywords)):
            inner = each.value if isinstance(each, ast.Starred) else each
            self.value(inner)
            if isinstance(inner, ast.Name) and isinstance(self.variables.get(inner.id), Items):
                self.spoil(self.variables[inner.id])

    def spoil(self, value: Traced) -> None:
        """A list that may have changed: every variable that may hold it is unknown."""
        if isinstance(value, Items) and value.is_list:
            for name, each in self.variables.items():
                if _holds(each, value):
                    self.variables[name] = UNKNOWN


def declared_type(keywords: Mapping[str, Abstract]) -> TypeInfo | None:
    """The type that the arguments of `ir.Value` give."""
    given = keywords.get("type", keywords.get("dtype"))
    if isinstance(given, TensorForm):
        return TypeInfo("tensor", given.dtype, given.shape)
    dtype = given if isinstance(given, int) else None
    if isinstance(given, ElementType):
        dtype = given.dtype
    shape = keywords.get("shape")
    if not isinstance(shape, Items):
        return TypeInfo("tensor", dtype, None) if dtype is not None else None
    dims = tuple(each if isinstance(each, (int, str)) and not isinstance(each, bool) else None for each in shape.items)
    return TypeInfo("tensor", dtype, dims)


def _of_numbers(name: str, items: list[Abstract] | tuple[Abstract, ...]) -> Abstract:
    numbers = [each for each in items if isinstance(each, (int, float))]
    if not numbers or len(numbers) != len(items):
        return UNKNOWN
    if name == "builtins.abs":
        return abs(numbers[0])
    return max(numbers) if name == "builtins.max" else min(numbers)


def _is_simple(value: Abstract) -> bool:
    """Whether a value is one that calls of libraries are read with."""
    if isinstance(value, Items):
        return all(map(_is_simple, value.items))
    return not isinstance(value, (GraphValue, ShapeOf, Builder))


def _holds(value: Traced, wanted: Items) -> bool:
    if value is wanted:
        return True
    return isinstance(value, Items) and any(_holds(each, wanted) for each in value.items)
