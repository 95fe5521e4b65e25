"""What stands where in the script functions of a Python source. Nothing is said about ordinary Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from onnxls.frontends.script.declared import Declared, name_span
from onnxls.frontends.script.source import SourceUnit
from onnxls.graph import Graph
from onnxls.occurrences.dims import dim_mentions
from onnxls.occurrences.moving import Mover
from onnxls.occurrences.sites import bodies, sites
from onnxls.occurrences.table import Block, Entity, Occurrence, Occurrences, Part, Role, Site, Table, Typed, make_table
from onnxls.seeds import dim_names
from onnxls.spans import LineIndex, Span
from onnxls.suppress import Directive, owners, read_directives
from onnxls.units import Report, Unit

_NAME = re.compile(r"[^\W\d]\w*")
_HIDDEN = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Forms with names of their own, which no script function may have."""


_KNOWN: WeakKeyDictionary[Unit, Table] = WeakKeyDictionary()
"""The tables of units, with ranges of their chunks; a unit is kept while its function is not edited."""


def of_source(report: Report) -> Occurrences:
    """The parts of a source: one for each script function, with the directives that belong to it."""
    lines = report.loaded.lines
    assert lines is not None
    sources = [unit.source for unit in report.units]
    ranges = [(source.first_line, source.last_line) for source in sources if source is not None]
    owned = owners(read_directives(lines.text, lines), ranges, lines)
    parts: list[Part] = []
    for index, ((first, last), own) in enumerate(zip(ranges, owned, strict=True)):
        start = min([lines.bounds(first)[0], *(each.span.start for each in own)])
        parts.append(Part(index, Span(start, lines.bounds(last)[1]), _maker(report, index, own)))
    return Occurrences(lines.text, parts)


def _maker(report: Report, index: int, directives: Sequence[Directive]) -> Callable[[], Table]:
    return lambda: _table(report, index, directives)


def _table(report: Report, index: int, directives: Sequence[Directive]) -> Table:
    unit = report.units[index]
    source, lines = unit.source, report.loaded.lines
    assert source is not None
    assert lines is not None
    known = _KNOWN.get(unit)
    if known is None:
        reader = _Reader(unit.model.graph, source)
        reader.read()
        known = _KNOWN[unit] = make_table(reader.found, reader.sites, reader.typed, reader.blocks)
    home = report.loaded.homes[source.home]
    moved = Mover(lines.bounds(home.line)[0], home.edit, home.text).table(known, index)
    dims = dim_names(unit.model.graph) if directives else frozenset[str]()
    found = [*moved.occurrences, *(each for one in directives for each in _in_directive(one, lines, dims, index))]
    return make_table(found, moved.sites, moved.typed, moved.blocks)


def _in_directive(directive: Directive, lines: LineIndex, dims: frozenset[str], unit: int) -> Iterator[Occurrence]:
    at = directive.span.start
    text = lines.text[at : directive.span.end]
    for match in _NAME.finditer(text, text.find(directive.kind) + len(directive.kind)):
        if match[0] in dims:
            yield Occurrence(Span(at + match.start(), at + match.end()), Entity("dim", match[0]), "use", unit)


def _own(span: Span | None, key: str) -> Span | None:
    """A range of a chunk; None for one of another chunk."""
    return None if span is None or span.home != key else Span(span.start, span.end)


Names = Mapping[str, Entity]


