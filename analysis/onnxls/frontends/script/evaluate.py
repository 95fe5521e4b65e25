"""What an expression outside the graphs stands for, found by reading alone. Bounded in time, depth and size.

Nothing of the user's is run: names are followed to their bindings, literals folded, and a few calls of known libraries
read as what they make. All else is unknown.
"""

from __future__ import annotations

import ast

from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Array,
    Decorator,
    ElementType,
    Entries,
    Form,
    Items,
    Known,
    Operator,
    Opset,
    PlainFunction,
    ScriptFunction,
    SourceModule,
    TensorForm,
    Unknown,
)
from onnxls.frontends.script.arrays import transposed
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.folding import MAX_ITEMS, fold_binary, fold_compared, fold_unary
from onnxls.frontends.script.known import builtin, is_library, library_name, star_name
from onnxls.frontends.script.known_calls import array_method, called, tensor_form
from onnxls.frontends.script.modules import Module
from onnxls.frontends.script.names import LAST, Binding, Notes, Place, Scope

MAX_DEPTH = 60
MAX_STEPS = 50_000
MAX_RANK = 32
"""Sizes that a call of `reshape` may have."""

UNBOUND = Unknown("unbound")
"""The value of a name that nothing binds."""


class Evaluator:
    """Values of names and expressions; each binding is looked at once while what it depends on is the same."""

    def __init__(self) -> None:
        self.notes = Notes()
        self._running: set[Binding] = set()
        self._depth = 0
        self._steps = 0

    def restart(self) -> None:
        """Forgets which names were looked up; their values stay where they are bound."""
        self.notes = Notes()

    # ---------------------------------------------------------------- names

    def name(self, name: str, scope: Scope, place: Place) -> Abstract:
        """What a name means at a place; UNBOUND where nothing binds it."""
        here: Scope | None = scope
        first = True
        while here is not None:
            if first or not here.is_class:
                found = self._in_scope(name, here, place)
                if found is not UNBOUND:
                    return found
            place, first, here = here.place, False, here.parent
        value = builtin(name)
        return UNBOUND if value is UNKNOWN else value

    def _in_scope(self, name: str, scope: Scope, place: Place) -> Abstract:
        if scope.parent is None:
            self.notes.note((scope.module.path, name))
        candidates = scope.above(name, place)
        if candidates:
            values = [self.binding(each, scope) for each in candidates]
            known = [each for each in values if not isinstance(each, Unknown)]
            if len(known) == len(values) and all(each == known[0] for each in known[1:]):
                return known[0]
            return known[0] if len(values) == 1 and known else values[0] if len(values) == 1 else UNKNOWN
        if scope.parent is not None and name in scope.bound.names:
            return UNKNOWN
        for star in reversed(scope.bound.stars):
            if not star.place.above(place):
                continue
            found = self._starred(star, scope.module, name)
            if found is not None:
                return found
        return UNBOUND

    def _starred(self, star: Binding, module: Module, name: str) -> Abstract | None:
        if not star.level and is_library(star.module):
            return star_name(star.module, name)
        imported = module.read(star.module, star.level)
        if imported is None or imported is module:
            return UNKNOWN
        value = self.member(imported, name)
        return None if value is UNBOUND else value

    def member(self, module: Module, name: str) -> Abstract:
        """What a name is bound to at the end of a module."""
        if self._depth > MAX_DEPTH:
            return UNKNOWN
        self._depth += 1
        try:
            return self._in_scope(name, module.scope, LAST)
        finally:
            self._depth -= 1

    def binding(self, binding: Binding, scope: Scope) -> Abstract:
        """The value that a binding gives its name."""
        seat = binding.place.seat
        if seat is None or (
            seat.known.values.get(binding) is None and (binding in self._running or self._depth > MAX_DEPTH)
        ):
            return UNKNOWN
        return self.notes.recall(seat.known.values, binding, lambda: self._first(binding, scope))

    def _first(self, binding: Binding, scope: Scope) -> Abstract:
        self._running.add(binding)
        self._depth += 1
        try:
            return self._bound(binding, scope)
        except (RecursionError, MemoryError, OverflowError, ArithmeticError, ValueError):
            return UNKNOWN
        finally:
            self._running.discard(binding)
            self._depth -= 1

    def _bound(self, binding: Binding, scope: Scope) -> Abstract:
        node = binding.node
        match binding.kind:
            case "value" if isinstance(node, ast.expr):
                return self.value(node, scope, binding.place)
            case "item" if isinstance(node, ast.expr):
                whole = self.value(node, scope, binding.place)
                if isinstance(whole, Items) and binding.index < len(whole.items):
                    return whole.items[binding.index]
                return UNKNOWN
            case "definition" if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                return self._definition(node, binding, scope)
            case "module":
                return self._module(binding.module, 0, scope.module)
            case "member":
                return self._imported(binding, scope.module)
            case _:
                return UNKNOWN

    def _module(self, name: str, level: int, module: Module) -> Abstract:
        if not level and is_library(name):
            return Known(name)
        read = module.read(name, level)
        return UNKNOWN if read is None else SourceModule(read)

    def _imported(self, binding: Binding, module: Module) -> Abstract:
        if not binding.level and is_library(binding.module):
            return library_name(f"{binding.module}.{binding.member}")
        imported = module.read(binding.module, binding.level)
        if imported is not None and imported is not module:
            value = self.member(imported, binding.member)
            if value is not UNBOUND:
                return value
        dotted = f"{binding.module}.{binding.member}".strip(".")
        nested = module.read(dotted, binding.level)
        return UNKNOWN if nested is None else SourceModule(nested)

    def _definition(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, binding: Binding, scope: Scope
    ) -> Abstract:
        if isinstance(node, ast.FunctionDef) and binding.place.seat is not None:
            found = self.decorator(node, scope, binding.place)
            if found is not None:
                return ScriptFunction(Declared(node, binding.place.seat, scope, found))
        return PlainFunction(node)

    def decorator(self, node: ast.FunctionDef, scope: Scope, place: Place) -> Decorator | None:
        """The decorator that makes a graph of a function."""
        for each in reversed(node.decorator_list):
            value = self.value(each, scope, place)
            if isinstance(value, Decorator):
                return value
        return None

    # ---------------------------------------------------------------- expressions

    def value(self, node: ast.expr, scope: Scope, place: Place) -> Abstract:
        """What an expression stands for at a place."""
        self._steps = self._steps + 1 if self._depth else 0
        if self._depth > MAX_DEPTH or self._steps > MAX_STEPS:
            return UNKNOWN
        self._depth += 1
        try:
            return self._value(node, scope, place)
        except (RecursionError, MemoryError, OverflowError, ArithmeticError, ValueError, TypeError):
            return UNKNOWN
        finally:
            self._depth -= 1

    def _value(self, node: ast.expr, scope: Scope, place: Place) -> Abstract:
        match node:
            case ast.Constant():
                value = node.value
                return value if isinstance(value, (int, float, str, bytes, bool)) or value is None else UNKNOWN
            case ast.Name():
                return self.name(node.id, scope, place)
            case ast.Attribute():
                return self.attribute(self.value(node.value, scope, place), node.attr)
            case ast.List() | ast.Tuple() | ast.Set():
                if len(node.elts) > MAX_ITEMS or any(isinstance(each, ast.Starred) for each in node.elts):
                    return UNKNOWN
                items = tuple(self.value(each, scope, place) for each in node.elts)
                return Items(items, isinstance(node, ast.List))
            case ast.Dict():
                return self._dict(node, scope, place)
            case ast.UnaryOp():
                return fold_unary(node.op, self.value(node.operand, scope, place))
            case ast.BinOp():
                return fold_binary(node.op, self.value(node.left, scope, place), self.value(node.right, scope, place))
            case ast.Compare() if len(node.ops) == 1:
                return fold_compared(
                    node.ops[0], self.value(node.left, scope, place), self.value(node.comparators[0], scope, place)
                )
            case ast.IfExp():
                test = self.value(node.test, scope, place)
                if isinstance(test, (bool, int)):
                    return self.value(node.body if test else node.orelse, scope, place)
                return UNKNOWN
            case ast.Subscript():
                return self._subscript(self.value(node.value, scope, place), node.slice, scope, place)
            case ast.Call():
                return self._call(node, scope, place)
            case _:
                return UNKNOWN

    def _dict(self, node: ast.Dict, scope: Scope, place: Place) -> Abstract:
        items: list[tuple[int | float | str | bytes | bool | None, Abstract]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            name = UNKNOWN if key is None else self.value(key, scope, place)
            if not isinstance(name, (int, float, str, bytes)) or len(items) > MAX_ITEMS:
                return UNKNOWN
            items.append((name, self.value(value, scope, place)))
        return Entries(tuple(items))

    def attribute(self, value: Abstract, name: str) -> Abstract:
        """What `value.name` stands for."""
        match value:
            case Known():
                return library_name(f"{value.name}.{name}") if is_library(value.name) else UNKNOWN
            case SourceModule():
                found = self.member(value.module, name)
                return UNKNOWN if found is UNBOUND else found
            case Opset():
                return {"version": value.version, "domain": value.domain}.get(name, Operator(value, name))
            case ElementType():
                return value.dtype if name == "dtype" else UNKNOWN
            case TensorForm() if name == "dtype":
                return value.dtype
            case Array() if name == "dtype" and value.dtype is not None:
                return ElementType(value.dtype, tensor=False)
            case Array() if name == "T":
                return transposed(value)
            case Array() if name == "shape" and value.dims is not None:
                return Items(value.dims, is_list=False)
            case _:
                return UNKNOWN

    def _subscript(self, value: Abstract, index: ast.expr, scope: Scope, place: Place) -> Abstract:
        given = self.value(index, scope, place)
        match value:
            case ElementType() if value.tensor:
                return tensor_form(value.dtype, given, index)
            case Form():
                args = given.items if isinstance(given, Items) and not given.is_list else (given,)
                return Form(value.name, args)
            case Items() if isinstance(given, int) and -len(value.items) <= given < len(value.items):
                return value.items[given]
            case Entries():
                return next((each for key, each in value.items if key == given), UNKNOWN)
            case _:
                return UNKNOWN

    def _call(self, node: ast.Call, scope: Scope, place: Place) -> Abstract:
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value, scope, place)
            if isinstance(owner, Array):
                if node.keywords and node.func.attr != "astype":
                    return UNKNOWN
                args = [self.value(each, scope, place) for each in node.args[:MAX_RANK]]
                return array_method(owner, node.func.attr, args)
            callee = self.attribute(owner, node.func.attr)
        else:
            callee = self.value(node.func, scope, place)
        if not isinstance(callee, (Known, Form, ElementType, Decorator)):
            return UNKNOWN
        if len(node.args) > 100 or any(isinstance(each, ast.Starred) for each in node.args):
            return UNKNOWN
        args = [self.value(each, scope, place) for each in node.args]
        keywords = {each.arg: self.value(each.value, scope, place) for each in node.keywords if each.arg is not None}
        return called(callee, args, keywords)
