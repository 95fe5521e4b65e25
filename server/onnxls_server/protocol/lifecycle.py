"""The beginning of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


@feature(types.INITIALIZE)
def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Takes note of the client; pygls answers."""
    ls.started(params)
