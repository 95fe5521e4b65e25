"""What the author declared for the values of a graph, judged after its walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from onnxls.declarations import Judged, Problem, judge
from onnxls.facts import Fact
from onnxls.findings import Finding, Place
from onnxls.graph import Graph, TypeInfo
from onnxls.infer.frames import Frame, Values
from onnxls.infer.ledger import Ledger
from onnxls.infer.rewriting import Rewriting
from onnxls.relations import NEVER, tidy
from onnxls.spans import Span


class AnnotationCheck:
    """Judges declared types against the facts of a walk, and notes the verdicts on the values."""

    def __init__(self, values: Values, ledger: Ledger, rewriting: Rewriting) -> None:
        self.values = values
        self.rewriting = rewriting
        self.ledger = ledger
        self.store = ledger.store

    def graph(self, graph: Graph, frame: Frame) -> None:
        """Judges what the author declared for the values of a graph."""
        declared: dict[str, TypeInfo] = dict(graph.value_info)
        if frame.parent is not None:
            declared = {value.name: value.type for value in graph.inputs if value.type is not None} | declared
        produced = frame.env.keys()
        outputs = {value.name: value.type for value in graph.outputs if value.type is not None}
        returned = {value.name: value.span for value in graph.outputs if value.span is not None and value.span.home}
        inner = {name: info for name, info in declared.items() if name in produced}
        self.declared({name: info for name, info in inner.items() if name not in outputs or name in returned}, frame)
        self.declared(outputs, frame, returned)

    def declared(
        self, declared: Mapping[str, TypeInfo], frame: Frame, returned: Mapping[str, Span] | None = None
    ) -> None:
        """Judges declared types. `returned`: where results are returned, which is where they are told in a source."""
        for name, info in declared.items():
            fact = frame.find(name)
            if fact is None or (
                frame.parent is None
                and not frame.calls
                and f"graph/input[{name}]" == self.values.places[name].graph_path
            ):
                continue
            place = self.values.places.get(frame.prefix + name) or Place(
                f"{frame.graph_path}/value[{name}]", value=name
            )
            judged = self._judged(name, info, self.rewriting.current(fact), frame)
            if frame.trial:
                continue
            made = None
            if returned is not None and name in returned:
                made, place = place, replace(place, span=returned[name])
            for problem in judged.problems:
                finding = Finding(
                    problem.rule,
                    problem.text,
                    replace(place, value=name),
                    severity=problem.severity,
                    verdict=problem.verdict,
                    condition=problem.condition,
                    known=self.store.outside_raised,
                    certain=frame.certain,
                )
                if made is not None and made.span != place.span:
                    finding.related.append((made, f"`{name}` is made here"))
                self.ledger.add(finding, frame)
            key = frame.prefix + name
            if judged.verdict is not None and key in self.values.facts:
                self.values.facts[key] = replace(self.values.facts[key], annotation=judged.verdict)

    def _judged(self, name: str, declared: TypeInfo, fact: Fact, frame: Frame) -> Judged:
        """The verdict on a declaration over all runs that come here; problems have conditions over all runs."""
        if self.store.spent:
            return Judged("unverified")
        if not fact.cases:
            return self._over_all(judge(name, declared, fact, frame.names, self.store))
        if fact.shape is not None:
            judged = judge(name, declared, replace(fact, cases=()), frame.names, self.store)
            if judged.verdict in ("holds", None):
                return self._over_all(judged)
        found: list[Judged] = []
        for case in fact.cases:
            if self.store.ask(case.condition) is False:
                continue
            with self.store.under(case.condition):
                current = self.rewriting.current(case.fact)
                found.append(self._over_all(judge(name, declared, current, frame.names.scoped(), self.store)))
        problems = tuple(problem for judged in found for problem in judged.problems)
        for kind in ("fails", "may-fail", "unverified"):
            if any(judged.verdict == kind for judged in found):
                return Judged(kind, problems)
        return Judged(found[0].verdict if found else None, problems)

    def _over_all(self, judged: Judged) -> Judged:
        """A verdict on the runs of one way as one on all runs."""
        path = self.store.path
        if path is None or judged.verdict in ("holds", "unverified", None):
            return judged
        problems: list[Problem] = []
        kinds: list[str] = []
        for problem in judged.problems:
            condition = self.store.overall(problem.condition or NEVER)
            verdict = self.store.check(condition, self.store.outside_raised).kind
            kinds.append(verdict)
            if verdict in ("fails", "may-fail"):
                text = f"{problem.text}, where {tidy(path.condition)}"
                problems.append(replace(problem, text=text, verdict=verdict, condition=condition))
        for kind in ("fails", "may-fail"):
            if kind in kinds:
                return Judged(kind, tuple(problems))
        return Judged("unverified" if "unknown" in kinds else "holds", tuple(problems))
