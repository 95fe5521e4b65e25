"""Requirements in graph order: each is decided, becomes a guard, and is learned; what fails or may fail is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnxls import decide
from onnxls.diagnostics import Outcome
from onnxls.dims import Dim
from onnxls.findings import Finding, Place
from onnxls.graph import Node
from onnxls.infer.frames import Frame
from onnxls.infer.visits import Visit
from onnxls.ops.context import Requirement
from onnxls.relations import NEVER, Condition, Guard, Relation, dims, has_anonymous, tidy
from onnxls.rules import Rule, Severity, rule
from onnxls.store import HINT, Store, dims_known, tied

DIMS_MUST_AGREE = rule(
    "dims-must-agree",
    "OLS102",
    "warning",
    """
    Two dims that were declared under different names must be equal (or one of them 1).

    The declared inputs admit sizes at which the model does not run. Where both axes always have one size, one name
    says so, and everything downstream becomes sharper.

    ```onnx
    g (float[B, frames] x, float[B, mask_len] m) => (float[B, T] y) {
      # warning: [dims-must-agree]
      y = Mul (x, m)
    }
    ```

    Use one `dim_param` for both axes, or state the relation (`onnxls.assume`).
    """,
)
DATA_DECIDE = rule(
    "data-decide",
    "OLS104",
    "warning",
    """
    An operator needs of a count of data what only some data give.

    `NonZero`, `Compress` and `NonMaxSuppression` keep what the data select: it may be nothing, one entry or many. What
    is taken for one of them, or reshaped to a fixed size, fails on other data.

    ```onnx
    g (float[N, 4] rows, bool[N] keep) => (float[4] y) <int64[1] axes = {0}> {
      kept = Compress <axis = 0> (rows, keep)
      # warning: [data-decide] "Squeeze drops only axes of size 1"
      y = Squeeze (kept, axes)
    }
    ```

    Choose one entry first (`ArgMax` and `Gather`, or `TopK` with k = 1), and handle the empty case before.
    """,
)

MAX_READINGS = 16
"""Names that read as expressions that one finding is judged by."""

MAX_COUNT = 66
"""Counts of data at which a condition is tried."""

MAX_ORIGINS = 8
"""Earlier guards that are looked at for what excludes a condition."""


class Ledger:
    """The guards and findings of one walk. `order`: the input symbols; `readings`: what names that read as
    expressions say; `base`: what is assumed before the walk."""

    def __init__(self, store: Store, order: Mapping[str, int]) -> None:
        self.store = store
        self.order = order
        self.readings: list[Condition] = []
        self.base = store.known
        self.findings: list[Finding] = []
        self.guard_places: dict[Guard, Place] = {}
        self._failed: dict[tuple[Rule, Condition], Finding] = {}
        self._said: dict[tuple[Rule, str, str | None], str] = {}

    def settle(self, requirement: Requirement, visit: Visit) -> bool:
        """Decides a requirement, reports and learns it; False where it cannot be met."""
        condition = self.store.tidied(self.store.known.rewrite_condition(requirement.condition))
        if self.store.ask(condition) is True:
            return True
        path, possible, here = self.store.path, True, condition
        if path is not None:
            possible = self.store.ask(condition) is not False
        condition = self.store.overall(requirement.condition)
        if requirement.severity is not None:
            return self._presume(requirement, requirement.severity, condition, visit)
        guard = Guard("assert", condition, visit.place.node, requirement.rule.name)
        hinted = self.store.hinted(condition)
        if hinted is False:
            self._report(requirement, condition, "fails", visit, hinted=True)
            self.keep(guard, condition, visit)
            return False
        verdict = self.store.check(condition, self.store.outside_raised)
        if verdict.kind == "fails":
            self._report(requirement, condition, "fails", visit)
            self.keep(guard, condition, visit)
            return False
        if verdict.kind == "holds":
            self._report(requirement, condition, "may-fail", visit, empty_only=True)
        elif verdict.kind == "may-fail":
            self._report(requirement, condition, "may-fail", visit)
        elif not visit.frame.trial and not self._said_last(visit) and _is_up_to_data(here):
            text = words(requirement.text, requirement.args, visit.node) + f"; needs {here}, which the data decide"
            self.add(Finding(DATA_DECIDE, text, visit.place, certain=visit.frame.certain), visit.frame)
        self.keep(guard, condition, visit)
        if path is not None:
            path.note(condition)
            condition = requirement.condition
        if possible:
            self.store.learn(condition)
            if isinstance(requirement.condition, Relation) and not isinstance(condition, Relation):
                self.store.learn(requirement.condition)
        return possible

    def _said_last(self, visit: Visit) -> bool:
        """Whether the last finding is on this very visit."""
        return bool(self.findings) and self.findings[-1].place is visit.place

    def _presume(self, requirement: Requirement, severity: Severity, condition: Condition, visit: Visit) -> bool:
        """Takes as true what the facts of a node rest on; False where it is known to be false, and so are they."""
        place, frame = visit.place, visit.frame
        hinted = self.store.hinted(condition)
        verdict = "fails" if hinted is False else self.store.check(condition, self.store.outside_raised).kind
        told = self._said_last(visit) and self.findings[-1].rule is requirement.rule
        if not frame.trial and not told and verdict != "unknown":
            text = words(requirement.text, requirement.args, visit.node)
            if verdict == "fails":
                severity = requirement.rule.severity if frame.certain else "warning"
            elif verdict == "holds" or has_anonymous(condition):
                severity = "information"
            finding = Finding(requirement.rule, text, place, severity, condition=condition, certain=frame.certain)
            self.add(finding, frame)
        if verdict == "fails":
            return False
        self.keep(Guard("expect", condition, place.node, requirement.rule.name), condition, visit)
        if self.store.path is not None:
            self.store.path.note(condition)
            condition = requirement.condition
        self.store.presume(condition)
        return True

    def keep(self, guard: Guard, condition: Condition, visit: Visit) -> None:
        """Lists a guard, where it is over input sizes and its node surely runs."""
        if visit.frame.certain and not visit.frame.trial and dims_known(condition, self.order):
            self.store.guards.append(guard)
            self.guard_places.setdefault(guard, visit.place)

    def expect(self, condition: Condition, visit: Visit) -> None:
        """Takes the branch of the hints: it is part of what the facts rest on."""
        expected = self.store.overall(condition)
        self.keep(Guard("expect", expected, visit.place.node, HINT), expected, visit)
        self.store.learn(condition)

    def _report(
        self,
        requirement: Requirement,
        condition: Condition,
        outcome: Outcome,
        visit: Visit,
        *,
        hinted: bool = False,
        empty_only: bool = False,
    ) -> None:
        if visit.frame.trial:
            return
        text = words(requirement.text, requirement.args, visit.node)
        path = self.store.path
        if path is not None and requirement.condition != NEVER:
            text += f", where {tidy(path.condition)}"
        used = requirement.rule
        if path is None and outcome == "may-fail" and not empty_only and _two_names(condition):
            used = DIMS_MUST_AGREE
        finding = Finding(
            used,
            text,
            visit.place,
            verdict=outcome,
            condition=condition,
            known=self.store.outside_raised,
            hinted=hinted,
            empty_only=empty_only,
            certain=visit.frame.certain,
        )
        if outcome == "fails" and not hinted and path is None:
            finding.related += [(at, f"{each} is needed here") for each, at in self._excluding(condition, visit)]
        self.add(finding, visit.frame)

    def _excluding(self, condition: Condition, visit: Visit) -> list[tuple[Condition, Place]]:
        """The earlier guards that together exclude a condition on the inputs of a node, with their places.

        Equalities are in the condition by now: they are found by the sizes that they changed.
        """
        known = self.store.known
        facts = [fact for name in visit.node.inputs if (fact := visit.frame.find(name)) is not None]
        changed = [Dim.symbol(name) for fact in facts for name in sorted(fact.symbols) if name in known.rewrites]
        names = condition.symbols().union(*(dim.symbols() for dim in changed))
        near = tied(names, self.store.guards, self.base)[:MAX_ORIGINS]

        def suffice(guards: Sequence[Guard]) -> bool:
            learned = self.base
            for guard in guards:
                learned = learned.learn(guard.condition)
            if any(learned.rewrite(dim) != known.rewrite(dim) for dim in changed):
                return False
            return not condition.symbols() or decide.proved(condition, learned.with_floor(1)) is False

        if suffice(()) or not suffice(near):
            return []
        for guard in tuple(near):
            left = [other for other in near if other is not guard]
            near = left if suffice(left) else near
        return [(guard.condition, self.guard_places[guard]) for guard in near]

    def add(self, finding: Finding, frame: Frame) -> None:
        """Adds a finding, or its place to an earlier one with the same cause. A nested graph that runs several times
        says a thing about a place only once."""
        said = finding.rule, finding.place.graph_path, finding.place.value
        if self._said.setdefault(said, frame.fresh) != frame.fresh:
            return
        condition = finding.condition
        if condition is not None and condition.symbols():
            first = self._failed.get((finding.rule, condition))
            if first is not None:
                first.repeats.append(finding.place)
                return
            self._failed[finding.rule, condition] = finding
        if finding.verdict == "may-fail" and condition is not None and self._reads_as_true(condition):
            finding.severity = "information"
        self.findings.append(finding)

    def _reads_as_true(self, condition: Condition) -> bool:
        """Whether names that read as expressions, so read, rule the finding out."""
        given = self._near(condition)
        return bool(given) and self.store.follows(condition, given)

    def _near(self, condition: Condition) -> list[Condition]:
        """What names say that bear on a condition, directly or through others; the nearest of many."""
        reached, left, near = condition.symbols(), self.readings, list[Condition]()
        while len(near) < MAX_READINGS:
            step = [each for each in left if not reached.isdisjoint(each.symbols())]
            if not step:
                break
            near += step
            left = [each for each in left if each not in step]
            reached = reached.union(*(each.symbols() for each in step))
        return near[:MAX_READINGS]


def words(text: str, args: Mapping[str, object], node: Node) -> str:
    """The text of a rule with the names of the inputs and the sizes put in."""
    names = [f"`{name}`" if name else "the absent input" for name in node.inputs]
    names += ["the absent input"] * 8
    shown = {key: _quote(value) if isinstance(value, Dim) else value for key, value in args.items()}
    try:
        return text.format(*names, **shown)
    except (IndexError, KeyError, ValueError):
        return text


def _is_up_to_data(condition: Condition) -> bool:
    """Whether a condition is on a single count of data, and true of some small counts and false of others."""
    if len(condition.symbols()) != 1:
        return False
    (symbol,) = {symbol for dim in dims(condition) for symbol in dim.atoms()}
    if symbol.origin != "data":
        return False
    return len({condition.holds_at({symbol.name: count}) for count in range(MAX_COUNT)}) == 2


def _two_names(condition: Condition) -> bool:
    """Whether a condition says of two declared names that they agree, or that one of them is 1."""
    first = condition.parts[0] if not isinstance(condition, Relation) else condition
    if not isinstance(first, Relation) or first.op != "==":
        return False
    symbols = (first.lhs.as_symbol, first.rhs.as_symbol)
    return all(symbol is not None and symbol.origin == "declared" for symbol in symbols)


def _quote(dim: Dim) -> str:
    """A size in a message."""
    text = str(dim)
    return text if dim.const is not None or "`" in text else f"`{text}`"
