"""A node with what it reads and what reads it: a small part of the graph around a place. Plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from onnxls.diagnostics import Diagnostic
from onnxls.listing import describe
from onnxls.occurrences import Site, Table, occurrences
from onnxls.spans import Span
from onnxls.units import Unit
from onnxls_server.session.opened import View
from onnxls_server.session.places import Place, in_layout

MAX_NEIGHBOURS = 60
"""A value may be read by thousands of nodes; so many are shown."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node; `op` is empty for an input of the graph and the like."""

    id: str
    label: str
    op: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A value on its way from one node to another. `failing`: a finding is about the reader and this value."""

    source: str
    target: str
    value: str
    type: str
    failing: bool
    place: Place | None


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The node in the middle, and those around it."""

    unit: str
    center: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


def neighbourhood(view: View, offset: int, diagnostics: Iterable[Diagnostic]) -> Neighbourhood | None:
    """The neighbourhood of the node at an offset of the analysed text, or of the node that makes the value there."""
    snapshot = view.snapshot
    known = occurrences(snapshot.report, snapshot.analyzed, snapshot.listing)
    part = known.part_at(offset)
    if part is None or part.unit >= len(snapshot.report.units):
        return None
    around = _Around(view, part.table, snapshot.report.units[part.unit], list(diagnostics))
    found = known.at(offset)
    site = known.site_at(offset)
    if site is None and found is not None and found.value is not None:
        site = around.maker(found.value)
    return None if site is None else around.of(site)


class _Around:
    def __init__(self, view: View, table: Table, unit: Unit, diagnostics: list[Diagnostic]) -> None:
        self.view = view
        self.table = table
        self.unit = unit
        self.failing = [each for each in diagnostics if each.verdict is not None]
        self.ids = {id(site): f"{index}" for index, site in enumerate(table.sites)}
        self.definitions = {
            each.value: each for each in reversed(table.occurrences) if each.value and each.role == "definition"
        }
        self.makers: dict[str, Site] = {}
        self.readers: dict[str, list[Site]] = {}
        for site in table.sites:
            for name in site.node.outputs:
                if name and (key := self.key(site, name)) is not None:
                    self.makers[key] = site
            for name in dict.fromkeys(site.node.inputs):
                if name and (key := self.key(site, name)) is not None:
                    self.readers.setdefault(key, []).append(site)

    def key(self, site: Site, name: str) -> str | None:
        """The key of a value as a node names it: of its own graph, or of one around it."""
        prefix = site.prefix
        while prefix is not None:
            if prefix + name in self.unit.values:
                return prefix + name
            if not prefix:
                break
            outer = prefix.rstrip("/").split("/")[:-2]
            prefix = "".join(f"{each}/" for each in outer)
        return None

    def maker(self, key: str) -> Site | None:
        """The node that makes a value."""
        return self.makers.get(key)

    def of(self, center: Site) -> Neighbourhood:
        """The neighbourhood of a node."""
        nodes = {self.ids[id(center)]: self.node(center)}
        edges: list[GraphEdge] = []
        for source, edge in self.read_by(center):
            nodes.setdefault(source.id, source)
            edges.append(edge)
        for target, edge in self.reading(center):
            if len(nodes) < MAX_NEIGHBOURS:
                nodes.setdefault(target.id, target)
                edges.append(edge)
        return Neighbourhood(self.unit.name, self.ids[id(center)], tuple(nodes.values()), tuple(edges))

    def read_by(self, center: Site) -> Iterator[tuple[GraphNode, GraphEdge]]:
        """What the node reads, with where it comes from."""
        for name in dict.fromkeys(center.node.inputs):
            key = self.key(center, name) if name else None
            if key is None:
                continue
            maker = self.makers.get(key)
            source = self.node(maker) if maker is not None else self.outside(key, name)
            yield source, self.edge(source.id, center, key, name)

    def reading(self, center: Site) -> Iterator[tuple[GraphNode, GraphEdge]]:
        """Who reads what the node makes."""
        for name in center.node.outputs:
            key = self.key(center, name) if name else None
            if key is None:
                continue
            readers = self.readers.get(key, ())
            for reader in readers:
                target = self.node(reader)
                yield target, self.edge(self.ids[id(center)], reader, key, name)
            if key in self.unit.outputs:
                target = GraphNode(f"output:{key}", name, "", None)
                yield target, GraphEdge(self.ids[id(center)], target.id, name, self.type(key), False, self.defined(key))

    def node(self, site: Site) -> GraphNode:
        """A node of the graph."""
        label = site.node.name or ", ".join(name for name in site.node.outputs if name)
        return GraphNode(self.ids[id(site)], label, site.node.op_type, self.place(site.name or site.span))

    def outside(self, key: str, name: str) -> GraphNode:
        """An input or initializer in the place of a node."""
        return GraphNode(f"value:{key}", name, "", self.defined(key))

    def edge(self, source: str, reader: Site, key: str, name: str) -> GraphEdge:
        """A value that a node reads."""
        about = {None, key, *(self.key(reader, made) for made in reader.node.outputs if made)}
        failing = any(each.node == reader.key and each.value in about for each in self.failing if each.node)
        return GraphEdge(source, self.ids[id(reader)], name, self.type(key), failing, self.defined(key))

    def type(self, key: str) -> str:
        """The type of a value, for people."""
        fact = self.unit.values.get(key)
        return (describe(fact) if fact is not None else None) or "?"

    def defined(self, key: str) -> Place | None:
        """Where a value is defined."""
        found = self.definitions.get(key)
        return None if found is None else self.place(found.span)

    def place(self, span: Span) -> Place:
        """A range of the analysed text."""
        return in_layout(self.view.layout, span)
