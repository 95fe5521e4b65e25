"""Expressions of a function that Python runs to make a graph.

Operators and operator calls on values of the graph make nodes; everything else is folded where it is known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Array,
    Builder,
    Entries,
    GraphValue,
    Instance,
    Items,
    ShapeOf,
    Unknown,
    is_known,
)
from onnxls.frontends.script.chunks import BROKEN
from onnxls.frontends.script.emit import Nested
from onnxls.frontends.script.evaluate import UNBOUND
from onnxls.frontends.script.expressions import BINARY, COMPARED, MAX_EXPRESSION_DEPTH
from onnxls.frontends.script.folding import MAX_ITEMS, fold_binary, fold_compared, fold_unary
from onnxls.frontends.script.traced_emit import MAX_BODIES, Evaluated, Traced, TracedEmitter, truth

MAX_UNROLLED = 64
"""The turns of a loop that are followed one by one."""
MAX_TURNS = 1_000
"""Those of all loops of a function."""
MAX_STEPS = 60_000
"""Expressions that are looked at, and items that are put into lists, in one function."""
MAX_WEIGHT = 10_000
"""The items of a list and of the lists in it."""


class TracedExpressions(TracedEmitter):
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

    # ---------------------------------------------------------------- operators of Python

    def arithmetic(self, node: ast.BinOp, target: str | None) -> Abstract:
        left, right = self.plain(node.left), self.plain(node.right)
        if not isinstance(left, GraphValue) and not isinstance(right, GraphValue):
            if isinstance(left, ShapeOf) or isinstance(right, ShapeOf):
                return UNKNOWN
            return fold_binary(node.op, left, right)
        if self.is_integer(left) and self.is_integer(right):
            return self.of_sizes(node, left, right, target)
        if not self.of_tensors(left, right):
            return UNKNOWN
        name = BINARY.get(type(node.op))
        if name is None:
            return UNKNOWN
        attrs = {"fmod": self.int_attr("fmod", 1)} if name == "Mod" and isinstance(right, float) else {}
        made = self.pair(name, node, Evaluated.at(left, node.left), Evaluated.at(right, node.right), target, attrs)
        return GraphValue(made)

    def of_tensors(self, left: Abstract, right: Abstract) -> bool:
        """Whether one of two operands is a tensor, and the other one may be an operand beside it."""
        operands = (left, right)
        return any(isinstance(each, GraphValue) and each.kind == "tensor" for each in operands) and all(
            isinstance(each, (GraphValue, int, float, Unknown, Array)) for each in operands
        )

    def of_sizes(self, node: ast.BinOp, left: Abstract, right: Abstract, target: str | None) -> Abstract:
        """`n * 2` of integers that are computed from shapes."""
        both = all((isinstance(each, int) and each >= 0) or self.is_counted(each) for each in (left, right))
        divides = isinstance(right, int) and right > 0 and self.is_counted(left)
        match node.op:
            case ast.Add() | ast.Mult():
                name = "Add" if isinstance(node.op, ast.Add) else "Mul"
            case ast.Sub():
                name, both = "Sub", False
            case ast.FloorDiv() if divides:
                name, both = "Div", True
            case ast.Mod() if divides:
                name, both = "Mod", True
            case _:
                return UNKNOWN
        assert isinstance(left, (int, GraphValue))
        assert isinstance(right, (int, GraphValue))
        operands = (self.scalar(left, node.left), self.scalar(right, node.right))
        return self.size(self.sugar(name, operands, node, target), counted=both)

    def is_counted(self, value: Abstract) -> bool:
        return isinstance(value, GraphValue) and value.name in self.counted

    def signed(self, node: ast.UnaryOp, target: str | None) -> Abstract:
        value = self.plain(node.operand)
        if not isinstance(value, GraphValue):
            if isinstance(node.op, ast.Not):
                known = truth(value)
                return UNKNOWN if known is None else not known
            return fold_unary(node.op, value)
        match node.op:
            case ast.USub() if value.kind == "tensor":
                return GraphValue(self.sugar("Neg", (value.name,), node, target))
            case ast.USub() if value.kind == "size":
                return self.size(self.sugar("Neg", (value.name,), node, target))
            case ast.Not() if value.kind == "truth":
                made = self.sugar("Not", (value.name,), node, target)
                self.of_python.add(made)
                return GraphValue(made, "truth")
            case _:
                return UNKNOWN

    def compared(self, node: ast.Compare, target: str | None) -> Abstract:
        """`x < y` and its kin."""
        values = [self.plain(each) for each in (node.left, *node.comparators)]
        if len(node.ops) != 1:
            folded = [fold_compared(op, values[at], values[at + 1]) for at, op in enumerate(node.ops)]
            known = [truth(each) for each in folded]
            return UNKNOWN if None in known else all(known)
        op, (left, right) = node.ops[0], values
        if isinstance(op, (ast.Is, ast.IsNot)):
            if right is None and isinstance(left, GraphValue):
                return UNKNOWN if left.optional else isinstance(op, ast.IsNot)
            if right is None and isinstance(left, Items):
                return isinstance(op, ast.IsNot)
            return fold_compared(op, left, right) if right is None and not _is_open(left) else UNKNOWN
        if isinstance(op, (ast.In, ast.NotIn)):
            return _contained(left, right, isinstance(op, ast.In))
        if not isinstance(left, GraphValue) and not isinstance(right, GraphValue):
            return fold_compared(op, left, right)
        name = COMPARED.get(type(op))
        sizes = self.is_integer(left) and self.is_integer(right)
        if name is None or not (sizes or self.of_tensors(left, right)):
            return UNKNOWN
        if (isinstance(left, GraphValue) and left.optional) or (isinstance(right, GraphValue) and right.optional):
            return UNKNOWN
        operands = Evaluated.at(left, node.left), Evaluated.at(node=node.comparators[0], value=right)
        made = self.pair(name, node, *operands, None if isinstance(op, ast.NotEq) else target)
        if isinstance(op, ast.NotEq):
            made = self.sugar("Not", (made,), node, target)
        if sizes:
            self.of_python.add(made)
        return GraphValue(made, "truth" if sizes else "tensor")

    def both(self, nodes: list[ast.expr], conjunction: bool, whole: ast.BoolOp) -> Traced:
        """`a and b`, `a or b`: what comes later is evaluated only where the earlier does not decide."""
        first = self.value(nodes[0])
        if len(nodes) == 1:
            return first
        known = truth(first)
        if known is not None:
            return first if known is not conjunction else self.both(nodes[1:], conjunction, whole)
        rest = self.either(
            first,
            (lambda: self.both(nodes[1:], conjunction, whole)) if conjunction else (lambda: True),
            (lambda: False) if conjunction else (lambda: self.both(nodes[1:], conjunction, whole)),
            whole,
            None,
        )
        return rest if isinstance(rest, (GraphValue, bool)) else UNKNOWN

    def chosen(self, node: ast.IfExp, target: str | None) -> Traced:
        """`a if c else b`."""
        test = self.value(node.test)
        known = truth(test)
        if known is not None:
            return self.value(node.body if known else node.orelse, target)
        return self.either(test, lambda: self.value(node.body), lambda: self.value(node.orelse), node, target)

    def either(
        self,
        test: Traced,
        then: Callable[[], Traced],
        other: Callable[[], Traced],
        node: ast.expr,
        target: str | None,
    ) -> Traced:
        """One of two values, each computed where it is chosen."""
        if len(self.bodies) > MAX_BODIES:
            return UNKNOWN
        before = self.variables
        first = self.apart(dict(before))
        left = then()
        self.bodies.pop()
        second = self.apart(dict(before))
        right = other()
        self.bodies.pop()
        self.variables = before
        if not first.nodes and not second.nodes and _same(left, right):
            return left
        truths = [each for each in (left, right) if isinstance(each, bool) or _is_truth(each)]
        made = self.joined(left, right) if len(truths) < 2 else GraphValue("", "truth")
        if made is None and not first.nodes and not second.nodes:
            return UNKNOWN
        self.bodies.append(first)
        yes = self.close(first, [left] if made else [], node, "then_branch")
        self.bodies.append(second)
        no = self.close(second, [right] if made else [], node, "else_branch")
        origin = self.origin(node)
        names = [self.named(target, origin.written or "either")] if made else []
        outputs = self.fork(test, yes, no, names, node, origin)
        if made is not None and made.kind != "tensor":
            self.of_python.add(outputs[0])
        return UNKNOWN if made is None else GraphValue(outputs[0], made.kind, optional=made.optional)

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


def _is_open(value: Abstract) -> bool:
    return isinstance(value, (Unknown, ShapeOf, Builder, Instance))


def _is_truth(value: Traced) -> bool:
    return isinstance(value, GraphValue) and value.kind == "truth"


def _same(left: Traced, right: Traced) -> bool:
    plain = (bool, int, float, str, Items, GraphValue)
    return type(left) is type(right) and (left is None or isinstance(left, plain)) and left == right


def _contained(left: Abstract, right: Abstract, wanted: bool) -> Abstract:
    """`x in (1, 2)` of plain values."""
    simple = (int, float, str)
    if not isinstance(left, simple) or not isinstance(right, Items) or not is_known(right):
        return UNKNOWN
    if not all(isinstance(each, simple) or each is None for each in right.items):
        return UNKNOWN
    return (left in right.items) is wanted
