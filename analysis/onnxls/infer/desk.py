"""Who answers the questions of one application of an operator rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from onnxls.dims import Dim
from onnxls.facts import Fact
from onnxls.graph import Graph
from onnxls.infer.ledger import Ledger
from onnxls.infer.naming import Names, fact_symbols
from onnxls.infer.visits import NestedRun, Visit
from onnxls.ops.context import GraphRun, RunMode, map_fact
from onnxls.relations import Condition, dims

RunGraph = Callable[[NestedRun, Visit], GraphRun]
"""Runs a graph that is nested in a node."""


class NodeDesk:
    """Answers the questions of one rule application, and keeps the guards that the answers rest on."""

    __slots__ = ("ledger", "names", "run_graph", "store", "turns", "visit")

    def __init__(self, ledger: Ledger, run_graph: RunGraph, names: Names, visit: Visit) -> None:
        self.ledger = ledger
        self.store = ledger.store
        self.run_graph = run_graph
        self.names = names
        self.visit = visit
        self.turns: dict[str, int] = {}

    def ask(self, condition: Condition) -> bool | None:
        return self.store.ask(self.store.known.rewrite_condition(condition))

    def branch(self, condition: Condition) -> bool | None:
        answer = self.ask(condition)
        if answer is not None:
            return answer
        hinted = self.store.hinted(condition)
        if hinted is not None:
            self.ledger.expect(condition if hinted else condition.negation(), self.visit)
        return hinted

    def choose(self, conditions: Sequence[Condition]) -> int | None:
        for index, condition in enumerate(conditions):
            if self.ask(condition) is True:
                return index
        for index, condition in enumerate(conditions):
            if self.store.hinted(condition):
                self.ledger.expect(condition, self.visit)
                return index
        return None

    def run(
        self,
        name: str,
        graph: Graph,
        inputs: Sequence[Fact],
        mode: RunMode,
        given: Sequence[Condition],
        path: Condition | None,
    ) -> GraphRun:
        """Runs a nested graph. Symbols that the rule made get their names before, and differ from run to run."""
        symbols = [symbol for fact in inputs for symbol in fact_symbols(fact)]
        symbols += [symbol for condition in given for dim in dims(condition) for symbol in dim.atoms()]
        names = self.names.fresh(symbols, self.visit)
        if names:
            inputs = [map_fact(fact, lambda dim: dim.replace(names)) for fact in inputs]
            given = [condition.map_dims(lambda dim: dim.replace(names)) for condition in given]
        self.turns[name] = self.turns.get(name, 0) + 1
        made = self.run_graph(NestedRun(name, graph, inputs, mode, given, path, self.turns[name]), self.visit)
        if not names:
            return made
        back = {
            symbol.name: Dim.symbol(placeholder, symbol.origin)
            for placeholder, dim in names.items()
            for symbol in dim.atoms()
        }
        return replace(made, outputs=tuple(map_fact(fact, lambda dim: dim.replace(back)) for fact in made.outputs))
