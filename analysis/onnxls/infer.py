"""Walks a graph in order, applies the operator rules, and gathers facts, guards and findings.

The walker alone names fresh symbols, decides requirements, learns from them and knows places. Operator rules see
none of that; no front end or file is known here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from onnxls import decide, declarations, schemas
from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Outcome
from onnxls.dims import SIGNED, Dim, Origin, Symbol
from onnxls.element_types import output_dtype
from onnxls.facts import FLOAT, INT64, UNKNOWN, Fact, Shape
from onnxls.findings import Finding, Place, node_label
from onnxls.graph import Attr, DeclaredDim, Function, Graph, Model, Node, TypeInfo, Value
from onnxls.ops import lookup
from onnxls.ops.context import FRESH, GraphRun, OpContext, Requirement, RunMode, map_fact
from onnxls.relations import Condition, Guard, Relation, tidy
from onnxls.relations import dims as sides
from onnxls.rules import Rule, rule
from onnxls.seeds import declared_names, tensor_fact, type_fact
from onnxls.spans import Span
from onnxls.store import Store, dims_known, minimal
from onnxls.type_constraints import KINDS, check_types

MAX_CALLS = 40
"""The greatest depth of function calls and nested graphs."""

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
RECURSIVE_FUNCTION = rule(
    "recursive-function",
    "OLS050",
    "error",
    """
    A function of the model calls itself, directly or through others.

    ONNX functions are expanded where they are called; a call cycle has no expansion and no runtime loads it.
    """,
)
INTERNAL_ERROR = rule(
    "internal-error",
    "OLS099",
    "information",
    """
    A rule of onnxls failed on this node; its outputs are unknown.

    This is a fault of onnxls, not of the model. Please report it with the message.
    """,
)


class Cancelled(Exception):  # noqa: N818 - an outcome, not an error
    """The analysis was cancelled by its caller."""


@dataclass(slots=True)
class Analysis:
    """What the walk gave. `values` has the keys of `Unit.values`."""

    values: dict[str, Fact]
    places: dict[str, Place]
    guards: tuple[Guard, ...]
    guard_places: dict[Guard, Place]
    findings: list[Finding]
    known: Assumptions
    base: Assumptions
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    kept_names: frozenset[str]
    """Names that the author gave to intermediates or outputs, each for one expression."""


@dataclass(slots=True)
class Frame:
    """One run of one graph or function body."""

    prefix: str
    graph_path: str
    opsets: Mapping[str, int]
    env: dict[str, Fact]
    names: declarations.Names
    parent: Frame | None = None
    attrs: Mapping[str, Attr] = field(default_factory=dict[str, Attr])
    certain: bool = True
    trial: bool = False
    shown: bool = False
    fresh: str = ""
    depth: int = 0
    calls: tuple[tuple[str, str, str], ...] = ()
    caller: Place | None = None

    def find(self, name: str) -> Fact | None:
        """The fact of a value visible here."""
        frame: Frame | None = self
        while frame is not None:
            fact = frame.env.get(name)
            if fact is not None:
                return fact
            frame = frame.parent
        return None


class Walker:
    """One analysis of one model. `attributes`: of the function that the main graph is the body of.

    `cancelled` is asked at every node; `Cancelled` is raised when it answers True.
    """

    def __init__(
        self, model: Model, attributes: Mapping[str, Attr] | None = None, cancelled: Callable[[], bool] | None = None
    ) -> None:
        self.model = model
        self.cancelled = cancelled
        self.values: dict[str, Fact] = {}
        self.places: dict[str, Place] = {}
        self.findings: list[Finding] = []
        self.failed: dict[tuple[Rule, Condition], Finding] = {}
        self.said: dict[tuple[Rule, str, str | None], str] = {}
        self.guard_places: dict[Guard, Place] = {}
        self.order: dict[str, int] = {}
        self.author_names = declared_names(model)
        self.symbols: dict[str, Dim] = {}
        self.rewritten: dict[int, tuple[Fact, Fact]] = {}
        self.rewritten_for: object = None
        self.store = Store(Assumptions(self.order), {})
        self.frame = Frame("", "graph", model.opsets, {}, declarations.Names(self.order), attrs=attributes or {})
        self.declare(model.graph, self.frame)
        self.readings = declarations.readings(self.order)

    # ---------------------------------------------------------------- the whole

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
        finally:
            sys.setrecursionlimit(limit)

    def analysis(self, hints: Mapping[str, int], assume: Sequence[Condition]) -> Analysis:
        graph, frame = self.model.graph, self.frame
        self.store.hints = hints
        for condition in assume:
            self.store.learn(condition)
        base = self.store.known
        self.walk(graph.nodes, frame)
        self.check(graph, frame)
        renames = frame.names.renames
        values = {name: self.final(fact, renames) for name, fact in self.values.items()}
        guards = minimal(self.store.guards, base)
        outputs = tuple(value.name for value in graph.outputs)
        inputs = tuple(value.name for value in graph.inputs if value.name not in graph.initializers)
        return Analysis(
            values,
            self.places,
            guards,
            self.guard_places,
            self.findings,
            self.store.known,
            base,
            inputs,
            outputs,
            frozenset(name for name in frame.names.bound if name not in frame.names.loose),
        )

    def final(self, fact: Fact, renames: Mapping[str, Dim]) -> Fact:
        """A fact with all that was learned in the walk, in the author's names."""
        if not renames and not self.store.known.rewrites and not self.store.known.exact:
            return fact
        return map_fact(fact, lambda dim: self.store.known.rewrite(dim.replace(renames)))

    def declare(self, graph: Graph, frame: Frame) -> None:
        """The facts of inputs and initializers of the main graph."""
        for value in graph.inputs:
            if value.name in frame.env:
                continue
            fact = self.input_fact(value, value.name in graph.initializers)
            self.define(frame, value.name, fact, Place(f"graph/input[{value.name}]", value=value.name, span=value.span))
        self.initialize(graph, frame)

    def initialize(self, graph: Graph, frame: Frame) -> None:
        for name, tensor in graph.initializers.items():
            if name not in frame.env:
                place = Place(f"{frame.graph_path}/initializer[{name}]", value=name, caller=frame.caller)
                self.define(frame, name, tensor_fact(tensor), place)

    def input_fact(self, value: Value, overridable: bool) -> Fact:
        """The fact that the declared type of a main input states; its axes become symbols."""
        info = value.type
        if info is None:
            return UNKNOWN
        fact = type_fact(info, lambda axis, dim: self.input_dim(value.name, axis, dim))
        return replace(fact, elements=None) if overridable else fact

    def input_dim(self, name: str, axis: str, dim: DeclaredDim) -> Dim:
        if isinstance(dim, int) and dim >= 0:
            return Dim.of(dim)
        if isinstance(dim, str) and dim:
            return self.input_symbol(dim, "anonymous" if declarations.is_leftover(dim) else "declared")
        text = f"{name}[{axis}]"
        while text in self.author_names:
            text = f"{text[:-1]}]]".replace("[", "[[", 1)
        return self.input_symbol(text, "anonymous")

    def input_symbol(self, name: str, origin: Origin) -> Dim:
        if name not in self.symbols:
            self.symbols[name] = Dim.symbol(name, origin)
            self.order[name] = len(self.order)
        return self.symbols[name]

    def define(self, frame: Frame, name: str, fact: Fact, place: Place) -> None:
        frame.env[name] = fact
        if frame.trial and not frame.shown:
            return
        key = frame.prefix + name
        before = self.values.get(key) if frame.shown else None
        self.values[key] = fact if before is None else replace(fact, annotation=before.annotation)
        self.places[key] = place

    # ---------------------------------------------------------------- nodes

    def walk(self, nodes: Sequence[Node], frame: Frame) -> None:
        for index, node in enumerate(nodes):
            self.visit(node, index, frame)

    def visit(self, node: Node, index: int, frame: Frame) -> None:
        """Applies the rule of one node and defines its outputs."""
        if self.cancelled is not None and self.cancelled():
            raise Cancelled
        place = self.place(node, index, frame)
        attrs = resolved(node.attrs, frame.attrs) if frame.attrs or frame.calls else node.attrs
        inputs = tuple(self.current(frame.find(name) or UNKNOWN) if name else None for name in node.inputs)
        function = self.model.functions.get((node.domain, node.op_type, node.overload))
        if function is not None:
            facts = self.call(function, node, index, attrs, inputs, frame, place)
        else:
            facts = self.apply(node, index, attrs, inputs, frame, place)
        for position, name in enumerate(node.outputs):
            if name:
                self.define(frame, name, facts[position] if position < len(facts) else UNKNOWN, place)

    def place(self, node: Node, index: int, frame: Frame) -> Place:
        label = node_label(node, index)
        path = f"{frame.graph_path}/node[{index}]:{node.op_type}" + (f"({node.name})" if node.name else "")
        value = next((name for name in node.outputs if name), None)
        span = node.origin.span if node.origin else None
        return Place(path, frame.prefix + label, node.op_type, value, span, node.metadata, frame.caller)

    def apply(
        self,
        node: Node,
        index: int,
        attrs: Mapping[str, Attr],
        inputs: tuple[Fact | None, ...],
        frame: Frame,
        place: Place,
    ) -> tuple[Fact, ...]:
        """The facts of the outputs, by the operator's rule."""
        version = frame.opsets.get(node.domain, 0)
        sound_types = self.check_types(node, version, inputs, frame, place)
        op_rule = lookup(node.domain, node.op_type, version)
        if op_rule is None:
            return (UNKNOWN,) * len(node.outputs)
        if any(attr.value is None for attr in attrs.values()):
            return unread(node, attrs)
        wanted = tuple(bool(name) for name in node.outputs)
        desk = NodeDesk(self, node, index, frame, place)
        ctx = OpContext(desk, node.domain, node.op_type, version, inputs, attrs, wanted)
        try:
            outcome = op_rule.infer(ctx)
        except Exception as error:
            if STRICT:
                raise
            self.internal_error(error, frame, place)
            return (UNKNOWN,) * len(node.outputs)
        facts = outcome if isinstance(outcome, tuple) else (outcome,)
        if ctx.fresh_count:
            facts = self.named(ctx, facts, node, frame)
        if sound_types:
            facts = self.typed(node, version, inputs, facts)
        else:
            facts = tuple(replace(fact, dtype=None) for fact in facts)
        if ctx.remarks and not frame.trial:
            for remark in ctx.remarks:
                text = self.words(remark.text, remark.args, node)
                self.add(Finding(remark.rule, text, place, certain=frame.certain), frame)
        sound = True
        for requirement in ctx.requirements:
            sound &= self.settle(requirement, node, frame, place)
        if not sound:
            return tuple(Fact(fact.dtype, type=fact.type) if fact.type == "tensor" else fact for fact in facts)
        if ctx.requirements:
            facts = tuple(self.current(fact) for fact in facts)
        return facts

    def check_types(
        self, node: Node, version: int, inputs: tuple[Fact | None, ...], frame: Frame, place: Place
    ) -> bool:
        """Reports element types that the operator does not take; False where there are any."""
        schema = schemas.lookup(node.domain, node.op_type, version)
        if schema is None:
            return True
        kinds = [None if f is None else f.dtype if f.type == "tensor" else KINDS.get(f.type or "") for f in inputs]
        faults = check_types(node, schema, kinds)
        for about, text in () if frame.trial else faults:
            self.add(Finding(about, text, place, certain=frame.certain), frame)
        return not faults

    def internal_error(self, error: Exception, frame: Frame, place: Place) -> None:
        if not frame.trial:
            text = f"{type(error).__name__}: {error}"
            self.findings.append(Finding(INTERNAL_ERROR, text[:300], place))

    def named(self, ctx: OpContext, facts: tuple[Fact, ...], node: Node, frame: Frame) -> tuple[Fact, ...]:
        """Gives the symbols that a rule made their names: by output and number, unique in the model and per call."""
        symbols = [symbol for fact in facts for symbol in fact_symbols(fact)]
        for condition in (*ctx.given, *(requirement.condition for requirement in ctx.requirements)):
            symbols += [symbol for dim in sides(condition) for symbol in dim.atoms()]
        names = self.fresh_names(symbols, node, frame)
        for condition in ctx.given:
            self.store.learn(condition.map_dims(lambda dim: dim.replace(names)))
        ctx.requirements = [
            replace(
                each, condition=each.condition.map_dims(lambda dim: dim.replace(names)), args=_renamed(each.args, names)
            )
            for each in ctx.requirements
        ]
        return tuple(map_fact(fact, lambda dim: dim.replace(names)) for fact in facts)

    def fresh_names(self, symbols: Sequence[Symbol], node: Node, frame: Frame) -> dict[str, Dim]:
        """The names of the placeholders among these symbols."""
        base = frame.fresh + next((name for name in node.outputs if name), node.op_type)
        names: dict[str, Dim] = {}
        for symbol in symbols:
            sign, placeholder, number = symbol.name.partition(FRESH)
            if placeholder and symbol.name not in names:
                name = f"{sign}{base}#{number}"
                while name in self.author_names:
                    name += "'"
                names[symbol.name] = Dim.symbol(name, symbol.origin)
        return names

    def typed(
        self, node: Node, version: int, inputs: tuple[Fact | None, ...], facts: tuple[Fact, ...]
    ) -> tuple[Fact, ...]:
        """Element types that the rule left open, from the operator's type constraints."""
        if all(fact.dtype is not None or fact.type != "tensor" for fact in facts):
            return facts
        schema = schemas.lookup(node.domain, node.op_type, version)
        if schema is None:
            return facts
        dtypes = [fact.dtype if fact is not None else None for fact in inputs]
        made: list[Fact] = []
        for position, fact in enumerate(facts):
            if fact.dtype is None and fact.type == "tensor":
                dtype = output_dtype(schema, position, dtypes)
                if dtype is not None:
                    fact = replace(fact, dtype=dtype)
            made.append(fact)
        return tuple(made)

    def current(self, fact: Fact) -> Fact:
        """The fact with the equalities known by now applied."""
        known = self.store.known
        if not known.rewrites and not known.exact:
            return fact
        token = (known.rewrites, known.exact)
        if self.rewritten_for != token:
            self.rewritten_for = token
            self.rewritten = {}
        seen = self.rewritten.get(id(fact))
        if seen is not None and seen[0] is fact:
            return seen[1]
        changed = map_fact(fact, known.rewrite)
        self.rewritten[id(fact)] = (fact, changed)
        return changed

    # ---------------------------------------------------------------- functions and nested graphs

    def call(
        self,
        function: Function,
        node: Node,
        index: int,
        attrs: Mapping[str, Attr],
        inputs: tuple[Fact | None, ...],
        frame: Frame,
        place: Place,
    ) -> tuple[Fact, ...]:
        """Runs the body of a function on the caller's facts."""
        key = (function.domain, function.name, function.overload)
        if key in frame.calls:
            if not frame.trial:
                self.findings.append(Finding(RECURSIVE_FUNCTION, f"{function.name} calls itself", place))
            return (UNKNOWN,) * len(node.outputs)
        if frame.depth >= MAX_CALLS:
            return (UNKNOWN,) * len(node.outputs)
        inner = Frame(
            prefix=f"{frame.prefix}{node_label(node, index)}/",
            graph_path=f"{place.graph_path}/function({function.domain}.{function.name})",
            opsets={**self.model.opsets, **function.opsets},
            env={},
            names=declarations.Names(self.order, own=True),
            attrs={**function.defaults, **attrs},
            certain=frame.certain,
            trial=frame.trial,
            shown=frame.shown,
            fresh=f"{frame.fresh}{node_label(node, index)}/",
            depth=frame.depth + 1,
            calls=(*frame.calls, key),
            caller=place,
        )
        for position, name in enumerate(function.inputs):
            fact = inputs[position] if position < len(inputs) else None
            if fact is not None:
                self.define(inner, name, fact, Place(f"{inner.graph_path}/input[{name}]", value=name, caller=place))
        self.walk(function.nodes, inner)
        self.check_values(function.value_info, inner)
        return tuple(inner.env.get(name, UNKNOWN) for name in function.outputs)

    def run_graph(
        self,
        name: str,
        graph: Graph,
        inputs: Sequence[Fact],
        given: Sequence[Condition],
        mode: RunMode,
        turn: int,
        node: Node,
        index: int,
        frame: Frame,
    ) -> GraphRun:
        """Runs a nested graph for the `turn`-th time; see `RunMode` for what stays of it."""
        if frame.depth >= MAX_CALLS:
            return GraphRun((UNKNOWN,) * len(graph.outputs), frozenset())
        place = self.place(node, index, frame)
        inner = Frame(
            prefix=f"{frame.prefix}{node_label(node, index)}/{name}/",
            graph_path=f"{place.graph_path}/{name}",
            opsets=frame.opsets,
            env={},
            names=frame.names if mode == "certain" else frame.names.scoped(),
            parent=frame,
            attrs=frame.attrs,
            certain=frame.certain and mode == "certain",
            trial=frame.trial or mode in ("trial", "values"),
            shown=frame.shown if frame.trial else mode == "values",
            fresh=f"{frame.fresh}{node_label(node, index)}/{name}{f'[{turn}]' if turn > 1 else ''}/",
            depth=frame.depth + 1,
            calls=frame.calls,
            caller=frame.caller,
        )
        before = self.store.known
        guards = len(self.store.guards)
        for condition in given:
            self.store.learn(condition)
        for value, fact in zip(graph.inputs, inputs, strict=False):
            there = Place(f"{inner.graph_path}/input[{value.name}]", value=value.name, span=value.span)
            self.define(inner, value.name, fact, there)
        self.initialize(graph, inner)
        self.walk(graph.nodes, inner)
        self.check(graph, inner)
        outputs = tuple(inner.find(value.name) or UNKNOWN for value in graph.outputs)
        born = frozenset(
            symbol.name
            for fact in outputs
            for symbol in fact_symbols(fact)
            if symbol.name.lstrip(SIGNED).startswith(inner.fresh)
        )
        if mode != "certain":
            del self.store.guards[guards:]
            self.store.known = before
        return GraphRun(outputs, born)

    # ---------------------------------------------------------------- requirements

    def settle(self, requirement: Requirement, node: Node, frame: Frame, place: Place) -> bool:
        """Decides a requirement, reports and learns it; False where it cannot be met."""
        condition = tidy(self.store.known.rewrite_condition(requirement.condition))
        if self.store.ask(condition) is True:
            return True
        guard = Guard("assert", condition, place.node, requirement.rule.name)
        hinted = self.store.hinted(condition)
        if hinted is False:
            self.report(requirement, condition, "fails", node, frame, place, hinted=True)
            self.keep(guard, condition, frame, place)
            return False
        verdict = decide.check(condition, self.store.raised)
        if verdict.kind == "fails":
            self.report(requirement, condition, "fails", node, frame, place)
            self.keep(guard, condition, frame, place)
            return False
        if verdict.kind == "holds":
            self.report(requirement, condition, "may-fail", node, frame, place, empty_only=True)
        elif verdict.kind == "may-fail":
            self.report(requirement, condition, "may-fail", node, frame, place)
        self.keep(guard, condition, frame, place)
        self.store.learn(condition)
        return True

    def keep(self, guard: Guard, condition: Condition, frame: Frame, place: Place) -> None:
        """Lists a guard, where it is over input sizes and its node surely runs."""
        if frame.certain and not frame.trial and dims_known(condition, self.order):
            self.store.guards.append(guard)
            self.guard_places.setdefault(guard, place)

    def report(
        self,
        requirement: Requirement,
        condition: Condition,
        outcome: Outcome,
        node: Node,
        frame: Frame,
        place: Place,
        *,
        hinted: bool = False,
        empty_only: bool = False,
    ) -> None:
        if frame.trial:
            return
        text = self.words(requirement.text, requirement.args, node)
        used = requirement.rule
        if outcome == "may-fail" and not empty_only and two_names(condition):
            used = DIMS_MUST_AGREE
        finding = Finding(
            used,
            text,
            place,
            verdict=outcome,
            condition=condition,
            known=self.store.raised,
            hinted=hinted,
            empty_only=empty_only,
            certain=frame.certain,
        )
        self.add(finding, frame)

    def add(self, finding: Finding, frame: Frame) -> None:
        """Adds a finding, or its place to an earlier one with the same cause. A nested graph that runs several times
        says a thing about a place only once."""
        said = finding.rule, finding.place.graph_path, finding.place.value
        if self.said.setdefault(said, frame.fresh) != frame.fresh:
            return
        condition = finding.condition
        if condition is not None and condition.symbols():
            first = self.failed.get((finding.rule, condition))
            if first is not None:
                first.repeats.append(finding.place)
                return
            self.failed[finding.rule, condition] = finding
        if finding.verdict == "may-fail" and condition is not None and self.reads_as_true(condition):
            finding.severity = "information"
        self.findings.append(finding)

    def reads_as_true(self, condition: Condition) -> bool:
        """Whether names that read as expressions, so read, rule the finding out."""
        if not self.readings:
            return False
        known = self.store.raised
        for reading in self.readings:
            known = known.learn(reading)
        return decide.follows(condition, known)

    def words(self, text: str, args: Mapping[str, object], node: Node) -> str:
        names = [f"`{name}`" if name else "the absent input" for name in node.inputs]
        names += ["the absent input"] * 8
        shown = {key: quote(value) if isinstance(value, Dim) else value for key, value in args.items()}
        try:
            return text.format(*names, **shown)
        except (IndexError, KeyError, ValueError):
            return text

    # ---------------------------------------------------------------- annotations

    def check(self, graph: Graph, frame: Frame) -> None:
        """Judges what the author declared for the values of a graph."""
        declared: dict[str, TypeInfo] = dict(graph.value_info)
        if frame.parent is not None:
            declared = {value.name: value.type for value in graph.inputs if value.type is not None} | declared
        produced = frame.env.keys()
        outputs = {value.name: value.type for value in graph.outputs if value.type is not None}
        returned = {value.name: value.span for value in graph.outputs if value.span is not None and value.span.home}
        inner = {name: info for name, info in declared.items() if name in produced}
        self.check_values(
            {name: info for name, info in inner.items() if name not in outputs or name in returned}, frame
        )
        self.check_values(outputs, frame, returned)

    def check_values(
        self, declared: Mapping[str, TypeInfo], frame: Frame, returned: Mapping[str, Span] | None = None
    ) -> None:
        """Judges declared types. `returned`: where results are returned, which is where they are told in a source."""
        for name, info in declared.items():
            fact = frame.find(name)
            if fact is None or (
                frame.parent is None and not frame.calls and f"graph/input[{name}]" == self.places[name].graph_path
            ):
                continue
            place = self.places.get(frame.prefix + name) or Place(f"{frame.graph_path}/value[{name}]", value=name)
            judged = declarations.judge(name, info, self.current(fact), frame.names, self.store.raised)
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
                self.add(finding, frame)
            key = frame.prefix + name
            if judged.verdict is not None and key in self.values:
                self.values[key] = replace(self.values[key], annotation=judged.verdict)


