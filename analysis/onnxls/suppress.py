"""Directives in comments: `# onnxls: ignore[rule]`, `ignore-file[rule]`, `assume N % 8 == 0`, `hint N=2`.

Comments only: the same words in a string mean nothing. What a directive gives is plain data; it is applied by others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from onnxls import rules
from onnxls.diagnostics import Diagnostic
from onnxls.rules import Rule, rule
from onnxls.spans import LineIndex, Location, Span

Kind = Literal["ignore", "ignore-file", "assume", "hint"]
Sizes = int | tuple[int, ...]
"""The hint of a symbol, or of all axes of an input."""

UNUSED_IGNORE = rule(
    "unused-ignore",
    "OLS580",
    "warning",
    """
    An `ignore` names a rule that reports nothing there.

    It would hide the next fault of that kind without a word.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]):
        # warning: [unused-ignore] "concat-shape"
        return op.Relu(x)  # onnxls: ignore[concat-shape]
    ```

    Remove it.
    """,
)
INVALID_DIRECTIVE = rule(
    "invalid-directive",
    "OLS581",
    "warning",
    """
    A comment that begins with `onnxls:` cannot be read, or belongs to nothing.

    Directives are `ignore[rule, ...]` on the line of a finding or above it, `ignore-file[rule, ...]` anywhere, and
    `assume CONDITION` and `hint NAME=SIZE, ...` in a function or above it.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]):
        # warning: [invalid-directive] "ignore"
        return op.Relu(x)  # onnxls: ignore everything
    ```
    """,
)

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'\'\'(?:[^\\]|\\.)*?(?:\'\'\'|\Z)'
    r'|"(?:[^"\\\n\r]|\\.)*"?|\'(?:[^\'\\\n\r]|\\.)*\'?|#[^\n\r]*',
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"#\s*onnxls:\s*(?P<word>[\w-]*)(?P<rest>.*)", re.DOTALL)
_RULES = re.compile(r"\s*\[([^\]]*)\]")
_HINT = re.compile(r"\s*([^\s=,]+)\s*=\s*(\d{1,18}(?:\s*,\s*\d{1,18}(?!\s*=))*)(?:\s*,(?!\s*$)|\s+(?=\S)|\s*$)")


@dataclass(slots=True)
class Directive:
    """One directive. `alone`: nothing else stands on its line. `used`: the rules that it has suppressed."""

    kind: Kind
    line: int
    span: Span
    alone: bool
    rules: tuple[str, ...] = ()
    text: str = ""
    hints: Mapping[str, Sizes] = field(default_factory=dict[str, Sizes])
    used: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class Directives:
    """The directives of a text, and what is wrong with some of them."""

    found: tuple[Directive, ...] = ()
    problems: tuple[tuple[Span, str], ...] = ()


def read_directives(text: str, lines: LineIndex) -> Directives:
    """The directives in the comments of a text in which `#` begins a comment and quotes a string."""
    if "onnxls:" not in text:
        return Directives()
    found: list[Directive] = []
    problems: list[tuple[Span, str]] = []
    for token in _TOKEN.finditer(text):
        match = _DIRECTIVE.match(token[0])
        if match is None:
            continue
        span = Span(token.start(), token.end())
        line = lines.position(token.start())[0]
        alone = not text[lines.bounds(line)[0] : token.start()].strip()
        made = _read(match["word"], match["rest"], line, span, alone)
        if isinstance(made, Directive):
            found.append(made)
        else:
            problems.append((span, made))
    return Directives(tuple(found), tuple(problems))


def long_strings(text: str) -> list[Span]:
    """The strings of such a text that go over several lines."""
    return [Span(*match.span()) for match in _TOKEN.finditer(text) if "\n" in match[0] or "\r" in match[0]]


def _read(word: str, rest: str, line: int, span: Span, alone: bool) -> Directive | str:
    match word:
        case "ignore" | "ignore-file":
            listed = _RULES.match(rest)
            names = tuple(name.strip() for name in listed[1].split(",") if name.strip()) if listed else ()
            if not names:
                return f"`{word}` names its rules: `{word}[rule-name]`"
            return Directive(word, line, span, alone, names)
        case "assume":
            text = rest.partition(" #")[0].strip()
            return Directive("assume", line, span, alone, text=text) if text else "`assume` lacks its condition"
        case "hint":
            hints = read_hints(rest.partition("#")[0])
            if not hints:
                return "a hint is `NAME=SIZE` or `INPUT=SIZE,SIZE`, several are separated by commas"
            return Directive("hint", line, span, alone, hints=hints)
        case _:
            return f"`{word}` is no directive; there are `ignore`, `ignore-file`, `assume` and `hint`"


def read_hints(text: str) -> dict[str, Sizes]:
    """The hints of a list, or none where it cannot be read."""
    hints: dict[str, Sizes] = {}
    position = 0
    while position < len(text):
        match = _HINT.match(text, position)
        if match is None:
            return {}
        sizes = tuple(int(size) for size in match[2].split(","))
        hints[match[1]] = sizes[0] if len(sizes) == 1 else sizes
        position = match.end()
    return hints


def suppress(
    diagnostics: Iterable[Diagnostic], directives: Directives, path: str, lines: LineIndex
) -> list[Diagnostic]:
    """What is left of the diagnostics, and a word about directives that are wrong or do nothing."""
    ignores = [each for each in directives.found if each.kind in ("ignore", "ignore-file")]
    kept = _not_ignored(diagnostics, ignores, path, lines) if ignores else list(diagnostics)
    for each in ignores:
        for name in each.rules:
            if name not in each.used:
                kept.append(_report(UNUSED_IGNORE, _unused(name), each.span, path, lines))
    kept += [_report(INVALID_DIRECTIVE, text, span, path, lines) for span, text in directives.problems]
    return kept


def _not_ignored(
    diagnostics: Iterable[Diagnostic], ignores: Sequence[Directive], path: str, lines: LineIndex
) -> list[Diagnostic]:
    """What no directive silences; those that do take note of it."""
    reach: dict[int, list[Directive]] = {}
    for each in ignores:
        if each.kind == "ignore":
            reach.setdefault(_reached(each, lines), []).append(each)
    everywhere = [each for each in ignores if each.kind == "ignore-file"]
    kept: list[Diagnostic] = []
    for each in diagnostics:
        at = each.location
        near: list[Directive] = []
        if at.path == path and at.line is not None:
            near = [*reach.get(at.line, ()), *(reach.get(at.end_line or at.line, ()) if at.end_line != at.line else ())]
        hit = [one for one in (*near, *everywhere) if _names(one, each)]
        for one in hit:
            one.used.update(name for name in one.rules if names_rule(name, each))
        if not hit:
            kept.append(each)
    return kept


def with_problems(directives: Directives, problems: Sequence[tuple[Span, str]]) -> Directives:
    """The directives with more that is wrong with them."""
    return replace(directives, problems=(*directives.problems, *problems)) if problems else directives


def owners(directives: Directives, ranges: Sequence[tuple[int, int]], lines: LineIndex) -> list[list[Directive]]:
    """For each range of lines (of a function), the `assume` and `hint` directives in it or just above it."""
    owned: list[list[Directive]] = [[] for _ in ranges]
    for each in directives.found:
        if each.kind not in ("assume", "hint"):
            continue
        inside = [index for index, (first, last) in enumerate(ranges) if first <= each.line <= last]
        if not inside:
            below = _reached(each, lines)
            inside = [index for index, (first, _) in enumerate(ranges) if first == below and each.alone]
        if inside:
            owned[inside[-1]].append(each)
    return owned


def _reached(directive: Directive, lines: LineIndex) -> int:
    """The line that an `ignore` is about: its own, or the next one that is no comment."""
    line = directive.line
    if not directive.alone:
        return line
    while line < lines.count:
        line += 1
        start, end = lines.bounds(line)
        content = lines.text[start:end].strip()
        if content and not content.startswith("#"):
            break
    return line


def _names(directive: Directive, diagnostic: Diagnostic) -> bool:
    return any(names_rule(name, diagnostic) for name in directive.rules)


def names_rule(name: str, diagnostic: Diagnostic) -> bool:
    """Whether a directive that names a rule, or its code, is about a finding."""
    return name == diagnostic.rule or name.upper() == diagnostic.code


def _unused(name: str) -> str:
    known = "" if rules.find(name) is not None else " and is no rule"
    return f"`{name}` reports nothing here{known}"


def _report(about: Rule, text: str, span: Span, path: str, lines: LineIndex) -> Diagnostic:
    location: Location = lines.location(path, span)
    return Diagnostic(about.name, about.code, about.severity, text, location)
