"""Calls: of operators, of other script functions, of names that the default opset may have."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from onnxls import schemas
from onnxls.frontends.script.abstract import (
    Form,
    Known,
    Operator,
    Opset,
    PlainFunction,
    ScriptFunction,
    SourceModule,
    Unknown,
)
from onnxls.frontends.script.annotations import GRAPH
from onnxls.frontends.script.attributes import NO_ATTRIBUTE, Wrong, make_attribute
from onnxls.frontends.script.emit import Held, Nested, Parameter
from onnxls.frontends.script.evaluate import UNBOUND
from onnxls.frontends.script.faults import UNDEFINED
from onnxls.frontends.script.operators import Arguments, Formal, Operators, formals
from onnxls.frontends.script.promotion import Promotion
from onnxls.frontends.script.signature import signature
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
class Callee:
    """What a call calls. `opset` None: not known, and neither are the results."""

    name: str
    opset: Opset | None = None
    function: ScriptFunction | None = None
    overload: str = ""
    formal: tuple[Formal, ...] | None = None


@dataclass(slots=True)
class Call:
    """A call ready to be emitted, but for the names of its outputs."""

    callee: Callee
    origin: Origin
    inputs: list[str | None] = field(default_factory=list["str | None"])
    attrs: dict[str, Attr] = field(default_factory=dict[str, Attr])


class Calls(Subscripts, Operators, Promotion):
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
        made = Call(callee, Origin(self.chunk.span(node)))
        for formal, each in given.attributes:
            spans[formal.name] = self.chunk.span(each)
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

    # ---------------------------------------------------------------- callees

    def callee(self, node: ast.expr) -> Callee:
        """What is called."""
        if isinstance(node, ast.Name):
            return self.named_callee(node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self.member_callee(node, node.value)
        value = self.evaluator.value(node, self.scope, self.place)
        if isinstance(value, ScriptFunction):
            self.unsupported(node, "a call through a module; import the function itself")
            return self.function_callee(value)
        if isinstance(value, Operator):
            self.unsupported(node, "a call through a module; bind the opset to a name: `op = onnxscript.opset18`")
            return self.operator_callee(value.opset, value.name, node)
        if not isinstance(value, Unknown) or isinstance(node, ast.Call):
            self.unsupported(node, "this cannot be called in a script function")
        return Callee("")

    def named_callee(self, node: ast.Name) -> Callee:
        bound = self.local(node.id)
        if bound is not None:
            what = "a nested function; it can be the body of an operator only"
            if not isinstance(bound, Nested):
                what = "a value of the graph; it cannot be called"
            self.unsupported(node, f"`{node.id}` is {what}")
            return Callee("")
        value = self.outer(node.id)
        match value:
            case ScriptFunction():
                self.means(node, value.declared)
                return self.function_callee(value)
            case Operator():
                return self.operator_callee(value.opset, value.name, node)
            case PlainFunction():
                self.unsupported(node, f"`{node.id}` is a plain Python function; decorate it with `@script()`")
                return Callee("")
            case Unknown() if value is not UNBOUND:
                return Callee("")
            case Unknown() | Known():
                if isinstance(value, Known) and not value.name.startswith("builtins."):
                    return Callee("")
                if isinstance(value, Known):
                    self.python_function(node)
                    return Callee("")
                return self.operator_callee(self.standard(node), node.id, node)
            case Form():
                self.python_function(node)
                return Callee("")
            case _:
                self.unsupported(node, f"`{node.id}` is no function of a graph")
                return Callee("")

    def python_function(self, node: ast.Name) -> None:
        text = f"Python's `{node.id}` has no meaning in a graph{_INSTEAD.get(node.id, '')}"
        self.unsupported(node, text)

    def member_callee(self, node: ast.Attribute, owner: ast.Name) -> Callee:
        if self.local(owner.id) is not None:
            self.unsupported(node, f"`{owner.id}` is a tensor and has no methods; write `op.{node.attr}`"
                             if schemas.versions("", node.attr) else
                             f"`{owner.id}` is a tensor and has no methods; call an operator")  # fmt: skip
            return Callee("")
        value = self.outer(owner.id)
        if value is UNBOUND:
            self.fault(UNDEFINED, f"`{owner.id}` is not bound here; import an opset, as in "
                       "`from onnxscript import opset18 as op`", owner)  # fmt: skip
            return self.assumed_callee(node)
        match value:
            case Opset():
                return self.operator_callee(value, node.attr, node)
            case Unknown():
                return self.assumed_callee(node)
            case SourceModule() | Known():
                member = self.evaluator.attribute(value, node.attr)
                if isinstance(member, ScriptFunction):
                    self.unsupported(node, f"a call through the module `{owner.id}`; import `{node.attr}` itself")
                    return self.function_callee(member)
                if not isinstance(member, Unknown):
                    text = f"`{owner.id}.{node.attr}` is Python, not an operator or a script function"
                    self.unsupported(node, text)
                return Callee("")
            case _:
                self.unsupported(node, f"`{owner.id}` is no opset")
                return Callee("")

    def assumed_callee(self, node: ast.Attribute) -> Callee:
        """An operator of an opset that is not known: taken for the standard one where that has the name."""
        opset = self.default_opset or Opset("", schemas.latest_opset(""))
        schema = schemas.lookup("", node.attr, opset.version)
        if schema is None:
            return Callee("")
        self.opset_unknown = True
        return Callee(node.attr, opset, None, "", formals(schema))

    def operator_callee(self, opset: Opset, name: str, node: ast.expr) -> Callee:
        if not opset.domain and self.default_opset is None:
            self.default_opset = opset
        if not opset.domain and self.default_opset is not None and opset.version != self.default_opset.version:
            text = f"opset {opset.version} next to opset {self.default_opset.version}; a function has one of them"
            self.unsupported(node, text)
        schema = schemas.lookup(opset.domain, name, opset.version)
        return Callee(name, opset) if schema is None else Callee(name, opset, None, "", formals(schema))

    def function_callee(self, function: ScriptFunction) -> Callee:
        declared = function.declared
        given = declared.decorator.opset
        opset = given if isinstance(given, Opset) else Opset("this", 1)
        name = declared.node.name
        if declared.decorator.kind == "traced":
            return Callee(name)
        overload, count = "", 0
        while True:
            known = self.called.get((opset.domain, name, overload))
            if known is None or known.declared.node is declared.node:
                break
            count += 1
            overload = str(count)
        self.called[opset.domain, name, overload] = function
        parameters = signature(declared, self.evaluator)
        formal = tuple(
            Formal(
                each.name,
                each.annotation.attribute,
                False,
                each.annotation.variable or f"of {each.name}",
            )
            for each in parameters
        )
        return Callee(name, opset, function, overload, formal)

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


_INSTEAD = {
    "len": "; write `op.SequenceLength`, or `op.Gather(op.Shape(x), 0)`",
    "abs": "; write `op.Abs`",
    "max": "; write `op.Max` or `op.ReduceMax`",
    "min": "; write `op.Min` or `op.ReduceMin`",
    "sum": "; write `op.ReduceSum`",
    "pow": "; write `op.Pow`",
    "int": "; write `op.Cast(x, to=INT64.dtype)`",
    "float": "; write `op.Cast(x, to=FLOAT.dtype)`",
    "range": "; write `op.Range`",
}
