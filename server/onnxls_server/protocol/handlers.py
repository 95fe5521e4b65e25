"""The server with all its handlers: importing this module fills the table that a server is made from."""

from __future__ import annotations

from onnxls_server.protocol import (
    code_actions,
    code_lens,
    commands,
    completion,
    findings,
    hover,
    inlay_hints,
    lifecycle,
    model_text,
    navigation,
    notebooks,
    rename,
    sizes,
    symbols,
    synchronization,
    tokens,
)
from onnxls_server.protocol.server import Server

HANDLERS = (
    code_actions,
    code_lens,
    commands,
    completion,
    findings,
    hover,
    inlay_hints,
    lifecycle,
    model_text,
    navigation,
    notebooks,
    rename,
    sizes,
    symbols,
    synchronization,
    tokens,
)

__all__ = ["HANDLERS", "Server"]
