"""`onnxls server`: the language server, on standard input and output or on a socket."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import threading
from typing import TYPE_CHECKING

from onnxls_server.console import CommandError

if TYPE_CHECKING:
    import argparse

    from onnxls_server.engine import Engine
    from onnxls_server.protocol.streams import Connection


_STACK = 16 << 20
"""Bytes for each thread: some systems give so little that deeply nested input would end the process."""


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Serves one client, and ends the process: no thread of an analysis shall outlive the connection."""
    del engine
    from onnxls_server.protocol.streams import standard_streams

    threading.stack_size(_STACK)
    connection = _accepted(options.tcp) if options.tcp is not None else standard_streams()
    logging.basicConfig(
        level=options.log_level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    status = asyncio.run(_serve(connection))
    sys.stderr.flush()
    os._exit(status)


async def _serve(connection: Connection) -> int:
    from onnxls_server.protocol.handlers import Server

    return await Server().serve(connection)


def _accepted(address: str) -> Connection:
    """The first connection to an address."""
    from onnxls_server.protocol.streams import socket_streams

    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdigit()):
        raise CommandError(f"--tcp wants HOST:PORT, not `{address}`")
    try:
        listening = socket.create_server((host.strip("[]") or "127.0.0.1", int(port)), backlog=1)
    except (OSError, OverflowError) as error:
        raise CommandError(f"cannot listen on {address}: {error}") from error
    with listening:
        bound = listening.getsockname()
        sys.stderr.write(f"onnxls: listening on {bound[0]}:{bound[1]}\n")
        sys.stderr.flush()
        connected, _ = listening.accept()
    return socket_streams(connected)
