"""The two ends of a connection, each on a thread of its own: the event loop waits neither to read nor to write."""

from __future__ import annotations

import os
import socket
import sys
import threading
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from onnxls_server.protocol.framing import bodies

FLUSH_TIME = 1.0
"""Seconds that a client has, at the end, to take what was written."""


@dataclass(frozen=True, slots=True)
class Connection:
    """How bytes come and go. `receive` gives none at the end; both raise OSError when the other side is gone."""

    receive: Callable[[int], bytes]
    send: Callable[[bytes], None]


def standard_streams() -> Connection:
    """Standard input and output, kept for messages alone: whatever else is printed goes to standard error."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for each in (incoming, outgoing):
            msvcrt.setmode(each, os.O_BINARY)

    def send(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(outgoing, view) :]

    return Connection(lambda size: os.read(incoming, size), send)


def socket_streams(connected: socket.socket) -> Connection:
    """A socket."""
    return Connection(connected.recv, connected.sendall)


class Reader:
    """Hands each body to the event loop, and tells it when the stream has ended."""

    def __init__(
        self,
        connection: Connection,
        loop: AbstractEventLoop,
        received: Callable[[bytes], None],
        ended: Callable[[], None],
    ) -> None:
        self._connection = connection
        self._loop = loop
        self._received = received
        self._ended = ended
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    def _read(self) -> None:
        try:
            try:
                for body in bodies(self._connection.receive):
                    self._loop.call_soon_threadsafe(self._received, body)
            except OSError:
                pass
            self._loop.call_soon_threadsafe(self._ended)
        except RuntimeError:  # the loop has ended
            pass


class Writer:
    """Writes in the order of the calls. What cannot be written any more is thrown away."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._queue: deque[bytes] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Takes a message; from any thread."""
        with self._wake:
            if not self._closed:
                self._queue.append(data)
                self._wake.notify()

    def close(self) -> None:
        """Writes what is left, as far as the client takes it in time."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(FLUSH_TIME)

    def _write(self) -> None:
        while True:
            with self._wake:
                while not self._queue and not self._closed:
                    self._wake.wait()
                if not self._queue:
                    return
                data = self._queue.popleft()
            try:
                self._connection.send(data)
            except OSError:
                with self._wake:
                    self._closed = True
                    self._queue.clear()
                return
