"""Walks a graph in order, through function bodies and nested graphs, and gathers facts, guards and findings.

The walk alone names fresh symbols, decides requirements, learns from them and knows places. Operator rules see none of
that; no front end or file is known here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from onnxls import declarations
from onnxls.assumptions import Assumptions
from onnxls.dims import SIGNED, Dim
from onnxls.facts import UNKNOWN, Case, Fact, Shape
from onnxls.findings import Finding, Place, node_place
from onnxls.graph import Attr, Function, Graph, Model, Node
from onnxls.groups import Prover, Tree
from onnxls.infer.annotations import AnnotationCheck
from onnxls.infer.application import Application
from onnxls.infer.cases import combinations, general
from onnxls.infer.frames import Analysis, Cancelled, Frame, Values
from onnxls.infer.inputs import InputSymbols
from onnxls.infer.ledger import Ledger
from onnxls.infer.memo import Memo
from onnxls.infer.naming import Names, Stale, fact_symbols
from onnxls.infer.rewriting import Rewriting
from onnxls.infer.signature import resolved
from onnxls.infer.visits import NestedRun, Visit
from onnxls.keys import call_step, node_label
from onnxls.ops.context import GraphRun, map_fact
from onnxls.ops.own import Operators
from onnxls.relations import Condition
from onnxls.rules import rule
from onnxls.seeds import tensor_fact
from onnxls.store import Store, dims_known, minimal

MAX_CALLS = 40
"""The greatest depth of function calls and nested graphs."""

MAX_INNER = 100_000
"""How many nodes of function bodies and nested graphs are visited, each as often as it is: calls can double at each
level, and the passes over a loop multiply."""

TRIAL_WEIGHT = 4
"""How much more a node counts for each loop around that is itself only tried: such passes multiply, and tell little."""

RECURSIVE_FUNCTION = rule(
    "recursive-function",
    "OLS050",
    "error",
    """
    A function of the model calls itself, directly or through others.

    ONNX functions are expanded where they are called; a call cycle has no expansion and no runtime loads it.
    """,
)


ANALYSIS_LIMITED = rule(
    "analysis-limited",
    "OLS098",
    "information",
    """
    The model asks more about its sizes than one analysis decides.

    So many different conditions on sizes came up that the rest of them was left undecided: their guards are listed,
    but they are not judged, and declared shapes are not either. Or so many nodes come out of calls of functions and
    of nested graphs that the rest of these was not looked into: what they give is unknown. The facts and findings
    that are shown hold.

    Sizes that are one name or one number on the inputs where they are one size make most conditions plain.
    """,
)


class Walker:
    """One analysis of one model. `attributes`: of the function that the main graph is the body of.

    `cancelled` is asked at every node; `Cancelled` is raised when it answers True.
    """

    def __init__(
        self,
        model: Model,
        attributes: Mapping[str, Attr] | None = None,
        cancelled: Callable[[], bool] | None = None,
        operators: Operators | None = None,
        prover: Prover | None = None,
    ) -> None:
        self.model = model
        self.attributes = attributes
        self.cancelled = cancelled
        self.operators = operators or Operators()
        self.prover = prover
        self.values = Values()
        self.symbols = InputSymbols(model)
        order = self.symbols.order
        self.frame = Frame("", "graph", model.opsets, {}, declarations.Names(order), attrs=attributes or {})
        self.declare(model.graph, self.frame)
        self.store = Store(Assumptions(order, graph=model.graph.name, prover=prover), {})
        self.names = Names(self.store.known.tree, self.symbols.author_names)
        self.memo = Memo(self.store.known.tree, self.names)
        self.frame.env = {name: self.memo.intern(fact) for name, fact in self.frame.env.items()}
        self.values.facts = dict(self.frame.env)
        self.ledger = Ledger(self.store, order)
        self.rewriting = Rewriting(self.store, self.memo)
        self.annotations = AnnotationCheck(self.values, self.ledger, self.rewriting)
        self.inner = 0
        """How many nodes of function bodies and nested graphs were visited."""
        self.application = Application(
            self.operators, self.memo, self.names, self.ledger, self.rewriting, self.run_graph
        )
        self.ledger.readings = declarations.readings(order)

    def input_shapes(self) -> dict[str, Shape | None]:
        """The declared shapes of the inputs that a caller gives."""
        graph = self.model.graph
        return {value.name: self.frame.env[value.name].shape for value in graph.inputs}

    def run(self, hints: Mapping[str, int], assume: Sequence[Condition]) -> Analysis:
        """Walks the main graph. `hints` are sizes of input symbols, `assume` conditions taken as true."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 10_000))
        try:
            return self.analysis(hints, assume)
        except Stale:
            Tree.forget()
            again = Walker(self.model, self.attributes, self.cancelled, self.operators, self.prover)
            return again.analysis(hints, assume)
        finally:
            sys.setrecursionlimit(limit)

    def analysis(self, hints: Mapping[str, int], assume: Sequence[Condition]) -> Analysis:
        """The one walk; raises Stale where what is remembered of the graph does not fit it."""
        graph, frame = self.model.graph, self.frame
        self.store.hints = hints
        for condition in assume:
            self.store.learn(condition)
        base = self.ledger.base = self.store.known
        for dim in self.symbols.all():
            for symbol in dim.atoms():
                self.names.note(symbol.name, symbol.origin)
        self.walk(graph.nodes, frame)
        self.annotations.graph(graph, frame)
        if self.store.spent:
            text = "more conditions on sizes came up than one analysis decides; the rest is left undecided"
            self.ledger.findings.append(Finding(ANALYSIS_LIMITED, text, Place("graph")))
        if self.inner >= MAX_INNER:
            text = "calls and nested graphs come to more nodes than one analysis visits; the rest is not looked into"
            self.ledger.findings.append(Finding(ANALYSIS_LIMITED, text, Place("graph")))
        renames = frame.names.renames
        known = self.store.known
        settled = not renames and not known.rewrites and not known.exact
        values = dict(self.values.facts)
        if not settled:
            values = {name: self.final(fact, renames) for name, fact in values.items()}
        guards = minimal(self.store.guards, base)
        outputs = tuple(value.name for value in graph.outputs)
        inputs = tuple(value.name for value in graph.inputs if value.name not in graph.initializers)
        return Analysis(
            values,
            self.values.places,
            tuple(guards),
            {guard: self.ledger.guard_places[origin] for guard, origin in guards.items()},
            self.ledger.findings,
            self.store.known,
            base,
            inputs,
            outputs,
            {name: frame.env[name] for name in inputs},
            frozenset(name for name in frame.names.bound if name not in frame.names.loose),
        )

    def final(self, fact: Fact, renames: Mapping[str, Dim]) -> Fact:
        """A fact with all that was learned in the walk, in the author's names."""
        if renames and not renames.keys().isdisjoint(fact.symbols):
            fact = map_fact(fact, lambda dim: dim.replace(renames))
        return self.rewriting.current(fact)

    def declare(self, graph: Graph, frame: Frame) -> None:
        """The facts of inputs and initializers of the main graph. Before IR version 4 every initializer had to be an
        input as well, and a caller cannot give it: it is a constant."""
        fixed = 0 < self.model.ir_version < 4
        for value in graph.inputs:
            if value.name in frame.env:
                continue
            tensor = graph.initializers.get(value.name)
            fact = tensor_fact(tensor) if fixed and tensor is not None else self.symbols.fact(value, tensor is not None)
            self.values.define(
                frame, value.name, fact, Place(f"graph/input[{value.name}]", value=value.name, span=value.span)
            )
        self.initialize(graph, frame)

    def initialize(self, graph: Graph, frame: Frame) -> None:
        """Defines the initializers that no input has the name of."""
        for name, tensor in graph.initializers.items():
            if name not in frame.env:
                place = Place(f"{frame.graph_path}/initializer[{name}]", value=name, caller=frame.caller)
                self.values.define(frame, name, tensor_fact(tensor), place)

    def walk(self, nodes: Sequence[Node], frame: Frame) -> None:
        """Visits nodes in their order."""
        if frame.depth:
            self.inner += len(nodes) * TRIAL_WEIGHT ** max(frame.trials - 1, 0)
        for index, node in enumerate(nodes):
            self.visit(node, index, frame)

    def visit(self, node: Node, index: int, frame: Frame) -> None:
        """Applies the rule of one node and defines its outputs."""
        if self.cancelled is not None and self.cancelled():
            raise Cancelled
        label = node_label(node.name, node.op_type, index)
        place = node_place(node, index, frame.graph_path, frame.prefix + label, frame.caller)
        attrs = resolved(node.attrs, frame.attrs) if frame.attrs or frame.calls else node.attrs
        inputs = tuple([self.rewriting.current(frame.find(name) or UNKNOWN) if name else None for name in node.inputs])
        visit = Visit(node, label, frame, place, attrs, inputs)
        function = self.model.functions.get((node.domain, node.op_type, node.overload))
        if self.application.split and any(fact is not None and fact.cases for fact in inputs):
            facts = self.by_cases(function, visit)
        elif function is not None:
            facts = self.call(function, visit)
        else:
            facts = self.application.apply(visit)
        for position, name in enumerate(node.outputs):
            if name:
                self.values.define(frame, name, facts[position] if position < len(facts) else UNKNOWN, place)

    def by_cases(self, function: Function | None, visit: Visit) -> tuple[Fact, ...]:
        """The facts of the outputs where sizes decide what the inputs are. Bodies run once, on what always holds."""
        inputs = visit.inputs
        nested = function is not None or any(isinstance(attr.value, Graph) for attr in visit.attrs.values())
        found = [] if nested else combinations(inputs, self.store)
        if not found:
            plain = tuple(fact if fact is None or not fact.cases else replace(fact, cases=()) for fact in inputs)
            always = visit._replace(inputs=plain)
            return self.application.apply(always) if function is None else self.call(function, always)
        if len(found) == 1:
            return self.application.apply(visit._replace(inputs=found[0][1]))
        born = f"{visit.frame.fresh}{visit.label}|"
        made: list[tuple[Fact, ...]] = []
        for number, (condition, chosen) in enumerate(found):
            with self.store.under(condition):
                inner = replace(visit.frame, fresh=f"{born}{number}/")
                current = tuple(fact if fact is None else self.rewriting.current(fact) for fact in chosen)
                made.append(self.application.apply(visit._replace(inputs=current, frame=inner)))
        numbers = count()
        return tuple(
            general(
                [Case(condition, facts[position]) for (condition, _), facts in zip(found, made, strict=True)],
                self.store.known,
                born,
                lambda: self.application.unnamed(visit, next(numbers)),
            )
            for position in range(min(map(len, made)))
        )

    def call(self, function: Function, visit: Visit) -> tuple[Fact, ...]:
        """Runs the body of a function on the caller's facts."""
        frame, place = visit.frame, visit.place
        unknown = (UNKNOWN,) * len(visit.node.outputs)
        key = (function.domain, function.name, function.overload)
        if key in frame.calls:
            if not frame.trial:
                self.ledger.findings.append(Finding(RECURSIVE_FUNCTION, f"{function.name} calls itself", place))
            return unknown
        if frame.depth >= MAX_CALLS or self.inner >= MAX_INNER:
            return unknown
        inner = Frame(
            prefix=f"{frame.prefix}{visit.label}/",
            graph_path=f"{place.graph_path}/{call_step(function.domain, function.name)}",
            opsets={**self.model.opsets, **function.opsets},
            env={},
            names=declarations.Names(self.symbols.order, own=True),
            attrs={**function.defaults, **visit.attrs},
            certain=frame.certain,
            trial=frame.trial,
            shown=frame.shown,
            fresh=visit.fresh,
            depth=frame.depth + 1,
            calls=(*frame.calls, key),
            caller=place,
        )
        for position, name in enumerate(function.inputs):
            fact = visit.inputs[position] if position < len(visit.inputs) else None
            if fact is not None:
                self.values.define(
                    inner, name, fact, Place(f"{inner.graph_path}/input[{name}]", value=name, caller=place)
                )
        self.walk(function.nodes, inner)
        frame.fails |= inner.fails
        self.annotations.declared(function.value_info, inner)
        return tuple(inner.env.get(name, UNKNOWN) for name in function.outputs)

    def run_graph(self, run: NestedRun, visit: Visit) -> GraphRun:
        """Runs a nested graph. Where it is known when it runs, the store is on the way there."""
        if visit.frame.depth >= MAX_CALLS or self.inner >= MAX_INNER:
            return GraphRun((UNKNOWN,) * len(run.graph.outputs), frozenset())
        path = run.path
        if path is not None and dims_known(path, self.symbols.order):
            with self.store.under(path):
                return self.nested(run, visit, followed=True)
        if path is not None:
            run = run._replace(given=(*run.given, path))
        return self.nested(run, visit, followed=False)

    def nested(self, run: NestedRun, visit: Visit, *, followed: bool) -> GraphRun:
        """The run itself. `followed`: the store is on the way of a graph that may not run."""
        frame, graph = visit.frame, run.graph
        inner = Frame(
            prefix=f"{frame.prefix}{visit.label}/{run.name}/",
            graph_path=f"{visit.place.graph_path}/{run.name}",
            opsets=frame.opsets,
            env={},
            names=frame.names if run.mode == "certain" else frame.names.scoped(),
            parent=frame,
            attrs=frame.attrs,
            certain=frame.certain and (run.mode == "certain" or followed),
            trial=frame.trial or run.mode in ("trial", "values"),
            shown=frame.shown if frame.trial else run.mode == "values",
            fresh=f"{visit.fresh}{run.name}{f'[{run.turn}]' if run.turn > 1 else ''}/",
            depth=frame.depth + 1,
            calls=frame.calls,
            caller=frame.caller,
        )
        before = self.store.knowledge
        guards = len(self.store.guards)
        for condition in run.given:
            self.store.learn(condition)
        for value, fact in zip(graph.inputs, run.inputs, strict=False):
            there = Place(f"{inner.graph_path}/input[{value.name}]", value=value.name, span=value.span)
            self.values.define(inner, value.name, fact, there)
        self.initialize(graph, inner)
        self.walk(graph.nodes, inner)
        frame.fails |= inner.fails and run.mode == "certain"
        self.annotations.graph(graph, inner)
        found = (inner.find(value.name) or UNKNOWN for value in graph.outputs)
        outputs = tuple(replace(fact, cases=()) if fact.cases else fact for fact in found)
        born = frozenset(
            symbol.name
            for fact in outputs
            for symbol in fact_symbols(fact)
            if symbol.name.lstrip(SIGNED).startswith(inner.fresh)
        )
        if run.mode != "certain" and not followed:
            del self.store.guards[guards:]
            self.store.return_to(before)
        return GraphRun(outputs, born, inner.fails and not followed)
