"""Branches of a function that Python runs, where the condition is not known: each is read in a graph of its own."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from onnxls.frontends.script.abstract import UNKNOWN, GraphValue
from onnxls.frontends.script.emit import Body
from onnxls.frontends.script.traced_calls import TracedCalls
from onnxls.frontends.script.traced_emit import MAX_BODIES, Traced
from onnxls.graph import Graph

End = Literal["", "returns", "raises", "unknown"]
"""How a block ends: it goes on, it returns, it raises, or it may have returned."""


class TracedBranches(TracedCalls):
    """Reads branches and puts them together. `given`: what was returned, once it is; None where it is not known."""

    given: list[Traced] | None = None
    end: End = ""
    doubtful = False

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """The statements of a block, in order, until it ends."""
        raise NotImplementedError

    def lost(self, node: ast.stmt) -> None:
        """A statement whose effects are not followed."""
        raise NotImplementedError

    def divide(self, node: ast.If, test: Traced, rest: Sequence[ast.stmt]) -> None:
        """An `if` that is not decided; where one branch returns, the rest of the block belongs to the other."""
        self.certain &= isinstance(test, GraphValue) and test.kind == "truth"
        if len(self.bodies) > MAX_BODIES:
            self.lost(node)
            return
        before = self.variables
        arms = [self.arm(node.body, before), self.arm(node.orelse, before)]
        unsure = [not arm.end and returns(block) for arm, block in zip(arms, (node.body, node.orelse), strict=True)]
        gone = [arm.end in ("returns", "unknown") for arm in arms]
        if any(unsure):
            self.join(node, test, arms, before)
            self.doubtful = True
        elif any(gone):
            other = 1 if gone[0] else 0
            if not arms[other].end:
                arms[other] = self.resume(arms[other], rest)
            self.join(node, test, arms, before)
            both = all(arm.end == "returns" for arm in arms)
            self.end = "returns" if both and self.given is not None else "unknown"
        else:
            self.join(node, test, arms, before)
            if all(arm.end for arm in arms):
                self.end = "raises"

    def arm(self, statements: Sequence[ast.stmt], before: dict[str, Traced]) -> _Arm:
        """One branch, read in a graph of its own."""
        return self.read(_Arm(self.apart(dict(before))), statements)

    def resume(self, arm: _Arm, rest: Sequence[ast.stmt]) -> _Arm:
        """What comes after the branch, where the other branch returns."""
        self.bodies.append(arm.body)
        self.variables = arm.variables
        return self.read(arm, rest)

    def read(self, arm: _Arm, statements: Sequence[ast.stmt]) -> _Arm:
        outer = self.given, self.end
        self.given, self.end = None, ""
        self.block(statements)
        arm.end, arm.given, arm.variables = self.end, self.given, self.variables
        self.given, self.end = outer
        self.bodies.pop()
        return arm

    def join(self, node: ast.If, test: Traced, arms: Sequence[_Arm], before: dict[str, Traced]) -> None:
        """Puts two branches into an If, and binds what comes out of it."""
        self.variables = dict(before)
        going = [arm for arm in arms if not arm.end]
        names: list[str] = []
        made: list[tuple[str, GraphValue]] = []
        outputs: list[list[Traced]] = [[], []]
        if len(going) == 2:
            for name in sorted({*arms[0].variables, *arms[1].variables}):
                left, right = (arm.variables.get(name, UNKNOWN) for arm in arms)
                if left is right or left == right:
                    self.variables[name] = left
                    continue
                value = self.joined(left, right)
                self.variables[name] = UNKNOWN
                if value is not None:
                    names.append(self.variable_name(name))
                    made.append((name, value))
                    outputs[0].append(left)
                    outputs[1].append(right)
        elif len(going) == 1:
            self.variables = {
                name: value if before.get(name) is value else UNKNOWN for name, value in going[0].variables.items()
            }
        given = self.both_given(arms)
        if given is not None:
            for left, right in given:
                names.append(self.free_name("returned"))
                outputs[0].append(left)
                outputs[1].append(right)
        graphs = [self.closed(arm, give, node) for arm, give in zip(arms, outputs, strict=True)]
        head = self.chunk.span(node.test)
        results = self.fork(test, graphs[0], graphs[1], names, node, self.head(head)) if _worth(graphs) else ()
        for (name, value), result in zip(made, results, strict=False):
            self.variables[name] = GraphValue(result, value.kind, value.optional)
            if value.kind != "tensor":
                self.of_python.add(result)
        self.given = None if given is None else [GraphValue(each) for each in results[len(made) :]]

    def closed(self, arm: _Arm, outputs: Sequence[Traced], node: ast.stmt) -> Graph:
        self.bodies.append(arm.body)
        return self.close(arm.body, outputs, node, "branch")

    def both_given(self, arms: Sequence[_Arm]) -> list[tuple[Traced, Traced]] | None:
        """The results of both branches, pair by pair, where both return as many tensors."""
        left, right = (arm.given if arm.end == "returns" else None for arm in arms)
        if not isinstance(left, list) or not isinstance(right, list):
            return None
        if len(left) != len(right) or not all(isinstance(each, GraphValue) for each in (*left, *right)):
            return None
        return list(zip(left, right, strict=True))

    def under_doubt(self, node: ast.stmt, rest: Sequence[ast.stmt]) -> None:
        """The rest of a block, where the function may have returned before it."""
        self.perhaps(node, rest)
        self.given, self.end = None, "unknown"

    def perhaps(self, node: ast.stmt, statements: Sequence[ast.stmt]) -> None:
        """Statements that may not run; their variables are not known afterwards."""
        before = self.variables
        if len(self.bodies) <= MAX_BODIES:
            arms = [self.arm(statements, before), self.arm((), before)]
            graphs = [self.closed(each, (), node) for each in arms]
            if _worth(graphs):
                self.fork(UNKNOWN, graphs[0], graphs[1], (), node, self.origin(node))
        self.variables = before


class _Arm:
    """A branch that was read: its graph, its variables at the end, and what it returns if it ends there."""

    __slots__ = ("body", "end", "given", "variables")

    def __init__(self, body: Body) -> None:
        self.body = body
        self.end: End = ""
        self.given: list[Traced] | None = None
        self.variables: dict[str, Traced] = {}


def _worth(graphs: Sequence[Graph]) -> bool:
    return any(graph.nodes for graph in graphs)


def returns(block: Sequence[ast.stmt]) -> bool:
    """Whether a block may end the function."""
    return contains(block, (ast.Return,))


def contains(block: Sequence[ast.stmt], forms: tuple[type[ast.stmt], ...]) -> bool:
    waiting: list[ast.AST] = list(block)
    while waiting:
        node = waiting.pop()
        if isinstance(node, forms):
            return True
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            waiting += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr)]
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            waiting += ast.iter_child_nodes(node)
    return False
