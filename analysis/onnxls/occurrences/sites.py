"""The nodes of a model, nested ones and those of functions too, with their keys and ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from onnxls.facts import Fact
from onnxls.graph import Graph, Node
from onnxls.keys import nested_graphs, node_label, within
from onnxls.occurrences.table import Site
from onnxls.spans import Span

Place = Callable[[Span | None], Span | None]
"""The range in the text of a range of a front end; None where it does not stand there."""

MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Body:
    """A main or nested graph, or the body of a function. `written` is its scope in the positions of an ONNX text."""

    graph: Graph
    prefix: str | None
    written: str


def bodies(graph: Graph, prefix: str | None, written: str, depth: int = 0) -> Iterator[Body]:
    """A graph and all graphs nested in it."""
    yield Body(graph, prefix, written)
    if depth > MAX_DEPTH:
        return
    for index, node in enumerate(graph.nodes):
        for name, inner in nested_graphs(node):
            label = f"{node_label(node.name, node.op_type, index)}/{name}"
            there = None if prefix is None else f"{prefix}{label}/"
            yield from bodies(inner, there, within(written, label), depth + 1)


def outward(prefix: str) -> Iterator[str]:
    """What stands before the names of values in a graph, in that around it, and so on out to the main graph."""
    yield prefix
    while prefix:
        parts = prefix.rstrip("/").split("/")
        prefix = "/".join(parts[:-2]) + "/" if len(parts) > 2 else ""
        yield prefix


def visible(values: Mapping[str, Fact], site: Site, name: str) -> Fact | None:
    """What is known of a value that a node names."""
    if site.prefix is None or not name:
        return None
    return next((values[prefix + name] for prefix in outward(site.prefix) if prefix + name in values), None)


def sites(
    unit: int, nodes: Sequence[Node], prefix: str | None, opsets: Mapping[str, int], place: Place
) -> Iterator[Site]:
    """The nodes of one body that are written in the text."""
    for index, node in enumerate(nodes):
        origin = node.origin
        span = place(origin.span) if origin is not None else None
        if origin is None or span is None:
            continue
        attributes = {name: at for name, each in origin.attributes.items() if (at := place(each)) is not None}
        yield Site(
            unit,
            node,
            None if prefix is None else prefix + node_label(node.name, node.op_type, index),
            prefix,
            opsets.get(node.domain, 0),
            span,
            place(origin.name),
            tuple(map(place, origin.inputs)),
            tuple(map(place, origin.outputs)),
            attributes,
            node.metadata,
        )
