"""The server with all its handlers: importing this module fills the table that a server is made from."""

from __future__ import annotations

from onnxls_server.protocol import (
    completion,
    findings,
    hover,
    inlay_hints,
    lifecycle,
    model_text,
    navigation,
    sizes,
    symbols,
    synchronization,
)
from onnxls_server.protocol.server import Server

HANDLERS = (
    completion,
    findings,
    hover,
    inlay_hints,
    lifecycle,
    model_text,
    navigation,
    sizes,
    symbols,
    synchronization,
)

__all__ = ["HANDLERS", "Server"]
