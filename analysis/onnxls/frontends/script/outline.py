"""What stands in a chunk: the functions that become graphs, and what is wrong with calls of operators in the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from onnxls.frontends.script.abstract import ScriptFunction
from onnxls.frontends.script.bindings import class_scope, function_scope
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.elsewhere import Remark, check_calls
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.names import Scope, Seat

MAX_NESTING = 30


@dataclass(frozen=True, slots=True)
class Outline:
    """The functions of a chunk that become graphs, those in functions and classes too, and remarks on the others."""

    declared: tuple[Declared, ...]
    remarks: tuple[Remark, ...]


def outline(scope: Scope, seat: Seat, evaluator: Evaluator) -> Outline:
    """The outline of a chunk of a module."""
    walk = _Walk(seat, evaluator, [], [])
    walk.block(scope, seat.chunk.statements, 0)
    remarks = [remark for node, around in walk.others for remark in check_calls(node, around, seat, evaluator)]
    return Outline(tuple(walk.declared), tuple(remarks))


@dataclass(slots=True)
class _Walk:
    """`others`: functions that are no script functions, hold none, and are in none that is listed already."""

    seat: Seat
    evaluator: Evaluator
    declared: list[Declared]
    others: list[tuple[ast.FunctionDef, Scope]]

    def block(self, scope: Scope, statements: Sequence[ast.stmt], depth: int) -> None:
        if depth > MAX_NESTING:
            return
        for node in statements:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.function(scope, node, depth)
                case ast.ClassDef():
                    self.block(class_scope(scope, self.seat, node), node.body, depth + 1)
                case _:
                    for block in _blocks(node):
                        self.block(scope, block, depth + 1)

    def function(self, scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef, depth: int) -> None:
        declared = self.defined(scope, node)
        if declared is not None and declared.decorator.kind in ("script", "torch_op"):
            self.declared.append(declared)
            return
        before = len(self.declared)
        if declared is None:
            self.block(function_scope(scope, self.seat, node), node.body, depth + 1)
        outermost = scope.parent is None or scope.is_class
        if isinstance(node, ast.FunctionDef) and len(self.declared) == before and outermost:
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
