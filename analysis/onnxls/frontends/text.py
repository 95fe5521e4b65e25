"""The ONNX textual syntax to a graph, with the range of everything that is written.

Reading never fails: a statement with an error is reported and left out, and what it would define is the output of a
node without an operator (`op_type` ""). It takes linear time and bounded depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from onnxls import schemas
from onnxls.diagnostics import Diagnostic
from onnxls.frontends import text_tokens as tk
from onnxls.frontends.external import External
from onnxls.frontends.text_cursor import HEADER_WORDS, TextError
from onnxls.frontends.text_tokens import NAME_START
from onnxls.frontends.text_values import INT64, MAX_DEPTH, ValueReader, unreadable
from onnxls.graph import Attr, Function, Graph, Model, Node, Tensor, TypeInfo, Value, is_plain
from onnxls.keys import function_key, graph_label, node_label, within
from onnxls.spans import LineIndex, Origin, Span

DEFAULT_OPSET = 23
"""The version of the default domain in a text that imports none: fixed, so that such a text keeps its meaning."""

DEFAULT_IR_VERSION = 10
"""The version of a text without a header."""

_NUMBERS = frozenset(("ir_version", "model_version"))
_OF_FUNCTIONS = frozenset(("domain", "opset_import", "overload", "doc_string"))


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where a value is declared: all of it, its name, its type, and each axis of its (innermost) shape."""

    span: Span
    name: Span
    type: Span | None = None
    dims: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class ScopePositions:
    """Where things are written in one graph or function; `labels` are the names of nodes by their index."""

    span: Span
    name: Span | None = None
    inputs: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    outputs: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    value_info: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    initializers: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    parameters: Mapping[str, Span] = field(default_factory=dict[str, Span])
    labels: Mapping[int, Span] = field(default_factory=dict[int, Span])
    opsets: Mapping[str, Span] = field(default_factory=dict[str, Span])
    metadata: Mapping[str, Span] = field(default_factory=dict[str, Span])


TextPositions = Mapping[str, ScopePositions]
"""The positions of a text by scope: "" (the main graph), `node/attribute` (nested), `domain.name` (a function)."""


@dataclass(frozen=True, slots=True)
class TextModel:
    """What a text says. `model` is None where there is no graph and no function at all.

    In the `Origin` of a node, `name` is the range of its operator.
    """

    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    positions: TextPositions
    lines: LineIndex


def read_text(text: str, path: str, external: External | None = None) -> TextModel:
    """Reads a model, a bare graph, or bare functions (then the main graph is empty).

    A text without `opset_import` gets the default domain at DEFAULT_OPSET and every other domain that it uses at its
    newest version; a function without one gets the imports of the model. A first block is a function where it has
    parameters, or a header with `overload`, or one with `domain` and without `ir_version`.
    """
    reader = _Reader(text, path, external)
    model = reader.model()
    return TextModel(model, reader.diagnostics(), reader.scopes, reader.lines)


_Single = int | float | str | Tensor | Graph | TypeInfo | None
_Many = tuple[int, ...] | tuple[float, ...] | tuple[str, ...] | tuple[Tensor, ...] | tuple[Graph, ...]
_NO_METADATA: Mapping[str, str] = {}
_NO_ATTRS: Mapping[str, Attr] = {}
_NO_SPANS: Mapping[str, Span] = {}
_NO_GRAPH = Graph("", (), (), ())


MAX_LINE, MAX_LINES = 500, 50_000
"""How long lines may be, and how many, whose statements are remembered."""


class _Line(NamedTuple):
    """A statement on one line: where it stood last, how many tokens it has, and its node there."""

    start: int
    tokens: int
    node: Node


_LINES: dict[str, _Line] = {}


class _Declared(NamedTuple):
    value: Value
    tensor: Tensor | None
    place: Declaration


@dataclass(slots=True)
class _Header:
    """What stands in `< ... >` before a model or a function."""

    present: bool = False
    strings: dict[str, str] = field(default_factory=dict[str, str])
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    opsets: dict[str, int] = field(default_factory=dict[str, int])
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    opset_spans: dict[str, Span] = field(default_factory=dict[str, Span])
    metadata_spans: dict[str, Span] = field(default_factory=dict[str, Span])
    imports: bool = False

    @property
    def domain(self) -> str:
        return _domain(self.strings.get("domain", ""))

    def is_of_function(self) -> bool:
        return "overload" in self.strings or ("domain" in self.strings and "ir_version" not in self.numbers)


