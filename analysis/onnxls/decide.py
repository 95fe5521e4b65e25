"""The one door to all reasoning about sizes: does a condition hold, fail, or depend?

`holds` and `fails` are proofs. `may-fail` carries two examples that were checked. A search alone never gives `holds`
or `fails`; what is neither proved nor shown is `unknown`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from onnxls import bounds, residues, witness
from onnxls.assumptions import Assumptions
from onnxls.dims import Atom, Dim, Op, Symbol, apply
from onnxls.relations import AllOf, AnyOf, Condition, Relation, all_of, remainder_of

MAX_CASES = 6
"""Learned disjunctions that one question looks at."""

Kind = Literal["holds", "fails", "may-fail", "unknown"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a condition over all admissible sizes; examples are over the symbols that matter to it."""

    kind: Kind
    passing: Mapping[str, int] | None = None
    failing: Mapping[str, int] | None = None


HOLDS, FAILS, UNKNOWN = Verdict("holds"), Verdict("fails"), Verdict("unknown")


def check(condition: Condition, known: Assumptions) -> Verdict:
    """The verdict on a condition over the sizes that the assumptions admit."""
    condition = known.rewrite_condition(condition)
    if follows(condition, known):
        return HOLDS
    if refuted(condition, known):
        return FAILS
    if any(name not in known.order for name in condition.symbols()):
        return UNKNOWN
    passing = example((condition,), known)
    if passing is None:
        return UNKNOWN
    failing = example((condition.negation(),), known)
    return UNKNOWN if failing is None else Verdict("may-fail", passing, failing)


def follows(condition: Condition, known: Assumptions) -> bool:
    """Whether the condition is proved. It is rewritten here; a condition learned before follows."""
    return _follows(known.rewrite_condition(condition), known, 0)


def refuted(condition: Condition, known: Assumptions) -> bool:
    """Whether the condition is proved to be false at all admissible sizes."""
    return _follows(known.rewrite_condition(condition).negation(), known, 0)


def example(conditions: Sequence[Condition], known: Assumptions, also: Sequence[str] = ()) -> dict[str, int] | None:
    """Sizes of the input symbols that meet the conditions and the assumptions, or None where none were found.

    The example is over the symbols that the conditions touch, directly or through assumptions, and those of `also`.
    """
    wanted = [known.rewrite_condition(condition) for condition in conditions]
    admitted = [each for each in _admissibility(known) if all(name in known.order for name in each.symbols())]
    names = {known_name for each in wanted for known_name in each.symbols()}
    for name in also:
        names |= known.rewrites[name].symbols() if name in known.rewrites else {name}
    names = {name for name in names if name in known.order}
    used: list[Condition] = [each for each in admitted if not each.symbols()]
    while True:
        step = [each for each in admitted if each not in used and not names.isdisjoint(each.symbols())]
        if not step:
            break
        used += step
        names = names.union(*(each.symbols() for each in step))
    lows = {name: known.low(name) or 0 for name in names}
    found = witness.find([*wanted, *used], lows, known.order)
    if found is None:
        return None
    for name in known.order:
        value = known.rewrites.get(name)
        if value is not None and value.symbols() <= found.keys():
            found[name] = value.evaluate(found)
    return {name: found[name] for name in known.order if name in found}


def _admissibility(known: Assumptions) -> list[Condition]:
    """All assumptions as conditions over the symbols that are left."""
    conditions: list[Condition] = list(known.conditions)
    conditions += [Relation(Dim.of(0), "<=", dim) for dim in known.nonnegative]
    for name, value in known.rewrites.items():
        conditions.append(Relation(Dim.of(known.floor if name in known.order else 0), "<=", value))
    return conditions


def _follows(condition: Condition, known: Assumptions, depth: int) -> bool:
    if isinstance(condition, Relation):
        return _relation_follows(condition, known)
    if condition in known.conditions:
        return True
    if isinstance(condition, AllOf):
        return all(_follows(part, known, depth) for part in condition.parts)
    if any(_follows(part, known, depth) for part in condition.parts):
        return True
    if _weaker_than_known(condition, known):
        return True
    return depth < 1 and _follows_by_cases(condition, known, depth)


