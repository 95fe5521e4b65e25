"""A source file as the models of its script functions, ready to be analysed.

Other files are read through the given reader only.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from onnxls.diagnostics import Diagnostic
from onnxls.findings import Finding, Place
from onnxls.frontends.script.chunks import Chunk, may_hold_onnxscript, read_chunks
from onnxls.frontends.script.declared import Declared, Meaning
from onnxls.frontends.script.elsewhere import check_calls
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.lower import Lowered, lower
from onnxls.frontends.script.modules import Module, Scope, class_scope, function_scope
from onnxls.frontends.text_cursor import SYNTAX_ERROR
from onnxls.graph import Attr, Function, Model
from onnxls.rules import rule
from onnxls.spans import LineIndex, Location, Span

BARE_TYPE = rule(
    "bare-element-type",
    "OLS572",
    "information",
    """
    A parameter is annotated with an element type alone, which declares a scalar, and is used as something else.

    `FLOAT` without brackets is a tensor of rank 0. onnxruntime only warns when it gets another rank, so that the
    mistake shows late.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT):  # information: [bare-element-type] "FLOAT[...]"
        return op.Transpose(op.MatMul(x, x), perm=[1, 0])
    ```

    Write `FLOAT[...]` for any rank, or the sizes.
    """,
)

Reader = Callable[[str], str | None]
"""The text of a file of the workspace by its path, or None."""

MAX_MODULES = 200
MAX_FUNCTIONS = 2_000
MAX_FILE = 2_000_000


@dataclass(frozen=True, slots=True)
class Home:
    """Where a chunk stands: its file, the lines of the file, and its offset."""

    path: str
    lines: LineIndex
    start: int

    def location(self, span: Span, graph_path: str | None) -> Location:
        """The place of a range of the chunk."""
        moved = Span(self.start + span.start, self.start + span.end)
        return self.lines.location(self.path, moved, graph_path)


@dataclass(frozen=True, slots=True)
class SourceUnit:
    """A script function: its model, what is wrong in it as it is written, and further names of its values.

    `attributes`: its attribute parameters, with their defaults or not known. `bare`: the inputs that are annotated with
    an element type alone. `meanings`: what the names in it stand for, where they are written.
    """

    model: Model
    declared: Declared
    faults: tuple[Finding, ...]
    aliases: Mapping[str, str]
    attributes: Mapping[str, Attr]
    first_line: int
    last_line: int
    bare: Mapping[str, Span] = field(default_factory=dict[str, Span])
    meanings: Mapping[Span, Meaning] = field(default_factory=dict[Span, Meaning])

    @property
    def inputs(self) -> frozenset[str]:
        """The names of the inputs."""
        return frozenset(value.name for value in self.model.graph.inputs)

    @property
    def loosened(self) -> Model:
        """The model in which the bare inputs have any rank."""
        graph = self.model.graph
        inputs = [
            replace(value, type=replace(value.type, shape=None)) if value.name in self.bare and value.type else value
            for value in graph.inputs
        ]
        return replace(self.model, graph=replace(graph, inputs=tuple(inputs)))

    @property
    def bare_faults(self) -> tuple[Finding, ...]:
        """A word about each bare input."""
        text = "an element type alone declares a scalar, which this cannot be; write `{0}[...]` for any rank"
        return tuple(
            Finding(BARE_TYPE, f"`{name}`: {text.format('FLOAT')}", Place("graph", value=name, span=span))
            for name, span in self.bare.items()
        )


@dataclass(frozen=True, slots=True)
class Source:
    """What a file says: its units in the order of their first lines."""

    units: tuple[SourceUnit, ...]
    diagnostics: tuple[Diagnostic, ...]
    lines: LineIndex
    homes: Mapping[str, Home]


class _Workspace:
    """The modules that a file sees: itself, and what it imports from the folders of `roots`."""

    def __init__(self, reader: Reader | None, roots: Sequence[str]) -> None:
        self.reader = reader
        self.roots = roots
        self.modules: dict[str, Module | None] = {}
        self.homes: dict[str, Home] = {}

    def module(self, path: str, text: str) -> Module:
        chunks = read_chunks(text, path)
        lines = LineIndex(text)
        for chunk in chunks:
            self.homes[chunk.key] = Home(path, lines, chunk.start)
        made = Module(path, chunks, lambda name, level: self.imported(name, level, path))
        self.modules[path] = made
        return made

    def imported(self, name: str, level: int, path: str) -> Module | None:
        """The module of a name, imported from a file."""
        folder = posixpath.dirname(path.replace("\\", "/"))
        if level:
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            folders: Sequence[str] = (folder,)
        else:
            folders = (folder, *self.roots)
        parts = name.split(".") if name else []
        if not all(part.isidentifier() for part in parts):
            return None
        for each in folders:
            base = posixpath.join(each, *parts) if parts else each
            for candidate in (f"{base}.py", f"{base}/__init__.py") if parts else (f"{base}/__init__.py",):
                found = self.file(candidate)
                if found is not None:
                    return found
        return None

    def file(self, path: str) -> Module | None:
        if path in self.modules:
            return self.modules[path]
        if self.reader is None or len(self.modules) >= MAX_MODULES:
            return None
        text = self.reader(path)
        if text is None or len(text) > MAX_FILE:
            self.modules[path] = None
            return None
        return self.module(path, text)


def read_source(text: str, path: str, reader: Reader | None = None, roots: Sequence[str] = ()) -> Source:
    """The script functions of a text. `reader` gives the files that it imports, found in its folder and in `roots`.

    A text that cannot hold onnxscript has no units and no findings.
    """
    lines = LineIndex(text)
    if not may_hold_onnxscript(text):
        return Source((), (), lines, {})
    workspace = _Workspace(reader, roots)
    module = workspace.module(path, text)
    evaluator = Evaluator()
    lowered: dict[ast.FunctionDef, Lowered] = {}

    def lowered_of(declared: Declared) -> Lowered:
        if declared.node not in lowered:
            lowered[declared.node] = lower(declared, evaluator)
        return lowered[declared.node]

    units: list[SourceUnit] = []
    found, others = functions(module, evaluator)
    for declared in found:
        if len(units) >= MAX_FUNCTIONS:
            break
        made = lowered_of(declared)
        first = workspace.homes[declared.chunk.key].start
        line = lines.position(first + declared.chunk.offset(declared.first_line, 0))[0]
        last = line + (declared.node.end_lineno or declared.node.lineno) - declared.first_line
        bare = {each.name: each.span for each in made.parameters if each.name in made.bare}
        model = _model(made, lowered_of)
        units.append(
            SourceUnit(model, declared, made.faults, made.aliases, made.attributes(), line, last, bare, made.meanings)
        )
    units.sort(key=lambda unit: unit.first_line)
    problems = [*_problems(module, workspace.homes), *_remarks(others, evaluator, workspace.homes)]
    return Source(tuple(units), tuple(problems), lines, workspace.homes)


def _problems(module: Module, homes: Mapping[str, Home]) -> Iterator[Diagnostic]:
    for chunk in module.chunks:
        problem = chunk.problem
        if problem is not None:
            location = homes[chunk.key].location(problem.span, None)
            yield Diagnostic(SYNTAX_ERROR.name, SYNTAX_ERROR.code, SYNTAX_ERROR.severity, problem.message, location)


def functions(module: Module, evaluator: Evaluator) -> tuple[list[Declared], list[Other]]:
    """The functions of a module that become graphs, those in functions and classes too; and the outermost others."""
    walk = _Walk(module, evaluator, [], [])
    for index, chunk in enumerate(module.chunks):
        walk.block(module.scope, chunk, index, chunk.statements, "", 0)
    return walk.declared, walk.others


def _remarks(others: Sequence[Other], evaluator: Evaluator, homes: Mapping[str, Home]) -> Iterator[Diagnostic]:
    for other in others:
        for each in check_calls(other.node, other.scope, other.chunk, other.place, evaluator):
            location = homes[each.span.home].location(each.span, None)
            yield Diagnostic(each.about.name, each.about.code, each.about.severity, each.text, location)


@dataclass(frozen=True, slots=True)
class Other:
    """A function that is no script function, and is in none that is listed already."""

    node: ast.FunctionDef
    scope: Scope
    chunk: Chunk
    place: tuple[int, int]


@dataclass(slots=True)
class _Walk:
    module: Module
    evaluator: Evaluator
    declared: list[Declared]
    others: list[Other]

    def block(
        self, scope: Scope, chunk: Chunk, index: int, statements: Sequence[ast.stmt], prefix: str, depth: int
    ) -> None:
        if depth > 30:
            return
        for node in statements:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.function(scope, chunk, index, node, prefix, depth)
                case ast.ClassDef():
                    inner = class_scope(scope, chunk, index, node, (index, node.lineno))
                    self.block(inner, chunk, index, node.body, f"{prefix}{node.name}.", depth + 1)
                case _:
                    for block in _blocks(node):
                        self.block(scope, chunk, index, block, prefix, depth + 1)

    def function(
        self,
        scope: Scope,
        chunk: Chunk,
        index: int,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        prefix: str,
        depth: int,
    ) -> None:
        place = (index, node.lineno)
        name = f"{prefix}{node.name}"
        found = self.evaluator.decorator(node, scope, place) if isinstance(node, ast.FunctionDef) else None
        if isinstance(node, ast.FunctionDef) and found is not None and found[0].kind in ("script", "torch_op"):
            self.declared.append(Declared(node, chunk, index, scope, name, *found))
            return
        before = len(self.declared)
        if found is None:
            inner = function_scope(scope, chunk, index, node, place)
            self.block(inner, chunk, index, node.body, f"{name}.", depth + 1)
        if (
            isinstance(node, ast.FunctionDef)
            and len(self.declared) == before
            and (scope.parent is None or scope.is_class)
        ):
            self.others.append(Other(node, scope, chunk, place))


def _blocks(node: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    match node:
        case ast.If() | ast.For() | ast.While():
            yield node.body
            yield node.orelse
        case ast.With():
            yield node.body
        case ast.Try():
            yield node.body
            for handler in node.handlers:
                yield handler.body
            yield node.orelse
            yield node.finalbody
        case _:
            pass


def _model(made: Lowered, lowered_of: Callable[[Declared], Lowered]) -> Model:
    """The model of a function, with the functions that it calls."""
    functions: dict[tuple[str, str, str], Function] = {}
    opsets = dict(made.opsets)
    waiting = [made]
    while waiting:
        for key, called in waiting.pop().called.items():
            if key in functions or len(functions) >= MAX_FUNCTIONS:
                continue
            inner = lowered_of(called.declared)
            functions[key] = inner.function(*key)
            opsets.setdefault(key[0], 1)
            waiting.append(inner)
    return Model(made.graph, opsets, functions)
