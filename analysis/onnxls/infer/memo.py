"""The memo of operator rules: what a rule gave for the same facts, attributes and answers, given again.

An entry is a tree of the questions that the rule asked. A look-up asks them anew, so nothing in it depends on what was
known when it was made; a way that was not gone yet is a miss. Facts are interned, so that entries are found by
identity. All is kept with the knowledge over the same input symbols, and forgotten with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onnxls.dims import Symbol
from onnxls.facts import Fact
from onnxls.graph import Attr
from onnxls.groups import Tree
from onnxls.infer.naming import Names, renamed
from onnxls.infer.visits import Visit
from onnxls.ops import OpRule
from onnxls.ops.context import Asked, Desk, Remark, Requirement, map_fact
from onnxls.relations import Condition

Key = tuple[object, ...]


@dataclass(slots=True)
class Outcome:
    """What a rule gave. `made`: the placeholders of the sizes that it made, until they are named; `fresh`: how many.
    `split`: whether a fact has cases."""

    facts: tuple[Fact, ...]
    requirements: Sequence[Requirement] = ()
    remarks: Sequence[Remark] = ()
    given: Sequence[Condition] = ()
    made: Sequence[Symbol] = ()
    fresh: int = 0
    split: bool = False
    named: dict[str, tuple[frozenset[str], Outcome]] = field(
        default_factory=dict[str, "tuple[frozenset[str], Outcome]"]
    )


@dataclass(slots=True)
class _Step:
    """A question, and what follows each answer; or, without one, the outcome. `held`: what the key has by identity."""

    held: object
    question: tuple[str, tuple[Condition, ...]] | None
    answers: dict[object, _Step]
    outcome: Outcome | None = None


class Memo:
    """The outcomes of rules over the input symbols of a graph."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names
        self._steps: dict[object, _Step] = tree.tables.setdefault(Memo, {})
        self._facts: dict[Fact, Fact] = tree.tables.setdefault(Fact, {})

    def intern(self, fact: Fact) -> Fact:
        """The one object that stands for all equal facts."""
        known = self._facts.get(fact)
        if known is None:
            known = self._facts[fact] = fact
            self._tree.remembered += 1
        return known

    @staticmethod
    def key(
        rule: OpRule,
        version: int,
        inputs: tuple[Fact | None, ...],
        attrs: Mapping[str, Attr],
        wanted: tuple[bool, ...],
    ) -> Key:
        """What an outcome is found by."""
        return (id(rule), version, wanted, *attrs.values(), *map(id, inputs))

    def find(self, key: Key, desk: Desk) -> Outcome | None:
        """The outcome for these inputs and for the answers that are given now."""
        step = self._steps.get(key)
        while step is not None and step.question is not None:
            kind, conditions = step.question
            if kind == "choose":
                step = step.answers.get(desk.choose(conditions))
            elif kind == "ask":
                step = step.answers.get(desk.ask(conditions[0]))
            else:
                step = step.answers.get(desk.branch(conditions[0]))
        return None if step is None else step.outcome

    def keep(self, key: Key, held: object, asked: Sequence[Asked], outcome: Outcome) -> None:
        """Keeps an outcome under the answers that led to it. `held`: the objects that the key has by identity."""
        steps, at = self._steps, key
        for kind, conditions, answer in asked:
            step = steps.get(at)
            if step is None:
                step = steps[at] = _Step(held, (kind, conditions), {})
            steps, at = step.answers, answer
        steps[at] = _Step(held, None, {}, outcome)
        self._tree.remembered += 1 + len(asked)

    def named(self, outcome: Outcome, visit: Visit) -> Outcome:
        """The outcome with the sizes that the rule made named as those of a node."""
        if not outcome.made:
            return outcome
        base = visit.stem
        known = outcome.named.get(base)
        if known is not None and known[0].isdisjoint(self._names.taken):
            return known[1]
        names = self._names.fresh(outcome.made, visit)
        named = Outcome(
            tuple(self.intern(map_fact(fact, lambda dim: dim.replace(names))) for fact in outcome.facts),
            [renamed(each, names) for each in outcome.requirements],
            outcome.remarks,
            [condition.map_dims(lambda dim: dim.replace(names)) for condition in outcome.given],
            fresh=outcome.fresh,
            split=outcome.split,
        )
        texts = frozenset(symbol.name for dim in names.values() for symbol in dim.atoms())
        if not any(text.endswith("'") for text in texts):  # else the author's names are part of it
            outcome.named[base] = texts, named
            self._tree.remembered += 1
        return named
