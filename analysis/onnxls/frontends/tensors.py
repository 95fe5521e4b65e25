"""TensorProto to Tensor. The elements of a small tensor are copied and decoded on demand; larger data is never read.

A Tensor holds on to nothing of the buffer that it was read from, so the file may change or go.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod

from onnxls.facts import BFLOAT16, BOOL, STRING
from onnxls.frontends.external import LFS_MARK, LFS_POINTER, MISSING, OUTSIDE, External, OutsideFolderError, leaves
from onnxls.frontends.files import COUNTED
from onnxls.frontends.wire import (
    Buffer,
    Texts,
    WireError,
    count,
    fields,
    packed,
    runs,
    signed,
    signed32,
    unpacked,
)
from onnxls.graph import Scalar, Tensor
from onnxls.rules import Rule, rule

SMALL = 64
"""The elements of a tensor are kept up to this number."""

BAD_TENSOR = rule(
    "bad-tensor",
    "OLS007",
    "error",
    """
    A tensor in the file contradicts itself.

    Its data holds more or fewer elements than its dims say, a dim is negative, its element type is missing, or the
    place of its external data cannot be read as numbers.

    onnx and onnxruntime refuse to load the model, or read other values than were meant.

    Write the tensor again, best with `onnx.numpy_helper.from_array`, which keeps dims, type and data in step.
    """,
)

Decode = Callable[[], tuple[Scalar, ...] | None]

# fields of TensorProto: number << 3 | wire type
_DIMS, _DIMS_PACKED, _TYPE, _SEGMENT, _NAME, _RAW, _EXTERNAL, _LOCATION = 8, 10, 16, 26, 66, 74, 106, 112
_STRINGS, _INT32, _INT64, _UINT64, _FLOAT, _DOUBLE = 50, 40, 56, 88, 37, 81
_RUNS = runs(_INT32, _INT64, _UINT64, _FLOAT, _DOUBLE)
_PACKED = {tag & ~7 | 2: tag for tag in _RUNS}
_DATA = frozenset((*_RUNS, *_PACKED, _STRINGS))
_WIDTH = {_FLOAT: 4, _DOUBLE: 8}

_DTYPES_BY_BITS = {
    2: (25, 26),
    4: (21, 22, 23),
    8: (2, 3, 9, 17, 18, 19, 20, 24),
    16: (4, 5, 10, 16),
    32: (1, 6, 12),
    64: (7, 11, 13, 14),
    128: (15,),
}
_BITS = {dtype: bits for bits, dtypes in _DTYPES_BY_BITS.items() for dtype in dtypes}
_STORED_AS = {1: _FLOAT, 7: _INT64, 8: _STRINGS, 11: _DOUBLE, 12: _UINT64, 13: _UINT64, 14: _FLOAT, 15: _DOUBLE}
_COMPLEX = (14, 15)
_FORMATS = {1: "f", 2: "B", 3: "b", 4: "H", 5: "h", 6: "i", 7: "q", 9: "?", 10: "e", 11: "d", 12: "I", 13: "Q"}
_DENSE = {34: 1, 82: 11}  # packed fields that are dense data of a type
_SUB_BYTE = {21: (4, False), 22: (4, True), 25: (2, False), 26: (2, True)}
_DECODED = frozenset((*_FORMATS, *_SUB_BYTE, BFLOAT16))
_MOST = 1 << 63
_USUAL_RANK = 32
_LONGEST_POINTER = 1024


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a tensor. Faults of one rule and cause are one finding; an empty cause is none but its own."""

    rule: Rule
    message: str
    cause: str = ""


@dataclass(slots=True)
class _Parts:
    """The fields of one TensorProto, unread."""

    name: str
    dtype: int
    dims: tuple[int, ...]
    raw: tuple[int, int] | None
    stored: list[tuple[int, int, int]]
    external: list[tuple[int, int]] | None


def read_tensor(buf: Buffer, pos: int, end: int, external: External | None) -> tuple[Tensor, Fault | None]:
    """The tensor in `buf[pos:end]`, and what is wrong with it."""
    name, dtype = "", 0
    dims: list[int] = []
    raw: tuple[int, int] | None = None
    stored: list[tuple[int, int, int]] = []
    entries: list[tuple[int, int]] = []
    is_external = is_segment = False
    for tag, a, b in fields(buf, pos, end, _RUNS):
        if tag == _DIMS:
            dims.append(signed(a))
        elif tag == _RAW:
            raw = (a, b)
        elif tag == _NAME:
            name = str(buf[a:b], "utf-8", "replace")
        elif tag == _TYPE:
            dtype = signed32(a)
        elif tag in _DATA:
            stored.append((tag, a, b))
        elif tag == _EXTERNAL:
            entries.append((a, b))
        elif tag == _LOCATION:
            is_external = a == 1
        elif tag == _DIMS_PACKED:
            dims.extend(packed(buf, a, b))
        elif tag == _SEGMENT:
            is_segment = True
    shape = tuple(dims)
    if is_segment:
        return Tensor(name, dtype, shape, _nothing), None
    if raw is None and len(stored) == 1 and _DENSE.get(stored[0][0]) == dtype:
        raw = stored[0][1:]
    parts = _Parts(name, dtype, shape, raw, stored, entries if is_external else None)
    decode, fault = _data(buf, parts, external)
    return Tensor(name, dtype, shape, decode, fault and fault.message), fault


