"""Operators of Python in a function that is run: on values of the graph they make nodes, else they are folded."""

from __future__ import annotations

import ast
from collections.abc import Callable

from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Array,
    Builder,
    GraphValue,
    Instance,
    Items,
    ShapeOf,
    Unknown,
    is_known,
)
from onnxls.frontends.script.expressions import BINARY, COMPARED
from onnxls.frontends.script.folding import fold_binary, fold_compared, fold_unary
from onnxls.frontends.script.traced_emit import MAX_BODIES, Evaluated, Traced, TracedEmitter, truth


class TracedOperators(TracedEmitter):
    """Arithmetic, comparisons, and what chooses between two values."""

    def value(self, node: ast.expr, target: str | None = None) -> Traced:
        """What an expression stands for."""
        raise NotImplementedError

    def plain(self, node: ast.expr, target: str | None = None) -> Abstract:
        """The same where it is no nested graph."""
        raise NotImplementedError

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
