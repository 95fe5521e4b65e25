"""Calls in a function that Python runs to make a graph: of operators, of script functions, of Python."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from onnxls import schemas
from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Builder,
    Decorator,
    ElementType,
    Form,
    GraphValue,
    Items,
    Known,
    Operator,
    Opset,
    ScriptFunction,
    ShapeOf,
    TensorForm,
    is_known,
)
from onnxls.frontends.script.annotations import GRAPH
from onnxls.frontends.script.attributes import Wrong, make_attribute
from onnxls.frontends.script.callees import Callee
from onnxls.frontends.script.emit import Nested
from onnxls.frontends.script.inert import INERT
from onnxls.frontends.script.known_calls import called as known_call
from onnxls.frontends.script.operators import Formal, formals
from onnxls.frontends.script.traced_emit import Evaluated, Traced
from onnxls.frontends.script.traced_expressions import TracedExpressions
from onnxls.graph import Attr, TypeInfo
from onnxls.schemas import Schema

MAX_OUTPUTS = 64
_DECLARING = frozenset(("onnx_ir.Value", "onnx_ir.val", "onnx_ir.Input"))
_PRIVATE = frozenset(("_outputs", "_domain", "_version", "_name", "_metadata_props"))


@dataclass(frozen=True, slots=True)
class Target:
    """A call that makes nodes: what is called, and the call as it goes to it. `outputs`: how many, if it says so."""

    callee: Callee
    call: ast.Call
    outputs: int | None
    open_attributes: bool


class TracedCalls(TracedExpressions):
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

    def operands(self, node: ast.Call) -> None:
        """Makes what stands in the arguments of a call that cannot be followed; lists in them may change."""
        for each in (*node.args, *(keyword.value for keyword in node.keywords)):
            inner = each.value if isinstance(each, ast.Starred) else each
            self.value(inner)
            if isinstance(inner, ast.Name) and isinstance(self.variables.get(inner.id), Items):
                self.spoil(self.variables[inner.id])

    def spoil(self, value: Traced) -> None:
        """A list that may have changed: every variable that may hold it is unknown."""
        if isinstance(value, Items) and value.is_list:
            for name, each in self.variables.items():
                if _holds(each, value):
                    self.variables[name] = UNKNOWN

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

    # ---------------------------------------------------------------- Python

    def in_python(self, node: ast.Call, callee: Abstract, owner: Abstract, target: str | None) -> Traced:
        """What a call of Python gives, where its arguments are known."""
        if isinstance(node.func, ast.Attribute):
            declared = self.declares(node, node.func, owner, target)
            if declared is not None:
                return declared
            if isinstance(owner, Items) and owner.is_list:
                self.change(owner, node, node.func)
                return UNKNOWN
        items = None if any(each.arg is None for each in node.keywords) else self.spread(node.args)
        if items is None or not isinstance(callee, (Known, Form, ElementType, Decorator)):
            return self.not_followed(node, callee)
        match callee, items:
            case Known(name=name), _ if name.startswith("onnxscript.") and name.endswith(".GraphBuilder"):
                return Builder(whole=True)
            case Known(name="builtins.len"), [ShapeOf() as shape]:
                return self.rank(shape, node, target)
            case Form(name="list" | "tuple" as name), [Items() as one]:
                return Items(one.items, name == "list")
            case Known(name="builtins.reversed"), [Items() as one]:
                return Items(tuple(reversed(one.items)))
            case Known(name="builtins.enumerate"), [Items() as one]:
                return Items(tuple(Items((at, each), is_list=False) for at, each in enumerate(one.items)))
            case Known(name="builtins.zip"), _ if items and all(isinstance(each, Items) for each in items):
                rows = zip(*(each.items for each in items if isinstance(each, Items)), strict=False)
                return Items(tuple(Items(row, is_list=False) for row in rows))
            case Known(name="builtins.max" | "builtins.min" | "builtins.abs" as name), _:
                return _of_numbers(name, items[0].items if len(items) == 1 and isinstance(items[0], Items) else items)
            case _:
                keywords = {each.arg: self.plain(each.value) for each in node.keywords if each.arg is not None}
                if all(map(_is_simple, (*items, *keywords.values()))):
                    return known_call(callee, items, keywords)
                return self.not_followed(node, callee)

    def not_followed(self, node: ast.Call, callee: Abstract) -> Abstract:
        """A call of anything else. Of Python's own functions none changes a list that it is given."""
        if not isinstance(callee, (Known, Form, ElementType)):
            self.operands(node)
        return UNKNOWN

    def declares(self, node: ast.Call, func: ast.Attribute, owner: Abstract, target: str | None) -> Abstract | None:
        """A value that is made as an input of the graph: `builder.input("x", ...)`, `ir.Value(...)`."""
        of_builder = isinstance(owner, Builder) and owner.whole
        if of_builder and func.attr == "opset":
            domain = self.plain(node.args[0]) if node.args else UNKNOWN
            version = self.plain(node.args[1]) if len(node.args) > 1 else 1
            return Opset(domain, version) if isinstance(domain, str) and isinstance(version, int) else UNKNOWN
        of_builder = of_builder and func.attr == "input"
        of_ir = isinstance(owner, Known) and f"{owner.name}.{func.attr}" in _DECLARING
        if not of_builder and not of_ir:
            return None
        keywords = {each.arg: self.plain(each.value) for each in node.keywords if each.arg is not None}
        positional = [self.plain(each) for each in node.args if not isinstance(each, ast.Starred)]
        if of_builder or func.attr == "val":
            keywords = {**dict(zip(("name", "dtype", "shape"), positional, strict=False)), **keywords}
        return self.declared_input(declared_type(keywords), node, target)

    def declared_input(self, type_: TypeInfo | None, node: ast.expr, target: str | None) -> Abstract:
        """A further input of the graph."""
        raise NotImplementedError

    def change(self, owner: Items, node: ast.Call, func: ast.Attribute) -> None:
        """`list.append(x)` and its kin on a list that is known; what else is done to a list makes it unknown."""
        given = [self.plain(each) for each in node.args]
        holders = [name for name, each in self.variables.items() if each is owner]
        inside = any(each is not owner and _holds(each, owner) for each in self.variables.values())
        new: Items | None = None
        match func.attr, given:
            case "append", [one]:
                new = Items((*owner.items, one))
            case "extend", [Items() as more]:
                new = Items((*owner.items, *more.items))
            case "insert", [int() as at, one]:
                rows = list(owner.items)
                rows.insert(at, one)
                new = Items(tuple(rows))
            case "index" | "count" | "copy", _:
                return
            case _:
                pass
        if new is None or inside or not self.is_small(new):
            self.spoil(owner)
            return
        for name in holders:
            self.variables[name] = new


