"""Nodes and attributes of the ONNX textual syntax.

A statement that stands on one line and rests on nothing but its text is read once: the node is remembered by the line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, cast

from onnxls.frontends import text_tokens as tk
from onnxls.frontends.external import External
from onnxls.frontends.text_cursor import TextError
from onnxls.frontends.text_tokens import NAME_START
from onnxls.frontends.text_values import INT64, ValueReader
from onnxls.graph import Attr, Graph, Node, Tensor, TypeInfo, canonical_domain, is_plain
from onnxls.keys import graph_label, node_label, within
from onnxls.spans import Origin, Span

MAX_LINE, MAX_LINES = 500, 50_000
"""How long lines may be, and how many, whose statements are remembered."""


class _Line(NamedTuple):
    """A statement on one line: where it stood last, how many tokens it has, and its node there."""

    start: int
    tokens: int
    node: Node


_LINES: dict[str, _Line] = {}

_Single = int | float | str | Tensor | Graph | TypeInfo | None
_Many = tuple[int, ...] | tuple[float, ...] | tuple[str, ...] | tuple[Tensor, ...] | tuple[Graph, ...]
_NO_METADATA: Mapping[str, str] = {}
_NO_ATTRS: Mapping[str, Attr] = {}
_NO_SPANS: Mapping[str, Span] = {}


class NodeReader(ValueReader, ABC):
    """Reads nodes and attributes at the cursor; `domains` gathers those that nodes are of."""

    def __init__(self, text: str, path: str, external: External | None) -> None:
        super().__init__(text, path, external)
        self.domains: dict[str, None] = {}

    @abstractmethod
    def nested(self, scope: str) -> Graph:
        """Takes a graph that is the value of an attribute; `scope` is its key."""

    # Nodes

    def node(self, index: int, labels: dict[int, Span], scope: str) -> Node:
        """Takes the node of an index in its block, and notes where its name stands.

        Where an error follows its outputs and `=`, it has no operator.
        """
        words = self.words
        begin = self.at
        problems = self.problem_count
        label = self.label(index, labels) if words[begin] == "[" else ""
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
            self.close(")")
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

    def label(self, index: int, labels: dict[int, Span]) -> str:
        """Takes the name of a node in its brackets."""
        self.at += 1
        if self.words[self.at] == "]":
            self.at += 1
            return ""
        span = self.span(self.at)
        label = self.name("the name of a node")
        self.take("]")
        labels[index] = span
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
        domain = canonical_domain(".".join(parts))
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
        """The error of a value that begins at a token and is of another type than is said."""
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
        self.close("]")
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