def _weaker_than_known(condition: AnyOf, known: Assumptions) -> bool:
    """Whether a disjunction that was learned has only parts that each imply this one."""
    tried = 0
    for each in known.conditions:
        if not isinstance(each, AnyOf) or condition.symbols().isdisjoint(each.symbols()):
            continue
        tried += 1
        if tried > MAX_CASES:
            return False
        if all(part in condition.parts or refuted(part, known) for part in each.parts):
            return True
    return False


def _follows_by_cases(condition: AnyOf, known: Assumptions, depth: int) -> bool:
    """A disjunction holds if one part does wherever the others are false; or if it does in each learned case."""
    for part in condition.parts[:3]:
        others = all_of(*(other.negation() for other in condition.parts if other is not part))
        if _follows(part, known.learn(others), depth + 1):
            return True
    names = condition.symbols()
    tried = 0
    for each in known.conditions:
        if isinstance(each, AnyOf) and each.symbols() <= names and len(each.parts) <= 3:
            tried += 1
            if tried > MAX_CASES:
                return False
            cases = [known.learn(part) for part in each.parts]
            if all(_follows(case.rewrite_condition(condition), case, depth + 1) for case in cases):
                return True
    return False


def _relation_follows(relation: Relation, known: Assumptions) -> bool:
    difference = relation.lhs - relation.rhs
    if difference.const is not None:
        value = difference.const
        if relation.op == "==":
            return value == 0
        if relation.op == "!=":
            return value != 0
        return value <= 0 if relation.op == "<=" else value < 0
    if relation in known.conditions:
        return True
    if relation.op == "==":
        return _is_zero(difference, known)
    if relation.op == "!=":
        return _is_nonzero(difference, known)
    return bounds.is_nonnegative(-difference if relation.op == "<=" else -difference - 1, known)


def _is_zero(difference: Dim, known: Assumptions) -> bool:
    remainder = remainder_of(difference)
    if remainder is not None and _divides(*remainder, known):
        return True
    plain = without_mod(difference)
    if plain.const == 0 or residues.is_identically_zero(plain):
        return True
    return bounds.is_zero(difference, known)


def _divides(dividend: Dim, divisor: Dim, known: Assumptions) -> bool:
    if divisor.const is None:
        return dividend.exact_div(divisor) is not None and _is_nonzero(divisor, known)
    if divisor.const <= 0:
        return False
    if any(atom.args == (dividend, divisor) for atom in known.exact):
        return True
    return residues.is_multiple(dividend, divisor.const, known) is True


def _is_nonzero(difference: Dim, known: Assumptions) -> bool:
    if difference in known.nonzero or residues.never_zero(difference, known):
        return True
    if len(difference.terms) == 1:
        (monomial, _), *_ = difference.terms.items()
        if monomial and all(_atom_nonzero(atom, known) for atom in monomial):
            return True
    dividend, divisor = remainder_of(difference) or (difference, None)
    by = divisor.const if divisor is not None else None
    if by is not None and by > 0 and residues.is_multiple(dividend, by, known) is False:
        return True
    return bounds.is_nonnegative(difference - 1, known) or bounds.is_nonnegative(-difference - 1, known)


def _atom_nonzero(atom: Atom, known: Assumptions) -> bool:
    if isinstance(atom, Symbol):
        least = known.low(atom.name)
        return (least is not None and least > 0) or Dim({(atom,): 1}) in known.nonzero
    return Dim({(atom,): 1}) in known.nonzero or bounds.is_nonnegative(Dim({(atom,): 1}) - 1, known)


def without_mod(dim: Dim) -> Dim:
    """The Dim with each a % b, b a positive integer, as a - b*(a//b)."""

    def change(atom: Atom) -> Dim:
        if not isinstance(atom, Op):
            return Dim({(atom,): 1})
        args = [arg.map_atoms(change) for arg in atom.args]
        if atom.op == "mod" and (args[1].const or 0) > 0:
            return args[0] - args[1] * (args[0] // args[1])
        return apply(atom.op, *args)

    return dim.map_atoms(change)
