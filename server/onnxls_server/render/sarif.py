"""SARIF 2.1.0. A place inside a model is a logical location; its physical one is the first line of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from onnxls_server.fingerprints import fingerprint, relative
from onnxls_server.render.json_report import dump, properties
from onnxls_server.render.wording import conditions, node_of

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls.rules import Rule
    from onnxls.spans import Location
    from onnxls_server.render import Findings

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


def render(findings: Findings) -> str:
    """The JSON text."""
    used = {found.rule: found.code for found in findings.diagnostics}
    order = sorted(used, key=lambda name: used[name])
    driver = {
        "name": "onnxls",
        "version": findings.version,
        "rules": [_rule(name, used[name], findings.rules.get(name)) for name in order],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, order.index(found.rule), findings.root) for found in findings.diagnostics],
    }
    return dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(name: str, code: str, rule: Rule | None) -> dict[str, object]:
    described: dict[str, object] = {"id": code, "name": name}
    if rule is not None:
        described["shortDescription"] = {"text": rule.summary}
        described["help"] = {"text": rule.doc, "markdown": rule.doc}
        described["defaultConfiguration"] = {"level": _LEVELS[rule.severity]}
    return described


def _result(found: Diagnostic, index: int, root: str) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "message": {"text": "\n".join([found.message, *conditions(found)])},
        "locations": [_location(found.location, root)],
        "partialFingerprints": {"onnxls/v1": fingerprint(found, root)},
        "properties": properties(found),
    }
    if found.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": each.message}, **_location(each.location, root)}
            for number, each in enumerate(found.related)
        ]
    return result


def _location(where: Location, root: str) -> dict[str, object]:
    artifact = {"uri": quote(relative(where.path, root), errors="replace")}
    located: dict[str, object] = {"physicalLocation": {"artifactLocation": artifact, "region": _region(where)}}
    if where.graph_path:
        name = node_of(where.graph_path) or where.graph_path
        located["logicalLocations"] = [{"name": name, "fullyQualifiedName": where.graph_path, "kind": "element"}]
    return located


def _region(where: Location) -> dict[str, int]:
    if where.line is None:
        return {"startLine": 1}
    region = {"startLine": where.line, "startColumn": where.column or 1}
    if where.end_line is not None and where.end_column is not None:
        region |= {"endLine": where.end_line, "endColumn": where.end_column}
    return region
