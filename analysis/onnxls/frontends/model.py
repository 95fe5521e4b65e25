"""Binary `.onnx` to Model, read field by field out of the file's own bytes; weights are skipped, not read.

Time and memory follow the number of nodes, never the size of the weights. A file whose structure cannot be read to
its end gives one diagnostic and no model; everything else gives a model and whatever is wrong in it.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from mmap import mmap

from onnxls import schemas
from onnxls.diagnostics import Diagnostic, Related
from onnxls.frontends.external import LFS_MARK, LFS_POINTER, External, Folder
from onnxls.frontends.files import ROOM, opened
from onnxls.frontends.tensors import read_sparse_tensor, read_tensor, shown
from onnxls.frontends.wire import Buffer, WireError, fields, packed, runs, signed, signed32, unpacked
from onnxls.graph import (
    Attr,
    DeclaredDim,
    Function,
    Graph,
    Model,
    Node,
    Tensor,
    TypeInfo,
    Value,
    canonical_domain,
    is_plain,
)
from onnxls.keys import node_step
from onnxls.rules import Rule, Severity, rule
from onnxls.spans import Location

UNREADABLE = rule(
    "unreadable-model",
    "OLS001",
    "error",
    """
    The file cannot be read as an ONNX model.

    It is empty, truncated, of another format, or may not be opened; or it is a text form of a model with a mistake
    in it.

    No runtime can load it, and nothing in it can be analysed.

    Check that the download or the export ran to its end, that the file is an ONNX model (not a checkpoint, an
    archive or a web page saved under this name), and that it may be read.
    """,
)

NO_GRAPH = rule(
    "model-without-graph",
    "OLS003",
    "error",
    """
    The file holds no graph.

    It can be read as protobuf, but the field that would hold the model's graph is missing: most often it is not an
    ONNX model at all, or a tensor (`.pb`) under a model's name.

    No runtime can load it.

    Export the model again, or name the file after what it is.
    """,
)

TOO_DEEP = rule(
    "nesting-too-deep",
    "OLS004",
    "error",
    """
    Graphs or types are nested too deep.

    protobuf reads at most 100 messages inside one another, which is 33 graphs or 47 sequence types. The file has more.

    onnx and onnxruntime refuse to load the model.

    Flatten the nested `If`, `Loop` and `Scan` bodies, or move some into functions of the model.
    """,
)

OPSET_MISSING = rule(
    "opset-import-missing",
    "OLS008",
    "error",
    """
    An operator set that the model uses is not imported.

    `opset_import` says in which version of its domain an operator is meant. A domain that nodes use is not in it.

    onnx's checker refuses such a model. onnxruntime refuses it too, with one exception, which is a warning here: in
    a model that imports something, a missing domain that onnxruntime knows counts as imported in the newest version
    that the installed onnxruntime has, so an upgrade changes what the model means. The analysis does the same.

    Import the domain in the version that was meant: `onnx.helper.make_opsetid("", 17)`.
    """,
)

TOO_LARGE = rule(
    "attribute-too-large",
    "OLS009",
    "information",
    """
    An attribute is so large that it is not read.

    The texts and lists of numbers in the attributes of one model are read up to 64 MiB. This attribute would go
    beyond that. Tensors do not count: they are never read as a whole.

    The analysis goes on as if the attribute's value were unknown. Runtimes read the value as ever.

    Keep large constants in initializers. A compiled blob that a runtime puts into an attribute (`EPContext`) is best
    kept in a file of its own, which its tools offer as `embed_mode = 0`.
    """,
)

MAX_DEPTH = 100
"""Messages inside one another, as protobuf counts them."""

_SHARED_UP_TO = 256
_MOST_RELATED = 8
_MOST_FINDINGS = 100

_KIND_OF_BYTES = (
    (0, b"PK\x03\x04", "a zip archive (PyTorch checkpoints are)"),
    (0, b"\x1f\x8b", "compressed with gzip"),
    (0, b"\x80\x02", "a Python pickle"),
    (0, b"\x93NUMPY", "a NumPy array"),
    (0, b"\x89HDF", "an HDF5 file"),
    (0, b"{", "JSON text"),
    (0, b"<", "a web page or XML text"),
    (4, b"ORTM", "a model in onnxruntime's own format"),
    (4, b"TFL3", "a TensorFlow Lite model"),
)

# AttributeProto: number << 3 | wire type
_INTS, _INTS_PACKED, _FLOATS, _FLOATS_PACKED = 64, 66, 61, 58
_RUNS = runs(_INTS, _FLOATS)
_GRAPH, _GRAPHS = 5, 10
_TAGS_BY_KIND = {
    1: (21,),
    2: (24,),
    3: (34,),
    4: (42,),
    _GRAPH: (50,),
    6: (_FLOATS, _FLOATS_PACKED),
    7: (_INTS, _INTS_PACKED),
    8: (74,),
    9: (82,),
    _GRAPHS: (90,),
    11: (178,),
    12: (186,),
    13: (114,),
    14: (122,),
}
_COPIED_KINDS = (3, 6, 7, 8)
_SPARSE_INITIALIZER = 122  # of GraphProto
_SPARSE = frozenset((_SPARSE_INITIALIZER, 178, 186))
_KIND_BY_TAG = {tag: kind for kind, tags in _TAGS_BY_KIND.items() for tag in tags}

AttrValue = (
    int
    | float
    | str
    | Tensor
    | Graph
    | TypeInfo
    | tuple[int, ...]
    | tuple[float, ...]
    | tuple[str, ...]
    | tuple[Tensor, ...]
    | tuple[Graph, ...]
    | tuple[TypeInfo, ...]
    | None
)

# the domains that onnxruntime registers besides those of onnx itself, all in version 1
_RUNTIME_DOMAINS = frozenset(
    ("ai.onnx.training", "com.microsoft", "com.microsoft.experimental", "com.microsoft.nchwc", "org.pytorch.aten")
)

_Places = list[tuple[int, int]]
_Fields = list[tuple[int, int, int]]
_NO_ATTRS: Mapping[str, Attr] = {}
_NO_METADATA: Mapping[str, str] = {}


_NODES: dict[bytes, Node] = {}
"""Nodes by their bytes, where these are few and say all: no nested graphs, and no tensors that lie elsewhere."""

_LOCATION = b"location"
"""What is in the bytes of a tensor that lies in another file."""

_MOST_NODES = 50_000


class _TooDeepError(Exception):
    pass


@dataclass(slots=True)
class _Finding:
    """A finding in the making: `steps` lead from the place outwards."""

    rule: Rule
    severity: Severity
    message: str
    cause: str = ""
    steps: list[str] = field(default_factory=list[str])
    node: str | None = None
    value: str | None = None

    def location(self, path: str) -> Location:
        return Location(path, graph_path="/".join(reversed(self.steps)) if self.steps else None)


def open_model(path: str, folder: Folder | None = None) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model in a file, of which large weights are not read. External data is looked for in `folder`, the file's.

    Raises FileNotFoundError; everything else that is wrong is in the diagnostics.
    """
    try:
        buf = opened(path)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return None, (_whole(UNREADABLE, path, f"the file cannot be opened: {reason}"),)
    if buf is None:
        return None, (_whole(UNREADABLE, path, "this is a folder or device, not a file"),)
    try:
        return _read(buf, path, folder or Folder(os.path.dirname(os.path.abspath(path))))
    finally:
        if isinstance(buf, mmap):
            buf.close()


