"""A graph under construction: nodes, names of values, scopes of variables, and what is found wrong on the way.

The first value of a variable has its name, later ones `x_1`, `x_2`, …; values without a variable have names that are
no identifiers. A value that cannot be known is the output of a node without an operator.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onnxls import schemas
from onnxls.facts import DOUBLE, INT64
from onnxls.facts import FLOAT as FLOAT_TYPE
from onnxls.findings import Finding, Place
from onnxls.frontends.script.abstract import Abstract, Array, Items, Opset, ScriptFunction, Unknown
from onnxls.frontends.script.annotations import INT, TENSOR, Annotation
from onnxls.frontends.script.arrays import array_of, tensor_of
from onnxls.frontends.script.chunks import Chunk
from onnxls.frontends.script.declared import Declared, Meaning
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.faults import CONSTANT, MIXED_LIST, NO_OPSET, UNSUPPORTED
from onnxls.frontends.script.names import Place as SourcePlace
from onnxls.frontends.script.names import Scope
from onnxls.frontends.script.survey import survey
from onnxls.graph import Attr, Graph, Node, Tensor, TypeInfo, Value
from onnxls.rules import Rule
from onnxls.spans import Origin, Span

MAX_NESTING = 40
MAX_NODES = 50_000
MAX_WRITTEN = 60
"""Longer expressions are not repeated in messages and names."""
_COMMENT = re.compile(r"""("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')|#[^\r\n]*|\\(?=[\r\n])""")
"""Comments, and backslashes at the ends of lines; strings are as they are."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a script function: an input, or an attribute with or without a default."""

    name: str
    annotation: Annotation
    span: Span
    default: Abstract = None
    has_default: bool = False


@dataclass(slots=True)
class Nested:
    """A nested graph bound to a name, and the variables it captured with their values then."""

    graph: Graph
    captured: dict[str, Bound | None]


@dataclass(frozen=True, slots=True)
class Held:
    """A variable bound to a value of the graph."""

    value: str


Bound = Held | Parameter | Nested


@dataclass(slots=True)
class Body:
    """One graph under construction: the function's, or a nested one's."""

    inputs: list[Value] = field(default_factory=list[Value])
    outputs: list[Value] = field(default_factory=list[Value])
    nodes: list[Node] = field(default_factory=list[Node])
    value_info: dict[str, TypeInfo] = field(default_factory=dict[str, TypeInfo])
    made: set[str] = field(default_factory=set[str])
    variables: dict[str, Bound] = field(default_factory=dict[str, Bound])
    returned: bool = False

    def graph(self, name: str) -> Graph:
        return Graph(name, tuple(self.inputs), tuple(self.outputs), tuple(self.nodes), {}, dict(self.value_info))


