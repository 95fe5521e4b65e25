"""A model file as bytes that stay, whatever becomes of the file while they are read.

A large file is not mapped, for a process dies that reads a map of a file which is cut short, as an exporter does that
writes it anew. Its structure is copied into memory of the file's length; the weights, which nobody reads, are left out,
and pages that nothing was written to take no room.
"""

from __future__ import annotations

import mmap
import os
import stat
from contextlib import suppress

from onnxls.frontends.wire import BYTES, FIXED32, FIXED64, MAX_DEPTH, VARINT, Buffer, WireError, varint

COUNTED = 1 << 20
"""Packed numbers of a tensor are counted up to this number of bytes, and not looked at beyond."""

ROOM = 64 << 20
"""Texts and numbers of attributes are not looked at beyond this number of bytes."""

_COPIED_FROM = 1 << 20
_SMALL = 1 << 16
_CHUNK = 1 << 14
_LONGEST_HEAD = 20

_Kind = str
_FIELDS: dict[_Kind, dict[int, _Kind]] = {
    "model": {58: "graph", 202: "function"},
    "graph": {10: "node", 42: "tensor", 122: "sparse"},
    "function": {58: "node", 90: "attribute"},
    "node": {42: "attribute"},
    "attribute": {42: "tensor", 82: "tensor", 50: "graph", 90: "graph", 178: "sparse", 186: "sparse"},
    "sparse": {10: "tensor", 18: "tensor"},
    "tensor": {},
}
"""The messages in which weights lie: by tag (number << 3 | wire type) what a field holds."""

_LEFT_OUT: dict[_Kind, dict[int, int]] = {
    "tensor": {74: 0, 34: 0, 82: 0, 42: COUNTED, 58: COUNTED, 90: COUNTED},  # raw_data, float_data and so on
    "attribute": {34: ROOM, 58: ROOM, 66: ROOM, 74: ROOM},
}
"""Fields that are left out where they have more bytes than this."""


_FIXED = {FIXED32: 4, FIXED64: 8}


def opened(path: str) -> Buffer | None:
    """The bytes of a file, those of large weights as zeros; None for what is no file. Raises OSError."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        return None
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < _COPIED_FROM:
            return file.read()
        if hasattr(os, "preadv"):
            memory = _memory(size)
            if memory is not None:
                try:
                    _Copy(file.fileno(), memory).message(0, size, "model", 0)
                except BaseException:
                    memory.close()
                    raise
                return memory
        with suppress(OSError):  # not every file system can map; where files cannot be cut short, maps are as good
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return file.read()


def _memory(size: int) -> mmap.mmap | None:
    """Empty pages; None where there is no room for so many."""
    try:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        memory = mmap.mmap(-1, size, flags=flags)
    except (OSError, ValueError, OverflowError):
        return None
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):
            memory.madvise(mmap.MADV_NOHUGEPAGE)  # else each small field between weights would take a huge page
    return memory


class _Copy:
    """Copies a file from its beginning on, but for what is left out. Damage is left to the reader to find."""

    def __init__(self, descriptor: int, memory: mmap.mmap) -> None:
        self._descriptor = descriptor
        self._memory = memory
        self._done = 0
        """All before this is copied or left out."""

    def message(self, pos: int, end: int, kind: _Kind, depth: int) -> None:
        """Copies the message in `[pos, end)`."""
        inner, left_out = _FIELDS[kind], _LEFT_OUT.get(kind, {})
        memory = self._memory
        while pos < end:
            if pos + _LONGEST_HEAD > self._done:
                self._to(min(pos + _LONGEST_HEAD, end))
            try:
                tag, pos = memory[pos], pos + 1
                if tag > 127:
                    tag, pos = varint(memory, pos - 1)
                if tag & 7 == BYTES:
                    size, pos = memory[pos], pos + 1
                    if size > 127:
                        size, pos = varint(memory, pos - 1)
                elif tag & 7 == VARINT:
                    pos = varint(memory, pos)[1]
                    continue
                else:
                    size = _FIXED[tag & 7]
            except (WireError, LookupError):
                return
            stop = pos + size
            if stop > end or depth > MAX_DEPTH:
                return
            if size >= _SMALL:
                if size > left_out.get(tag, size):
                    self._done = max(self._done, stop)
                elif tag in inner:
                    self.message(pos, stop, inner[tag], depth + 1)
                    self._done = max(self._done, stop)
            pos = stop
        self._to(end)

    def _to(self, end: int) -> None:
        """Copies up to `end`, and something more, so that files are not read in small pieces."""
        if end <= self._done:
            return
        end = min(max(end, self._done + _CHUNK), len(self._memory))
        with memoryview(self._memory) as whole:
            while self._done < end:
                with whole[self._done : end] as part:
                    count = os.preadv(self._descriptor, [part], self._done)
                if not count:
                    raise OSError("it was cut short while it was read")
                self._done += count
