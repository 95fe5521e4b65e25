"""Random size expressions, made twice: as a Dim, and as plain Python that says what it should be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from onnxls.dims import Dim, maximum, minimum

NAMES = ("N", "H", "past + 1", "max", "if", "é`\\ \n", "x[0]")
Plain = Callable[[Mapping[str, int]], int]


@dataclass(frozen=True)
class Pair:
    """A Dim and the function that it stands for."""

    dim: Dim
    plain: Plain


def _constant(value: int) -> Pair:
    return Pair(Dim.of(value), lambda sizes: value)


def _symbol(name: str) -> Pair:
    return Pair(Dim.symbol(name), lambda sizes: sizes[name])


def _combined(left: Pair, right: Pair, sign: str) -> Pair:
    a, b, f, g = left.dim, right.dim, left.plain, right.plain
    if sign == "+":
        return Pair(a + b, lambda s: f(s) + g(s))
    if sign == "-":
        return Pair(a - b, lambda s: f(s) - g(s))
    if sign == "*":
        return Pair(a * b, lambda s: f(s) * g(s))
    if sign == "//":
        return Pair(a // b, lambda s: f(s) // g(s))
    if sign == "%":
        return Pair(a % b, lambda s: f(s) % g(s))
    if sign == "max":
        return Pair(maximum(a, b), lambda s: max(f(s), g(s)))
    return Pair(minimum(a, b), lambda s: min(f(s), g(s)))


def _by_constant(left: Pair, divisor: int, sign: str) -> Pair:
    a, f = left.dim, left.plain
    if sign == "//":
        return Pair(a // divisor, lambda s: f(s) // divisor)
    return Pair(a % divisor, lambda s: f(s) % divisor)


constants = st.sampled_from([0, 1, 2, 3, 5, 7, -1, -2, 64, 2**62])
leaves = st.one_of(constants.map(_constant), st.sampled_from(NAMES).map(_symbol))
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(_combined, inner, inner, st.sampled_from(["+", "-", "*", "max", "min", "//", "%"])),
        st.builds(_by_constant, inner, st.sampled_from([2, 3, 4, 6, 8, -2, -3]), st.sampled_from(["//", "%"])),
    ),
    max_leaves=10,
)
sizes = st.fixed_dictionaries({name: st.sampled_from([0, 1, 2, 3, 5, 8, 17, 2**40 + 1, 2**62]) for name in NAMES})