class Emitter:
    """Makes nodes and looks up names for one function."""

    def __init__(self, declared: Declared, evaluator: Evaluator) -> None:
        self.declared = declared
        self.chunk: Chunk = declared.chunk
        self.scope: Scope = declared.scope
        self.place: SourcePlace = declared.place
        self.evaluator = evaluator
        self.bodies: list[Body] = [Body()]
        self.faults: list[Finding] = []
        self.meanings: dict[Span, Meaning] = {}
        self.castable: set[str] = set()
        self.literals: dict[str, Array] = {}
        self.names: set[str] = set()
        self.reserved = survey(declared.node).names
        self.counts: dict[str, int] = {}
        self.anonymous = 0
        self.aliases: dict[str, str] = {}
        self.called: dict[tuple[str, str, str], ScriptFunction] = {}
        self.opsets: dict[str, int] = {}
        self.default_opset: Opset | None = None
        self.opset_unknown = False
        self.opset_missed = False
        self.emitted = 0

    @property
    def body(self) -> Body:
        """The innermost graph under construction."""
        return self.bodies[-1]

    # ---------------------------------------------------------------- findings and places

    def fault(self, about: Rule, text: str, node: ast.expr | ast.stmt | ast.arg | ast.keyword | Span) -> None:
        """Notes something that is wrong at a place."""
        span = node if isinstance(node, Span) else self.chunk.span(node)
        self.faults.append(Finding(about, text, Place("graph", span=span)))

    def means(self, node: ast.expr, meaning: Meaning) -> None:
        """Notes what a name stands for where it is written."""
        if isinstance(node, ast.Name) and hasattr(node, "lineno"):
            self.meanings[self.chunk.span(node)] = meaning

    def unsupported(self, node: ast.expr | ast.stmt | Span, text: str) -> None:
        self.fault(UNSUPPORTED, text, node)

    def origin(self, node: ast.expr | ast.stmt) -> Origin:
        """The ranges of a construct that is no call: the whole of it."""
        return self.head(self.chunk.span(node))

    def head(self, span: Span) -> Origin:
        """The same for a range: of the head of a statement."""
        return Origin(span, written=self.written(span))

    def written(self, span: Span) -> str:
        """A short text of one line for people, without comments; empty where it is long."""
        text = self.chunk.text[span.start : span.end] if span.end - span.start < MAX_WRITTEN else ""
        if "#" in text or "\\" in text:
            text = _COMMENT.sub(lambda match: match[1] or "", text)
        first, *others = [" ".join(line.split()) for line in text.splitlines() if line.strip()] or [""]
        for line in others:
            closes = line[0] in ")]}"
            first = first.removesuffix(",") if closes else first
            first += line if closes or first[-1] in "([{" else f" {line}"
        return first

    # ---------------------------------------------------------------- names

    def variable_name(self, variable: str) -> str:
        """A name for the next value of a variable."""
        if variable not in self.names:
            self.names.add(variable)
            return variable
        count = self.counts.get(variable, 0)
        while True:
            count += 1
            name = f"{variable}_{count}"
            if name not in self.names and name not in self.reserved:
                break
        self.counts[variable] = count
        self.names.add(name)
        return name

    def free_name(self, said: str) -> str:
        """A name for a value without a variable."""
        name = said
        while name in self.names or name.isidentifier():
            self.anonymous += 1
            name = f"{said} {self.anonymous}"
        self.names.add(name)
        return name

    def named(self, target: str | None, said: str) -> str:
        return self.free_name(said) if target is None else self.variable_name(target)

    # ---------------------------------------------------------------- opsets

    def standard(self, node: ast.expr | ast.stmt) -> Opset:
        """The opset of Python operators and literals."""
        if self.default_opset is None:
            if not self.opset_unknown and not self.opset_missed:
                self.opset_missed = True
                self.fault(
                    NO_OPSET, "nothing says which opset this belongs to; write `@script(default_opset=op)`", node
                )
            return Opset("", schemas.latest_opset(""))
        return self.default_opset

    def use(self, opset: Opset) -> None:
        """Notes the version of a domain; the first one counts."""
        self.opsets.setdefault(opset.domain, opset.version)

    # ---------------------------------------------------------------- nodes

    def emit(
        self,
        op_type: str,
        inputs: Sequence[str | None],
        outputs: Sequence[str],
        origin: Origin,
        attrs: Mapping[str, Attr] | None = None,
        opset: Opset | None = None,
        overload: str = "",
    ) -> tuple[str, ...]:
        """Adds a node and gives the names of its outputs."""
        domain = "" if opset is None else opset.domain
        if opset is not None:
            self.use(opset)
        self.emitted += 1
        if self.emitted <= MAX_NODES:
            given = tuple(name or "" for name in inputs)
            node = Node(op_type, domain, "", given, tuple(outputs), attrs or {}, overload, origin=origin)
            self.body.nodes.append(node)
        self.body.made.update(outputs)
        return tuple(outputs)

    def sugar(
        self,
        op_type: str,
        inputs: Sequence[str | None],
        node: ast.expr | ast.stmt,
        target: str | None = None,
        attrs: Mapping[str, Attr] | None = None,
        origin: Origin | None = None,
        said: str = "",
    ) -> str:
        """A node of the default opset that the author did not write as a call. `said`: a name for an inner step."""
        opset = self.standard(node)
        origin = origin or self.origin(node)
        name = self.named(target, said or origin.written or f"{op_type} {len(self.body.nodes)}")
        return self.emit(op_type, inputs, (name,), origin, attrs, opset)[0]

    def unknown(self, node: ast.expr | ast.stmt, target: str | None = None, inputs: Sequence[str | None] = ()) -> str:
        """A value of which nothing is known."""
        name = self.named(target, f"? {len(self.body.nodes)}")
        return self.emit("", inputs, (name,), self.origin(node))[0]

    def int_attr(self, name: str, value: int) -> Attr:
        return Attr(name, INT, value)

    # ---------------------------------------------------------------- constants

    def constant(self, value: Abstract, node: ast.expr | ast.stmt, target: str | None = None) -> str:
        """A Constant node for a literal or an outer value."""
        array = self.literal(value, node)
        name = self.named(target, _spelled(array) or f"constant {len(self.body.nodes)}")
        self.castable.add(name)
        self.literals[name] = array
        attr = Attr("value", TENSOR, tensor_of(array, name))
        return self.emit("Constant", (), (name,), self.origin(node), {"value": attr}, self.standard(node))[0]

    def int_list(self, numbers: tuple[int, ...], node: ast.expr, name: str) -> str:
        """A hidden constant of integers."""
        self.castable.add(name)
        attr = Attr("value", TENSOR, Tensor(name, INT64, (len(numbers),), lambda: numbers))
        return self.emit("Constant", (), (name,), self.origin(node), {"value": attr}, self.standard(node))[0]

    def literal(self, value: Abstract, node: ast.expr | ast.stmt) -> Array:
        """The tensor that a value becomes; what cannot become one is reported."""
        if isinstance(value, (Array, Unknown)):
            return value if isinstance(value, Array) else Array()
        if isinstance(value, Items) and not value.items:
            self.fault(CONSTANT, "an empty list has no element type; write `op.Constant(value_ints=[])`", node)
            return Array()
        made = array_of(value, None, FLOAT_TYPE) if isinstance(value, (int, float, str, Items)) else None
        if not isinstance(made, Array):
            self.fault(CONSTANT, f"{describe(value)} is no tensor", node)
            return Array()
        if made.dtype == FLOAT_TYPE and any(not isinstance(each, float) for each in made.values or ()):
            self.fault(MIXED_LIST, "this list mixes integers and floats, and becomes a tensor of doubles", node)
            return Array(DOUBLE, made.dims, made.values)
        return made


def describe(value: Abstract) -> str:
    """A value for people."""
    match value:
        case None:
            return "None"
        case ScriptFunction():
            return f"the function `{value.declared.name}`"
        case Items():
            return "this list" if value.is_list else "a tuple"
        case Opset():
            return "an opset"
        case _:
            return "this value"


def _spelled(array: Array) -> str:
    """A short literal as it is written, for the name of its value."""
    if array.values is None or array.dims is None or len(array.values) > 6 or len(array.dims) > 1:
        return ""
    words = [str(each) for each in array.values]
    text = f"[{', '.join(words)}]" if array.dims else words[0]
    return "" if text.isidentifier() or len(text) > 40 else text
