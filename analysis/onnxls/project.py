"""Texts and models in, reports out. The one module that knows kinds of files; what editors show is made from here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from onnxls import decide, report
from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Diagnostic
from onnxls.expressions import parse_condition
from onnxls.facts import Fact, Shape
from onnxls.findings import Finding, Place
from onnxls.frontends.model import open_model, read_model
from onnxls.frontends.script.source import Home, SourceUnit, read_source
from onnxls.graph import Attr, Model
from onnxls.infer import Analysis, Walker
from onnxls.lints import lint
from onnxls.relations import Condition, Decision, Guard
from onnxls.relations import decide as decide_guards
from onnxls.rules import Rule, rule
from onnxls.seeds import declared_names
from onnxls.spans import LineIndex, Location, Span
from onnxls.suppress import Directive, Sizes, owners, read_directives, suppress, with_problems

if TYPE_CHECKING:
    import onnx

MAX_IMPORTED = 2_000_000
"""Imported files that are longer than this are not read."""

Hints = Mapping[str, "int | Sequence[int]"]

BINARY = (".onnx",)
TEXT = (".onnxtxt", ".onnxtext")
TEXTPROTO = (".textproto", ".pbtxt")
JSON = (".json", ".onnxjson")
SOURCE = (".py",)

INVALID_HINT = rule(
    "invalid-hint",
    "OLS060",
    "error",
    """
    A hint names nothing in the model, or contradicts what is declared or assumed.

    A hint is the size of one intended run: of a symbol (`N=2`) or of all axes of an input (`x=2,3,4`).
    """,
)
CONTRADICTORY_ASSUMPTIONS = rule(
    "contradictory-assumptions",
    "OLS061",
    "error",
    """
    The assumptions exclude each other: no sizes meet them all.

    Every condition would follow from such assumptions, so nothing that is said under them is of worth.
    """,
)


class UnsupportedInput(Exception):  # noqa: N818 - the name is public and fixed
    """The input is of no kind that onnxls knows."""


class AssumptionError(ValueError):
    """An assumption that cannot be parsed."""


class Unit:
    """A model, or a function of a source: its values, guards and conditions."""

    def __init__(self, model: Model, analysis: Analysis, guards: tuple[Guard, ...]) -> None:
        self.name = model.graph.name
        self.model = model
        self.kept_names = analysis.kept_names
        self.values: Mapping[str, Fact] = analysis.values
        self.inputs = analysis.inputs
        self.outputs = analysis.outputs
        self.guards = guards
        self._base = analysis.base
        self._shapes = {value: analysis.values[value].shape for value in analysis.inputs}

    def check(self, sizes: Hints) -> Decision:
        """Whether the guards hold at these sizes; KeyError for a symbol that a guard needs and `sizes` lacks."""
        return decide_guards(self.guards, bind(sizes, self._shapes)[0])

    def static_check(self, text: str) -> bool | None:
        """Whether a condition follows from guards, declared inputs and assumptions (True), is refuted, or neither."""
        condition = parse_condition(text)
        if decide.follows(condition, self._known):
            return True
        return False if decide.refuted(condition, self._known) else None

    @cached_property
    def _known(self) -> Assumptions:
        known = self._base
        for guard in self.guards:
            if guard.condition.symbols():
                known = known.learn(guard.condition)
        return known


@dataclass(frozen=True)
class Report:
    """The result of one analysis: the units, and all diagnostics in source order."""

    units: tuple[Unit, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def values(self) -> Mapping[str, Fact]:
        """The values of the first unit."""
        return self.units[0].values if self.units else {}

    @property
    def guards(self) -> tuple[Guard, ...]:
        """The guards of the first unit."""
        return self.units[0].guards if self.units else ()

    def check(self, sizes: Hints) -> Decision:
        """The first unit's; LookupError where there is none."""
        return self._first().check(sizes)

    def static_check(self, text: str) -> bool | None:
        """The first unit's; LookupError where there is none."""
        return self._first().static_check(text)

    def _first(self) -> Unit:
        if not self.units:
            raise LookupError("nothing was analysed")
        return self.units[0]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a front end made of an input: one model, or one for each function of a source.

    `lines` are those of a text, None for a binary model; `homes` say where the chunks of a source are.
    """

    path: str
    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    lines: LineIndex | None = None
    units: tuple[SourceUnit, ...] = ()
    homes: Mapping[str, Home] = field(default_factory=dict[str, Home])


def analyze(
    source: str | os.PathLike[str] | bytes | onnx.ModelProto,
    *,
    hints: Hints | None = None,
    assume: Sequence[str] = (),
    path: str | None = None,
    options: report.Options | None = None,
) -> Report:
    """Analyses a path, a ModelProto or the bytes of one. What is wrong with the input is in the report.

    `hints`: sizes of symbols (`{"N": 2}`) or inputs (`{"x": (2, 3)}`) of one intended run. `assume`: preconditions on
    symbols (`"N % 8 == 0"`). `path`: what bytes or a ModelProto shall be called, and where external data lies.
    Raises FileNotFoundError, UnsupportedInput (not a kind that is known) and AssumptionError.
    """
    conditions = parse_assumptions(assume)
    return _report(load(source, path), hints or {}, conditions, options or report.Options())


def analyze_text(
    text: str,
    path: str,
    *,
    hints: Hints | None = None,
    assume: Sequence[str] = (),
    options: report.Options | None = None,
) -> Report:
    """Analyses the unsaved text of a file; `path` gives its kind and folder. Raises as `analyze` does."""
    conditions = parse_assumptions(assume)
    return _report(load_text(text, path), hints or {}, conditions, options or report.Options())


def parse_assumptions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """The conditions of the texts; AssumptionError for one that cannot be read."""
    found: list[Condition] = []
    for text in texts:
        try:
            found.append(parse_condition(text))
        except ValueError as error:
            raise AssumptionError(f"cannot read the assumption {text!r}: {error}") from None
    return tuple(found)


def load(source: str | os.PathLike[str] | bytes | onnx.ModelProto, path: str | None = None) -> Loaded:
    """Reads an input with the front end of its kind."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _load_bytes(bytes(source), path or "<model>")
    if not isinstance(source, (str, os.PathLike)):
        return _load_bytes(source.SerializeToString(), path or "<model>")
    name = os.fspath(source)
    kind = os.path.splitext(name)[1].lower()
    if kind in BINARY:
        model, diagnostics = open_model(name)
        return Loaded(path or name, model, diagnostics)
    if kind not in (*TEXT, *TEXTPROTO, *JSON, *SOURCE):
        if not os.path.exists(name):
            raise FileNotFoundError(2, "no such file", name)
        raise UnsupportedInput(f"{name}: not a kind of file that onnxls knows")
    with open(name, encoding="utf-8", errors="replace", newline="") as file:
        return load_text(file.read(), name)


def load_text(text: str, path: str) -> Loaded:
    """Reads a text with the front end of its kind."""
    kind = os.path.splitext(path)[1].lower()
    if kind in TEXT:
        from onnxls.frontends.text import read_text

        read = read_text(text, path)
        return Loaded(path, read.model, read.diagnostics, read.lines)
    if kind in TEXTPROTO:
        from onnxls.frontends.protos import read_textproto

        model, diagnostics = read_textproto(text, path)
    elif kind in JSON:
        from onnxls.frontends.protos import read_json

        model, diagnostics = read_json(text, path)
    elif kind in SOURCE:
        source = read_source(text, path, read_file)
        return Loaded(path, None, source.diagnostics, source.lines, source.units, source.homes)
    else:
        raise UnsupportedInput(f"{path}: not a kind of text that onnxls knows")
    return Loaded(path, model, diagnostics)


def read_file(path: str) -> str | None:
    """The text of a file that a source imports, or None."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read(MAX_IMPORTED + 1)
    except (OSError, ValueError):
        return None


def _load_bytes(data: bytes, path: str) -> Loaded:
    model, diagnostics = read_model(data, path)
    return Loaded(path, model, diagnostics)


def _report(loaded: Loaded, hints: Hints, assume: tuple[Condition, ...], options: report.Options) -> Report:
    locate = Locator(loaded.path, loaded.lines, loaded.homes)
    units: list[Unit] = []
    diagnostics = list(loaded.diagnostics)
    if loaded.model is not None:
        unit, found = analyze_model(loaded.model, locate, hints, assume, options)
        units.append(unit)
        diagnostics += found
    lines = loaded.lines
    if lines is None:
        return Report(tuple(units), tuple(diagnostics))
    directives = read_directives(lines.text, lines)
    ranges = [(source.first_line, source.last_line) for source in loaded.units]
    for source, own in zip(loaded.units, owners(directives, ranges, lines), strict=True):
        given, conditions, problems = read_own(own)
        directives = with_problems(directives, problems)
        unit, found = analyze_source(source, locate, {**hints, **given}, (*assume, *conditions), options)
        units.append(unit)
        diagnostics += found
    if loaded.units:
        diagnostics = once(diagnostics)
    diagnostics = suppress(diagnostics, directives, loaded.path, lines)
    diagnostics.sort(key=report.sort_key)
    return Report(tuple(units), tuple(diagnostics))


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


@dataclass(frozen=True, slots=True)
class Locator:
    """Turns places into locations of one file."""

    path: str
    lines: LineIndex | None
    homes: Mapping[str, Home] = field(default_factory=dict[str, Home])

    def __call__(self, place: Place) -> Location:
        span, at = place.span, place
        while span is None and at.caller is not None and self.homes:
            at = at.caller
            span = at.span
        if self.lines is None or span is None:
            return Location(self.path, graph_path=place.graph_path)
        home = self.homes.get(span.home)
        if home is not None:
            return home.location(span, place.graph_path)
        return self.lines.location(self.path, span, place.graph_path)


def analyze_source(
    source: SourceUnit, locate: Locator, hints: Hints, assume: tuple[Condition, ...], options: report.Options
) -> tuple[Unit, tuple[Diagnostic, ...]]:
    """The unit of a script function, and its diagnostics. Hints and assumptions are for the functions that they fit.

    Where an input that is annotated with an element type alone breaks the function as a scalar, any rank is taken.
    """
    options = replace(options, at_call=True)
    model, faults = source.model, list(source.faults)
    names = declared_names(model) | source.inputs
    own = {name: size for name, size in hints.items() if name in names}
    unit, found = analyze_model(model, locate, own, assume, options, source.attributes, faults)
    if source.bare and any(each.verdict == "fails" for each in found):
        loose, fewer = analyze_model(source.loosened, locate, own, assume, options, source.attributes,
                                     [*faults, *source.bare_faults])  # fmt: skip
        if sum(each.verdict == "fails" for each in fewer) < sum(each.verdict == "fails" for each in found):
            unit, found = loose, fewer
    unit.values = {**{name: unit.values[of] for name, of in source.aliases.items() if of in unit.values}, **unit.values}
    return unit, found


def of_function(fault: Finding) -> bool:
    """Whether a fault of the graph is one of the function itself: those of other functions are told there."""
    return fault.place.graph_path.startswith("graph") and fault.rule.name != "undeclared-attribute-reference"


def once(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Without what a called function is at fault for on its own: it is told there."""
    own = {(each.rule, each.location.line, each.location.column) for each in diagnostics if each.severity == "error"}
    kept: list[Diagnostic] = []
    for each in diagnostics:
        inner = each.related[0].location if each.related and each.related[0].message.startswith("here, in ") else None
        if inner is None or (each.rule, inner.line, inner.column) not in own or inner.path != each.location.path:
            kept.append(each)
    return kept


