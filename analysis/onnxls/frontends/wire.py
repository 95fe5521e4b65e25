"""The protobuf wire format, read in place.

A field is seen as its tag (number and wire type in one integer) and two offsets; nothing is copied. Every offset
that is handed out lies inside the message, or WireError is raised. Groups, which ONNX never had, are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from mmap import mmap

Buffer = bytes | mmap
"""What is read: anything whose slices are bytes."""

MAX_DEPTH = 100
"""Messages inside one another that protobuf reads at the most."""

Runs = Mapping[int, re.Pattern[bytes]]
"""Tags of repeated scalars, with the pattern of a run of them (see `runs`)."""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

_NO_RUNS: Runs = {}
_NO_KIND = 8
_KINDS = bytes(tag & 7 if tag > 7 else _NO_KIND for tag in range(128))
_ELEMENT = re.compile(rb"[\x80-\xff]*[\x00-\x7f]")
_CONTINUED = bytes(range(128, 256))
_LONGEST = 10
_MAX_TAG = (1 << 32) - 1
_MASK64 = (1 << 64) - 1


class Texts(dict[bytes, str]):
    """Texts by their bytes: each is decoded once, with replacements for what is no UTF-8."""

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = str(raw, "utf-8", "replace")
        return text


class WireError(ValueError):
    """What is wrong with the bytes, and at which offset; `stop` is how far the field should have gone, if known."""

    def __init__(self, problem: str, offset: int, stop: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.offset = offset
        self.stop = stop


def fields(buf: Buffer, pos: int, end: int, runs: Runs = _NO_RUNS) -> Iterator[tuple[int, int, int]]:
    """The fields of the message in `buf[pos:end]`, each as (tag, a, b).

    Length-delimited and fixed fields lie in `buf[a:b]`; of a varint, `a` is the unsigned 64-bit value. For a tag in
    `runs`, `buf[a:b]` is a run of whole fields of this tag, tags included.
    """
    start = pos
    kinds = _KINDS
    try:
        while pos < end:
            start = pos
            tag = buf[pos]
            pos += 1
            if tag < 128:
                kind = kinds[tag]
            else:
                tag, pos = varint(buf, start)
                kind = tag & 7 if 8 <= tag <= _MAX_TAG else _NO_KIND
            if kind == BYTES:
                size = buf[pos]
                pos += 1
                if size > 127:
                    size, pos = varint(buf, pos - 1)
                stop = pos + size
            elif tag in runs:
                stop = _run_end(runs[tag], buf, start, end)
                pos = start
            elif kind == VARINT:
                value = buf[pos]
                pos += 1
                if value > 127:
                    value, pos = varint(buf, pos - 1)
                if pos > end:
                    raise WireError("a number passes the end of its message", start)
                yield tag, value, pos
                continue
            else:
                stop = pos + _fixed_size(kind, start)
            if stop > end:
                raise WireError(f"a field of {stop - pos} bytes passes the end of its message", start, stop)
            yield tag, pos, stop
            pos = stop
    except IndexError:
        raise WireError("the data ends inside a field", start) from None


def varint(buf: Buffer, pos: int) -> tuple[int, int]:
    """The unsigned 64-bit number at `pos`, and the offset after it; IndexError at the end of the buffer."""
    value = shift = 0
    first = pos
    while True:
        byte = buf[pos]
        pos += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & _MASK64, pos
        shift += 7
        if pos - first == _LONGEST:
            raise WireError(f"a number is longer than {_LONGEST} bytes", first)


def encoded(value: int) -> bytes:
    """An unsigned number as a varint."""
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def encoded_field(tag: int, content: bytes) -> bytes:
    """A length-delimited field."""
    return encoded(tag) + encoded(len(content)) + content


def signed(value: int) -> int:
    """An unsigned 64-bit number read as int64."""
    return value - (1 << 64) if value >> 63 else value


def signed32(value: int) -> int:
    """An unsigned 64-bit number read as int32 or enum: the low 32 bits."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def packed(buf: Buffer, pos: int, end: int) -> tuple[int, ...]:
    """The numbers of a packed field, as int64."""
    chunk = buf[pos:end]
    if chunk.isascii():
        return tuple(chunk)
    if chunk[-1] > 127:
        raise WireError("a packed field ends inside a number", pos)
    return tuple(_number(element, pos) for element in _ELEMENT.findall(chunk))


def unpacked(buf: Buffer, pos: int, end: int) -> tuple[int, ...]:
    """The numbers of a run of varint fields with a tag of one byte, as int64."""
    chunk = buf[pos:end]
    if chunk.isascii():
        return tuple(chunk[1::2])
    return tuple(_number(element, pos) for element in _ELEMENT.findall(chunk)[1::2])


def count(buf: Buffer, pos: int, end: int) -> int:
    """How many varints lie in `buf[pos:end]`."""
    return len(buf[pos:end].translate(None, _CONTINUED))


def runs(*tags: int) -> Runs:
    """The patterns by which `fields` takes runs of these scalar fields in one step; tags of one byte."""
    shapes = {VARINT: rb"[\x80-\xff]{0,9}[\x00-\x7f]", FIXED64: rb".{8}", FIXED32: rb".{4}"}
    return {tag: re.compile(rb"(?:\x%02x%s)++" % (tag, shapes[tag & 7]), re.DOTALL) for tag in tags}


def _run_end(pattern: re.Pattern[bytes], buf: Buffer, start: int, end: int) -> int:
    match = pattern.match(buf, start, end)
    if match is None:
        raise WireError("a number passes the end of its message", start)
    return match.end()


def _fixed_size(kind: int, start: int) -> int:
    if kind == FIXED64:
        return 8
    if kind == FIXED32:
        return 4
    if kind == _NO_KIND:
        raise WireError("a field has an impossible number", start)
    if kind in (3, 4):
        raise WireError("a field is a group, which ONNX does not use", start)
    raise WireError(f"a field has the wire type {kind}, which does not exist", start)


def _number(element: bytes, offset: int) -> int:
    if len(element) == 1:
        return element[0]
    if len(element) > _LONGEST:
        raise WireError(f"a number is longer than {_LONGEST} bytes", offset)
    return signed(varint(element, 0)[0])
