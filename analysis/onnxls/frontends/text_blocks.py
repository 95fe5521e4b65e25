"""Graphs and functions of the ONNX textual syntax: a signature, and a body of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from onnxls.frontends import text_tokens as tk
from onnxls.frontends.external import External
from onnxls.frontends.text_cursor import TextError
from onnxls.frontends.text_headers import Header
from onnxls.frontends.text_nodes import NodeReader
from onnxls.frontends.text_positions import Declaration, ScopePositions
from onnxls.frontends.text_values import MAX_DEPTH, unreadable
from onnxls.graph import Attr, Function, Graph, Node, Tensor, TypeInfo, Value
from onnxls.spans import Span

NO_GRAPH = Graph("", (), (), ())
"""What stands for a graph that is not there."""


class Declared(NamedTuple):
    """A declaration as written; a tensor where elements are given."""

    value: Value
    tensor: Tensor | None
    place: Declaration


@dataclass(slots=True)
class Block:
    """A graph or a function as written."""

    name: str = ""
    name_span: Span | None = None
    parameters: list[str] = field(default_factory=list[str])
    defaults: dict[str, Attr] = field(default_factory=dict[str, Attr])
    parameter_spans: dict[str, Span] = field(default_factory=dict[str, Span])
    inputs: list[Declared] = field(default_factory=list[Declared])
    outputs: list[Declared] = field(default_factory=list[Declared])
    infos: list[Declared] = field(default_factory=list[Declared])
    nodes: list[Node] = field(default_factory=list[Node])
    labels: dict[int, Span] = field(default_factory=dict[int, Span])

    def graph(self) -> Graph:
        """The graph; declarations with elements are its initializers."""
        return Graph(
            self.name,
            tuple(one.value for one in self.inputs),
            tuple(one.value for one in self.outputs),
            tuple(self.nodes),
            {one.value.name: one.tensor for one in (*self.inputs, *self.infos) if one.tensor is not None},
            _types(one for one in self.infos if one.tensor is None),
        )

    def function(self, header: Header, imports: Mapping[str, int]) -> Function:
        """The function under a header; `imports` are the versions of domains that hold in it."""
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

    def positions(self, span: Span, header: Header) -> ScopePositions:
        """Where its parts are; `span` is all of it."""
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


class BlockReader(NodeReader):
    """Reads graphs and functions at the cursor; `scopes` gathers where their parts are."""

    def __init__(self, text: str, path: str, external: External | None) -> None:
        super().__init__(text, path, external)
        self.scopes: dict[str, ScopePositions] = {}

    def block(self, scope: str, header: Header) -> Block:
        """A name and what follows it; in a nested graph an error in the signature ends the statement around it."""
        begin = self.at
        block = Block()
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
        """Takes the name of a block; "" where it cannot be read, which ends a statement around it."""
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

    def signature(self, block: Block) -> None:
        """Takes what stands before a body: parameters, inputs, `=>`, outputs and declarations."""
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

    def parameters(self, block: Block) -> None:
        """The attributes of a function: `<alpha, beta: int = 3>`."""
        self.at += 1
        self.entries(">", partial(self.parameter, block), self.to_next_attribute)

    def parameter(self, block: Block) -> None:
        """Takes one attribute of a function, with its default value if there is one."""
        begin = self.at
        name = self.name("the name of an attribute")
        block.parameter_spans[name] = self.span(begin)
        if self.words[self.at] not in (":", "="):
            block.parameters.append(name)
            return
        self.at = begin
        block.defaults[name] = self.attribute("")

    def body(self, block: Block, scope: str) -> None:
        """Takes nodes in braces, those that were read before by the memory of their lines."""
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
                block.nodes.append(self.remembered(begin) or self.node(len(block.nodes), block.labels, scope))
            except TextError as stop:
                self.report(stop)
                self.to_next_node(begin)
        self.at += 1

    def nested(self, scope: str) -> Graph:
        """Takes a graph that is the value of an attribute; an empty one stands for what lies too deep."""
        if self.depth < MAX_DEPTH:
            return self.block(scope, Header()).graph()
        self.too_deep("graphs", "{")
        return NO_GRAPH

    # Declarations

    def declarations(self, close: str) -> list[Declared]:
        """The items of a list up to its closing bracket, and the bracket."""
        found: list[Declared] = []
        if self.words[self.at] == close:
            self.at += 1
            return found
        self.entries(close, partial(self.declaration, found), partial(self.to_next_item, close))
        return found

    def declaration(self, found: list[Declared]) -> None:
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
            found.append(Declared(Value(name, type_, name_span), tensor, place))


def _types(declared: Iterable[Declared]) -> dict[str, TypeInfo]:
    return {one.value.name: one.value.type for one in declared if one.value.type is not None}
