"""Expressions to nodes: literals, operators of Python, names, subscripts and calls."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from onnxls.frontends.script.calls import Calls
from onnxls.frontends.script.variables import is_constant
from onnxls.graph import Attr

MAX_EXPRESSION_DEPTH = 200

BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Div: "Div", ast.Pow: "Pow", ast.Mod: "Mod",
    ast.MatMult: "MatMul", ast.BitAnd: "And", ast.BitOr: "Or",
}  # fmt: skip
COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "Equal", ast.NotEq: "Equal", ast.Lt: "Less", ast.LtE: "LessOrEqual", ast.Gt: "Greater",
    ast.GtE: "GreaterOrEqual",
}  # fmt: skip
_BINARY_INSTEAD: Mapping[type[ast.operator], str] = {
    ast.FloorDiv: "`//`; write `op.Floor(op.Div(x, y))`",
    ast.LShift: '`<<`; write `op.BitShift(x, y, direction="LEFT")`',
    ast.RShift: '`>>`; write `op.BitShift(x, y, direction="RIGHT")`',
    ast.BitXor: "`^`; write `op.Xor` or `op.BitwiseXor`",
}
_INSTEAD: Mapping[type[ast.expr], str] = {
    ast.IfExp: "`a if c else b`; write `op.Where(c, a, b)`, or an `if` statement",
    ast.Lambda: "`lambda`; write a nested function with `@graph()`",
    ast.ListComp: "a comprehension; write the list out, or a loop with `op.SequenceInsert`",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a generator",
    ast.NamedExpr: "`:=`; assign in a statement of its own",
    ast.JoinedStr: "an f-string",
    ast.Await: "`await`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield`",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.Tuple: "a tuple as a value; write a list of literals, or `op.Concat`",
    ast.List: "a list that holds variables; write `op.Concat` or `op.SequenceConstruct`",
    ast.Starred: "`*`",
}


class Expressions(Calls):
    """Dispatches on the form of an expression."""

    depth = 0

    def expression(self, node: ast.expr, target: str | None = None) -> str:
        """The value of an expression; `target` is the variable that it is assigned to."""
        if self.depth > MAX_EXPRESSION_DEPTH:
            return self.unknown(node, target)
        self.depth += 1
        try:
            return self._expression(node, target)
        finally:
            self.depth -= 1

    def _expression(self, node: ast.expr, target: str | None) -> str:
        match node:
            case ast.Call():
                return self.call(node, target)
            case ast.BinOp():
                return self.binary(node, target)
            case ast.UnaryOp():
                return self.unary(node, target)
            case ast.Compare():
                return self.compare(node, target)
            case ast.Name():
                return self.variable(node, target)
            case ast.Subscript():
                return self.subscript(node, target)
            case ast.BoolOp():
                word, name = ("and", "And") if isinstance(node.op, ast.And) else ("or", "Or")
                self.unsupported(node, f"`{word}`; write `op.{name}(a, b)`")
                return self.unknown(node, target)
            case ast.Attribute():
                self.unsupported(node, self.about_attribute(node))
                return self.unknown(node, target)
            case _ if is_constant(node):
                return self.constant(self.evaluator.value(node, self.scope, self.place), node, target)
            case _:
                self.unsupported(node, _INSTEAD.get(type(node), "this expression"))
                return self.unknown(node, target)

    def about_attribute(self, node: ast.Attribute) -> str:
        """What to write instead of `x.shape` and the like."""
        if not isinstance(node.value, ast.Name) or self.local(node.value.id) is None:
            return f"`.{node.attr}` as a value; bind it to a name outside the function"
        instead = {"shape": "op.Shape(x)", "T": "op.Transpose(x)", "size": "op.Size(x)", "dtype": "op.CastLike"}
        hint = f"; write `{instead[node.attr]}`" if node.attr in instead else ""
        return f"a tensor has no `.{node.attr}`{hint}"

    def binary(self, node: ast.BinOp, target: str | None) -> str:
        """`x + y` and its kin."""
        name = BINARY.get(type(node.op))
        if name is None:
            self.unsupported(node, _BINARY_INSTEAD.get(type(node.op), "this operator"))
            return self.unknown(node, target)
        attrs: dict[str, Attr] = {}
        if isinstance(node.op, ast.Mod) and is_constant(node.right) and isinstance(self.evaluate(node.right), float):
            attrs["fmod"] = self.int_attr("fmod", 1)
        return self.pair(name, node, node.left, node.right, target, attrs)

    def compare(self, node: ast.Compare, target: str | None) -> str:
        """`x < y` and its kin."""
        if len(node.ops) != 1:
            self.unsupported(node, "a chain of comparisons; write `op.And(a < b, b < c)`")
            return self.unknown(node, target)
        name = COMPARED.get(type(node.ops[0]))
        if name is None:
            self.unsupported(node, "`in` and `is` have no meaning for tensors")
            return self.unknown(node, target)
        if not isinstance(node.ops[0], ast.NotEq):
            return self.pair(name, node, node.left, node.comparators[0], target)
        equal = self.pair(name, node, node.left, node.comparators[0], None)
        return self.sugar("Not", (equal,), node, target)

    def unary(self, node: ast.UnaryOp, target: str | None) -> str:
        """`-x`, `not x`; a signed literal is one constant."""
        match node.op:
            case ast.USub():
                if is_constant(node.operand) and not isinstance(node.operand, ast.List):
                    return self.constant(self.evaluator.value(node, self.scope, self.place), node, target)
                return self.sugar("Neg", (self.expression(node.operand),), node, target)
            case ast.Not():
                return self.sugar("Not", (self.expression(node.operand),), node, target)
            case ast.Invert():
                self.unsupported(node, "`~`; write `op.Not` or `op.BitwiseNot`")
            case _:
                self.unsupported(node, "`+` before a value; leave it out")
        return self.unknown(node, target)
