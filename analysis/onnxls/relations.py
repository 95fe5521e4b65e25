"""Conditions on sizes, and the guards that carry them: data that can be evaluated, printed and pickled, no reasoning.

A condition is a relation between two Dims, or a disjunction or conjunction of conditions. Where a side has no value
(a division by zero) a relation is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Literal

from onnxls.dims import Dim, Op, apply
from onnxls.spans import Location

Comparison = Literal["==", "!=", "<=", "<"]

_NEGATED: dict[Comparison, Comparison] = {"==": "!=", "!=": "==", "<=": "<", "<": "<="}


class Relation:
    """`lhs op rhs`. Immutable."""

    __slots__ = ("_hash", "_symbols", "lhs", "op", "rhs")

    def __init__(self, lhs: Dim, op: Comparison, rhs: Dim) -> None:
        self.lhs = lhs
        self.op: Comparison = op
        self.rhs = rhs
        self._hash = hash((lhs, op, rhs))
        self._symbols: frozenset[str] | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Relation)
            and self._hash == other._hash
            and self.op == other.op
            and self.lhs == other.lhs
            and self.rhs == other.rhs
        )

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return self.written(str)

    def written(self, side: Callable[[Dim], str]) -> str:
        """The condition as text, with its sides as `side` writes them."""
        return f"{side(self.lhs)} {self.op} {side(self.rhs)}"

    def __repr__(self) -> str:
        return f"Relation({self.lhs!r}, {self.op!r}, {self.rhs!r})"

    def __reduce__(self) -> tuple[type[Relation], tuple[Dim, Comparison, Dim]]:
        return Relation, (self.lhs, self.op, self.rhs)

    def holds_at(self, sizes: Mapping[str, int]) -> bool:
        """Whether it is true at sizes by raw names, and both sides have a value. KeyError where one is missing."""
        try:
            lhs, rhs = self.lhs.evaluate(sizes), self.rhs.evaluate(sizes)
        except ZeroDivisionError:
            return False
        if self.op == "==":
            return lhs == rhs
        if self.op == "!=":
            return lhs != rhs
        return lhs <= rhs if self.op == "<=" else lhs < rhs

    def symbols(self) -> frozenset[str]:
        """The raw names of all symbols in it."""
        if self._symbols is None:
            self._symbols = self.lhs.symbols() | self.rhs.symbols()
        return self._symbols

    def map_dims(self, change: Callable[[Dim], Dim]) -> Relation:
        """The same of changed sides."""
        lhs, rhs = change(self.lhs), change(self.rhs)
        return self if lhs is self.lhs and rhs is self.rhs else Relation(lhs, self.op, rhs)

    def negation(self) -> Relation:
        """What is true where this is false (and both sides have a value)."""
        op = _NEGATED[self.op]
        return Relation(self.rhs, op, self.lhs) if self.op in ("<=", "<") else Relation(self.lhs, op, self.rhs)


class _Junction:
    """Conditions joined by one word. Immutable; equal to one of the same kind with equal parts."""

    __slots__ = ("_hash", "_symbols", "parts")

    def __init__(self, parts: tuple[Condition, ...]) -> None:
        self.parts = parts
        self._hash = hash((type(self), parts))
        self._symbols: frozenset[str] | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, _Junction)
            and type(self) is type(other)
            and self._hash == other._hash
            and self.parts == other.parts
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.parts!r})"

    def __reduce__(self) -> tuple[type[_Junction], tuple[tuple[Condition, ...]]]:
        return type(self), (self.parts,)

    def symbols(self) -> frozenset[str]:
        if self._symbols is None:
            self._symbols = frozenset(name for part in self.parts for name in part.symbols())
        return self._symbols


class AnyOf(_Junction):
    """True where one of the parts is."""

    __slots__ = ()

    def __str__(self) -> str:
        return self.written(str)

    def written(self, side: Callable[[Dim], str]) -> str:
        """The condition as text, with its sides as `side` writes them."""
        texts = (part.written(side) for part in self.parts)
        return " or ".join(
            f"({text})" if isinstance(part, AllOf) else text for text, part in zip(texts, self.parts, strict=True)
        )

    def holds_at(self, sizes: Mapping[str, int]) -> bool:
        """Whether it is true at sizes by raw names; KeyError where one is missing that is looked at."""
        return any(part.holds_at(sizes) for part in self.parts)

    def map_dims(self, change: Callable[[Dim], Dim]) -> Condition:
        """The same of changed sides."""
        return self.map_relations(lambda part: part.map_dims(change))

    def map_relations(self, change: Callable[[Condition], Condition]) -> Condition:
        """The same of changed parts."""
        parts = [change(part) for part in self.parts]
        return self if all(a is b for a, b in zip(parts, self.parts, strict=True)) else any_of(*parts)

    def negation(self) -> Condition:
        """What is true where this is false (and all sides have a value)."""
        return all_of(*(part.negation() for part in self.parts))


class AllOf(_Junction):
    """True where all of the parts are; without parts, always."""

    __slots__ = ()

    def __str__(self) -> str:
        return self.written(str)

    def written(self, side: Callable[[Dim], str]) -> str:
        """The condition as text, with its sides as `side` writes them."""
        if not self.parts:
            return "0 == 0"
        texts = (part.written(side) for part in self.parts)
        return " and ".join(
            f"({text})" if isinstance(part, AnyOf) else text for text, part in zip(texts, self.parts, strict=True)
        )

    def holds_at(self, sizes: Mapping[str, int]) -> bool:
        """Whether it is true at sizes by raw names; KeyError where one is missing that is looked at."""
        return all(part.holds_at(sizes) for part in self.parts)

    def map_dims(self, change: Callable[[Dim], Dim]) -> Condition:
        """The same of changed sides."""
        return self.map_relations(lambda part: part.map_dims(change))

    def map_relations(self, change: Callable[[Condition], Condition]) -> Condition:
        """The same of changed parts."""
        parts = [change(part) for part in self.parts]
        return self if all(a is b for a, b in zip(parts, self.parts, strict=True)) else all_of(*parts)

    def negation(self) -> Condition:
        """What is true where this is false (and all sides have a value)."""
        return any_of(*(part.negation() for part in self.parts))


Condition = Relation | AnyOf | AllOf


def equal(lhs: Dim, rhs: Dim | int) -> Relation:
    """lhs == rhs"""
    return Relation(lhs, "==", Dim.of(rhs))


def unequal(lhs: Dim, rhs: Dim | int) -> Relation:
    """lhs != rhs"""
    return Relation(lhs, "!=", Dim.of(rhs))


def at_most(lhs: Dim | int, rhs: Dim | int) -> Relation:
    """lhs <= rhs"""
    return Relation(Dim.of(lhs), "<=", Dim.of(rhs))


def less(lhs: Dim | int, rhs: Dim | int) -> Relation:
    """lhs < rhs"""
    return Relation(Dim.of(lhs), "<", Dim.of(rhs))


def divides(divisor: Dim, dividend: Dim) -> Relation:
    """dividend % divisor == 0"""
    return Relation(dividend % divisor, "==", Dim.of(0))


def agree(lhs: Dim, rhs: Dim) -> Condition:
    """lhs and rhs broadcast: they are equal, or one of them is 1."""
    return any_of(equal(lhs, rhs), equal(lhs, 1), equal(rhs, 1))


NEVER: Condition = Relation(Dim.of(0), "==", Dim.of(1))
"""The condition of what no sizes satisfy."""


def unless(path: Condition, condition: Condition) -> Condition:
    """What must hold of all sizes, where a way needs the condition that only some of them go."""
    return path.negation() if condition == NEVER else any_of(path.negation(), condition)


def any_of(*parts: Condition) -> Condition:
    """The disjunction, flat, without repetitions and comparisons of numbers and of sizes with themselves."""
    flat: dict[Condition, None] = {}
    false: Condition | None = None
    for part in parts:
        for each in part.parts if isinstance(part, AnyOf) else (part,):
            settled = _settled(each)
            if settled:
                return each
            if settled is None:
                flat[each] = None
            else:
                false = false or each
    if not flat and false is not None:
        return false
    return next(iter(flat)) if len(flat) == 1 else AnyOf(tuple(flat))


def all_of(*parts: Condition) -> Condition:
    """The conjunction, flat, without repetitions and comparisons of numbers and of sizes with themselves."""
    flat: dict[Condition, None] = {}
    for part in parts:
        for each in part.parts if isinstance(part, AllOf) else (part,):
            settled = _settled(each)
            if settled is False:
                return each
            if settled is None:
                flat[each] = None
    return next(iter(flat)) if len(flat) == 1 else AllOf(tuple(flat))


def _settled(condition: Condition) -> bool | None:
    """The truth of a comparison of two numbers, or of a size with itself; None for every other condition."""
    if not isinstance(condition, Relation):
        return None
    if condition.lhs == condition.rhs:
        return condition.op in ("==", "<=")
    return condition.holds_at({}) if condition.lhs.const is not None and condition.rhs.const is not None else None


def _is_never(condition: Condition) -> bool:
    """Whether it equates two sides whose difference is a number other than 0."""
    if not isinstance(condition, Relation) or condition.op != "==":
        return False
    return (condition.lhs - condition.rhs).const not in (None, 0)


def relations(condition: Condition) -> Iterable[Relation]:
    """All relations in a condition."""
    if isinstance(condition, Relation):
        yield condition
    else:
        for part in condition.parts:
            yield from relations(part)


def dims(condition: Condition) -> Iterable[Dim]:
    """Both sides of all relations in a condition."""
    for relation in relations(condition):
        yield relation.lhs
        yield relation.rhs


def has_anonymous(condition: Condition) -> bool:
    """Whether a condition is about an axis that the author gave no name."""
    return any(symbol.origin == "anonymous" for dim in dims(condition) for symbol in dim.atoms())


def remainder_of(difference: Dim) -> tuple[Dim, Dim] | None:
    """a and b where `difference == 0` says no more than `a % b == 0`."""
    if len(difference.terms) == 1:
        (monomial, _), *_ = difference.terms.items()
        if len(monomial) == 1 and isinstance(monomial[0], Op) and monomial[0].op == "mod":
            return monomial[0].args[0], monomial[0].args[1]
    for monomial, coefficient in difference.terms.items():
        if len(monomial) != 1 or not isinstance(monomial[0], Op) or monomial[0].op != "floordiv":
            continue
        dividend, divisor = monomial[0].args
        rest = difference - coefficient * Dim({monomial: 1})
        if divisor.const is not None and rest * divisor == -coefficient * dividend:
            return dividend, divisor
        # k*((c + t)//k) == c says c % k == 0 for 0 <= t < k; c itself may be a quotient, whose divisor is then in k.
        whole, factor = (rest, -coefficient) if coefficient < 0 else (-rest, coefficient)
        inner = quotient(whole)
        by = 1 if inner is None else inner.args[1].const or 1
        offset = (dividend - (whole if inner is None else inner.args[0])).const
        if divisor.const == factor * by and offset is not None and offset % by == 0 and 0 <= offset < factor * by:
            return whole, Dim.of(factor)
    return None


def quotient(dim: Dim) -> Op | None:
    """A floor division by a positive integer that is all of a Dim."""
    if len(dim.terms) != 1:
        return None
    (monomial, coefficient), *_ = dim.terms.items()
    atom = monomial[0] if len(monomial) == 1 and coefficient == 1 else None
    return atom if isinstance(atom, Op) and atom.op == "floordiv" and (atom.args[1].const or 0) > 0 else None


def tidy(condition: Condition) -> Condition:
    """The same condition as a person would write it: constants on the right, remainders as such, no common factor, no
    alternative that is never so.

    Sizes that are broadcast are taken to agree: where they do not, there is no run that the condition could be about.
    """
    if isinstance(condition, AnyOf):
        parts = [tidy(part) for part in condition.parts]
        return any_of(*([part for part in parts if not _is_never(part)] or parts))
    if not isinstance(condition, Relation):
        return condition.map_relations(tidy)
    lhs, op, rhs = condition.lhs, condition.op, condition.rhs
    if lhs.const is not None and rhs.const is not None:
        return condition
    if op not in ("==", "!="):
        return _tidy_bound(condition)
    if op == "!=" and rhs.const == 0 and lhs.range[0] == 0:
        least = _tidy_bound(at_most(1, lhs))
        return least if least.rhs != lhs else condition
    spread = _spread(lhs, rhs) or _spread(rhs, lhs)
    if spread is not None and op == "==":
        return spread
    extreme = _extreme(lhs, rhs) or _extreme(rhs, lhs)
    if extreme is not None:
        return _tidy_bound(extreme if op == "==" else extreme.negation())
    divided = remainder_of(lhs - rhs)
    if divided is not None:
        dividend, divisor = divided
        factor = gcd(*dividend.terms.values())
        if divisor.const is not None and gcd(factor, divisor.const) == 1:
            dividend = Dim({monomial: coefficient // factor for monomial, coefficient in dividend.terms.items()})
        if all(coefficient < 0 for coefficient in dividend.terms.values()):
            dividend = -dividend
        return Relation(dividend % divisor, op, Dim.of(0))
    if lhs.const is not None:
        lhs, rhs = rhs, lhs
    shift = _shared_constant(lhs, rhs)
    lhs, rhs = lhs - shift, rhs - shift
    if all(coefficient < 0 for side in (lhs, rhs) for coefficient in side.terms.values()):
        lhs, rhs = -lhs, -rhs
    common = gcd(*lhs.terms.values(), *rhs.terms.values())
    if common > 1:
        lhs, rhs = (Dim({m: c // common for m, c in side.terms.items()}) for side in (lhs, rhs))
    return Relation(lhs, op, rhs)


def _shared_constant(lhs: Dim, rhs: Dim) -> int:
    """What to take off both sides of an equality: all of a constant on the left, where the right has no more."""
    left, right = lhs.split()[1], rhs.split()[1]
    if rhs.const is not None or left == right:
        return left
    return min(left, right) if min(left, right) > 0 else max(left, right) if max(left, right) < 0 else 0


def _operation(dim: Dim) -> Op | None:
    """The operation that is all of a Dim."""
    atom = next((atom for monomial in dim.terms for atom in monomial), None)
    return atom if isinstance(atom, Op) and dim == Dim({(atom,): 1}) else None


def _spread(side: Dim, spread: Dim) -> Condition | None:
    """What `side == broadcast(side, others)` says of each of the others."""
    atom = _operation(spread)
    if atom is None or atom.op != "broadcast" or side not in atom.args:
        return None
    return all_of(*(any_of(tidy(equal(side, arg)), equal(arg, 1)) for arg in atom.args if arg != side))


def _extreme(side: Dim, extreme: Dim) -> Relation | None:
    """The bound that `side == max(side, others)` is, or the same with `min`."""
    atom = _operation(extreme)
    if atom is None or atom.op not in ("max", "min") or side not in atom.args:
        return None
    others = apply(atom.op, *(arg for arg in atom.args if arg != side))
    return at_most(others, side) if atom.op == "max" else at_most(side, others)


def _tidy_bound(bound: Relation) -> Relation:
    """The same bound with one constant, and without division where a Dim is all but one constant."""
    part, constant = (bound.rhs - bound.lhs).split()
    plain = any(
        one.as_symbol is not None and other.const is not None
        for one, other in ((bound.lhs, bound.rhs), (bound.rhs, bound.lhs))
    )
    if part.const is not None or (bound.op == "<" and plain):
        return bound
    least = -constant if bound.op == "<=" else 1 - constant
    part, least = _undivided(part, least)
    if all(coefficient > 0 for coefficient in part.terms.values()):
        return Relation(Dim.of(least), "<=", part)
    if any(coefficient > 0 for coefficient in part.terms.values()):
        if bound.op == "<":
            return bound
        taken = Dim({monomial: -coefficient for monomial, coefficient in part.terms.items() if coefficient < 0})
        return Relation(taken + max(least, 0), "<=", part + taken + max(-least, 0))
    division = quotient(-part)
    most = -least
    if division is not None:
        by = division.args[1].const or 1
        part, constant = (-division.args[0]).split()
        most = (most + 1) * by - 1 + constant
    if bound.op == "<" and division is None:
        return Relation(-part, "<", Dim.of(most + 1))
    return Relation(-part, "<=", Dim.of(most))


def _undivided(part: Dim, least: int) -> tuple[Dim, int]:
    """Another Dim without a constant, and a number, that `least <= part` is the same as."""
    while True:
        part, least = _without_remainder(part, least)
        common = gcd(*part.terms.values())
        if common > 1:
            part, least = Dim({monomial: c // common for monomial, c in part.terms.items()}), -(-least // common)
        atom = next(iter(part.terms))[0] if len(part.terms) == 1 else None
        if not isinstance(atom, Op) or part != Dim({(atom,): 1}):
            return part, least
        inner = atom.args[0]
        if atom.op == "floordiv" and (atom.args[1].const or 0) > 0:
            least *= atom.args[1].const or 1
        elif atom.op == "max" and any(arg.const is not None and arg.const < least for arg in atom.args):
            others = [arg for arg in atom.args if arg.const is None]
            if len(others) > 1:
                return part, least
            inner = others[0]
        else:
            return part, least
        part, constant = inner.split()
        least -= constant


def _without_remainder(part: Dim, least: int) -> tuple[Dim, int]:
    """As `_undivided`, for x - (x + c) % b, which is b*((x + c)//b) - c."""
    for monomial, coefficient in part.terms.items():
        atom = monomial[0] if len(monomial) == 1 and coefficient == -1 else None
        by = atom.args[1].const if isinstance(atom, Op) and atom.op == "mod" else None
        if isinstance(atom, Op) and by is not None and by > 0:
            dividend, constant = atom.args[0].split()
            if part + Dim({monomial: 1}) == dividend:
                return dividend, -((least + constant) // -by) * by - constant
    return part, least


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on the sizes of the inputs, and the node that needs it.

    `assert`: where it is false the operator refuses to run. `expect`: where it is false the facts that were derived
    do not apply and must be derived again.
    """

    kind: Literal["assert", "expect"]
    condition: Condition
    node: str | None = None
    reason: str = ""
    location: Location | None = None

    def __str__(self) -> str:
        return str(self.condition)

    def at(self, sizes: Mapping[str, int]) -> str:
        """The condition with the values of its sides at these sizes; `?` for one without a value."""
        return self.condition.written(lambda dim: _value(dim, sizes))

    def symbols(self) -> frozenset[str]:
        """The raw names that `evaluate` needs."""
        return self.condition.symbols()

    def evaluate(self, sizes: Mapping[str, int]) -> bool:
        """Whether it holds at these sizes, by raw names. KeyError where one is missing."""
        for name in sorted(self.condition.symbols()):
            if name not in sizes:
                raise KeyError(name)
        return self.condition.holds_at(sizes)


def _value(dim: Dim, sizes: Mapping[str, int]) -> str:
    try:
        return str(dim.evaluate(sizes))
    except (KeyError, ZeroDivisionError):
        return "?"


@dataclass(frozen=True, slots=True)
class Decision:
    """What a set of guards says of one set of sizes, and the guards that fail there."""

    outcome: Literal["run", "recompile", "error"]
    failed: tuple[Guard, ...] = ()


def decide(guards: Sequence[Guard], sizes: Mapping[str, int]) -> Decision:
    """The first guard that fails decides: what comes after an `expect` guard that fails rests on what is not so."""
    failed = tuple(guard for guard in guards if not guard.evaluate(sizes))
    if not failed:
        return Decision("run")
    return Decision("error" if failed[0].kind == "assert" else "recompile", failed)
