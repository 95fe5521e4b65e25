"""What is kept from one analysis to the next. A server holds one for long, the command line one for a moment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from onnxls import model_directives, report
from onnxls.assembly import Analysed, Locator, Request, analyze_model, analyze_source, tell
from onnxls.diagnostics import Diagnostic
from onnxls.expressions import parse_condition
from onnxls.fixes import with_fixes
from onnxls.frontends.script.homes import Home
from onnxls.frontends.script.source import Reader, Sources, SourceUnit
from onnxls.frontends.text_cursor import SYNTAX_ERROR
from onnxls.garbage import seldom_collected
from onnxls.loading import Loaded, load, load_text, read_file
from onnxls.relations import Condition
from onnxls.seeds import declared_names
from onnxls.spans import Location, Span
from onnxls.suppress import Directive, Sizes, owners, read_directives, suppress, with_problems
from onnxls.units import Report, Unit

if TYPE_CHECKING:
    import onnx


MAX_REQUESTS = 8
"""The different requests about one function whose results are kept."""

Wish = tuple[
    tuple[tuple[str, "int | tuple[int, ...]"], ...],
    bool,
    tuple[Condition, ...],
    tuple[bool, bool, bool, tuple[tuple[str, str], ...]],
]
"""What the analysis of a function depends on besides the function: hints, assumptions and options."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a script function for one request; `unit` and `diagnostics` hold while the homes are these."""

    made: Analysed
    unit: Unit
    diagnostics: tuple[Diagnostic, ...]
    homes: Mapping[str, Home]


class Workspace:
    """Analyses texts and models. `roots` are the folders that absolute imports resolve from, after the file's own.

    `read` gives the text of a file that a source imports, or None; a server puts its unsaved texts there. What is known
    of a script function is kept while nothing that it depends on changes. For one thread at a time.
    """

    def __init__(self, roots: Sequence[str] = (), read: Reader = read_file) -> None:
        self._sources = Sources(read, tuple(roots))

    def analyze(
        self, source: str | os.PathLike[str] | bytes | onnx.ModelProto, request: Request, path: str | None = None
    ) -> Report:
        """Analyses a path, a ModelProto or the bytes of one. Raises FileNotFoundError and UnsupportedInput."""
        with seldom_collected():
            return self._report(load(source, path, self._sources), request)

    def analyze_text(self, text: str, path: str, request: Request) -> Report:
        """Analyses the unsaved text of a file; `path` gives its kind and folder. Raises UnsupportedInput."""
        with seldom_collected():
            return self._report(load_text(text, path, self._sources), request)

    def _report(self, loaded: Loaded, request: Request) -> Report:
        locate = Locator(loaded.path, loaded.lines, loaded.homes, spans=_initializers(loaded))
        units: list[Unit] = []
        diagnostics = list(loaded.diagnostics)
        lines = loaded.lines
        if loaded.model is not None:
            own = model_directives.read(loaded.model.metadata)
            own_request = request.of_unit(loaded.model.graph.name, {**own.hints, **request.hints}, own.assume)
            whole = not any(each.rule == SYNTAX_ERROR.name for each in diagnostics)
            unit, found = tell(analyze_model(loaded.model, own_request, whole=whole), locate, request.options)
            units.append(unit)
            diagnostics = model_directives.apply(own, [*diagnostics, *found], locate.whole())
        if lines is None:
            return Report(tuple(units), tuple(diagnostics), loaded, with_fixes)
        directives = read_directives(lines.text, lines)
        stale: set[int] = set()
        ranges = [(source.first_line, source.last_line) for source in loaded.units]
        for source, own in zip(loaded.units, owners(directives, ranges, lines), strict=True):
            given, conditions, problems = read_own(own)
            directives = with_problems(directives, problems)
            own_request = request.of_unit(source.function.name, given, conditions)
            unit, found = self._function(source, locate, own_request)
            units.append(unit)
            diagnostics += found
            stale |= {id(each) for each in found if source.stale}
        if loaded.units:
            diagnostics = [each for each in once(diagnostics) if id(each) not in stale]
        diagnostics = suppress(diagnostics, directives, loaded.path, lines)
        diagnostics.sort(key=report.sort_key)
        return Report(tuple(units), tuple(diagnostics), loaded, with_fixes)

    def _function(self, source: SourceUnit, locate: Locator, request: Request) -> tuple[Unit, tuple[Diagnostic, ...]]:
        """The unit of a script function, and its diagnostics. Hints are for the functions that they fit."""
        function = source.function
        hints = request.hints
        if hints:
            names = declared_names(function.model) | function.inputs
            hints = {name: size for name, size in hints.items() if name in names}
        options = replace(request.options, at_call=True)
        kept: dict[Wish, _Known] = function.cache.setdefault(Workspace, {})
        sizes = tuple((name, size if isinstance(size, int) else tuple(size)) for name, size in hints.items())
        key = (
            sizes,
            request.shared_hints,
            request.assume,
            (options.empty_axes, options.trust_names, options.deep, tuple(options.operators.items())),
        )
        known = kept.get(key)
        if known is None:
            made = analyze_source(function, replace(request, hints=hints))
            if len(kept) >= MAX_REQUESTS:
                kept.clear()
        elif all(locate.homes.get(name) is home for name, home in known.homes.items()):
            return known.unit, known.diagnostics
        else:
            made = known.made
        own = Locator(locate.path, locate.lines, locate.homes, {source.home: locate.homes[source.home]})
        unit, diagnostics = tell(made, own, options)
        unit.source = source
        unit.values = {
            **{name: unit.values[of] for name, of in function.aliases.items() if of in unit.values},
            **unit.values,
        }
        kept[key] = _Known(made, unit, diagnostics, own.used)
        return unit, diagnostics


def _initializers(loaded: Loaded) -> dict[str, Span]:
    """Where the initializers of the main graph of an ONNX text are declared, by graph path."""
    written = None if loaded.written is None else loaded.written.positions.get("")
    if written is None:
        return {}
    return {f"graph/initializer[{name}]": each.name for name, each in written.initializers.items()}


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
    """Without repeats, and without what a called function is at fault for on its own: it is told there."""
    own = {(each.rule, each.location.line, each.location.column) for each in diagnostics if each.severity == "error"}
    kept: list[Diagnostic] = []
    told: set[tuple[str, str, Location]] = set()
    for each in diagnostics:
        what = each.rule, each.message, replace(each.location, graph_path=None)
        if what in told:
            continue
        told.add(what)
        inner = each.related[0].location if each.related and each.related[0].message.startswith("here, in ") else None
        if inner is None or (each.rule, inner.line, inner.column) not in own or inner.path != each.location.path:
            kept.append(each)
    return kept
