"""What is kept from one analysis to the next. A server holds one for long, the command line one for a moment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from onnxls import report
from onnxls.assembly import Locator, Request, analyze_model, analyze_source
from onnxls.diagnostics import Diagnostic
from onnxls.expressions import parse_condition
from onnxls.fixes import with_fixes
from onnxls.frontends.script.source import Reader
from onnxls.loading import Loaded, load, load_text, read_file
from onnxls.relations import Condition
from onnxls.spans import Span
from onnxls.suppress import Directive, Sizes, owners, read_directives, suppress, with_problems
from onnxls.units import Report, Unit

if TYPE_CHECKING:
    import onnx


class Workspace:
    """Analyses texts and models. `roots` are the folders that absolute imports resolve from, after the file's own.

    `read` gives the text of a file that a source imports, or None; a server puts its unsaved texts there.
    """

    def __init__(self, roots: Sequence[str] = (), read: Reader = read_file) -> None:
        self.roots = tuple(roots)
        self.read = read

    def analyze(
        self, source: str | os.PathLike[str] | bytes | onnx.ModelProto, request: Request, path: str | None = None
    ) -> Report:
        """Analyses a path, a ModelProto or the bytes of one. Raises FileNotFoundError and UnsupportedInput."""
        return assemble(load(source, path, self.read, self.roots), request)

    def analyze_text(self, text: str, path: str, request: Request) -> Report:
        """Analyses the unsaved text of a file; `path` gives its kind and folder. Raises UnsupportedInput."""
        return assemble(load_text(text, path, self.read, self.roots), request)


def assemble(loaded: Loaded, request: Request) -> Report:
    """The report on what a front end has read."""
    locate = Locator(loaded.path, loaded.lines, loaded.homes)
    units: list[Unit] = []
    diagnostics = list(loaded.diagnostics)
    if loaded.model is not None:
        unit, found = analyze_model(loaded.model, locate, request.of_unit(loaded.model.graph.name))
        units.append(unit)
        diagnostics += found
    lines = loaded.lines
    if lines is None:
        return Report(tuple(units), tuple(diagnostics), loaded, with_fixes)
    directives = read_directives(lines.text, lines)
    ranges = [(source.first_line, source.last_line) for source in loaded.units]
    for source, own in zip(loaded.units, owners(directives, ranges, lines), strict=True):
        given, conditions, problems = read_own(own)
        directives = with_problems(directives, problems)
        unit, found = analyze_source(source, locate, request.of_unit(source.model.graph.name, given, conditions))
        units.append(unit)
        diagnostics += found
    if loaded.units:
        diagnostics = once(diagnostics)
    diagnostics = suppress(diagnostics, directives, loaded.path, lines)
    diagnostics.sort(key=report.sort_key)
    return Report(tuple(units), tuple(diagnostics), loaded, with_fixes)


def read_own(directives: Sequence[Directive]) -> tuple[dict[str, Sizes], list[Condition], list[tuple[Span, str]]]:
    """The hints and assumptions in the comments of a function, and what is wrong with them."""
    hints: dict[str, Sizes] = {}
    conditions: list[Condition] = []
    problems: list[tuple[Span, str]] = []
    for each in directives:
        hints.update(each.hints)
        if each.kind == "assume":
            try:
                conditions.append(parse_condition(each.text))
            except ValueError as error:
                problems.append((each.span, f"cannot read the assumption: {error}"))
    return hints, conditions, problems


def once(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Without what a called function is at fault for on its own: it is told there."""
    own = {(each.rule, each.location.line, each.location.column) for each in diagnostics if each.severity == "error"}
    kept: list[Diagnostic] = []
    for each in diagnostics:
        inner = each.related[0].location if each.related and each.related[0].message.startswith("here, in ") else None
        if inner is None or (each.rule, inner.line, inner.column) not in own or inner.path != each.location.path:
            kept.append(each)
    return kept
