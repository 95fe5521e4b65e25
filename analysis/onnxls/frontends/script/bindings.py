"""Every binding of a block of statements, those in its compound statements too. Nothing is evaluated here."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from onnxls.frontends.script.names import Binding, Bound, Place, Scope, Seat


def function_scope(parent: Scope, seat: Seat, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Scope:
    """The names bound in a function; its parameters are not known."""
    bound = Bound()
    arguments = node.args
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if arg is not None:
            bound.add(arg.arg, Binding("opaque", Place(seat)))
    collect(bound, node.body, seat)
    return Scope(parent.module, bound, parent, Place(seat, node.lineno), prefix=f"{parent.prefix}{node.name}.")


def class_scope(parent: Scope, seat: Seat, node: ast.ClassDef) -> Scope:
    """The names bound in the body of a class; functions in it do not see them."""
    bound = Bound()
    collect(bound, node.body, seat)
    prefix = f"{parent.prefix}{node.name}."
    return Scope(parent.module, bound, parent, Place(seat, node.lineno), is_class=True, prefix=prefix)


def collect(bound: Bound, statements: Iterable[ast.stmt], seat: Seat, alternative: int = 0, depth: int = 0) -> None:
    """Notes every binding of the statements, those in compound statements too."""
    if depth > 60:
        return
    for node in statements:
        place = Place(seat, node.lineno)
        match node:
            case ast.Import():
                for alias in node.names:
                    module = alias.name if alias.asname else alias.name.partition(".")[0]
                    made = Binding("module", place, module=module, alternative=alternative)
                    bound.add(alias.asname or module, made)
            case ast.ImportFrom():
                _collect_from(bound, node, place, alternative)
            case ast.Assign():
                for target in node.targets:
                    _bind_target(bound, target, node.value, place, alternative)
            case ast.AnnAssign():
                if node.value is not None:
                    _bind_target(bound, node.target, node.value, place, alternative)
            case ast.AugAssign() | ast.Delete():
                for target in [node.target] if isinstance(node, ast.AugAssign) else node.targets:
                    _bind_opaque(bound, target, place, alternative)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound.add(node.name, Binding("definition", place, node, alternative=alternative))
            case ast.If():
                collect(bound, node.body, seat, node.lineno, depth + 1)
                collect(bound, node.orelse, seat, node.lineno, depth + 1)
            case ast.Try():
                _collect_try(bound, node, seat, alternative, depth)
            case ast.For() | ast.AsyncFor():
                _bind_opaque(bound, node.target, place, alternative)
                collect(bound, (*node.body, *node.orelse), seat, node.lineno, depth + 1)
            case ast.While():
                collect(bound, (*node.body, *node.orelse), seat, node.lineno, depth + 1)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    if item.optional_vars is not None:
                        _bind_opaque(bound, item.optional_vars, place, alternative)
                collect(bound, node.body, seat, alternative, depth + 1)
            case _:
                pass


def _collect_try(bound: Bound, node: ast.Try, seat: Seat, alternative: int, depth: int) -> None:
    collect(bound, node.body, seat, alternative, depth + 1)
    for handler in node.handlers:
        inner = Bound()
        collect(inner, handler.body, seat, node.lineno, depth + 1)
        for name, bindings in inner.names.items():
            for binding in bindings:
                binding.rescue = True
                bound.add(name, binding)
    collect(bound, (*node.orelse, *node.finalbody), seat, alternative, depth + 1)


def _collect_from(bound: Bound, node: ast.ImportFrom, place: Place, alternative: int) -> None:
    module = node.module or ""
    for alias in node.names:
        binding = Binding("member", place, None, module, alias.name, node.level, alternative=alternative)
        if alias.name == "*":
            bound.stars.append(binding)
        else:
            bound.add(alias.asname or alias.name, binding)


def _bind_target(bound: Bound, target: ast.expr, value: ast.expr, place: Place, alternative: int) -> None:
    if isinstance(target, ast.Name):
        bound.add(target.id, Binding("value", place, value, alternative=alternative))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for index, each in enumerate(target.elts):
            if isinstance(each, ast.Name):
                bound.add(each.id, Binding("item", place, value, index=index, alternative=alternative))
            else:
                _bind_opaque(bound, each, place, alternative)


def _bind_opaque(bound: Bound, target: ast.expr, place: Place, alternative: int) -> None:
    if isinstance(target, ast.Name):
        bound.add(target.id, Binding("opaque", place, alternative=alternative))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for each in target.elts[:100]:
            _bind_opaque(bound, each.value if isinstance(each, ast.Starred) else each, place, alternative)
