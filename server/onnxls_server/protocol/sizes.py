"""Guards, sizes that are tried, and the graph around a place: what the VS Code client asks beside the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pygls.exceptions import JsonRpcInvalidParams

from onnxls.spans import Span
from onnxls_server.features.guards import UnitGuards, guards
from onnxls_server.features.neighbourhood import GraphNode, neighbourhood
from onnxls_server.protocol.looking import SHORTLY, Look, compute, look
from onnxls_server.protocol.parameters import field, position_field, text_field
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

MAX_SIZE = 2**63 - 1


@feature("onnxls/guards")
async def show_guards(ls: Server, params: Any) -> dict[str, object] | None:
    """`{uri, position?}` → the guards of the function or model there; null where none is."""
    uri, position = text_field(params, "uri"), position_field(params, "position")
    seen = await look(ls, uri, SHORTLY)
    if seen is None:
        return None
    offset = seen.offset(position) if position is not None else None
    found = await compute(lambda: guards(seen.snapshot, offset=offset))
    return None if found is None else answer(seen, found)


@feature("onnxls/setSizes")
async def set_sizes(ls: Server, params: Any) -> dict[str, object] | None:
    """`{uri, unit, sizes}` → the guards of the unit at these sizes, which are in force from now on; null: none."""
    uri, unit = text_field(params, "uri"), text_field(params, "unit")
    seen, found = await try_sizes(ls, uri, unit, sizes_of(field(params, "sizes")))
    return None if seen is None or found is None else answer(seen, found)


@feature("onnxls/graph")
async def show_graph(ls: Server, params: Any) -> dict[str, object] | None:
    """`{uri, position}` → the node there with its producers and consumers; null where there is none."""
    uri, position = text_field(params, "uri"), position_field(params, "position")
    seen = await look(ls, uri, SHORTLY)
    if seen is None or position is None:
        return None
    offset = seen.offset(position)
    found = await compute(lambda: neighbourhood(seen.snapshot, offset))
    unit = await compute(lambda: guards(seen.snapshot, offset=offset))
    if found is None:
        return None
    ranges = {node.id: node.span for node in found.nodes}
    return {
        "unit": unit.unit if unit is not None else "",
        "center": found.center,
        "nodes": [
            {"id": node.id, "label": _label(node), "op": node.operator, "range": _range(seen, node.span)}
            for node in found.nodes
        ],
        "edges": [
            {
                "from": edge.source,
                "to": edge.target,
                "value": edge.value,
                "type": edge.type,
                "failing": edge.failing,
                "range": _range(seen, ranges.get(edge.source)),
            }
            for edge in found.edges
        ],
    }


async def try_sizes(
    ls: Server, uri: str, unit: str, sizes: dict[str, int] | None
) -> tuple[Look | None, UnitGuards | None]:
    """Puts sizes into force, and gives the guards of the unit as they are then."""
    opened = await ls.session.settled(uri)
    view = opened.view() if opened is not None else None
    if opened is None or view is None or guards(view.snapshot, unit) is None:
        return None, None
    ls.session.try_sizes(opened, unit, sizes)
    await ls.session.settled(uri)
    seen = await look(ls, uri, SHORTLY)
    return seen, None if seen is None else await compute(lambda: guards(seen.snapshot, unit))


def answer(seen: Look, found: UnitGuards) -> dict[str, object]:
    """The guards as the client takes them."""
    states = {True: "holds", False: "fails", None: "unknown"}
    return {
        "unit": found.unit,
        "symbols": [{"name": name, "hint": found.sizes.get(name)} for name in found.symbols],
        "guards": [
            {
                "text": each.text,
                "kind": each.kind,
                "reason": each.rule,
                "node": each.node or "",
                "range": _range(seen, each.span),
                "state": states[each.holds],
            }
            for each in found.guards
        ],
    }


def sizes_of(given: object) -> dict[str, int] | None:
    """Sizes by symbol; None takes them back."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise JsonRpcInvalidParams("`sizes` is an object or null")
    sizes: dict[str, int] = {}
    for name, size in cast("Mapping[object, object]", given).items():
        if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= MAX_SIZE:
            raise JsonRpcInvalidParams(f"the size of {name} is not 0 or a positive integer")
        sizes[str(name)] = size
    return sizes


def _label(node: GraphNode) -> str:
    return node.name or node.operator


def _range(seen: Look, span: Span | None) -> object:
    return None if span is None else seen.range(span.start, span.end)
