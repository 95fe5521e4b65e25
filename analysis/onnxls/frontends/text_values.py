"""Types, numbers and tensors of the ONNX textual syntax.

Tensors mean what `onnx.parser` takes them for: a `float16` is given by its bits, a float is rounded to 32 bits. Empty
braces of a tensor that has elements stand for weights that are not shown.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from onnxls.facts import BFLOAT16, BOOL, DOUBLE, FLOAT16, STRING
from onnxls.frontends.external import External
from onnxls.frontends.tensors import BAD_TENSOR, SMALL, read_tensor, shown
from onnxls.frontends.text_cursor import Cursor, TextError
from onnxls.frontends.text_tokens import DTYPES, FLOAT_WORDS, NAME_START, NUMBER_START, TYPE_WORDS
from onnxls.frontends.wire import encoded, encoded_field
from onnxls.graph import DeclaredDim, Scalar, Tensor, TypeInfo
from onnxls.spans import Span

MAX_DEPTH = 40
"""How deep graphs and types may lie in one another; a protobuf model cannot nest graphs deeper."""

INT64 = (-(1 << 63), (1 << 63) - 1)
_INT32 = (-(1 << 31), (1 << 31) - 1)
_SIGNED = {3: 8, 5: 16, 6: 32, 7: 64, 22: 4, 26: 2}
_UNSIGNED = {2: 8, 4: 16, 12: 32, 13: 64, 21: 4, 25: 2}
_RANGES: Mapping[int, tuple[int, int]] = {
    **{dtype: (-(1 << bits - 1), (1 << bits - 1) - 1) for dtype, bits in _SIGNED.items()},
    **{dtype: (0, (1 << bits) - 1) for dtype, bits in _UNSIGNED.items()},
}
_LONGEST = 24

_COMPLEX128 = 15
_COMPLEX = frozenset((14, 15))
_FLOATS = frozenset((1, 11, 14, 15))
_KEPT = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16, 21, 22, 25, 26))

Shape = tuple[DeclaredDim, ...]
_T = TypeVar("_T")


class ValueReader(Cursor):
    """Reads types, numbers and tensors at the cursor."""

    def __init__(self, text: str, path: str, external: External | None) -> None:
        super().__init__(text, path)
        self.external = external
        self.depth: int = 0

    def type(self) -> tuple[TypeInfo | None, tuple[Span, ...]]:
        """A type and the ranges of its axes; an opaque type is None."""
        word = self.words[self.at]
        dtype = DTYPES.get(word)
        if dtype is not None:
            self.at += 1
            shape, dims = self.shape()
            return TypeInfo("tensor", dtype or None, shape), dims
        if word not in TYPE_WORDS:
            raise self.failed("a type")
        self.at += 1
        if self.depth >= MAX_DEPTH:
            self.too_deep("types", "(")
            return None, ()
        self.depth += 1
        try:
            self.take("(")
            made = self._constructed(word)
            self.take(")")
        finally:
            self.depth -= 1
        return made

    def _constructed(self, word: str) -> tuple[TypeInfo | None, tuple[Span, ...]]:
        if word == "opaque":
            return self._opaque(), ()
        if word == "map":
            key = self._element_type()
            self.take(",")
            element, dims = self.type()
            return TypeInfo("map", key, element=element), dims
        if word == "sparse_tensor":
            dtype = self._element_type()
            shape, dims = self.shape()
            return TypeInfo("sparse_tensor", dtype, shape), dims
        element, dims = (None, ()) if self.words[self.at] == ")" else self.type()
        return TypeInfo("sequence" if word == "seq" else "optional", element=element), dims

    def _element_type(self) -> int | None:
        dtype = DTYPES.get(self.words[self.at])
        if dtype is None:
            raise self.failed("the type of an element")
        self.at += 1
        return dtype or None

    def _opaque(self) -> None:
        while self.words[self.at][:1] in NAME_START or self.words[self.at] in (".", ","):
            self.at += 1

    def shape(self) -> tuple[Shape | None, tuple[Span, ...]]:
        """The axes in brackets: rank 0 without brackets, None where they are empty."""
        words = self.words
        if words[self.at] != "[":
            return (), ()
        self.at += 1
        if words[self.at] == "]":
            self.at += 1
            return None, ()
        shape: list[DeclaredDim] = []
        spans: list[Span] = []
        while True:
            spans.append(self.span(self.at))
            shape.append(self._dim())
            if words[self.at] == "]":
                break
            if words[self.at] != ",":
                raise self.failed("`,` or `]`")
            self.at += 1
        self.at += 1
        return tuple(shape), tuple(spans)

    def _dim(self) -> DeclaredDim:
        """A declared size; an empty name says nothing."""
        word = self.words[self.at]
        first = word[:1]
        if first in NUMBER_START:
            return self.integer(INT64)
        if word == "?":
            self.at += 1
            return None
        return self.name("a size, a name or `?`") or None

    def integer(self, bounds: tuple[int, int]) -> int:
        """Takes an integer within bounds."""
        word = self.words[self.at]
        if word[:1] not in NUMBER_START:
            raise self.failed("an integer")
        digits = word.lstrip("-")
        if not digits.isdigit():
            raise self.failed("an integer")
        value = int(word) if len(digits) <= _LONGEST else bounds[1] + 1
        if not bounds[0] <= value <= bounds[1]:
            raise TextError(self.span(self.at), f"the integer does not lie in {bounds[0]} .. {bounds[1]}")
        self.at += 1
        return value

    def number(self, double: bool = False) -> float:
        """Takes a floating-point number, rounded to 32 bits unless it is a double."""
        word = self.words[self.at]
        if word[:1] not in NUMBER_START and word.lower() not in FLOAT_WORDS:
            raise self.failed("a number")
        try:
            value = float(word)
            if not double:
                value = float32(value)
        except ValueError:
            raise self.failed("a number") from None
        except OverflowError:
            raise TextError(self.span(self.at), "the number is too large") from None
        if math.isinf(value) and any(c.isdigit() for c in word):
            raise TextError(self.span(self.at), "the number is too large")
        self.at += 1
        return value

    def tensor(self, type_: TypeInfo | None, type_span: Span, name: str) -> Tensor:
        """Takes the elements of a tensor after its type."""
        if type_ is None or type_.kind != "tensor" or type_.shape is None:
            raise TextError(type_span, "a tensor with elements needs a type with sizes, such as `int64[2]`")
        dtype = type_.dtype or 0
        dims: list[int] = []
        for dim in type_.shape:
            if not isinstance(dim, int):
                raise TextError(type_span, "each size of a tensor with elements is a number that is not negative")
            dims.append(dim)
        if self.words[self.at] == "[":
            return self._external(name, dtype, dims, type_span)
        self.take("{")
        elements = self._elements(dtype)
        want = math.prod(dims) * (2 if dtype in _COMPLEX else 1)
        problem = None
        if elements and len(elements) != want:
            problem = f"the type of tensor {shown(name)} has {want} elements, {len(elements)} are given"
            self.report(TextError(type_span, problem, BAD_TENSOR, name))
        kept = dtype in _KEPT and len(elements) == want <= SMALL
        decode = partial(_decoded, dtype, tuple(elements)) if kept else _nothing
        return Tensor(name, dtype, tuple(dims), decode, problem)

    def _elements(self, dtype: int) -> list[int] | list[float] | list[str]:
        if dtype == STRING:
            return self._listed(self.string)
        if dtype in _FLOATS:
            return self._listed(partial(self.number, dtype in (DOUBLE, _COMPLEX128)))
        return self._listed(partial(self.integer, _RANGES.get(dtype, _INT32)))

    def _listed(self, take: Callable[[], _T]) -> list[_T]:
        words = self.words
        found: list[_T] = []
        if words[self.at] != "}":
            found.append(take())
            while words[self.at] == ",":
                self.at += 1
                found.append(take())
        self.close("}")
        return found

    def _external(self, name: str, dtype: int, dims: list[int], type_span: Span) -> Tensor:
        """Data in a file, by the same reading as in a binary model."""
        self.at += 1
        entries = {key: value for key, value, _ in self.pairs()}
        message = encoded_external(name, dtype, dims, entries)
        tensor, fault = read_tensor(message, 0, len(message), self.external)
        if fault:
            self.report(TextError(type_span, fault.message, fault.rule, name))
        return tensor

    def pairs(self) -> list[tuple[str, str, Span]]:
        """Takes `"key": "value"` entries and the bracket `]` after them."""
        found: list[tuple[str, str, Span]] = []
        while True:
            begin = self.at
            key = self.string()
            self.take(":")
            found.append((key, self.string(), self.since(begin)))
            if self.words[self.at] != ",":
                break
            self.at += 1
        self.close("]")
        return found

    def too_deep(self, what: str, last: str) -> None:
        """Reports what lies too deep and moves past it, up to its bracket `last`."""
        stop = TextError(self.span(self.at), f"{what} lie more than {MAX_DEPTH} deep in one another")
        self.report(stop)
        if not self.skip_past(last):
            self.give_up(stop)


def float32(value: float) -> float:
    """The nearest 32-bit number; OverflowError where there is none."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def unreadable(name: str, type_: TypeInfo | None) -> Tensor | None:
    """The tensor of a type, without elements; None where the type says no sizes."""
    if type_ is None or type_.shape is None or type_.kind != "tensor":
        return None
    dims = [dim for dim in type_.shape if isinstance(dim, int)]
    return Tensor(name, type_.dtype or 0, tuple(dims), _nothing) if len(dims) == len(type_.shape) else None


