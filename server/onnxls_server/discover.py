"""Which files are checked: those that are named, and those of known kinds in the folders that are named.

A folder leaves out what git ignores, virtual environments, installed packages and what is excluded. The order is that
of the arguments, and by name within a folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from onnxls.frontends.external import LFS_MARK

_KINDS = frozenset({".onnx", ".onnxtxt", ".onnxtext", ".onnxjson", ".py"})
_SHARED_KINDS = frozenset({".json", ".pbtxt", ".textproto"})
_SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__"})
_OF_ONE_REPOSITORY = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"})
_HEAD = 8192
_JSON_MODEL = re.compile(rb'"(irVersion|ir_version|opsetImport|opset_import)"\s*:')
_TEXT_MODEL = re.compile(rb"^\s*(ir_version\s*:|opset_import\s*[:{]|graph\s*[:{])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class File:
    """A file to check; `named` where the user named it, rather than a folder it is in."""

    path: str
    named: bool


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files, each once, and the paths that do not exist."""

    files: tuple[File, ...]
    missing: tuple[str, ...]


def discover(paths: Iterable[str], excluded: Callable[[str], bool], force_exclude: bool = False) -> Discovery:
    """`excluded` says whether a path is excluded; what is named is checked all the same unless `force_exclude`."""
    files: dict[str, File] = {}
    missing: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            if not (force_exclude and excluded(path)):
                for found in sorted(_models_in(path, excluded), key=lambda each: each.split(os.sep)):
                    files.setdefault(found, File(found, named=False))
        elif not os.path.exists(path):
            missing.append(path)
        elif not (force_exclude and excluded(path)):
            files[path] = File(path, named=True)
    return Discovery(tuple(files.values()), tuple(missing))


def is_pointer(path: str) -> bool:
    """Whether a file is what git LFS leaves in the place of one that was not fetched."""
    return _head(path, len(LFS_MARK)) == LFS_MARK


def _models_in(folder: str, excluded: Callable[[str], bool]) -> Iterator[str]:
    for name in _files_in(folder, excluded):
        kind = os.path.splitext(name)[1].lower()
        if kind not in _KINDS and kind not in _SHARED_KINDS:
            continue
        path = os.path.normpath(os.path.join(folder, name))
        if not excluded(path) and (kind in _KINDS or looks_like_model(_head(path, _HEAD), kind)):
            yield path


def _files_in(folder: str, excluded: Callable[[str], bool]) -> Iterable[str]:
    """The files below a folder, relative to it."""
    listed = _listed_by_git(folder)
    return _walk(folder, excluded) if listed is None else _without_skipped(folder, listed, excluded)


def _walk(folder: str, excluded: Callable[[str], bool]) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        if parent != folder and "pyvenv.cfg" in names:
            folders.clear()
            continue
        folders[:] = [
            name for name in folders if name not in _SKIPPED_FOLDERS and not excluded(os.path.join(parent, name))
        ]
        for name in names:
            yield os.path.relpath(os.path.join(parent, name), folder)


def _without_skipped(folder: str, listed: list[str], excluded: Callable[[str], bool]) -> Iterator[str]:
    environments = {os.path.dirname(name) for name in listed if os.path.basename(name) == "pyvenv.cfg"} - {""}
    for name in listed:
        parents = name.split("/")[:-1]
        if not _SKIPPED_FOLDERS.isdisjoint(parents):
            continue
        if environments and any("/".join(parents[: depth + 1]) in environments for depth in range(len(parents))):
            continue
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            # another repository inside this one: git names it without what is in it
            for inner in _files_in(path, excluded):
                yield os.path.join(name, inner)
        elif os.path.isfile(path):
            yield name


def _listed_by_git(folder: str) -> list[str] | None:
    """What git tracks or would track below a folder; None outside of a checkout, in an ignored folder, without git."""
    if not _in_checkout(folder):
        return None
    import subprocess

    # a checkout may be hostile: its configuration must not start programs of its choice
    git = ["git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
    # in a hook git speaks of the repository that it runs for, whatever folder is asked about
    environment = {name: value for name, value in os.environ.items() if name not in _OF_ONE_REPOSITORY}
    run = partial(subprocess.run, capture_output=True, env=environment)
    try:
        if run([*git, "check-ignore", "-q", "."]).returncode == 0:
            return None
        listing = run([*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return [os.fsdecode(name) for name in dict.fromkeys(listing.stdout.split(b"\0")) if name]


def _in_checkout(folder: str) -> bool:
    parent = os.path.abspath(folder)
    while not os.path.exists(os.path.join(parent, ".git")):
        parent, child = os.path.dirname(parent), parent
        if parent == child:
            return False
    return True


def looks_like_model(head: bytes, kind: str) -> bool:
    """Whether these are the first bytes of a model, in a file of a kind (`.json`) that others use, too."""
    if kind == ".json":
        return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and _JSON_MODEL.search(head) is not None
    return _TEXT_MODEL.search(head) is not None


def _head(path: str, length: int) -> bytes:
    """The start of a regular file; empty where it cannot be read."""
    try:
        if not os.path.isfile(path):
            return b""
        with open(path, "rb") as stream:
            return stream.read(length)
    except OSError:
        return b""
