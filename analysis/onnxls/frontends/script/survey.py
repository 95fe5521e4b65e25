"""What stands anywhere in a function, found in one walk over its syntax tree and kept as long as that lives."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import cast
from weakref import WeakKeyDictionary


@dataclass(frozen=True, slots=True)
class Survey:
    """The calls, the names that are used, those that are bound (parameters too), and the assignments of `x.op`."""

    calls: tuple[ast.Call, ...]
    names: frozenset[str]
    bound: frozenset[str]
    takes_op: tuple[ast.Assign, ...]


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_KNOWN: WeakKeyDictionary[ast.AST, Survey] = WeakKeyDictionary()


def survey(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Survey:
    """What stands in a function; what is nested in it counts."""
    found = _KNOWN.get(node)
    if found is None:
        found = _KNOWN[node] = _survey(node)
    return found


def _survey(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Survey:
    calls: list[ast.Call] = []
    names: set[str] = set()
    bound: set[str] = set()
    takes_op: list[ast.Assign] = []
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is ast.Name:
            name = cast("ast.Name", each)
            names.add(name.id)
            if type(name.ctx) is not ast.Load:
                bound.add(name.id)
            continue
        if kind is ast.Call:
            calls.append(cast("ast.Call", each))
        elif kind is ast.arg:
            bound.add(cast("ast.arg", each).arg)
        elif kind is ast.Assign:
            assign = cast("ast.Assign", each)
            if isinstance(assign.value, ast.Attribute) and assign.value.attr == "op":
                takes_op.append(assign)
        elif kind in _DEFINITIONS and each is not node:
            bound.add(cast("ast.FunctionDef", each).name)
        for field in each._fields:
            child = getattr(each, field, None)
            if type(child) is list:
                waiting += [one for one in cast("list[object]", child) if isinstance(one, ast.AST)]
            elif isinstance(child, ast.AST) and child._fields and type(child) is not ast.Constant:
                waiting.append(child)
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    return Survey(tuple(calls), frozenset(names), frozenset(bound), tuple(takes_op))
