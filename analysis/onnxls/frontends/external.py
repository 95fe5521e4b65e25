"""Data of a model that lies in other files: read only inside the model's folder, and only what is asked for.

A file is looked at through its real path, so neither `..` nor a symbolic link leads out of the folder.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import stat
from collections.abc import Callable

from onnxls.rules import rule

External = Callable[[str, int, int | None], bytes | None]
"""Gives up to `length` bytes (None: all) of a file named relative to the model's folder, from an offset on.

None: there is no such file, or it ends before the offset. OutsideFolderError: it may not be read. A length of 0 asks
only whether the file reaches the offset, and opens nothing.
"""

MISSING = rule(
    "external-data-missing",
    "OLS005",
    "warning",
    """
    A file that holds data of the model is missing or too short.

    The model keeps tensors in a file of their own (`external_data`), and that file is not in the model's folder,
    is no regular file, or ends before the data that the model wants from it.

    onnx and onnxruntime refuse to load the model. The analysis goes on: only sizes that are computed from the
    missing numbers stay unknown.

    Put the file beside the model, under the name that the model gives; where it was made with git LFS, fetch it
    with `git lfs pull`. After renaming a data file, save the model again.
    """,
)

OUTSIDE = rule(
    "external-data-outside",
    "OLS006",
    "error",
    """
    The model wants data from outside its own folder.

    The `location` of a tensor's external data is an absolute path, or leads out of the model's folder by `..` or
    by a symbolic link. Such a file is never opened.

    onnx and onnxruntime refuse to load the model, because a model from elsewhere could read any file this way.

    Move the data file into the model's folder (or a folder below it) and name it by a relative path, for example
    with `onnx.save_model(model, path, save_as_external_data=True, location="weights.bin")`.
    """,
)

LFS_POINTER = rule(
    "git-lfs-pointer",
    "OLS002",
    "error",
    """
    The file is a git LFS pointer; the model itself is not here.

    git LFS keeps large files outside the repository and leaves a short text in their place. The checkout holds that
    text, so there is nothing to analyse, and nothing that any runtime could load.

    Fetch the file with `git lfs pull` (in CI: check out with LFS enabled), then look again.
    """,
)

LFS_MARK = b"version https://git-lfs"
"""How every git LFS pointer begins."""


class OutsideFolderError(Exception):
    """A location that leads out of the model's folder."""


def leaves(location: str) -> bool:
    """Whether a location is absolute or climbs out of its folder, on any operating system."""
    path = location.replace("\\", "/")
    return path.startswith("/") or bool(ntpath.splitdrive(path)[0]) or posixpath.normpath(path).split("/")[0] == ".."


class Folder:
    """The reader of a folder's files (an `External`). Sizes are remembered, so a folder is a view of one moment."""

    def __init__(self, path: str) -> None:
        self._root = os.path.realpath(path)
        self._sizes: dict[str, int | None] = {}
        self._wanted: set[str] = set()

    def wanted(self) -> list[str]:
        """The paths that were asked for so far, whether or not there is such a file."""
        return [os.path.join(self._root, location) for location in sorted(self._wanted)]

    def __call__(self, location: str, offset: int, length: int | None) -> bytes | None:
        self._wanted.add(location)
        if location not in self._sizes:
            self._sizes[location] = self._size(location)
        size = self._sizes[location]
        if size is None or offset < 0 or offset > size:
            return None
        return b"" if length == 0 else self._read(location, offset, length)

    def _file(self, location: str) -> str:
        real = os.path.realpath(os.path.join(self._root, location))
        if leaves(location) or os.path.commonpath((self._root, real)) != self._root:
            raise OutsideFolderError(location)
        return real

    def _size(self, location: str) -> int | None:
        try:
            status = os.stat(self._file(location))
        except (OSError, ValueError):
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def _read(self, location: str, offset: int, length: int | None) -> bytes | None:
        try:
            with open(self._file(location), "rb") as file:
                file.seek(offset)
                return file.read(-1 if length is None else length)
        except (OSError, ValueError):
            return None
