"""Where the Python of a file speaks of a script function: in imports, calls, `__all__`, with scopes respected."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from onnxls.spans import LineIndex, Span

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class Sought:
    """A function at the top of a module. `imports`: whether `from MODULE import NAME` gives it, by module, level and
    name; `modules`: whether a module, by name and level, is the one that defines it."""

    name: str
    at_home: bool
    imports: Callable[[str, int, str], bool]
    modules: Callable[[str, int], bool]


@dataclass(slots=True)
class Mentions:
    """The ranges of the name, the keywords of its calls by name, and all names that the file has."""

    names: list[Span] = field(default_factory=list[Span])
    keywords: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]])
    used: set[str] = field(default_factory=set[str])


def mentions(text: str, lines: LineIndex, sought: Sought) -> Mentions | None:
    """All mentions of a function in a file; None where the file cannot be read as a whole."""
    try:
        tree = ast.parse(text)
        finder = _Finder(text, lines, sought)
        finder.read(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return finder.found


class _Finder:
    """Walks a file with the scopes of functions; names of a class body are not seen in its functions."""

    def __init__(self, text: str, lines: LineIndex, sought: Sought) -> None:
        self.text = text
        self.lines = lines
        self.sought = sought
        self.found = Mentions()
        self.local: set[str] = {sought.name} if sought.at_home else set()
        self.modules: set[str] = set()

    def span(self, node: ast.expr | ast.alias | ast.keyword, length: int) -> Span:
        """The first characters of a node."""
        begin, end = self.lines.bounds(node.lineno)
        line = self.text[begin:end].encode("utf-8", "surrogatepass")[: node.col_offset]
        start = begin + len(line.decode("utf-8", "ignore"))
        return Span(start, start + length)

    def read(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                self.imported(node)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if self.sought.modules(alias.name, 0) and (alias.asname or "." not in alias.name):
                        self.modules.add(alias.asname or alias.name)
            self.found.used.update(_names(node))
        self.block(tree.body, [])

    def imported(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == self.sought.name and self.sought.imports(node.module or "", node.level, alias.name):
                self.found.names.append(self.span(alias, len(alias.name)))
                if alias.asname in (None, alias.name):
                    self.local.add(alias.name)
            elif self.sought.modules(f"{node.module or ''}.{alias.name}".strip("."), node.level):
                self.modules.add(alias.asname or alias.name)

    # ---------------------------------------------------------------- scopes

    def block(self, nodes: Iterable[ast.AST], scopes: list[frozenset[str]]) -> None:
        for node in nodes:
            self.visit(node, scopes)

    def visit(self, node: ast.AST, scopes: list[frozenset[str]]) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                outside, inside = _parts(node)
                self.block(outside, scopes)
                self.define(node, scopes)
                self.block(inside, [*scopes, _bound(node)])
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                names = frozenset(name for each in node.generators for name in _targets(each.target))
                self.block(ast.iter_child_nodes(node), [*scopes, names])
            case ast.ClassDef():
                self.block([*node.decorator_list, *node.bases, *node.keywords], scopes)
                self.block(node.body, scopes)
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple()):
                self.exported(node.value)
            case _:
                self.mention(node, scopes)
                self.block(ast.iter_child_nodes(node), scopes)

    def define(self, node: _Function, scopes: list[frozenset[str]]) -> None:
        """The definition itself."""
        if not self.sought.at_home or scopes or isinstance(node, ast.Lambda) or node.name != self.sought.name:
            return
        begin = self.lines.bounds(node.lineno)[0]
        start = self.text.find(node.name, self.text.find("def", begin) + 3)
        self.found.names.append(Span(start, start + len(node.name)))

    def exported(self, value: ast.expr) -> None:
        for each in value.elts if isinstance(value, (ast.List, ast.Tuple)) else ():
            if isinstance(each, ast.Constant) and each.value == self.sought.name and self.sought.name in self.local:
                span = self.span(each, len(self.sought.name) + 2)
                if self.text[span.start + 1 : span.end - 1] == self.sought.name:
                    self.found.names.append(Span(span.start + 1, span.end - 1))

    def mention(self, node: ast.AST, scopes: list[frozenset[str]]) -> None:
        if isinstance(node, ast.Call) and self.is_function(node.func, scopes):
            for keyword in node.keywords:
                if keyword.arg is not None:
                    span = self.span(keyword, len(keyword.arg))
                    self.found.keywords.setdefault(keyword.arg, []).append(span)
        if isinstance(node, (ast.Name, ast.Attribute)) and self.is_function(node, scopes):
            if isinstance(node, ast.Name):
                self.found.names.append(self.span(node, len(node.id)))
            elif node.end_lineno is not None and node.end_col_offset is not None:
                begin, end = self.lines.bounds(node.end_lineno)
                line = self.text[begin:end].encode("utf-8", "surrogatepass")[: node.end_col_offset]
                stop = begin + len(line.decode("utf-8", "ignore"))
                self.found.names.append(Span(stop - len(node.attr), stop))

    def is_function(self, node: ast.expr, scopes: list[frozenset[str]]) -> bool:
        match node:
            case ast.Name():
                name, known = node.id, self.local
            case ast.Attribute(value=ast.Name(id=name), attr=self.sought.name):
                known = self.modules
            case _:
                return False
        return name in known and not any(name in scope for scope in scopes)


def _parts(node: _Function) -> tuple[list[ast.AST], list[ast.AST]]:
    """What of a function is read around it, and what inside of it."""
    arguments = node.args
    outside: list[ast.AST] = [*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]
    if isinstance(node, ast.Lambda):
        return outside, [node.body]
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    outside += [*node.decorator_list, *(each.annotation for each in every if each.annotation is not None)]
    outside += [node.returns] if node.returns is not None else []
    return outside, list(node.body)


def _bound(node: _Function) -> frozenset[str]:
    """The names that are local in a function."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    names = {each.arg for each in every if each is not None}
    shared: set[str] = set()
    waiting: list[ast.AST] = [] if isinstance(node, ast.Lambda) else list(node.body)
    while waiting:
        each = waiting.pop()
        match each:
            case ast.Global() | ast.Nonlocal():
                shared.update(each.names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(each.name)
                continue
            case ast.Import() | ast.ImportFrom():
                names.update((alias.asname or alias.name).partition(".")[0] for alias in each.names)
            case ast.ExceptHandler() if each.name:
                names.add(each.name)
            case ast.Name(ctx=ast.Store() | ast.Del()):
                names.add(each.id)
            case _ if isinstance(each, (*_FUNCTIONS, *_COMPREHENSIONS)):
                continue
            case _:
                pass
        waiting += ast.iter_child_nodes(each)
    return frozenset(names - shared)


def _targets(target: ast.expr) -> Iterator[str]:
    for each in ast.walk(target):
        if isinstance(each, ast.Name):
            yield each.id


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name():
            yield node.id
        case ast.arg():
            yield node.arg
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.alias():
            yield (node.asname or node.name).partition(".")[0]
        case _:
            pass
