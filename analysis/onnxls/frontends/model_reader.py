"""A binary model to the graph, field by field in place: graphs, functions, nodes and what they import."""

from __future__ import annotations

from collections.abc import Mapping

from onnxls import schemas
from onnxls.frontends.external import External
from onnxls.frontends.model_attributes import AttributeReader, Places
from onnxls.frontends.model_faults import OPSET_MISSING, Faults, TooDeepError
from onnxls.frontends.model_types import SHARED_UP_TO, TypeReader
from onnxls.frontends.tensors import read_entry, read_sparse_tensor, read_tensor, shown
from onnxls.frontends.wire import MAX_DEPTH, Buffer, Texts, fields, signed
from onnxls.graph import Attr, Function, Graph, Model, Node, Tensor, TypeInfo, Value, canonical_domain, is_plain
from onnxls.keys import function_step, node_step

_SPARSE_INITIALIZER = 122  # GraphProto: number << 3 | wire type

# the domains that onnxruntime registers besides those of onnx itself, all in version 1
_RUNTIME_DOMAINS = frozenset(
    ("ai.onnx.training", "com.microsoft", "com.microsoft.experimental", "com.microsoft.nchwc", "org.pytorch.aten")
)

_NO_ATTRS: Mapping[str, Attr] = {}
_NO_METADATA: Mapping[str, str] = {}

_NODES: dict[bytes, Node] = {}
"""Nodes by their bytes, where these are few and say all: no nested graphs, and no tensors that lie elsewhere."""

_LOCATION = b"location"
"""What is in the bytes of a tensor that lies in another file."""

_MOST_NODES = 50_000


