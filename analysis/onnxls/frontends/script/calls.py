"""Calls: of operators, of other script functions, of names that the default opset may have."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from onnxls.frontends.script.annotations import GRAPH
from onnxls.frontends.script.attributes import NO_ATTRIBUTE, Wrong, make_attribute
from onnxls.frontends.script.callees import Callee, Callees
from onnxls.frontends.script.emit import Held, Nested, Parameter
from onnxls.frontends.script.evaluate import UNBOUND
from onnxls.frontends.script.operators import Arguments, Formal, Operators
from onnxls.frontends.script.promotion import Promotion
from onnxls.frontends.script.subscripts import Subscripts
from onnxls.graph import Attr
from onnxls.rules import rule
from onnxls.spans import Origin, Span

CAPTURE_REBOUND = rule(
    "captured-variable-rebound",
    "OLS556",
    "error",
    """
    A nested function is used after a variable that it captures was assigned again.

    The nested function is a graph made where it is defined; the converter refuses to guess which value was meant.

    ```py
    from onnxscript import FLOAT, graph, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N", 4], s: FLOAT[4]):
        @graph()
        def add(total, row):
            new = op.Add(op.Add(total, row), s)
            return new, op.Identity(new)
        s = op.Neg(s)
        last, rows = op.Scan(s, x, body=add, num_scan_inputs=1)  # error: [captured-variable-rebound] "`s`"
        return rows
    ```
    """,
)
NEVER_ATTRIBUTE = rule(
    "tensor-as-attribute",
    "OLS557",
    "error",
    """
    A tensor is given where the operator takes an attribute.

    Attributes are fixed when the model is made; a value that is computed at run time cannot be one.

    ```py
    from onnxscript import FLOAT, INT64, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N", 4], k: INT64[()]):
        return op.Softmax(x, axis=k)  # error: [tensor-as-attribute] "`axis`"
    ```
    """,
)


@dataclass(slots=True)
class Call:
    """A call ready to be emitted, but for the names of its outputs."""

    callee: Callee
    origin: Origin
    inputs: list[str | None] = field(default_factory=list["str | None"])
    attrs: dict[str, Attr] = field(default_factory=dict[str, Attr])


class Calls(Callees, Subscripts, Operators, Promotion):
    """Calls to nodes."""

    def call(self, node: ast.Call, target: str | None) -> str:
        """A call that gives one value."""
        made = self.prepared(node)
        said = self.written(made.origin.span) or f"{made.callee.name or '?'} {len(self.body.nodes)}"
        name = self.named(target, said)
        return self.finish(made, (name,))[0]

    def finish(self, made: Call, outputs: Sequence[str]) -> tuple[str, ...]:
        """Emits a prepared call."""
        callee = made.callee
        if callee.opset is None:
            return self.emit("", made.inputs, outputs, made.origin)
        return self.emit(callee.name, made.inputs, outputs, made.origin, made.attrs, callee.opset, callee.overload)

    def prepared(self, node: ast.Call) -> Call:
        """The callee, the inputs and the attributes of a call."""
        callee = self.callee(node.func)
        for each in node.args:
            if isinstance(each, ast.Starred):
                self.unsupported(each, "`*` in a call; write the arguments out")
        for keyword in node.keywords:
            if keyword.arg is None:
                self.unsupported(keyword.value, "`**` in a call; write the arguments out")
        if callee.formal is not None:
            given = self.sorted_arguments(node, f"`{callee.name}`", callee.formal)
        else:
            given = Arguments(list(node.args), [None] * len(node.args))
            given.attributes = [(Formal(each.arg), each.value) for each in node.keywords if each.arg is not None]
        values = [self.operand(each) for each in given.inputs]
        spans: dict[str, Span] = {}
        keywords = {each.arg: each for each in node.keywords}
        made = Call(callee, Origin(self.chunk.span(node)))
        for formal, each in given.attributes:
            # of an attribute that the callee does not have, the name is what is wrong
            spans[formal.name] = self.chunk.span(each if formal.attribute is not None else keywords[formal.name])
            attr = self.attribute(formal, each) if callee.opset is not None else None
            if attr is not None:
                made.attrs[formal.name] = attr
        made.inputs = self.cast(values, given.variables, given.inputs)
        inputs = tuple(self.chunk.span(each) for each in given.inputs)
        made.origin = Origin(self.chunk.span(node), self.chunk.span(node.func), inputs, (), spans)
        return made

    def operand(self, node: ast.expr) -> str | None:
        """An input of a call; None where the author wrote None."""
        if isinstance(node, ast.Constant) and node.value is None:
            return None
        if isinstance(node, ast.Starred):
            return self.unknown(node)
        return self.expression(node)

    # ---------------------------------------------------------------- attributes

    def attribute(self, formal: Formal, node: ast.expr) -> Attr | None:
        """The attribute that an argument gives; None where it is left out."""
        wanted = formal.attribute
        if isinstance(node, ast.Name):
            bound = self.local(node.id)
            match bound:
                case Parameter():
                    return Attr(formal.name, bound.annotation.attribute or 0, None, bound.name)
                case Nested():
                    self.check_captured(bound, node)
                    return Attr(formal.name, GRAPH, bound.graph)
                case Held():
                    self.fault(NEVER_ATTRIBUTE, f"`{formal.name}` is an attribute, but `{node.id}` is a tensor", node)
                    return Attr(formal.name, wanted or GRAPH)
                case None:
                    value = self.evaluate(node)
                    if value is UNBOUND:
                        self.undefined(node)
        else:
            value = self.evaluate(node)
            self.check_names(node)
        if value is None:
            return None
        made = make_attribute(formal.name, value, wanted)
        if isinstance(made, Wrong):
            self.fault(NO_ATTRIBUTE, f"`{formal.name}` cannot be {made.found}", node)
            return Attr(formal.name, wanted or GRAPH)
        return made

    def check_names(self, node: ast.expr) -> None:
        """Reports names in an attribute's expression that the converter does not see."""
        for each in ast.walk(node):
            if not isinstance(each, ast.Name):
                continue
            bound = self.local(each.id)
            if isinstance(bound, (Parameter, Held)):
                text = (
                    f"`{each.id}` belongs to the function; an attribute is one parameter alone or made of outer values"
                )
                self.unsupported(each, text)
            elif bound is None and self.evaluate(each) is UNBOUND:
                self.undefined(each)

    def check_captured(self, nested: Nested, node: ast.Name) -> None:
        for name, then in nested.captured.items():
            if self.local(name) != then:
                self.fault(CAPTURE_REBOUND, f"`{name}`, which `{node.id}` captures, was assigned again", node)
