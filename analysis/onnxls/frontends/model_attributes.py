"""Attributes of nodes in a binary model: AttributeProto, with all that it may hold."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import chain

from onnxls.frontends.external import External
from onnxls.frontends.files import ROOM
from onnxls.frontends.model_faults import TOO_LARGE, Faults
from onnxls.frontends.model_types import SHARED_UP_TO, TypeReader
from onnxls.frontends.tensors import read_sparse_tensor, read_tensor, shown
from onnxls.frontends.wire import Buffer, Texts, WireError, fields, packed, runs, signed, signed32, unpacked
from onnxls.graph import Attr, AttrValue, Graph, Tensor, TypeInfo

Places = list[tuple[int, int]]
"""The offsets of messages, which protobuf would merge where there are several for one."""

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
_SPARSE = frozenset((178, 186))
_KIND_BY_TAG = {tag: kind for kind, tags in _TAGS_BY_KIND.items() for tag in tags}

_Fields = list[tuple[int, int, int]]


class AttributeReader:
    """Reads attributes out of one buffer; attributes with the same bytes are made once.

    `graph` reads a nested graph, some messages deep. Texts and lists of all attributes are read up to `files.ROOM`.
    """

    def __init__(
        self,
        buf: Buffer,
        texts: Texts,
        types: TypeReader,
        faults: Faults,
        external: External | None,
        graph: Callable[[Places, int], Graph],
    ) -> None:
        self._buf = buf
        self._texts = texts
        self._types = types
        self._faults = faults
        self._external = external
        self._graph = graph
        self._attrs: dict[bytes, Attr] = {}
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

    def attribute(self, pos: int, end: int, depth: int) -> Attr:
        """An attribute, `depth` messages deep."""
        if end - pos > SHARED_UP_TO:
            return self._read_attribute(pos, end, depth)
        raw = self._buf[pos:end]
        known = self._attrs.get(raw)
        if known is not None:
            return known
        before = len(self._faults)
        attr = self._read_attribute(pos, end, depth)
        if attr.type not in (_GRAPH, _GRAPHS) and len(self._faults) == before:
            self._attrs[raw] = attr
        return attr

    def _read_attribute(self, pos: int, end: int, depth: int) -> Attr:
        before = len(self._faults)
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
        if len(self._faults) > before:
            self._faults.step(before, name)
        return Attr(name, kind, value, None)

    def _has_room(self, kind: int, places: _Fields, name: str) -> bool:
        if kind not in _COPIED_KINDS:
            return True
        size = sum(b - a for _, a, b in places)
        if size > self._room:
            self._faults.add(TOO_LARGE, f"the attribute {shown(name)} of {size:,} bytes is too large to be read")
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
        return self._types.type(*places[-1][1:], depth) if places else None

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
        types = (self._types.type(a, b, depth) for _, a, b in places)
        return tuple(found for found in types if found is not None)

    def _tensor(self, tag: int, pos: int, end: int) -> Tensor:
        read = read_sparse_tensor if tag in _SPARSE else read_tensor
        return self._faults.told(*read(self._buf, pos, end, self._external))

    def _text(self, a: int, b: int) -> str:
        return self._texts[self._buf[a:b]]


def _floats(buf: Buffer, tag: int, a: int, b: int) -> tuple[float, ...]:
    """The floats of one field, of a packed field, or of a run of fields."""
    if tag == _FLOATS:
        return tuple(number for (number,) in struct.iter_unpack("<xf", buf[a:b]))
    if (b - a) % 4:
        raise WireError("a packed field ends inside a number", a)
    return struct.unpack(f"<{(b - a) // 4}f", buf[a:b])
