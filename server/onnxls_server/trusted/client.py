"""Runs the worker, with a limit on its time."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass

SECONDS = 120.0
"""The longest that an import and the conversions may take."""


class TrustedRunError(Exception):
    """The source could not be imported, or took too long."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A script function as the user's onnxscript converts it: the line of its first decorator, and its model."""

    line: int
    name: str
    model: bytes


def convert(path: str, seconds: float = SECONDS) -> list[Converted]:
    """Imports a source in a process of its own. Functions that are no model by themselves are left out."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "onnxls_server.trusted.worker", os.path.abspath(path), folder]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            _, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            raise TrustedRunError(f"the import took more than {seconds:g} s and was ended") from None
        if process.returncode != 0:
            lines = said.strip().splitlines() or [f"the process ended with {process.returncode}"]
            raise TrustedRunError(f"the import failed: {lines[-1][:300]}")
        return _read(folder)


def _end(process: subprocess.Popen[str]) -> None:
    """Ends the process, which is still there, with all that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.communicate()


def _read(folder: str) -> list[Converted]:
    try:
        with open(os.path.join(folder, "functions.json"), encoding="utf-8") as file:
            entries = json.load(file)
    except (OSError, ValueError):
        raise TrustedRunError("the source ended the process") from None
    found: list[Converted] = []
    for entry in entries:
        if entry["model"] is not None:
            with open(os.path.join(folder, entry["model"]), "rb") as file:
                found.append(Converted(entry["line"], entry["name"], file.read()))
    return found
