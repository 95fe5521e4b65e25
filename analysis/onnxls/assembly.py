"""From the model of a front end to its unit and diagnostics: lints, the walk, hints, assumptions, places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from onnxls import decide, report
from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Diagnostic
from onnxls.findings import Finding, Place
from onnxls.frontends.script.functions import FunctionModel
from onnxls.frontends.script.homes import Home
from onnxls.graph import Attr, Model
from onnxls.groups import Prover
from onnxls.infer import Analysis, Walker
from onnxls.lints import CALLS, OF_ALL, lint
from onnxls.ops.control_flow import BRANCHES_DISAGREE
from onnxls.ops.own import Operators, declared
from onnxls.relations import Condition
from onnxls.rules import Rule, rule
from onnxls.spans import LineIndex, Location, Span
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
UNNEEDED_ASSUMPTION = rule(
    "unneeded-assumption",
    "OLS062",
    "information",
    """
    An assumption changes nothing: without it all shapes, guards and findings are the same.

    What it promises may be true and still be of no use here; or it was meant to rule a finding out, and the finding has
    gone, or the assumption names a size that the model does not have.

    ```onnx
    # onnxls: assume N % 8 == 0
    g (float[N, 4] x) => (float[N, 4] y) {
      y = Relu (x)
    }
    ```

    Remove it, or correct the name in it.
    """,
)
PYTHON_DECIDES = frozenset((BRANCHES_DISAGREE,))
"""What is a fault in a graph only: the branches of an `if` of Python may give whatever they like."""

MAX_NEEDS = 8
"""Assumptions of one unit that are looked at for whether they are needed: each takes an analysis without it."""

CONTRADICTORY_ASSUMPTIONS = rule(
    "contradictory-assumptions",
    "OLS061",
    "error",
    """
    The assumptions exclude each other: no sizes meet them all.

    Every condition would follow from such assumptions, so nothing that is said under them is of worth. The message has
    two that exclude each other, where there are two.
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
    written: tuple[Condition, ...] = ()
    """The assumptions that stand in the unit itself."""

    def of_unit(self, name: str, hints: Hints | None = None, assume: Sequence[Condition] = ()) -> Request:
        """The request for one unit, with the hints and assumptions that are written in it."""
        own = {**self.hints, **(hints or {}), **self.sizes.get(name, {})}
        return replace(self, hints=own, assume=(*self.assume, *assume), sizes={}, written=tuple(assume))


