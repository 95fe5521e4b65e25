"""The names of a module and of the functions in it: where each is bound, and what to look at to know its value.

A name means what it is bound to above the place where it is used. Nothing is evaluated here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from onnxls.frontends.script.chunks import Chunk

Read = Callable[[str, int], "Module | None"]
"""The module of a dotted name and a relative level, as the workspace has it."""

Place = tuple[int, int]
"""Where something stands in a module: the chunk and the line in it."""

LAST: Place = (1 << 60, 0)


@dataclass(slots=True, eq=False)
class Binding:
    """One binding of a name. `alternative` names the statement that may or may not run it; 0: it surely runs."""

    kind: Literal["value", "item", "definition", "module", "member", "opaque"]
    place: Place
    node: ast.expr | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = None
    module: str = ""
    member: str = ""
    level: int = 0
    index: int = 0
    alternative: int = 0
    rescue: bool = False


@dataclass(slots=True, eq=False)
class Scope:
    """The names bound in a module or a function. `stars`: modules whose names are all bound."""

    module: Module
    chunk: Chunk | None = None
    parent: Scope | None = None
    place: Place = LAST
    is_class: bool = False
    bindings: dict[str, list[Binding]] = field(default_factory=dict[str, list[Binding]])
    stars: list[Binding] = field(default_factory=list[Binding])

    def above(self, name: str, place: Place) -> list[Binding]:
        """The bindings of a name that may hold at a place, the likeliest first."""
        found: list[Binding] = []
        for binding in reversed(self.bindings.get(name, ())):
            if binding.place >= place:
                continue
            if (
                binding.rescue
                and found == []
                and any(not each.rescue and each.place < binding.place for each in self.bindings[name])
            ):
                continue
            found.append(binding)
            if not binding.alternative:
                break
        return found


@dataclass(slots=True, eq=False)
class Module:
    """A source file of the workspace. `read` gives the modules that it imports."""

    path: str
    chunks: tuple[Chunk, ...]
    read: Read
    scope: Scope = field(init=False)

    def __post_init__(self) -> None:
        self.scope = Scope(self)
        for index, chunk in enumerate(self.chunks):
            collect(self.scope, chunk.statements, index)


def function_scope(
    parent: Scope, chunk: Chunk, index: int, node: ast.FunctionDef | ast.AsyncFunctionDef, place: Place
) -> Scope:
    """The names bound in a function; its parameters are not known."""
    scope = Scope(parent.module, chunk, parent, place)
    arguments = node.args
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if arg is not None:
            _bind(scope, arg.arg, Binding("opaque", (index, 0)))
    collect(scope, node.body, index)
    return scope


def class_scope(parent: Scope, chunk: Chunk, index: int, node: ast.ClassDef, place: Place) -> Scope:
    """The names bound in the body of a class; functions in it do not see them."""
    scope = Scope(parent.module, chunk, parent, place, is_class=True)
    collect(scope, node.body, index)
    return scope


def collect(scope: Scope, statements: Iterable[ast.stmt], chunk: int, alternative: int = 0, depth: int = 0) -> None:
    """Notes every binding of the statements, those in compound statements too."""
    if depth > 60:
        return
    for node in statements:
        place = (chunk, node.lineno)
        match node:
            case ast.Import():
                for alias in node.names:
                    module = alias.name if alias.asname else alias.name.partition(".")[0]
                    _bind(
                        scope, alias.asname or module, Binding("module", place, module=module, alternative=alternative)
                    )
            case ast.ImportFrom():
                _collect_from(scope, node, place, alternative)
            case ast.Assign():
                for target in node.targets:
                    _bind_target(scope, target, node.value, place, alternative)
            case ast.AnnAssign():
                if node.value is not None:
                    _bind_target(scope, node.target, node.value, place, alternative)
            case ast.AugAssign() | ast.Delete():
                for target in [node.target] if isinstance(node, ast.AugAssign) else node.targets:
                    _bind_opaque(scope, target, place, alternative)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                _bind(scope, node.name, Binding("definition", place, node, alternative=alternative))
            case ast.If():
                collect(scope, node.body, chunk, node.lineno, depth + 1)
                collect(scope, node.orelse, chunk, node.lineno, depth + 1)
            case ast.Try():
                _collect_try(scope, node, chunk, alternative, depth)
            case ast.For() | ast.AsyncFor():
                _bind_opaque(scope, node.target, place, alternative)
                collect(scope, (*node.body, *node.orelse), chunk, node.lineno, depth + 1)
            case ast.While():
                collect(scope, (*node.body, *node.orelse), chunk, node.lineno, depth + 1)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    if item.optional_vars is not None:
                        _bind_opaque(scope, item.optional_vars, place, alternative)
                collect(scope, node.body, chunk, alternative, depth + 1)
            case _:
                pass


def _collect_try(scope: Scope, node: ast.Try, chunk: int, alternative: int, depth: int) -> None:
    collect(scope, node.body, chunk, alternative, depth + 1)
    for handler in node.handlers:
        inner = Scope(scope.module)
        collect(inner, handler.body, chunk, node.lineno, depth + 1)
        for name, bindings in inner.bindings.items():
            for binding in bindings:
                binding.rescue = True
                _bind(scope, name, binding)
    collect(scope, (*node.orelse, *node.finalbody), chunk, alternative, depth + 1)


def _collect_from(scope: Scope, node: ast.ImportFrom, place: Place, alternative: int) -> None:
    module = node.module or ""
    for alias in node.names:
        binding = Binding("member", place, None, module, alias.name, node.level, alternative=alternative)
        if alias.name == "*":
            scope.stars.append(binding)
        else:
            _bind(scope, alias.asname or alias.name, binding)


def _bind_target(scope: Scope, target: ast.expr, value: ast.expr, place: Place, alternative: int) -> None:
    if isinstance(target, ast.Name):
        _bind(scope, target.id, Binding("value", place, value, alternative=alternative))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for index, each in enumerate(target.elts):
            if isinstance(each, ast.Name):
                _bind(scope, each.id, Binding("item", place, value, index=index, alternative=alternative))
            else:
                _bind_opaque(scope, each, place, alternative)


def _bind_opaque(scope: Scope, target: ast.expr, place: Place, alternative: int) -> None:
    if isinstance(target, ast.Name):
        _bind(scope, target.id, Binding("opaque", place, alternative=alternative))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for each in target.elts[:100]:
            _bind_opaque(scope, each.value if isinstance(each, ast.Starred) else each, place, alternative)


def _bind(scope: Scope, name: str, binding: Binding) -> None:
    scope.bindings.setdefault(name, []).append(binding)
