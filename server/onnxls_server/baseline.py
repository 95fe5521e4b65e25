"""The findings a project has accepted for now: a JSON file of fingerprints, each with how often it may occur."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from onnxls_server.fingerprints import fingerprint, relative

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic


class BaselineError(Exception):
    """The file is no baseline."""


@dataclass(frozen=True, slots=True)
class Remainder:
    """What a baseline leaves: the new findings, how many it covered, and how many entries are not used up."""

    new: tuple[Diagnostic, ...]
    covered: int
    stale: int


@dataclass(frozen=True, slots=True)
class Entry:
    """How often a finding may occur, and the file that it is in, as seen from the baseline."""

    count: int
    path: str


def load(path: str) -> Mapping[str, Entry]:
    """The entries by fingerprint; raises OSError or BaselineError."""
    import json

    with open(path, encoding="utf-8") as stream:
        try:
            content: object = json.load(stream)
        except (ValueError, RecursionError) as error:
            raise BaselineError(f"{path} is not a baseline: {error}") from error
    entries: dict[str, Entry] = {}
    try:
        table = cast("Mapping[str, object]", content)
        if table["version"] != 1:
            raise BaselineError(f"{path} is a baseline of version {table['version']}; this onnxls reads version 1")
        for entry in cast("list[Mapping[str, object]]", table["findings"]):
            entries[str(entry["fingerprint"])] = Entry(int(str(entry["count"])), str(entry["path"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BaselineError(f"{path} is not a baseline") from error
    return entries


def subtract(
    diagnostics: Iterable[Diagnostic], accepted: Mapping[str, Entry], path: str, files: Iterable[str]
) -> Remainder:
    """The findings in `files`, all that were checked, that the baseline at `path` does not cover."""
    root = os.path.dirname(os.path.abspath(path))
    left = Counter({mark: entry.count for mark, entry in accepted.items()})
    new: list[Diagnostic] = []
    covered = 0
    for found in diagnostics:
        mark = fingerprint(found, root)
        if left[mark] > 0:
            left[mark] -= 1
            covered += 1
        else:
            new.append(found)
    checked = {relative(file, root) for file in files}
    stale = sum(1 for mark, entry in accepted.items() if left[mark] > 0 and entry.path in checked)
    return Remainder(tuple(new), covered, stale)


def dump(diagnostics: Iterable[Diagnostic], path: str) -> str:
    """The text of a baseline at `path` that covers these findings, sorted."""
    import json

    root = os.path.dirname(os.path.abspath(path))
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for found in diagnostics:
        where = found.node or found.value or ""
        counts[relative(found.location.path, root), found.rule, where, fingerprint(found, root)] += 1
    findings = [
        {"path": file, "rule": rule, "at": where, "fingerprint": mark, "count": count}
        for (file, rule, where, mark), count in sorted(counts.items())
    ]
    return json.dumps({"version": 1, "findings": findings}, indent=2) + "\n"
