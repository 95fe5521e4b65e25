"""The model of a script function, made from what was read of its text: nothing of the file runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from onnxls_server.trial.subject import Unloadable

if TYPE_CHECKING:
    from onnxls.graph import Attr, Graph, Node
    from onnxls.units import Unit


def function_at(units: Sequence[Unit], line: int | None) -> Unit:
    """The innermost function around a line. Raises Unloadable where there is none."""
    around = [
        (unit.source.first_line, unit)
        for unit in units
        if unit.source is not None and line is not None and unit.source.first_line <= line <= unit.source.last_line
    ]
    if not around:
        raise Unloadable("a source is tried function by function, and this is in none")
    return max(around, key=lambda each: each[0])[1]


def model_text(unit: Unit) -> str:
    """The model of a function as ONNX text; its attribute parameters have their defaults.

    Raises Unloadable where one has none.
    """
    from onnxls.frontends.text_writer import write_text

    assert unit.source is not None
    graph = _filled(unit.model.graph, unit.source.function.attributes)
    return write_text(replace(unit.model, graph=graph)).text


def _filled(graph: Graph, attributes: Mapping[str, Attr]) -> Graph:
    return replace(graph, nodes=tuple(_node(node, attributes) for node in graph.nodes))


def _node(node: Node, attributes: Mapping[str, Attr]) -> Node:
    return replace(node, attrs={name: _attribute(attr, attributes) for name, attr in node.attrs.items()})


def _attribute(attr: Attr, attributes: Mapping[str, Attr]) -> Attr:
    from onnxls.graph import Graph

    if isinstance(attr.value, Graph):
        return replace(attr, value=_filled(attr.value, attributes))
    if attr.ref is None:
        return attr
    given = attributes.get(attr.ref)
    if given is None or given.value is None:
        raise Unloadable(f"the attribute parameter {attr.ref!r} has no value")
    return replace(attr, value=given.value, ref=None)
