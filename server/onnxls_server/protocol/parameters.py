"""Parameters of the requests that are onnxls' own: plain JSON of any shape until it is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pygls.exceptions import JsonRpcInvalidParams

from onnxls_server.session.opened import View
from onnxls_server.session.positions import Encoding, offset_of


def field(params: object, name: str) -> object:
    """A field of an object; None where it is missing, or the parameters are no object."""
    return cast("Mapping[object, object]", params).get(name) if isinstance(params, Mapping) else None


def text_field(params: object, name: str) -> str:
    """A field that must be a string."""
    value = field(params, name)
    if not isinstance(value, str):
        raise JsonRpcInvalidParams(f"`{name}` must be a string")
    return value


class Asked:
    """A document, and a position in it if there is one."""

    def __init__(self, params: object) -> None:
        self.uri = text_field(params, "uri")
        position = field(params, "position")
        self._position: tuple[int, int] | None = None
        if position is not None:
            line, character = field(position, "line"), field(position, "character")
            if not isinstance(line, int) or not isinstance(character, int):
                raise JsonRpcInvalidParams("`position` has a line and a character")
            self._position = line, character

    def offset(self, view: View, encoding: Encoding) -> int | None:
        """The offset of the position in the text of a view."""
        part = view.layout.part(self.uri)
        if self._position is None or part is None:
            return None
        return part.start + offset_of(part.lines, *self._position, encoding)
