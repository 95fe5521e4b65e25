"""`{"version": 1, "diagnostics": [...]}` with every field of a finding, under the names it has in Python."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic, Fix
    from onnxls.relations import Guard
    from onnxls.spans import Location
    from onnxls_server.render import Findings


def render(findings: Findings) -> str:
    """The JSON text."""
    return dump({"version": 1, "diagnostics": [diagnostic(found) for found in findings.diagnostics]})


def dump(content: object) -> str:
    """JSON for machines that a person can read, too."""
    return json.dumps(content, indent=2) + "\n"


def diagnostic(found: Diagnostic) -> dict[str, object]:
    """A finding as plain data."""
    return {
        "rule": found.rule,
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "location": location(found.location),
        "related": [{"location": location(each.location), "message": each.message} for each in found.related],
        **properties(found),
        "fixes": [_fix(each) for each in found.fixes],
        "proof": None if found.proof is None else {"outcome": found.proof.outcome, "text": found.proof.text},
    }


def properties(found: Diagnostic) -> dict[str, object]:
    """What a finding is about, and its condition with examples, as plain data."""
    return {
        "node": found.node,
        "value": found.value,
        "verdict": found.verdict,
        "guard": None if found.guard is None else guard(found.guard),
        "passing": None if found.passing is None else dict(found.passing),
        "failing": None if found.failing is None else dict(found.failing),
    }


def location(where: Location) -> dict[str, object]:
    """A place as plain data."""
    return {
        "path": where.path,
        "line": where.line,
        "column": where.column,
        "end_line": where.end_line,
        "end_column": where.end_column,
        "graph_path": where.graph_path,
    }


def guard(needed: Guard) -> dict[str, object]:
    """A guard as plain data."""
    return {"kind": needed.kind, "condition": str(needed), "node": needed.node, "reason": needed.reason}


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "title": fix.title,
        "edits": [
            {
                "path": edit.path,
                "span": None if edit.span is None else {"start": edit.span.start, "end": edit.span.end},
                "text": edit.text,
                "target": edit.target,
            }
            for edit in fix.edits
        ],
    }
