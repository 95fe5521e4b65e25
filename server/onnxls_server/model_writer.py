"""Writes a model. External data stays where it is: the written model refers to the same files."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, TensorProto

TEXT_FORMATS = {
    ".textproto": "textproto",
    ".pbtxt": "textproto",
    ".json": "json",
    ".onnxjson": "json",
    ".onnxtxt": "onnxtxt",
    ".onnxtext": "onnxtxt",
}
"""The formats of onnx by the endings of names; all else is binary."""


def save(model: ModelProto, path: str) -> None:
    """Writes the model in the format of the name, all of it or nothing: a file that stood there stays until then."""
    import onnx

    kind = TEXT_FORMATS.get(os.path.splitext(path)[1].lower(), "protobuf")
    with _replacing(path) as unfinished:
        onnx.save_model(model, unfinished, format=kind)  # pyright: ignore[reportUnknownMemberType]


def save_with_guards(source: str, path: str, guards: str) -> None:
    """Writes a model with these guards stored in it; of a binary one every other byte stays as it is."""
    from onnxls.guard_set import KEY
    from onnxls.guard_storage import with_guards

    kind = os.path.splitext(source)[1].lower()
    if kind not in TEXT_FORMATS and os.path.splitext(path)[1].lower() not in TEXT_FORMATS:
        from mmap import ACCESS_READ, mmap

        with (
            _replacing(path) as unfinished,
            open(source, "rb") as file,
            open(unfinished, "wb") as made,
            mmap(file.fileno(), 0, access=ACCESS_READ) as data,
        ):
            made.writelines(with_guards(data, guards))
        return
    import onnx

    model = onnx.load(source, format=TEXT_FORMATS.get(kind), load_external_data=False)  # pyright: ignore[reportUnknownMemberType]
    kept = [entry for entry in model.metadata_props if entry.key != KEY]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    model.metadata_props.add(key=KEY, value=guards)
    save(model, path)


@contextmanager
def _replacing(path: str) -> Generator[str]:
    """A name for a file that takes the place of `path` once it is written."""
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        yield unfinished
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.unlink(unfinished)


def external_files(model: ModelProto) -> tuple[str, ...]:
    """The files with external data that a model refers to, each once."""
    names: dict[str, None] = {}
    for tensor in tensors(model.graph):
        if tensor.data_location == 1:
            names.update((entry.value, None) for entry in tensor.external_data if entry.key == "location")
    return tuple(names)


def tensors(graph: GraphProto) -> Iterator[TensorProto]:
    """The initializers and tensor attributes of a graph and of those nested in it."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            if attribute.HasField("g"):
                yield from tensors(attribute.g)
