"""Division rounded down, its remainder, and exact division of polynomials, in normal form."""

from __future__ import annotations

from functools import reduce
from math import gcd

from onnxls.dims.atoms import Atom, Monomial, Op
from onnxls.dims.polynomial import MAX_TERMS, ZERO, Dim, atom_dim
from onnxls.dims.printing import ordered


def floordiv(dividend: Dim, divisor: Dim) -> Dim:
    """Division rounded down. It has no value where the divisor is 0, so nothing symbolic is cancelled."""
    if divisor.const is None:
        return _floordiv_symbolic(dividend, divisor)
    by = divisor.const
    if by == 0:
        return atom_dim("floordiv", dividend, divisor)
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
    return outside + atom_dim("floordiv", inner, Dim.of(divisor))


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
        quotient = exact_division(dividend, divisor)
        if quotient is not None:
            return quotient
    return atom_dim("floordiv", dividend, divisor)


def ceildiv(dividend: Dim, divisor: Dim | int) -> Dim:
    """Division rounded up."""
    return -((-dividend) // divisor)


def mod(dividend: Dim, divisor: Dim) -> Dim:
    """The remainder with the sign of the divisor, as in Python. It has no value where the divisor is 0."""
    if divisor.const is None:
        if never_zero(divisor) and exact_division(dividend, divisor) is not None:
            return ZERO
        return atom_dim("mod", dividend, divisor)
    if divisor.const == 0:
        return atom_dim("mod", dividend, divisor)
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
    return atom_dim("mod", inner, Dim.of(divisor))


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


def exact_division(dividend: Dim, divisor: Dim) -> Dim | None:
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
