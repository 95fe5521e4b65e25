"""What names of ordinary Python mean, scope by scope, as far as they lead to one function of one module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)


@dataclass(frozen=True, slots=True)
class ModuleName:
    """A module that was imported: its dotted name, and how many dots stood before it."""

    name: str
    level: int


Meaning: TypeAlias = "Literal['function'] | ModuleName | None"
"""The function that is sought, a module, or anything else."""

Names = Mapping[str, Meaning]
Gives: TypeAlias = "Callable[[str, int, str], bool]"
"""Whether a member of a module is the function: by the name of the module, its level, and the name of the member."""


class Scopes:
    """The scopes at one place, the module first. `gives`: which members of modules are the function; `in_class`: what
    is bound here is an attribute of a class."""

    def __init__(self, gives: Gives, inside: tuple[Names, ...] = (), in_class: bool = False) -> None:
        self.gives = gives
        self.inside = inside
        self.in_class = in_class

    def within(self, names: Names, in_class: bool = False) -> Scopes:
        """The scopes in a scope with these names."""
        return Scopes(self.gives, (*self.inside, names), in_class)

    def meaning(self, node: ast.expr) -> Meaning:
        """What an expression is."""
        match node:
            case ast.Name(id=name):
                return next((scope[name] for scope in reversed(self.inside) if name in scope), None)
            case ast.Attribute(value=value, attr=attr):
                owner = self.meaning(value)
                return self.member(owner, attr) if isinstance(owner, ModuleName) else None
            case _:
                return None

    def member(self, owner: ModuleName, name: str) -> Meaning:
        """What a member of a module is."""
        if self.gives(owner.name, owner.level, name):
            return "function"
        return ModuleName(f"{owner.name}.{name}".lstrip("."), owner.level)

    def of_block(self, body: Iterable[ast.AST], parameters: Iterable[str] = ()) -> dict[str, Meaning]:
        """The names that a module, class or function binds. One of several imports and assignments gives the meaning:
        all of them are about one variable."""
        names: dict[str, Meaning] = dict.fromkeys(parameters)
        shared: set[str] = set()
        for each in _of_scope(body):
            match each:
                case ast.Global(names=listed):
                    names |= {name: self.inside[0].get(name) if self.inside else None for name in listed}
                    shared.update(listed)
                case ast.Nonlocal(names=listed):
                    shared.update(listed)
                case ast.Import():
                    for alias in each.names:
                        whole = ModuleName(alias.name if alias.asname else alias.name.partition(".")[0], 0)
                        names[alias.asname or whole.name] = whole
                case ast.ImportFrom():
                    for alias in each.names:
                        name = alias.asname or alias.name
                        if names.get(name) != "function":
                            names[name] = self.member(ModuleName(each.module or "", each.level), alias.name)
                case _:
                    for name in _bound_by(each):
                        if name not in shared:
                            names.setdefault(name)
        return {name: of for name, of in names.items() if name not in shared or of is not None}


def parts(node: Function) -> tuple[list[ast.AST], list[str], list[ast.AST]]:
    """What of a function is read around it, its parameters, and its body."""
    arguments = node.args
    outside: list[ast.AST] = [*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    names = [each.arg for each in every]
    if isinstance(node, ast.Lambda):
        return outside, names, [node.body]
    outside += [*node.decorator_list, *(each.annotation for each in every if each.annotation is not None)]
    outside += [node.returns] if node.returns is not None else []
    return outside, names, list(node.body)


def targets(comprehension: ast.AST) -> list[str]:
    """The names that a comprehension binds in itself."""
    generators = [each for each in ast.iter_child_nodes(comprehension) if isinstance(each, ast.comprehension)]
    return [name.id for each in generators for name in ast.walk(each.target) if isinstance(name, ast.Name)]


def _of_scope(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a block that belong to its own scope, in order; of those with a scope of their own, only they."""
    waiting = list(body)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += list(ast.iter_child_nodes(node))[::-1]


def _bound_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Name(ctx=ast.Store() | ast.Del()):
            yield node.id
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass
