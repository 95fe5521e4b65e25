"""Directives that silence a rule on a line or in a file, and the removal of those that silence nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes.scene import Scene
from onnxls.spans import LineIndex, Span
from onnxls.suppress import read_directives

_NOT_SILENCED = frozenset(("unused-ignore", "invalid-directive"))
_UNUSED = re.compile(r"`([^`]+)` reports nothing here")
_CODING = re.compile(r"#.*coding[:=]")


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """`ignore` on the line of the finding, `ignore-file` at the top."""
    lines = scene.report.loaded.lines
    span = scene.span(found.location)
    if scene.text is None or lines is None or span is None or found.rule in _NOT_SILENCED:
        return
    line = found.location.line or 1
    bounds = Span(*lines.bounds(line))
    here = _here(scene.text, bounds, found.rule)
    if here is not None and _is_read(scene, scene.text, here, found.rule, bounds):
        yield from scene.text_fix(f"Ignore {found.rule} here", here, automatic=False)
    newline = "\r\n" if "\r\n" in scene.text else "\n"
    top = 0
    for number in (1, 2):
        start, end = lines.bounds(number)
        text = scene.text[start:end]
        if number <= lines.count and (text.startswith("#!") or _CODING.match(text)):
            top = lines.bounds(number + 1)[0]
    directive = f"# onnxls: ignore-file[{found.rule}]{newline}"
    yield from scene.text_fix(f"Ignore {found.rule} in this file", (Span(top, top), directive), automatic=False)


def _here(text: str, line: Span, rule: str) -> tuple[Span, str] | None:
    """The directive at the end of a line, or one more rule in that which is there."""
    written = text[line.start : line.end]
    existing = re.search(r"#\s*onnxls:\s*ignore\[([^\]]*)\]", written)
    if existing is not None:
        at = line.start + existing.end() - 1
        return Span(at, at), f", {rule}" if existing[1].strip() else rule
    if written.rstrip().endswith("\\"):
        return None
    end = line.start + len(written.rstrip())
    return Span(end, end), f"  # onnxls: ignore[{rule}]"


def _is_read(scene: Scene, text: str, edit: tuple[Span, str], rule: str, line: Span) -> bool:
    """Whether the directive is one there: in the middle of a string it is not."""
    begin = next((each.start for each in scene.long_strings if each.start < line.start < each.end), line.start)
    changed = text[begin : edit[0].start] + edit[1] + text[edit[0].end : line.end]
    lines = LineIndex(changed)
    found = read_directives(changed, lines).found
    return any(each.kind == "ignore" and each.line == lines.count and rule in each.rules for each in found)


def unused(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """A directive, or the one of its rules, that silences nothing is taken away."""
    span, match = scene.span(found.location), _UNUSED.search(found.message)
    if span is None or match is None or scene.text is None:
        return
    text = scene.text[span.start : span.end]
    listed = re.search(r"\[([^\]]*)\]", text)
    rules = [each.strip() for each in listed[1].split(",") if each.strip()] if listed is not None else []
    title = f"Remove `{match[1]}`"
    if listed is not None and len(rules) > 1:
        left = ", ".join(each for each in rules if each != match[1])
        at = Span(span.start + listed.start(1), span.start + listed.end(1))
        yield from scene.text_fix(title, (at, left))
        return
    start, end = span.start, span.end
    begin = scene.text.rfind("\n", 0, start) + 1
    before = scene.text[begin:start]
    if before.strip():
        start = begin + len(before.rstrip())
    else:
        start = begin
        end += 2 if scene.text.startswith("\r\n", end) else scene.text.startswith("\n", end)
    yield from scene.text_fix(title, (Span(start, end), ""))
