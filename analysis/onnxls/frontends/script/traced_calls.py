"""Calls in a function that Python runs to make a graph: of operators, of script functions, of Python."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from onnxls import schemas
from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Builder,
    GraphValue,
    Items,
    Operator,
    Opset,
    ScriptFunction,
    ShapeOf,
    is_known,
)
from onnxls.frontends.script.annotations import GRAPH
from onnxls.frontends.script.attributes import Wrong, make_attribute
from onnxls.frontends.script.callees import Callee
from onnxls.frontends.script.emit import Nested
from onnxls.frontends.script.inert import INERT
from onnxls.frontends.script.operators import Formal, formals
from onnxls.frontends.script.traced_emit import Evaluated, Traced
from onnxls.frontends.script.traced_python import TracedPython
from onnxls.graph import Attr
from onnxls.schemas import Schema

MAX_OUTPUTS = 64
_PRIVATE = frozenset(("_outputs", "_domain", "_version", "_name", "_metadata_props"))


@dataclass(frozen=True, slots=True)
class Target:
    """A call that makes nodes: what is called, and the call as it goes to it. `outputs`: how many, if it says so."""

    callee: Callee
    call: ast.Call
    outputs: int | None
    open_attributes: bool


class TracedCalls(TracedPython):
    """Calls to nodes, and to what they give in Python."""

    pattern = False
    single = False
    """Whether an operator gives its first output alone where no number is asked for."""
    stashed: Callee | None = None

    # ---------------------------------------------------------------- what a call gives

    def call_value(self, node: ast.Call, target: str | None) -> Traced:
        owner = self.plain(node.func.value) if isinstance(node.func, ast.Attribute) else None
        found = self.target(node, owner)
        if not isinstance(found, Target):
            return self.in_python(node, found, owner, target)
        count = self.output_count(found)
        if count is None:
            self.operands(node)
            return UNKNOWN
        if count == 1:
            if target is not None:
                return self.made(found, [self.variable_name(target)])[0]
            said = self.written(self.chunk.span(node)) or f"{found.callee.name or '?'} {len(self.body.nodes)}"
            return self.made(found, [self.free_name(said)])[0]
        names = [self.free_name(f"{found.callee.name} {index}") for index in range(count)]
        return Items(tuple(self.made(found, names)), is_list=False)

    def unpacked(self, node: ast.Call, targets: list[str | None]) -> list[GraphValue] | None:
        """The outputs of a call by the names that they are assigned to; None where it is no such call."""
        owner = self.plain(node.func.value) if isinstance(node.func, ast.Attribute) else None
        found = self.target(node, owner)
        if not isinstance(found, Target) or (found.outputs is not None and found.outputs != len(targets)):
            return None
        schema = self.schema(found.callee)
        if schema is not None and schema.max_outputs is not None and schema.max_outputs < len(targets):
            return None
        names = [self.named(name, f"{found.callee.name or '?'} {index}") for index, name in enumerate(targets)]
        return self.made(found, names)

    def made(self, found: Target, names: list[str]) -> list[GraphValue]:
        self.stashed = found.callee
        prepared = self.prepared(found.call)
        for name in INERT.get(found.callee.name, frozenset()) & prepared.attrs.keys():
            if prepared.attrs[name].value is None and not found.open_attributes:
                del prepared.attrs[name]
        if found.open_attributes and found.callee.formal is not None:
            for formal in found.callee.formal:
                if formal.attribute is not None and formal.name not in prepared.attrs:
                    prepared.attrs[formal.name] = Attr(formal.name, formal.attribute)
        self.finish(prepared, names)
        return [GraphValue(name) for name in names]

    def schema(self, callee: Callee) -> Schema | None:
        opset = callee.opset
        return None if opset is None else schemas.lookup(opset.domain, callee.name, opset.version)

    def output_count(self, found: Target) -> int | None:
        """How many outputs a call has that does not unpack them; None where that is not known."""
        if found.outputs is not None:
            return found.outputs
        if found.callee.opset is None or found.callee.function is not None:
            return 1
        schema = self.schema(found.callee)
        if schema is None:
            return 1 if self.single else None
        if self.single or schema.max_outputs == 1:
            return 1
        if schema.name == "BatchNormalization":
            return None
        return None if schema.max_outputs is None or schema.max_outputs > MAX_OUTPUTS else schema.max_outputs

    # ---------------------------------------------------------------- what is called

    def target(self, node: ast.Call, owner: Abstract) -> Target | Abstract:
        """What a call calls: something that makes nodes, or a value of Python. `owner`: what stands before the dot."""
        func = node.func
        if not isinstance(func, ast.Attribute):
            value = self.plain(func)
            if isinstance(value, Operator):
                return self.of_operator(node, value.opset, value.name)
            return self.of_function(node, value)
        match owner:
            case Opset() if func.attr[:1].isupper():
                return self.of_operator(node, owner, func.attr)
            case Builder(whole=False) if func.attr[:1].isupper():
                assert self.default_opset is not None
                return self.of_operator(node, self.default_opset, func.attr)
            case _:
                return self.of_function(node, self.member(owner, func.attr))

    def of_function(self, node: ast.Call, value: Abstract) -> Target | Abstract:
        if isinstance(value, ScriptFunction) and not value.declared.traced:
            call = self.plain_call(node)
            if call is not None:
                return Target(self.function_callee(value), call, None, False)
        return value

    def of_operator(self, node: ast.Call, opset: Opset, name: str) -> Target:
        private = {each.arg: self.plain(each.value) for each in node.keywords if each.arg in _PRIVATE}
        if "_domain" in private:
            domain = private["_domain"]
            if not isinstance(domain, str):
                opset = Opset("?", 1)
            else:
                opset = Opset(domain, 1) if domain not in ("", "ai.onnx") else opset
        asked = private.get("_outputs")
        outputs = asked if isinstance(asked, int) else len(asked.items) if isinstance(asked, Items) else None
        if outputs is not None and not 0 < outputs <= MAX_OUTPUTS:
            outputs = None
        call = self.plain_call(node)
        schema = schemas.lookup(opset.domain, name, opset.version)
        if call is None or opset.domain == "?" or (schema is None and not opset.domain):
            return Target(Callee(""), call or self.bare(node), outputs, False)
        if (self.pattern and schema is None) or not self.said_enough(call, schema):
            return Target(Callee(""), call, outputs, False)
        callee = Callee(name, opset) if schema is None else Callee(name, opset, None, "", formals(schema))
        closed = any(
            each.arg == "_allow_other_attributes" and self.plain(each.value) is False for each in node.keywords
        )
        return Target(callee, call, outputs, self.pattern and not closed)

    def said_enough(self, call: ast.Call, schema: Schema | None) -> bool:
        """Whether a call can be one of this version: a wrong number of arguments, or one that is unknown, is told apart
        from here, and then nothing else is said of the call."""
        if schema is None:
            return True
        known = {*schema.attributes, *(each.name for each in schema.inputs)}
        if any(each.arg not in known for each in call.keywords):
            return False
        given = {each.arg for each in call.keywords}
        later = [each.name in given for each in schema.inputs[len(call.args) :]]
        if later != sorted(later, reverse=True):
            return False
        if schema.max_inputs is not None and len(call.args) > len(schema.inputs) + len(schema.attributes):
            return False
        if any(each.name not in given for each in schema.inputs[len(call.args) : schema.min_inputs]):
            return False
        if schema.name == "Split" and schema.since >= 18:
            return len(call.args) > 1 or bool(given & {"split", "num_outputs"})
        positional = [*(each.name for each in schema.inputs), *sorted(schema.attributes)][: len(call.args)]
        return all(name in given or name in positional for name, each in schema.attributes.items() if each.required)

    def plain_call(self, node: ast.Call) -> ast.Call | None:
        """A call with its `*` written out and what is meant for the builder left out; None where that is not known."""
        if any(each.arg is None for each in node.keywords):
            return None
        arguments: list[ast.expr] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                items = self.plain(each.value)
                if not isinstance(items, Items):
                    return None
                arguments += [Evaluated.at(item, each) for item in items.items]
            else:
                arguments.append(each)
        keywords = [each for each in node.keywords if each.arg is not None and not each.arg.startswith("_")]
        return ast.copy_location(ast.Call(node.func, arguments, keywords), node)

    def bare(self, node: ast.Call) -> ast.Call:
        return ast.copy_location(ast.Call(node.func, [], []), node)

    def callee(self, node: ast.expr) -> Callee:
        made, self.stashed = self.stashed, None
        return made or Callee("")

    # ---------------------------------------------------------------- operands and attributes

    def operand(self, node: ast.expr) -> str | None:
        value = self.value(node)
        return None if value is None else self.tensor(value, node)

    def attribute(self, formal: Formal, node: ast.expr) -> Attr | None:
        value = self.value(node)
        wanted = formal.attribute
        if isinstance(value, Nested):
            return Attr(formal.name, GRAPH, value.graph)
        if value is None:
            return None
        if not is_known(value) or isinstance(value, (GraphValue, ShapeOf)) or _holds_values(value):
            return Attr(formal.name, wanted or 0)
        made = make_attribute(formal.name, value, wanted)
        return Attr(formal.name, wanted or 0) if isinstance(made, Wrong) else made


def _holds_values(value: Abstract) -> bool:
    return isinstance(value, Items) and any(isinstance(each, GraphValue) or _holds_values(each) for each in value.items)
