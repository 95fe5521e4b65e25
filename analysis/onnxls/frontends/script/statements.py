"""Assignments, results and nested functions to nodes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from onnxls.frontends.script.annotations import read_annotation
from onnxls.frontends.script.chunks import BROKEN
from onnxls.frontends.script.declared import name_span
from onnxls.frontends.script.emit import Body, Bound, Held, Nested
from onnxls.frontends.script.expressions import Expressions
from onnxls.frontends.script.liveness import Liveness, targets
from onnxls.graph import TypeInfo, Value
from onnxls.rules import rule

OUTPUT_COUNT = rule(
    "result-count",
    "OLS558",
    "error",
    """
    The numbers of values on both sides differ: of results and their annotations, or of targets and outputs.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]) -> FLOAT["N"]:
        return x, op.Neg(x)  # error: [result-count] "1 is annotated"
    ```
    """,
)
NO_RETURN = rule(
    "missing-return",
    "OLS559",
    "error",
    """
    A script function returns nothing.

    A graph without outputs does nothing; the stock converter makes it silently.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]):  # error: [missing-return]
        y = op.Relu(x)
    ```
    """,
)
_INSTEAD: dict[type[ast.stmt], str] = {
    ast.AugAssign: "an assignment with an operator; write `x = x + y`",
    ast.Assert: "`assert`; the graph cannot check anything at run time",
    ast.Pass: "`pass`; leave the block out, or assign in it",
    ast.With: "`with`",
    ast.Try: "`try`; a graph has no exceptions",
    ast.Raise: "`raise`; a graph has no exceptions",
    ast.Delete: "`del`",
    ast.Import: "`import` in a script function; import at the top of the module",
    ast.ImportFrom: "`import` in a script function; import at the top of the module",
    ast.Continue: "`continue`; put the rest of the body in an `if`",
    ast.Break: "`break` here; write `if stop: break` as the last statement of the loop",
    ast.ClassDef: "a class",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.Match: "`match`; write `if`",
    ast.Expr: "an expression whose value is not used; assign it",
}


class Statements(Expressions):
    """Dispatches on the form of a statement."""

    liveness: Liveness
    results: tuple[TypeInfo | None, ...] | None = None

    def block(self, statements: Sequence[ast.stmt], top: bool = False) -> None:
        """The statements of a block, in order. `top`: results may be returned here."""
        for statement in statements:
            self.statement(statement, top)

    def statement(self, node: ast.stmt, top: bool) -> None:
        match node:
            case ast.Assign():
                self.assign(node)
            case ast.AnnAssign():
                self.annotated(node)
            case ast.Return():
                self.result(node, top)
            case ast.If():
                self.branch(node)
            case ast.For() | ast.While():
                self.loop(node)
            case ast.FunctionDef():
                self.nested(node)
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
                pass
            case _:
                self.unsupported(node, _INSTEAD.get(type(node), "this statement"))
                for name in sorted(self.liveness.assigned((node,))):
                    self.bind(name, self.unknown(node, name))

    def branch(self, node: ast.If) -> None:
        """An `if`."""
        raise NotImplementedError

    def loop(self, node: ast.For | ast.While) -> None:
        """A `for` or `while`."""
        raise NotImplementedError

    # ---------------------------------------------------------------- assignments

    def assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            self.unsupported(node, "`a = b = value`; write two assignments")
        target = node.targets[0]
        if isinstance(node.value, ast.Tuple):
            self.assign_each(target, node.value, node)
        else:
            self.assign_one(target, node.value)
        for other in node.targets[1:]:
            if isinstance(target, ast.Name):
                self.assign_one(other, target)

    def assign_each(self, target: ast.expr, value: ast.Tuple, node: ast.stmt) -> None:
        """`a, b = x, y`: one after the other."""
        if not isinstance(target, ast.Tuple):
            self.unsupported(value, "a tuple as the value of a variable; a variable holds one tensor")
            for name in sorted(targets(target)):
                self.bind(name, self.unknown(node, name))
            return
        if len(target.elts) != len(value.elts):
            text = f"{len(target.elts)} targets, but {len(value.elts)} values"
            self.fault(OUTPUT_COUNT, text, node)
        for each, given in zip(target.elts, value.elts, strict=False):
            self.assign_one(each, given)
        for each in target.elts[len(value.elts) :]:
            for name in sorted(targets(each)):
                self.bind(name, self.unknown(node, name))

    def assign_one(self, target: ast.expr, value: ast.expr) -> str | None:
        """One target; the name of its value where it is a variable."""
        if isinstance(target, ast.Name):
            made = self.expression(value, target.id)
            self.bind(target.id, made)
            self.means(target, made)
            return made
        if isinstance(target, ast.Tuple):
            self.unpack(target, value)
            return None
        self.unsupported(target, "this target; a value is bound to a name, and a tensor is never changed in place")
        self.expression(value)
        return None

    def unpack(self, target: ast.Tuple, value: ast.expr) -> None:
        """`a, b = op.Split(...)`: the outputs of one call."""
        names = [each.id if isinstance(each, ast.Name) else None for each in target.elts]
        for each in target.elts:
            if not isinstance(each, ast.Name):
                self.unsupported(each, "this target; outputs are bound to names")
        if not isinstance(value, ast.Call):
            if not (isinstance(value, ast.Name) and value.id == BROKEN):
                self.unsupported(value, "unpacking of what is no call")
            for name in names:
                if name is not None:
                    self.bind(name, self.unknown(value, name))
            return
        made = self.prepared(value)
        outputs = [self.named(name, f"{made.callee.name or '?'} {index}") for index, name in enumerate(names)]
        spans = tuple(self.chunk.span(each) for each in target.elts)
        origin = made.origin
        made.origin = replace(origin, outputs=spans)
        self.finish(made, outputs)
        for each, name, output in zip(target.elts, names, outputs, strict=True):
            if name is not None:
                self.body.variables[name] = Held(output)
                self.means(each, output)

    def annotated(self, node: ast.AnnAssign) -> None:
        """`y: FLOAT["N"] = x`: the type is declared for the value."""
        if node.value is None:
            return
        if isinstance(node.value, ast.Tuple):
            self.assign_each(node.target, node.value, node)
            return
        made = self.assign_one(node.target, node.value)
        annotation = read_annotation(self.evaluator.value(node.annotation, self.scope, self.place))
        if made is None or annotation.type is None or annotation.bare:
            return
        if made in self.body.made:
            self.body.value_info.setdefault(made, annotation.type)

    # ---------------------------------------------------------------- results

    def result(self, node: ast.Return, top: bool) -> None:
        """`return`."""
        if not top:
            self.unsupported(node, "`return` in a branch or loop; assign a variable and return it at the end")
            return
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.unsupported(node, "`return` without a value")
            self.body.returned = True
            return
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        declared = self.results if len(self.bodies) == 1 else None
        if declared is not None and len(declared) != len(values):
            verb = "is" if len(declared) == 1 else "are"
            self.fault(OUTPUT_COUNT, f"{len(values)} values are returned, but {len(declared)} {verb} annotated", node)
        if self.body.returned:
            return
        self.body.returned = True
        inputs = {value.name for value in self.body.inputs}
        given: set[str] = set()
        for index, each in enumerate(values):
            said = f"return {index}"
            made = self.returned(each, said)
            if made in inputs or made in given:
                made = self.copy(made, each, said)
            given.add(made)
            type_ = declared[index] if declared is not None and index < len(declared) else None
            self.body.outputs.append(Value(made, type_, self.chunk.span(each)))

    def returned(self, node: ast.expr, said: str) -> str:
        """The value of a result; one that has no name yet is named as the result."""
        nodes = self.body.nodes
        before = len(nodes)
        made = self.expression(node)
        last = nodes[-1] if len(nodes) > before else None
        if last is None or last.outputs != (made,) or not isinstance(node, (ast.Call, ast.BinOp, ast.UnaryOp,
                                                                             ast.Compare, ast.Subscript)):  # fmt: skip
            return made
        name = self.free_name(said)
        nodes[-1] = replace(last, outputs=(name,))
        self.body.made.add(name)
        if made in self.castable:
            self.castable.add(name)
        return name

    def copy(self, value: str, node: ast.expr | ast.stmt, said: str) -> str:
        """An Identity, where a value must have a name of its own."""
        name = self.free_name(said)
        return self.emit("Identity", (value,), (name,), self.origin(node), None, self.standard(node))[0]

    # ---------------------------------------------------------------- nested functions

    def nested(self, node: ast.FunctionDef) -> None:
        """A function in a script function: the body of an operator."""
        if not node.decorator_list:
            self.unsupported(name_span(self.chunk, node), f"`{node.name}` lacks `@graph()`")
        captured: dict[str, Bound | None] = {name: self.local(name) for name in sorted(self.liveness.captured(node))}
        self.bodies.append(Body())
        for arg in node.args.args:
            annotation = read_annotation(
                self.evaluator.value(arg.annotation, self.scope, self.place) if arg.annotation is not None else None
            )
            name = self.variable_name(arg.arg)
            type_ = None if annotation.bare else annotation.type
            self.body.inputs.append(Value(name, type_, self.chunk.span(arg)))
            self.body.variables[arg.arg] = Held(name)
        self.block(node.body, top=True)
        body = self.bodies.pop()
        captured = {name: bound for name, bound in captured.items() if bound is not None}
        self.body.variables[node.name] = Nested(body.graph(node.name), captured)
