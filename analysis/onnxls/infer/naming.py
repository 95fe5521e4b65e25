"""Names of the symbols that rules make: by output and number, unique in the model and per call, stable under edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from onnxls.dims import Dim, Origin, Symbol
from onnxls.facts import Fact
from onnxls.groups import Tree
from onnxls.infer.visits import Visit
from onnxls.ops.context import FRESH, OpContext, Requirement, map_fact
from onnxls.relations import dims


class Stale(Exception):  # noqa: N818 - an outcome, not an error
    """A name has another meaning than what is remembered of the graph has it."""


class Names:
    """Names the symbols that rules make. `taken`: names that the author gave."""

    def __init__(self, tree: Tree, taken: Collection[str]) -> None:
        self.taken = taken
        self._origins = tree.origins

    def fresh(self, symbols: Iterable[Symbol], visit: Visit) -> dict[str, Dim]:
        """The names of the placeholders among these symbols."""
        base = visit.stem
        names: dict[str, Dim] = {}
        for symbol in symbols:
            sign, placeholder, number = symbol.name.partition(FRESH)
            if placeholder and symbol.name not in names:
                name = f"{sign}{base}#{number}"
                while name in self.taken:
                    name += "'"
                self.note(name, symbol.origin)
                names[symbol.name] = Dim.symbol(name, symbol.origin)
        return names

    def note(self, name: str, origin: Origin) -> None:
        """Raises Stale where a name meant something else before."""
        if self._origins.setdefault(name, origin) != origin:
            raise Stale


def outcome_symbols(ctx: OpContext, facts: Sequence[Fact]) -> list[Symbol]:
    """All symbols in what a rule gave."""
    symbols = [symbol for fact in facts for symbol in fact_symbols(fact)]
    for condition in (*ctx.given, *(requirement.condition for requirement in ctx.requirements)):
        symbols += [symbol for dim in dims(condition) for symbol in dim.atoms()]
    return symbols


def renamed(requirement: Requirement, names: Mapping[str, Dim]) -> Requirement:
    """The requirement with symbols replaced."""
    return replace(
        requirement,
        condition=requirement.condition.map_dims(lambda dim: dim.replace(names)),
        args={
            key: value.replace(names) if isinstance(value, Dim) else value for key, value in requirement.args.items()
        },
    )


def fact_symbols(fact: Fact) -> list[Symbol]:
    """All symbols in a fact."""
    found: list[Symbol] = []

    def note(dim: Dim) -> Dim:
        found.extend(dim.atoms())
        return dim

    map_fact(fact, note)
    return found
