"""Symbolic sizes: integer polynomials over atoms, kept in one normal form.

A `Dim` is a sum of integer multiples of products of atoms. An atom is a symbol, or an opaque `floordiv`, `mod`,
`max`, `min` or `broadcast` of Dims. Every rewriting done here is an identity for all values of the symbols that
their lower bounds admit (0 and up, unless the name starts with `±`), wherever the expression has a value at all;
what needs more than that is asked of `onnxls.decide`. Equality is structural. Numbers are exact Python integers.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from hashlib import blake2s
from math import gcd
from typing import TYPE_CHECKING, Literal, NoReturn

if TYPE_CHECKING:
    import sympy

Origin = Literal["declared", "anonymous", "bound", "data", "unknown"]
"""Where a symbol comes from: a dim_param of an input, an input axis without size or name, a name that the author
gives only to intermediates or outputs, a size that depends on values, or the limits of the engine."""

Operation = Literal["floordiv", "mod", "max", "min", "broadcast"]
Range = tuple[int | None, int | None]
"""An inclusive interval; None is infinity."""

MAX_TERMS = 96
MAX_SIZE = 600
"""Above these an expression becomes an unknown of its own, named by a digest of what it was made from."""

SIGNED = "±"
"""A symbol whose name starts with this may be negative: an unknown element of a tensor, not a size."""


class Symbol:
    """An atomic size. Equal by name alone; `origin` is what the name means in the graph at hand."""

    __slots__ = ("_hash", "key", "name", "origin", "size", "symbols")

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
        return (None, None) if self.name[:1] == SIGNED else (0, None)


class Op:
    """An opaque operation on Dims. Made only by the functions of this module, with arguments in normal form."""

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
            self._key = _print_op(self.op, self.args)
        return self._key

    @property
    def range(self) -> Range:
        """An interval that holds the value wherever it is defined."""
        if self._range is None:
            self._range = _op_range(self.op, self.args)
        return self._range


Atom = Symbol | Op
Monomial = tuple[Atom, ...]
"""A product of atoms, ordered by key, an atom repeated for its power; () is 1."""


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
        self.size = sum(1 + sum(atom.size for atom in monomial) for monomial in terms)
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
            self._range = _polynomial_range(self.terms)
        return self._range

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """The value at these sizes, by raw names. KeyError: one is missing. ZeroDivisionError: it has no value."""
        if self.const is not None:
            return self.const
        total = 0
        for monomial, coefficient in self.terms.items():
            value = coefficient
            for atom in monomial:
                value *= sizes[atom.name] if isinstance(atom, Symbol) else _evaluate_op(atom, sizes)
            total += value
        return total

    def replace(self, values: Mapping[str, Dim]) -> Dim:
        """The Dim with symbols replaced by Dims, in normal form again."""
        if self.const is not None or self.symbols().isdisjoint(values):
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
        return _exact_division(self, divisor)

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
            return _unknown("*", self, other)
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
            return _unknown("**", self, Dim.of(exponent))
        result = ONE
        for _ in range(exponent):
            result = result * self
        return result

    def __floordiv__(self, other: Dim | int) -> Dim:
        return floordiv(self, other if isinstance(other, Dim) else Dim.of(other))

    def __rfloordiv__(self, other: int) -> Dim:
        return floordiv(Dim.of(other), self)

    def __mod__(self, other: Dim | int) -> Dim:
        return mod(self, other if isinstance(other, Dim) else Dim.of(other))

    def __rmod__(self, other: int) -> Dim:
        return mod(Dim.of(other), self)

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
            self._text = str(self.const) if self.const is not None else _print_sum(self.terms)
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


def ceildiv(dividend: Dim, divisor: Dim | int) -> Dim:
    """Division rounded up."""
    return -((-dividend) // divisor)


def ordered(terms: Mapping[Monomial, int]) -> list[tuple[Monomial, int]]:
    """The terms in their one order: by falling degree, then by the printed atoms; the constant last."""
    return sorted(terms.items(), key=_term_key)


def _term_key(term: tuple[Monomial, int]) -> tuple[int, tuple[str, ...]]:
    monomial = term[0]
    return -len(monomial), tuple(atom.key for atom in monomial)


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
        return _unknown(sign, left, right)
    made = Dim(terms)
    return made if made.size <= MAX_SIZE else _unknown(sign, left, right)


def _unknown(sign: str, *args: Dim) -> Dim:
    """A symbol that stands for one expression and no other: equal expressions give equal symbols."""
    text = sign.join(f"({arg})" for arg in args)
    return Dim.symbol(f"{SIGNED}large:{blake2s(text.encode(), digest_size=8).hexdigest()}", "unknown")


def _replace_atom(atom: Atom, values: Mapping[str, Dim]) -> Dim:
    if isinstance(atom, Symbol):
        value = values.get(atom.name)
        return Dim({(atom,): 1}) if value is None else value
    return apply(atom.op, *(arg.replace(values) for arg in atom.args))


def apply(op: Operation, *args: Dim) -> Dim:
    """The operation in normal form."""
    if op == "floordiv":
        return floordiv(*args)
    if op == "mod":
        return mod(*args)
    if op == "broadcast":
        return broadcast(*args)
    return _extremum(op, args)


def maximum(*args: Dim) -> Dim:
    """The greatest of the arguments."""
    return _extremum("max", args)


def minimum(*args: Dim) -> Dim:
    """The least of the arguments."""
    return _extremum("min", args)


def floordiv(dividend: Dim, divisor: Dim) -> Dim:
    """Division rounded down. It has no value where the divisor is 0, so nothing symbolic is cancelled."""
    if divisor.const is None:
        return _floordiv_symbolic(dividend, divisor)
    by = divisor.const
    if by == 0:
        return _atom("floordiv", dividend, divisor)
    if by < 0:
        dividend, by = -dividend, -by
    if dividend.const is not None:
        return Dim.of(dividend.const // by)
    return _floordiv_constant(dividend, by)


def _floordiv_constant(dividend: Dim, divisor: int) -> Dim:
    """dividend // divisor for a positive divisor: multiples leave, gcds cancel, nested divisions join, and the first
    term of what stays is positive."""
    if divisor == 1:
        return dividend
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, coefficient in dividend.terms.items():
        quotient = coefficient // divisor
        if monomial and coefficient < 0 and quotient * divisor != coefficient:
            quotient += 1
        remainder = coefficient - quotient * divisor
        if quotient:
            whole[monomial] = quotient
        if remainder:
            rest[monomial] = remainder
    outside = Dim(whole)
    common = reduce(gcd, (coefficient for monomial, coefficient in rest.items() if monomial), divisor)
    if common > 1:
        divisor //= common
        rest = {monomial: coefficient // common for monomial, coefficient in rest.items()}
        rest = {monomial: coefficient for monomial, coefficient in rest.items() if coefficient}
    inner = Dim(rest)
    if inner.const is not None:
        return outside + inner.const // divisor
    if divisor == 1:
        return outside + inner
    if common > 1:
        return outside + _floordiv_constant(inner, divisor)
    nested = _nested_floordiv(inner)
    if nested is not None:
        dividend, first = nested
        return outside + _floordiv_constant(dividend, first * divisor)
    lead, coefficient = ordered(rest)[0]
    if lead and coefficient < 0:
        return outside - _floordiv_constant(divisor - 1 - inner, divisor)
    low, high = inner.range
    if low is not None and high is not None and low // divisor == high // divisor:
        return outside + low // divisor
    return outside + _atom("floordiv", inner, Dim.of(divisor))


def _nested_floordiv(inner: Dim) -> tuple[Dim, int] | None:
    """a + k*b and b, where `inner` is `a//b + k` with a positive integer b."""
    part, constant = inner.split()
    if len(part.terms) != 1:
        return None
    (monomial, coefficient), *_ = part.terms.items()
    if coefficient != 1 or len(monomial) != 1:
        return None
    atom = monomial[0]
    if not isinstance(atom, Op) or atom.op != "floordiv":
        return None
    divisor = atom.args[1].const
    if divisor is None or divisor <= 0:
        return None
    return atom.args[0] + constant * divisor, divisor


def _floordiv_symbolic(dividend: Dim, divisor: Dim) -> Dim:
    common = reduce(gcd, (*dividend.terms.values(), *divisor.terms.values()), 0)
    if common > 1:
        dividend = Dim({monomial: coefficient // common for monomial, coefficient in dividend.terms.items()})
        divisor = Dim({monomial: coefficient // common for monomial, coefficient in divisor.terms.items()})
    if divisor.const is not None:
        return floordiv(dividend, divisor)
    if never_zero(divisor):
        quotient = _exact_division(dividend, divisor)
        if quotient is not None:
            return quotient
    return _atom("floordiv", dividend, divisor)


def mod(dividend: Dim, divisor: Dim) -> Dim:
    """The remainder with the sign of the divisor, as in Python. It has no value where the divisor is 0."""
    if divisor.const is None:
        if never_zero(divisor) and _exact_division(dividend, divisor) is not None:
            return ZERO
        return _atom("mod", dividend, divisor)
    if divisor.const == 0:
        return _atom("mod", dividend, divisor)
    if divisor.const < 0:
        return -mod(-dividend, -divisor)
    if dividend.const is not None:
        return Dim.of(dividend.const % divisor.const)
    return _mod_constant(dividend, divisor.const)


def _mod_constant(dividend: Dim, divisor: int) -> Dim:
    rest: dict[Monomial, int] = {}
    dividend = dividend.map_atoms(lambda atom: _drop_mod(atom, divisor))
    for monomial, coefficient in dividend.terms.items():
        remainder = coefficient % divisor
        if monomial and 2 * remainder > divisor:
            remainder -= divisor
        if remainder:
            rest[monomial] = remainder
    inner = Dim(rest)
    if inner.const is not None:
        return Dim.of(inner.const % divisor)
    common = reduce(gcd, rest.values(), divisor)
    if common > 1:
        return common * _mod_constant(Dim({m: c // common for m, c in rest.items()}), divisor // common)
    low, high = inner.range
    if low is not None and high is not None and low // divisor == high // divisor:
        return inner - (low // divisor) * divisor
    return _atom("mod", inner, Dim.of(divisor))


def _drop_mod(atom: Atom, divisor: int) -> Dim:
    """x for x % m where the divisor divides m: the same remainder."""
    if isinstance(atom, Op) and atom.op == "mod":
        modulus = atom.args[1].const
        if modulus is not None and modulus % divisor == 0:
            return atom.args[0].map_atoms(lambda inner: _drop_mod(inner, divisor))
    return Dim({(atom,): 1})


def never_zero(dim: Dim) -> bool:
    """Whether it is non-zero for every admitted value of the symbols, by its interval or its remainders alone."""
    low, high = dim.range
    if (low is not None and low > 0) or (high is not None and high < 0):
        return True
    common = reduce(gcd, (coefficient for monomial, coefficient in dim.terms.items() if monomial), 0)
    return dim.terms.get((), 0) % common != 0 if common else bool(dim.terms)


def _extremum(op: Literal["max", "min"], args: tuple[Dim, ...]) -> Dim:
    """max or min: flat, without repeated or dominated arguments, common terms pulled out."""
    flat: dict[Dim, None] = {}
    for arg in args:
        inner = _single_op(arg, op)
        for each in inner.args if inner else (arg,):
            flat[each] = None
    kept = [arg for arg in flat if not any(_dominated(op, arg, other, flat) for other in flat if other is not arg)]
    if len(kept) == 1:
        return kept[0]
    common = {
        monomial: coefficient
        for monomial, coefficient in kept[0].terms.items()
        if all(arg.terms.get(monomial) == coefficient for arg in kept)
    }
    if common:
        shared = Dim(common)
        return shared + _extremum(op, tuple(arg - shared for arg in kept))
    factor = reduce(gcd, (coefficient for arg in kept for coefficient in arg.terms.values()), 0)
    if factor > 1:
        return factor * _extremum(op, tuple(Dim({m: c // factor for m, c in arg.terms.items()}) for arg in kept))
    kept.sort(key=_argument_key)
    return _atom(op, *kept)


def _argument_key(arg: Dim) -> tuple[bool, str]:
    return arg.const is not None, str(arg)


def _dominated(op: Literal["max", "min"], arg: Dim, other: Dim, among: Mapping[Dim, None]) -> bool:
    """Whether `other` makes `arg` superfluous. Of two that are always equal the first stays."""
    low, high = (other - arg).range
    if op == "min":
        low, high = (None if high is None else -high), (None if low is None else -low)
    if low is None or low < 0:
        return False
    return high != 0 or low != 0 or next(each for each in among if each in (arg, other)) is other


def broadcast(*args: Dim) -> Dim:
    """The one size that the arguments broadcast to: their size other than 1. Defined where they agree or are 1."""
    flat: dict[Dim, None] = {}
    for arg in args:
        inner = _single_op(arg, "broadcast")
        for each in inner.args if inner else (arg,):
            if each.const != 1:
                flat[each] = None
    if not flat:
        return ONE
    if len(flat) == 1:
        return next(iter(flat))
    settled = [arg for arg in flat if never_zero(arg - 1)]
    if settled:
        return min(settled, key=_broadcast_key)
    return _atom("broadcast", *sorted(flat, key=_argument_key))


def _broadcast_key(arg: Dim) -> tuple[bool, int, str]:
    return arg.const is None, arg.size, str(arg)


def _single_op(dim: Dim, op: str) -> Op | None:
    if len(dim.terms) != 1:
        return None
    (monomial, coefficient), *_ = dim.terms.items()
    if coefficient != 1 or len(monomial) != 1:
        return None
    atom = monomial[0]
    return atom if isinstance(atom, Op) and atom.op == op else None


def _atom(op: Operation, *args: Dim) -> Dim:
    made = Op(op, args)
    return Dim({(made,): 1}) if made.size < MAX_SIZE else _unknown(op, *args)


def _exact_division(dividend: Dim, divisor: Dim) -> Dim | None:
    """Long division of polynomials by leading terms, given up where a term does not divide."""
    if divisor.const is not None:
        by = divisor.const
        if by == 0 or any(coefficient % by for coefficient in dividend.terms.values()):
            return None
        return Dim({monomial: coefficient // by for monomial, coefficient in dividend.terms.items()})
    if not dividend.terms:
        return ZERO
    lead, by = ordered(divisor.terms)[0]
    quotient, rest = ZERO, dividend
    for _ in range(MAX_TERMS):
        if not rest.terms:
            return quotient
        monomial, coefficient = ordered(rest.terms)[0]
        left = _monomial_quotient(monomial, lead)
        if left is None or coefficient % by:
            return None
        step = Dim({left: coefficient // by})
        quotient, rest = quotient + step, rest - step * divisor
    return None


def _monomial_quotient(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    left = list(monomial)
    for atom in divisor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _evaluate_op(atom: Op, sizes: Mapping[str, int]) -> int:
    values = [arg.evaluate(sizes) for arg in atom.args]
    if atom.op == "floordiv":
        return values[0] // values[1]
    if atom.op == "mod":
        return values[0] % values[1]
    if atom.op == "max":
        return max(values)
    if atom.op == "min":
        return min(values)
    return broadcast_values(*values)


def broadcast_values(*values: int) -> int:
    """The first size that is not 1, else 1."""
    return next((value for value in values if value != 1), 1)


def _op_range(op: Operation, args: tuple[Dim, ...]) -> Range:
    if op == "floordiv":
        return _floordiv_range(args[0].range, args[1])
    if op == "mod":
        low, high = args[1].range
        return (0, None if high is None else max(high - 1, 0)) if low is not None and low >= 0 else (None, None)
    lows, highs = [arg.range[0] for arg in args], [arg.range[1] for arg in args]
    some_lows, some_highs = [x for x in lows if x is not None], [x for x in highs if x is not None]
    all_low = min(some_lows) if len(some_lows) == len(args) else None
    all_high = max(some_highs) if len(some_highs) == len(args) else None
    if op == "max":
        return max(some_lows, default=None), all_high
    if op == "min":
        return all_low, min(some_highs, default=None)
    return all_low, all_high


def _floordiv_range(dividend: Range, divisor: Dim) -> Range:
    low, high = dividend
    by = divisor.const
    if by is not None and by > 0:
        return (None if low is None else low // by), (None if high is None else high // by)
    least = divisor.range[0]
    if low is None or low < 0 or least is None or least < 0:
        return None, None
    return 0, (None if high is None else high // max(least, 1))


def _polynomial_range(terms: Mapping[Monomial, int]) -> Range:
    low: int | None = 0
    high: int | None = 0
    for monomial, coefficient in terms.items():
        least, most = _monomial_range(monomial)
        if coefficient < 0:
            least, most = most, least
        low = None if low is None or least is None else low + coefficient * least
        high = None if high is None or most is None else high + coefficient * most
    return low, high


def _monomial_range(monomial: Monomial) -> Range:
    low, high = 1, 1
    for atom in monomial:
        least, most = atom.range
        if least is None or least < 0:
            return (None, None) if len(monomial) > 1 else (least, most)
        low *= least
        high = None if most is None or high is None else high * most
    return low, high


def quoted(name: str) -> str:
    """A symbol's name as printed: bare where it is a Python identifier, else in backquotes."""
    if name.isidentifier() and not keyword.iskeyword(name):
        return name
    escaped = "".join(f"\\{c}" if c in "\\`" else c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in name)
    return f"`{escaped}`"


