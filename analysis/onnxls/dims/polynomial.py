"""Integer polynomials over atoms: arithmetic, substitution and values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2s
from typing import TYPE_CHECKING, NoReturn

from onnxls.dims.atoms import SIGNED, Atom, Monomial, Op, Operation, Origin, Symbol
from onnxls.dims.printing import print_sum
from onnxls.dims.ranges import Range, polynomial_range

if TYPE_CHECKING:
    import sympy

MAX_TERMS = 96
MAX_SIZE = 600
"""Above these an expression becomes an unknown of its own, named by a digest of what it was made from."""


class Dim:
    """A symbolic integer in normal form: immutable, hashable, picklable, equal when structurally equal.

    A constant equals the `int` of its value. There is no order and no truth value: ask `onnxls.decide`.
    """

    __slots__ = ("_hash", "_range", "_symbols", "_text", "const", "size", "terms")

    terms: Mapping[Monomial, int]
    const: int | None
    size: int

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = terms
        self.const = terms.get((), 0) if len(terms) == (1 if () in terms else 0) else None
        size = len(terms)
        for monomial in terms:
            for atom in monomial:
                size += atom.size
        self.size = size
        self._hash: int | None = None
        self._symbols: frozenset[str] | None = None
        self._text: str | None = None
        self._range: Range | None = None

    @staticmethod
    def of(value: int | Dim) -> Dim:
        """The Dim of an integer (a Dim is returned as it is)."""
        if isinstance(value, Dim):
            return value
        known = _CONSTANTS.get(value)
        return known if known is not None else Dim({(): value} if value else {})

    @staticmethod
    def symbol(name: str, origin: Origin = "declared") -> Dim:
        """The Dim of one symbol."""
        return Dim({(Symbol(name, origin),): 1})

    @staticmethod
    def parse(text: str) -> Dim:
        """Reads what `str` prints (and Python integer arithmetic in general); raises ValueError for anything else."""
        from onnxls.expressions import parse_dim

        return parse_dim(text)

    @staticmethod
    def from_sympy(expr: sympy.Basic) -> Dim:
        """The Dim of an integer expression of sympy; raises ValueError where it has none."""
        from onnxls.sympy_bridge import from_sympy

        return from_sympy(expr)

    def to_sympy(self) -> sympy.Expr:
        """The same expression in sympy, over non-negative integer symbols of the same names."""
        from onnxls.sympy_bridge import to_sympy

        return to_sympy(self)

    def symbols(self) -> frozenset[str]:
        """The raw names of all symbols in it."""
        if self._symbols is None:
            self._symbols = frozenset().union(*(atom.symbols for monomial in self.terms for atom in monomial))
        return self._symbols

    @property
    def is_known(self) -> bool:
        """Whether it is made of integers and symbols of the graph's inputs alone."""
        return all(symbol.origin in ("declared", "anonymous") for symbol in self.atoms())

    def atoms(self) -> Iterable[Symbol]:
        """All symbols in it, as atoms, in no order, with repetitions."""
        for monomial in self.terms:
            for atom in monomial:
                if isinstance(atom, Symbol):
                    yield atom
                else:
                    for arg in atom.args:
                        yield from arg.atoms()

    @property
    def as_symbol(self) -> Symbol | None:
        """The symbol that this Dim is, if it is just one."""
        if len(self.terms) != 1:
            return None
        (monomial, coefficient), *_ = self.terms.items()
        if coefficient != 1 or len(monomial) != 1:
            return None
        atom = monomial[0]
        return atom if isinstance(atom, Symbol) else None

    @property
    def range(self) -> Range:
        """An interval that holds the value for every admitted value of the symbols."""
        if self._range is None:
            self._range = polynomial_range(self.terms)
        return self._range

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """The value at these sizes, by raw names. KeyError: one is missing. ZeroDivisionError: it has no value."""
        if self.const is not None:
            return self.const
        total = 0
        for monomial, coefficient in self.terms.items():
            value = coefficient
            for atom in monomial:
                value *= atom.evaluate(sizes)
            total += value
        return total

    def replace(self, values: Mapping[str, Dim]) -> Dim:
        """The Dim with symbols replaced by Dims, in normal form again."""
        if self.const is not None or not any(name in values for name in self.symbols()):
            return self
        return self.map_atoms(lambda atom: _replace_atom(atom, values))

    def map_atoms(self, change: Callable[[Atom], Dim]) -> Dim:
        """The Dim with each outermost atom replaced by what `change` makes of it."""
        total = ZERO
        for monomial, coefficient in self.terms.items():
            term = Dim.of(coefficient)
            for atom in monomial:
                term = term * change(atom)
            total = total + term
        return total

    def split(self) -> tuple[Dim, int]:
        """The part with symbols, and the constant part."""
        constant = self.terms.get((), 0)
        return (self - constant if constant else self), constant

    def exact_div(self, divisor: Dim) -> Dim | None:
        """The polynomial q with q*divisor == self, or None where there is none. The divisor is taken to be non-zero."""
        from onnxls.dims.division import exact_division

        return exact_division(self, divisor)

    def __add__(self, other: Dim | int) -> Dim:
        other = other if isinstance(other, Dim) else Dim.of(other)
        if self.const is not None and other.const is not None:
            return Dim.of(self.const + other.const)
        if not other.terms:
            return self
        if not self.terms:
            return other
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            new = terms.get(monomial, 0) + coefficient
            if new:
                terms[monomial] = new
            else:
                del terms[monomial]
        return _bounded(terms, "+", self, other)

    __radd__ = __add__

    def __neg__(self) -> Dim:
        if self.const is not None:
            return Dim.of(-self.const)
        return Dim({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: Dim | int) -> Dim:
        other = other if isinstance(other, Dim) else Dim.of(other)
        if self.const is not None and other.const is not None:
            return Dim.of(self.const - other.const)
        return self + -other

    def __rsub__(self, other: int) -> Dim:
        return Dim.of(other) - self

    def __mul__(self, other: Dim | int) -> Dim:
        other = other if isinstance(other, Dim) else Dim.of(other)
        if other.const is not None:
            return self._scaled(other.const)
        if self.const is not None:
            return other._scaled(self.const)
        terms: dict[Monomial, int] = {}
        if len(self.terms) * len(other.terms) > 4 * MAX_TERMS:
            return unknown("*", self, other)
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = _product(left, right)
                new = terms.get(monomial, 0) + a * b
                if new:
                    terms[monomial] = new
                else:
                    del terms[monomial]
        return _bounded(terms, "*", self, other)

    __rmul__ = __mul__

    def _scaled(self, factor: int) -> Dim:
        if self.const is not None:
            return Dim.of(self.const * factor)
        if factor == 1:
            return self
        return Dim({monomial: coefficient * factor for monomial, coefficient in self.terms.items()}) if factor else ZERO

    def __pow__(self, exponent: int) -> Dim:
        if exponent < 0:
            raise ValueError("a negative exponent gives no integer")
        if self.const is not None:
            if self.const.bit_length() * exponent > 4096:
                raise ValueError("the power is too large")
            return Dim.of(self.const**exponent)
        if exponent > MAX_TERMS:
            return unknown("**", self, Dim.of(exponent))
        result = ONE
        for _ in range(exponent):
            result = result * self
        return result

    def __floordiv__(self, other: Dim | int) -> Dim:
        from onnxls.dims.division import floordiv

        return floordiv(self, other if isinstance(other, Dim) else Dim.of(other))

    def __rfloordiv__(self, other: int) -> Dim:
        return Dim.of(other) // self

    def __mod__(self, other: Dim | int) -> Dim:
        from onnxls.dims.division import mod

        return mod(self, other if isinstance(other, Dim) else Dim.of(other))

    def __rmod__(self, other: int) -> Dim:
        return Dim.of(other) % self

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Dim):
            return self.const == other.const if self.const is not None else self.terms == other.terms
        return self.const is not None and isinstance(other, int) and self.const == other

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.const) if self.const is not None else hash(frozenset(self.terms.items()))
        return self._hash

    def __bool__(self) -> NoReturn:
        raise TypeError("a Dim has no truth value; compare it, or ask onnxls.decide")

    def __str__(self) -> str:
        if self._text is None:
            self._text = str(self.const) if self.const is not None else print_sum(self.terms)
        return self._text

    def __repr__(self) -> str:
        return f"Dim.parse({str(self)!r})"

    def __reduce__(self) -> tuple[type[Dim], tuple[dict[Monomial, int]]]:
        return Dim, (dict(self.terms),)


