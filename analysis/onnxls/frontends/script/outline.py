"""What stands in a chunk: the functions that become graphs, and what is wrong with calls of operators in the others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from onnxls.frontends.script.abstract import Decorator, ScriptFunction
from onnxls.frontends.script.bindings import class_scope, function_scope
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.elsewhere import Remark, check_calls
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.names import Scope, Seat
from onnxls.frontends.script.styles import style

MAX_NESTING = 30
_OPERATOR_CALL = re.compile(r"\.\s*[A-Z]\w*\s*\(")
"""Without one there is no call of an operator; a comment or a backslash between its parts is not looked for."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The functions of a chunk that become graphs, those in functions and classes too, and remarks on the others."""

    declared: tuple[Declared, ...]
    remarks: tuple[Remark, ...]


def outline(scope: Scope, seat: Seat, evaluator: Evaluator) -> Outline:
    """The outline of a chunk of a module."""
    walk = _Walk(seat, evaluator, [], [], _OPERATOR_CALL.search(seat.chunk.text) is not None)
    walk.block(scope, seat.chunk.statements, 0)
    remarks = [remark for node, around in walk.others for remark in check_calls(node, around, seat, evaluator)]
    return Outline(tuple(walk.declared), tuple(remarks))


@dataclass(slots=True)
class _Walk:
    """`others`: functions that are no script functions, hold none, and are in none that is listed already.

    `calls_operators`: whether any function of the chunk can call an operator.
    """

    seat: Seat
    evaluator: Evaluator
    declared: list[Declared]
    others: list[tuple[ast.FunctionDef, Scope]]
    calls_operators: bool
    owner: ast.ClassDef | None = None

    def block(self, scope: Scope, statements: Sequence[ast.stmt], depth: int) -> None:
        if depth > MAX_NESTING:
            return
        for node in statements:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.function(scope, node, depth)
                case ast.ClassDef():
                    outer, self.owner = self.owner, node
                    self.block(class_scope(scope, self.seat, node), node.body, depth + 1)
                    self.owner = outer
                case _:
                    for block in _blocks(node):
                        self.block(scope, block, depth + 1)

    def function(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> None:
        declared = self.defined(scope, node)
        if declared is not None and declared.decorator.kind in ("script", "torch_op"):
            self.declared.append(declared)
            return
        before = len(self.declared)
        owner = self.owner if scope.is_class else None
        if declared is None:
            self.owner = None
            self.block(function_scope(scope, self.seat, node), node.body, depth + 1)
            self.owner = owner
        if not isinstance(node, ast.FunctionDef) or len(self.declared) > before:
            return
        if not self.calls_operators:
            if declared is not None and declared.traced:
                self.declared.append(declared)
            return
        if declared is None:
            kind = style(node, owner, scope, self.seat, self.evaluator)
            declared = Declared(node, self.seat, scope, Decorator(kind), owner) if kind else None
        if declared is not None and declared.traced:
            self.declared.append(declared)
        if scope.parent is None or scope.is_class:
            self.others.append((node, scope))

    def defined(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Declared | None:
        """The function as its name is bound to it, where a decorator makes a graph of it."""
        for binding in scope.bound.names.get(node.name, ()):
            if binding.node is node:
                value = self.evaluator.binding(binding, scope)
                return value.declared if isinstance(value, ScriptFunction) else None
        return None


def _blocks(node: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    match node:
        case ast.If() | ast.For() | ast.While():
            yield node.body
            yield node.orelse
        case ast.With():
            yield node.body
        case ast.Try():
            yield node.body
            for handler in node.handlers:
                yield handler.body
            yield node.orelse
            yield node.finalbody
        case _:
            pass
