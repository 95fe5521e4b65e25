"""Conditions as elements of bool tensors, and back: 1 where a relation between sizes holds, 0 where it does not."""

from __future__ import annotations

from onnxls.dims import ONE, SIGNED, ZERO, Dim, Op, maximum, minimum
from onnxls.relations import AllOf, AnyOf, Condition, Relation, all_of, any_of, at_most, equal, less, unequal

MAX_SIZE = 40
"""Larger relations are not followed."""

_TRUE: Condition = AllOf(())
_FALSE: Condition = equal(ZERO, ONE)


def indicator(relation: Relation) -> Dim | None:
    """1 where the relation (of == <= <) holds, else 0; None where it is about elements that nothing is known of."""
    left, right = relation.lhs, relation.rhs
    if left.size + right.size > MAX_SIZE or any(name[:1] == SIGNED for name in relation.symbols()):
        return None
    slack = right - left
    if relation.op == "==":
        return _positive(slack + 1) * _positive(1 - slack)
    return _positive(slack + 1 if relation.op == "<=" else slack)


def _positive(dim: Dim) -> Dim:
    return maximum(ZERO, minimum(ONE, dim))


def truth(element: Dim) -> Condition | None:
    """When an element that is 0 or 1 is 1; None where it may be something else."""
    negated = 1 - element
    if len(negated.terms) == 1:
        (monomial, coefficient), *_ = negated.terms.items()
        if monomial and coefficient == 1 and all(_is_truth(Dim({(atom,): 1})) for atom in monomial):
            return _spelled(_reaches(negated, 1)).negation()
    return _spelled(_reaches(element, 1)) if _is_truth(element) else None


def _is_truth(dim: Dim) -> bool:
    low, high = dim.range
    return low is not None and high is not None and low >= 0 and high <= 1


def _reaches(dim: Dim, least: int) -> Condition:
    """dim >= least, with max, min and products of truths taken apart."""
    if dim.const is not None:
        return _TRUE if dim.const >= least else _FALSE
    varying, constant = dim.split()
    if len(varying.terms) == 1:
        (monomial, coefficient), *_ = varying.terms.items()
        factors = [Dim({(atom,): 1}) for atom in monomial]
        if coefficient == 1 and len(monomial) == 1 and isinstance(monomial[0], Op) and monomial[0].op in ("max", "min"):
            parts = [_reaches(arg, least - constant) for arg in monomial[0].args]
            return _some(parts) if monomial[0].op == "max" else _every(parts)
        if coefficient == 1 and len(factors) > 1 and least - constant == 1 and all(map(_is_truth, factors)):
            return _every([_reaches(each, 1) for each in factors])
        if coefficient == -1 and constant == least and all(map(_is_truth, factors)):
            return _every([_reaches(each, 1) for each in factors]).negation()
    return at_most(ZERO, dim - least)


def _every(parts: list[Condition]) -> Condition:
    if _FALSE in parts:
        return _FALSE
    kept = [part for part in parts if part != _TRUE]
    return all_of(*kept) if kept else _TRUE


def _some(parts: list[Condition]) -> Condition:
    if _TRUE in parts:
        return _TRUE
    kept = [part for part in parts if part != _FALSE]
    return any_of(*kept) if kept else _FALSE


def _spelled(condition: Condition) -> Condition:
    """As a person would write it: without negative terms, `a <= b` and `b <= a` as one equality."""
    if isinstance(condition, AnyOf):
        return any_of(*(_spelled(part) for part in condition.parts))
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    slacks = [_slack(part) if isinstance(part, Relation) else None for part in parts]
    kept: list[Condition] = []
    for part, slack in zip(parts, slacks, strict=True):
        if slack is None:
            kept.append(_spelled(part) if isinstance(part, AnyOf) else part)
        elif -slack in slacks:
            left, right = _sides(max(slack, -slack, key=str))
            kept.append(equal(right, left) if left.const is not None else equal(left, right))
        else:
            kept.append(_at_least_zero(slack))
    return all_of(*kept)


def _slack(relation: Relation) -> Dim | None:
    """What is 0 or more where the relation holds."""
    if relation.op not in ("<=", "<"):
        return None
    return relation.rhs - relation.lhs - (relation.op == "<")


def _at_least_zero(slack: Dim) -> Condition:
    above = slack + 1
    if above.split()[1] == 0:
        low = above.range[0]
        if low is not None and low >= 0:
            return unequal(above, 0)
        return less(*_sides(above))
    low = (-slack).range[0]
    return equal(-slack, 0) if low is not None and low >= 0 else at_most(*_sides(slack))


def _sides(difference: Dim) -> tuple[Dim, Dim]:
    """The terms with a negative factor, made positive, and the others."""
    terms = difference.terms.items()
    return Dim({m: -count for m, count in terms if count < 0}), Dim({m: count for m, count in terms if count > 0})
