"""A function that Python runs to make a graph, as far as its text alone tells what it makes.

The functions of torchlib, functions and methods that are given `op`, and those that use a builder. Its parameters are
inputs where they can be tensors; what they are as values of Python is not known.
"""

from __future__ import annotations

import ast

from onnxls import schemas
from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Builder,
    Form,
    GraphValue,
    Instance,
    Items,
    Opset,
    Unknown,
)
from onnxls.frontends.script.annotations import Annotation, read_annotation
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.lowered import Lowered
from onnxls.frontends.script.members import Members, Parameter
from onnxls.frontends.script.signature import signature
from onnxls.frontends.script.styles import BUILDERS, is_static
from onnxls.frontends.script.survey import survey
from onnxls.frontends.script.traced_emit import Traced, number_of
from onnxls.frontends.script.traced_statements import TracedStatements
from onnxls.graph import TypeInfo, Value
from onnxls.spans import Span


class Tracing(TracedStatements):
    """The reading of one function."""

    def __init__(self, declared: Declared, evaluator: Evaluator) -> None:
        super().__init__(declared, evaluator)
        self.variables = {}
        self.counted = set()
        self.of_python = set()
        self.declared_shapes = {}
        self.open_inputs = set()
        self.pattern = declared.decorator.kind == "pattern"
        self.single = declared.decorator.kind != "traced"
        self.members = Members(declared, evaluator)
        self._own = survey(declared.node).bound

    @property
    def own(self) -> frozenset[str]:
        return self._own

    def run(self) -> Lowered:
        node = self.declared.node
        self.default_opset = self.found_opset(node)
        for index, parameter in enumerate(signature(self.declared, self.evaluator)):
            arg = (*node.args.posonlyargs, *node.args.args)[index]
            self.variables[arg.arg] = self.parameter(arg, index, parameter.annotation, parameter.has_default)
        for arg in (*node.args.kwonlyargs, node.args.vararg, node.args.kwarg):
            if arg is not None:
                self.variables[arg.arg] = UNKNOWN
        self.block(node.body)
        if self.end == "returns" and self.given is not None:
            self.outputs(self.given, node)
        self.opsets.setdefault("", self.default_opset.version)
        return Lowered(
            self.declared,
            (),
            self.body.graph(self.declared.name),
            self.opsets,
            (),
            self.aliases,
            self.called,
            (),
            self.meanings,
            self.certain,
            frozenset(self.of_python),
        )

    def found_opset(self, node: ast.FunctionDef) -> Opset:
        """The opset of the first operator that is called; of a builder nothing is known but that it is a late one."""
        for each in survey(node).calls:
            owner = each.func.value if isinstance(each.func, ast.Attribute) else None
            if isinstance(owner, ast.Name) and owner.id not in self._own:
                value = self.outer(owner.id)
                if isinstance(value, Opset) and not value.domain:
                    return value
        return Opset("", schemas.latest_opset(""))

    def outputs(self, given: list[Traced], node: ast.FunctionDef) -> None:
        taken = {value.name for value in self.body.inputs}
        for index, each in enumerate(given):
            if not isinstance(each, GraphValue):
                continue
            name = each.name
            if name in taken or name not in self.body.made:
                said = self.free_name(f"return {index}")
                name = self.emit("Identity", (name,), (said,), self.origin(node), None, self.default_opset)[0]
            taken.add(name)
            self.body.outputs.append(Value(name))

    # ---------------------------------------------------------------- parameters

    def parameter(self, arg: ast.arg, index: int, annotation: Annotation, has_default: bool) -> Abstract:
        """What a parameter stands for."""
        method = self.declared.owner is not None and not is_static(self.declared.node)
        if method and index == 0:
            return Instance()
        if arg.arg in BUILDERS and index <= 1:
            return Builder()
        if annotation.attribute is not None:
            kind = number_of(annotation.attribute, annotation.is_bool)
            return kind if not has_default or self.default(arg) is not None else UNKNOWN
        optional = has_default
        if arg.annotation is not None:
            said = self.evaluator.value(arg.annotation, self.scope, self.place)
            if not _may_be_tensor(said, annotation):
                return UNKNOWN
            optional |= isinstance(said, Form) and said.name in ("Optional", "Union") and None in said.args
        elif has_default:
            return UNKNOWN
        type_ = None if annotation.bare else annotation.type
        if type_ is not None and type_.kind != "tensor":
            return UNKNOWN
        span = self.chunk.span(arg)
        return self.input(arg.arg, type_, Span(span.start, span.start + len(arg.arg), span.home), optional)

    def default(self, arg: ast.arg) -> Abstract:
        positional = (*self.declared.node.args.posonlyargs, *self.declared.node.args.args)
        defaults = self.declared.node.args.defaults
        at = positional.index(arg) - len(positional) + len(defaults)
        return self.evaluator.value(defaults[at], self.scope, self.place)

    def input(self, name: str, type_: TypeInfo | None, span: Span | None, optional: bool = False) -> GraphValue:
        self.names.add(name)
        body = self.bodies[0]
        body.inputs.append(Value(name, type_, span))
        if type_ is not None and type_.shape is not None:
            self.declared_shapes[name] = type_.shape
        else:
            self.open_inputs.add(name)
        return GraphValue(name, optional=optional)

    def declared_input(self, type_: TypeInfo | None, node: ast.expr, target: str | None) -> Abstract:
        if target is None:
            return UNKNOWN
        name = self.variable_name(target)
        return self.input(name, type_, None)

    def of_self(self, name: str) -> Abstract:
        found = self.members.attribute(name)
        if not isinstance(found, Parameter):
            return found
        value = f"self.{name}"
        if value not in self.names:
            self.input(value, found.type, None)
        return GraphValue(value, optional=found.optional)


def _may_be_tensor(said: Abstract, annotation: Annotation) -> bool:
    """Whether an annotation allows a tensor: one of onnxscript's types, one that is not known, a value of the IR."""
    if annotation.type is not None or annotation.variable:
        return True
    match said:
        case Form(name="TensorType"):
            return True
        case Form(name="Optional" | "Union"):
            inner = [each for each in said.args if each is not None]
            return bool(inner) and all(_may_be_tensor(each, read_annotation(each)) for each in inner)
        case Form() | Items() | None:
            return False
        case Unknown():
            return False
        case _:
            return getattr(said, "name", "") in ("onnx_ir.Value", "onnxscript.tensor.Tensor")
