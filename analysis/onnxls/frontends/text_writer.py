"""A model as text in the ONNX textual syntax: what people see when they open a binary model.

The text is a function of the model and the annotations alone, and reads back as an equal model; metadata of graphs
and nodes, names of attribute tensors, and declarations that only repeat an initializer are not in it. Weights are not
printed (`{}` stands for them), no line is longer than 10,000 characters, the whole is under 20 MB and 300,000 lines,
and no control character gets through.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from onnxls.frontends import text_tokens as tk
from onnxls.frontends.text_values import float32
from onnxls.graph import Attr, DeclaredDim, Function, Graph, Model, Node, Scalar, Tensor, TypeInfo, Value
from onnxls.keys import function_key, graph_label, node_label, node_step, within
from onnxls.spans import Span

Annotate = Callable[[str, str], str | None]
"""Gives the comment for a value: its scope ("" for the main graph) and name."""

MAX_LINES = 280_000
MAX_SIZE = 19_000_000

_SHOWN_ELEMENTS = 64
_WRAP_FROM, _WRAP_AT = 400, 120
_ALIGN_LABELS, _ALIGN_NAMES, _ALIGN_COMMENTS = 32, 36, 88
_SIGNATURE = 100
_LONGEST_LINE, _LONGEST_STRING = 4_000, 100_000

_BITS = {4: (21, 22, 23), 8: (2, 3, 9, 17, 18, 19, 20, 24), 16: (4, 5, 10, 16), 2: (25, 26), 6: (27, 28)}
_WIDTH = {dtype: bits for bits, dtypes in _BITS.items() for dtype in dtypes} | {
    **dict.fromkeys((1, 6, 12), 32),
    **dict.fromkeys((7, 11, 13, 14), 64),
    15: 128,
}
_STRING, _BOOL, _FLOAT16, _DOUBLE, _BFLOAT16 = 8, 9, 10, 11, 16
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Listing:
    """A text, and where in it things are.

    `values` has the name of each value where it is defined, `nodes` each whole node, both by the keys of nested values
    (`node/attribute/value`, of a function `domain.name/value`); `inputs` each declared input of the main graph.
    `places` has nodes, inputs and initializers by the graph path of a `Location`.
    """

    text: str
    values: Mapping[str, Span] = field(default_factory=dict[str, Span])
    nodes: Mapping[str, Span] = field(default_factory=dict[str, Span])
    inputs: Mapping[str, Span] = field(default_factory=dict[str, Span])
    places: Mapping[str, Span] = field(default_factory=dict[str, Span])

    def find(self, graph_path: str) -> Span | None:
        """The range of a place in the model, or of the nearest one around it that is shown."""
        path = graph_path[max(graph_path.rfind("/function("), graph_path.rfind("/function[")) + 1 :]
        while path:
            if path in self.places:
                return self.places[path]
            path = path.rpartition("/")[0]
        return None


def write_text(model: Model, annotate: Annotate | None = None) -> Listing:
    """The text of a model; `annotate` gives comments for the lines that define values."""
    writer = _Writer(annotate or _silent)
    writer.model(model)
    return Listing("".join(writer.parts), writer.values, writer.nodes, writer.inputs, writer.places)


def type_text(declared: TypeInfo) -> str:
    """A type as the syntax writes it."""
    if declared.kind == "tensor":
        return _dtype(declared.dtype) + _shape(declared.shape)
    if declared.kind == "sparse_tensor":
        return f"sparse_tensor({_dtype(declared.dtype)}{_shape(declared.shape)})"
    element = type_text(declared.element) if declared.element else ""
    if declared.kind == "map":
        return f"map({_dtype(declared.dtype)}, {element or 'opaque()'})"
    return f"{'seq' if declared.kind == 'sequence' else 'optional'}({element})"


def _silent(scope: str, value: str) -> None:
    return None


# Words


def _dtype(dtype: int | None) -> str:
    return tk.DTYPE_NAMES.get(dtype or 0, "undefined")


def _shape(shape: Sequence[DeclaredDim] | None) -> str:
    if shape is None:
        return "[]"
    return "[" + ", ".join(map(_dim, shape)) + "]" if shape else ""


def _dim(dim: DeclaredDim) -> str:
    if dim is None:
        return "?"
    if isinstance(dim, str):
        return dim if tk.is_plain(dim) and len(dim) <= _LONGEST_LINE else _quoted(dim)
    return str(dim)


def _name(name: str) -> str:
    if tk.is_plain(name) and name not in tk.TYPE_WORDS and len(name) <= _LONGEST_LINE:
        return name
    return _quoted(name)


def _quoted(text: str) -> str:
    return tk.quote(_visible(text))


def _visible(text: str) -> str:
    """A string without control characters and without lines and lengths that an editor cannot show."""
    if len(text) > _LONGEST_LINE:
        text = "\n".join(map(_short, text.split("\n")))
        if len(text) > _LONGEST_STRING:
            text = f"{text[:_LONGEST_STRING]}… ({len(text):,} characters)"
    return text if text.isprintable() else _UNSAFE.sub(_picture, text)


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}… ({len(line):,} characters)"


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 32 else "\u2421" if code == 127 else "\ufffd"


def _comment(text: str) -> str:
    return _short(_visible(text.strip().removeprefix("#").strip()).replace("\n", "\u240a"))


def _operator(node: Node) -> str:
    name = node.op_type if tk.is_plain(node.op_type) else _quoted(node.op_type)
    if node.domain:
        plain = all(map(tk.is_plain, node.domain.split("."))) and len(node.domain) <= _LONGEST_LINE
        name = f"{node.domain if plain else _quoted(node.domain)}.{name}"
    return f"{name}:{_name(node.overload)}" if node.overload else name


# Numbers and tensors


def _float(value: float) -> str:
    """The shortest text of a 32-bit number that is not read as an integer."""
    text = _short_float(value)
    return f"{text}.0" if text.lstrip("-").isdigit() else text


def _short_float(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    for digits in (6, 7, 8):
        text = f"{value:.{digits}g}"
        if _same(text, value):
            return text
    return f"{value:.9g}"


def _same(text: str, value: float) -> bool:
    try:
        return float32(float(text)) == value
    except OverflowError:
        return False


def _element(dtype: int, value: Scalar) -> str:
    if dtype == _FLOAT16:
        return str(struct.unpack("<H", struct.pack("<e", value))[0])
    if dtype == _BFLOAT16:
        return str(struct.unpack("<I", struct.pack("<f", value))[0] >> 16)
    if dtype == _DOUBLE:
        return repr(value).removesuffix(".0")
    return _short_float(value) if isinstance(value, float) else str(int(value))


def _tensor(tensor: Tensor) -> tuple[str, str, str]:
    """The type, the elements in braces, and a note on what the braces do not say."""
    kind = _dtype(tensor.dtype) + _shape(tensor.dims)
    count = math.prod(tensor.dims)
    values = tensor.values if count <= _SHOWN_ELEMENTS else None
    if values is None:
        return kind, "{}", _size(tensor.dtype, count)
    note = ""
    if tensor.dtype in (_FLOAT16, _BFLOAT16) and 0 < count <= 8:
        note = "= " + ", ".join(map(_short_float, values))
    return kind, "{" + ", ".join(_element(tensor.dtype, value) for value in values) + "}", note


def _size(dtype: int, count: int) -> str:
    if count <= 0:
        return ""
    if dtype == _STRING:
        return "1 string" if count == 1 else f"{count:,} strings"
    size = float((count * _WIDTH.get(dtype, 8) + 7) // 8) if count < 1 << 62 else math.inf
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if size >= 100 or unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


# Attributes


def _is_graph(attr: Attr) -> bool:
    return isinstance(attr.value, Graph) or (attr.type == tk.GRAPHS and attr.ref is None)


def _attribute_head(attr: Attr) -> str:
    name = attr.name if tk.is_plain(attr.name) and len(attr.name) <= _LONGEST_LINE else _quoted(attr.name)
    kind = tk.ATTRIBUTE_TYPE_NAMES.get(attr.type)
    needed = attr.ref is not None or attr.value == () or attr.type in (tk.SPARSE_TENSOR, tk.SPARSE_TENSORS)
    return f"{name}: {kind} = " if kind and needed else f"{name} = "


def _attribute(attr: Attr, notes: list[str]) -> list[str] | None:
    """The pieces of an attribute without graphs; None where it has nothing that could be written."""
    head = _attribute_head(attr)
    if attr.ref is not None:
        return [f"{head}@{_name(attr.ref)}"]
    if isinstance(attr.value, tuple):
        texts = [_single(attr.type, value, notes) for value in attr.value]
        return [f"{head}[", *(f"{text}, " for text in texts[:-1]), *texts[-1:], "]"]
    if isinstance(attr.value, Tensor):
        return _broken(head + _single(attr.type, attr.value, notes))
    if attr.value is None and attr.type != tk.TYPE_PROTO:
        return None
    return [head + _single(attr.type, attr.value, notes)]


def _broken(text: str) -> list[str]:
    """The pieces of a tensor, which may be long."""
    return re.findall(r"[^,]*(?:, |$)", text) if len(text) > _WRAP_AT else [text]


def _single(kind: int, value: object, notes: list[str]) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Tensor):
        type_, elements, note = _tensor(value)
        if note:
            notes.append(note)
        return f"{type_} {elements}"
    if isinstance(value, TypeInfo):
        return type_text(value)
    if isinstance(value, int | float):
        return _float(value) if kind in (tk.FLOAT, tk.FLOATS) else str(int(value))
    return "opaque()"


def _joined(names: Iterable[str]) -> list[str]:
    """Names with commas. A last one that is absent needs to be written as such."""
    texts = [_name(name) for name in names]
    return [*(f"{text}, " for text in texts[:-1]), *texts[-1:]]


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
        return "; ".join(filter(None, (*map(_comment, found), *notes)))

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
        entries = [f"ir_version: {model.ir_version}", f"opset_import: {_opsets(model.opsets)}"]
        if model.producer:
            entries.append(f"producer_name: {_quoted(model.producer)}")
        if model.metadata:
            pairs = [f"{_quoted(key)}: {_quoted(value)}" for key, value in model.metadata.items()]
            entries.append("metadata_props: [\n    " + ",\n    ".join(pairs) + "\n  ]")
        self.put("<\n  " + ",\n  ".join(entries) + "\n>")
        self.end_line()

    def function(self, function: Function) -> None:
        self.put(f"<domain: {_quoted(function.domain)}, opset_import: {_opsets(function.opsets)}")
        if function.overload:
            self.put(f", overload: {_quoted(function.overload)}")
        self.put(">")
        self.end_line()
        types = dict(function.value_info)
        scope = function_key(function.domain, function.name, function.overload)
        inputs = [self.item(scope, Value(name, types.pop(name, None)), True) for name in function.inputs]
        outputs = [self.item(scope, Value(name, types.pop(name, None)), False) for name in function.outputs]
        self.put(_name(function.name))
        parameters = [_name(name) for name in function.attributes]
        for attr in function.defaults.values():
            parameters.append("".join(_attribute(attr, []) or [_name(attr.name)]))
        if parameters:
            self.put(f" <{', '.join(parameters)}>")
        self.put(" ")
        infos = [self.item(scope, Value(name, type_), False) for name, type_ in types.items()]
        path = f"function({function.domain}.{function.name})"
        self.signature(inputs, outputs, infos, path, 0)
        self.body(function.nodes, scope, path, 0)
        self.end_line()

    def graph(self, graph: Graph, scope: str, path: str, indent: int) -> None:
        """A graph from its name to its closing brace."""
        self.put(_name(graph.name) + " ")
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
            _, elements, note = _tensor(default)
            tail, notes = f" = {elements}", [note]
        note = self.comment(scope, (value.name,) if defines else (), notes)
        return _Item(type_, _name(value.name), value.name, key, tail, note)

    def weight(self, scope: str, tensor: Tensor) -> _Item:
        type_, elements, note = _tensor(tensor)
        note = self.comment(scope, (tensor.name,), (note,))
        return _Item(type_, _name(tensor.name), tensor.name, within(scope, tensor.name), f" = {elements}", note)

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
        self.wrapped(_broken(item.tail), 4)
        span = Span(start, self._size)
        self.places.setdefault(f"{path}[{item.value}]", span)
        if path == "graph/input":
            self.inputs.setdefault(item.value, span)

    # Nodes

    def body(self, nodes: Sequence[Node], scope: str, path: str, indent: int) -> None:
        shown = nodes[: max(MAX_LINES - self._lines, 0)]
        column = max((n for node in shown if (n := len(_label(node))) <= _ALIGN_LABELS), default=0)
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
        label = _label(node).ljust(column)
        outputs = tuple((_name(name), within(scope, name) if name else None) for name in node.outputs)
        graphs = [attr for attr in node.attrs.values() if _is_graph(attr)]
        others = (attr for attr in node.attrs.values() if not _is_graph(attr))
        plain = [pieces for attr in others if (pieces := _attribute(attr, notes))]
        operands = ["(", *_joined(node.inputs), ")"]
        pieces = [_operator(node), *operands, *([" <"] if graphs else _listed(plain))]
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
            self.put(" " * (indent + 2) + _attribute_head(attr))
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


def _label(node: Node) -> str:
    return f"[{_name(node.name)}] " if node.name else ""


def _listed(attributes: list[list[str]]) -> list[str]:
    """The pieces of a list of attributes."""
    pieces: list[str] = []
    for attribute in attributes:
        pieces.append(", " if pieces else " <")
        pieces.extend(attribute)
    return [*pieces, ">"] if pieces else pieces


def _opsets(opsets: Mapping[str, int]) -> str:
    return "[" + ", ".join(f"{_quoted(domain)}: {version}" for domain, version in opsets.items()) + "]"
