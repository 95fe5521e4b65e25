"""What is taken as true of some sizes that are tied together: data that the decision procedures read. Persistent:
learning gives a new value, and the same value where the same was learned before.

Equalities become rewrites where a symbol can be solved for, so that equal things look equal; the rest is kept as
inequalities, non-zero facts, exact divisions and disjunctions. Everything learned follows from the condition alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import lcm
from typing import Any, Protocol

from onnxls.dims import Dim, Op, Origin, Symbol, floordiv
from onnxls.relations import AllOf, AnyOf, Condition, Relation, quotient, remainder_of

_ORIGINS = {"declared": 0, "anonymous": 1, "bound": 2, "data": 3, "unknown": 4}

MAX_NEAR = 24
"""Conditions that one question may rest on: of more, those nearest to its symbols."""

MAX_COMPARED = 256
"""Conditions that a new one is compared with: of those learned before them, one may be there twice."""

MAX_REMEMBERED = 100_000
"""Groups and answers that are kept for one list of input symbols; then remembering begins anew."""


class Prover(Protocol):
    """A second opinion, asked last and only where it is wished for. Hashable: what it answers is kept with the rest."""

    def settled(self, condition: Condition, known: Group) -> bool | None:
        """True: the condition is proved; False: it is false at all admissible sizes; None: neither."""
        ...

    def example(self, conditions: Sequence[Condition], lows: Mapping[str, int]) -> dict[str, int] | None:
        """Sizes of these symbols, not below their least ones, at which the conditions may hold."""
        ...


class Tree:
    """All groups over one list of input symbols in one graph, as they were learned one from the other.

    `order`: the symbols. `prover`: a second opinion, if one is wished for. `origins`: what each name meant so far; who
    gives a name another meaning must `forget`, since symbols are equal by name. `tables`: what else is remembered of
    this graph, by whatever names it.
    """

    __slots__ = ("order", "origins", "prover", "remembered", "root", "tables")

    def __init__(self, order: Mapping[str, int], prover: Prover | None) -> None:
        self.order = order
        self.prover = prover
        self.origins: dict[str, Origin] = {}
        self.remembered = 0
        self.root = Group(self)
        self.tables: dict[object, Any] = {}

    @staticmethod
    def of(order: Iterable[str], graph: str = "", prover: Prover | None = None) -> Tree:
        """The tree of these symbols in a graph of this name."""
        names = tuple(order)
        tree = _tree(names, graph, prover)
        if tree.remembered > MAX_REMEMBERED:
            Tree.forget()
            tree = _tree(names, graph, prover)
        return tree

    @staticmethod
    def forget() -> None:
        """Begins anew."""
        _tree.cache_clear()


@lru_cache(maxsize=16)
def _tree(order: tuple[str, ...], graph: str, prover: Prover | None) -> Tree:
    return Tree({name: place for place, name in enumerate(order)}, prover)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """`floor`: the least size of an input axis, 0 or 1. `names`: the symbols that this is about.

    `rewrites`: symbols that are expressions of others (never of each other). `nonnegative`: Dims known to be >= 0.
    `nonzero`: Dims known to differ from 0. `exact`: floor divisions known to leave no remainder. `multiples`:
    symbols and an integer that divides them. `conditions`: all that was learned, rewritten. `cache`: results of pure
    functions of this value, by whatever names them.
    """

    tree: Tree
    floor: int = 0
    names: frozenset[str] = frozenset()
    rewrites: Mapping[str, Dim] = field(default_factory=dict[str, Dim])
    lows: Mapping[str, int] = field(default_factory=dict[str, int])
    nonnegative: tuple[Dim, ...] = ()
    nonzero: frozenset[Dim] = frozenset()
    exact: frozenset[Op] = frozenset()
    multiples: Mapping[str, int] = field(default_factory=dict[str, int])
    conditions: tuple[Condition, ...] = ()
    cache: dict[object, Any] = field(default_factory=dict[object, Any], init=False, repr=False)

    @property
    def order(self) -> Mapping[str, int]:
        """The input symbols, in order."""
        return self.tree.order

    @property
    def extent(self) -> int:
        """How many conditions this comes to."""
        return len(self.conditions) + len(self.nonnegative) + len(self.rewrites)

    def remember(self, key: object, value: Any) -> None:
        """Keeps the result of a pure function of this value."""
        self.cache[key] = value
        self.tree.remembered += 1

    def with_floor(self, floor: int) -> Group:
        """The same with another least size of input axes."""
        if self.floor == floor:
            return self
        raised: Group | None = self.cache.get(floor)
        if raised is None:
            raised = replace(self, floor=floor)
            for name, value in self.rewrites.items():
                if name in self.order:
                    raised = _learn_nonnegative(raised, value - floor)
            self.remember(floor, raised)
        return raised

    def joined(self, others: Sequence[Group]) -> Group:
        """Together with groups of the same tree and floor that have no symbols in common."""
        if not others:
            return self
        key = tuple(map(id, others))
        known: tuple[Group, Sequence[Group]] | None = self.cache.get(key)
        if known is None:
            groups = (self, *others)
            joined = Group(
                self.tree,
                self.floor,
                frozenset[str]().union(*(each.names for each in groups)),
                {name: dim for each in groups for name, dim in each.rewrites.items()},
                {name: low for each in groups for name, low in each.lows.items()},
                tuple(dim for each in groups for dim in each.nonnegative),
                frozenset[Dim]().union(*(each.nonzero for each in groups)),
                frozenset[Op]().union(*(each.exact for each in groups)),
                {name: by for each in groups for name, by in each.multiples.items()},
                tuple(condition for each in groups for condition in each.conditions),
            )
            known = joined, others
            self.remember(key, known)
        return known[0]

    def near(self, names: frozenset[str]) -> Group:
        """What bears on some symbols: all of this where it is little, else the conditions that are nearest to them."""
        if len(self.conditions) + len(self.nonnegative) <= MAX_NEAR:
            return self
        near: Group | None = self.cache.get(names)
        if near is None:
            near = self._nearest(names)
            self.remember(names, near)
        return near

    def _nearest(self, names: frozenset[str]) -> Group:
        taken: dict[Condition, None] = {}
        reached: frozenset[str] = names
        left: list[Condition] = list(self.conditions)
        while len(taken) < MAX_NEAR:
            inner = [each for each in left if each.symbols() <= reached]
            touching = inner or [each for each in left if not reached.isdisjoint(each.symbols())]
            if not touching:
                break
            taken.update(dict.fromkeys(touching[: MAX_NEAR - len(taken)]))
            reached = reached.union(*(each.symbols() for each in taken))
            left = [each for each in left if each not in taken]
        return replace(
            self,
            names=reached,
            rewrites={},
            nonnegative=tuple(each for each in self.nonnegative if each.symbols() <= reached)[:MAX_NEAR],
            nonzero=frozenset(each for each in self.nonzero if each.symbols() <= reached),
            exact=frozenset(each for each in self.exact if each.symbols <= reached),
            conditions=tuple(each for each in self.conditions if each in taken),
        )

    def low(self, name: str) -> int | None:
        """The least value of a symbol; None where it may be negative without bound."""
        least = Symbol(name).range[0]
        if name in self.order:
            least = max(least or 0, self.floor)
        known = self.lows.get(name)
        return known if least is None else least if known is None else max(least, known)

    def shift(self, name: str) -> int:
        """What is taken off a symbol so that it is >= 0; 0 for one that may be negative."""
        least = self.low(name)
        return least if least and Symbol(name).range[0] is not None else 0

    def admitted(self) -> list[Condition]:
        """All that is known, as conditions over the symbols that are left."""
        conditions: list[Condition] = list(self.conditions)
        conditions += [Relation(Dim.of(0), "<=", dim) for dim in self.nonnegative]
        for name, value in self.rewrites.items():
            conditions.append(Relation(Dim.of(self.floor if name in self.order else 0), "<=", value))
        return conditions

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

    def learn(self, condition: Condition) -> Group:
        """With the condition taken as true."""
        learned: Group | None = self.cache.get(condition)
        if learned is None:
            learned = self._learned(condition)
            self.remember(condition, learned)
        return learned

    def _learned(self, condition: Condition) -> Group:
        condition = self.rewrite_condition(condition)
        if isinstance(condition, AllOf):
            learned = self
            for part in condition.parts:
                learned = learned.learn(part)
            return learned
        if condition in self.conditions[-MAX_COMPARED:]:
            return self
        learned = replace(self, conditions=(*self.conditions, condition), names=self.names | condition.symbols())
        if isinstance(condition, AnyOf):
            return learned
        if condition.op == "==":
            return _learn_equality(learned, condition.lhs - condition.rhs)
        if condition.op == "!=":
            return _learn_nonzero(learned, condition.lhs - condition.rhs)
        slack = condition.rhs - condition.lhs
        return _learn_nonnegative(learned, slack if condition.op == "<=" else slack - 1)


def _learn_nonnegative(known: Group, dim: Dim) -> Group:
    if dim.const is not None or dim in known.nonnegative:
        return known
    part, constant = dim.split()
    symbol = part.as_symbol
    if symbol is not None and symbol.range[0] is not None:
        least = known.low(symbol.name)
        if least is None or least < -constant:
            return replace(known, lows={**known.lows, symbol.name: -constant})
        return known
    division = quotient(part)
    if division is not None:
        dividend, divisor = division.args
        known = _learn_nonnegative(known, dividend + divisor * constant)
    return replace(known, nonnegative=(*known.nonnegative, dim))


def _learn_nonzero(known: Group, dim: Dim) -> Group:
    if dim.const is not None:
        return known
    low, high = dim.range
    if low is not None and low >= 0:
        known = _learn_nonnegative(known, dim - 1)
    elif high is not None and high <= 0:
        known = _learn_nonnegative(known, -dim - 1)
    for monomial in dim.terms if len(dim.terms) == 1 else ():
        for atom in monomial:
            if isinstance(atom, Symbol) and known.low(atom.name) == 0:
                known = replace(known, lows={**known.lows, atom.name: 1})
    return replace(known, nonzero=known.nonzero | {dim, -dim})


def _learn_equality(known: Group, difference: Dim) -> Group:
    """difference == 0: solved for the symbol that is worth least to a reader, where there is one."""
    divided = remainder_of(difference)
    if divided is not None:
        return _learn_divisible(known, *divided)
    solved = _solve(known, difference)
    if solved is None:
        part, constant = difference.split()
        for monomial in part.terms if constant and len(part.terms) == 1 else ():
            for atom in monomial:
                known = _learn_nonzero(known, Dim({(atom,): 1}))
        return _learn_nonnegative(_learn_nonnegative(known, difference), -difference)
    symbol, value = solved
    name = symbol.name
    rewrites = {other: dim.replace({name: value}) for other, dim in known.rewrites.items()}
    rewrites[name] = value
    learned = replace(
        known,
        rewrites=rewrites,
        lows={other: low for other, low in known.lows.items() if other != name},
        multiples={other: by for other, by in known.multiples.items() if other != name},
        nonnegative=(),
        exact=frozenset(),
    )
    learned = replace(
        learned,
        nonzero=frozenset(learned.rewrite(dim) for dim in known.nonzero),
        conditions=tuple(
            dict.fromkeys(
                learned.rewrite_condition(each) if name in each.symbols() else each for each in known.conditions
            )
        ),
    )
    least = known.low(name)
    if least is not None:
        learned = _learn_nonnegative(learned, value - least)
    if name in known.multiples:
        learned = _learn_divisible(learned, value, Dim.of(known.multiples[name]))
    for dim in known.nonnegative:
        learned = _learn_nonnegative(learned, learned.rewrite(dim))
    for atom in known.exact:
        learned = _learn_divisible(learned, learned.rewrite(atom.args[0]), atom.args[1])
    return learned


def _learn_divisible(known: Group, dividend: Dim, divisor: Dim) -> Group:
    division = quotient(floordiv(dividend, divisor))
    # (n//8)//4 is written n//32, which need not be exact where that of n//8 by 4 is
    if division is not None and division.args == (dividend, divisor):
        known = replace(known, exact=known.exact | {division})
    symbol, by = dividend.as_symbol, divisor.const
    if symbol is not None and by is not None and by > 0:
        multiples = {**known.multiples, symbol.name: lcm(by, known.multiples.get(symbol.name, 1))}
        known = replace(known, multiples=multiples)
    return known


def _solve(known: Group, difference: Dim) -> tuple[Symbol, Dim] | None:
    """A symbol that occurs once, on its own with factor 1 or -1, and what it equals."""
    best: tuple[tuple[int, int, str], Symbol, Dim] | None = None
    for monomial, coefficient in difference.terms.items():
        if len(monomial) != 1 or abs(coefficient) != 1:
            continue
        atom = monomial[0]
        if not isinstance(atom, Symbol):
            continue
        rest = difference - coefficient * Dim({monomial: 1})
        if atom.name in rest.symbols():
            continue
        worth = (_ORIGINS[atom.origin], known.order.get(atom.name, -1), atom.name)
        if best is None or worth > best[0]:
            best = worth, atom, -rest if coefficient == 1 else rest
    return None if best is None else best[1:]


def undo_exact(dim: Dim, exact: Collection[Op]) -> Dim:
    """b*(a//b) as a, for divisions known to be exact."""
    for monomial, coefficient in dim.terms.items():
        for atom in monomial:
            if isinstance(atom, Op) and atom.op == "floordiv" and atom in exact:
                dividend, divisor = atom.args
                by = divisor.const
                if by and coefficient % by == 0:
                    left = list(monomial)
                    left.remove(atom)
                    term = Dim({tuple(left): coefficient // by}) * dividend
                    return undo_exact(dim - Dim({monomial: coefficient}) + term, exact)
    return dim
