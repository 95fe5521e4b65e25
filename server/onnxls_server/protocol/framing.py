"""Messages on a stream of bytes: header lines, an empty line, a body of the length that was announced.

Garbage between messages is passed over line by line; no input raises anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

MAX_BODY = 1 << 30
"""A body that is announced to be longer is taken for garbage."""

_MAX_LINE = 1 << 16
_CHUNK = 1 << 16
_LENGTH = re.compile(rb"\s*content-length\s*:\s*(\d{1,12})\s*", re.IGNORECASE)


def bodies(receive: Callable[[int], bytes]) -> Iterator[bytes]:
    """The bodies of all messages until the stream ends. `receive` gives at most so many bytes, none at the end."""
    buffer = bytearray()
    length: int | None = None
    while True:
        end = buffer.find(b"\n")
        if end < 0:
            if len(buffer) > _MAX_LINE:
                buffer.clear()
                length = None
            chunk = receive(_CHUNK)
            if not chunk:
                return
            buffer += chunk
            continue
        line = bytes(buffer[:end]).rstrip(b"\r")
        del buffer[: end + 1]
        announced = _LENGTH.fullmatch(line)
        if announced is not None:
            length = int(announced[1])
        elif not line.strip() and length is not None:
            if length <= MAX_BODY:
                while len(buffer) < length:
                    chunk = receive(min(length - len(buffer), 1 << 20))
                    if not chunk:
                        return
                    buffer += chunk
                yield bytes(buffer[:length])
                del buffer[:length]
            length = None


def framed(body: bytes) -> bytes:
    """A body with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body