@dataclass(slots=True)
class _Block:
    """A graph or a function as written."""

    name: str = ""
    name_span: Span | None = None
    parameters: list[str] = field(default_factory=list[str])
    defaults: dict[str, Attr] = field(default_factory=dict[str, Attr])
    parameter_spans: dict[str, Span] = field(default_factory=dict[str, Span])
    inputs: list[_Declared] = field(default_factory=list[_Declared])
    outputs: list[_Declared] = field(default_factory=list[_Declared])
    infos: list[_Declared] = field(default_factory=list[_Declared])
    nodes: list[Node] = field(default_factory=list[Node])
    labels: dict[int, Span] = field(default_factory=dict[int, Span])

    def graph(self) -> Graph:
        return Graph(
            self.name,
            tuple(one.value for one in self.inputs),
            tuple(one.value for one in self.outputs),
            tuple(self.nodes),
            {one.value.name: one.tensor for one in (*self.inputs, *self.infos) if one.tensor is not None},
            _types(one for one in self.infos if one.tensor is None),
        )

    def function(self, header: _Header, imports: Mapping[str, int]) -> Function:
        return Function(
            header.domain,
            self.name,
            header.strings.get("overload", ""),
            tuple(one.value.name for one in self.inputs),
            tuple(one.value.name for one in self.outputs),
            tuple(self.nodes),
            tuple(self.parameters),
            self.defaults,
            imports,
            _types((*self.inputs, *self.outputs, *self.infos)),
        )

    def positions(self, span: Span, header: _Header) -> ScopePositions:
        return ScopePositions(
            span,
            self.name_span,
            {one.value.name: one.place for one in self.inputs},
            {one.value.name: one.place for one in self.outputs},
            {one.value.name: one.place for one in self.infos if one.tensor is None},
            {one.value.name: one.place for one in (*self.inputs, *self.infos) if one.tensor is not None},
            self.parameter_spans,
            self.labels,
            header.opset_spans,
            header.metadata_spans,
        )


