"""What a name means inside a script function, and the value of the graph that it stands for."""

from __future__ import annotations

import ast
from difflib import get_close_matches

from onnxls.facts import BOOL
from onnxls.frontends.script.abstract import UNKNOWN, Abstract, Known, PlainFunction, Unknown
from onnxls.frontends.script.annotations import FLOAT, INT, INTS, STRING
from onnxls.frontends.script.chunks import BROKEN
from onnxls.frontends.script.emit import Bound, Emitter, Held, Nested, Parameter
from onnxls.frontends.script.evaluate import UNBOUND
from onnxls.frontends.script.faults import UNDEFINED
from onnxls.graph import Attr

_PROMOTED = {FLOAT: "value_float", INT: "value_int", STRING: "value_string", INTS: "value_ints"}


class Variables(Emitter):
    """Looks names up in the graphs under construction, then around the function."""

    def local(self, name: str) -> Bound | None:
        """What a variable of the function is bound to now."""
        for body in reversed(self.bodies):
            bound = body.variables.get(name)
            if bound is not None:
                return bound
        return None

    def outer(self, name: str) -> Abstract:
        """What a name means around the function; UNBOUND where nothing binds it."""
        return self.evaluator.name(name, self.scope, self.place)

    def evaluate(self, node: ast.expr) -> Abstract:
        """An expression that the converter evaluates outside the graph, where it sees no variable of the function."""
        if isinstance(node, ast.Name):
            return UNKNOWN if node.id == BROKEN else self.outer(node.id)
        return self.evaluator.value(node, self.scope, self.place)

    def bind(self, name: str, value: str) -> None:
        """Binds a variable to a value; a value that has another name already is noted as an alias."""
        self.body.variables[name] = Held(value)
        if value != name and not value.startswith(f"{name}_"):
            self.aliases[self.variable_name(name)] = value

    def variable(self, node: ast.Name, target: str | None = None) -> str:
        """The value of a name used as a tensor."""
        if node.id == BROKEN:
            return self.unknown(node, target)
        bound = self.local(node.id)
        match bound:
            case Held():
                self.means(node, bound.value)
                return bound.value
            case Parameter():
                return self.promoted(bound, node, target or node.id)
            case Nested():
                self.unsupported(node, f"`{node.id}` is a nested function; it can be the body of an operator only")
                return self.unknown(node, target)
            case None:
                return self.outer_value(node, target)

    def outer_value(self, node: ast.Name, target: str | None) -> str:
        value = self.outer(node.id)
        if value is UNBOUND:
            self.undefined(node)
            return self.unknown(node, target)
        if isinstance(value, (PlainFunction, Known)):
            value = UNKNOWN
        if isinstance(value, Unknown):
            return self.constant(value, node, target or node.id)
        return self.constant(value, node, target or node.id)

    def undefined(self, node: ast.Name) -> None:
        """Reports a name that nothing binds."""
        known = [name for body in self.bodies for name in body.variables]
        near = get_close_matches(node.id, known, 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        self.fault(UNDEFINED, f"`{node.id}` has no value here{hint}", node)

    def promoted(self, parameter: Parameter, node: ast.expr, target: str | None) -> str:
        """An attribute parameter used as a tensor."""
        kind = parameter.annotation.attribute
        name = _PROMOTED.get(kind or 0)
        if name is None or kind is None:
            self.unsupported(node, f"the attribute `{parameter.name}` has a type that cannot become a tensor")
            return self.unknown(node, target)
        opset = self.standard(node)
        attr = Attr(name, kind, None, parameter.name)
        if not parameter.annotation.is_bool:
            made = self.named(target, f"{parameter.name} as a tensor")
            self.emit("Constant", (), (made,), self.origin(node), {name: attr}, opset)
        else:
            number = self.free_name(f"{parameter.name} as a number")
            self.emit("Constant", (), (number,), self.origin(node), {name: attr}, opset)
            made = self.named(target, f"{parameter.name} as a tensor")
            self.emit("Cast", (number,), (made,), self.origin(node), {"to": self.int_attr("to", BOOL)}, opset)
        self.castable.add(made)
        return made

    def expression(self, node: ast.expr, target: str | None = None) -> str:
        """The value of an expression; `target` is the variable that it is assigned to."""
        raise NotImplementedError


def is_constant(node: ast.expr, depth: int = 0) -> bool:
    """Whether the converter takes an expression for a literal: constants, lists of them, and these with a sign."""
    if depth > 30:
        return False
    if isinstance(node, ast.UnaryOp):
        return is_constant(node.operand, depth + 1)
    if isinstance(node, ast.List):
        return all(is_constant(each, depth + 1) for each in node.elts)
    return isinstance(node, ast.Constant)
