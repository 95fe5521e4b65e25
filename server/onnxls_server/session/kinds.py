"""Which open documents are analysed, and as what."""

from __future__ import annotations

import os

from onnxls_server.discover import looks_like_model
from onnxls_server.session.snapshot import Kind
from onnxls_server.session.uris import MODEL_TEXT_SCHEMES, name_of, path_of, scheme_of

BINARY = ".onnx"
_TEXT_MODELS = (".onnxtxt", ".onnxtext", ".onnxjson")
_SHARED = (".json", ".pbtxt", ".textproto")
_UNSAVED = ("untitled",)


def identify(uri: str, language: str, text: str) -> tuple[Kind, str] | None:
    """The kind of a document, and the path that the engine knows it by; None for what is no affair of onnxls."""
    scheme = scheme_of(uri)
    path = path_of(uri)
    if path is None:
        if scheme not in _UNSAVED:
            return None
        path = name_of(uri)
    extension = os.path.splitext(path)[1].lower()
    if extension == BINARY:
        return ("listing", path) if scheme in MODEL_TEXT_SCHEMES or language == "onnx-text" else None
    if extension in _TEXT_MODELS or (
        extension in _SHARED and looks_like_model(text[:8192].encode("utf-8", "surrogatepass"), extension)
    ):
        return "model-text", path
    if language == "python":
        return "source", path if extension == ".py" else f"{path}.py"
    if language == "onnx-text":
        return "model-text", f"{path}.onnxtxt"
    return None