def encoded_external(name: str, dtype: int, dims: list[int], entries: Mapping[str, str]) -> bytes:
    """The TensorProto of a tensor with external data."""
    parts = [encoded_field(66, name.encode("utf-8", "replace"))]
    parts.extend(b"\x08" + encoded(dim) for dim in dims)
    parts.append(b"\x10" + encoded(dtype) + b"\x70\x01")
    for key, value in entries.items():
        entry = encoded_field(10, key.encode("utf-8", "replace")) + encoded_field(18, value.encode("utf-8", "replace"))
        parts.append(encoded_field(106, entry))
    return b"".join(parts)


def _decoded(dtype: int, elements: tuple[int | float | str, ...]) -> tuple[Scalar, ...]:
    numbers = tuple(element for element in elements if not isinstance(element, str))
    if dtype == BOOL:
        return tuple(map(bool, numbers))
    if dtype == FLOAT16:
        bits = struct.pack(f"<{len(numbers)}H", *(int(number) & 0xFFFF for number in numbers))
        return struct.unpack(f"<{len(numbers)}e", bits)
    if dtype == BFLOAT16:
        bits = struct.pack(f"<{len(numbers)}I", *(int(number) << 16 & 0xFFFF0000 for number in numbers))
        return struct.unpack(f"<{len(numbers)}f", bits)
    return numbers


def _nothing() -> None:
    return None