def read_sparse_tensor(buf: Buffer, pos: int, end: int, external: External | None) -> tuple[Tensor, Fault | None]:
    """The sparse tensor in `buf[pos:end]`, as the dense tensor of its dims, without elements."""
    dims: list[int] = []
    values, fault = Tensor("", 0, (), _nothing), None
    for tag, a, b in fields(buf, pos, end):
        if tag == 10:
            values, fault = read_tensor(buf, a, b, external)
        elif tag == 24:
            dims.append(signed(a))
        elif tag == 26:
            dims.extend(packed(buf, a, b))
    if fault is None and min(dims, default=0) < 0:
        fault = _negative(values.name, tuple(dims))
    return Tensor(values.name, values.dtype, tuple(dims), _nothing, fault and fault.message), fault


def read_entry(buf: Buffer, pos: int, end: int, texts: Texts) -> tuple[str, str]:
    """The key and value of a StringStringEntryProto."""
    key = value = ""
    for tag, a, b in fields(buf, pos, end):
        if tag == 10:
            key = texts[buf[a:b]]
        elif tag == 18:
            value = texts[buf[a:b]]
    return key, value


def shown(name: str) -> str:
    """A name as messages have it: quoted, printable and short."""
    text = name if len(name) <= 80 else name[:77] + "..."
    if not text.isprintable():
        text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return f"`{text}`"


def _data(buf: Buffer, parts: _Parts, external: External | None) -> tuple[Decode, Fault | None]:
    dims = parts.dims
    if dims and min(dims) < 0:
        return _nothing, _negative(parts.name, dims)
    if parts.dtype == 0:
        return _nothing, Fault(BAD_TENSOR, f"tensor {shown(parts.name)} has no element type")
    elements = min(prod(dims), _MOST) if len(dims) <= _USUAL_RANK else _elements(dims)
    if parts.external is not None:
        return _external(buf, parts, parts.external, elements, external)
    if parts.raw is not None:
        return _raw(buf, parts, elements, *parts.raw)
    return _stored(buf, parts, elements)


def _raw(buf: Buffer, parts: _Parts, elements: int, a: int, b: int) -> tuple[Decode, Fault | None]:
    size = _size(parts.dtype, elements)
    if size is not None and size != b - a:
        return _nothing, _mismatch(parts, elements, f"needs {size} bytes, but its data has {b - a}")
    if elements > SMALL or parts.dtype not in _DECODED:
        return _nothing, None
    return partial(_decode, parts.dtype, elements, buf[a:b]), None


def _stored(buf: Buffer, parts: _Parts, elements: int) -> tuple[Decode, Fault | None]:
    scalar = _STORED_AS.get(parts.dtype, _INT32)
    places = [place for place in parts.stored if _PACKED.get(place[0], place[0]) == scalar]
    found = _entries(buf, places)
    wanted = _expected_entries(parts.dtype, elements)
    if found is not None and wanted is not None and found != wanted:
        if not parts.stored:
            message = f"tensor {shown(parts.name)} has dims {_listed(parts.dims)}, but no data"
            return _nothing, Fault(BAD_TENSOR, message, "no data")
        return _nothing, _mismatch(parts, elements, f"its data has {found} (of {wanted} wanted)")
    if elements > SMALL or parts.dtype not in _DECODED:
        return _nothing, None
    chunk = b"".join(_little_endian(buf, parts.dtype, *place) for place in places)
    return partial(_decode, parts.dtype, elements, chunk), None


def _external(
    buf: Buffer, parts: _Parts, places: list[tuple[int, int]], elements: int, external: External | None
) -> tuple[Decode, Fault | None]:
    texts = Texts()
    entries = dict(read_entry(buf, a, b, texts) for a, b in places)
    location = entries.get("location", "")
    offset, length = _natural(entries.get("offset", "0")), _natural(entries.get("length", "0"))
    size = _size(parts.dtype, elements)
    name = shown(parts.name)
    if not location:
        return _nothing, Fault(BAD_TENSOR, f"tensor {name} has external data, but names no file", "no file")
    if offset is None or length is None:
        return _nothing, Fault(BAD_TENSOR, f"the offset or length of the external data of {name} is no number")
    if length and size is not None and length != size:
        message = f"needs {size} bytes, but its external data has a length of {length}"
        return _nothing, _mismatch(parts, elements, message)
    fault = _reach(parts.name, location, offset, length if size is None else size, external)
    if fault or external is None or size is None or elements > SMALL or parts.dtype not in _DECODED:
        return _nothing, fault
    return partial(_decode_external, parts.dtype, elements, partial(external, location, offset, size)), None


