"""What a client can do, as far as the server asks."""

from __future__ import annotations

from lsprotocol import types
from pygls.capabilities import get_capability

from onnxls_server.session.positions import Encoding

_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


class Client:
    """The client's capabilities as answers to questions."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        self._capabilities = capabilities

    def can(self, capability: str) -> bool:
        """Whether a capability such as `text_document.hover.dynamic_registration` is announced and true."""
        return bool(get_capability(self._capabilities, capability, False))

    def has(self, capability: str) -> bool:
        """Whether a capability is announced, however little it says."""
        return get_capability(self._capabilities, capability, None) is not None

    def number(self, capability: str) -> int | None:
        """A capability that is a number."""
        value: object = get_capability(self._capabilities, capability, None)
        return value if isinstance(value, int) else None

    def markdown(self, formats: str) -> bool:
        """Whether the formats that a capability lists have Markdown."""
        listed: object = get_capability(self._capabilities, formats, None)
        return isinstance(listed, list | tuple) and types.MarkupKind.Markdown in listed

    @property
    def encoding(self) -> Encoding:
        """The encoding of positions: the first of the client's that is known."""
        general = self._capabilities.general
        for offered in general.position_encodings or () if general is not None else ():
            known = _ENCODINGS.get(str(getattr(offered, "value", offered)))
            if known is not None:
                return known
        return "utf-16"

    @property
    def pulls(self) -> bool:
        """Whether findings are asked for rather than sent.

        A client that cannot be told to ask again would keep old ones after settings or other files have changed.
        """
        return self.has("text_document.diagnostic") and self.can("workspace.diagnostics.refresh_support")
