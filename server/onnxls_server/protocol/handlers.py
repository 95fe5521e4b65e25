"""The server with all its handlers: importing this module fills the table that a server is made from."""

from __future__ import annotations

from onnxls_server.protocol import findings, lifecycle, model_text, synchronization
from onnxls_server.protocol.server import Server

__all__ = ["Server", "findings", "lifecycle", "model_text", "synchronization"]
