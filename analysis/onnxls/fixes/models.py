"""Changes as edits of a binary model: what is changed is named by its place in the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from onnxls.diagnostics import Edit
from onnxls.fixes.changes import Assume, Change, Respell, Retype, SetAttribute, SetEntries
from onnxls.frontends.text_printing import type_text
from onnxls.graph import Graph
from onnxls.keys import nested_graphs, node_label
from onnxls.occurrences import Site
from onnxls.spans import Span
from onnxls.units import Report

_SITES: WeakKeyDictionary[Report, tuple[tuple[Site, str], ...]] = WeakKeyDictionary()
_NOWHERE = Span(0, 0)


def sites(report: Report) -> tuple[Site, ...]:
    """The nodes of the main graph and of those in it, in the order of the file."""
    return tuple(site for site, _ in _places(report))


def _places(report: Report) -> tuple[tuple[Site, str], ...]:
    """The nodes with their places: `node[3]/then_branch/node[0]`."""
    known = _SITES.get(report)
    if known is None:
        model = report.loaded.model
        same = model is not None and report.units and _same_order(model.graph, report.units[0].model.graph)
        known = tuple(_walk(model.graph, "", "", model.opsets)) if model is not None and same else ()
        _SITES[report] = known
    return known


def _same_order(graph: Graph, analysed: Graph) -> bool:
    return [node.outputs for node in graph.nodes] == [node.outputs for node in analysed.nodes]


def _walk(
    graph: Graph, prefix: str, place: str, opsets: Mapping[str, int], depth: int = 0
) -> Iterator[tuple[Site, str]]:
    for index, node in enumerate(graph.nodes):
        label = node_label(node.name, node.op_type, index)
        here = f"{place}node[{index}]"
        yield Site(0, node, prefix + label, prefix, opsets.get(node.domain, 0), _NOWHERE), here
        if depth < 100:
            for name, inner in nested_graphs(node):
                yield from _walk(inner, f"{prefix}{label}/{name}/", f"{here}/{name}/", opsets, depth + 1)


def write(report: Report, change: Change) -> list[Edit] | None:
    """The edits of a change; None where it cannot be written."""

    def edit(target: str, text: str) -> list[Edit]:
        return [Edit(report.loaded.path, None, text, target)]

    match change:
        case Retype():
            table = "output" if change.role == "result" else "value_info"
            return edit(f"{table}[{change.value}]#type", type_text(change.type))
        case SetAttribute():
            return edit(f"{_place(report, change.site)}#attribute {change.name}", str(change.value))
        case Respell() if change.what == "operator":
            return edit(f"{_place(report, change.site)}#operator", change.new)
        case Respell() if change.what == "attribute":
            return edit(f"{_place(report, change.site)}#rename attribute {change.old}", change.new)
        case Respell():
            return edit(f"{_place(report, change.site)}#rename input {change.old}", change.new)
        case SetEntries():
            return _entries(report, change)
        case Assume():
            return edit("metadata[onnxls.assume]", change.condition)


def _place(report: Report, site: Site) -> str:
    return next(place for each, place in _places(report) if each.node is site.node)


def _entries(report: Report, change: SetEntries) -> list[Edit] | None:
    """Elements of an initializer or Constant of the main graph that only this node uses."""
    name = change.site.node.inputs[change.input]
    graph = report.units[0].model.graph
    users = sum(each.node.inputs.count(name) for each, _ in _places(report))
    if users != 1 or change.site.prefix or name in {value.name for value in (*graph.inputs, *graph.outputs)}:
        return None
    if name in graph.initializers:
        target = f"initializer[{name}]"
    else:
        maker = next((each for each in _places(report) if name in each[0].node.outputs and not each[0].prefix), None)
        if maker is None or maker[0].node.op_type != "Constant" or maker[0].node.domain:
            return None
        target = f"{maker[1]}"
    return [Edit(report.loaded.path, None, str(value), f"{target}#element {place}") for place, value in change.entries]
