"""What sizes are made of: symbols, and opaque operations on Dims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from onnxls.dims.printing import print_op, quoted
from onnxls.dims.ranges import Range, op_range

if TYPE_CHECKING:
    from onnxls.dims.polynomial import Dim

Origin = Literal["declared", "anonymous", "bound", "data", "unknown"]
"""Where a symbol comes from: a dim_param of an input, an input axis without size or name, a name that the author
gives only to intermediates or outputs, a size that depends on values, or the limits of the engine."""

Operation = Literal["floordiv", "mod", "max", "min", "broadcast"]

SIGNED = "±"
"""A symbol whose name starts with this may be negative: an unknown element of a tensor, not a size."""


class Symbol:
    """An atomic size. Equal by name alone; `origin` is what the name means in the graph at hand."""

    __slots__ = ("_hash", "key", "name", "origin", "size", "symbols")

    op: ClassVar[Literal["symbol"]] = "symbol"

    def __init__(self, name: str, origin: Origin = "declared") -> None:
        self.name = name
        self.origin: Origin = origin
        self.key = quoted(name)
        self.size = 1
        self.symbols = frozenset((name,))
        self._hash = hash(name)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Symbol) and self.name == other.name)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Symbol({self.name!r})"

    def __reduce__(self) -> tuple[type[Symbol], tuple[str, Origin]]:
        return Symbol, (self.name, self.origin)

    @property
    def range(self) -> Range:
        """An interval that holds every admitted value."""
        return (None, None) if self.name[:1] == SIGNED else (0, None)

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """The size of this name; KeyError where it is missing."""
        return sizes[self.name]


class Op:
    """An opaque operation on Dims. Made only by the functions of this package, with arguments in normal form."""

    __slots__ = ("_hash", "_key", "_range", "args", "op", "size", "symbols")

    def __init__(self, op: Operation, args: tuple[Dim, ...]) -> None:
        self.op: Operation = op
        self.args = args
        self._key: str | None = None
        self._range: Range | None = None
        self.size = 1 + sum(arg.size for arg in args)
        self.symbols: frozenset[str] = frozenset().union(*(arg.symbols() for arg in args))
        self._hash = hash((op, args))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Op) and self._hash == other._hash and self.op == other.op and self.args == other.args
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Op({self.key})"

    def __reduce__(self) -> tuple[type[Op], tuple[Operation, tuple[Dim, ...]]]:
        return Op, (self.op, self.args)

    @property
    def key(self) -> str:
        """The printed form, which also orders atoms."""
        if self._key is None:
            self._key = print_op(self.op, self.args)
        return self._key

    @property
    def range(self) -> Range:
        """An interval that holds the value wherever it is defined."""
        if self._range is None:
            self._range = op_range(self.op, self.args)
        return self._range

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """The value at these sizes; raises as `Dim.evaluate` does."""
        values = [arg.evaluate(sizes) for arg in self.args]
        if self.op == "floordiv":
            return values[0] // values[1]
        if self.op == "mod":
            return values[0] % values[1]
        if self.op == "max":
            return max(values)
        if self.op == "min":
            return min(values)
        return broadcast_values(*values)


Atom = Symbol | Op
Monomial = tuple[Atom, ...]
"""A product of atoms, ordered by key, an atom repeated for its power; () is 1."""


def broadcast_values(*values: int) -> int:
    """The first size that is not 1, else 1."""
    return next((value for value in values if value != 1), 1)