class ModelReader:
    """The reader of one model; names, attributes and types with the same bytes are made once.

    `faults` are what is wrong in it. Raises TooDeepError, and WireError for what is no message of protobuf.
    """

    def __init__(self, buf: Buffer, external: External | None) -> None:
        self.faults = Faults()
        self._buf = buf
        self._external = external
        self._texts = Texts()
        self._types = TypeReader(buf, self._texts)
        self._attributes = AttributeReader(buf, self._texts, self._types, self.faults, external, self._graph)
        self._used: dict[str, None] = {}
        self._given: set[int] = set()

    def model(self) -> Model | None:
        """The model, or None where there is no graph."""
        text = self._text
        graphs: Places = []
        functions: Places = []
        opsets: dict[str, int] = {}
        metadata: dict[str, str] = {}
        ir_version, producer = 0, ""
        for tag, a, b in fields(self._buf, 0, len(self._buf)):
            if tag == 8:
                ir_version = signed(a)
            elif tag == 18:
                producer = text(a, b)
            elif tag == 58:
                graphs.append((a, b))
            elif tag == 66:
                self._opset(a, b, opsets)
            elif tag == 114:
                self._entry(a, b, metadata)
            elif tag == 202:
                functions.append((a, b))
        if not graphs:
            return None
        graph = self._graph(graphs, 1)
        self.faults.step(0, "graph")
        self._fill_opsets(opsets)
        made = [self._function(a, b, opsets) for a, b in functions]
        by_key = {(function.domain, function.name, function.overload): function for function in made}
        return Model(graph, opsets, by_key, ir_version, producer, metadata)

    def _fill_opsets(self, opsets: dict[str, int]) -> None:
        """Completes the imports as onnxruntime does: the newest version of each domain that it knows."""
        imports_nothing = not opsets
        if imports_nothing:
            self.faults.add(OPSET_MISSING, "the model imports no operator set")
        for domain in self._used:
            if domain in opsets:
                continue
            newest = _newest(domain)
            if newest:
                opsets[domain] = newest
            if imports_nothing:
                continue
            if newest:
                message = f"{_domain_shown(domain)} is used, but not imported: version {newest} is assumed"
                self.faults.add(OPSET_MISSING, message, "warning")
            else:
                self.faults.add(OPSET_MISSING, f"{_domain_shown(domain)} is used, but not imported")

    def _function(self, pos: int, end: int, model_opsets: Mapping[str, int]) -> Function:
        text = self._text
        before = len(self.faults)
        self._used = {}
        domain = name = overload = ""
        inputs: list[str] = []
        outputs: list[str] = []
        attributes: list[str] = []
        nodes: list[Node] = []
        defaults: dict[str, Attr] = {}
        opsets: dict[str, int] = {}
        value_info: dict[str, TypeInfo] = {}
        metadata: dict[str, str] = {}
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 58:
                nodes.append(self._node(a, b, 2, len(nodes)))
            elif tag == 34:
                inputs.append(text(a, b))
            elif tag == 42:
                outputs.append(text(a, b))
            elif tag == 50:
                attributes.append(text(a, b))
            elif tag == 90:
                attr = self._attributes.attribute(a, b, 2)
                defaults[attr.name] = attr
            elif tag == 74:
                self._opset(a, b, opsets)
            elif tag == 98:
                self._declare(a, b, 2, value_info)
            elif tag == 114:
                self._entry(a, b, metadata)
            elif tag == 10:
                name = text(a, b)
            elif tag == 82:
                domain = canonical_domain(text(a, b))
            elif tag == 106:
                overload = text(a, b)
        self._fill_function_opsets(opsets, model_opsets)
        self.faults.step(before, function_step(domain, name, overload))
        return Function(
            domain,
            name,
            overload,
            tuple(inputs),
            tuple(outputs),
            tuple(nodes),
            tuple(attributes),
            defaults,
            opsets,
            value_info,
            metadata,
        )

    def _fill_function_opsets(self, opsets: dict[str, int], model_opsets: Mapping[str, int]) -> None:
        for domain in self._used:
            if domain not in opsets:
                message = f"{_domain_shown(domain)} is used in the function, but not imported by it"
                self.faults.add(OPSET_MISSING, message)
                version = model_opsets.get(domain) or _newest(domain)
                if version:
                    opsets[domain] = version

    def _graph(self, places: Places, depth: int) -> Graph:
        """The graph in one place, or in several that protobuf would merge."""
        if depth > MAX_DEPTH:
            raise TooDeepError
        name = ""
        inputs: list[Value] = []
        outputs: list[Value] = []
        nodes: list[Node] = []
        initializers: dict[str, Tensor] = {}
        value_info: dict[str, TypeInfo] = {}
        metadata: dict[str, str] = {}
        for pos, end in places:
            for tag, a, b in fields(self._buf, pos, end):
                if tag == 10:
                    nodes.append(self._node(a, b, depth + 1, len(nodes)))
                elif tag == 42 or tag == _SPARSE_INITIALIZER:
                    self._initializer(tag, a, b, initializers)
                elif tag == 106:
                    self._declare(a, b, depth + 1, value_info)
                elif tag == 90:
                    inputs.append(self._types.value(a, b, depth + 1))
                elif tag == 98:
                    outputs.append(self._types.value(a, b, depth + 1))
                elif tag == 18:
                    name = self._text(a, b)
                elif tag == 130:
                    self._entry(a, b, metadata)
        return Graph(name, tuple(inputs), tuple(outputs), tuple(nodes), initializers, value_info, metadata)

    def _node(self, pos: int, end: int, depth: int, index: int) -> Node:
        """The node in these bytes. One that was read before, here or in another file, is the same object again."""
        if end - pos > SHARED_UP_TO:
            return self._read_node(pos, end, depth, index)
        raw = self._buf[pos:end]
        known = _NODES.get(raw)
        if known is not None and id(known) not in self._given:
            self._given.add(id(known))
            self._used[known.domain] = None
            return known
        before = len(self.faults)
        node = self._read_node(pos, end, depth, index)
        is_whole = _LOCATION not in raw and all(map(is_plain, node.attrs.values()))
        if is_whole and len(self.faults) == before:
            if len(_NODES) >= _MOST_NODES:
                _NODES.clear()
            _NODES[raw] = node
            self._given.add(id(node))
        return node

    def _read_node(self, pos: int, end: int, depth: int, index: int) -> Node:
        buf, names = self._buf, self._texts
        before = len(self.faults)
        inputs: list[str] = []
        outputs: list[str] = []
        attrs: dict[str, Attr] | None = None
        metadata: dict[str, str] | None = None
        op_type = domain = name = overload = ""
        for tag, a, b in fields(buf, pos, end):
            if tag == 10:
                inputs.append(names[buf[a:b]])
            elif tag == 18:
                outputs.append(names[buf[a:b]])
            elif tag == 42:
                attr = self._attributes.attribute(a, b, depth + 1)
                attrs = attrs or {}
                attrs[attr.name] = attr
            elif tag == 34:
                op_type = names[buf[a:b]]
            elif tag == 26:
                name = str(buf[a:b], "utf-8", "replace")
            elif tag == 58:
                domain = canonical_domain(names[buf[a:b]])
            elif tag == 74:
                metadata = metadata or {}
                self._entry(a, b, metadata)
            elif tag == 66:
                overload = names[buf[a:b]]
        self._used[domain] = None
        if len(self.faults) > before:
            self.faults.step(before, node_step(name, op_type, index), name)
        return Node(
            op_type,
            domain,
            name,
            tuple(inputs),
            tuple(outputs),
            _NO_ATTRS if attrs is None else attrs,
            overload,
            _NO_METADATA if metadata is None else metadata,
            None,
        )

    def _initializer(self, tag: int, pos: int, end: int, initializers: dict[str, Tensor]) -> None:
        before = len(self.faults)
        read = read_sparse_tensor if tag == _SPARSE_INITIALIZER else read_tensor
        tensor = self.faults.told(*read(self._buf, pos, end, self._external))
        initializers[tensor.name] = tensor
        if len(self.faults) > before:
            self.faults.name_value(tensor.name)
            self.faults.step(before, f"initializer[{tensor.name}]")

    def _declare(self, pos: int, end: int, depth: int, value_info: dict[str, TypeInfo]) -> None:
        value = self._types.value(pos, end, depth)
        if value.type is not None:
            value_info[value.name] = value.type

    def _opset(self, pos: int, end: int, opsets: dict[str, int]) -> None:
        domain, version = "", 0
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 10:
                domain = canonical_domain(self._text(a, b))
            elif tag == 16:
                version = signed(a)
        opsets[domain] = version

    def _entry(self, pos: int, end: int, metadata: dict[str, str]) -> None:
        key, value = read_entry(self._buf, pos, end, self._texts)
        metadata[key] = value

    def _text(self, a: int, b: int) -> str:
        return self._texts[self._buf[a:b]]


def _domain_shown(domain: str) -> str:
    return f"the domain {shown(domain)}" if domain else "the default domain `ai.onnx`"


def _newest(domain: str) -> int:
    return 1 if domain in _RUNTIME_DOMAINS else schemas.latest_opset(domain)
