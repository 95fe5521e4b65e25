"""What is known of a value: its type, its symbolic shape, and the elements of a small tensor (value-as-shape).

Facts are immutable and right for every size >= 0 at which the value exists; what is not known is None or a symbol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from onnxls.dims import SIGNED, Dim
from onnxls.graph import Kind
from onnxls.relations import Condition

Shape = tuple[Dim, ...]
Annotation = Literal["holds", "may-fail", "fails", "unverified"]

MAX_ELEMENTS, MAX_FRACTIONS = 64, 16
"""How many elements of a constant are kept: of integers, and of floats, which are sizes only as scales of axes."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """An element that is no integer: a Dim over an integer greater than 1, exactly."""

    dividend: Dim
    divisor: int


Element = Dim | Ratio
"""An element of a small tensor: exact. Unknown elements are symbols of their own; a bool is 0 or 1."""


@dataclass(frozen=True, slots=True)
class Case:
    """What a value is at the sizes that meet a condition."""

    condition: Condition
    fact: Fact


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of one value.

    `dtype`: a `TensorProto.DataType` number (of the keys, for a map). `shape` None: rank unknown, or no tensor.
    `elements`: in row-major order, or None. `reach`: the least and the greatest element of an integer tensor, which
    has both wherever it is not empty. `element`: the fact of an element of a sequence, optional or map;
    `items`: the elements of a sequence where the whole list is known; `length`: of a sequence.
    `annotation`: the verdict on what the author declared for it. `cases`: where sizes decide what the value is (its
    rank, say), what it is in each case; exactly one of them applies, and the rest of the fact holds in all.
    """

    dtype: int | None = None
    shape: Shape | None = None
    elements: tuple[Element, ...] | None = None
    type: Kind | None = "tensor"
    element: Fact | None = None
    items: tuple[Fact, ...] | None = None
    length: Dim | None = None
    annotation: Annotation | None = None
    cases: tuple[Case, ...] = ()
    reach: tuple[Dim, Dim] | None = None
    _symbols: frozenset[str] | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape, self.type, self.elements))

    def of_type(self, dtype: int | None) -> Fact:
        """The same of another element type."""
        return Fact(
            dtype,
            self.shape,
            self.elements,
            self.type,
            self.element,
            self.items,
            self.length,
            self.annotation,
            self.cases,
            self.reach,
        )

    @property
    def symbols(self) -> frozenset[str]:
        """The raw names of all symbols in it."""
        if self._symbols is None:
            object.__setattr__(self, "_symbols", frozenset(_symbols(self)))
        return self._symbols or frozenset()

    @property
    def rank(self) -> int | None:
        """The number of axes; None where it is unknown."""
        return None if self.shape is None else len(self.shape)

    @property
    def content(self) -> tuple[Dim, ...] | None:
        """The elements as Dims; None where any is unknown or no integer."""
        if self.elements is None:
            return None
        content: list[Dim] = []
        for each in self.elements:
            if isinstance(each, Ratio) or any(name[:1] == SIGNED for name in each.symbols()):
                return None
            content.append(each)
        return tuple(content)

    @property
    def integers(self) -> tuple[Dim, ...] | None:
        """The elements as Dims, unknown ones as signed symbols; None where one is no integer or none is known."""
        if self.elements is None or any(isinstance(each, Ratio) for each in self.elements):
            return None
        return self.elements  # type: ignore[return-value]

    @property
    def constants(self) -> tuple[int, ...] | None:
        """The elements where all are plain integers."""
        if self.elements is None:
            return None
        found: list[int] = []
        for each in self.elements:
            if isinstance(each, Ratio) or each.const is None:
                return None
            found.append(each.const)
        return tuple(found)

    @property
    def scalar(self) -> Dim | None:
        """The element of a tensor of one element, where it is an integer expression."""
        integers = self.integers
        return integers[0] if integers is not None and len(integers) == 1 else None


def _symbols(fact: Fact) -> Iterator[str]:
    for dim in fact.shape or ():
        yield from dim.symbols()
    for each in fact.elements or ():
        yield from (each.dividend if isinstance(each, Ratio) else each).symbols()
    if fact.length is not None:
        yield from fact.length.symbols()
    for end in fact.reach or ():
        yield from end.symbols()
    for inner in (fact.element, *(fact.items or ())):
        if inner is not None:
            yield from inner.symbols
    for case in fact.cases:
        yield from case.condition.symbols()
        yield from case.fact.symbols


UNKNOWN = Fact(type=None)
"""Nothing is known: not even that it is a tensor."""

INTEGER_TYPES = frozenset((2, 3, 4, 5, 6, 7, 12, 13, 21, 22, 25, 26))
"""UINT8 INT8 UINT16 INT16 INT32 INT64 UINT32 UINT64 UINT4 INT4 UINT2 INT2"""

BOOL, FLOAT, INT32, INT64, DOUBLE, FLOAT16, BFLOAT16, STRING = 9, 1, 6, 7, 11, 10, 16, 8
"""Element types by their numbers in `TensorProto.DataType`."""

FLOAT_TYPES = frozenset((FLOAT, DOUBLE, FLOAT16, BFLOAT16))


def tensor(*shape: Dim | int, dtype: int | None = None, elements: Iterable[Element] | None = None) -> Fact:
    """The fact of a tensor of this shape."""
    dims = tuple(Dim.of(dim) for dim in shape)
    return Fact(dtype, dims, None if elements is None else tuple(elements))


def ratio(dividend: Dim, divisor: int) -> Element:
    """dividend / divisor in lowest terms; the divisor is not 0."""
    from math import gcd

    if divisor < 0:
        dividend, divisor = -dividend, -divisor
    common = gcd(divisor, *dividend.terms.values())
    if common > 1:
        reduced = dividend.exact_div(Dim.of(common))
        if reduced is not None:
            dividend, divisor = reduced, divisor // common
    return dividend if divisor == 1 else Ratio(dividend, divisor)
