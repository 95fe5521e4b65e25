"""A model as text in the ONNX textual syntax: what people see when they open a binary model.

The text is a function of the model and the annotations alone, and reads back as an equal model; metadata of graphs
and nodes, names of attribute tensors, and declarations that only repeat an initializer are not in it. Weights are not
printed (`{}` stands for them), no line is longer than 10,000 characters, the whole is under 20 MB and 300,000 lines,
and no control character gets through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from onnxls.frontends.text_positions import Listing
from onnxls.frontends.text_printing import (
    attribute_head,
    attribute_pieces,
    comment_text,
    holds_graphs,
    label_text,
    list_pieces,
    name_pieces,
    name_text,
    operator_text,
    opsets_text,
    quoted,
    tensor_pieces,
    tensor_text,
    type_text,
)
from onnxls.graph import Attr, Function, Graph, Model, Node, Tensor, TypeInfo, Value
from onnxls.keys import call_step, function_key, graph_label, node_label, node_step, within
from onnxls.spans import Span

Annotate = Callable[[str, str], str | None]
"""Gives the comment for a value: its scope ("" for the main graph) and name."""

MAX_LINES = 280_000
MAX_SIZE = 19_000_000

_WRAP_FROM, _WRAP_AT = 400, 120
_ALIGN_LABELS, _ALIGN_NAMES, _ALIGN_COMMENTS = 32, 36, 88
_SIGNATURE = 100


def write_text(model: Model, annotate: Annotate | None = None) -> Listing:
    """The text of a model; `annotate` gives comments for the lines that define values."""
    writer = _Writer(annotate or _silent)
    writer.model(model)
    return Listing("".join(writer.parts), writer.values, writer.nodes, writer.inputs, writer.places)


def _silent(scope: str, value: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class _Item:
    """A declaration to come: a type, a name and the key of the value it defines, elements, a comment."""

    type: str
    name: str
    value: str
    key: str | None
    tail: str = ""
    note: str = ""

    def one_line(self) -> str:
        return f"{self.type} {self.name}{self.tail}".lstrip()


@dataclass(frozen=True, slots=True)
class _Call:
    """A node to come: its label, its outputs with their keys, its operator and operands, attributes with graphs."""

    label: str
    outputs: tuple[tuple[str, str | None], ...]
    pieces: list[str]
    graphs: list[Attr]
    plain: list[list[str]]
    note: str
    width: int
    length: int


class _Writer:
    """Writes a text from its start to its end and remembers where things came to stand."""

    def __init__(self, annotate: Annotate) -> None:
        self.parts: list[str] = []
        self.values: dict[str, Span] = {}
        self.nodes: dict[str, Span] = {}
        self.inputs: dict[str, Span] = {}
        self.places: dict[str, Span] = {}
        self._annotate = annotate
        self._size = 0
        self._lines = 0

    # The page

    def put(self, text: str) -> None:
        self.parts.append(text)
        self._size += len(text)

    def end_line(self, note: str = "", pad: int = 0) -> None:
        if note:
            self.put(f"{' ' * max(pad, 0)}  # {note}")
        self.put("\n")
        self._lines += 1

    def is_full(self) -> bool:
        return self._lines >= MAX_LINES or self._size >= MAX_SIZE

    def define(self, name: str, key: str | None) -> None:
        start = self._size
        self.put(name)
        if key is not None and key not in self.values:
            self.values[key] = Span(start, self._size)

    def wrapped(self, pieces: list[str], indent: int) -> None:
        """Writes pieces; long ones on several lines, broken after commas."""
        if sum(map(len, pieces)) <= _WRAP_FROM:
            self.put("".join(pieces))
            return
        column = 0
        for piece in pieces:
            if column + len(piece) > _WRAP_AT and self.parts[-1].endswith(", "):
                self.parts[-1] = self.parts[-1][:-1]
                self._size -= 1
                self.end_line()
                self.put(" " * (indent + 4))
                column = 0
            self.put(piece)
            column += len(piece)

    def comment(self, scope: str, names: Iterable[str], notes: Iterable[str] = ()) -> str:
        found = [text for name in names if name and (text := self._annotate(scope, name))]
        return "; ".join(filter(None, (*map(comment_text, found), *notes)))

    # Models

    def model(self, model: Model) -> None:
        self.header(model)
        self.graph(model.graph, "", "graph", 0)
        self.end_line()
        for function in model.functions.values():
            if self.is_full():
                self.put("# more functions are not shown")
                self.end_line()
                return
            self.end_line()
            self.function(function)

    def header(self, model: Model) -> None:
        entries = [f"ir_version: {model.ir_version}", f"opset_import: {opsets_text(model.opsets)}"]
        if model.producer:
            entries.append(f"producer_name: {quoted(model.producer)}")
        if model.metadata:
            pairs = [f"{quoted(key)}: {quoted(value)}" for key, value in model.metadata.items()]
            entries.append("metadata_props: [\n    " + ",\n    ".join(pairs) + "\n  ]")
        self.put("<\n  " + ",\n  ".join(entries) + "\n>")
        self.end_line()

    def function(self, function: Function) -> None:
        self.put(f"<domain: {quoted(function.domain)}, opset_import: {opsets_text(function.opsets)}")
        if function.overload:
            self.put(f", overload: {quoted(function.overload)}")
        self.put(">")
        self.end_line()
        types = dict(function.value_info)
        scope = function_key(function.domain, function.name, function.overload)
        inputs = [self.item(scope, Value(name, types.pop(name, None)), True) for name in function.inputs]
        outputs = [self.item(scope, Value(name, types.pop(name, None)), False) for name in function.outputs]
        self.put(name_text(function.name))
        parameters = [name_text(name) for name in function.attributes]
        for attr in function.defaults.values():
            parameters.append("".join(attribute_pieces(attr, []) or [name_text(attr.name)]))
        if parameters:
            self.put(f" <{', '.join(parameters)}>")
        self.put(" ")
        infos = [self.item(scope, Value(name, type_), False) for name, type_ in types.items()]
        path = call_step(function.domain, function.name)
        self.signature(inputs, outputs, infos, path, 0)
        self.body(function.nodes, scope, path, 0)
        self.end_line()

    def graph(self, graph: Graph, scope: str, path: str, indent: int) -> None:
        """A graph from its name to its closing brace."""
        self.put(name_text(graph.name) + " ")
        defaults = graph.initializers
        names = {value.name for value in graph.inputs}
        inputs = [self.item(scope, value, True, defaults.get(value.name)) for value in graph.inputs]
        outputs = [self.item(scope, value, False) for value in graph.outputs]
        infos = [self.weight(scope, tensor) for name, tensor in defaults.items() if name not in names]
        infos.extend(
            self.item(scope, Value(name, type_), False)
            for name, type_ in graph.value_info.items()
            if name not in defaults or type_ != TypeInfo("tensor", defaults[name].dtype, defaults[name].dims)
        )
        self.signature(inputs, outputs, infos, path, indent)
        self.body(graph.nodes, scope, path, indent)

    # Signatures

    def item(self, scope: str, value: Value, defines: bool, default: Tensor | None = None) -> _Item:
        type_ = type_text(value.type) if value.type else ""
        key = within(scope, value.name) if defines else None
        tail, notes = "", list[str]()
        if default is not None:
            _, elements, note = tensor_text(default)
            tail, notes = f" = {elements}", [note]
        note = self.comment(scope, (value.name,) if defines else (), notes)
        return _Item(type_, name_text(value.name), value.name, key, tail, note)

    def weight(self, scope: str, tensor: Tensor) -> _Item:
        type_, elements, note = tensor_text(tensor)
        note = self.comment(scope, (tensor.name,), (note,))
        return _Item(type_, name_text(tensor.name), tensor.name, within(scope, tensor.name), f" = {elements}", note)

    def signature(self, inputs: list[_Item], outputs: list[_Item], infos: list[_Item], path: str, indent: int) -> None:
        """Inputs, outputs and declarations up to the opening brace."""
        texts = [item.one_line() for item in (*inputs, *outputs)]
        short = path != "graph" and sum(map(len, texts)) <= _SIGNATURE and not any(item.note for item in inputs)
        write = self.short_list if short else self.long_list
        write("(", inputs, ")", f"{path}/input", indent)
        self.put(" => ")
        write("(", outputs, ")", f"{path}/output", indent)
        if infos:
            self.put(" ")
            self.long_list("<", infos, ">", f"{path}/initializer", indent)
        self.put(" {")
        self.end_line()

    def short_list(self, start: str, items: list[_Item], end: str, path: str, indent: int) -> None:
        self.put(start)
        for index, item in enumerate(items):
            self.put(", " if index else "")
            self.declare(item, 0, path)
        self.put(end)

    def long_list(self, start: str, items: list[_Item], end: str, path: str, indent: int) -> None:
        """One declaration on a line, with the names and the comments below one another."""
        self.put(start)
        if items:
            self.end_line()
            width = max((len(item.type) for item in items if len(item.type) <= _ALIGN_NAMES), default=0)
            lengths = [max(len(item.type), width) + len(item.name) + len(item.tail) for item in items]
            column = max((length for length in lengths if length <= _ALIGN_COMMENTS), default=0)
            for index, item in enumerate(items):
                self.put(" " * (indent + 2))
                self.declare(item, width, path)
                left = 0 if not self.is_full() else len(items) - index - 1
                last = left > 0 or index == len(items) - 1
                self.put("" if last else ",")
                self.end_line(item.note, column - lengths[index] + last)
                if left:
                    self.put(f"{' ' * indent}  # {left:,} more are not shown")
                    self.end_line()
                    break
            self.put(" " * indent)
        self.put(end)

    def declare(self, item: _Item, width: int, path: str) -> None:
        start = self._size
        self.put(item.type.ljust(width) + " " if item.type or width else "")
        self.define(item.name, item.key)
        self.wrapped(tensor_pieces(item.tail), 4)
        span = Span(start, self._size)
        self.places.setdefault(f"{path}[{item.value}]", span)
        if path == "graph/input":
            self.inputs.setdefault(item.value, span)

    # Nodes

    def body(self, nodes: Sequence[Node], scope: str, path: str, indent: int) -> None:
        shown = nodes[: max(MAX_LINES - self._lines, 0)]
        column = max((n for node in shown if (n := len(label_text(node))) <= _ALIGN_LABELS), default=0)
        calls = [self.call(node, scope, column) for node in shown]
        width = max((call.width for call in calls if call.width <= _ALIGN_NAMES + column), default=0)
        lengths = [max(call.width, width) + call.length for call in calls]
        column = max((length for length in lengths if length <= _ALIGN_COMMENTS), default=0)
        for index, call in enumerate(calls):
            if self.is_full():
                break
            self.put(" " * (indent + 2))
            start = self._size
            node = nodes[index]
            key = within(scope, node_label(node.name, node.op_type, index))
            place = f"{path}/{node_step(node.name, node.op_type, index)}"
            self.prefix(call, width, indent + 2)
            self.wrapped(call.pieces, indent + 2)
            if call.graphs:
                self.end_line(call.note, column - lengths[index])
                self.graph_attributes(call, key, place, indent + 2)
            self.places[place] = Span(start, self._size)
            self.nodes.setdefault(key, self.places[place])
            self.end_line("" if call.graphs else call.note, column - lengths[index])
        else:
            index = len(calls)
        if index < len(nodes):
            self.put(f"{' ' * indent}  # {len(nodes) - index:,} nodes are not shown")
            self.end_line()
        self.put(" " * indent + "}")

    def call(self, node: Node, scope: str, column: int) -> _Call:
        notes: list[str] = []
        label = label_text(node).ljust(column)
        outputs = tuple((name_text(name), within(scope, name) if name else None) for name in node.outputs)
        graphs = [attr for attr in node.attrs.values() if holds_graphs(attr)]
        others = (attr for attr in node.attrs.values() if not holds_graphs(attr))
        plain = [pieces for attr in others if (pieces := attribute_pieces(attr, notes))]
        operands = ["(", *name_pieces(node.inputs), ")"]
        pieces = [operator_text(node), *operands, *([" <"] if graphs else list_pieces(plain))]
        width = len(label) + sum(len(text) + 2 for text, _ in outputs) - 2 * bool(outputs)
        note = self.comment(scope, node.outputs, notes)
        return _Call(label, outputs, pieces, graphs, plain, note, width, sum(map(len, pieces)))

    def prefix(self, call: _Call, width: int, indent: int) -> None:
        """The label and the outputs, padded up to the equals sign; many outputs stand on several lines."""
        self.put(call.label)
        column = len(call.label)
        wraps = call.width > _WRAP_FROM
        for index, (name, key) in enumerate(call.outputs):
            if index:
                column += len(name) + 2
                if wraps and column > _WRAP_AT:
                    self.put(",")
                    self.end_line()
                    self.put(" " * (indent + 4))
                    column = len(name)
                else:
                    self.put(", ")
            self.define(name, key)
        self.put(" " * max(width - call.width, 0) + " = ")

    def graph_attributes(self, call: _Call, key: str, path: str, indent: int) -> None:
        """The attributes of a node with nested graphs, one on a line, and the closing bracket."""
        for pieces in call.plain:
            self.put(" " * (indent + 2))
            self.wrapped([*pieces, ","], indent + 2)
            self.end_line()
        for index, attr in enumerate(call.graphs):
            self.put(" " * (indent + 2) + attribute_head(attr))
            if isinstance(attr.value, Graph):
                self.graph(attr.value, within(key, attr.name), f"{path}/{attr.name}", indent + 2)
            elif isinstance(attr.value, tuple):
                self.graph_list(attr, key, path, indent + 2)
            self.put("" if index == len(call.graphs) - 1 else ",")
            self.end_line()
        self.put(" " * indent + ">")

    def graph_list(self, attr: Attr, key: str, path: str, indent: int) -> None:
        self.put("[")
        graphs = [value for value in attr.value if isinstance(value, Graph)] if isinstance(attr.value, tuple) else []
        for index, graph in enumerate(graphs):
            self.put(", " if index else "")
            name = graph_label(attr.name, index)
            self.graph(graph, within(key, name), f"{path}/{name}", indent)
        self.put("]")
