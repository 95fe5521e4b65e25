"""JUnit XML: a suite for each file, a failed case for each error or warning, a passed case for a file without any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from onnxls_server.fingerprints import relative
from onnxls_server.render.wording import brief_place, conditions

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls_server.render import Findings

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(findings: Findings) -> str:
    """The XML text."""
    groups: dict[str, list[Diagnostic]] = {path: [] for path in findings.files}
    for found in findings.diagnostics:
        groups.setdefault(found.location.path, []).append(found)
    tests = sum(max(1, len(group)) for group in groups.values())
    failures = sum(_fails(found) for found in findings.diagnostics)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="onnxls" tests="{tests}" failures="{failures}" errors="0">',
    ]
    for path, group in groups.items():
        lines.extend(_suite(relative(path, findings.root), group))
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(path: str, group: list[Diagnostic]) -> Iterator[str]:
    failures = sum(_fails(found) for found in group)
    total = max(1, len(group))
    yield f'  <testsuite name={_quoted(path)} tests="{total}" failures="{failures}" errors="0" skipped="0">'
    if not group:
        yield f'    <testcase name="no faults" classname={_quoted(path)}/>'
    for found in group:
        where = found.location
        line = f' line="{where.line}"' if where.line is not None else ""
        yield f"    <testcase name={_quoted(found.rule)} classname={_quoted(path)} file={_quoted(path)}{line}>"
        body = _text("\n".join([f"{brief_place(where)}: {found.code} {found.message}", *conditions(found)]))
        if _fails(found):
            yield f'      <failure type="{found.severity}" message={_quoted(found.message)}>{body}</failure>'
        else:
            yield f"      <system-out>{body}</system-out>"
        yield "    </testcase>"
    yield "  </testsuite>"


def _fails(found: Diagnostic) -> bool:
    return found.severity in ("error", "warning")


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))


def _quoted(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
