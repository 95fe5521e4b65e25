"""Expressions of a function that Python runs to make a graph.

Operators and operator calls on values of the graph make nodes; everything else is folded where it is known.
"""

from __future__ import annotations

import ast

from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Builder,
    Entries,
    GraphValue,
    Instance,
    Items,
    ShapeOf,
    Unknown,
)
from onnxls.frontends.script.chunks import BROKEN
from onnxls.frontends.script.emit import Nested
from onnxls.frontends.script.evaluate import UNBOUND
from onnxls.frontends.script.expressions import MAX_EXPRESSION_DEPTH
from onnxls.frontends.script.folding import MAX_ITEMS
from onnxls.frontends.script.traced_emit import Evaluated, Traced, truth
from onnxls.frontends.script.traced_operators import TracedOperators

MAX_UNROLLED = 64
"""The turns of a loop that are followed one by one."""
MAX_TURNS = 1_000
"""Those of all loops of a function."""
MAX_STEPS = 60_000
"""Expressions that are looked at, and items that are put into lists, in one function."""
MAX_WEIGHT = 10_000
"""The items of a list and of the lists in it."""


class TracedExpressions(TracedOperators):
    """Dispatches on the form of an expression."""

    depth = 0
    steps = 0
    turns = 0

    def expression(self, node: ast.expr, target: str | None = None) -> str:
        return self.tensor(self.value(node, target), node, target)

    def value(self, node: ast.expr, target: str | None = None) -> Traced:
        """What an expression stands for; `target` is the variable that it is assigned to."""
        self.steps += 1
        if self.depth > MAX_EXPRESSION_DEPTH or self.steps > MAX_STEPS:
            return UNKNOWN
        self.depth += 1
        try:
            value = self._value(node, target)
            return value if not isinstance(value, Items) or self.is_small(value) else UNKNOWN
        except (MemoryError, OverflowError, ArithmeticError, ValueError, TypeError):
            return UNKNOWN
        finally:
            self.depth -= 1

    def is_small(self, items: Items) -> bool:
        """Whether a list has few items, those of lists in it counted as often as they are in it."""
        waiting, weight = [items], 0
        while waiting:
            one = waiting.pop()
            weight += 1 + len(one.items)
            if weight > MAX_WEIGHT:
                return False
            waiting += [each for each in one.items if isinstance(each, Items)]
        self.steps += weight
        return True

    def plain(self, node: ast.expr, target: str | None = None) -> Abstract:
        """The same where it is no nested graph."""
        value = self.value(node, target)
        return UNKNOWN if isinstance(value, Nested) else value

    def _value(self, node: ast.expr, target: str | None) -> Traced:
        match node:
            case Evaluated():
                return node.given
            case ast.Name():
                return self.named_value(node)
            case ast.Call():
                return self.call_value(node, target)
            case ast.Attribute():
                return self.member(self.plain(node.value), node.attr)
            case ast.List() | ast.Tuple():
                return self.listed(node)
            case ast.BinOp():
                return self.arithmetic(node, target)
            case ast.UnaryOp():
                return self.signed(node, target)
            case ast.Compare():
                return self.compared(node, target)
            case ast.BoolOp():
                return self.both(node.values, isinstance(node.op, ast.And), node)
            case ast.IfExp():
                return self.chosen(node, target)
            case ast.Subscript():
                return self.indexed(node, target)
            case ast.NamedExpr():
                value = self.value(node.value, node.target.id)
                self.variables[node.target.id] = value
                return value
            case ast.ListComp() | ast.GeneratorExp():
                return self.comprehended(node)
            case ast.Constant():
                return self.evaluator.value(node, self.scope, self.place)
            case _:
                return UNKNOWN

    # ---------------------------------------------------------------- names and members

    def named_value(self, node: ast.Name) -> Traced:
        if node.id in self.variables:
            value = self.variables[node.id]
            if isinstance(value, GraphValue):
                self.means(node, value.name)
            return value
        if node.id == BROKEN or node.id in self.own:
            return UNKNOWN
        value = self.outer(node.id)
        return UNKNOWN if value is UNBOUND else value

    @property
    def own(self) -> frozenset[str]:
        """The parameters and variables of the function: they hide what is around it."""
        raise NotImplementedError

    def member(self, owner: Abstract, name: str) -> Abstract:
        """`owner.name`."""
        match owner:
            case GraphValue():
                if owner.kind != "tensor":
                    return UNKNOWN
                if name == "shape":
                    return ShapeOf(owner)
                return UNKNOWN
            case Builder(whole=True) | Unknown() if name == "op":
                return Builder()
            case Builder(whole=False) if name == "builder":
                return Builder(whole=True)
            case Instance():
                return self.of_self(name)
            case ShapeOf() | Builder():
                return UNKNOWN
            case _:
                return self.evaluator.attribute(owner, name)

    def of_self(self, name: str) -> Abstract:
        """An attribute of `self`."""
        raise NotImplementedError

    def call_value(self, node: ast.Call, target: str | None) -> Traced:
        """A call that gives one thing."""
        raise NotImplementedError

    # ---------------------------------------------------------------- lists

    def listed(self, node: ast.List | ast.Tuple) -> Abstract:
        items = self.spread(node.elts)
        return UNKNOWN if items is None else Items(tuple(items), isinstance(node, ast.List))

    def spread(self, nodes: list[ast.expr]) -> list[Abstract] | None:
        """The values of some expressions, `*x` written out; None where one of these is not known."""
        items: list[Abstract] = []
        for each in nodes:
            if isinstance(each, ast.Starred):
                inner = self.plain(each.value)
                if not isinstance(inner, Items):
                    return None
                items += inner.items
            else:
                items.append(self.plain(each))
            if len(items) > MAX_ITEMS:
                return None
        return items

    def comprehended(self, node: ast.ListComp | ast.GeneratorExp) -> Abstract:
        """A list that is made item by item, where the items are known."""
        generator = node.generators[0]
        if len(node.generators) != 1 or generator.is_async:
            return UNKNOWN
        over = self.plain(generator.iter)
        if not isinstance(over, Items) or not self.may_turn(over):
            return UNKNOWN
        before = dict(self.variables)
        made: list[Abstract] = []
        try:
            for each in over.items:
                if not self.bound(generator.target, each):
                    return UNKNOWN
                tests = [truth(self.plain(test)) for test in generator.ifs]
                if None in tests:
                    return UNKNOWN
                if all(tests):
                    made.append(self.plain(node.elt))
        finally:
            self.variables = before
        return Items(tuple(made))

    def may_turn(self, over: Items) -> bool:
        """Whether a loop over some items is followed; counts its turns."""
        if len(over.items) > MAX_UNROLLED or self.turns + len(over.items) > MAX_TURNS:
            return False
        self.turns += len(over.items)
        return True

    def bound(self, target: ast.expr, value: Traced) -> bool:
        """Binds the names of a target; False where the value does not say what to bind them to."""
        if isinstance(target, ast.Name):
            self.variables[target.id] = value
            return True
        if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(value, Items):
            return False
        pairs = list(zip(target.elts, value.items, strict=False))
        return len(pairs) == len(target.elts) == len(value.items) and all(self.bound(*each) for each in pairs)

    # ---------------------------------------------------------------- subscripts

    def indexed(self, node: ast.Subscript, target: str | None) -> Abstract:
        owner = self.plain(node.value)
        if isinstance(node.slice, ast.Slice):
            bounds = [None if each is None else self.plain(each) for each in
                      (node.slice.lower, node.slice.upper, node.slice.step)]  # fmt: skip
            numbers = [each for each in bounds if isinstance(each, int) or each is None]
            if isinstance(owner, Items) and len(numbers) == 3 and numbers[2] != 0:
                return Items(owner.items[slice(*numbers)], owner.is_list)
            return UNKNOWN
        index = self.plain(node.slice)
        match owner:
            case Items() if isinstance(index, int) and -len(owner.items) <= index < len(owner.items):
                return owner.items[index]
            case Entries():
                return next((each for key, each in owner.items if key == index), UNKNOWN)
            case ShapeOf() if isinstance(index, int) and not isinstance(index, bool):
                return self.axis(owner, index, node, target)
            case GraphValue() | ShapeOf() | Items() | Unknown():
                return UNKNOWN
            case _:
                return self.evaluator.value(node, self.scope, self.place)