def declared_type(keywords: Mapping[str, Abstract]) -> TypeInfo | None:
    """The type that the arguments of `ir.Value` give."""
    given = keywords.get("type", keywords.get("dtype"))
    if isinstance(given, TensorForm):
        return TypeInfo("tensor", given.dtype, given.shape)
    dtype = given if isinstance(given, int) else None
    if isinstance(given, ElementType):
        dtype = given.dtype
    shape = keywords.get("shape")
    if not isinstance(shape, Items):
        return TypeInfo("tensor", dtype, None) if dtype is not None else None
    dims = tuple(each if isinstance(each, (int, str)) and not isinstance(each, bool) else None for each in shape.items)
    return TypeInfo("tensor", dtype, dims)


def _of_numbers(name: str, items: list[Abstract] | tuple[Abstract, ...]) -> Abstract:
    numbers = [each for each in items if isinstance(each, (int, float))]
    if not numbers or len(numbers) != len(items):
        return UNKNOWN
    if name == "builtins.abs":
        return abs(numbers[0])
    return max(numbers) if name == "builtins.max" else min(numbers)


def _is_simple(value: Abstract) -> bool:
    """Whether a value is one that calls of libraries are read with."""
    if isinstance(value, Items):
        return all(map(_is_simple, value.items))
    return not isinstance(value, (GraphValue, ShapeOf, Builder))


def _holds(value: Traced, wanted: Items) -> bool:
    if value is wanted:
        return True
    return isinstance(value, Items) and any(_holds(each, wanted) for each in value.items)


def _holds_values(value: Abstract) -> bool:
    return isinstance(value, Items) and any(isinstance(each, GraphValue) or _holds_values(each) for each in value.items)
