"""The model files of the workspace that are not open: what was found in each, and whether it has changed since."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from onnxls.diagnostics import Diagnostic
from onnxls_server.discover import discover, is_pointer
from onnxls_server.session.analyst import Stamp, current_stamp

MODEL_KINDS = (".onnx", ".onnxtxt", ".onnxtext", ".onnxjson", ".json", ".pbtxt", ".textproto")
"""Only some files of the last three are models."""


@dataclass(slots=True)
class ModelFile:
    """A file, what it was when it was analysed, and what was found in it."""

    path: str
    stamp: Stamp | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class Models:
    """The model files by path."""

    def __init__(self) -> None:
        self._files: dict[str, ModelFile] = {}

    def __iter__(self) -> Iterator[ModelFile]:
        return iter(tuple(self._files.values()))

    def get(self, path: str) -> ModelFile | None:
        """The file of a path, if it is known."""
        return self._files.get(path)

    def add(self, path: str) -> ModelFile:
        """The file of a path, known from now on."""
        return self._files.setdefault(path, ModelFile(path))

    def drop(self, path: str) -> ModelFile | None:
        """Forgets a file."""
        return self._files.pop(path, None)


def find_models(folders: Iterable[str], excluded: Callable[[str], bool]) -> list[str]:
    """The model files below the folders, smallest first: most are checked soonest. Pointers of git LFS are none: who
    works without the models wants no finding on each."""
    found: set[str] = set()
    for folder in folders:
        found.update(
            file.path
            for file in discover([folder], excluded).files
            if is_model(file.path) and os.path.isfile(file.path) and not is_pointer(file.path)
        )
    return sorted(found, key=lambda path: (_size(path), path))


def is_model(path: str) -> bool:
    """Whether a path that `discover` found is that of a model rather than a source."""
    return path.lower().endswith(MODEL_KINDS)


def _size(path: str) -> int:
    stamp = current_stamp(path)
    return stamp[1] if stamp is not None else 0
