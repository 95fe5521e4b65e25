"""Workflow commands of GitHub Actions: each finding becomes an annotation on the changed files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxls_server.fingerprints import relative
from onnxls_server.render.wording import conditions, node_of, plain

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls_server.render import Findings

_COMMANDS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def render(findings: Findings) -> str:
    """One command for each finding."""
    return "".join(f"{_command(found, findings.root)}\n" for found in findings.diagnostics)


def _command(found: Diagnostic, root: str) -> str:
    where = found.location
    properties: list[tuple[str, object]] = [("title", f"onnxls {found.code} {found.rule}")]
    properties.append(("file", plain(relative(where.path, root))))
    if where.line is not None:
        properties.append(("line", where.line))
        properties.append(("col", where.column or 1))
        if where.end_line is not None:
            properties.append(("endLine", where.end_line))
        if where.end_column is not None and where.end_line in (None, where.line):
            properties.append(("endColumn", where.end_column))
    lines = [plain(found.message), *conditions(found)]
    if where.line is None and where.graph_path:
        lines.insert(0, f"{plain(node_of(where.graph_path) or where.graph_path)}:")
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties)
    return f"::{_COMMANDS[found.severity]} {listed}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
