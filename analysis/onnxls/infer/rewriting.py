"""Facts with the equalities that are known by now, each rewritten once for what is known."""

from __future__ import annotations

from onnxls.facts import Fact
from onnxls.infer.memo import Memo
from onnxls.ops.context import map_fact
from onnxls.store import Store


class Rewriting:
    """The facts of one walk as they are now. What it keeps is found by identity: facts are interned by `memo`."""

    def __init__(self, store: Store, memo: Memo) -> None:
        self._store = store
        self._memo = memo
        self._made: dict[int, tuple[Fact, Fact]] = {}
        self._made_for: tuple[object, object] = (None, None)
        self._affected: frozenset[str] = frozenset()

    def current(self, fact: Fact) -> Fact:
        """The fact with the equalities known by now applied."""
        known = self._store.known
        if not known.rewrites and not known.exact:
            return fact
        if self._made_for[0] is not known.rewrites or self._made_for[1] is not known.exact:
            self._made_for = known.rewrites, known.exact
            self._made = {}
            self._affected = frozenset(known.rewrites).union(*(atom.symbols for atom in known.exact))
        if self._affected.isdisjoint(fact.symbols):
            return fact
        seen = self._made.get(id(fact))
        if seen is not None:
            return seen[1]
        changed = self._memo.intern(map_fact(fact, known.rewrite))
        self._made[id(fact)] = (fact, changed)
        return changed
