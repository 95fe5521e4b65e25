"""The results of `check`, kept from one run to the next: one file for each, in the cache folder of the platform.

A result is found by what it follows from: the analysis itself, the file, and what was wished. It counts while what the
analysis looked at besides the file is as it was. What is read back is checked; nothing in a file can run. Where the
folder cannot be used, nothing is kept.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from onnxls_server.batch import Outcome, Task, run_all
from onnxls_server.seen import Seen, Status, status_of

if TYPE_CHECKING:
    from onnxls.rules import Rule
    from onnxls_server.engine import Engine

FOLDER_VARIABLE = "ONNXLS_CACHE_DIR"
MOST_BYTES = 64 << 20
"""Beyond this the results that were not used for longest are dropped."""

_FORMAT = 1
_HASHED_UP_TO = 16 << 20
_LARGEST_ENTRY = 1 << 20
_BLOCK = 4096
_ENTRY = re.compile(r"[0-9a-f]{64}\.json(\.\d+)?")


@dataclass(frozen=True, slots=True)
class _State:
    """A file at one moment, and the name of the entry that its result has."""

    status: Status
    name: str


class Cache:
    """Looks results up and keeps new ones; `engine` says what the analysis is."""

    def __init__(self, folder: Path, engine: str) -> None:
        self._folder = folder
        self._engine = engine
        self._states: dict[str, _State] = {}
        self._wrote = False

    def run_all(self, engine: Engine, tasks: Sequence[Task], jobs: int | None) -> Iterator[Outcome]:
        """All files, as `batch.run_all`; those whose results are known are not analysed."""
        known = [self.load(task) for task in tasks]
        new = run_all(engine, [task for task, found in zip(tasks, known, strict=True) if found is None], jobs)
        for outcome in known:
            if outcome is not None:
                yield outcome
            else:
                made = next(new)
                self.store(made)
                yield made
        if self._wrote:
            _trim(self._folder, MOST_BYTES)

    def load(self, task: Task) -> Outcome | None:
        """The outcome of an earlier run; None where there is none, or where something has changed since."""
        if task.text is not None:
            return None
        status = status_of(task.path)
        content = None if status is None else _content(task.path, status)
        if status is None or content is None:
            return None
        name = self._name(task, content)
        self._states[task.path] = _State(status, name)
        entry = _read(self._folder / name)
        try:
            return _outcome(task.path, entry) if entry is not None else None
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            return None

    def store(self, outcome: Outcome) -> None:
        """Keeps an outcome, unless something that it follows from may have changed while it was made."""
        state, seen = self._states.get(outcome.path), outcome.seen
        if state is None or seen is None or not seen.settled() or status_of(outcome.path) != state.status:
            return
        entry = _entry(outcome, seen)
        if entry is not None and len(entry) <= _LARGEST_ENTRY:
            self._wrote = _write(self._folder, state.name, entry) or self._wrote

    def rules(self, engine: Engine) -> Mapping[str, Rule]:
        """All rules by name; to ask the analysis itself would take longer than to look all results up."""
        from onnxls_server.cache_codec import NotPlainError, to_plain, to_rules

        name = sha256(f"rules {_FORMAT} {self._engine}".encode()).hexdigest() + ".json"
        entry = _read(self._folder / name)
        try:
            if entry is not None:
                return to_rules(entry["rules"])
        except (KeyError, NotPlainError):
            pass
        rules = tuple(engine.rules())
        _write(self._folder, name, json.dumps({"rules": to_plain(rules)}).encode("ascii"))
        return {rule.name: rule for rule in rules}

    def _name(self, task: Task, content: str) -> str:
        request = {each.name: getattr(task.request, each.name) for each in fields(task.request)}
        key = [_FORMAT, self._engine, os.getcwd(), task.path, content, request]
        text = json.dumps(key, sort_keys=True, default=repr)
        return sha256(text.encode("ascii")).hexdigest() + ".json"


def open_cache(engine: Engine) -> Cache | None:
    """The cache for an analysis; None where its results shall not be kept."""
    identity = engine.identity()
    return None if identity is None else Cache(folder(), identity)


def folder() -> Path:
    """Where results are kept."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("onnxls", appauthor=False) / "check"


def clean() -> tuple[int, int]:
    """Removes all results; how many there were, and their bytes. Nothing else in the folder is touched."""
    entries = list(_entries(folder()))
    for entry in entries:
        _remove(entry.path)
    return len(entries), sum(entry.bytes for entry in entries)


def _content(path: str, status: Status) -> str | None:
    """What stands for the content of a file: its digest, or for a large one what changes when the file does."""
    if status[2] > _HASHED_UP_TO:
        return json.dumps(status)
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as stream:
            return sha256(stream.read()).hexdigest()
    except OSError:
        return None


def _outcome(path: str, entry: Mapping[str, Any]) -> Outcome | None:
    """The outcome in an entry, which may hold anything; None where it no longer counts."""
    for file, status in entry["files"].items():
        if status_of(file) != (None if status is None else tuple(status)):
            return None
    diagnostics = entry["diagnostics"]
    if diagnostics:
        from onnxls_server.cache_codec import to_diagnostics

        diagnostics = to_diagnostics(diagnostics)
    unknown = entry["unknown_hints"]
    return Outcome(path, tuple(diagnostics), unknown_hints=None if unknown is None else frozenset(map(str, unknown)))


def _entry(outcome: Outcome, seen: Seen) -> bytes | None:
    from onnxls_server.cache_codec import NotPlainError, to_plain

    try:
        plain = to_plain(outcome.diagnostics)
    except NotPlainError:
        return None
    unknown = outcome.unknown_hints
    entry = {
        "files": seen.files,
        "diagnostics": plain,
        "unknown_hints": None if unknown is None else sorted(unknown),
    }
    return json.dumps(entry).encode("ascii")


def _read(path: Path) -> Mapping[str, Any] | None:
    """An entry, whatever it holds; None where it cannot be read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as stream:
            found = os.fstat(stream.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST_ENTRY:
                return None
            entry: object = json.loads(stream.read())
        os.utime(path)
    except (OSError, ValueError, RecursionError):
        return None
    return cast("Mapping[str, Any]", entry) if isinstance(entry, dict) else None


def _write(folder: Path, name: str, entry: bytes) -> bool:
    """Whether the entry was written; it is there as a whole or not at all."""
    written = folder / f"{name}.{os.getpid()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        written.write_bytes(entry)
        written.replace(folder / name)
    except OSError:
        _remove(written)
        return False
    return True


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    bytes: int
    used: float


def _entries(folder: Path) -> Iterator[_File]:
    try:
        with os.scandir(folder) as listing:
            for each in listing:
                if _ENTRY.fullmatch(each.name) and each.is_file(follow_symlinks=False):
                    found = each.stat(follow_symlinks=False)
                    yield _File(each.path, _BLOCK + found.st_size, found.st_mtime)
    except OSError:
        return


def _trim(folder: Path, most: int) -> None:
    entries = sorted(_entries(folder), key=lambda entry: entry.used)
    total = sum(entry.bytes for entry in entries)
    if total <= most:
        return
    for entry in entries:
        _remove(entry.path)
        total -= entry.bytes
        if total <= most * 3 // 4:
            return


def _remove(path: str | Path) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