class _Reader(ValueReader):
    """Reads blocks, declarations, nodes and attributes at the cursor; `scopes` gathers where they are."""

    def __init__(self, text: str, path: str, external: External | None) -> None:
        super().__init__(text, path, external)
        self.scopes: dict[str, ScopePositions] = {}
        self.domains: dict[str, None] = {}

    # Models

    def model(self) -> Model | None:
        header = self.header() if self.words[self.at] == "<" else _Header()
        if not header.imports:
            header.opsets[""] = DEFAULT_OPSET
        graph: Graph | None = None
        functions: dict[tuple[str, str, str], Function] = {}
        if self.begins_function(header):
            self.function(header, header.opsets, functions)
        else:
            graph = self.main_graph(header)
        while self.words[self.at]:
            self.next_function(header.opsets, functions)
        if not header.imports:
            for domain in self.domains:
                header.opsets.setdefault(domain, schemas.latest_opset(domain) or 1)
        if graph is None and not functions:
            return None
        return Model(
            graph or _NO_GRAPH,
            header.opsets,
            functions,
            header.numbers.get("ir_version", 0 if header.present else DEFAULT_IR_VERSION),
            header.strings.get("producer_name", ""),
            header.metadata,
        )

    def begins_function(self, header: _Header) -> bool:
        return header.is_of_function() or (self.is_name(self.at) and self.words[self.at + 1] == "<")

    def main_graph(self, header: _Header) -> Graph | None:
        if not self.is_name(self.at):
            self.report(self.failed("the name of a graph"))
            if self.words[self.at] not in ("(", "=>"):
                self.to_next_block()
            if not self.words[self.at]:
                return None
        return self.block("", header).graph()

    def next_function(self, opsets: Mapping[str, int], functions: dict[tuple[str, str, str], Function]) -> None:
        begin = self.at
        if self.words[begin] == "<":
            self.function(self.header(_OF_FUNCTIONS), opsets, functions)
        elif self.is_name(begin):
            self.function(_Header(), opsets, functions)
        else:
            self.report(self.failed("a function or the end of the text"))
            self.to_next_block()

    def to_next_block(self) -> None:
        while self.words[self.at]:
            self.at += 1
            if self.starts_line(self.at) and self.begins_block(self.at):
                return

    def function(
        self, header: _Header, opsets: Mapping[str, int], functions: dict[tuple[str, str, str], Function]
    ) -> None:
        if not self.is_name(self.at):
            self.report(self.failed("the name of a function"))
            return
        word = self.words[self.at]
        name = tk.unquote(word) if word[0] == '"' else word
        block = self.block(function_key(header.domain, name or "", header.strings.get("overload", "")), header)
        for one in (*block.inputs, *block.outputs, *block.infos):
            if one.tensor is not None:
                self.report(TextError(one.place.span, "a function has no initializers; a Constant node gives a value"))
        made = block.function(header, header.opsets if header.imports else opsets)
        functions[made.domain, made.name, made.overload] = made

    # Headers

    def header(self, words: frozenset[str] = HEADER_WORDS) -> _Header:
        header = _Header(present=True)
        self.at += 1
        while True:
            begin = self.at
            try:
                self.header_entry(header, words)
                if self.words[self.at] == ",":
                    self.at += 1
                    continue
                if self.words[self.at] != ">":
                    raise self.failed("`,` or `>`")
                self.at += 1
                return header
            except TextError as stop:
                self.report(stop)
                landing = self.to_next_attribute(begin)
                if landing == "item":
                    continue
                self.at += landing == "close"
                return header

    def header_entry(self, header: _Header, words: frozenset[str]) -> None:
        word = self.words[self.at]
        if word not in words:
            raise self.failed("one of " + ", ".join(sorted(words)))
        self.at += 1
        self.take(":")
        if word == "opset_import":
            header.imports = True
            self.opset_imports(header)
        elif word == "metadata_props":
            self.take("[")
            if self.words[self.at] == "]":
                self.at += 1
                return
            for key, value, span in self.pairs():
                header.metadata[key] = value
                header.metadata_spans[key] = span
        elif word in _NUMBERS:
            header.numbers[word] = self.integer(INT64)
        else:
            header.strings[word] = self.string()

    def opset_imports(self, header: _Header) -> None:
        self.take("[")
        if self.words[self.at] == "]":
            self.at += 1
            return
        while True:
            begin = self.at
            domain = _domain(self.string())
            self.take(":")
            header.opsets[domain] = self.integer(INT64)
            header.opset_spans[domain] = self.since(begin)
            if self.words[self.at] != ",":
                break
            self.at += 1
        if self.words[self.at] != "]":
            raise self.failed("`,` or `]`")
        self.at += 1

    # Blocks

    def block(self, scope: str, header: _Header) -> _Block:
        """A name and what follows it; in a nested graph an error in the signature ends the statement around it."""
        begin = self.at
        block = _Block()
        if self.is_name(begin):
            block.name_span = self.span(begin)
            block.name = self.block_name()
        self.depth += 1
        try:
            self.signature(block)
            self.body(block, scope)
        finally:
            self.depth -= 1
        self.scopes[scope] = block.positions(self.since(begin), header)
        return block

    def block_name(self) -> str:
        try:
            return self.name("a name")
        except TextError as stop:
            if self.depth:
                raise
            self.report(stop)
            self.at += 1
            return ""

    def missing(self, expected: str) -> None:
        """Something of a signature is not there: goes on where the rest of the block begins."""
        stop = self.failed(expected)
        if self.depth > 1:
            raise stop
        self.report(stop)
        while (word := self.words[self.at]) and word not in ("=>", "{", "}"):
            if self.starts_line(self.at) and (self.begins_node(self.at) or self.begins_block(self.at)):
                return
            self.at += 1

    def signature(self, block: _Block) -> None:
        words = self.words
        if words[self.at] == "<" and self.depth == 1:
            self.parameters(block)
        if words[self.at] == "(":
            self.at += 1
            block.inputs = self.declarations(")")
        elif words[self.at] != "=>":
            self.missing("`(`")
        if words[self.at] not in ("=>", "("):
            self.missing("`=>`")
        if words[self.at] in ("=>", "("):
            self.found("=>")
            if words[self.at] == "(":
                self.at += 1
                block.outputs = self.declarations(")")
            else:
                self.missing("`(`")
        if words[self.at] == "<" and not self.begins_block(self.at):
            self.at += 1
            block.infos = self.declarations(">")

    def parameters(self, block: _Block) -> None:
        """The attributes of a function: `<alpha, beta: int = 3>`."""
        self.at += 1
        while True:
            begin = self.at
            try:
                self.parameter(block)
                if self.words[self.at] == ",":
                    self.at += 1
                    continue
                if self.words[self.at] != ">":
                    raise self.failed("`,` or `>`")
                self.at += 1
                return
            except TextError as stop:
                self.report(stop)
                landing = self.to_next_attribute(begin)
                if landing == "item":
                    continue
                self.at += landing == "close"
                return

    def parameter(self, block: _Block) -> None:
        begin = self.at
        name = self.name("the name of an attribute")
        block.parameter_spans[name] = self.span(begin)
        if self.words[self.at] not in (":", "="):
            block.parameters.append(name)
            return
        self.at = begin
        block.defaults[name] = self.attribute("")

    def body(self, block: _Block, scope: str) -> None:
        if self.words[self.at] != "{":
            self.missing("`{`")
        if self.words[self.at] == "{":
            self.at += 1
        elif not self.begins_node(self.at):
            return
        words = self.words
        while (word := words[self.at]) != "}":
            if not word or ((word == "<" or words[self.at + 1] in ("(", "<")) and self.begins_block(self.at)):
                self.report(self.failed("`}`"))
                return
            begin = self.at
            try:
                block.nodes.append(self.remembered(begin) or self.node(block, scope))
            except TextError as stop:
                self.report(stop)
                self.to_next_node(begin)
        self.at += 1

    # Declarations

    def declarations(self, close: str) -> list[_Declared]:
        """The items of a list up to its closing bracket, and the bracket."""
        words = self.words
        found: list[_Declared] = []
        if words[self.at] == close:
            self.at += 1
            return found
        while True:
            begin = self.at
            try:
                self.declaration(found)
                if words[self.at] == ",":
                    self.at += 1
                    continue
                if words[self.at] != close:
                    raise self.failed(f"`,` or `{close}`")
                self.at += 1
                return found
            except TextError as stop:
                self.report(stop)
                landing = self.to_next_item(close, begin)
                if landing == "item":
                    continue
                self.at += landing == "close"
                return found

    def declaration(self, found: list[_Declared]) -> None:
        """Adds a declaration; one whose elements cannot be read is a tensor of unknown elements."""
        begin = self.at
        type_: TypeInfo | None = None
        type_span: Span | None = None
        dims: tuple[Span, ...] = ()
        if self.words[begin] in tk.TYPE_WORDS:
            type_, dims = self.type()
            type_span = self.since(begin)
        elif self.starts_line(begin) and self.begins_node(begin):
            raise self.failed("a declaration")
        name_span = self.span(self.at)
        name = self.name("a name" if type_ else "a type or a name")
        tensor: Tensor | None = None
        try:
            if self.words[self.at] == "=":
                self.at += 1
                tensor = unreadable(name, type_)
                tensor = self.tensor(type_, type_span or name_span, name)
        finally:
            place = Declaration(self.since(begin), name_span, type_span, dims)
            found.append(_Declared(Value(name, type_, name_span), tensor, place))

    # Nodes

    def node(self, block: _Block, scope: str) -> Node:
        """A node; where an error follows its outputs and `=`, one without an operator."""
        words = self.words
        begin = self.at
        index, problems = len(block.nodes), self.problem_count
        label = self.label(block) if words[begin] == "[" else ""
        outputs, output_spans = self.names()
        if words[self.at] != "=":
            raise self.failed("`=` and an operator" if outputs else "a node or `}`")
        self.at += 1
        domain = op_type = overload = ""
        operator: Span | None = None
        inputs: list[str] = []
        input_spans: list[Span | None] = []
        attrs, attr_spans = _NO_ATTRS, _NO_SPANS
        try:
            domain, op_type, overload, operator = self.operator()
            key = within(scope, node_label(label, op_type, index))
            whole = True
            if words[self.at] == "<":
                attrs, attr_spans = dict[str, Attr](), dict[str, Span]()
                whole = self.attributes(attrs, attr_spans, key)
            self.take("(")
            inputs, input_spans = self.names()
            if words[self.at] != ")":
                raise self.failed("`,` or `)`")
            self.at += 1
            if words[self.at] == "<" and not attrs and whole and not self.begins_block(self.at):
                attrs, attr_spans = dict[str, Attr](), dict[str, Span]()
                whole = self.attributes(attrs, attr_spans, key)
        except TextError as stop:
            self.report(stop)
            self.to_next_node(begin)
            whole = False
            inputs, input_spans = self.before_cursor(inputs, input_spans)
        if not whole:
            domain = op_type = overload = ""
        origin = Origin(self.since(begin), operator, tuple(input_spans), tuple(output_spans), attr_spans)
        node = Node(op_type, domain, label, tuple(inputs), tuple(outputs), attrs, overload, _NO_METADATA, origin)
        if words[begin] != "[" and self.problem_count == problems:
            self.remember(begin, node)
        return node

    def remembered(self, begin: int) -> Node | None:
        """The node of a statement that was read before, here or in another text, and stands on one line."""
        start = self.starts[begin]
        line = _LINES.get(self.line(start))
        if line is None or self.words[begin + line.tokens] == "<":
            return None
        node = line.node
        if line.start != start and node.origin is not None:
            node = replace(node, origin=node.origin.moved(start - line.start))
            _LINES[self.line(start)] = _Line(start, line.tokens, node)
        if node.domain:
            self.domains[node.domain] = None
        self.at = begin + line.tokens
        return node

    def remember(self, begin: int, node: Node) -> None:
        """Keeps the node of a whole statement, where it rests on nothing but the text of its line."""
        start, last = self.starts[begin], self.starts[self.at - 1]
        line = self.line(start)
        is_whole = "location" not in line and all(map(is_plain, node.attrs.values()))  # else tensors lie elsewhere
        if is_whole and last < start + len(line) <= start + MAX_LINE:
            if len(_LINES) >= MAX_LINES:
                _LINES.clear()
            _LINES[line] = _Line(start, self.at - begin, node)

    def line(self, start: int) -> str:
        """The text from an offset to the end of its line."""
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def before_cursor(self, names: list[str], spans: list[Span | None]) -> tuple[list[str], list[Span | None]]:
        """The names that do not belong to the next statement."""
        limit = self.starts[self.at]
        count = sum(1 for span in spans if span is None or span.end <= limit)
        return names[:count], spans[:count]

    def label(self, block: _Block) -> str:
        self.at += 1
        if self.words[self.at] == "]":
            self.at += 1
            return ""
        span = self.span(self.at)
        label = self.name("the name of a node")
        self.take("]")
        block.labels[len(block.nodes)] = span
        return label

    def names(self) -> tuple[list[str], list[Span | None]]:
        """Names with commas between them; one that is left out is "" and has no range."""
        words, starts = self.words, self.starts
        at = self.at
        names: list[str] = []
        spans: list[Span | None] = []
        while True:
            word = words[at]
            first = word[:1]
            if first in NAME_START:
                names.append(word)
                start = starts[at]
                spans.append(Span(start, start + len(word)))
                at += 1
            elif first == '"':
                self.at = at
                names.append(self.string())
                spans.append(self.span(at))
                at += 1
            elif word == ",":
                names.append("")
                spans.append(None)
            else:
                break
            if words[at] != ",":
                break
            at += 1
        self.at = at
        return names, spans

    def operator(self) -> tuple[str, str, str, Span]:
        """`Op`, `domain.Op` or `domain.Op:overload`."""
        words = self.words
        begin = self.at
        if words[begin + 1] in ("=", ",") and self.starts_line(begin):
            raise self.failed("an operator")
        op_type = self.name("an operator")
        parts: list[str] = []
        while words[self.at] == ".":
            self.at += 1
            parts.append(op_type)
            op_type = self.name("an operator")
        overload = ""
        span = self.since(begin)
        if words[self.at] == ":":
            self.at += 1
            overload = self.name("an overload")
        if words[self.at] not in ("(", "<"):
            raise self.failed("`(` or `<`")
        if not parts:
            return "", op_type, overload, span
        domain = _domain(".".join(parts))
        self.domains[domain] = None
        return domain, op_type, overload, span

    # Attributes

    def attributes(self, attrs: dict[str, Attr], spans: dict[str, Span], key: str) -> bool:
        """Takes `<name = value, ...>`; False where an attribute was left out."""
        words = self.words
        whole = True
        self.at += 1
        while True:
            begin = self.at
            try:
                attr = self.attribute(key)
                attrs[attr.name] = attr
                spans[attr.name] = self.since(begin)
                if words[self.at] == ",":
                    self.at += 1
                    continue
                if words[self.at] != ">":
                    raise self.failed("`,` or `>`")
                self.at += 1
                return whole
            except TextError as stop:
                self.report(stop)
                whole = False
                landing = self.to_next_attribute(begin)
                if landing == "stop":
                    raise
                if landing == "close":
                    self.at += 1
                    return whole

    def attribute(self, key: str) -> Attr:
        """`name = value`, with a type between them or not."""
        words = self.words
        name = self.name("an attribute")
        declared = 0
        if words[self.at] == ":":
            self.at += 1
            declared = tk.ATTRIBUTE_TYPES.get(words[self.at], 0)
            if not declared:
                raise self.failed("the type of an attribute (int, floats, tensor, …)")
            self.at += 1
        self.take("=")
        if words[self.at] == "[":
            return self.listed(name, declared, key)
        begin = self.at
        kind, value, ref = self.single(declared, key, name)
        if declared and kind != declared:
            raise self.mismatch(declared, kind, begin)
        return Attr(name, kind, value, ref)

    def mismatch(self, want: int, got: int, begin: int) -> TextError:
        names = tk.ATTRIBUTE_TYPE_NAMES
        return TextError(self.since(begin), f"expected a value of type {names[want]}, found {names[got]}")

    def listed(self, name: str, declared: int, key: str) -> Attr:
        """A list of values of one type."""
        begin = self.at
        self.at += 1
        if self.words[self.at] == "]":
            self.at += 1
            if declared not in tk.ELEMENT_OF:
                raise TextError(self.since(begin), f"an empty list needs the type of a list: `{name}: ints = []`")
            return Attr(name, declared, ())
        element = tk.ELEMENT_OF.get(declared, declared)
        values: list[_Single] = []
        while True:
            first = self.at
            kind, value, ref = self.single(element, key, graph_label(name, len(values)))
            if ref is not None:
                raise TextError(self.since(first), "a list holds values, not references")
            if element and kind != element:
                raise self.mismatch(element, kind, first)
            element = kind
            values.append(value)
            if self.words[self.at] != ",":
                break
            self.at += 1
        if self.words[self.at] != "]":
            raise self.failed("`,` or `]`")
        self.at += 1
        return Attr(name, tk.LIST_OF[element], cast(_Many, tuple(values)))

    def single(self, expected: int, key: str, place: str) -> tuple[int, _Single, str | None]:
        """The type, the value and the reference of one value."""
        word = self.words[self.at]
        first = word[:1]
        if first in tk.NUMBER_START:
            if word.isdigit() and expected != tk.FLOAT and len(word) < 19:
                self.at += 1
                return tk.INT, int(word), None
            if expected == tk.FLOAT or not word.lstrip("-").isdigit():
                return tk.FLOAT, self.number(), None
            return tk.INT, self.integer(INT64), None
        follows = self.words[self.at + 1] if word else ""
        if first == '"' and follows != "(":
            return tk.STRING, self.string(), None
        if word == "@":
            self.at += 1
            return expected, None, self.name("the name of an attribute")
        if word in tk.TYPE_WORDS:
            return self.typed(expected)
        if first in tk.NAME_START and word.lower() in tk.FLOAT_WORDS and follows not in ("(", "=>"):
            return tk.FLOAT, self.number(), None
        if (first in tk.NAME_START or first == '"') and follows in ("(", "=>"):
            return tk.GRAPH, self.nested(within(key, place)), None
        raise self.failed("a value")

    def typed(self, expected: int) -> tuple[int, Tensor | TypeInfo | None, None]:
        """A tensor, or a type where no elements follow."""
        begin = self.at
        type_, _ = self.type()
        span = self.since(begin)
        word = self.words[self.at]
        if word not in ("{", "=") and word[:1] not in tk.NAME_START:
            return tk.TYPE_PROTO, type_, None
        name = ""
        if word not in ("{", "="):
            name = self.name("a name")
        if self.words[self.at] == "=":
            self.at += 1
        tensor = self.tensor(type_, span, name)
        return tk.SPARSE_TENSOR if expected == tk.SPARSE_TENSOR else tk.TENSOR, tensor, None

    def nested(self, scope: str) -> Graph:
        if self.depth < MAX_DEPTH:
            return self.block(scope, _Header()).graph()
        self.too_deep("graphs", "{")
        return _NO_GRAPH


def _domain(name: str) -> str:
    return "" if name == "ai.onnx" else name


def _types(declared: Iterable[_Declared]) -> dict[str, TypeInfo]:
    return {one.value.name: one.value.type for one in declared if one.value.type is not None}