STRICT = False
"""Tests set this: a fault in an operator rule is raised instead of reported."""


class NodeDesk:
    """Answers the questions of one rule application, and keeps the guards that the answers rest on."""

    __slots__ = ("frame", "index", "node", "place", "turns", "walker")

    def __init__(self, walker: Walker, node: Node, index: int, frame: Frame, place: Place) -> None:
        self.walker = walker
        self.node = node
        self.index = index
        self.frame = frame
        self.place = place
        self.turns: dict[str, int] = {}

    def ask(self, condition: Condition) -> bool | None:
        return self.walker.store.ask(self.walker.store.known.rewrite_condition(condition))

    def branch(self, condition: Condition) -> bool | None:
        answer = self.ask(condition)
        if answer is not None:
            return answer
        hinted = self.walker.store.hinted(condition)
        if hinted is not None:
            self.expect(condition if hinted else condition.negation())
        return hinted

    def choose(self, conditions: Sequence[Condition]) -> int | None:
        for index, condition in enumerate(conditions):
            if self.ask(condition) is True:
                return index
        for index, condition in enumerate(conditions):
            if self.walker.store.hinted(condition):
                self.expect(condition)
                return index
        return None

    def expect(self, condition: Condition) -> None:
        """The branch that the hints take is part of what the facts rest on."""
        walker = self.walker
        condition = tidy(walker.store.known.rewrite_condition(condition))
        walker.keep(Guard("expect", condition, self.place.node, "hint"), condition, self.frame, self.place)
        walker.store.learn(condition)

    def run(
        self, name: str, graph: Graph, inputs: Sequence[Fact], mode: RunMode, given: Sequence[Condition]
    ) -> GraphRun:
        """Runs a nested graph. Symbols that the rule made get their names before, and differ from run to run."""
        symbols = [symbol for fact in inputs for symbol in fact_symbols(fact)]
        symbols += [symbol for condition in given for dim in sides(condition) for symbol in dim.atoms()]
        names = self.walker.fresh_names(symbols, self.node, self.frame)
        if names:
            inputs = [map_fact(fact, lambda dim: dim.replace(names)) for fact in inputs]
            given = [condition.map_dims(lambda dim: dim.replace(names)) for condition in given]
        self.turns[name] = self.turns.get(name, 0) + 1
        turn = self.turns[name]
        made = self.walker.run_graph(name, graph, inputs, given, mode, turn, self.node, self.index, self.frame)
        if not names:
            return made
        back = {
            symbol.name: Dim.symbol(placeholder, symbol.origin)
            for placeholder, dim in names.items()
            for symbol in dim.atoms()
        }
        return replace(made, outputs=tuple(map_fact(fact, lambda dim: dim.replace(back)) for fact in made.outputs))


