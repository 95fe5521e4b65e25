"""How often each rule was found, most frequent first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from onnxls_server.render.json_report import dump
from onnxls_server.tables import table

if TYPE_CHECKING:
    from onnxls_server.render import Findings


def counts(findings: Findings) -> list[tuple[int, str, str]]:
    """(count, code, rule)"""
    found = Counter((each.code, each.rule) for each in findings.diagnostics)
    return sorted(((number, *rule) for rule, number in found.items()), key=lambda row: (-row[0], row[1]))


def as_table(findings: Findings) -> str:
    """For people."""
    return table([(str(number), code, rule) for number, code, rule in counts(findings)], right=(0,))


def as_json(findings: Findings) -> str:
    """For machines."""
    rows = [{"count": number, "code": code, "rule": rule} for number, code, rule in counts(findings)]
    return dump({"version": 1, "statistics": rows})
