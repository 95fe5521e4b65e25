"""Puts findings into words: severity, message, examples, related places. Examples are chosen here, last."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from onnxls import decide
from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Diagnostic, Related
from onnxls.dims import Dim
from onnxls.findings import Finding, Place
from onnxls.infer import Analysis
from onnxls.relations import AnyOf, Condition, Guard, Relation, at_most, has_anonymous, relations
from onnxls.rules import Severity
from onnxls.spans import Location

Locate = Callable[[Place], Location]
"""The location of a place: by its range in the text, or by its path in the graph."""

MAX_FOLDED = 24
"""Findings of one kind about the same symbols that are compared with each other."""

MAX_EXAMPLES = 40
"""Beyond this many findings, examples are no longer completed over all symbols."""


@dataclass(frozen=True, slots=True)
class Options:
    """What changes how findings are told. `at_call`: a fault in a function body is told where the graph calls it.
    `operators`: shape rules of operators that are not in the table, see `ops.own.declared`. `trust_names`: names of
    inputs that read as expressions are what they say. `deep`: what is left open is put to z3, see `deep`."""

    empty_axes: bool = False
    at_call: bool = False
    trust_names: bool = False
    deep: bool = False
    operators: Mapping[str, str] = field(default_factory=dict[str, str])


_OF_THE_NODE = ("is ", "has ", "takes ", "gives ", "needs ")
"""Texts that begin so have the node as their subject."""

Example = tuple[dict[str, int] | None, dict[str, int] | None]
"""Sizes that work and sizes that fail; None for a finding that has none."""


def examples(analysis: Analysis) -> tuple[Example, ...]:
    """An example for each finding of an analysis."""
    chosen = _Examples(analysis, analysis.findings)
    return tuple(chosen.of(finding) for finding in analysis.findings)


def diagnostics(
    analysis: Analysis, chosen: Sequence[Example], locate: Locate, options: Options
) -> tuple[Diagnostic, ...]:
    """All findings of an analysis as diagnostics, with their examples."""
    return tuple(
        _diagnostic(finding, locate, options, *example)
        for finding, example in zip(analysis.findings, chosen, strict=True)
    )


def located_guards(analysis: Analysis, locate: Locate) -> tuple[Guard, ...]:
    """The guards with the places that need them."""
    return tuple(
        Guard(guard.kind, guard.condition, guard.node, guard.reason, locate(analysis.guard_places[guard]))
        for guard in analysis.guards
    )


class _Examples:
    """Sizes that work and fail, complete over the input symbols. One passing example serves all findings if it can."""

    def __init__(self, analysis: Analysis, findings: Sequence[Finding]) -> None:
        self.symbols = list(analysis.base.order)
        self.left = MAX_EXAMPLES
        self.conditions = [c for finding in findings if (c := _dependent(finding)) is not None]
        known = analysis.base
        for guard in analysis.guards if self.conditions else ():
            if guard.condition.symbols():
                known = known.learn(guard.condition)
        self.known = known.with_floor(1)
        full = [each for condition in self.conditions for each in _full(condition)]
        usual = [condition.parts[0] for condition in self.conditions if isinstance(condition, AnyOf)]
        self.common = (
            decide.example([*self.conditions, *full, *usual], self.known, self.symbols)
            or decide.example([*self.conditions, *full], self.known, self.symbols)
            or decide.example(self.conditions, self.known, self.symbols)
            if self.conditions
            else None
        )

    def of(self, finding: Finding) -> Example:
        """A passing and a failing example of a finding; None for one whose verdict has none."""
        condition, known = _dependent(finding), finding.known
        if condition is None or known is None:
            return None, None
        self.left -= 1
        symbols = self.symbols if self.left >= 0 else []
        passing = (
            self.common
            or decide.example((condition,), self.known, symbols)
            or decide.example((condition,), known, symbols)
        )
        failing = (condition.negation(),)
        return passing, decide.example((*failing, *_full(condition)), known, symbols) or decide.example(
            failing, known, symbols
        )


def _full(condition: Condition) -> list[Condition]:
    """That no side of an equality is 0: runtimes differ on empty operands, which makes poor examples."""
    sides = (
        side for each in relations(condition) if each.op == "==" and each.rhs != 0 for side in (each.lhs, each.rhs)
    )
    return [at_most(1, side) for side in sides if side.const is None]


def _dependent(finding: Finding) -> Condition | None:
    """The condition of a finding that some sizes meet and some do not."""
    return finding.condition if finding.verdict == "may-fail" and not finding.empty_only else None


def _diagnostic(
    finding: Finding,
    locate: Locate,
    options: Options,
    passing: dict[str, int] | None,
    failing: dict[str, int] | None,
) -> Diagnostic:
    place = told_at(finding.place, options)
    location = locate(place)
    guard = None
    if finding.condition is not None:
        guard = Guard("assert", finding.condition, place.node, finding.rule.name, location)
    return Diagnostic(
        rule=finding.rule.name,
        code=finding.rule.code,
        severity=severity(finding, options),
        message=inside(finding.place, options) + message(finding, passing, failing),
        location=location,
        related=tuple(_related(finding, locate, options)),
        node=place.node,
        value=place.value,
        verdict=finding.verdict,
        guard=guard,
        passing=passing,
        failing=failing,
    )


def severity(finding: Finding, options: Options) -> Severity:
    """How loud a finding is: errors for what fails, warnings for what may, less for anonymous and empty axes."""
    if finding.severity is not None:
        return finding.severity
    if finding.verdict == "fails":
        return "error" if finding.certain else "warning"
    if finding.verdict == "may-fail":
        if finding.empty_only:
            return "warning" if options.empty_axes else "information"
        if finding.condition is not None and has_anonymous(finding.condition):
            return "information"
        return "warning"
    return finding.rule.severity


def message(finding: Finding, passing: Mapping[str, int] | None, failing: Mapping[str, int] | None) -> str:
    """The finding in one sentence: the node, what is wrong, and sizes that work and fail."""
    text = finding.text
    if finding.place.op_type:
        text = f"{subject(finding.place)}{'' if text.startswith(_OF_THE_NODE) else ':'} {text}"
    condition = finding.condition
    if finding.hinted:
        text += "; this does not hold at the hinted sizes"
    elif finding.empty_only and condition is not None:
        text += f"; needs {condition}, which only an empty axis breaks"
    elif condition is not None and passing is not None and failing is not None:
        names = condition.symbols()
        text += f"; runs for {_sizes(passing, names)}, fails for {_sizes(failing, names)}"
    if not finding.certain and finding.verdict == "fails":
        text += " (whenever this branch or body runs)"
    return text


def subject(place: Place) -> str:
    """A node for people: its operator and name."""
    if place.written:
        return f"`{place.written}`"
    name = (place.node or "").rpartition("/")[2]
    unnamed = place.op_type is not None and re.fullmatch(re.escape(place.op_type) + r"(_\d+)?", name)
    return f"`{place.op_type}` {name}" if name and not unnamed else f"`{place.op_type}`"


def _sizes(sizes: Mapping[str, int], names: frozenset[str]) -> str:
    return ", ".join(f"{Dim.symbol(name)} = {size}" for name, size in sizes.items() if name in names)


def inside(place: Place, options: Options) -> str:
    """The function that a finding is in, where it is told at a call."""
    return f"in {subject(place.caller)}: " if options.at_call and place.caller is not None else ""


def told_at(place: Place, options: Options) -> Place:
    """The place that a finding is told at: where it is, or the outermost call that leads there."""
    while options.at_call and place.caller is not None:
        place = place.caller
    return place


def _related(finding: Finding, locate: Locate, options: Options) -> list[Related]:
    found: list[Related] = []
    place = finding.place
    if options.at_call:
        while place.caller is not None:
            found.append(Related(locate(place), f"here, in {subject(place.caller)}"))
            place = place.caller
    while place.caller is not None:
        found.append(Related(locate(place.caller), f"called by {subject(place.caller)}"))
        place = place.caller
    for place, text in finding.related:
        found.append(Related(locate(place), text))
    for place in finding.repeats[:8]:
        place = told_at(place, options)
        found.append(
            Related(locate(place), f"the same condition at {subject(place)}" if place.op_type else "the same condition")
        )
    source = exported_from(finding.place.metadata)
    if source is not None:
        name = source.path.replace("\\", "/").rpartition("/")[2]
        found.append(Related(source, f"exported from {name}:{source.line}"))
    return found


_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


def exported_from(metadata: Mapping[str, str]) -> Location | None:
    """The innermost line of the author's own code in a stack trace that PyTorch's exporter left on a node."""
    trace = metadata.get("pkg.torch.onnx.stack_trace", "")
    frames = [(path, int(line)) for path, line in _FRAME.findall(trace)]
    own = [frame for frame in frames if "/site-packages/" not in frame[0].replace("\\", "/")]
    if not frames:
        return None
    path, line = (own or frames)[-1]
    return Location(path, line, 1)


def folded(findings: Sequence[Finding], base: Assumptions, options: Options) -> list[Finding]:
    """The findings without those whose condition a later one implies: one cause, told where it is strongest.

    They become related places of that one. Conditions of one rule are compared, and least sizes of one symbol
    whichever rule asks for them; and only where both are said of the same body: a run stops at the node that is told.
    """
    kept = list(findings)
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        condition = _dependent(finding)
        if condition is not None and severity(finding, options) in ("warning", "information"):
            body = finding.place.graph_path.rpartition("/node[")[0]
            groups.setdefault((condition.symbols(), body, severity(finding, options)), []).append(finding)
    for group in groups.values():
        for index, finding in enumerate(group[:MAX_FOLDED]):
            condition = _dependent(finding)
            later = group[index + 1 : MAX_FOLDED]
            stronger = next((each for each in reversed(later) if condition and _covers(each, finding, base)), None)
            if stronger is not None:
                kept.remove(finding)
                places = (finding.place, *finding.repeats)
                stronger.related += [(place, f"weaker: {subject(place)} needs {condition}") for place in places]
                stronger.related += finding.related
    return kept


def _covers(stronger: Finding, weaker: Finding, base: Assumptions) -> bool:
    """Whether two findings have one cause, and the condition of the second follows from that of the first."""
    condition, narrower = weaker.condition, stronger.condition
    if condition is None or narrower is None:
        return False
    bounds = _is_least_size(condition) and _is_least_size(narrower)
    return (bounds or weaker.rule is stronger.rule) and _implies(stronger, condition, base)


def _is_least_size(condition: Condition) -> bool:
    return (
        isinstance(condition, Relation)
        and condition.op == "<="
        and condition.lhs.const is not None
        and condition.rhs.as_symbol is not None
    )


def _implies(finding: Finding, condition: Condition, base: Assumptions) -> bool:
    assert finding.condition is not None
    return decide.proved(condition, base.with_floor(1).learn(finding.condition)) is True


def sort_key(diagnostic: Diagnostic) -> tuple[int, int]:
    """Source order, for diagnostics of texts."""
    return diagnostic.location.line or 0, diagnostic.location.column or 0
