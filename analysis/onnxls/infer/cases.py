"""Values that sizes decide: a node that reads one is judged in each case, then what holds in all is put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from onnxls.assumptions import Assumptions
from onnxls.dims import SIGNED, Dim
from onnxls.facts import UNKNOWN, Case, Fact
from onnxls.relations import Condition, all_of
from onnxls.store import Store

MAX_CASES = 4
"""Values with more cases are followed by what holds in all of them."""

Fresh = Callable[[], Dim]


def combinations(inputs: Sequence[Fact | None], store: Store) -> list[tuple[Condition, tuple[Fact | None, ...]]]:
    """The cases of the inputs together that are not ruled out, each with the inputs in it; none where they are many."""
    splits = list(dict.fromkeys(tuple(case.condition for case in fact.cases) for fact in inputs if fact and fact.cases))
    found: list[tuple[Condition, tuple[Fact | None, ...]]] = []
    for choice in product(*(range(len(split)) for split in splits)):
        chosen = dict(zip(splits, choice, strict=True))
        condition = all_of(*(split[index] for split, index in chosen.items()))
        if store.ask(condition) is False:
            continue
        found.append((condition, tuple(_chosen(fact, chosen) for fact in inputs)))
        if len(found) > MAX_CASES:
            return []
    return found


def _chosen(fact: Fact | None, chosen: dict[tuple[Condition, ...], int]) -> Fact | None:
    if fact is None or not fact.cases:
        return fact
    case = fact.cases[chosen[tuple(each.condition for each in fact.cases)]].fact
    return case if case.dtype is not None else replace(case, dtype=fact.dtype)


def general(cases: Sequence[Case], known: Assumptions, born: str, fresh: Fresh) -> Fact:
    """What holds in all cases, with the cases where that says less than they do.

    An axis has the size of one case where that is its size in all others too (they know more: there a symbol may be a
    number), else a new one. Symbols whose names begin with `born` exist in their case alone.
    """
    facts = [case.fact for case in cases]
    first = facts[0]
    if all(fact == first for fact in facts[1:]):
        return first
    if any(fact.type != "tensor" for fact in facts):
        return UNKNOWN
    dtype = first.dtype if all(fact.dtype == first.dtype for fact in facts) else None
    shapes = [fact.shape for fact in facts if fact.shape is not None]
    if len(shapes) < len(facts) or any(len(shape) != len(shapes[0]) for shape in shapes):
        return Fact(dtype, cases=tuple(cases))
    ways = [known.learn(case.condition) for case in cases]
    sizes = [_common(dims, ways, born) for dims in zip(*shapes, strict=True)]
    integers = [fact.integers for fact in facts]
    elements = None
    if all(each is not None for each in integers) and len({len(each or ()) for each in integers}) == 1:
        common = [_common(dims, ways, born) for dims in zip(*(each or () for each in integers), strict=True)]
        elements = tuple(dim for dim in common if dim is not None) if None not in common else None
    made = Fact(dtype, tuple(fresh() if dim is None else dim for dim in sizes), elements)
    told = None not in sizes and (elements is not None or all(fact.elements is None for fact in facts))
    return made if told else replace(made, cases=tuple(cases))


def _common(dims: Sequence[Dim], ways: Sequence[Assumptions], born: str) -> Dim | None:
    for dim in dict.fromkeys(dims):
        if any(name.lstrip(SIGNED).startswith(born) for name in dim.symbols()):
            continue
        if all(way.rewrite(dim) == way.rewrite(own) for own, way in zip(dims, ways, strict=True)):
            return dim
    return None
