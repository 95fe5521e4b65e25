"""Texts and models in, reports out. The one module that knows kinds of files; what editors show is made from here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from onnxls import decide, report
from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Diagnostic
from onnxls.expressions import parse_condition
from onnxls.facts import Fact, Shape
from onnxls.findings import Place
from onnxls.frontends.model import open_model, read_model
from onnxls.graph import Model
from onnxls.infer import Analysis, Walker
from onnxls.lints import lint
from onnxls.relations import Condition, Decision, Guard
from onnxls.relations import decide as decide_guards
from onnxls.rules import Rule, rule
from onnxls.spans import LineIndex, Location

if TYPE_CHECKING:
    import onnx

Hints = Mapping[str, "int | Sequence[int]"]

BINARY = (".onnx",)
TEXT = (".onnxtxt", ".onnxtext")
TEXTPROTO = (".textproto", ".pbtxt")
JSON = (".json", ".onnxjson")

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
    """What a front end made of an input. `lines` are those of a text, None for a binary model."""

    path: str
    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    lines: LineIndex | None = None


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
    if kind not in (*TEXT, *TEXTPROTO, *JSON):
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
    else:
        raise UnsupportedInput(f"{path}: not a kind of text that onnxls knows")
    return Loaded(path, model, diagnostics)


def _load_bytes(data: bytes, path: str) -> Loaded:
    model, diagnostics = read_model(data, path)
    return Loaded(path, model, diagnostics)


def _report(loaded: Loaded, hints: Hints, assume: tuple[Condition, ...], options: report.Options) -> Report:
    if loaded.model is None:
        return Report((), loaded.diagnostics)
    locate = Locator(loaded.path, loaded.lines)
    unit, found = analyze_model(loaded.model, locate, hints, assume, options)
    diagnostics = (*loaded.diagnostics, *found)
    if loaded.lines is not None:
        diagnostics = tuple(sorted(diagnostics, key=report.sort_key))
    return Report((unit,), diagnostics)


@dataclass(frozen=True, slots=True)
class Locator:
    """Turns places into locations of one file."""

    path: str
    lines: LineIndex | None

    def __call__(self, place: Place) -> Location:
        if self.lines is None or place.span is None:
            return Location(self.path, graph_path=place.graph_path)
        return self.lines.location(self.path, place.span, place.graph_path)


def analyze_model(
    model: Model, locate: Locator, hints: Hints, assume: tuple[Condition, ...], options: report.Options
) -> tuple[Unit, tuple[Diagnostic, ...]]:
    """The unit of a model, and its diagnostics."""
    model, faults = lint(model)
    walker = Walker(model)
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
