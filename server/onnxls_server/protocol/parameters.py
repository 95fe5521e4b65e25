"""Parameters of the requests that are onnxls' own: plain JSON of any shape until it is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast


def field(params: object, name: str) -> object:
    """A field of an object; None where it is missing, or the parameters are no object."""
    return cast("Mapping[object, object]", params).get(name) if isinstance(params, Mapping) else None