def read_model(
    data: memoryview | bytes, path: str, external: External | None = None
) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model in serialised form; `path` is what locations call it.

    A view of the whole of a bytes object or memory map is read in place, any other view is copied. Without
    `external`, data in other files is unknown, and no finding.
    """
    return _read(_in_place(data), path, external)


def _in_place(data: memoryview | bytes) -> Buffer:
    if isinstance(data, bytes):
        return data
    whole = data.obj
    return whole if isinstance(whole, bytes | mmap) and len(whole) == data.nbytes else bytes(data)


def _read(buf: Buffer, path: str, external: External | None) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    if len(buf) == 0:
        return None, (_whole(UNREADABLE, path, "the file is empty"),)
    if buf[: len(LFS_MARK)] == LFS_MARK:
        return None, (_whole(LFS_POINTER, path, _pointer_message(bytes(buf[:1024]))),)
    reader = _Reader(buf, external)
    try:
        model = reader.model()
    except WireError as error:
        return None, (_whole(UNREADABLE, path, _unreadable_message(buf, error)),)
    except (_TooDeepError, RecursionError):
        message = f"graphs or types are nested in more than {MAX_DEPTH} messages"
        return None, (_whole(TOO_DEEP, path, message),)
    if model is None:
        kind = _kind(buf)
        message = "there is no graph in the file"
        return None, (_whole(NO_GRAPH, path, f"{message}: it looks like {kind}" if kind else message),)
    return model, _diagnostics(reader.findings, path)


def _pointer_message(text: bytes) -> str:
    size = next((line[5:].decode("utf-8", "replace") for line in text.splitlines() if line.startswith(b"size ")), "")
    of = f" of {int(size):,} bytes" if size.isdecimal() and len(size) < 20 else ""
    return f"this is a git LFS pointer to a file{of}, not the model: run `git lfs pull`"


def _unreadable_message(buf: Buffer, error: WireError) -> str:
    kind = _kind(buf)
    if kind:
        return f"this is no ONNX model: it looks like {kind}"
    if error.stop > len(buf):
        return (
            f"the file ends at byte {len(buf):,}, inside a field that should go on to byte {error.stop:,}: "
            "it is truncated, or no ONNX model"
        )
    return f"the file is damaged, or no ONNX model: {error.problem} (byte {error.offset:,})"


def _kind(buf: Buffer) -> str | None:
    head = buf[:16]
    return next((kind for at, mark, kind in _KIND_OF_BYTES if head.startswith(mark, at)), None)


def _whole(about: Rule, path: str, message: str) -> Diagnostic:
    return Diagnostic(about.name, about.code, about.severity, message, Location(path))


def _diagnostics(findings: list[_Finding], path: str) -> tuple[Diagnostic, ...]:
    """Findings of one cause become one, with the other places related to it."""
    groups: dict[tuple[str, str | int], list[_Finding]] = {}
    for index, finding in enumerate(findings):
        groups.setdefault((finding.rule.name, finding.cause or index), []).append(finding)
    made = [_diagnostic(group, path) for group in list(groups.values())[:_MOST_FINDINGS]]
    if len(groups) > _MOST_FINDINGS:
        made.append(_whole(findings[0].rule, path, f"{len(groups) - _MOST_FINDINGS} more findings of this kind"))
    return tuple(made)


def _diagnostic(group: list[_Finding], path: str) -> Diagnostic:
    first = group[0]
    message = f"{first.message} (and {len(group) - 1} more places)" if len(group) > 1 else first.message
    related = tuple(Related(other.location(path), other.message) for other in group[1 : 1 + _MOST_RELATED])
    return Diagnostic(
        first.rule.name,
        first.rule.code,
        first.severity,
        message,
        first.location(path),
        related,
        first.node,
        first.value,
    )


class _Names(dict[bytes, str]):
    """Texts by their bytes: each is decoded once."""

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = str(raw, "utf-8", "replace")
        return text


class _Reader:
    """The reader of one file. Names, attributes and types with the same bytes are made once."""

    def __init__(self, buf: Buffer, external: External | None) -> None:
        self.findings: list[_Finding] = []
        self._buf = buf
        self._external = external
        self._names = _Names()
        self._attrs: dict[bytes, Attr] = {}
        self._types: dict[bytes, TypeInfo | None] = {}
        self._entries: dict[bytes, tuple[str, str]] = {}
        self._used: dict[str, None] = {}
        self._given: set[int] = set()
        self._room = ROOM
        self._by_kind: dict[int, Callable[[_Fields, int], AttrValue]] = {
            1: self._float,
            2: self._int,
            3: self._string,
            4: self._one_tensor,
            _GRAPH: self._one_graph,
            6: self._float_list,
            7: self._int_list,
            8: self._string_list,
            9: self._tensor_list,
            _GRAPHS: self._graph_list,
            11: self._one_tensor,
            12: self._tensor_list,
            13: self._one_type,
            14: self._type_list,
        }

    def model(self) -> Model | None:
        """The model, or None where there is no graph."""
        text = self._text
        graphs: _Places = []
        functions: _Places = []
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
        self._step(0, "graph")
        self._fill_opsets(opsets)
        made = [self._function(a, b, opsets) for a, b in functions]
        by_key = {(function.domain, function.name, function.overload): function for function in made}
        return Model(graph, opsets, by_key, ir_version, producer, metadata)

    def _fill_opsets(self, opsets: dict[str, int]) -> None:
        """Completes the imports as onnxruntime does: the newest version of each domain that it knows."""
        imports_nothing = not opsets
        if imports_nothing:
            self._report(OPSET_MISSING, "the model imports no operator set")
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
                self._report(OPSET_MISSING, message, "warning")
            else:
                self._report(OPSET_MISSING, f"{_domain_shown(domain)} is used, but not imported")

    def _function(self, pos: int, end: int, model_opsets: Mapping[str, int]) -> Function:
        text = self._text
        before = len(self.findings)
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
                attr = self._attribute(a, b, 2)
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
        self._step(before, f"function[{domain}:{name}:{overload}]" if overload else f"function[{domain}:{name}]")
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
                self._report(OPSET_MISSING, f"{_domain_shown(domain)} is used in the function, but not imported by it")
                version = model_opsets.get(domain) or _newest(domain)
                if version:
                    opsets[domain] = version

    def _graph(self, places: _Places, depth: int) -> Graph:
        """The graph in one place, or in several that protobuf would merge."""
        if depth > MAX_DEPTH:
            raise _TooDeepError
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
                    inputs.append(self._value_info(a, b, depth + 1))
                elif tag == 98:
                    outputs.append(self._value_info(a, b, depth + 1))
                elif tag == 18:
                    name = self._text(a, b)
                elif tag == 130:
                    self._entry(a, b, metadata)
        return Graph(name, tuple(inputs), tuple(outputs), tuple(nodes), initializers, value_info, metadata)

    def _node(self, pos: int, end: int, depth: int, index: int) -> Node:
        """The node in these bytes. One that was read before, here or in another file, is the same object again."""
        if end - pos > _SHARED_UP_TO:
            return self._read_node(pos, end, depth, index)
        raw = self._buf[pos:end]
        known = _NODES.get(raw)
        if known is not None and id(known) not in self._given:
            self._given.add(id(known))
            self._used[known.domain] = None
            return known
        before = len(self.findings)
        node = self._read_node(pos, end, depth, index)
        is_whole = _LOCATION not in raw and all(map(is_plain, node.attrs.values()))
        if is_whole and len(self.findings) == before:
            if len(_NODES) >= _MOST_NODES:
                _NODES.clear()
            _NODES[raw] = node
            self._given.add(id(node))
        return node

    def _read_node(self, pos: int, end: int, depth: int, index: int) -> Node:
        buf, names = self._buf, self._names
        before = len(self.findings)
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
                attr = self._attribute(a, b, depth + 1)
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
        if len(self.findings) > before:
            self._step(before, node_step(name, op_type, index), name)
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

    def _attribute(self, pos: int, end: int, depth: int) -> Attr:
        if end - pos > _SHARED_UP_TO:
            return self._read_attribute(pos, end, depth)
        raw = self._buf[pos:end]
        known = self._attrs.get(raw)
        if known is not None:
            return known
        before = len(self.findings)
        attr = self._read_attribute(pos, end, depth)
        if attr.type not in (_GRAPH, _GRAPHS) and len(self.findings) == before:
            self._attrs[raw] = attr
        return attr

    def _read_attribute(self, pos: int, end: int, depth: int) -> Attr:
        before = len(self.findings)
        name, kind, ref = "", 0, None
        places: _Fields = []
        for tag, a, b in fields(self._buf, pos, end, _RUNS):
            if tag == 10:
                name = self._text(a, b)
            elif tag == 160:
                kind = signed32(a)
            elif tag == 170:
                ref = self._text(a, b) or None
            elif tag in _KIND_BY_TAG:
                places.append((tag, a, b))
        if kind not in self._by_kind and places:
            kind = _KIND_BY_TAG[places[-1][0]]
        read = self._by_kind.get(kind)
        if ref is not None or read is None:
            return Attr(name, kind, None, ref)
        if any(_KIND_BY_TAG[place[0]] != kind for place in places):
            places = [place for place in places if _KIND_BY_TAG[place[0]] == kind]
        value = read(places, depth + 1) if self._has_room(kind, places, name) else None
        if len(self.findings) > before:
            self._step(before, name)
        return Attr(name, kind, value, None)

    def _has_room(self, kind: int, places: _Fields, name: str) -> bool:
        if kind not in _COPIED_KINDS:
            return True
        size = sum(b - a for _, a, b in places)
        if size > self._room:
            self._report(TOO_LARGE, f"the attribute {shown(name)} of {size:,} bytes is too large to be read")
            return False
        self._room -= size
        return True

    def _float(self, places: _Fields, _depth: int) -> float:
        return _floats(self._buf, *places[-1])[0] if places else 0.0

    def _int(self, places: _Fields, _depth: int) -> int:
        return signed(places[-1][1]) if places else 0

    def _string(self, places: _Fields, _depth: int) -> str:
        return self._text(*places[-1][1:]) if places else ""

    def _one_tensor(self, places: _Fields, _depth: int) -> Tensor | None:
        return self._tensor(*places[-1]) if places else None

    def _one_graph(self, places: _Fields, depth: int) -> Graph | None:
        return self._graph([(a, b) for _, a, b in places], depth) if places else None

    def _one_type(self, places: _Fields, depth: int) -> TypeInfo | None:
        return self._type(*places[-1][1:], depth) if places else None

    def _float_list(self, places: _Fields, _depth: int) -> tuple[float, ...]:
        return tuple(number for place in places for number in _floats(self._buf, *place))

    def _int_list(self, places: _Fields, _depth: int) -> tuple[int, ...]:
        found = [(packed if tag == _INTS_PACKED else unpacked)(self._buf, a, b) for tag, a, b in places]
        return found[0] if len(found) == 1 else tuple(chain.from_iterable(found))

    def _string_list(self, places: _Fields, _depth: int) -> tuple[str, ...]:
        return tuple(self._text(a, b) for _, a, b in places)

    def _tensor_list(self, places: _Fields, _depth: int) -> tuple[Tensor, ...]:
        return tuple(self._tensor(*place) for place in places)

    def _graph_list(self, places: _Fields, depth: int) -> tuple[Graph, ...]:
        return tuple(self._graph([(a, b)], depth) for _, a, b in places)

    def _type_list(self, places: _Fields, depth: int) -> tuple[TypeInfo, ...]:
        types = (self._type(a, b, depth) for _, a, b in places)
        return tuple(found for found in types if found is not None)

    def _initializer(self, tag: int, pos: int, end: int, initializers: dict[str, Tensor]) -> None:
        before = len(self.findings)
        tensor = self._tensor(tag, pos, end)
        initializers[tensor.name] = tensor
        if len(self.findings) > before:
            self.findings[-1].value = tensor.name
            self._step(before, f"initializer[{tensor.name}]")

    def _tensor(self, tag: int, pos: int, end: int) -> Tensor:
        read = read_sparse_tensor if tag in _SPARSE else read_tensor
        tensor, fault = read(self._buf, pos, end, self._external)
        if fault is not None:
            self.findings.append(_Finding(fault.rule, fault.rule.severity, fault.message, fault.cause))
        return tensor

    def _declare(self, pos: int, end: int, depth: int, value_info: dict[str, TypeInfo]) -> None:
        value = self._value_info(pos, end, depth)
        if value.type is not None:
            value_info[value.name] = value.type

    def _value_info(self, pos: int, end: int, depth: int) -> Value:
        name, declared = "", None
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 10:
                name = self._text(a, b)
            elif tag == 18:
                declared = self._type(a, b, depth + 1)
        return Value(name, declared)

    def _type(self, pos: int, end: int, depth: int) -> TypeInfo | None:
        if end - pos > _SHARED_UP_TO:
            return self._read_type(pos, end, depth)
        raw = self._buf[pos:end]
        if raw not in self._types:
            self._types[raw] = self._read_type(pos, end, depth)
        return self._types[raw]

    def _read_type(self, pos: int, end: int, depth: int) -> TypeInfo | None:
        if depth > MAX_DEPTH:
            raise _TooDeepError
        made = None
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 10:
                made = TypeInfo("tensor", *self._tensor_type(a, b))
            elif tag == 34:
                made = TypeInfo("sequence", element=self._element(a, b, depth, 10)[1])
            elif tag == 42:
                key, element = self._element(a, b, depth, 18)
                made = TypeInfo("map", key, element=element)
            elif tag == 74:
                made = TypeInfo("optional", element=self._element(a, b, depth, 10)[1])
            elif tag == 66:
                made = TypeInfo("sparse_tensor", *self._tensor_type(a, b))
            elif tag == 58:
                made = None
        return made

    def _element(self, pos: int, end: int, depth: int, place: int) -> tuple[int | None, TypeInfo | None]:
        """The type of the keys and that of the elements of a container, which holds the latter in the field `place`."""
        key, element = None, None
        for tag, a, b in fields(self._buf, pos, end):
            if tag == place:
                element = self._type(a, b, depth + 2)
            elif tag == 8 and place == 18:
                key = signed32(a) or None
        return key, element

    def _tensor_type(self, pos: int, end: int) -> tuple[int | None, tuple[DeclaredDim, ...] | None]:
        dtype, shape = None, None
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 8:
                dtype = signed32(a) or None
            elif tag == 18:
                shape = tuple(self._dim(c, d) for dim, c, d in fields(self._buf, a, b) if dim == 10)
        return dtype, shape

    def _dim(self, pos: int, end: int) -> DeclaredDim:
        """A declared size. An empty name says nothing; a negative size is kept as it was written."""
        declared: DeclaredDim = None
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 8:
                declared = signed(a)
            elif tag == 18:
                declared = self._text(a, b) or None
        return declared

    def _opset(self, pos: int, end: int, opsets: dict[str, int]) -> None:
        domain, version = "", 0
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 10:
                domain = canonical_domain(self._text(a, b))
            elif tag == 16:
                version = signed(a)
        opsets[domain] = version

    def _entry(self, pos: int, end: int, metadata: dict[str, str]) -> None:
        key = value = ""
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 10:
                key = self._text(a, b)
            elif tag == 18:
                value = self._text(a, b)
        metadata[key] = value

    def _text(self, a: int, b: int) -> str:
        return self._names[self._buf[a:b]]

    def _report(self, about: Rule, message: str, severity: Severity | None = None) -> None:
        self.findings.append(_Finding(about, severity or about.severity, message))

    def _step(self, before: int, step: str, node: str | None = None) -> None:
        """Adds a step to the way to the findings that were made since there were `before`."""
        for finding in self.findings[before:]:
            finding.steps.append(step)
            finding.node = finding.node or node


def _floats(buf: Buffer, tag: int, a: int, b: int) -> tuple[float, ...]:
    """The floats of one field, of a packed field, or of a run of fields."""
    if tag == _FLOATS:
        return tuple(number for (number,) in struct.iter_unpack("<xf", buf[a:b]))
    if (b - a) % 4:
        raise WireError("a packed field ends inside a number", a)
    return struct.unpack(f"<{(b - a) // 4}f", buf[a:b])


def _domain_shown(domain: str) -> str:
    return f"the domain {shown(domain)}" if domain else "the default domain `ai.onnx`"


def _newest(domain: str) -> int:
    return 1 if domain in _RUNTIME_DOMAINS else schemas.latest_opset(domain)