def analyze_model(
    model: Model,
    locate: Locator,
    hints: Hints,
    assume: tuple[Condition, ...],
    options: report.Options,
    attributes: Mapping[str, Attr] | None = None,
    noted: Sequence[Finding] = (),
) -> tuple[Unit, tuple[Diagnostic, ...]]:
    """The unit of a model, and its diagnostics. `attributes` and `noted`: of the function that it is the body of."""
    model, faults = lint(model)
    if attributes is not None:
        faults = [each for each in faults if of_function(each)]
    faults[:0] = noted
    walker = Walker(model, attributes)
    sizes, problems = bind(hints, walker.input_shapes())
    problems += [f"the hints contradict the assumption {each}" for each in assume if _contradicts(sizes, each)]
    analysis = walker.run(sizes, assume)
    analysis.findings[:0] = faults
    found = [_whole(INVALID_HINT, text, locate) for text in problems]
    if contradictory(analysis.base, assume):
        found.append(_whole(CONTRADICTORY_ASSUMPTIONS, "no sizes meet all assumptions", locate))
    unit = Unit(model, analysis, report.located_guards(analysis, locate))
    return unit, (*found, *report.diagnostics(analysis, locate, options))


def bind(sizes: Hints, shapes: Mapping[str, Shape | None]) -> tuple[dict[str, int], list[str]]:
    """Sizes of symbols from sizes of symbols and of inputs; and what is wrong with them."""
    symbols = {symbol.name for shape in shapes.values() for dim in shape or () for symbol in dim.atoms()}
    bound: dict[str, int] = {}
    problems: list[str] = []

    def give(name: str, size: int) -> None:
        if size < 0:
            problems.append(f"{name} = {size}: a size is not negative")
        elif bound.setdefault(name, size) != size:
            problems.append(f"{name} is given two sizes, {bound[name]} and {size}")

    for name, given in sizes.items():
        if isinstance(given, int):
            if name not in symbols:
                problems.append(f"{name} is no symbol of the inputs")
            give(name, given)
            continue
        shape = shapes.get(name)
        if name not in shapes:
            problems.append(f"{name} is no input")
        if shape is None:
            continue
        if len(shape) != len(given):
            problems.append(f"{name} has rank {len(shape)}, not {len(given)}")
            continue
        for axis, (dim, size) in enumerate(zip(shape, given, strict=True)):
            symbol = dim.as_symbol
            if symbol is not None:
                give(symbol.name, size)
            elif dim.const != size:
                problems.append(f"axis {axis} of {name} is {dim}, not {size}")
    return bound, problems


def contradictory(base: Assumptions, assume: Sequence[Condition]) -> bool:
    """Whether some assumption is refuted by the others."""
    raised = base.with_floor(1)
    return any(decide.refuted(each, Assumptions(base.order, 1)) for each in assume) or any(
        decide.follows(each.negation(), raised) for each in raised.conditions
    )


def _contradicts(sizes: Mapping[str, int], condition: Condition) -> bool:
    return condition.symbols() <= sizes.keys() and not condition.holds_at(sizes)


def _whole(about: Rule, text: str, locate: Locator) -> Diagnostic:
    location = (
        Location(locate.path, 1, 1, 1, 1) if locate.lines is not None else Location(locate.path, graph_path="graph")
    )
    return Diagnostic(about.name, about.code, about.severity, text, location)
