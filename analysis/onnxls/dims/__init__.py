"""Symbolic sizes: integer polynomials over atoms, kept in one normal form.

A `Dim` is a sum of integer multiples of products of atoms. An atom is a symbol, or an opaque `floordiv`, `mod`,
`max`, `min` or `broadcast` of Dims. Every rewriting done here is an identity for all values of the symbols that
their lower bounds admit (0 and up, unless the name starts with `±`), wherever the expression has a value at all;
what needs more than that is asked of `onnxls.decide`. Equality is structural. Numbers are exact Python integers.
"""

from onnxls.dims.atoms import SIGNED, Atom, Monomial, Op, Operation, Origin, Symbol, broadcast_values
from onnxls.dims.division import ceildiv, floordiv, mod, never_zero
from onnxls.dims.operations import apply, broadcast, broadcast_arms, maximum, minimum
from onnxls.dims.polynomial import ONE, ZERO, Dim, product, total
from onnxls.dims.printing import ordered
from onnxls.dims.ranges import Range

__all__ = [
    "ONE",
    "SIGNED",
    "ZERO",
    "Atom",
    "Dim",
    "Monomial",
    "Op",
    "Operation",
    "Origin",
    "Range",
    "Symbol",
    "apply",
    "broadcast",
    "broadcast_arms",
    "broadcast_values",
    "ceildiv",
    "floordiv",
    "maximum",
    "minimum",
    "mod",
    "never_zero",
    "ordered",
    "product",
    "total",
]
