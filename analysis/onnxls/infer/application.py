"""Applies the rule of an operator to a node: from the facts of its inputs to those of its outputs.

What the rule asks for is decided in order; what it made is named. Nothing is known here of graphs and of how a walk
goes through them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from onnxls.dims import Dim
from onnxls.facts import UNKNOWN, Fact
from onnxls.findings import Finding
from onnxls.infer.cases import general
from onnxls.infer.desk import NodeDesk, RunGraph
from onnxls.infer.frames import Cancelled
from onnxls.infer.ledger import Ledger, words
from onnxls.infer.memo import Key, Memo, Outcome
from onnxls.infer.naming import Names, Stale, outcome_symbols
from onnxls.infer.rewriting import Rewriting
from onnxls.infer.signature import type_faults, typed, unread
from onnxls.infer.visits import Visit
from onnxls.ops import OpRule
from onnxls.ops.context import FRESH, OpContext
from onnxls.ops.own import Operators
from onnxls.rules import rule
from onnxls.store import dims_known

STRICT = False
"""Tests set this: a fault in an operator rule is raised instead of reported."""

INTERNAL_ERROR = rule(
    "internal-error",
    "OLS099",
    "information",
    """
    A rule of onnxls failed on this node; its outputs are unknown.

    This is a fault of onnxls, not of the model. Please report it with the message.
    """,
)


class Application:
    """The rules of operators, for one walk. `split`: whether any value has cases by now."""

    def __init__(
        self,
        operators: Operators,
        memo: Memo,
        names: Names,
        ledger: Ledger,
        rewriting: Rewriting,
        run_graph: RunGraph,
    ) -> None:
        self.operators = operators
        self.memo = memo
        self.names = names
        self.ledger = ledger
        self.rewriting = rewriting
        self.run_graph = run_graph
        self.split = False

    def apply(self, visit: Visit) -> tuple[Fact, ...]:
        """The facts of the outputs, by the operator's rule."""
        node, frame = visit.node, visit.frame
        version = frame.opsets.get(node.domain, 0)
        op_rule = self.operators.lookup(node.domain, node.op_type, version)
        desk = NodeDesk(self.ledger, self.run_graph, self.names, visit)
        outcome = key = None
        if op_rule is not None:
            key = self.memo.key(op_rule, version, visit.inputs, visit.attrs, tuple(map(bool, node.outputs)))
            outcome = self.memo.find(key, desk)
        if outcome is None:
            outcome = self.derive(op_rule, version, key, desk)
        outcome = self.memo.named(outcome, visit)
        for condition in outcome.given:
            self.ledger.store.learn(condition)
        facts = outcome.facts
        if outcome.split:
            self.split = True
            facts = self.refined(facts, visit, outcome.fresh)
        for remark in () if frame.trial else outcome.remarks:
            text = words(remark.text, remark.args, node)
            self.ledger.add(Finding(remark.rule, text, visit.place, certain=frame.certain), frame)
        if not outcome.requirements:
            return facts
        sound = True
        for requirement in outcome.requirements:
            met = self.ledger.settle(requirement, visit)
            frame.fails |= not met and requirement.severity is None
            sound &= met
        if sound:
            return tuple(self.rewriting.current(fact) for fact in facts)
        return tuple(
            self.memo.intern(Fact(fact.dtype, type=fact.type)) if fact.type == "tensor" else fact for fact in facts
        )

    def derive(self, op_rule: OpRule | None, version: int, key: Key | None, desk: NodeDesk) -> Outcome:
        """What the operator's rule gives; kept where that depends on the key and the answers of the desk alone."""
        visit = desk.visit
        node, attrs, inputs = visit.node, visit.attrs, visit.inputs
        faults = type_faults(node, version, inputs)
        for about, text in () if visit.frame.trial else faults:
            self.ledger.add(Finding(about, text, visit.place, certain=visit.frame.certain), visit.frame)
        if op_rule is None or key is None:
            return Outcome((UNKNOWN,) * len(node.outputs))
        if any(attr.value is None for attr in attrs.values()):
            return Outcome(unread(node, attrs))
        ctx = OpContext(desk, node.domain, node.op_type, version, inputs, attrs, tuple(map(bool, node.outputs)))
        try:
            given = op_rule.infer(ctx)
        except (Cancelled, Stale):
            raise
        except Exception as error:
            if STRICT:
                raise
            self.internal_error(error, visit)
            return Outcome((UNKNOWN,) * len(node.outputs))
        facts = given if isinstance(given, tuple) else (given,)
        facts = tuple(fact.of_type(None) for fact in facts) if faults else typed(node, version, inputs, facts)
        made = outcome_symbols(ctx, facts) if ctx.fresh_count else ()
        facts = tuple(map(self.memo.intern, facts))
        split = any(fact.cases for fact in facts)
        outcome = Outcome(facts, ctx.requirements, ctx.remarks, ctx.given, made, ctx.fresh_count, split)
        if not faults and not desk.turns:
            self.memo.keep(key, (op_rule, inputs), ctx.asked, outcome)
        return outcome

    def internal_error(self, error: Exception, visit: Visit) -> None:
        """Reports a fault in a rule itself."""
        if not visit.frame.trial:
            text = f"{type(error).__name__}: {error}"
            self.ledger.findings.append(Finding(INTERNAL_ERROR, text[:300], visit.place))

    def refined(self, facts: tuple[Fact, ...], visit: Visit, first: int) -> tuple[Fact, ...]:
        """Facts with the cases that a rule made: those over sizes of inputs stay, and sharpen what always holds.

        `first`: the number of the first size that is made for it.
        """
        made: list[Fact] = []
        numbers = count(first)
        for fact in facts:
            if fact.cases:
                cases, fact = fact.cases, replace(fact, cases=())
                if all(dims_known(case.condition, self.ledger.order) for case in cases):
                    sharper = general(
                        cases, self.ledger.store.known, visit.fresh, lambda: self.unnamed(visit, next(numbers))
                    )
                    if sharper.type == "tensor":
                        fact = replace(sharper, dtype=sharper.dtype or fact.dtype)
            made.append(fact)
        return tuple(made)

    def unnamed(self, visit: Visit, number: int) -> Dim:
        """A size that differs from case to case."""
        placeholder = Dim.symbol(f"{FRESH}{number}", "unknown")
        names = self.names.fresh(placeholder.atoms(), visit)
        return placeholder.replace(names)
