"""Guards, sizes that are tried, and the graph around a place: what the VS Code client asks beside the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pygls.exceptions import JsonRpcInvalidParams

from onnxls_server.protocol import convert
from onnxls_server.protocol.parameters import Asked, field, text_field
from onnxls_server.protocol.registry import feature
from onnxls_server.session.guards import UnitGuards, guards_of, unit_at, unit_named
from onnxls_server.session.neighbourhood import neighbourhood
from onnxls_server.session.places import Place

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

MAX_SIZE = 2**63 - 1


@feature("onnxls/guards")
async def guards(ls: Server, params: Any) -> dict[str, object] | None:
    """`{uri, position?}` → the guards of the function or model there; null where none is."""
    asked = Asked(params)
    opened = await ls.session.settled(asked.uri)
    view = opened.view() if opened is not None else None
    if view is None:
        return None
    unit = unit_at(view, asked.offset(view, ls.session.encoding))
    return None if unit is None else _guards(ls, guards_of(view, unit))


@feature("onnxls/setSizes")
async def set_sizes(ls: Server, params: Any) -> dict[str, object] | None:
    """`{uri, unit, sizes}` → the guards of the unit at these sizes, which are in force from now on; null: none."""
    uri, unit, sizes = text_field(params, "uri"), text_field(params, "unit"), _sizes(field(params, "sizes"))
    opened = await ls.session.settled(uri)
    view = opened.view() if opened is not None else None
    if opened is None or view is None or unit_named(view, unit) is None:
        return None
    ls.session.try_sizes(opened, unit, sizes)
    opened = await ls.session.settled(uri)
    view = opened.view() if opened is not None else None
    found = unit_named(view, unit) if view is not None else None
    return None if view is None or found is None else _guards(ls, guards_of(view, found))


@feature("onnxls/graph")
async def graph(ls: Server, params: Any) -> dict[str, object] | None:
    """`{uri, position}` → the node there with its producers and consumers; null where there is none."""
    asked = Asked(params)
    opened = await ls.session.settled(asked.uri)
    view = opened.view() if opened is not None else None
    if opened is None or view is None:
        return None
    offset = asked.offset(view, ls.session.encoding)
    found = neighbourhood(view, offset, opened.diagnostics) if offset is not None else None
    if found is None:
        return None
    return {
        "unit": found.unit,
        "center": found.center,
        "nodes": [
            {"id": node.id, "label": node.label, "op": node.op, "range": _range(ls, node.place)} for node in found.nodes
        ],
        "edges": [
            {
                "from": edge.source,
                "to": edge.target,
                "value": edge.value,
                "type": edge.type,
                "failing": edge.failing,
                "range": _range(ls, edge.place),
            }
            for edge in found.edges
        ],
    }


def _guards(ls: Server, found: UnitGuards) -> dict[str, object]:
    return {
        "unit": found.unit,
        "symbols": [{"name": name, "hint": size} for name, size in found.symbols],
        "guards": [
            {
                "text": str(each.guard),
                "kind": each.guard.kind,
                "reason": each.guard.reason,
                "node": each.guard.node or "",
                "range": _range(ls, each.place),
                "state": each.state,
            }
            for each in found.guards
        ],
    }


def _range(ls: Server, place: Place | None) -> object:
    return None if place is None else convert.place_range(place, ls.session.encoding)


def _sizes(given: object) -> dict[str, int] | None:
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
