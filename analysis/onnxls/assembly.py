"""From the model of a front end to its unit and diagnostics: lints, the walk, hints, assumptions, places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from onnxls import decide, report
from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Diagnostic
from onnxls.findings import Finding, Place
from onnxls.frontends.script.source import Home, SourceUnit
from onnxls.graph import Attr, Model
from onnxls.infer import Walker
from onnxls.lints import lint
from onnxls.ops.own import Operators, declared
from onnxls.relations import Condition
from onnxls.rules import Rule, rule
from onnxls.seeds import declared_names
from onnxls.spans import LineIndex, Location
from onnxls.units import Hints, Unit, bind, fitting

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


def never() -> bool:
    """An analysis that nobody cancels."""
    return False


@dataclass(frozen=True, slots=True)
class Request:
    """What is wished of an analysis besides its input. `cancelled` is asked at every node; see `infer.Cancelled`.

    `sizes` are hints for one unit each, by its name; they count more than what is written in a source.
    `shared_hints`: the hints are for several models, so a name that one of them lacks is no fault of it.
    """

    hints: Hints = field(default_factory=dict[str, "int | Sequence[int]"])
    assume: tuple[Condition, ...] = ()
    options: report.Options = field(default_factory=report.Options)
    cancelled: Callable[[], bool] = never
    sizes: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    shared_hints: bool = False

    def of_unit(self, name: str, hints: Hints | None = None, assume: Sequence[Condition] = ()) -> Request:
        """The request for one unit, with the hints and assumptions that are written in it."""
        own = {**self.hints, **(hints or {}), **self.sizes.get(name, {})}
        return replace(self, hints=own, assume=(*self.assume, *assume), sizes={})


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


def analyze_source(source: SourceUnit, locate: Locator, request: Request) -> tuple[Unit, tuple[Diagnostic, ...]]:
    """The unit of a script function, and its diagnostics. Hints and assumptions are for the functions that they fit.

    Where an input that is annotated with an element type alone breaks the function as a scalar, any rank is taken.
    """
    model, faults = source.model, list(source.faults)
    names = declared_names(model) | source.inputs
    own = {name: size for name, size in request.hints.items() if name in names}
    request = replace(request, hints=own, options=replace(request.options, at_call=True))
    unit, found = analyze_model(model, locate, request, source.attributes, faults)
    if source.bare and any(each.verdict == "fails" for each in found):
        loose, fewer = analyze_model(
            source.loosened, locate, request, source.attributes, [*faults, *source.bare_faults]
        )
        if sum(each.verdict == "fails" for each in fewer) < sum(each.verdict == "fails" for each in found):
            unit, found = loose, fewer
    unit.source = source
    unit.values = {**{name: unit.values[of] for name, of in source.aliases.items() if of in unit.values}, **unit.values}
    return unit, found


def of_function(fault: Finding) -> bool:
    """Whether a fault of the graph is one of the function itself: those of other functions are told there."""
    return fault.place.graph_path.startswith("graph") and fault.rule.name != "undeclared-attribute-reference"


def analyze_model(
    model: Model,
    locate: Locator,
    request: Request,
    attributes: Mapping[str, Attr] | None = None,
    noted: Sequence[Finding] = (),
) -> tuple[Unit, tuple[Diagnostic, ...]]:
    """The unit of a model, and its diagnostics. `attributes` and `noted`: of the function that it is the body of."""
    operators = Operators(declared(request.options.operators))
    model, faults = lint(model, known=operators)
    if attributes is not None:
        faults = [each for each in faults if of_function(each)]
    faults[:0] = noted
    assume = request.assume
    walker = Walker(model, attributes, request.cancelled, operators)
    shapes = walker.input_shapes()
    hints = fitting(request.hints, shapes) if request.shared_hints else request.hints
    sizes, problems = bind(hints, shapes)
    problems += [f"the hints contradict the assumption {each}" for each in assume if _contradicts(sizes, each)]
    analysis = walker.run(sizes, assume)
    analysis.findings[:0] = faults
    found = [_whole(INVALID_HINT, text, locate) for text in problems]
    if contradictory(analysis.base, assume):
        found.append(_whole(CONTRADICTORY_ASSUMPTIONS, "no sizes meet all assumptions", locate))
    unit = Unit(model, analysis, report.located_guards(analysis, locate), sizes)
    return unit, (*found, *report.diagnostics(analysis, locate, request.options))


def contradictory(base: Assumptions, assume: Sequence[Condition]) -> bool:
    """Whether some assumption is refuted by the others."""
    raised = base.with_floor(1)
    return any(decide.refuted(each, Assumptions(base.order, 1)) for each in assume) or any(
        decide.follows(each.negation(), raised) for each in raised.everything().conditions
    )


def _contradicts(sizes: Mapping[str, int], condition: Condition) -> bool:
    return condition.symbols() <= sizes.keys() and not condition.holds_at(sizes)


def _whole(about: Rule, text: str, locate: Locator) -> Diagnostic:
    location = (
        Location(locate.path, 1, 1, 1, 1) if locate.lines is not None else Location(locate.path, graph_path="graph")
    )
    return Diagnostic(about.name, about.code, about.severity, text, location)
