"""What the author declared for the values of a graph, judged after its walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from onnxls.declarations import judge
from onnxls.findings import Finding, Place
from onnxls.graph import Graph, TypeInfo
from onnxls.infer.frames import Frame, Values
from onnxls.infer.ledger import Ledger
from onnxls.ops.context import map_fact
from onnxls.spans import Span


class AnnotationCheck:
    """Judges declared types against the facts of a walk, and notes the verdicts on the values."""

    def __init__(self, values: Values, ledger: Ledger) -> None:
        self.values = values
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
            judged = judge(name, info, map_fact(fact, self.store.known.rewrite), frame.names, self.store.raised)
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
                    known=self.store.raised,
                    certain=frame.certain,
                )
                if made is not None and made.span != place.span:
                    finding.related.append((made, f"`{name}` is made here"))
                self.ledger.add(finding, frame)
            key = frame.prefix + name
            if judged.verdict is not None and key in self.values.facts:
                self.values.facts[key] = replace(self.values.facts[key], annotation=judged.verdict)
