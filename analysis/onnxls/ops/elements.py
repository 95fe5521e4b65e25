"""Elements of small tensors moved about in row-major order, by constant sizes. Pure: no sizes are asked, none equated.

What a rule does to the shape of a tensor it does here to the elements. All results have at most MAX_ELEMENTS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from onnxls.dims import Dim
from onnxls.facts import MAX_ELEMENTS, Element, Fact, Ratio, Shape

Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """The elements of a tensor whose sizes are constants."""

    sizes: Sizes
    elements: tuple[Element, ...]

    def at(self, index: Sequence[int]) -> Element:
        """The element at an index that is in range."""
        return self.elements[offset(self.sizes, index)]

    @property
    def shape(self) -> Shape:
        """The sizes as Dims."""
        return tuple(Dim.of(size) for size in self.sizes)

    def fact(self, dtype: int | None = None) -> Fact:
        """The fact of this tensor."""
        return Fact(dtype, self.shape, self.elements)


def array(fact: Fact) -> Array | None:
    """The elements of a tensor with its sizes, where both are known; an empty tensor always has its (no) elements."""
    sizes = constant_sizes(fact.shape)
    if sizes is None:
        return None
    if 0 in sizes:
        return Array(sizes, ())
    if fact.elements is None or len(fact.elements) != prod(sizes):
        return None
    return Array(sizes, fact.elements)


def constant_sizes(shape: Shape | None) -> Sizes | None:
    """The sizes where all are constants."""
    if shape is None:
        return None
    sizes: list[int] = []
    for dim in shape:
        if dim.const is None or dim.const < 0:
            return None
        sizes.append(dim.const)
    return tuple(sizes)


def offset(sizes: Sizes, index: Sequence[int]) -> int:
    """The row-major position of an index that is in range."""
    position = 0
    for size, each in zip(sizes, index, strict=True):
        position = position * size + each
    return position


def indices(sizes: Sizes) -> Iterable[tuple[int, ...]]:
    """All indices of a tensor of these sizes, in row-major order."""
    if 0 in sizes:
        return iter(())
    return product(*(range(size) for size in sizes))


def constant(element: Element) -> int | None:
    """The element where it is a plain integer."""
    return None if isinstance(element, Ratio) else element.const


def reshaped(source: Array, sizes: Sizes) -> Array | None:
    """The same elements under other sizes; None where their number differs."""
    return Array(sizes, source.elements) if prod(sizes) == len(source.elements) else None


def picked(source: Array, picks: Sequence[Sequence[int]]) -> Array | None:
    """On each axis the entries at these positions (all in range); None where they are too many."""
    sizes = tuple(len(positions) for positions in picks)
    if prod(sizes) > MAX_ELEMENTS:
        return None
    if 0 in sizes:
        return Array(sizes, ())
    return Array(sizes, tuple(source.at(index) for index in product(*picks)))


def taken(source: Array, axis: int, positions: Sequence[int]) -> Array | None:
    """The entries at these positions (all in range) of one axis; None where they are too many."""
    picks: list[Sequence[int]] = [range(size) for size in source.sizes]
    picks[axis] = positions
    return picked(source, picks)


def transposed(source: Array, perm: Sequence[int]) -> Array:
    """The axes in another order: axis i of the result is axis perm[i] of the source."""
    sizes = tuple(source.sizes[axis] for axis in perm)
    elements: list[Element] = []
    for index in indices(sizes):
        place = [0] * len(perm)
        for axis, each in zip(perm, index, strict=True):
            place[axis] = each
        elements.append(source.at(place))
    return Array(sizes, tuple(elements))


def expanded(source: Array, sizes: Sizes) -> Array | None:
    """The elements repeated to sizes that they broadcast to; None where they do not or become too many."""
    pad = len(sizes) - len(source.sizes)
    if pad < 0 or prod(sizes) > MAX_ELEMENTS:
        return None
    if any(have not in (1, want) for have, want in zip(source.sizes, sizes[pad:], strict=True)):
        return None
    elements: list[Element] = []
    for index in indices(sizes):
        place = [0 if size == 1 else each for size, each in zip(source.sizes, index[pad:], strict=True)]
        elements.append(source.at(place))
    return Array(sizes, tuple(elements))


def concatenated(parts: Sequence[Array], axis: int) -> Array | None:
    """The parts, whose other sizes agree, one after another on an axis; None where they are too many."""
    first = parts[0].sizes
    if any(len(part.sizes) != len(first) for part in parts):
        return None
    sizes = (*first[:axis], sum(part.sizes[axis] for part in parts), *first[axis + 1 :])
    if prod(sizes) > MAX_ELEMENTS:
        return None
    if any((*part.sizes[:axis], *part.sizes[axis + 1 :]) != (*first[:axis], *first[axis + 1 :]) for part in parts):
        return None
    elements: list[Element] = []
    for outer in indices(first[:axis]):
        for part in parts:
            block = prod(part.sizes[axis:])
            start = offset(first[:axis], outer) * block
            elements.extend(part.elements[start : start + block])
    return Array(sizes, tuple(elements))
