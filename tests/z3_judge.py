"""Sizes and conditions in the terms of z3, which judges the decider in tests."""

from __future__ import annotations

from typing import Any

from onnxls.dims import Atom, Dim, Symbol
from onnxls.relations import AllOf, AnyOf, Condition


def z3_dim(dim: Dim, z3: Any, symbols: dict[str, Any], sides: list[Any]) -> Any:
    """A Dim for z3; `symbols` gathers its symbols, `sides` what must hold for it to have a value."""
    total = z3.IntVal(0)
    for monomial, coefficient in dim.terms.items():
        term = z3.IntVal(coefficient)
        for atom in monomial:
            term = term * _z3_atom(atom, z3, symbols, sides)
        total = total + term
    return total


def _z3_atom(atom: Atom, z3: Any, symbols: dict[str, Any], sides: list[Any]) -> Any:
    if isinstance(atom, Symbol):
        return symbols.setdefault(atom.name, z3.Int(atom.name))
    args = [z3_dim(arg, z3, symbols, sides) for arg in atom.args]
    if atom.op in ("floordiv", "mod"):
        sides.append(args[1] > 0)
        return args[0] / args[1] if atom.op == "floordiv" else args[0] % args[1]
    if atom.op == "broadcast":
        result = z3.FreshInt()
        sides.append(z3.And(*(z3.Or(arg == result, arg == 1) for arg in args), z3.Or(*(arg == result for arg in args))))
        return result
    result = args[0]
    for arg in args[1:]:
        result = z3.If(result >= arg, result, arg) if atom.op == "max" else z3.If(result <= arg, result, arg)
    return result


def z3_condition(condition: Condition, z3: Any, symbols: dict[str, Any], sides: list[Any]) -> Any:
    """A condition for z3; see `z3_dim`."""
    if isinstance(condition, AnyOf):
        return z3.Or(*(z3_condition(part, z3, symbols, sides) for part in condition.parts))
    if isinstance(condition, AllOf):
        return z3.And(*(z3_condition(part, z3, symbols, sides) for part in condition.parts))
    lhs, rhs = (z3_dim(side, z3, symbols, sides) for side in (condition.lhs, condition.rhs))
    if condition.op == "==":
        return lhs == rhs
    if condition.op == "!=":
        return lhs != rhs
    return lhs <= rhs if condition.op == "<=" else lhs < rhs
