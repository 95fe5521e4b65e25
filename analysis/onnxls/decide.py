"""The one door to all reasoning about sizes: does a condition hold, fail, or depend?

`holds` and `fails` are proofs. `may-fail` carries two examples that were checked. A search alone never gives `holds`
or `fails`; what is neither proved nor shown is `unknown`. Where a second opinion is wished for, it is asked last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from onnxls import bounds, equalities, periods, residues, samples, witness
from onnxls.assumptions import Assumptions
from onnxls.dims import Atom, Dim, Op, Symbol, apply, broadcast_arms, never_zero
from onnxls.groups import Group, Prover
from onnxls.relations import AllOf, AnyOf, Condition, Relation, agree, all_of, dims, equal, remainder_of

MAX_CASES = 6
"""Learned disjunctions that one question looks at."""

MAX_SPLIT, MAX_REWRITTEN = 80, 600
"""Conditions of more terms and atoms are not split into cases, nor is more that is known rewritten for one."""

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
    names = condition.symbols()
    condition = known.rewrite_condition(condition)
    group = known.about(names | condition.symbols())
    verdict: Verdict | None = group.cache.get((check, condition))
    if verdict is None:
        verdict = _check(condition, group)
        group.remember((check, condition), verdict)
    return verdict


def _check(condition: Condition, known: Group) -> Verdict:
    settled = _settled(condition, known.near(condition.symbols()))
    if settled is not None:
        return HOLDS if settled else FAILS
    verdict = _depends(condition, known, None)
    if verdict is None and known.tree.prover is not None:
        settled = _second_opinion(known.tree.prover, condition, known.near(condition.symbols()))
        if settled is not None:
            return HOLDS if settled else FAILS
        verdict = _depends(condition, known, known.tree.prover)
    return verdict or UNKNOWN


def _depends(condition: Condition, known: Group, prover: Prover | None) -> Verdict | None:
    """The verdict on a condition that holds at some sizes and not at others, where such are found."""
    if any(name not in known.order for name in condition.symbols()):
        return None
    passing = _example((condition,), known, prover=prover)
    if passing is None:
        return None
    failing = _example((condition.negation(),), known, prover=prover)
    return None if failing is None else Verdict("may-fail", passing, failing)


def truth(condition: Condition, known: Assumptions) -> bool | None:
    """True: the condition is proved; False: it is proved to be false at all admissible sizes; None: neither."""
    condition = known.rewrite_condition(condition)
    return _truth(condition, _near(condition, known))


def _truth(condition: Condition, known: Group) -> bool | None:
    key = (truth, condition)
    if key in known.cache:
        return known.cache[key]
    truths = samples.of(known).truths(condition)
    settled: bool | None = None
    if False not in truths and _follows(condition, known, 0):
        settled = True
    elif True not in truths and _follows(condition.negation(), known, 0):
        settled = False
    known.remember(key, settled)
    return settled


def proved(condition: Condition, known: Assumptions) -> bool | None:
    """As `truth`, with all the means there are."""
    condition = known.rewrite_condition(condition)
    near = _near(condition, known)
    settled = _settled(condition, near)
    prover = known.tree.prover
    return _second_opinion(prover, condition, near) if settled is None and prover is not None else settled


def _settled(condition: Condition, known: Group) -> bool | None:
    truths = samples.of(known).truths(condition)
    if len(truths) > 1:
        return None
    # one period is looked through in a hundredth of the time that a proof takes to find no way
    if False not in truths and periods.follows(condition, known):
        return True
    if True not in truths and periods.follows(condition.negation(), known):
        return False
    return _truth(condition, known)


def _second_opinion(prover: Prover, condition: Condition, known: Group) -> bool | None:
    key = (prover, condition)
    if key not in known.cache:
        if len(samples.of(known).truths(condition)) > 1:
            return None
        known.remember(key, prover.settled(condition, known))
    settled: bool | None = known.cache[key]
    return settled


def follows(condition: Condition, known: Assumptions) -> bool:
    """Whether the condition is proved. It is rewritten here; a condition learned before follows."""
    condition = known.rewrite_condition(condition)
    group = _near(condition, known)
    proved: bool | None = group.cache.get((follows, condition))
    if proved is None:
        proved = False not in samples.of(group).truths(condition) and _follows(condition, group, 0)
        group.remember((follows, condition), proved)
    return proved


def refuted(condition: Condition, known: Assumptions) -> bool:
    """Whether the condition is proved to be false at all admissible sizes."""
    condition = known.rewrite_condition(condition)
    return _refuted(condition, _near(condition, known), 0)


def _near(condition: Condition, known: Assumptions) -> Group:
    """What is known that bears on a condition."""
    return known.about(condition.symbols()).near(condition.symbols())


def _refuted(condition: Condition, known: Group, depth: int) -> bool:
    return True not in samples.of(known).truths(condition) and _follows(condition.negation(), known, depth)


def example(conditions: Sequence[Condition], known: Assumptions, also: Sequence[str] = ()) -> dict[str, int] | None:
    """Sizes of the input symbols that meet the conditions and the assumptions, or None where none were found.

    The example is over the symbols that the conditions touch, directly or through assumptions, and those of `also`.
    """
    wanted = tuple(known.rewrite_condition(condition) for condition in conditions)
    group = known.about({*also, *(name for each in (*conditions, *wanted) for name in each.symbols())})
    key = (example, wanted, tuple(also))
    if key not in group.cache:
        group.remember(key, _example(wanted, group, also, group.tree.prover))
    found: dict[str, int] | None = group.cache[key]
    return None if found is None else dict(found)


def _example(
    wanted: Sequence[Condition], known: Group, also: Sequence[str] = (), prover: Prover | None = None
) -> dict[str, int] | None:
    names = {known_name for each in wanted for known_name in each.symbols()}
    for name in also:
        names |= known.rewrites[name].symbols() if name in known.rewrites else {name}
    tied = _tied({name for name in names if name in known.order}, known)
    if tied is None:
        return None
    names, used = tied
    lows = {name: known.low(name) or 0 for name in names}
    found = witness.find([*wanted, *used], lows, known.order)
    if found is None and prover is not None:
        found = prover.example([*wanted, *used], lows)
        if found is not None and not all(each.holds_at(found) for each in (*wanted, *used)):
            return None
    if found is None:
        return None
    for name in known.order:
        value = known.rewrites.get(name)
        if value is not None and value.symbols() <= found.keys():
            found[name] = value.evaluate(found)
    return {name: found[name] for name in known.order if name in found}


def _tied(names: set[str], known: Group) -> tuple[set[str], list[Condition]] | None:
    """The input symbols that conditions over inputs tie to these, and the conditions; None where they are too many."""
    used: list[Condition] = []
    left: list[Condition] = []
    for each in known.admitted():
        if each.symbols() <= known.order.keys():
            (left if each.symbols() else used).append(each)
    while True:
        near: list[Condition] = []
        far: list[Condition] = []
        for each in left:
            (far if names.isdisjoint(each.symbols()) else near).append(each)
        if not near:
            return names, used
        used += near
        left = far
        names = names.union(*(each.symbols() for each in near))
        if not witness.is_searched(len(names), len(used)):
            return None


def _follows(condition: Condition, known: Group, depth: int) -> bool:
    if isinstance(condition, Relation):
        return _relation_follows(condition, known) or (depth < 1 and _follows_in_each_case(condition, known, depth))
    if condition in known.conditions:
        return True
    if isinstance(condition, AllOf):
        return all(_follows(part, known, depth) for part in condition.parts)
    if any(_follows(part, known, depth) for part in condition.parts) or _agree(condition, known, depth):
        return True
    if depth < 2 and _weaker_than_known(condition, known, depth):
        return True
    return depth < 1 and _follows_by_cases(condition, known, depth)


def _agree(condition: AnyOf, known: Group, depth: int) -> bool:
    """Whether two sizes agree or one is 1, because all that they are broadcast from do so pairwise."""
    sides = _agreeing(condition)
    if sides is None or not all(equal(side, 1) in condition.parts or never_zero(side - 1) for side in sides):
        return False
    lefts, rights = (broadcast_arms(side) for side in sides)
    pairs = [(left, right) for left in lefts for right in rights if left != right]
    agreed = _agreed(known)
    return all(frozenset(pair) in agreed or (len(pairs) > 1 and _follows(agree(*pair), known, depth)) for pair in pairs)


def _agreed(known: Group) -> frozenset[frozenset[Dim]]:
    """The pairs of sizes that are known to agree unless one is 1."""
    pairs: frozenset[frozenset[Dim]] | None = known.cache.get(_agreed)
    if pairs is None:
        pairs = known.cache[_agreed] = frozenset(
            frozenset((left, right))
            for sides in map(_agreeing, known.conditions)
            if sides is not None
            for left in broadcast_arms(sides[0])
            for right in broadcast_arms(sides[1])
        )
    return pairs


def _agreeing(condition: Condition) -> tuple[Dim, Dim] | None:
    """The two sizes of which a condition says that they agree or that one, or this one, is 1."""
    first = condition.parts[0] if isinstance(condition, AnyOf) else None
    if not isinstance(condition, AnyOf) or not isinstance(first, Relation) or first.op != "==":
        return None
    others = {equal(first.lhs, 1), equal(first.rhs, 1)}
    return (first.lhs, first.rhs) if all(part in others for part in condition.parts[1:]) else None


def _weaker_than_known(condition: AnyOf, known: Group, depth: int) -> bool:
    """Whether a disjunction that was learned has only parts that each imply this one."""
    tried = 0
    for each in known.conditions:
        if not isinstance(each, AnyOf) or condition.symbols().isdisjoint(each.symbols()):
            continue
        tried += 1
        if tried > MAX_CASES:
            return False
        if all(
            part in condition.parts or _refuted(known.rewrite_condition(part), known, depth + 1) for part in each.parts
        ):
            return True
    return False


def _follows_by_cases(condition: AnyOf, known: Group, depth: int) -> bool:
    """A disjunction holds if one part does wherever the others are false; or if it does in each learned case."""
    if sum(dim.size for dim in dims(condition)) > MAX_SPLIT:
        return False
    for part in condition.parts[:3]:
        others = all_of(*(other.negation() for other in condition.parts if other is not part))
        case = samples.assume(others, known)
        if _follows(case.rewrite_condition(part), case, depth + 1):
            return True
    return _follows_in_each_case(condition, known, depth)


def _follows_in_each_case(condition: Condition, known: Group, depth: int) -> bool:
    """Whether a learned disjunction that bears on the sizes has only parts with each of which the condition follows."""
    if sum(dim.size for dim in dims(condition)) > MAX_SPLIT or _weight(known) > MAX_REWRITTEN:
        return False
    names = condition.symbols()
    tried = 0
    for each in known.conditions:
        if isinstance(each, AnyOf) and not names.isdisjoint(each.symbols()) and len(each.parts) <= 3:
            tried += 1
            if tried > MAX_CASES:
                return False
            cases = (samples.assume(part, known) for part in each.parts)
            if all(_follows(case.rewrite_condition(condition), case, depth + 1) for case in cases):
                return True
    return False


def _weight(known: Group) -> int:
    """Terms and atoms of all that was learned."""
    if _weight not in known.cache:
        known.cache[_weight] = sum(dim.size for each in known.conditions for dim in dims(each))
    weight: int = known.cache[_weight]
    return weight


def _relation_follows(relation: Relation, known: Group) -> bool:
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


def _is_zero(difference: Dim, known: Group) -> bool:
    remainder = remainder_of(difference)
    if remainder is not None and _divides(*remainder, known):
        return True
    plain = without_mod(difference) if _has_mod(difference) else difference
    if plain.const == 0 or residues.is_identically_zero(plain) or equalities.replaced(difference, known).const == 0:
        return True
    return bounds.is_zero(difference, known)


def _divides(dividend: Dim, divisor: Dim, known: Group) -> bool:
    if divisor.const is None:
        return dividend.exact_div(divisor) is not None and _is_nonzero(divisor, known)
    if divisor.const <= 0:
        return False
    if any(atom.args == (dividend, divisor) for atom in known.exact):
        return True
    return residues.is_multiple(dividend, divisor.const, known) is True


def _is_nonzero(difference: Dim, known: Group) -> bool:
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


def _atom_nonzero(atom: Atom, known: Group) -> bool:
    if isinstance(atom, Symbol):
        least = known.low(atom.name)
        return (least is not None and least > 0) or Dim({(atom,): 1}) in known.nonzero
    return Dim({(atom,): 1}) in known.nonzero or bounds.is_nonnegative(Dim({(atom,): 1}) - 1, known)


def _has_mod(dim: Dim) -> bool:
    """Whether a remainder is anywhere in the Dim."""
    ops = [atom for monomial in dim.terms for atom in monomial if isinstance(atom, Op)]
    return any(atom.op == "mod" or any(map(_has_mod, atom.args)) for atom in ops)


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
