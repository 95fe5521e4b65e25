"""Where the Python of a file speaks of a script function: in imports, calls, `__all__`, with scopes respected."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from onnxls.frontends.script.chunks import silently
from onnxls.spans import LineIndex, Span
from onnxls_server.features.python_scopes import COMPREHENSIONS, Function, Gives, Scopes, parts, targets


@dataclass(frozen=True, slots=True)
class Sought:
    """A function at the top of a module. `gives`: which members of the modules that a file imports are the function."""

    name: str
    at_home: bool
    gives: Gives


@dataclass(slots=True)
class Mentions:
    """The ranges of the name, the keywords of its calls by name, and all names that the file has."""

    names: list[Span] = field(default_factory=list[Span])
    keywords: dict[str, list[Span]] = field(default_factory=dict[str, list[Span]])
    used: set[str] = field(default_factory=set[str])


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a file; None where it cannot be read as a whole."""
    try:
        with silently():
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def exported(tree: ast.Module, gives: Gives, star: Iterable[str]) -> set[str]:
    """The names by which a module has the function from its imports. `star`: those that an import of all may bring."""
    found = {name for name, meaning in Scopes(gives).of_block(tree.body).items() if meaning == "function"}
    return found | _starred(tree, gives, star)


def _starred(tree: ast.Module, gives: Gives, names: Iterable[str]) -> set[str]:
    stars = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    return {name for name in names for each in stars if gives(each.module or "", each.level, name)}


def mentions(tree: ast.Module, text: str, lines: LineIndex, sought: Sought) -> Mentions | None:
    """All mentions of a function in a file; None where they cannot all be found: it is nested too deep, or Python does
    not say where a name stands in an f-string."""
    finder = _Finder(text, lines, sought)
    try:
        finder.read(tree)
    except RecursionError:
        return None
    return finder.found if all(text[at.start : at.end] == sought.name for at in finder.found.names) else None


class _Finder:
    """Walks a file with the scopes of functions; names of a class body are not seen in its functions."""

    def __init__(self, text: str, lines: LineIndex, sought: Sought) -> None:
        self.text = text
        self.lines = lines
        self.sought = sought
        self.found = Mentions()

    def read(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            self.found.used.update(_names(node))
        name, scopes = self.sought.name, Scopes(self.sought.gives)
        names = scopes.of_block(tree.body)
        names |= dict.fromkeys(_starred(tree, self.sought.gives, (name,)), "function")
        if self.sought.at_home:
            names[name] = "function"
        self.block(tree.body, scopes.within(names), scopes.within(names))

    # ---------------------------------------------------------------- scopes

    def block(self, nodes: Iterable[ast.AST], scopes: Scopes, around: Scopes) -> None:
        """`around`: what functions see here, which is less than the block itself in a class."""
        for node in nodes:
            self.visit(node, scopes, around)

    def visit(self, node: ast.AST, scopes: Scopes, around: Scopes) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self.function(node, scopes, around)
            case ast.ClassDef():
                self.block([*node.decorator_list, *node.bases, *node.keywords], scopes, around)
                for index, each in enumerate(node.body):  # a name is that of the class once it is bound
                    self.visit(each, around.within(around.of_block(node.body[:index]), in_class=True), around)
            case _ if isinstance(node, COMPREHENSIONS):
                inner = around.within(dict.fromkeys(targets(node)))
                self.block(ast.iter_child_nodes(node), inner, inner)
            case _:
                self.mention(node, scopes)
                self.block(ast.iter_child_nodes(node), scopes, around)

    def function(self, node: Function, scopes: Scopes, around: Scopes) -> None:
        outside, parameters, body = parts(node)
        self.block(outside, scopes, around)
        if not isinstance(node, ast.Lambda) and self.means(ast.Name(node.name, ast.Store()), scopes):
            begin = self.offset(node.lineno, node.col_offset)
            start = self.text.find(node.name, self.text.find("def", begin) + 3)
            self.found.names.append(Span(start, start + len(node.name)))
        inner = around.within(around.of_block(body, parameters))
        self.block(body, inner, inner)

    # ---------------------------------------------------------------- mentions

    def means(self, node: ast.expr, scopes: Scopes) -> bool:
        """Whether an expression is the function, by its own name."""
        if scopes.in_class and isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            return False
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        return name == self.sought.name and scopes.meaning(node) == "function"

    def mention(self, node: ast.AST, scopes: Scopes) -> None:
        match node:
            case ast.Call() if scopes.meaning(node.func) == "function":
                for keyword in node.keywords:
                    if keyword.arg is not None:
                        self.found.keywords.setdefault(keyword.arg, []).append(self.span(keyword, keyword.arg))
            case ast.Name() if self.means(node, scopes):
                self.found.names.append(self.span(node, node.id))
            case ast.Attribute() if self.means(node, scopes):
                end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
                self.found.names.append(Span(end - len(node.attr), end))
            case ast.ImportFrom():
                for alias in node.names:
                    if alias.name == self.sought.name and self.sought.gives(node.module or "", node.level, alias.name):
                        self.found.names.append(self.span(alias, alias.name))
            case ast.Global() if self.sought.name in node.names and self.means(
                ast.Name(self.sought.name, ast.Load()), scopes
            ):
                begin = self.offset(node.lineno, node.col_offset)
                match = re.compile(rf"\b{re.escape(self.sought.name)}\b").search(self.text, begin)
                if match is not None:
                    self.found.names.append(Span(*match.span()))
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple()):
                self.listed(node.value, scopes)
            case _:
                pass

    def listed(self, value: ast.expr, scopes: Scopes) -> None:
        """The name in `__all__`."""
        if not self.means(ast.Name(self.sought.name, ast.Load()), scopes):
            return
        for each in value.elts if isinstance(value, (ast.List, ast.Tuple)) else ():
            if isinstance(each, ast.Constant) and each.value == self.sought.name:
                begin = self.offset(each.lineno, each.col_offset) + 1
                span = Span(begin, begin + len(self.sought.name))
                if self.text[span.start : span.end] == self.sought.name:
                    self.found.names.append(span)

    def span(self, node: ast.expr | ast.alias | ast.keyword, name: str) -> Span:
        """A name at the beginning of a node."""
        start = self.offset(node.lineno, node.col_offset)
        return Span(start, start + len(name))

    def offset(self, line: int, column: int) -> int:
        """The offset of a position that `ast` gives: lines from 1, columns in UTF-8 bytes."""
        begin, end = self.lines.bounds(line)
        written = self.text[begin:end].encode("utf-8", "surrogatepass")[:column]
        return begin + len(written.decode("utf-8", "ignore"))


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
