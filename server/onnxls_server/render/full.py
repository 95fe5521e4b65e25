"""For reading: each finding with its place, the source line, the condition, example sizes and what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from onnxls_server.render.wording import conditions, node_of, place, plain, summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onnxls.diagnostics import Diagnostic
    from onnxls.spans import Location
    from onnxls_server.render import Findings

_COLOURS = {"error": "1;31", "warning": "1;33", "information": "1;36", "hint": "1;32", "frame": "1;34", "strong": "1"}
_LINE_END = re.compile(r"\r\n|\r|\n")
_WIDEST = 110
_CONTEXT = 40


def render(findings: Findings) -> str:
    """The blocks of all findings, and the closing line."""
    page = _Page(findings)
    blocks = ["\n".join(page.block(found)) + "\n\n" for found in findings.diagnostics]
    return "".join(blocks) + page.closing() + "\n"


class _Page:
    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._lines: dict[str, list[str]] = {}

    def block(self, found: Diagnostic) -> Iterator[str]:
        gutter = " " * max(self._width(found.location), *(self._width(each.location) for each in found.related), 1)
        head = self._paint(f"{found.severity}[{found.rule}]", found.severity)
        yield head + self._paint(f": {plain(found.message)}", "strong")
        yield from self._where(found.location, gutter, "^", found.severity)
        frame = self._paint(f"{gutter} =", "frame")
        for line in conditions(found):
            yield f"{frame} {line}"
        for related in found.related:
            yield f"{frame} {self._paint('note', 'strong')}: {plain(related.message)}"
            yield from self._where(related.location, gutter, "-", "frame")
        advice = self._advice(found)
        if advice:
            yield f"{frame} {self._paint('help', 'strong')}: {plain(advice)}"
        yield f"{frame} {self._paint('help', 'strong')}: `onnxls rule {found.rule}` says more"

    def closing(self) -> str:
        severities = {found.severity for found in self._findings.diagnostics}
        colour = next((each for each in ("error", "warning", "information") if each in severities), "hint")
        return self._paint(summary(self._findings), colour)

    def _advice(self, found: Diagnostic) -> str | None:
        repair = next((fix for fix in found.fixes if fix.automatic), None)
        if repair is not None:
            return repair.title
        rule = self._findings.rules.get(found.rule)
        return rule.summary if rule else None

    def _where(self, location: Location, gutter: str, mark: str, colour: str) -> Iterator[str]:
        yield f"{gutter}{self._paint('-->', 'frame')} {place(location)}"
        bar = self._paint(f"{gutter} |", "frame")
        if location.line is None:
            if location.graph_path and node_of(location.graph_path):
                yield f"{bar} {plain(location.graph_path)}"
            return
        text = self._text(location.path, location.line)
        if text is None:
            return
        before, marked, after = _cut(text, location)
        number = self._paint(f"{str(location.line).rjust(len(gutter))} |", "frame")
        yield bar
        yield f"{number} {before}{marked}{after}".rstrip()
        underline = self._paint(mark * max(1, _columns(marked)), colour)
        yield f"{bar} {' ' * _columns(before)}{underline}"

    def _text(self, path: str, line: int) -> str | None:
        if path not in self._lines:
            self._lines[path] = _LINE_END.split(self._findings.source(path) or "")
        lines = self._lines[path]
        return lines[line - 1] if 0 < line <= len(lines) and lines[line - 1].strip() else None

    def _width(self, location: Location) -> int:
        return len(str(location.line)) if location.line is not None else 0

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self._findings.colour else text


def _cut(text: str, location: Location) -> tuple[str, str, str]:
    """The line before, in and after the place, for a terminal: a long line keeps what is near the place."""
    start = min((location.column or 1) - 1, len(text))
    same_line = location.end_line in (None, location.line)
    end = len(text.rstrip()) if not same_line else (location.end_column or start + 2) - 1
    end = max(start, min(end, len(text)))
    before, marked, after = text[:start], text[start:end], text[end:]
    indent = before[: len(before) - len(before.lstrip())]
    before = _visible(before[len(indent) :])
    margin = indent.expandtabs(4)
    if len(text) > _WIDEST:
        marked = marked if len(marked) <= _WIDEST - _CONTEXT else marked[: _WIDEST - _CONTEXT - 1] + "…"
        if len(margin) + len(before) > _CONTEXT:
            margin, before = "", "…" + before[-_CONTEXT:]
        after = after if len(after) <= _CONTEXT else after[:_CONTEXT] + "…"
    return margin + before, _visible(marked), _visible(after)


def _visible(text: str) -> str:
    return plain(text.replace("\t", "    "))


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)
