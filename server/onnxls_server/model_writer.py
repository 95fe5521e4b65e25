"""Writes a model. External data stays where it is: the written model refers to the same files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, TensorProto

_FORMATS = {
    ".textproto": "textproto",
    ".pbtxt": "textproto",
    ".json": "json",
    ".onnxjson": "json",
    ".onnxtxt": "onnxtxt",
    ".onnxtext": "onnxtxt",
}


def save(model: ModelProto, path: str) -> None:
    """Writes the model in the format of the name, all of it or nothing: a file that stood there stays until then."""
    import onnx

    kind = _FORMATS.get(os.path.splitext(path)[1].lower(), "protobuf")
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        onnx.save_model(model, unfinished, format=kind)  # pyright: ignore[reportUnknownMemberType]
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.unlink(unfinished)


def external_files(model: ModelProto) -> tuple[str, ...]:
    """The files with external data that a model refers to, each once."""
    names: dict[str, None] = {}
    for tensor in _tensors(model.graph):
        if tensor.data_location == 1:
            names.update((entry.value, None) for entry in tensor.external_data if entry.key == "location")
    return tuple(names)


def _tensors(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            if attribute.HasField("g"):
                yield from _tensors(attribute.g)
