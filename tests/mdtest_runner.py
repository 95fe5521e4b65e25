"""Behaviour in text: Markdown suites whose code blocks carry their expectations as comments.

A heading names a test; each `onnx` block under it is one case. A block that starts with a graph gets opset 20. A
comment stands at the end of a statement's line, or above the statement (several may be stacked):

    # error: [rule-name] "part of the message"      also warning, information, hint; the text is optional
    # reveal: [N, 2*H]                               shape of the first output; `# reveal y: [N]` names one
    # content: [N, 4]                                value-as-shape of the first output; `# content y: [...]`
    # guard: N % 2 == 0                              a guard of the unit that this node needs
    # expect: N == M                                 the same, of kind expect
    # dtype: int64                                   element type of the first output

`?` in a shape stands for a size that is not known, `[...]` for an unknown rank, `none` for no content. Anywhere in a
block, `# guards: A; B` gives all guards of the unit (`# guards: none` for none); `# onnxls: hint N=2` and
`# onnxls: assume N % 8 == 0` are passed on, and so is the setting
`# operators = { "my.domain::Foo" = "(N) -> (N)" }`. An error or warning that no comment expects fails the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import onnxls
from onnxls.declarations import dtype_name
from onnxls.report import Options

HEADER = '<ir_version: 10, opset_import: ["" : 20]> '
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)(?P<info>[^\n]*)\n(?P<body>.*?)^ *```\s*$", re.MULTILINE | re.DOTALL
)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
EXPECTATION = re.compile(
    r"#\s*(?P<kind>error|warning|information|hint|reveal|content|guard|expect|dtype|annotation)\b(?P<rest>[^#\n]*)"
)
FINDING = re.compile(r'^: \[(?P<rule>[\w-]+)\](?: "(?P<text>.*)")?\s*$')
NAMED = re.compile(r'^(?: (?P<name>[^\s:]+|"[^"]+"))?: (?P<value>.*)$')


@dataclass(frozen=True)
class Case:
    """One block: where it stands, what it says."""

    name: str
    language: str
    text: str
    line: int


@dataclass
class Expectation:
    """One comment, and the line of the statement it is about."""

    kind: str
    rest: str
    line: int
    used: bool = field(default=False)


def cases(path: Path) -> Iterator[Case]:
    """All blocks of a suite."""
    text = path.read_text(encoding="utf-8")
    headings = [(match.start(), match[2]) for match in HEADING.finditer(_without_blocks(text))]
    seen: dict[str, int] = {}
    for match in FENCE.finditer(text):
        if match["language"] not in ("onnx", "py") or "skip" in match["info"]:
            continue
        title = next((name for start, name in reversed(headings) if start < match.start()), path.stem)
        seen[title] = seen.get(title, 0) + 1
        name = title if seen[title] == 1 else f"{title} ({seen[title]})"
        indent = len(match["indent"])
        body = "\n".join(line[indent:] for line in match["body"].split("\n"))
        yield Case(name, match["language"], body, text.count("\n", 0, match.start()) + 2)


def _without_blocks(text: str) -> str:
    return FENCE.sub(lambda match: " " * len(match[0]), text)


def check(text: str, language: str = "onnx") -> list[str]:
    """What of a block is not as its comments say; empty where all is."""
    source = text if language == "py" else full_text(text)
    hints, assume = directives(text)
    operators = dict(re.findall(r'#\s*operators = \{ "([^"]+)" = "([^"]+)" \}', text))
    path = "block.onnxtxt" if language == "onnx" else "block.py"
    options = Options(operators=operators)
    report = onnxls.analyze_text(source, path, hints=hints, assume=assume, options=options)
    problems: list[str] = []
    expectations = list(_expectations(source))
    for diagnostic in report.diagnostics:
        line = diagnostic.location.line or 0
        last = diagnostic.location.end_line or line
        for each in expectations:
            if each.kind == diagnostic.severity and line <= each.line <= last and _matches(each, diagnostic):
                each.used = True
                break
        else:
            if diagnostic.severity in ("error", "warning"):
                problems.append(
                    f"line {line}: unexpected {diagnostic.severity}: [{diagnostic.rule}] {diagnostic.message}"
                )
    for each in expectations:
        if each.kind in ("error", "warning", "information", "hint"):
            if not each.used:
                said = [f"[{d.rule}] {d.severity}: {d.message}" for d in report.diagnostics]
                problems.append(f"line {each.line}: expected {each.kind}{each.rest}; said: {said}")
            continue
        problem = _check_value(each, source, report)
        if problem:
            problems.append(f"line {each.line}: {problem}")
    problems += _check_guards(source, report)
    return problems


def full_text(text: str) -> str:
    """A block as a model: one that starts with its graph gets a header."""
    return text if text.lstrip().startswith("<") else HEADER + text


def directives(text: str) -> tuple[dict[str, int | tuple[int, ...]], list[str]]:
    """The hints and assumptions in the comments of a block."""
    found = re.findall(r"#\s*onnxls: (hint|assume) ([^\n]+)", text)
    hints = _hints([value for kind, value in found if kind == "hint"])
    return hints, [value.strip() for kind, value in found if kind == "assume"]


def _matches(each: Expectation, diagnostic: onnxls.Diagnostic) -> bool:
    match = FINDING.match(each.rest)
    assert match is not None, f"cannot read the expectation {each.kind}{each.rest}"
    return not each.used and match["rule"] == diagnostic.rule and (match["text"] or "") in diagnostic.message


def _expectations(source: str) -> Iterator[Expectation]:
    lines = source.split("\n")
    for number, line in enumerate(lines, 1):
        alone = line.lstrip().startswith("#")
        target = number
        if alone:
            while target < len(lines) and (lines[target - 1].lstrip().startswith("#") or not lines[target - 1].strip()):
                target += 1
        for match in EXPECTATION.finditer(line):
            yield Expectation(match["kind"], match["rest"].rstrip(), target)


def _check_value(each: Expectation, source: str, report: onnxls.Report) -> str | None:
    if each.kind in ("guard", "expect"):
        kind = "assert" if each.kind == "guard" else "expect"
        wanted = each.rest.lstrip(": ").strip()
        found = [str(guard) for guard in report.guards if guard.kind == kind and _covers(guard.location, each.line)]
        return None if wanted in found else f"expected the {kind} guard {wanted!r}; guards here: {found}"
    match = NAMED.match(each.rest)
    assert match is not None, f"cannot read the expectation {each.kind}{each.rest}"
    name = match["name"].strip('"') if match["name"] else _defined(source, each.line)
    values = _values(report, each.line)
    if name not in values:
        return f"no value {name!r}; there are {sorted(values)}"
    fact = values[name]
    value = match["value"].strip()
    if each.kind == "dtype":
        return None if dtype_name(fact.dtype) == value else f"{name} has type {dtype_name(fact.dtype)}, not {value}"
    if each.kind == "annotation":
        return None if fact.annotation == value else f"the annotation of {name} {fact.annotation}, not {value}"
    dims = fact.shape if each.kind == "reveal" else fact.content
    return _compare(f"{each.kind} of {name}", dims, value)


def _values(report: onnxls.Report, line: int) -> Mapping[str, onnxls.Fact]:
    """The values of the unit that a line belongs to; of the first one where it belongs to none."""
    for unit in report.units:
        if unit.source is not None and unit.source.first_line <= line <= unit.source.last_line:
            return unit.values
    return report.values


def _covers(location: onnxls.Location | None, line: int) -> bool:
    return location is not None and (location.line or 0) <= line <= (location.end_line or 0)


def _defined(source: str, line: int) -> str:
    """The first value that the statement on a line defines."""
    text = source.split("\n")[line - 1]
    text = re.sub(r"^\s*\[[^\]]*\]\s*", "", text)
    match = re.match(r'\s*("([^"]+)"|[^\s,=(]+)', text)
    assert match is not None, f"no statement on line {line}"
    return match[2] or match[1]


def _compare(what: str, dims: tuple[onnxls.Dim, ...] | None, value: str) -> str | None:
    if value in ("[...]", "none"):
        return None if dims is None else f"{what} is {_show(dims)}, not {value}"
    if dims is None:
        return f"{what} is not known, not {value}"
    wanted = _split(value)
    if len(wanted) != len(dims):
        return f"{what} is {_show(dims)}, not {value}"
    for want, dim in zip(wanted, dims, strict=True):
        if want == "?" and not dim.is_known:
            continue
        if want == "?" or onnxls.Dim.parse(want) != dim:
            return f"{what} is {_show(dims)}, not {value}"
    return None


def _split(value: str) -> list[str]:
    assert value.startswith("["), f"a shape is written [a, b], not {value!r}"
    assert value.endswith("]"), f"a shape is written [a, b], not {value!r}"
    parts, depth, quoted = [""], 0, False
    for character in value[1:-1]:
        quoted ^= character == "`"
        depth += 0 if quoted else (character == "(") - (character == ")")
        if character == "," and not depth and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts] if value[1:-1].strip() else []


def _check_guards(source: str, report: onnxls.Report) -> list[str]:
    match = re.search(r"#\s*guards: ([^\n]+)", source)
    if match is None:
        return []
    wanted = [] if match[1].strip() == "none" else [part.strip() for part in match[1].split(";")]
    found = [str(guard) for guard in report.guards]
    return [] if wanted == found else [f"the guards are {found}, not {wanted}"]


def _hints(texts: list[str]) -> dict[str, int | tuple[int, ...]]:
    found: dict[str, int | tuple[int, ...]] = {}
    for text in texts:
        for name, value in re.findall(r"([^\s=]+)\s*=\s*(\d+(?:\s*,\s*\d+(?!\s*=))*)", text):
            sizes = tuple(int(each) for each in value.split(","))
            found[name] = sizes[0] if len(sizes) == 1 else sizes
    return found


def _show(dims: tuple[onnxls.Dim, ...] | None) -> str:
    return str(dims) if dims is None else f"[{', '.join(str(dim) for dim in dims)}]"
