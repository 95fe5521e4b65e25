"""Files, texts and bytes to graphs: the one module that knows kinds of files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from onnxls.diagnostics import Diagnostic
from onnxls.frontends.external import Folder
from onnxls.frontends.model import UNREADABLE, open_model, read_model
from onnxls.frontends.script.homes import Home
from onnxls.frontends.script.source import Sources, SourceUnit
from onnxls.graph import Model
from onnxls.spans import LineIndex, Location

if TYPE_CHECKING:
    import onnx

    from onnxls.frontends.text import TextModel

MAX_IMPORTED = 2_000_000
"""Imported files that are longer than this are not read."""

BINARY = (".onnx",)
TEXT = (".onnxtxt", ".onnxtext")
TEXTPROTO = (".textproto", ".pbtxt")
JSON = (".json", ".onnxjson")
SOURCE = (".py",)


class UnsupportedInput(Exception):  # noqa: N818 - the name is public and fixed
    """The input is of no kind that onnxls knows."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a front end made of an input: one model, or one for each function of a source.

    `lines` are those of a text, None for a binary model; `homes` say where the chunks of a source are. `external`: the
    folder that a model's data in other files is read from. `written`: what an ONNX text says, with all places in it.
    """

    path: str
    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    lines: LineIndex | None = None
    units: tuple[SourceUnit, ...] = ()
    homes: Mapping[str, Home] = field(default_factory=dict[str, Home])
    external: Folder | None = None
    written: TextModel | None = None


def read_file(path: str) -> str | None:
    """The text of a file that a source imports, or None. A pipe or device, which may never end, is no file."""
    try:
        return _text(path, MAX_IMPORTED + 1) if os.path.isfile(path) else None
    except (OSError, ValueError):
        return None


def _text(path: str, length: int = -1) -> str:
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read(length)


def load(
    source: str | os.PathLike[str] | bytes | onnx.ModelProto,
    path: str | None,
    sources: Sources,
) -> Loaded:
    """Reads an input with the front end of its kind; `sources` reads what is in Python."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _load_bytes(bytes(source), path or "<model>")
    if not isinstance(source, (str, os.PathLike)):
        return _load_bytes(source.SerializeToString(), path or "<model>")
    name = os.fspath(source)
    kind = os.path.splitext(name)[1].lower()
    if kind in BINARY:
        folder = Folder(os.path.dirname(os.path.abspath(name)))
        model, diagnostics = open_model(name, folder)
        return Loaded(path or name, model, diagnostics, external=folder)
    if kind not in (*TEXT, *TEXTPROTO, *JSON, *SOURCE):
        if not os.path.exists(name):
            raise FileNotFoundError(2, "no such file", name)
        raise UnsupportedInput(f"{name}: not a kind of file that onnxls knows")
    try:
        if os.path.exists(name) and not os.path.isfile(name):
            return _unreadable(name, "this is a folder or device, not a file")
        text = _text(name)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        return _unreadable(name, f"the file cannot be opened: {getattr(error, 'strerror', None) or error}")
    return load_text(text, name, sources)


def _unreadable(path: str, reason: str) -> Loaded:
    found = Diagnostic(UNREADABLE.name, UNREADABLE.code, UNREADABLE.severity, reason, Location(path))
    return Loaded(path, None, (found,))


def load_text(text: str, path: str, sources: Sources) -> Loaded:
    """Reads a text with the front end of its kind; `sources` reads what is in Python."""
    kind = os.path.splitext(path)[1].lower()
    if kind in TEXT:
        from onnxls.frontends.text import read_text

        found = read_text(text, path)
        return Loaded(path, found.model, found.diagnostics, found.lines, written=found)
    if kind in TEXTPROTO:
        from onnxls.frontends.protos import read_textproto

        model, diagnostics = read_textproto(text, path)
    elif kind in JSON:
        from onnxls.frontends.protos import read_json

        model, diagnostics = read_json(text, path)
    elif kind in SOURCE:
        source = sources.read(text, path)
        return Loaded(path, None, source.diagnostics, source.lines, source.units, source.homes)
    else:
        raise UnsupportedInput(f"{path}: not a kind of text that onnxls knows")
    return Loaded(path, model, diagnostics)


def _load_bytes(data: bytes, path: str) -> Loaded:
    model, diagnostics = read_model(data, path)
    return Loaded(path, model, diagnostics)
