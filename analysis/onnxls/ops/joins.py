"""The join of facts: what is known of a value that may be any of several.

In the fact of an element of a sequence, a symbol of origin `unknown` stands for any size, and for another one in each
element: `renewed` gives one element its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from onnxls.dims import SIGNED, Dim
from onnxls.facts import UNKNOWN, Element, Fact, Ratio
from onnxls.ops.context import OpContext, map_fact
from onnxls.relations import any_of, equal


@dataclass(frozen=True, slots=True)
class Meet:
    """How two sizes, and two integer elements, that differ become one."""

    size: Callable[[Dim, Dim], Dim]
    element: Callable[[Dim, Dim], Dim]


def join(ctx: OpContext, facts: Sequence[Fact]) -> Fact:
    """What holds of a value that is one of these: equal sizes stay, others become a new one that is one of them."""

    def one_of(made: Dim, first: Dim, second: Dim) -> Dim:
        ctx.given.append(any_of(equal(made, first), equal(made, second)))
        return made

    meet = Meet(lambda a, b: one_of(ctx.fresh(), a, b), lambda a, b: one_of(ctx.fresh_element(), a, b))
    return reduce(lambda a, b: merged(a, b, meet), facts) if facts else UNKNOWN


def merged(a: Fact, b: Fact, meet: Meet) -> Fact:
    """The join of two facts. What `meet` says of equal sizes is not asked."""
    if a == b:
        return a
    a, b = replace(a, cases=()), replace(b, cases=())
    if a.type != b.type or a.type is None:
        return UNKNOWN
    dtype = a.dtype if a.dtype == b.dtype else None
    if a.type in ("tensor", "sparse_tensor"):
        reach = a.reach if a.reach == b.reach else None
        return _merged_tensors(replace(a, dtype=dtype, annotation=None, reach=reach), b, meet)
    items = None
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(merged(x, y, meet) for x, y in zip(a.items, b.items, strict=True))
    length = None
    if a.length is not None and b.length is not None:
        length = a.length if a.length == b.length else meet.size(a.length, b.length)
    return Fact(dtype, type=a.type, element=_merged_elements(a, b, meet), items=items, length=length)


def _merged_elements(a: Fact, b: Fact, meet: Meet) -> Fact | None:
    """The fact of an element of either; that of an empty sequence says nothing."""
    if a.length is not None and a.length == 0:
        return b.element
    if b.length is not None and b.length == 0:
        return a.element
    if a.element is None or b.element is None:
        return None
    return without_elements(merged(a.element, b.element, meet))


def _merged_tensors(a: Fact, b: Fact, meet: Meet) -> Fact:
    if a.shape is None or b.shape is None or len(a.shape) != len(b.shape):
        return replace(a, shape=None, elements=None)
    shape = tuple(x if x == y else meet.size(x, y) for x, y in zip(a.shape, b.shape, strict=True))
    if a.shape != b.shape or a.elements is None or b.elements is None or len(a.elements) != len(b.elements):
        return replace(a, shape=shape, elements=None)
    elements: list[Element] = []
    for x, y in zip(a.elements, b.elements, strict=True):
        if x != y and (isinstance(x, Ratio) or isinstance(y, Ratio)):
            return replace(a, shape=shape, elements=None)
        elements.append(x if x == y or isinstance(x, Ratio) or isinstance(y, Ratio) else meet.element(x, y))
    return replace(a, shape=shape, elements=tuple(elements))


def without_elements(fact: Fact) -> Fact:
    """The fact of a tensor without its content."""
    return fact if fact.elements is None and fact.reach is None else replace(fact, elements=None, reach=None)


def renewed(ctx: OpContext, element: Fact) -> Fact:
    """The fact of one element of a sequence, with sizes of its own where they may differ from element to element."""
    names: dict[str, Dim] = {}

    def renew(dim: Dim) -> Dim:
        for symbol in dim.atoms():
            if symbol.name not in names and (symbol.origin == "unknown" or "[element," in symbol.name):
                names[symbol.name] = ctx.fresh()
        return dim.replace(names)

    return map_fact(element, renew)


def forget(ctx: OpContext, fact: Fact, local: frozenset[str]) -> Fact:
    """The fact outside of where these symbols have a meaning: sizes made of them are new ones."""

    def renew(dim: Dim) -> Dim:
        if not is_local(dim, local):
            return dim
        return ctx.fresh_element() if dim.range[0] is None or dim.range[0] < 0 else ctx.fresh()

    if fact.shape is not None:
        fact = replace(fact, shape=tuple(ctx.fresh() if is_local(dim, local) else dim for dim in fact.shape))
    return map_fact(fact, renew)


def is_local(dim: Dim, local: frozenset[str]) -> bool:
    """Whether a size is made of these symbols, as far as can be told: a digest of a large expression hides them."""
    return any(name in local or name.startswith(_LARGE) for name in dim.symbols())


_LARGE = f"{SIGNED}large:"
