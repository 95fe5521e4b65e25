"""What a client can do, as far as the server asks."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from pygls.capabilities import get_capability

from onnxls_server.session.positions import Encoding

_ENCODINGS: dict[object, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


class Client:
    """The client's capabilities as answers to questions."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        self._capabilities = capabilities

    def can(self, capability: str) -> bool:
        """Whether a capability such as `text_document.hover.dynamic_registration` is announced and true."""
        return bool(get_capability(self._capabilities, capability, False))

    @property
    def encoding(self) -> Encoding:
        """The encoding of positions: the first of the client's that is known."""
        offered: Sequence[object] = get_capability(self._capabilities, "general.position_encodings", None) or []
        return next((known for each in offered if (known := _ENCODINGS.get(each)) is not None), "utf-16")

    @property
    def pulls(self) -> bool:
        """Whether findings are asked for rather than sent.

        A client that cannot be told to ask again would keep old ones after settings or other files have changed.
        """
        asks = get_capability(self._capabilities, "text_document.diagnostic", None) is not None
        return asks and self.can("workspace.diagnostics.refresh_support")
