"""URIs and paths. A model's annotated text has the path of the model under another scheme.

A URI is compared decoded: clients differ in what they percent-encode and how they write a
drive letter.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

TEXT_SCHEME = "onnx-text"
"""The VS Code client's own file system of model texts."""

CONTENT_SCHEME = "onnx-content"
"""Model texts that the server gives through `workspace/textDocumentContent`."""

MODEL_TEXT_SCHEMES = (TEXT_SCHEME, CONTENT_SCHEME)
_ON_DISK = ("file", *MODEL_TEXT_SCHEMES)
_DRIVE = re.compile(r"/([A-Za-z]):")


def scheme_of(uri: str) -> str:
    """The scheme, in lower case; empty where there is none."""
    return uri.partition(":")[0].lower() if ":" in uri else ""


def key_of(uri: str) -> str:
    """What is equal for two spellings of one URI."""
    scheme, _, rest = uri.partition(":")
    rest = unquote(rest)
    if scheme.lower() in _ON_DISK:
        path = "/" + rest.lstrip("/") if rest.startswith("///") or not rest.startswith("//") else rest
        rest = _DRIVE.sub(lambda drive: f"/{drive[1].lower()}:", path, count=1) if _DRIVE.match(path) else path
    return f"{scheme.lower()}:{rest}"


def path_of(uri: str) -> str | None:
    """The path of a URI that names a file, or the text of a model that is one; None for other schemes."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme not in _ON_DISK or not parts.path:
        return None
    host = f"//{parts.netloc}" if parts.netloc and parts.netloc != "localhost" else ""
    path = url2pathname(f"{host}{parts.path}")
    return None if "\0" in path else os.path.normpath(path)


def uri_of(path: str, scheme: str = "file") -> str:
    """The URI of a path."""
    uri = Path(os.path.abspath(path)).as_uri()
    return uri if scheme == "file" else f"{scheme}:{uri.removeprefix('file://')}"


def name_of(uri: str) -> str:
    """The last part of a URI, decoded: what a document without a file is called."""
    return unquote(uri.partition(":")[2].partition("#")[0]).rpartition("/")[2] or "untitled"