_CONSTANTS: dict[int, Dim] = {}
_CONSTANTS.update({value: Dim({(): value} if value else {}) for value in range(-64, 4097)})
ZERO, ONE = _CONSTANTS[0], _CONSTANTS[1]


def product(dims: Iterable[Dim]) -> Dim:
    """The product; 1 for none."""
    result = ONE
    for dim in dims:
        result = result * dim
    return result


def total(dims: Iterable[Dim]) -> Dim:
    """The sum; 0 for none."""
    result = ZERO
    for dim in dims:
        result = result + dim
    return result


def _atom_key(atom: Atom) -> str:
    return atom.key


def _product(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    return tuple(sorted(left + right, key=_atom_key))


def _bounded(terms: dict[Monomial, int], sign: str, left: Dim, right: Dim) -> Dim:
    """The Dim of these terms, or an unknown where they are too many."""
    if len(terms) > MAX_TERMS:
        return unknown(sign, left, right)
    made = Dim(terms)
    return made if made.size <= MAX_SIZE else unknown(sign, left, right)


def unknown(sign: str, *args: Dim) -> Dim:
    """A symbol that stands for one expression and no other: equal expressions give equal symbols."""
    text = sign.join(f"({arg})" for arg in args)
    digest = blake2s(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return Dim.symbol(f"{SIGNED}large:{digest}", "unknown")


def _replace_atom(atom: Atom, values: Mapping[str, Dim]) -> Dim:
    if isinstance(atom, Symbol):
        value = values.get(atom.name)
        return Dim({(atom,): 1}) if value is None else value
    from onnxls.dims.operations import apply

    return apply(atom.op, *(arg.replace(values) for arg in atom.args))


def single_op(dim: Dim, op: str) -> Op | None:
    """The operation that a Dim is as a whole, if it is one of this kind."""
    if len(dim.terms) != 1:
        return None
    (monomial, coefficient), *_ = dim.terms.items()
    if coefficient != 1 or len(monomial) != 1:
        return None
    atom = monomial[0]
    return atom if isinstance(atom, Op) and atom.op == op else None


def atom_dim(op: Operation, *args: Dim) -> Dim:
    """The Dim of one operation; an unknown size where it would be too large."""
    made = Op(op, args)
    return Dim({(made,): 1}) if made.size < MAX_SIZE else unknown(op, *args)
