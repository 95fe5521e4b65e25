"""What stands where in ONNX text, edited or written from a binary model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from onnxls.frontends.text import TextModel, read_text
from onnxls.frontends.text_positions import Declaration, ScopePositions
from onnxls.graph import Function, Graph, Node
from onnxls.keys import function_key, node_label
from onnxls.model_directives import ASSUME, HINT
from onnxls.occurrences.dims import dim_mentions
from onnxls.occurrences.sites import Body, bodies, sites
from onnxls.occurrences.table import (
    Block,
    Entity,
    Occurrence,
    Occurrences,
    Part,
    Role,
    Site,
    Table,
    Typed,
    TypedRole,
    make_table,
)
from onnxls.seeds import dim_names
from onnxls.spans import Span
from onnxls.units import Unit

_REFERENCE = re.compile(r"@\s*([A-Za-z_]\w*)")
_DIRECTIVE = re.compile(rf'"(?:{re.escape(ASSUME)}|{re.escape(HINT)})"\s*:\s*"((?:[^"\\]|\\.)*)"')
_NAME = re.compile(r"[^\W\d]\w*")


def of_text(text: str, path: str, unit: Unit | None, written: TextModel | None = None) -> Occurrences:
    """The one part of a text. `unit` is the analysis of the model that it says, None where there is none.

    `written` is what the text says, where it has been read already.
    """

    def make() -> Table:
        reader = _Reader(text, written or read_text(text, path), unit)
        reader.read()
        return make_table(reader.found, reader.sites, reader.typed, reader.blocks)

    return Occurrences(text, [Part(0, Span(0, len(text)), make)])


def _dim_scope(written: str) -> str:
    """What the names of sizes belong to: the main graph with all that is nested in it, or a function."""
    return f"dims of {written}"


def _whole(span: Span | None) -> Span | None:
    return span


class _Reader:
    """Reads all graphs and functions of a text."""

    def __init__(self, text: str, written: TextModel, unit: Unit | None) -> None:
        self.text = text
        self.model = written.model
        self.positions = written.positions
        self.functions: dict[str, Mapping[str, Entity]] = {}
        self.found: list[Occurrence] = []
        self.typed: list[Typed] = []
        self.sites: list[Site] = []
        self.blocks: list[Block] = []
        self.nested_known = unit is not None and written.model is not None and _same_order(written.model.graph, unit)

    def read(self) -> None:
        model = self.model
        if model is None:
            return
        for written in (function_key(*key) for key in model.functions):
            position = self.positions.get(written) or ScopePositions(Span(0, 0))
            self.functions[written] = {name: Entity("value", f"@{name}", written) for name in position.parameters}
        callers = _callers(model.graph, model.functions)
        names = dim_names(model.graph)
        self.directives(names)
        self.graph(model.graph, "", "", names, model.opsets, {})
        for key, function in model.functions.items():
            written = function_key(*key)
            prefix = callers.get(key)
            called = Entity("function", function.name, function_key(*key))
            position = self.positions.get(written)
            if position is not None and position.name is not None:
                self.add(position.name, called, "definition")
            body = Graph(function.name, (), (), function.nodes, {}, function.value_info)
            parameters = self.functions[written]
            for name, entity in parameters.items():
                if position is not None:
                    self.add(position.parameters[name], entity, "definition")
            self.graph(body, prefix, written, dim_names(body), function.opsets, parameters)

    def directives(self, dims: frozenset[str]) -> None:
        """The sizes in assumptions and hints of the model, which stand in front of it."""
        graph = self.positions.get("")
        for match in _DIRECTIVE.finditer(self.text, 0, 0 if graph is None else graph.span.start):
            for name in _NAME.finditer(self.text, *match.span(1)):
                if name[0] in dims:
                    self.add(Span(*name.span()), Entity("dim", name[0], _dim_scope("")), "use")

    def graph(
        self,
        graph: Graph,
        prefix: str | None,
        written: str,
        dims: frozenset[str],
        opsets: Mapping[str, int],
        parameters: Mapping[str, Entity],
    ) -> None:
        """A main graph or function body, with what is nested in it."""
        known: dict[str, dict[str, tuple[Entity, str | None]]] = {}
        for body in bodies(graph, prefix, written):
            outer = known.get(_enclosing(body.written, known), {})
            known[body.written] = self.body(body, outer, dims, _dim_scope(written), opsets, parameters)

    def body(
        self,
        body: Body,
        outer: Mapping[str, tuple[Entity, str | None]],
        dims: frozenset[str],
        dim_scope: str,
        opsets: Mapping[str, int],
        parameters: Mapping[str, Entity],
    ) -> dict[str, tuple[Entity, str | None]]:
        """One graph; gives the entities of the names that are visible in it, with the keys of their facts."""
        prefix = body.prefix if not body.prefix or self.nested_known else None
        position = self.positions.get(body.written) or ScopePositions(Span(0, 0))
        outermost = body.written in ("", *self.functions)
        kind = "function" if body.written in self.functions else "graph"
        self.blocks.append(Block(kind, body.graph.name, position.span, position.name, outermost))
        defined = [*position.inputs, *position.initializers]
        defined += [name for node in body.graph.nodes for name in node.outputs if name]
        names = dict(outer)
        for name in defined:
            names[name] = Entity("value", name, body.written), None if prefix is None else prefix + name
        self.declared(position, names, dims, dim_scope)
        own = list(sites(0, body.graph.nodes, prefix, opsets, _whole))
        self.sites += own
        for index, span in position.labels.items():
            if index < len(body.graph.nodes):
                self.add(span, Entity("node", body.graph.nodes[index].name, body.written), "definition")
        for site in own:
            self.node(site, names, parameters)
        return names

    def add(self, span: Span, entity: Entity, role: Role, value: str | None = None, site: Site | None = None) -> None:
        self.found.append(Occurrence(span, entity, role, 0, value, site))

    def declared(
        self,
        position: ScopePositions,
        names: Mapping[str, tuple[Entity, str | None]],
        dims: frozenset[str],
        dim_scope: str,
    ) -> None:
        """Inputs, initializers, outputs and declared types."""
        tables: tuple[tuple[Role, TypedRole, Mapping[str, Declaration]], ...] = (
            ("definition", "parameter", position.inputs),
            ("definition", "parameter", position.initializers),
            ("declaration", "result", position.outputs),
            ("declaration", "local", position.value_info),
        )
        for role, kind, table in tables:
            for name, at in table.items():
                known = names.get(name)
                if known is None:
                    continue
                entity, key = known
                self.add(at.name, entity, role, key)
                self.declared_dims(at, dims, dim_scope)
                if key is not None:
                    self.typed.append(Typed(kind, 0, key, at.name, at.type))

    def declared_dims(self, at: Declaration, dims: frozenset[str], scope: str) -> None:
        for span in at.dims:
            quoted = self.text[span.start] == '"'
            begin = span.start + quoted
            for name, start in dim_mentions(self.text[begin : span.end - quoted], dims):
                self.add(Span(begin + start, begin + start + len(name)), Entity("dim", name, scope), "use")

    def node(
        self, site: Site, names: Mapping[str, tuple[Entity, str | None]], parameters: Mapping[str, Entity]
    ) -> None:
        node = site.node
        self.names(node.outputs, site.outputs, names, "definition")
        self.names(node.inputs, site.inputs, names, "use")
        for name, span in zip(node.outputs, site.outputs, strict=False):
            if name and span is not None and names[name][1] is not None:
                self.typed.append(Typed("local", 0, str(names[name][1]), span, None))
        if site.name is not None and node.op_type:
            span = Span(site.name.end - len(node.op_type), site.name.end)
            self.add(span, self.operator(node), "use", None, site)
        for name, span in site.attributes.items():
            if self.text.startswith(name, span.start):
                called = self.functions.get(function_key(node.domain, node.op_type, node.overload), {})
                entity = called.get(name) or Entity("attribute", name, f"{node.domain}.{node.op_type}")
                self.add(Span(span.start, span.start + len(name)), entity, "use", None, site)
            match = _REFERENCE.search(self.text, span.start, span.end) if node.attrs[name].ref is not None else None
            if match is not None and match[1] in parameters:
                self.add(Span(match.start(1), match.end(1)), parameters[match[1]], "use")

    def names(
        self,
        given: tuple[str, ...],
        spans: tuple[Span | None, ...],
        names: Mapping[str, tuple[Entity, str | None]],
        role: Role,
    ) -> None:
        for name, span in zip(given, spans, strict=False):
            known = names.get(name)
            if span is not None and known is not None:
                self.add(span, known[0], role, known[1])

    def operator(self, node: Node) -> Entity:
        key = (node.domain, node.op_type, node.overload)
        if self.model is not None and key in self.model.functions:
            return Entity("function", node.op_type, function_key(*key))
        return Entity("operator", node.op_type, node.domain)


def _enclosing(written: str, known: Mapping[str, object]) -> str:
    """The scope that a nested one is in."""
    parts = written.split("/")
    for count in range(len(parts) - 1, 0, -1):
        outer = "/".join(parts[:count])
        if outer in known:
            return outer
    return ""


def _same_order(graph: Graph, unit: Unit) -> bool:
    """Whether the analysis kept the order of the nodes: else keys of nested values are not those of the text."""
    analysed = unit.model.graph.nodes
    return all(one.outputs == other.outputs for one, other in zip(graph.nodes, analysed, strict=False))


def _callers(graph: Graph, functions: Mapping[tuple[str, str, str], Function]) -> dict[tuple[str, str, str], str]:
    """For each function that is called, what stands before the names of the values of its first call."""
    found: dict[tuple[str, str, str], str] = {}
    waiting: list[tuple[str, Graph]] = [("", graph)]
    while waiting:
        prefix, each = waiting.pop(0)
        for body in bodies(each, prefix, ""):
            for prefix_, key in _calls(body):
                if key in functions and key not in found:
                    found[key] = prefix_
                    function = functions[key]
                    waiting.append((prefix_, Graph(function.name, (), (), function.nodes)))
    return found


def _calls(body: Body) -> Iterator[tuple[str, tuple[str, str, str]]]:
    for index, node in enumerate(body.graph.nodes):
        yield f"{body.prefix}{node_label(node.name, node.op_type, index)}/", (node.domain, node.op_type, node.overload)
