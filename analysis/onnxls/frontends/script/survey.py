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
        match each:
            case ast.Name():
                names.add(each.id)
                if not isinstance(each.ctx, ast.Load):
                    bound.add(each.id)
                continue
            case ast.Constant():
                continue
            case ast.Call():
                calls.append(each)
            case ast.arg():
                bound.add(each.arg)
            case ast.Assign(value=ast.Attribute(attr="op")):
                takes_op.append(each)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if each is not node:
                bound.add(each.name)
            case _:
                pass
        for name in each._fields:
            child = getattr(each, name, None)
            if isinstance(child, ast.AST):
                waiting.append(child)
            elif isinstance(child, list):
                waiting += [one for one in cast("list[object]", child) if isinstance(one, ast.AST)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    return Survey(tuple(calls), frozenset(names), frozenset(bound), tuple(takes_op))