def _print_sum(terms: Mapping[Monomial, int]) -> str:
    parts = ordered(terms)
    first = next((i for i, (_, coefficient) in enumerate(parts) if coefficient > 0), 0)
    parts.insert(0, parts.pop(first))
    text = ""
    for monomial, coefficient in parts:
        size = _print_term(monomial, abs(coefficient))
        if text:
            text += f" - {size}" if coefficient < 0 else f" + {size}"
        elif coefficient < 0:
            text = f"-{size}" if not _is_division(monomial, coefficient) else f"-({size})"
        else:
            text = size
    return text


def _is_division(monomial: Monomial, coefficient: int) -> bool:
    return abs(coefficient) == 1 and len(monomial) == 1 and _divides(monomial[0])


def _divides(atom: Atom) -> bool:
    return isinstance(atom, Op) and atom.op in ("floordiv", "mod")


def _print_term(monomial: Monomial, coefficient: int) -> str:
    if not monomial:
        return str(coefficient)
    if _is_division(monomial, coefficient):
        return monomial[0].key
    factors: list[str] = [] if coefficient == 1 else [str(coefficient)]
    for atom in dict.fromkeys(monomial):
        power = monomial.count(atom)
        base = f"({atom.key})" if _divides(atom) else atom.key
        factors.append(base if power == 1 else f"{base}**{power}")
    return "*".join(factors)


def _print_op(op: Operation, args: tuple[Dim, ...]) -> str:
    if op not in ("floordiv", "mod"):
        return f"{op}({', '.join(str(arg) for arg in args)})"
    dividend, divisor = args
    left, right = str(dividend), str(divisor)
    if (
        len(dividend.terms) > 1
        or any(c < 0 for c in dividend.terms.values())
        or _single_op(dividend, "floordiv")
        or _single_op(dividend, "mod")
    ):
        left = f"({left})"
    bare = divisor.as_symbol is not None or (divisor.const is not None and divisor.const >= 0)
    right = right if bare else f"({right})"
    return f"{left}//{right}" if op == "floordiv" else f"{left} % {right}"
