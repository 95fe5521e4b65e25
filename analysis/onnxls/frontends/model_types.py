"""Declared types in a binary model: ValueInfoProto and TypeProto."""

from __future__ import annotations

from onnxls.frontends.model_faults import TooDeepError
from onnxls.frontends.wire import MAX_DEPTH, Buffer, Texts, fields, signed, signed32
from onnxls.graph import DeclaredDim, TypeInfo, Value

SHARED_UP_TO = 256
"""What is made of a message of this many bytes is shared by all messages with the same bytes."""


class TypeReader:
    """Reads types out of one buffer. Raises TooDeepError, and WireError for what is no message."""

    def __init__(self, buf: Buffer, texts: Texts) -> None:
        self._buf = buf
        self._texts = texts
        self._types: dict[bytes, TypeInfo | None] = {}

    def value(self, pos: int, end: int, depth: int) -> Value:
        """A named value with its declared type (ValueInfoProto), `depth` messages deep."""
        name, declared = "", None
        for tag, a, b in fields(self._buf, pos, end):
            if tag == 10:
                name = self._texts[self._buf[a:b]]
            elif tag == 18:
                declared = self.type(a, b, depth + 1)
        return Value(name, declared)

    def type(self, pos: int, end: int, depth: int) -> TypeInfo | None:
        """A TypeProto; None for an opaque type and for none."""
        if end - pos > SHARED_UP_TO:
            return self._read_type(pos, end, depth)
        raw = self._buf[pos:end]
        if raw not in self._types:
            self._types[raw] = self._read_type(pos, end, depth)
        return self._types[raw]

    def _read_type(self, pos: int, end: int, depth: int) -> TypeInfo | None:
        if depth > MAX_DEPTH:
            raise TooDeepError
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
                element = self.type(a, b, depth + 2)
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
                declared = self._texts[self._buf[a:b]] or None
        return declared
