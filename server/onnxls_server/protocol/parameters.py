"""Parameters of the requests that are onnxls' own: plain JSON of any shape until it is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams


def field(params: object, name: str) -> object:
    """A field of an object; None where it is missing, or the parameters are no object."""
    return cast("Mapping[object, object]", params).get(name) if isinstance(params, Mapping) else None


def text_field(params: object, name: str) -> str:
    """A field that must be a string."""
    value = field(params, name)
    if not isinstance(value, str):
        raise JsonRpcInvalidParams(f"`{name}` must be a string")
    return value


def position_field(params: object, name: str) -> types.Position | None:
    """A field that is a position, or is missing."""
    position = field(params, name)
    if position is None:
        return None
    line, character = field(position, "line"), field(position, "character")
    if not isinstance(line, int) or not isinstance(character, int):
        raise JsonRpcInvalidParams(f"`{name}` has a line and a character")
    try:
        return types.Position(line, character)
    except ValueError:
        raise JsonRpcInvalidParams(f"`{name}` has a line and a character that are no numbers of a place") from None
