"""Imports a source and writes the models of its script functions: `python -m onnxls_server.trusted.worker FILE FOLDER`.

This runs the user's code, in a process of its own that nothing else depends on.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, TypedDict


class Entry(TypedDict):
    """A script function: the line of its first decorator, its name, and the file of its model or why there is none."""

    line: int
    name: str
    model: str | None
    error: str


def main(path: str, folder: str) -> None:
    """Writes the models and `functions.json`, which lists them. What the import raises ends the process."""
    sys.path[:0] = [os.path.dirname(path), os.getcwd(), os.path.join(os.getcwd(), "src")]
    entries = [
        _converted(function, folder, number) for number, function in enumerate(_functions(_imported(path), path))
    ]
    with open(os.path.join(folder, "functions.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)


def _imported(path: str) -> ModuleType:
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _functions(module: ModuleType, path: str) -> Iterator[Any]:
    """The script functions that are written in the file: of the module, and of the classes in it."""
    import onnxscript

    kind: Any = onnxscript.OnnxFunction
    waiting: list[Mapping[str, Any]] = [vars(module)]
    seen: set[int] = set()
    while waiting:
        for value in waiting.pop().values():
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, kind) and value.function.__code__.co_filename == path:
                yield value
            elif isinstance(value, type) and value.__module__ == module.__name__:
                waiting.append(vars(value))


def _converted(function: Any, folder: str, number: int) -> Entry:
    code = function.function.__code__
    entry = Entry(line=code.co_firstlineno, name=code.co_qualname, model=None, error="")
    try:
        data = function.to_model_proto().SerializeToString()
    except Exception as error:
        entry["error"] = f"{type(error).__name__}: {error}"
        return entry
    entry["model"] = f"{number}.onnx"
    with open(os.path.join(folder, entry["model"]), "wb") as file:
        file.write(data)
    return entry


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