def _reach(name: str, location: str, offset: int, size: int, external: External | None) -> Fault | None:
    outside = Fault(OUTSIDE, f"the data of {shown(name)} lies outside the model's folder: {shown(location)}", location)
    if leaves(location):
        return outside
    if external is None:
        return None
    try:
        reached = external(location, offset + size, 0) is not None
        is_long = reached and external(location, _LONGEST_POINTER, 0) is not None
        start = b"" if is_long else external(location, 0, len(LFS_MARK))
    except OutsideFolderError:
        return outside
    what = f"{shown(location)}, which holds the data of {shown(name)},"
    if start is None:
        return Fault(MISSING, f"{what} cannot be read", location)
    if start == LFS_MARK:
        return Fault(LFS_POINTER, f"{what} is a git LFS pointer", location)
    if not reached:
        return Fault(MISSING, f"{what} ends before byte {offset + size:,}", location)
    return None


def _negative(name: str, dims: tuple[int, ...]) -> Fault:
    axis = next(axis for axis, dim in enumerate(dims) if dim < 0)
    return Fault(BAD_TENSOR, f"tensor {shown(name)} has the size {dims[axis]} at axis {axis}")


def _elements(dims: tuple[int, ...]) -> int:
    """The product of many dims, or `_MOST`."""
    if 0 in dims:
        return 0
    product = 1
    for dim in dims:
        product = min(product * dim, _MOST)
    return product


def _size(dtype: int, elements: int) -> int | None:
    """The bytes of dense data; None where the type has no fixed size."""
    bits = _BITS.get(dtype)
    return None if bits is None else (elements * bits + 7) // 8


def _expected_entries(dtype: int, elements: int) -> int | None:
    bits = _BITS.get(dtype)
    if dtype in _COMPLEX:
        return 2 * elements
    if bits is None:
        return elements if dtype == STRING else None
    return (elements * bits + 7) // 8 if bits < 8 else elements


def _mismatch(parts: _Parts, elements: int, rest: str) -> Fault:
    many = "more elements than a file can hold" if elements == _MOST else f"{elements} elements"
    return Fault(BAD_TENSOR, f"tensor {shown(parts.name)} has dims {_listed(parts.dims)}, so {many}: {rest}")


def _listed(dims: tuple[int, ...]) -> str:
    text = ", ".join(map(str, dims[:8]))
    return f"[{text}, ...]" if len(dims) > 8 else f"[{text}]"


def _natural(text: str) -> int | None:
    return int(text) if len(text) < 20 and text.isascii() and text.isdigit() else None


def _entries(buf: Buffer, places: list[tuple[int, int, int]]) -> int | None:
    """The number of stored scalars; None where counting would mean reading much."""
    total = 0
    for tag, a, b in places:
        scalar = _PACKED.get(tag, tag)
        per_field = 1 if tag == scalar else 0
        if tag == _STRINGS:
            total += 1
        elif scalar in _WIDTH:
            whole, rest = divmod(b - a, _WIDTH[scalar] + per_field)
            if rest:
                raise WireError("a packed field ends inside a number", a)
            total += whole
        elif b - a > COUNTED:
            return None
        else:
            total += count(buf, a, b) >> per_field
    return total


def _little_endian(buf: Buffer, dtype: int, tag: int, a: int, b: int) -> bytes:
    """Stored scalars as the dense data that they stand for."""
    scalar = _PACKED.get(tag, tag)
    if scalar in _WIDTH:
        step = _WIDTH[scalar] + 1
        chunk = buf[a:b]
        return chunk if tag != scalar else b"".join(chunk[i : i + step][1:] for i in range(0, len(chunk), step))
    numbers = unpacked(buf, a, b) if tag == scalar else packed(buf, a, b)
    if dtype == BOOL:
        return bytes(number != 0 for number in numbers)
    size = max(_BITS[dtype] // 8, 1)
    mask = (1 << 8 * size) - 1
    return b"".join((number & mask).to_bytes(size, "little") for number in numbers)


def _nothing() -> None:
    return None


def _decode_external(dtype: int, elements: int, read: Callable[[], bytes | None]) -> tuple[Scalar, ...] | None:
    try:
        data = read()
    except OutsideFolderError:
        return None
    return _decode(dtype, elements, data) if data is not None and len(data) == _size(dtype, elements) else None


def _decode(dtype: int, elements: int, data: bytes) -> tuple[Scalar, ...]:
    """The elements of dense little-endian data of exactly the right size."""
    if dtype in _SUB_BYTE:
        return _sub_byte(data, elements, *_SUB_BYTE[dtype])
    if dtype == BFLOAT16:
        halves = struct.unpack(f"<{elements}H", data)
        return struct.unpack(f"<{elements}f", struct.pack(f"<{elements}I", *(half << 16 for half in halves)))
    return struct.unpack(f"<{elements}{_FORMATS[dtype]}", data)


def _sub_byte(data: bytes, elements: int, bits: int, is_signed: bool) -> tuple[int, ...]:
    half, mask, per_byte = 1 << bits - 1, (1 << bits) - 1, 8 // bits
    bare = (data[i // per_byte] >> bits * (i % per_byte) & mask for i in range(elements))
    return tuple(number - (number & half) * 2 if is_signed else number for number in bare)
