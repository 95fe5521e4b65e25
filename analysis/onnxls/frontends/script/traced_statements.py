"""Statements of a function that Python runs to make a graph.

A condition that is known picks its branch. What one that is not known decides is put into the branches of an If, so
that nothing in them counts for every run; loops are followed where it is known what they run over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from onnxls.frontends.script.abstract import UNKNOWN, GraphValue, Items
from onnxls.frontends.script.annotations import read_annotation
from onnxls.frontends.script.emit import Nested
from onnxls.frontends.script.traced_branches import TracedBranches, contains, returns
from onnxls.frontends.script.traced_emit import MAX_BODIES, Evaluated, Traced, truth
from onnxls.graph import Value

MAX_STATEMENTS = 20_000


class TracedStatements(TracedBranches):
    """Dispatches on the form of a statement."""

    statements = 0

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """The statements of a block, in order, until it ends."""
        for index, statement in enumerate(statements):
            self.statements += 1
            if self.end or self.statements > MAX_STATEMENTS:
                return
            if isinstance(statement, ast.If):
                known = truth(test := self.value(statement.test))
                if known is not None:
                    self.block(statement.body if known else statement.orelse)
                else:
                    self.divide(statement, test, statements[index + 1 :])
            else:
                self.statement(statement)
            if self.doubtful:
                self.doubtful = False
                self.under_doubt(statement, statements[index + 1 :])

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign():
                self.assigned(node.targets, node.value)
            case ast.AnnAssign():
                if node.value is not None:
                    self.assigned([node.target], node.value)
                    self.declared_local(node)
            case ast.AugAssign():
                whole = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
                self.assigned([node.target], whole)
            case ast.Return():
                self.given = self.results_of(node.value)
                self.end = "returns"
            case ast.Raise():
                self.end = "raises"
            case ast.Assert():
                if truth(self.value(node.test)) is not True:
                    self.certain = False
            case ast.Expr():
                self.value(node.value)
            case ast.For():
                self.repeated(node)
            case ast.With():
                self.within(node)
            case ast.FunctionDef():
                self.variables[node.name] = self.defined(node)
            case ast.Pass():
                pass
            case _:
                self.lost(node)

    # ---------------------------------------------------------------- assignments

    def assigned(self, to: Sequence[ast.expr], value: ast.expr) -> None:
        first = to[0]
        if isinstance(first, (ast.Tuple, ast.List)) and isinstance(value, ast.Call) and len(to) == 1:
            names = [each.id if isinstance(each, ast.Name) else None for each in first.elts]
            if None not in names:
                made = self.unpacked(value, names)
                if made is not None:
                    for each, given in zip(first.elts, made, strict=True):
                        self.bind_name(each, given)
                    return
        given = self.value(value, first.id if isinstance(first, ast.Name) else None)
        for each in to:
            self.bind_target(each, given)

    def bind_target(self, target: ast.expr, value: Traced) -> None:
        """Binds what a target says; what it changes in place is not known any more."""
        match target:
            case ast.Name():
                self.bind_name(target, value)
            case ast.Tuple() | ast.List():
                count = len(target.elts)
                starred = any(isinstance(each, ast.Starred) for each in target.elts)
                known = isinstance(value, Items) and len(value.items) == count and not starred
                items = value.items if isinstance(value, Items) and known else (UNKNOWN,) * count
                for each, given in zip(target.elts, items, strict=True):
                    self.bind_target(each, given)
            case ast.Starred():
                self.bind_target(target.value, UNKNOWN)
            case ast.Subscript() | ast.Attribute():
                owner = self.plain(target.value)
                self.spoil(owner)
            case _:
                pass

    def bind_name(self, target: ast.expr, value: Traced) -> None:
        if isinstance(target, ast.Name):
            self.variables[target.id] = value
            if isinstance(value, GraphValue):
                self.means(target, value.name)
                if value.name != target.id and not value.name.startswith(f"{target.id}_"):
                    self.aliases.setdefault(self.variable_name(target.id), value.name)

    def declared_local(self, node: ast.AnnAssign) -> None:
        """`y: FLOAT["N"] = x`: the type is declared for the value."""
        value = self.variables.get(node.target.id) if isinstance(node.target, ast.Name) else None
        annotation = read_annotation(self.evaluator.value(node.annotation, self.scope, self.place))
        if annotation.type is None or annotation.bare:
            return
        if isinstance(value, GraphValue) and value.name in self.body.made:
            self.body.value_info.setdefault(value.name, annotation.type)

    def results_of(self, node: ast.expr | None) -> list[Traced] | None:
        """What is returned, one by one."""
        if node is None:
            return []
        if isinstance(node, ast.Tuple):
            starred = any(isinstance(each, ast.Starred) for each in node.elts)
            return None if starred else list(map(self.value, node.elts))
        value = self.value(node)
        return list(value.items) if isinstance(value, Items) else [value]

    # ---------------------------------------------------------------- loops and blocks

    def repeated(self, node: ast.For) -> None:
        """A loop over what is known, turn by turn; of another one nothing is known afterwards."""
        over = self.plain(node.iter)
        leaves = node.orelse or contains(node.body, (ast.Break, ast.Continue))
        if leaves or not isinstance(over, Items) or not self.may_turn(over):
            self.lost(node)
            return
        for each in over.items:
            self.bind_target(node.target, each)
            self.block(node.body)
            if self.end:
                return

    def within(self, node: ast.With) -> None:
        """`with`: one that expects an error is not looked into."""
        if any("raises" in ast.dump(item.context_expr).lower() for item in node.items):
            self.lost(node)
            return
        for item in node.items:
            self.value(item.context_expr)
            if item.optional_vars is not None:
                self.bind_target(item.optional_vars, UNKNOWN)
        self.block(node.body)

    def lost(self, node: ast.stmt) -> None:
        """A statement whose effects are not followed: what it may bind or change is not known any more."""
        self.certain = False
        names = _touched(node)
        for name, value in list(self.variables.items()):
            if name in names:
                self.spoil(value)
        for name in names:
            self.variables[name] = UNKNOWN
        for block in _blocks(node):
            self.perhaps(node, block)
        self.doubtful |= returns([node])

    # ---------------------------------------------------------------- nested functions

    def defined(self, node: ast.FunctionDef) -> Traced:
        """A nested function: the body of an operator where it is decorated as one."""
        if self.evaluator.decorator(node, self.scope, self.place) is None or len(self.bodies) > MAX_BODIES:
            return UNKNOWN
        before, given_before, end_before = self.variables, self.given, self.end
        body = self.apart(dict(before))
        for arg in node.args.args:
            name = self.variable_name(arg.arg)
            body.inputs.append(Value(name, None, self.chunk.span(arg)))
            self.variables[arg.arg] = GraphValue(name)
        self.given, self.end = None, ""
        self.block(node.body)
        given = self.given
        self.given, self.end = given_before, end_before
        if given is None:
            self.bodies.pop()
            self.variables = before
            return UNKNOWN
        graph = self.close(body, given, node, node.name)
        self.variables = before
        return Nested(graph, {})


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return Evaluated.at(UNKNOWN, target)


def _blocks(node: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """The blocks of a statement that may each run or not."""
    match node:
        case ast.For() | ast.While() | ast.AsyncFor() | ast.If():
            yield node.body
            yield node.orelse
        case ast.Try():
            yield node.body
            for handler in node.handlers:
                yield handler.body
            yield [*node.orelse, *node.finalbody]
        case ast.Match():
            for case in node.cases:
                yield case.body
        case _:
            pass


def _touched(node: ast.stmt) -> set[str]:
    """The variables that a statement may bind, or whose lists it may change."""
    found: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                found.add(each.id)
            case ast.Call(func=ast.Attribute(value=ast.Name() as owner)):
                found.add(owner.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(each.name)
            case ast.alias():
                found.add((each.asname or each.name).partition(".")[0])
            case ast.ExceptHandler() if each.name:
                found.add(each.name)
            case _:
                pass
    return found
