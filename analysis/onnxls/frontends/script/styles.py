"""Which functions Python runs to make graphs though no decorator says so: those that are given `op`, or make it."""

from __future__ import annotations

import ast

from onnxls.frontends.script.abstract import Known
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.names import Place, Scope, Seat
from onnxls.frontends.script.survey import survey

BUILDERS = frozenset(("op", "_op"))
"""Names of the parameter that nodes are made with."""
_OF_PATTERNS = frozenset(("_allow_other_attributes", "_allow_other_inputs", "_check"))
_MAKERS = frozenset(("GraphBuilder", "OpBuilder"))


def style(
    node: ast.FunctionDef, owner: ast.ClassDef | None, scope: Scope, seat: Seat, evaluator: Evaluator
) -> str | None:
    """The kind of a function without a decorator that makes a graph of it; None for plain Python.

    `owner`: the class that it is a method of.
    """
    arguments = (*node.args.posonlyargs, *node.args.args)
    given = arguments[1:2] if owner is not None and not is_static(node) else arguments[:1]
    if given and given[0].arg in BUILDERS:
        if not _calls_operators(node, given[0].arg):
            return None
        return "pattern" if _is_pattern(node) else "builder"
    return "builder" if _asks_for_op(node, Place(seat, node.lineno), scope, evaluator) else None


def is_static(node: ast.FunctionDef) -> bool:
    """Whether a method has no `self`."""
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list)


def _is_pattern(node: ast.FunctionDef) -> bool:
    """Whether a function says what a rewrite looks for, and not what is made."""
    if "pattern" in node.name.lower():
        return True
    return any(each.arg in _OF_PATTERNS for call in survey(node).calls for each in call.keywords)


def _calls_operators(node: ast.FunctionDef, name: str) -> bool:
    return any(
        isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id == name
        and each.func.attr[:1].isupper()
        for each in survey(node).calls
    )


def _asks_for_op(node: ast.FunctionDef, place: Place, scope: Scope, evaluator: Evaluator) -> bool:
    """Whether a function makes a builder, or takes `op` from one."""
    found = survey(node)
    for each in found.takes_op:
        target = each.targets[0]
        if isinstance(target, ast.Name) and target.id in BUILDERS and _calls_operators(node, target.id):
            return True
    for each in found.calls:
        if _named(each.func) in _MAKERS:
            callee = evaluator.value(each.func, scope, place)
            if isinstance(callee, Known) and callee.name.rpartition(".")[2] in _MAKERS:
                return True
    return False


def _named(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
