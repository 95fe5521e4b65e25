"""Facts, shapes and guards as an editor shows them."""

from __future__ import annotations

from collections.abc import Mapping

from onnxls.declarations import dtype_name
from onnxls.dims import Dim
from onnxls.facts import Fact, Shape
from onnxls.listing import describe
from onnxls.relations import Guard
from onnxls.required import Need
from onnxls_server.features.markup import code

MAX_LABEL = 60


def fact_text(fact: Fact | None, sizes: Mapping[str, int] | None = None) -> str | None:
    """`float[N, 4] = …`, with numbers for what the sizes say; None where nothing is known."""
    if fact is None:
        return None
    return describe(at_sizes(fact, sizes)) if sizes else describe(fact)


def need_text(need: Need) -> str | None:
    """What is known of a value without a known rank: `rank ≥ 2, same shape as x`; None where nothing is."""
    said: list[str] = []
    if need.dtype is not None:
        said.append(dtype_name(need.dtype))
    if need.rank is not None:
        said.append(f"rank {need.rank}")
    elif need.most is not None:
        said.append(f"rank {need.least} to {need.most}")
    elif need.least:
        said.append(f"rank ≥ {need.least}")
    if need.same_as is not None:
        said.append(f"same shape as {need.same_as}")
    return ", ".join(said) or None


def at_sizes(fact: Fact, sizes: Mapping[str, int]) -> Fact:
    """A fact of a tensor at some sizes; what they do not say stays as it is."""
    shape = None if fact.shape is None else tuple(_at(dim, sizes) for dim in fact.shape)
    content = fact.content
    elements = None if content is None else tuple(_at(dim, sizes) for dim in content)
    return Fact(fact.dtype, shape, elements, fact.type, fact.element)


def is_sized(shape: Shape, sizes: Mapping[str, int]) -> bool:
    """Whether sizes say anything of a shape that it does not say itself."""
    return any(dim.const is None and dim.symbols() <= sizes.keys() for dim in shape)


def _at(dim: Dim, sizes: Mapping[str, int]) -> Dim:
    try:
        return Dim.of(dim.evaluate(sizes))
    except (KeyError, ZeroDivisionError):
        return dim


def label(fact: Fact, sizes: Mapping[str, int] | None = None) -> str | None:
    """A short text for a line: type and shape, without the elements; the middle of a long one is left out."""
    if fact.type != "tensor":
        text = fact_text(fact, sizes)
    elif fact.shape is None:
        return None
    else:
        shape = at_sizes(fact, sizes).shape if sizes else fact.shape
        text = f"{dtype_name(fact.dtype) if fact.dtype else ''}[{', '.join(map(str, shape or ()))}]"
    if text is None or len(text) <= MAX_LABEL:
        return text
    return f"{text[: MAX_LABEL // 2]}…{text[-MAX_LABEL // 3 :]}"


def guard_text(guard: Guard, sizes: Mapping[str, int]) -> str:
    """A guard and, where the sizes in force say it, whether it holds."""
    text = code(str(guard))
    try:
        holds = guard.evaluate(sizes)
    except KeyError:
        return text
    return (
        f"{text} (holds at {sizes_text(sizes, guard)})"
        if holds
        else f"{text} (**fails** at {sizes_text(sizes, guard)})"
    )


def sizes_text(sizes: Mapping[str, int], guard: Guard | None = None) -> str:
    """`N = 2, H = 16`, of the sizes that a guard is about."""
    names = sizes if guard is None else sorted(guard.symbols())
    return ", ".join(f"{name} = {sizes[name]}" for name in names) or "every size"
