"""Dims to sympy and back. sympy is imported on use only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onnxls.dims import Atom, Dim, Symbol, broadcast, ceildiv, maximum, minimum

if TYPE_CHECKING:
    import sympy


def to_sympy(dim: Dim) -> sympy.Expr:
    """The expression over integer symbols of the same names, non-negative where the names are of sizes."""
    import sympy

    result: Any = sympy.Integer(0)
    for monomial, coefficient in dim.terms.items():
        term: Any = sympy.Integer(coefficient)
        for atom in monomial:
            term = term * _atom(atom)
        result = result + term
    return result


def _atom(atom: Atom) -> Any:
    import sympy

    if isinstance(atom, Symbol):
        return sympy.Symbol(atom.name, integer=True, nonnegative=True if atom.range[0] == 0 else None)
    args = [to_sympy(arg) for arg in atom.args]
    if atom.op == "floordiv":
        return sympy.floor(args[0] / args[1])
    if atom.op == "mod":
        return sympy.Mod(args[0], args[1])
    if atom.op == "broadcast":
        return sympy.Function("broadcast", integer=True)(*args)
    extremum: Any = sympy.Max if atom.op == "max" else sympy.Min
    return extremum(*args)


def from_sympy(expr: sympy.Basic) -> Dim:
    """The Dim of an integer expression; ValueError where it has none."""
    dividend, divisor = _quotient(expr)
    if divisor != 1:
        raise ValueError(f"{expr} is no integer polynomial")
    return dividend


def _quotient(expr: Any) -> tuple[Dim, Dim]:
    """Dividend and divisor of a rational expression."""
    import sympy

    if isinstance(expr, (sympy.Integer, int)):
        return Dim.of(int(expr)), Dim.of(1)
    if isinstance(expr, sympy.Rational):
        return Dim.of(int(expr.p)), Dim.of(int(expr.q))
    if isinstance(expr, sympy.Symbol):
        return Dim.symbol(expr.name), Dim.of(1)
    if isinstance(expr, sympy.Add):
        return _sum([_quotient(arg) for arg in expr.args])
    if isinstance(expr, sympy.Mul):
        return _product([_quotient(arg) for arg in expr.args])
    if isinstance(expr, sympy.Pow) and isinstance(expr.args[1], sympy.Integer):
        return _power(*_quotient(expr.args[0]), int(expr.args[1]))
    return _function(expr), Dim.of(1)


def _sum(parts: list[tuple[Dim, Dim]]) -> tuple[Dim, Dim]:
    dividend, divisor = Dim.of(0), Dim.of(1)
    for top, bottom in parts:
        if bottom == divisor:
            dividend = dividend + top
        else:
            dividend, divisor = dividend * bottom + top * divisor, divisor * bottom
    return dividend, divisor


def _product(parts: list[tuple[Dim, Dim]]) -> tuple[Dim, Dim]:
    dividend, divisor = Dim.of(1), Dim.of(1)
    for top, bottom in parts:
        dividend, divisor = dividend * top, divisor * bottom
    return dividend, divisor


def _power(top: Dim, bottom: Dim, exponent: int) -> tuple[Dim, Dim]:
    if exponent < 0:
        top, bottom, exponent = bottom, top, -exponent
    return top**exponent, bottom**exponent


def _function(expr: Any) -> Dim:
    import sympy

    name = type(expr).__name__
    if isinstance(expr, (sympy.floor, sympy.ceiling)):
        dividend, divisor = _quotient(expr.args[0])
        return dividend // divisor if isinstance(expr, sympy.floor) else ceildiv(dividend, divisor)
    if isinstance(expr, sympy.Mod):
        left, right = (from_sympy(arg) for arg in expr.args)
        return left % right
    if isinstance(expr, (sympy.Max, sympy.Min)) or name == "broadcast":
        args = [from_sympy(arg) for arg in expr.args]
        make = maximum if isinstance(expr, sympy.Max) else minimum if isinstance(expr, sympy.Min) else broadcast
        return make(*args)
    raise ValueError(f"no size corresponds to {expr}")
