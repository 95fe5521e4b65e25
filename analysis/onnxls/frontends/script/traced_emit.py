"""What a function that Python runs computes with: numbers, lists and None as they are, tensors as values of the graph.

What Python reads off a shape is computed by nodes that the author did not write, so that the analysis follows it. What
is not known is `Unknown`, and nothing is ever said of it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from onnxls.facts import BOOL, INT64
from onnxls.facts import FLOAT as FLOAT_TYPE
from onnxls.frontends.script.abstract import (
    UNKNOWN,
    Abstract,
    Array,
    GraphValue,
    Items,
    ShapeOf,
    Unknown,
    is_known,
)
from onnxls.frontends.script.annotations import FLOAT, GRAPH, INT
from onnxls.frontends.script.calls import Calls
from onnxls.frontends.script.emit import Body, Nested
from onnxls.graph import Attr, Graph, Value
from onnxls.rules import Rule
from onnxls.spans import Origin, Span

NUMBERS = {"float": FLOAT_TYPE, "int": INT64, "bool": BOOL}
"""Numbers of Python of which the type alone is known."""
NOTHING = "?"
"""No value has this name, so that nothing is known of it."""
MAX_BODIES = 25
MAX_FORKS = 40
"""Conditions on sizes that are followed in one function; the others are taken as not known."""
Traced = Abstract | Nested


class Evaluated(ast.Name):
    """An expression whose value is known already: it is not evaluated once more."""

    given: Abstract

    @staticmethod
    def at(value: Abstract, node: ast.expr) -> Evaluated:
        made = Evaluated(id="", ctx=ast.Load())
        made.given = value
        return ast.copy_location(made, node)


class TracedEmitter(Calls):
    """Values of Python in a function that is run. Nothing here is a fault: the function may mean something else."""

    variables: dict[str, Traced]
    counted: set[str]
    """Sizes that are not negative."""
    of_python: set[str]
    """Values that are integers and bools of Python."""
    declared_shapes: dict[str, tuple[int | str | None, ...]]
    """The declared shapes of inputs."""
    forks = 0
    certain = True
    """Whether every run does all that is read, but for what sizes decide."""
    open_inputs: set[str]
    """The inputs of which no shape is declared."""

    def fault(self, about: Rule, text: str, node: ast.expr | ast.stmt | ast.arg | ast.keyword | Span) -> None:
        """Whatever is no part of the language of graphs is Python here."""

    def unknown(self, node: ast.expr | ast.stmt, target: str | None = None, inputs: Sequence[str | None] = ()) -> str:
        """An operand of which nothing is known: the name of no value."""
        return NOTHING

    # ---------------------------------------------------------------- values as tensors

    def tensor(self, value: Traced, node: ast.expr | ast.stmt, target: str | None = None) -> str:
        """The value of the graph that a value of Python becomes as an operand."""
        match value:
            case GraphValue():
                return value.name
            case ShapeOf():
                return self.sugar("Shape", (value.value.name,), node, target)
            case Items() if any(isinstance(each, GraphValue) for each in value.items):
                return self.vector(value.items, node, target)
            case Unknown() if value.why in NUMBERS:
                return self.constant(Array(NUMBERS[value.why], ()), node, target)
            case int() | float() | str() | Array():
                return self.constant(value, node, target)
            case Items() if value.items and is_known(value):
                return self.constant(value, node, target)
            case _:
                return self.unknown(node, target)

    def vector(self, items: Sequence[Abstract], node: ast.expr | ast.stmt, target: str | None) -> str:
        """A list of integers, some of them computed from shapes."""
        parts: list[str] = []
        one = ""
        for each in items:
            if isinstance(each, int):
                parts.append(self.numbers((each,), node))
            elif isinstance(each, GraphValue):
                one = one or self.numbers((1,), node)
                parts.append(self.sugar("Reshape", (each.name, one), node, said=f"[{each.name}]"))
            elif isinstance(each, Unknown) and each.why == "int":
                parts.append(self.constant(Array(INT64, (1,)), node))
            else:
                return self.unknown(node, target)
        made = self.sugar("Concat", parts, node, target, {"axis": self.int_attr("axis", 0)})
        self.castable.add(made)
        return made

    def numbers(self, numbers: tuple[int, ...], node: ast.expr | ast.stmt) -> str:
        name = self.free_name(str(list(numbers)))
        self.castable.add(name)
        value = Attr("value_ints", 7, numbers)
        return self.emit("Constant", (), (name,), self.origin(node), {"value_ints": value}, self.standard(node))[0]

    # ---------------------------------------------------------------- sizes

    def size(self, name: str, *, counted: bool = False) -> GraphValue:
        """An integer of Python that is computed in the graph."""
        self.castable.add(name)
        self.of_python.add(name)
        if counted:
            self.counted.add(name)
        return GraphValue(name, "size")

    def scalar(self, value: int | GraphValue, node: ast.expr) -> str:
        """An integer as a tensor without axes."""
        return value.name if isinstance(value, GraphValue) else self.constant(value, node)

    def rank(self, shape: ShapeOf, node: ast.expr, target: str | None = None) -> Abstract:
        """`len(x.shape)`."""
        dims = self.declared_shapes.get(shape.value.name)
        if dims is not None:
            return len(dims)
        if shape.value.name in self.open_inputs:
            return UNKNOWN
        whole = self.sugar("Shape", (shape.value.name,), node, said=f"shape of {shape.value.name}")
        return self.size(self.sugar("Size", (whole,), node, target), counted=True)

    def axis(self, shape: ShapeOf, index: int, node: ast.expr, target: str | None = None) -> Abstract:
        """`x.shape[index]`."""
        if shape.value.name in self.open_inputs:
            return Unknown("int")
        dims = self.declared_shapes.get(shape.value.name)
        if dims is not None and -len(dims) <= index < len(dims):
            size = dims[index]
            if isinstance(size, int):
                return size
        whole = self.sugar("Shape", (shape.value.name,), node, said=f"shape of {shape.value.name}")
        number = self.constant(index, node)
        attrs = {"axis": self.int_attr("axis", 0)}
        return self.size(self.sugar("Gather", (whole, number), node, target, attrs), counted=True)

    def is_integer(self, value: Abstract) -> bool:
        """Whether a value is surely an integer of Python, known or computed from shapes."""
        if isinstance(value, GraphValue):
            return value.kind == "size"
        return isinstance(value, int) and not isinstance(value, bool)

    # ---------------------------------------------------------------- bodies that may not run

    def apart(self, variables: dict[str, Traced]) -> Body:
        """Begins a nested graph in which the variables are these."""
        made = Body()
        self.bodies.append(made)
        self.variables = variables
        return made

    def close(self, body: Body, outputs: Sequence[Traced], node: ast.expr | ast.stmt, name: str) -> Graph:
        """Ends a nested graph that gives these values; they may be values of the graphs around it."""
        body.outputs += [Value(self.tensor(each, node)) for each in outputs]
        self.bodies.pop()
        return body.graph(name)

    def fork(
        self, test: Traced, then: Graph, other: Graph, names: Sequence[str], node: ast.expr | ast.stmt, origin: Origin
    ) -> tuple[str, ...]:
        """One of two graphs, by a condition that Python decides."""
        decides = isinstance(test, GraphValue) and test.kind == "truth" and self.forks < MAX_FORKS
        self.forks += decides
        self.certain &= decides
        condition = test.name if isinstance(test, GraphValue) and decides else NOTHING
        attrs = {"then_branch": Attr("then_branch", GRAPH, then), "else_branch": Attr("else_branch", GRAPH, other)}
        return self.emit("If", (condition,), names, origin, attrs, self.standard(node))

    def joined(self, left: Traced, right: Traced) -> GraphValue | None:
        """What either of two values is, if it is one of the graph."""
        if isinstance(left, GraphValue) and isinstance(right, GraphValue) and left.kind == right.kind:
            return GraphValue("", left.kind, optional=left.optional or right.optional)
        if self.is_integer(_plain(left)) and self.is_integer(_plain(right)):
            return GraphValue("", "size")
        return None


def _plain(value: Traced) -> Abstract:
    return UNKNOWN if isinstance(value, Nested) else value


def truth(value: Traced) -> bool | None:
    """What Python takes a value for in a condition; None where that is not known."""
    match value:
        case None:
            return False
        case bool() | int() | float() | str() | bytes():
            return bool(value)
        case Items():
            return bool(value.items)
        case _:
            return None


def number_of(kind: int | None, is_bool: bool) -> Unknown:
    """A parameter that is annotated as a number."""
    if is_bool:
        return Unknown("bool")
    return Unknown({INT: "int", FLOAT: "float"}.get(kind or 0, ""))