@dataclass(frozen=True, slots=True)
class Locator:
    """Turns places into locations of one file. `used`: the homes of chunks that this took.

    `spans`: where things stand in the text whose places do not say it, by graph path.
    """

    path: str
    lines: LineIndex | None
    homes: Mapping[str, Home] = field(default_factory=dict[str, Home])
    used: dict[str, Home] = field(default_factory=dict[str, Home])
    spans: Mapping[str, Span] = field(default_factory=dict[str, Span])

    def __call__(self, place: Place) -> Location:
        span, at = place.span, place
        while span is None and at.caller is not None and self.homes:
            at = at.caller
            span = at.span
        if self.lines is None:
            return Location(self.path, graph_path=place.graph_path)
        span = span or self.spans.get(place.graph_path)
        if span is None:
            return replace(self.whole(), graph_path=place.graph_path)
        home = self.homes.get(span.home)
        if home is not None:
            self.used[span.home] = home
            return home.location(span, place.graph_path)
        return self.lines.location(self.path, span, place.graph_path)

    def whole(self) -> Location:
        """The place of what is about the file as a whole."""
        return Location(self.path, graph_path="graph") if self.lines is None else Location(self.path, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Analysed:
    """What is known of a model, wherever its text stands. `sizes` are those of the hinted run.

    `problems`: what is wrong with the request.
    """

    model: Model
    analysis: Analysis
    sizes: Mapping[str, int]
    problems: tuple[tuple[Rule, str], ...]
    examples: tuple[report.Example, ...]

    @property
    def failures(self) -> int:
        """The number of findings that fail at all sizes."""
        return sum(each.verdict == "fails" for each in self.analysis.findings)


def analyze_source(source: FunctionModel, request: Request) -> Analysed:
    """What is known of a script function.

    Where an input that is annotated with an element type alone breaks the function as a scalar, any rank is taken.
    """
    if source.traced:
        return analyze_traced(source, request)
    faults = list(source.faults)
    made = analyze_model(source.model, request, source.attributes, faults, whole=source.whole)
    if source.bare and made.failures:
        noted = [*faults, *source.bare_faults]
        loose = analyze_model(source.loosened, request, source.attributes, noted, whole=source.whole)
        if loose.failures < made.failures:
            return loose
    return made


def analyze_traced(source: FunctionModel, request: Request) -> Analysed:
    """What is known of a function that Python runs to make a graph.

    Only what fails in every run that comes there is told: nothing that other branches, checks and callers may rule out,
    and nothing that Python means otherwise. The names and arguments of its calls are looked at elsewhere.
    """

    def told(finding: Finding) -> bool:
        return _surely_wrong(finding) or (source.certain and finding.verdict == "may-fail")

    return analyze_model(source.model, request, source.attributes, told=told)


def _surely_wrong(finding: Finding) -> bool:
    if finding.rule in PYTHON_DECIDES:
        return False
    severity = finding.severity or finding.rule.severity
    return finding.verdict == "fails" or (finding.verdict is None and severity == "error")


def blamed(faults: Sequence[Finding]) -> frozenset[str]:
    """The nodes that are called wrongly. What the walk finds there besides has the same cause."""
    return frozenset(
        each.place.graph_path
        for each in faults
        if each.rule in CALLS and (each.severity or each.rule.severity) == "error"
    )


def analyze_model(
    model: Model,
    request: Request,
    attributes: Mapping[str, Attr] | None = None,
    noted: Sequence[Finding] = (),
    told: Callable[[Finding], bool] | None = None,
    whole: bool = True,
) -> Analysed:
    """What is known of a model. `attributes` and `noted`: of the function that it is the body of.

    `told`: which findings of the walk are kept, and then the graph as such is not looked at; None: all. `whole`: all
    that is written is in the model; of a part of it nothing is said that the rest may refute.
    """
    operators = Operators(declared(request.options.operators))
    faults: list[Finding] = []
    if told is None:
        model, faults = lint(model, attributes, known=operators)
    if attributes is not None:  # faults of other functions are told there
        faults = [each for each in faults if each.place.graph_path.startswith("graph")]
    if not whole:
        faults = [each for each in faults if each.rule not in OF_ALL]
    faults[:0] = noted
    assume = request.assume
    prover = _prover(request.options)
    walker = Walker(model, attributes, request.cancelled, operators, prover)
    shapes = walker.input_shapes()
    hints = fitting(request.hints, shapes) if request.shared_hints else request.hints
    sizes, texts = bind(hints, shapes)
    texts += [f"the hints contradict the assumption {each}" for each in assume if _contradicts(sizes, each)]
    readings = walker.ledger.readings if request.options.trust_names else []
    analysis = walker.run(sizes, (*assume, *readings))
    problems = [(INVALID_HINT, text) for text in texts] if whole else []
    if contradictory(analysis.base, assume):
        problems.append((CONTRADICTORY_ASSUMPTIONS, exclusion(assume, analysis.base.order)))
    else:
        for each in request.written if request.shared_hints else assume[:MAX_NEEDS]:
            others = [other for other in (*assume, *readings) if other != each]
            again = Walker(model, attributes, request.cancelled, operators, prover).run(sizes, others)
            if _told(again) == _told(analysis):
                problems.append((UNNEEDED_ASSUMPTION, f"the assumption {each} changes nothing"))
    wrong = blamed(faults)
    findings = [*faults, *(each for each in analysis.findings if each.place.graph_path not in wrong)]
    if told is not None:
        findings = list(filter(told, findings))
    analysis.findings[:] = report.folded(findings, analysis.base, request.options)
    return Analysed(model, analysis, sizes, tuple(problems), report.examples(analysis))


def _prover(options: report.Options) -> Prover | None:
    if not options.deep:
        return None
    from onnxls.deep import Z3

    return Z3()


def tell(made: Analysed, locate: Locator, options: report.Options) -> tuple[Unit, tuple[Diagnostic, ...]]:
    """The unit of a model, and its diagnostics."""
    unit = Unit(made.model, made.analysis, report.located_guards(made.analysis, locate), made.sizes)
    whole = locate.whole()
    problems = [Diagnostic(about.name, about.code, about.severity, text, whole) for about, text in made.problems]
    return unit, (*problems, *report.diagnostics(made.analysis, made.examples, locate, options))


def contradictory(base: Assumptions, assume: Sequence[Condition]) -> bool:
    """Whether some assumption is refuted by the others."""
    raised = base.with_floor(1)
    return any(decide.refuted(each, Assumptions(base.order, 1)) for each in assume) or any(
        decide.follows(each.negation(), raised) for each in raised.everything().conditions
    )


def exclusion(assume: Sequence[Condition], order: Mapping[str, int]) -> str:
    """Two assumptions that exclude each other, or what can be said of them all."""
    for index, first in enumerate(assume):
        if decide.refuted(first, Assumptions(order, 1)):
            return f"no sizes meet the assumption {first}"
        for second in assume[index + 1 :]:
            if decide.refuted(second, Assumptions(order, 1).learn(first)):
                return f"no sizes meet both assumptions, {first} and {second}"
    return "no sizes meet all assumptions"


def _told(analysis: Analysis) -> tuple[object, ...]:
    """All that an analysis says of a model."""
    findings = [(each.rule.name, each.place.graph_path, each.verdict, each.condition) for each in analysis.findings]
    values = {name: (fact.shape, fact.elements, fact.annotation) for name, fact in analysis.values.items()}
    return findings, [(guard.kind, guard.condition) for guard in analysis.guards], values


def _contradicts(sizes: Mapping[str, int], condition: Condition) -> bool:
    return condition.symbols() <= sizes.keys() and not condition.holds_at(sizes)
