"""What a call calls: an operator, another script function, or something that has no meaning in a graph."""

from __future__ import annotations

import ast
from dataclasses import dataclass

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
from onnxls.frontends.script.emit import Nested
from onnxls.frontends.script.evaluate import UNBOUND
from onnxls.frontends.script.faults import UNDEFINED
from onnxls.frontends.script.operators import Formal, formals
from onnxls.frontends.script.signature import signature
from onnxls.frontends.script.variables import Variables


@dataclass(slots=True)
class Callee:
    """What a call calls. `opset` None: not known, and neither are the results."""

    name: str
    opset: Opset | None = None
    function: ScriptFunction | None = None
    overload: str = ""
    formal: tuple[Formal, ...] | None = None


class Callees(Variables):
    """Looks up what is called."""

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
        if not isinstance(value, Unknown) or isinstance(node, (ast.Call, ast.Lambda)):
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
        if declared.traced:
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
