"""Arithmetic on values that are known, bounded in size: what would be long is unknown."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from onnxls.frontends.script.abstract import UNKNOWN, Abstract, ElementType, Form, Items, TensorForm, is_known

MAX_BITS = 256
MAX_ITEMS = 10_000

_COMPARE: Mapping[type[ast.cmpop], Callable[[int | float, int | float], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def fold_unary(op: ast.unaryop, value: Abstract) -> Abstract:
    """The value of `-x` and its kin, or UNKNOWN."""
    if isinstance(op, ast.Not) and is_known(value) and (isinstance(value, (int, float, str)) or value is None):
        return not value
    if not isinstance(value, (int, float)):
        return UNKNOWN
    if isinstance(op, ast.USub):
        return -value
    return +value if isinstance(op, ast.UAdd) else UNKNOWN


def fold_binary(op: ast.operator, left: Abstract, right: Abstract) -> Abstract:
    """The value of `x + y` and its kin, or UNKNOWN."""
    if isinstance(left, Items) or isinstance(right, Items):
        return _sequence(op, left, right)
    if isinstance(op, ast.BitOr) and (_is_type(left) or _is_type(right)):
        return Form("Union", (left, right))
    if isinstance(left, str) and isinstance(right, str) and isinstance(op, ast.Add):
        return left + right if len(left) + len(right) <= MAX_ITEMS else UNKNOWN
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return UNKNOWN
    if isinstance(op, ast.Pow):
        if isinstance(left, int) and isinstance(right, int) and (right < 0 or left.bit_length() * right > MAX_BITS):
            return UNKNOWN
        power = left**right
        return power if isinstance(power, (int, float)) else UNKNOWN
    if isinstance(left, int) and isinstance(right, int):
        made = _bits(op, left, right)
        if made is not None:
            return _bounded(made)
    if right == 0 and isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
        return UNKNOWN
    match op:
        case ast.Add():
            return _bounded(left + right)
        case ast.Sub():
            return _bounded(left - right)
        case ast.Mult():
            return _bounded(left * right)
        case ast.Div():
            return left / right
        case ast.FloorDiv():
            return _bounded(left // right)
        case ast.Mod():
            return _bounded(left % right)
        case _:
            return UNKNOWN


def _bits(op: ast.operator, left: int, right: int) -> int | None:
    match op:
        case ast.BitAnd():
            return left & right
        case ast.BitOr():
            return left | right
        case ast.BitXor():
            return left ^ right
        case ast.LShift() if 0 <= right < MAX_BITS:
            return left << right
        case ast.RShift() if 0 <= right < MAX_BITS:
            return left >> right
        case _:
            return None


def _bounded(number: float) -> Abstract:
    return UNKNOWN if isinstance(number, int) and number.bit_length() > MAX_BITS else number


def _sequence(op: ast.operator, left: Abstract, right: Abstract) -> Abstract:
    if isinstance(op, ast.Add) and isinstance(left, Items) and isinstance(right, Items):
        joined = left.items + right.items
        return Items(joined, left.is_list) if len(joined) <= MAX_ITEMS else UNKNOWN
    if isinstance(op, ast.Mult):
        items, count = (left, right) if isinstance(left, Items) else (right, left)
        if isinstance(items, Items) and isinstance(count, int) and len(items.items) * max(count, 0) <= MAX_ITEMS:
            return Items(items.items * count, items.is_list)
    return UNKNOWN


def fold_compared(op: ast.cmpop, left: Abstract, right: Abstract) -> Abstract:
    """The value of a comparison, or UNKNOWN."""
    if isinstance(op, (ast.Is, ast.IsNot)) and is_known(left) and right is None:
        return (left is None) == isinstance(op, ast.Is)
    work = _COMPARE.get(type(op))
    if work is None:
        return UNKNOWN
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return work(left, right)
    if isinstance(left, str) and isinstance(right, str) and isinstance(op, (ast.Eq, ast.NotEq)):
        return (left == right) == isinstance(op, ast.Eq)
    return UNKNOWN


def _is_type(value: Abstract) -> bool:
    return isinstance(value, (ElementType, TensorForm, Form))
