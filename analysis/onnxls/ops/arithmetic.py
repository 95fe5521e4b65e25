"""Exact arithmetic on the elements of small tensors.

Nothing here rounds: what has no exact value as an `Element` is None. In a tensor of floats a `Ratio` whose divisor is
no power of two is the one value that a runtime does round, once, as the result of a division. Its floor and ceiling
are those of the exact quotient; of any other arithmetic on it nothing is claimed. Nor is anything claimed of what is
computed from a quotient of floats whose divisor may be 0: a runtime goes on there with NaN, where the integer division
refuses. Symbolic sizes are taken to be small enough for float32, their products for the integer type at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt, prod

from onnxls.dims import ONE, SIGNED, ZERO, Atom, Dim, Op, ceildiv, maximum, minimum, never_zero
from onnxls.facts import BFLOAT16, BOOL, DOUBLE, FLOAT, FLOAT16, INT32, INT64, MAX_ELEMENTS, Element, Fact, Ratio, ratio
from onnxls.ops.truths import indicator
from onnxls.relations import Condition, Relation, at_most, unequal
from onnxls.relations import equal as equality

Ask = Callable[[Condition], bool | None]

_BITS = {2: 8, 3: 8, 4: 16, 5: 16, INT32: 32, INT64: 64, 12: 32, 13: 64, 21: 4, 22: 4, 25: 2, 26: 2}
_UNSIGNED = frozenset((2, 4, 12, 13, 21, 25))
_SIGNIFICANT_BITS = {FLOAT: 24, DOUBLE: 53, FLOAT16: 11, BFLOAT16: 8}
_GREATEST_EXPONENT = {FLOAT: 126, DOUBLE: 1022, FLOAT16: 14, BFLOAT16: 126}
_ROOM_FOR_SIZES = {FLOAT: 14, DOUBLE: 32}
"""Of the significant bits of a float type, those that are left to the sizes in a symbolic element."""
_BITS_OF_A_SIZE = 7
"""The bits that each factor of a symbolic integer must have room for: greater powers are no sizes, and overflow."""


def parts(element: Element) -> tuple[Dim, int]:
    """Dividend and divisor."""
    return (element, 1) if isinstance(element, Dim) else (element.dividend, element.divisor)


def is_rounded(element: Element) -> bool:
    """Whether a runtime holds only the nearest float to it."""
    return isinstance(element, Ratio) and element.divisor & (element.divisor - 1) != 0


def is_loose(element: Element, dtype: int | None) -> bool:
    """Whether nothing can be said of arithmetic on it: a runtime rounds it, or may have NaN in its place."""
    return is_rounded(element) or may_be_nan(element, dtype)


def may_be_nan(element: Element, dtype: int | None) -> bool:
    """Whether it is a float that has no value at some sizes."""
    dividend = parts(element)[0]
    return dividend.const is None and dtype not in _BITS and dtype != BOOL and _divides_by_zero(dividend)


def _divides_by_zero(dim: Dim) -> bool:
    """Whether there is a divisor in it that may be 0."""
    for monomial in dim.terms:
        for atom in monomial:
            if isinstance(atom, Op):
                if atom.op in ("floordiv", "mod") and not never_zero(atom.args[1]):
                    return True
                if any(_divides_by_zero(arg) for arg in atom.args):
                    return True
    return False


def bits(dtype: int | None) -> int | None:
    """The width of an integer type."""
    return _BITS.get(dtype) if dtype is not None else None


def integer_range(dtype: int) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    width = _BITS[dtype]
    return (0, 2**width - 1) if dtype in _UNSIGNED else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)


def fits(element: Element, dtype: int | None) -> bool:
    """Whether a tensor of this type can hold the element, exactly or rounded once (see the head of this module)."""
    if dtype is None or dtype == BOOL:
        return True
    if dtype in _BITS:
        return isinstance(element, Dim) and _integer_fits(element, dtype)
    dividend, divisor = parts(element)
    significant = _SIGNIFICANT_BITS.get(dtype)
    if significant is None or divisor.bit_length() > _GREATEST_EXPONENT[dtype]:
        return False
    shared = 0
    if not is_rounded(element):  # a power of two is free, save where the next integer must be far enough away
        shared = min((_trailing_zeros(coefficient) for coefficient in dividend.terms.values()), default=0)
    weight = sum(abs(coefficient) for coefficient in dividend.terms.values()) >> shared
    if dividend.const is not None:
        return weight.bit_length() <= significant and dividend.const.bit_length() <= _GREATEST_EXPONENT[dtype]
    room = _ROOM_FOR_SIZES.get(dtype)
    if room is None or any(name.startswith(SIGNED) for name in dividend.symbols()):
        return False
    return max(len(monomial) for monomial in dividend.terms) <= 2 and weight.bit_length() <= significant - room


def _integer_fits(element: Dim, dtype: int) -> bool:
    least, most = integer_range(dtype)
    if element.const is not None:
        return least <= element.const <= most
    low, high = element.range
    if any(_BITS_OF_A_SIZE * len(m) + abs(c).bit_length() > _BITS[dtype] - 2 for m, c in element.terms.items()):
        return False
    if dtype in (INT32, INT64):
        return True
    if low is None or low < least:
        return False
    return _BITS[dtype] >= 32 or (high is not None and high <= most)


def _trailing_zeros(value: int) -> int:
    return (value & -value).bit_length() - 1 if value else 0


# -------------------------------------------------------------------- sums and products


def adds_exactly(elements: Sequence[Element], dtype: int | None) -> bool:
    """Whether a runtime adds these elements of a tensor exactly, in whatever order it does."""
    if dtype in _BITS or dtype == BOOL:
        return True
    if dtype is None or any(is_loose(each, dtype) for each in elements):
        return False
    scale = max((parts(each)[1] for each in elements), default=1)
    weight = symbolic = 0
    for each in elements:
        dividend, divisor = parts(each)
        weight += sum(abs(coefficient) for coefficient in dividend.terms.values()) * (scale // divisor)
        symbolic |= dividend.const is None
    room = _ROOM_FOR_SIZES.get(dtype) if symbolic else 0
    return room is not None and weight.bit_length() <= _SIGNIFICANT_BITS.get(dtype, 0) - room


def add(a: Element, b: Element) -> Element:
    """a + b"""
    if isinstance(a, Dim) and isinstance(b, Dim):
        return a + b
    (p, q), (r, s) = parts(a), parts(b)
    return ratio(p * s + r * q, q * s)


def negative(a: Element) -> Element:
    """-a"""
    return -a if isinstance(a, Dim) else Ratio(-a.dividend, a.divisor)


def multiply(a: Element, b: Element) -> Element:
    """a * b"""
    if isinstance(a, Dim) and isinstance(b, Dim):
        return a * b
    (p, q), (r, s) = parts(a), parts(b)
    return ratio(p * r, q * s)


def quotient(a: Element, b: Element, ask: Ask) -> Element | None:
    """a / b. Where b may be 0 the result has no value there."""
    (p, q), (r, s) = parts(a), parts(b)
    dividend, divisor = p * s, r * q
    if divisor.const is not None:
        return ratio(dividend, divisor.const) if divisor.const else None
    whole = dividend.exact_div(divisor)
    if whole is None:
        return None
    return whole if ask(unequal(divisor, 0)) is True else dividend // divisor


def truncated_quotient(dividend: Dim, divisor: Dim, ask: Ask) -> Dim | None:
    """a / b rounded toward zero, as ONNX divides integers. Where b may be 0 the result has no value there."""
    if divisor.const == 0:
        return None
    whole = dividend.exact_div(divisor)
    if whole is not None and (divisor.const is not None or ask(unequal(divisor, 0)) is True):
        return whole
    if not is_nonnegative(divisor, ask):
        dividend, divisor = -dividend, -divisor
        if not is_nonnegative(divisor, ask):
            return None
    if is_nonnegative(dividend, ask):
        return dividend // divisor
    if is_nonnegative(-dividend, ask):
        return -(-dividend // divisor)
    return maximum(dividend, ZERO) // divisor - maximum(-dividend, ZERO) // divisor


def remainder(a: Dim, b: Dim) -> Dim | None:
    """The remainder with the sign of the divisor."""
    return None if b.const == 0 else a % b


def truncated_remainder(a: Element, b: Element, ask: Ask) -> Element | None:
    """The remainder with the sign of the dividend (C's fmod)."""
    whole: Element | None
    if isinstance(a, Dim) and isinstance(b, Dim):
        whole = truncated_quotient(a, b, ask)
    else:
        exact = quotient(a, b, ask)
        whole = None if exact is None else toward_zero(exact, ask)
    return None if whole is None else add(a, negative(multiply(b, whole)))


def power(base: Element, exponent: Element, ask: Ask) -> Element | None:
    """base ** exponent for constant exponents that are integers or 1/2."""
    if isinstance(exponent, Ratio):
        return square_root(base) if exponent == Ratio(ONE, 2) else None
    times = exponent.const
    if times is None or abs(times) > 64:
        return None
    dividend, divisor = parts(base)
    try:
        raised = ratio(dividend ** abs(times), divisor ** abs(times))
    except ValueError:
        return None
    return raised if times >= 0 else quotient(ONE, raised, ask)


def square_root(a: Element) -> Element | None:
    """The root of an exact square."""
    dividend, divisor = parts(a)
    upper, lower = _root(dividend), isqrt(divisor)
    return None if upper is None or lower * lower != divisor else ratio(upper, lower)


def _root(dim: Dim) -> Dim | None:
    """The non-negative root of a square number, or of a square monomial of atoms that are not negative."""
    if not dim.terms:
        return ZERO
    if len(dim.terms) != 1:
        return None
    (monomial, coefficient), *_ = dim.terms.items()
    if coefficient < 0 or isqrt(coefficient) ** 2 != coefficient:
        return None
    half: list[Atom] = []
    for atom in dict.fromkeys(monomial):
        low, count = atom.range[0], monomial.count(atom)
        if count % 2 or low is None or low < 0:
            return None
        half += [atom] * (count // 2)
    return Dim({tuple(half): isqrt(coefficient)})


# -------------------------------------------------------------------- rounding


def floor(a: Element) -> Dim:
    """The greatest integer that is not above."""
    return a if isinstance(a, Dim) else a.dividend // a.divisor


def ceiling(a: Element) -> Dim:
    """The least integer that is not below."""
    return a if isinstance(a, Dim) else ceildiv(a.dividend, a.divisor)


def toward_zero(a: Element, ask: Ask) -> Dim | None:
    """The integer part."""
    return a if isinstance(a, Dim) else truncated_quotient(a.dividend, Dim.of(a.divisor), ask)


def half_to_even(a: Element) -> Dim | None:
    """The nearest integer; the even one of two."""
    if isinstance(a, Dim):
        return a
    dividend, divisor = a.dividend, a.divisor
    if divisor % 2:
        return (2 * dividend + divisor) // (2 * divisor)
    if divisor == 2:
        below = dividend // 2
        return below + (dividend % 2) * (below % 2)
    if dividend.const is None:
        return None
    below, rest = divmod(dividend.const, divisor)
    return Dim.of(below + (2 * rest > divisor or (2 * rest == divisor and below % 2 == 1)))


# -------------------------------------------------------------------- order


def is_nonnegative(dim: Dim, ask: Ask) -> bool:
    """Whether it is known to be 0 or more."""
    low, high = dim.range
    if low is not None and low >= 0:
        return True
    return (high is None or high >= 0) and ask(at_most(0, dim)) is True


def greatest(a: Element, b: Element, ask: Ask) -> Element:
    """max(a, b)"""
    return _extreme(a, b, ask, least=False)


def least(a: Element, b: Element, ask: Ask) -> Element:
    """min(a, b)"""
    return _extreme(a, b, ask, least=True)


def _extreme(a: Element, b: Element, ask: Ask, *, least: bool) -> Element:
    if a == b:
        return a
    (p, q), (r, s) = parts(a), parts(b)
    left, right = p * s, r * q
    if is_nonnegative(right - left, ask):
        return a if least else b
    if is_nonnegative(left - right, ask):
        return b if least else a
    return ratio(minimum(left, right) if least else maximum(left, right), q * s)


def magnitude(a: Element, ask: Ask) -> Element:
    """|a|"""
    return greatest(a, negative(a), ask)


def sign(a: Element, ask: Ask) -> Element:
    """-1, 0 or 1"""
    return least(greatest(parts(a)[0], Dim.of(-1), ask), ONE, ask)


def compare(op: str, a: Element, b: Element, ask: Ask) -> Dim | None:
    """1 or 0 where `a op b` (of == < <=) is decided, else 1 where it holds; None where it cannot be followed."""
    (p, q), (r, s) = parts(a), parts(b)
    left, right = p * s, r * q
    relation = equality(left, right) if op == "==" else Relation(left, "<" if op == "<" else "<=", right)
    answer = ask(relation)
    return indicator(relation) if answer is None else Dim.of(int(answer))


# -------------------------------------------------------------------- tensors


def constant_shape(fact: Fact) -> tuple[int, ...] | None:
    """The sizes of a tensor that is small enough to have elements, where all are numbers."""
    sizes: list[int] = []
    for dim in fact.shape if fact.shape is not None else (None,):
        if dim is None or dim.const is None or dim.const < 0:
            return None
        sizes.append(dim.const)
    return tuple(sizes) if prod(sizes) <= MAX_ELEMENTS else None


def places(shape: Sequence[int], out: Sequence[int]) -> list[int] | None:
    """For each element of a tensor of shape `out`, where it lies in an operand that is broadcast to it; None where
    there are too many, or it is not."""
    missing = len(out) - len(shape)
    if missing < 0 or prod(out) > MAX_ELEMENTS:
        return None
    if 0 in out:
        return []
    found = [0]
    for axis, size in enumerate(out):
        own = shape[axis - missing] if axis >= missing else 1
        if own not in (1, size):
            return None
        found = [place * own + (index if own != 1 else 0) for place in found for index in range(size)]
    return found
