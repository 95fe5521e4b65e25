"""What is taken as true of the sizes. Persistent: learning gives a new value.

Knowledge is kept in groups of symbols that conditions tie together, so that what is asked of some sizes touches, and
rests on, nothing but what is known of them. The same group stands for the same knowledge in every analysis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from onnxls.dims import Dim, Op
from onnxls.groups import Group, Prover, Tree, undo_exact
from onnxls.relations import AllOf, Condition

_CONSTANT = ""
"""What stands for the symbol of conditions without symbols: they bear on everything."""


class Assumptions:
    """`order`: the input symbols, in order. `floor`: the least size of an input axis, 0 or 1. `rewrites`: symbols that
    are expressions of others (never of each other). `exact`: floor divisions known to leave no remainder. `tree`:
    what is remembered of the graph of this name over these symbols."""

    __slots__ = ("_groups", "exact", "floor", "order", "rewrites", "tree")

    def __init__(
        self, order: Iterable[str] = (), floor: int = 0, graph: str = "", prover: Prover | None = None
    ) -> None:
        self.tree = Tree.of(order, graph, prover)
        self._groups: Mapping[str, Group] = {}
        self.order = self.tree.order
        self.floor = floor
        self.rewrites: Mapping[str, Dim] = {}
        self.exact: frozenset[Op] = frozenset()

    def with_floor(self, floor: int) -> Assumptions:
        """The same with another least size of input axes."""
        return self if self.floor == floor else self._with(self._groups, floor)

    def about(self, names: Iterable[str]) -> Group:
        """What is known of these symbols, and of those that they are tied to."""
        return self._tied(names).with_floor(self.floor)

    def everything(self) -> Group:
        """All that is known."""
        return self.about(self._groups)

    def rewrite(self, dim: Dim) -> Dim:
        """The Dim with the known equalities applied."""
        if dim.const is not None:
            return dim
        if self.rewrites:
            dim = dim.replace(self.rewrites)
        return undo_exact(dim, self.exact) if self.exact else dim

    def rewrite_condition(self, condition: Condition) -> Condition:
        """The condition with the known equalities applied to its sides."""
        if not self.rewrites and not self.exact:
            return condition
        return condition.map_dims(self.rewrite)

    def learn(self, condition: Condition) -> Assumptions:
        """With the condition taken as true."""
        condition = self.rewrite_condition(condition)
        if isinstance(condition, AllOf):
            learned = self
            for part in condition.parts:
                learned = learned.learn(part)
            return learned
        names = condition.symbols() or (_CONSTANT,)
        before = self._tied(names)
        after = before.learn(condition)
        if after is before:
            return self
        learned = self._with({**self._groups, **dict.fromkeys((*names, *after.names), after)}, self.floor)
        if after.rewrites.keys() != before.rewrites.keys():
            solved = {name: dim for name, dim in after.rewrites.items() if name not in before.rewrites}
            learned.rewrites = {name: dim.replace(solved) for name, dim in self.rewrites.items()} | solved
        if after.exact is not before.exact:
            learned.exact = (self.exact - before.exact) | after.exact
        return learned

    def _tied(self, names: Iterable[str]) -> Group:
        known = self._groups
        groups = dict.fromkeys(known[name] for name in sorted({*names, _CONSTANT}) if name in known)
        if not groups:
            return self.tree.root
        first, *others = groups
        return first.joined(others)

    def _with(self, groups: Mapping[str, Group], floor: int) -> Assumptions:
        made = Assumptions.__new__(Assumptions)
        made.tree, made._groups, made.order, made.floor = self.tree, groups, self.order, floor
        made.rewrites, made.exact = self.rewrites, self.exact
        return made
