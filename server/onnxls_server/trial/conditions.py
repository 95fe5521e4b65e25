"""Loops that leave out their condition get it: ONNX takes it as true, onnx's reference takes no turn without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import FunctionProto, GraphProto, ModelProto, NodeProto

_NAME = "trial-condition"


def with_conditions(model: ModelProto) -> None:
    """Gives every loop of a model its condition."""
    from onnx import helper

    bodies: list[GraphProto | FunctionProto] = [model.graph, *model.functions]
    for body in bodies:
        loops = [node for node in _nodes(body) if node.op_type == "Loop" and not any(node.input[1:2])]
        for loop in loops:
            loop.input.extend([""] * (2 - len(loop.input)))
            loop.input[1] = _NAME
        if loops:
            true = helper.make_tensor(_NAME, 9, (), (True,))
            body.node.insert(0, helper.make_node("Constant", [], [_NAME], value=true))


def _nodes(body: GraphProto | FunctionProto) -> Iterator[NodeProto]:
    """The nodes of a graph or function, and of the graphs in it."""
    for node in body.node:
        yield node
        for attribute in node.attribute:
            for nested in (attribute.g, *attribute.graphs):
                yield from _nodes(nested)