_SCALARS = {"value_float": FLOAT, "value_int": INT64}


def unread(node: Node, attrs: Mapping[str, Attr]) -> tuple[Fact, ...]:
    """The facts of the outputs of a node with an attribute whose value is not known."""
    if node.op_type == "Constant" and not node.domain:
        for name in attrs:
            if name in _SCALARS:
                return (Fact(_SCALARS[name], ()),)
    return (UNKNOWN,) * len(node.outputs)


def resolved(attrs: Mapping[str, Attr], given: Mapping[str, Attr]) -> Mapping[str, Attr]:
    """Attributes with references to those of the enclosing function replaced; an unset one is absent."""
    if all(attr.ref is None for attr in attrs.values()):
        return attrs
    made: dict[str, Attr] = {}
    for name, attr in attrs.items():
        if attr.ref is None:
            made[name] = attr
        elif attr.ref in given:
            made[name] = replace(given[attr.ref], name=name)
    return made


def fact_symbols(fact: Fact) -> list[Symbol]:
    """All symbols in a fact."""
    found: list[Symbol] = []

    def note(dim: Dim) -> Dim:
        found.extend(dim.atoms())
        return dim

    map_fact(fact, note)
    return found


def two_names(condition: Condition) -> bool:
    """Whether a condition says of two declared names that they agree, or that one of them is 1."""
    first = condition.parts[0] if not isinstance(condition, Relation) else condition
    if not isinstance(first, Relation) or first.op != "==":
        return False
    symbols = (first.lhs.as_symbol, first.rhs.as_symbol)
    return all(symbol is not None and symbol.origin == "declared" for symbol in symbols)


def quote(dim: Dim) -> str:
    """A size in a message."""
    text = str(dim)
    return text if dim.const is not None or "`" in text else f"`{text}`"


def _renamed(args: Mapping[str, object], names: Mapping[str, Dim]) -> Mapping[str, object]:
    return {key: value.replace(names) if isinstance(value, Dim) else value for key, value in args.items()}
