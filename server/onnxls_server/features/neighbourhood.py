"""The graph around a node: what makes its inputs, what uses its outputs, and what is known on the edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from onnxls.occurrences import Site, Table
from onnxls.occurrences.sites import outward
from onnxls.spans import Span
from onnxls_server.features.view import View
from onnxls_server.features.wording import fact_text
from onnxls_server.session.snapshot import Snapshot

MAX_NODES = 200


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node, or an input of the graph (then `operator` is empty). `distance` in edges from the node asked about."""

    id: str
    operator: str
    name: str
    span: Span | None
    distance: int
    failing: bool


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A value from what makes it to what uses it. `failing`: a finding at its target is about sizes."""

    source: str
    target: str
    value: str
    type: str
    failing: bool


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """`center` is the id of the node asked about."""

    center: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


def neighbourhood(snapshot: Snapshot, offset: int, depth: int = 1) -> Neighbourhood | None:
    """The nodes at most `depth` edges away from the node at an offset."""
    view = View(snapshot)
    back = view.shift.back(offset)
    part = None if back is None else view.occurrences.part_at(back)
    if part is None or back is None:
        return None
    center = _center(part.table, back)
    return None if center is None else _Walk(view, part.table).around(center, depth)


def _center(table: Table, offset: int) -> Site | None:
    """The node at an offset; of a name that is bound, the node that makes the value."""
    occurrence = table.at(offset)
    if occurrence is not None and occurrence.role == "definition" and occurrence.value is not None:
        for site in table.sites:
            if any(f"{site.prefix}{name}" == occurrence.value for name in site.node.outputs if name):
                return site
    return table.site_at(offset)


class _Walk:
    """Follows the values of one table."""

    def __init__(self, view: View, table: Table) -> None:
        self.view = view
        self.makers: dict[str, Site] = {}
        self.users: dict[str, list[Site]] = {}
        for site in table.sites:
            for name in site.node.outputs:
                if name:
                    self.makers.setdefault(f"{site.prefix}{name}", site)
        for site in table.sites:
            for key in self.inputs(site):
                self.users.setdefault(key, []).append(site)
        self.failing = {
            found.node for found in view.report.found if found.node and found.severity in ("error", "warning")
        }

    def inputs(self, site: Site) -> Iterator[str]:
        """The keys of the values that a node uses, each once."""
        for name in dict.fromkeys(site.node.inputs):
            keys = [f"{prefix}{name}" for prefix in outward(site.prefix or "")] if name else []
            known = (key for key in keys if key in self.makers or self.known(site, key))
            if keys:
                yield next(known, keys[-1])

    def known(self, site: Site, key: str) -> bool:
        return self.view.fact(site.unit, key) is not None

    def around(self, center: Site, depth: int) -> Neighbourhood:
        nodes: dict[str, GraphNode] = {}
        edges: dict[tuple[str, str, str], GraphEdge] = {}
        waiting = [(center, 0)]
        seen = {_id(center)}
        while waiting and len(nodes) < MAX_NODES:
            site, distance = waiting.pop(0)
            nodes[_id(site)] = self.node(site, distance)
            if distance == depth:
                continue
            for neighbour, edge in self.edges(site):
                edges[edge.source, edge.target, edge.value] = edge
                if neighbour is None:
                    value = edge.source
                    nodes.setdefault(value, GraphNode(value, "", edge.value, None, distance + 1, False))
                elif _id(neighbour) not in seen:
                    seen.add(_id(neighbour))
                    waiting.append((neighbour, distance + 1))
        kept = [each for each in edges.values() if each.source in nodes and each.target in nodes]
        return Neighbourhood(_id(center), tuple(nodes.values()), tuple(kept))

    def edges(self, site: Site) -> Iterator[tuple[Site | None, GraphEdge]]:
        for key in self.inputs(site):
            maker = self.makers.get(key)
            yield maker, self.edge(key, f"value {key}" if maker is None else _id(maker), site)
        for name in site.node.outputs:
            for user in self.users.get(f"{site.prefix}{name}", ()) if name else ():
                yield user, self.edge(f"{site.prefix}{name}", _id(site), user)

    def edge(self, key: str, source: str, target: Site) -> GraphEdge:
        text = fact_text(self.view.fact(target.unit, key)) or "?"
        return GraphEdge(source, _id(target), key.rpartition("/")[2], text, target.key in self.failing)

    def node(self, site: Site, distance: int) -> GraphNode:
        node = site.node
        span = self.view.shift.on(site.span)
        return GraphNode(_id(site), node.op_type, node.name, span, distance, site.key in self.failing)


def _id(site: Site) -> str:
    return site.key or f"{site.node.op_type}@{site.span.start}"