class _Reader:
    """Reads one script function. Ranges are those of its chunk, and the unit is 0."""

    def __init__(self, graph: Graph, source: SourceUnit) -> None:
        self.source = source
        self.declared = source.declared
        self.chunk = source.declared.chunk
        key = source.declared.chunk.key
        self.found: list[Occurrence] = []
        self.typed: list[Typed] = []
        self.sites: list[Site] = []
        self.blocks: list[Block] = []
        self.keys: dict[str, str] = {}
        self.arguments: dict[int, str] = {}
        for body in bodies(graph, "", ""):
            self.sites += sites(0, body.graph.nodes, body.prefix, source.model.opsets, lambda span: _own(span, key))
            for value in body.graph.inputs:
                self.keys[value.name] = f"{body.prefix}{value.name}"
                if value.span is not None:
                    self.arguments.setdefault(value.span.start, value.name)
            for node in body.graph.nodes:
                self.keys.update((name, f"{body.prefix}{name}") for name in node.outputs if name)
        self.calls = {site.name: site for site in self.sites if site.name is not None}
        self.dims = dim_names(graph)
        self.waiting: list[tuple[ast.AST, Names, bool]] = []

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> Span:
        """The range of a node in the chunk."""
        at = self.chunk.span(node)
        return Span(at.start, at.end)

    def add(self, span: Span, entity: Entity, role: Role, value: str | None = None, site: Site | None = None) -> None:
        self.found.append(Occurrence(span, entity, role, 0, value, site))

    def read(self) -> None:
        node = self.declared.node
        self.name(node, Entity("function", node.name, self.declared.scope.module.path))
        self.function(node, {})
        results = _results(node.returns)
        for value, annotation in zip(self.source.model.graph.outputs, results, strict=False):
            if annotation is not None and self.annotates(annotation):
                key = self.keys.get(value.name, value.name)
                self.typed.append(Typed("result", 0, key, None, self.span(annotation)))
        while self.waiting:
            self.visit(*self.waiting.pop())

    def name(self, node: ast.FunctionDef, entity: Entity) -> None:
        span = _own(name_span(self.chunk, node), self.chunk.key)
        outermost = node is self.declared.node
        self.blocks.append(Block("function" if outermost else "graph", node.name, self.span(node), span, outermost))
        if span is not None:
            self.add(span, entity, "definition")

    def annotates(self, annotation: ast.expr) -> bool:
        """Whether an annotation is a tensor type with or without a shape."""
        while isinstance(annotation, ast.Subscript):
            annotation = annotation.value
        return isinstance(annotation, (ast.Name, ast.Attribute))

    # ---------------------------------------------------------------- scopes

    def function(self, node: ast.FunctionDef, outer: Names) -> None:
        """The parameters and the body of the function or of one nested in it."""
        scope = str(node.lineno)
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None]
        bound = {arg.arg for arg in every} | set(_bound(node.body))
        names = {**outer, **{name: Entity("value", name, scope) for name in bound}}
        for arg in every:
            self.parameter(arg, names[arg.arg], names)
        if node.returns is not None:
            self.waiting.append((node.returns, names, True))
        self.waiting += [(each, names, False) for each in node.body]

    def parameter(self, arg: ast.arg, entity: Entity, names: Names) -> None:
        whole = self.chunk.span(arg)
        span = Span(whole.start, whole.start + len(arg.arg))
        value = self.arguments.get(whole.start)
        key = None if value is None else self.keys[value]
        self.add(span, entity, "definition", key)
        if arg.annotation is not None:
            self.waiting.append((arg.annotation, names, True))
        if key is not None and (arg.annotation is None or self.annotates(arg.annotation)):
            written = None if arg.annotation is None else self.span(arg.annotation)
            self.typed.append(Typed("parameter", 0, key, span, written, span.end))

    # ---------------------------------------------------------------- nodes of the syntax tree

    def visit(self, node: ast.AST, names: Names, annotation: bool) -> None:
        match node:
            case ast.FunctionDef():
                self.name(node, names[node.name])
                self.function(node, names)
                return
            case ast.AsyncFunctionDef() | ast.ClassDef():
                return
            case ast.Name():
                self.variable(node, names)
                return
            case ast.Constant() if annotation:
                self.dim(node)
                return
            case ast.Call():
                self.call(node)
            case ast.Assign() if len(node.targets) == 1:
                self.targets(node.targets[0], None)
            case ast.AnnAssign():
                self.targets(node.target, node.annotation)
                self.waiting.append((node.annotation, names, True))
                self.waiting += [(each, names, False) for each in (node.target, node.value) if each is not None]
                return
            case _ if isinstance(node, _HIDDEN):
                return
            case _:
                pass
        self.waiting += [(child, names, annotation) for child in ast.iter_child_nodes(node)]

    def targets(self, target: ast.expr, annotation: ast.expr | None) -> None:
        """The types that an assignment declares, or could."""
        several = isinstance(target, ast.Tuple)
        for each in target.elts if isinstance(target, ast.Tuple) else (target,):
            value = self.source.meanings.get(self.chunk.span(each)) if isinstance(each, ast.Name) else None
            if isinstance(value, str) and value in self.keys and value not in self.source.numbers:
                span = self.span(each)
                written = self.span(annotation) if annotation is not None and self.annotates(annotation) else None
                slot = None if several else span.end
                self.typed.append(Typed("local", 0, self.keys[value], span, written, slot))

    def variable(self, node: ast.Name, names: Names) -> None:
        meaning = self.source.meanings.get(self.chunk.span(node))
        entity = names.get(node.id)
        if entity is not None:
            role: Role = "use" if isinstance(node.ctx, ast.Load) else "definition"
            self.add(self.span(node), entity, role, self.keys.get(meaning) if isinstance(meaning, str) else None)
        elif isinstance(meaning, Declared):
            entity = Entity("function", meaning.node.name, meaning.scope.module.path)
            site = self.calls.get(self.span(node))
            self.found.append(Occurrence(self.span(node), entity, "use", 0, None, site, meaning))

    def call(self, node: ast.Call) -> None:
        site = self.calls.get(self.span(node.func))
        if site is None:
            return
        of = f"{site.node.domain}.{site.node.op_type}"
        if isinstance(node.func, ast.Attribute):
            end = self.span(node.func).end
            operator = Entity("operator", node.func.attr, site.node.domain)
            self.add(Span(end - len(node.func.attr), end), operator, "use", None, site)
        for keyword in node.keywords:
            if keyword.arg is not None:
                start = self.span(keyword).start
                kind = "attribute" if keyword.arg in site.attributes else "input"
                span = Span(start, start + len(keyword.arg))
                self.add(span, Entity(kind, keyword.arg, of), "use", None, site)

    def dim(self, node: ast.Constant) -> None:
        """A string in an annotation: a name, or an expression over names."""
        span = self.span(node)
        written = self.chunk.text[span.start + 1 : span.end - 1]
        if not isinstance(node.value, str) or written != node.value or node.value not in self.dims:
            return
        for name, start in dim_mentions(written, self.dims):
            start += span.start + 1
            self.add(Span(start, start + len(name)), Entity("dim", name), "use")


def _results(returns: ast.expr | None) -> list[ast.expr | None]:
    """The annotations of the results."""
    if isinstance(returns, ast.Subscript) and isinstance(returns.value, (ast.Name, ast.Attribute)):
        name = returns.value.id if isinstance(returns.value, ast.Name) else returns.value.attr
        if name in ("Tuple", "tuple"):
            return list(returns.slice.elts) if isinstance(returns.slice, ast.Tuple) else [returns.slice]
    return list(returns.elts) if isinstance(returns, ast.Tuple) else [returns]


def _bound(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that a block binds in the scope that it belongs to."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(ctx=ast.Store() | ast.Del()):
                yield node.id
            case _ if isinstance(node, _HIDDEN):
                pass
            case _:
                waiting += ast.iter_child_nodes(node)
