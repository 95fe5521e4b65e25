"""The phrases that several formats share: places, sizes, counts. Everything here is one line, safe for a terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic, Trial
    from onnxls.rules import Severity
    from onnxls.spans import Location
    from onnxls_server.render import Findings

_NODE = re.compile(r"node\[(\d+)\]:([^/()]+)(?:\((.*)\))?", re.DOTALL)
_PLURALS: Mapping[Severity, tuple[str, str]] = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "information": ("note", "notes"),
    "hint": ("hint", "hints"),
}

PROOFS: Mapping[Trial, str] = {
    "confirmed": "confirmed",
    "refuted": "refuted, which is a fault of onnxls (please report it)",
    "untried": "could not be tried",
}


def plain(text: str) -> str:
    """The text on one line, with control characters, line ends and the like spelt out."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable()
        else " "
        if character in "\t\n"
        else character.encode("unicode_escape", "surrogatepass").decode("ascii")
        for character in text
    )


def place(location: Location) -> str:
    """A place for people: `path:line:column`, or `model.onnx: node to_grid (Reshape)`."""
    if location.line is not None:
        return plain(f"{location.path}:{location.line}:{location.column or 1}")
    if location.graph_path:
        return plain(f"{location.path}: {node_of(location.graph_path) or location.graph_path}")
    return plain(location.path)


def brief_place(location: Location) -> str:
    """A place on one line of its own: `path:line:column`, `path:graph_path` or `path`."""
    if location.line is not None:
        return plain(f"{location.path}:{location.line}:{location.column or 1}")
    return plain(f"{location.path}:{location.graph_path}" if location.graph_path else location.path)


def node_of(graph_path: str) -> str | None:
    """`node to_grid (Reshape)` for the path of a node; None for the path of something else."""
    start = graph_path.rfind("node[")
    found = _NODE.fullmatch(graph_path, start) if start >= 0 else None
    if found is None:
        return None
    index, operator, name = found.groups()
    return f"node {name} ({operator})" if name else f"node {index} ({operator})"


def sizes(example: Mapping[str, int]) -> str:
    """`N = 1, H = 6`"""
    return plain(", ".join(f"{name} = {size}" for name, size in example.items()))


def conditions(found: Diagnostic) -> list[str]:
    """What a finding says of the sizes: the condition, sizes that run and sizes that fail."""
    lines: list[str] = []
    if found.guard is not None:
        lines.append(f"must hold: {plain(str(found.guard))}")
    if found.passing:
        lines.append(f"runs for {sizes(found.passing)}")
    if found.failing:
        lines.append(f"fails for {sizes(found.failing)}")
    if found.proof is not None:
        lines.append(f"{PROOFS[found.proof.outcome]}: {plain(found.proof.text)}")
    return lines


def count(number: int, one: str, many: str) -> str:
    """`1 file`, `2 files`"""
    return f"{number} {one if number == 1 else many}"


def tally(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`; empty where there is nothing."""
    parts: list[str] = []
    for severity, (one, many) in _PLURALS.items():
        number = sum(1 for found in diagnostics if found.severity == severity)
        if number:
            parts.append(count(number, one, many))
    return ", ".join(parts)


def summary(findings: Findings) -> str:
    """The closing line: what was found, in how many files, and what is not shown."""
    files = count(len(findings.files), "file", "files")
    found = tally(findings.diagnostics)
    notes: list[str] = []
    if findings.hidden:
        shows = "shows it" if findings.hidden == 1 else "shows them"
        notes.append(f"{count(findings.hidden, 'note', 'notes')} hidden; --verbose {shows}")
    if findings.covered:
        notes.append(f"{findings.covered} in the baseline")
    tail = f" ({'; '.join(notes)})" if notes else ""
    return f"Found {found} in {files}.{tail}" if found else f"No faults found in {files}.{tail}"
