"""A GitLab code quality report. Fingerprints stay the same when lines move, and differ within a report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from onnxls_server.fingerprints import fingerprint, relative
from onnxls_server.render.json_report import dump
from onnxls_server.render.wording import conditions, node_of, plain

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls_server.render import Findings

_SEVERITIES = {"error": "major", "warning": "minor", "information": "info", "hint": "info"}


def render(findings: Findings) -> str:
    """The JSON text."""
    met: Counter[str] = Counter()
    issues: list[dict[str, object]] = []
    for found in findings.diagnostics:
        mark = fingerprint(found, findings.root)
        met[mark] += 1
        if met[mark] > 1:
            mark = f"{mark}-{met[mark]}"
        issues.append(
            {
                "description": _description(found),
                "check_name": found.rule,
                "fingerprint": mark,
                "severity": _SEVERITIES[found.severity],
                "location": {
                    "path": relative(found.location.path, findings.root),
                    "lines": _lines(found.location.line, found.location.end_line),
                },
            }
        )
    return dump(issues)


def _lines(begin: int | None, end: int | None) -> dict[str, int]:
    lines = {"begin": begin or 1}
    if end is not None:
        lines["end"] = end
    return lines


def _description(found: Diagnostic) -> str:
    where = found.location
    node = node_of(where.graph_path) if where.line is None and where.graph_path else None
    text = "; ".join([plain(found.message), *conditions(found)])
    return f"{plain(node)}: {text}" if node else text
