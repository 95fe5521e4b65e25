"""Binary `.onnx` to Model, read field by field out of the file's own bytes; weights are skipped, not read.

Time and memory follow the number of nodes, never the size of the weights. A file whose structure cannot be read to
its end gives one diagnostic and no model; everything else gives a model and whatever is wrong in it.
"""

from __future__ import annotations

import os
from mmap import mmap

from onnxls.diagnostics import Diagnostic
from onnxls.frontends.external import LFS_MARK, LFS_POINTER, External, Folder
from onnxls.frontends.files import opened
from onnxls.frontends.model_faults import NO_GRAPH, TOO_DEEP, UNREADABLE, TooDeepError, of_file
from onnxls.frontends.model_reader import ModelReader
from onnxls.frontends.wire import MAX_DEPTH, Buffer, WireError
from onnxls.graph import Model

_KIND_OF_BYTES = (
    (0, b"PK\x03\x04", "a zip archive (PyTorch checkpoints are)"),
    (0, b"\x1f\x8b", "compressed with gzip"),
    (0, b"\x80\x02", "a Python pickle"),
    (0, b"\x93NUMPY", "a NumPy array"),
    (0, b"\x89HDF", "an HDF5 file"),
    (0, b"{", "JSON text"),
    (0, b"<", "a web page or XML text"),
    (4, b"ORTM", "a model in onnxruntime's own format"),
    (4, b"TFL3", "a TensorFlow Lite model"),
)


def open_model(path: str, folder: Folder | None = None) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model in a file, of which large weights are not read. External data is looked for in `folder`, the file's.

    Raises FileNotFoundError; everything else that is wrong is in the diagnostics.
    """
    try:
        buf = opened(path)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return None, (of_file(UNREADABLE, path, f"the file cannot be opened: {reason}"),)
    if buf is None:
        return None, (of_file(UNREADABLE, path, "this is a folder or device, not a file"),)
    try:
        return _read(buf, path, folder or Folder(os.path.dirname(os.path.abspath(path))))
    finally:
        if isinstance(buf, mmap):
            buf.close()


def read_model(
    data: memoryview | bytes, path: str, external: External | None = None
) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model in serialised form; `path` is what locations call it.

    A view of the whole of a bytes object or memory map is read in place, any other view is copied. Without
    `external`, data in other files is unknown, and no finding.
    """
    return _read(_in_place(data), path, external)


def _in_place(data: memoryview | bytes) -> Buffer:
    if isinstance(data, bytes):
        return data
    whole = data.obj
    return whole if isinstance(whole, bytes | mmap) and len(whole) == data.nbytes else bytes(data)


def _read(buf: Buffer, path: str, external: External | None) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    if len(buf) == 0:
        return None, (of_file(UNREADABLE, path, "the file is empty"),)
    if buf[: len(LFS_MARK)] == LFS_MARK:
        return None, (of_file(LFS_POINTER, path, _pointer_message(bytes(buf[:1024]))),)
    reader = ModelReader(buf, external)
    try:
        model = reader.model()
    except WireError as error:
        return None, (of_file(UNREADABLE, path, _unreadable_message(buf, error)),)
    except (TooDeepError, RecursionError):
        message = f"graphs or types are nested in more than {MAX_DEPTH} messages"
        return None, (of_file(TOO_DEEP, path, message),)
    if model is None:
        kind = _kind(buf)
        message = "there is no graph in the file"
        return None, (of_file(NO_GRAPH, path, f"{message}: it looks like {kind}" if kind else message),)
    return model, reader.faults.diagnostics(path)


def _pointer_message(text: bytes) -> str:
    size = next((line[5:].decode("utf-8", "replace") for line in text.splitlines() if line.startswith(b"size ")), "")
    of = f" of {int(size):,} bytes" if size.isdecimal() and len(size) < 20 else ""
    return f"this is a git LFS pointer to a file{of}, not the model: run `git lfs pull`"


def _unreadable_message(buf: Buffer, error: WireError) -> str:
    kind = _kind(buf)
    if kind:
        return f"this is no ONNX model: it looks like {kind}"
    if error.stop > len(buf):
        return (
            f"the file ends at byte {len(buf):,}, inside a field that should go on to byte {error.stop:,}: "
            "it is truncated, or no ONNX model"
        )
    return f"the file is damaged, or no ONNX model: {error.problem} (byte {error.offset:,})"


def _kind(buf: Buffer) -> str | None:
    head = buf[:16]
    return next((kind for at, mark, kind in _KIND_OF_BYTES if head.startswith(mark, at)), None)
