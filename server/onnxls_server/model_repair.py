"""Makes the edits of fixes in a model. What is edited is named as `onnxls.fixes.models` names it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto

    from onnxls.diagnostics import Edit

_STEP = re.compile(r"node\[(\d+)\](?:/([^/\[#]+)(?:\[(\d+)\])?/)?")
_NAMED = re.compile(r"(output|value_info|initializer|metadata)\[(.*)\]", re.DOTALL)


class EditError(Exception):
    """An edit names nothing that is in the model."""


def repair_model(model: ModelProto, edits: Iterable[Edit]) -> None:
    """Makes the edits in place. Raises EditError for one that cannot be made."""
    for edit in edits:
        if edit.target is None:
            raise EditError("an edit of a text")
        _edit(model, edit.target, edit.text)


def _edit(model: ModelProto, target: str, text: str) -> None:
    what, _, aspect = target.rpartition("#")
    named = _NAMED.fullmatch(what or target)
    if named is None:
        _edit_node(_node(model.graph, what), aspect, text)
    elif named[1] == "metadata":
        known = next((each for each in model.metadata_props if each.key == named[2]), None)
        if known is None:
            model.metadata_props.add(key=named[2], value=text)
        else:
            known.value = f"{known.value}; {text}"
    elif named[1] == "initializer":
        _edit_element(_named(model.graph.initializer, named[2]), aspect, text)
    else:
        values = model.graph.output if named[1] == "output" else model.graph.value_info
        _named(values, named[2]).type.CopyFrom(_type(text))


def _named(items: Iterable[Any], name: str) -> Any:
    for each in items:
        if each.name == name:
            return each
    raise EditError(f"there is no `{name}`")


def _node(graph: GraphProto, path: str) -> NodeProto:
    """The node of a path: `node[3]/then_branch/node[0]`."""
    position = 0
    while True:
        match = _STEP.match(path, position)
        if match is None or int(match[1]) >= len(graph.node):
            raise EditError(f"there is no {path}")
        node = graph.node[int(match[1])]
        if match[2] is None:
            return node
        attribute: AttributeProto = _named(node.attribute, match[2])
        graph = attribute.graphs[int(match[3])] if match[3] else attribute.g
        position = match.end()


def _edit_node(node: NodeProto, aspect: str, text: str) -> None:
    word, _, name = aspect.partition(" ")
    kind, _, old = name.partition(" ")
    match word:
        case "operator":
            node.op_type = text
        case "attribute":
            _named(node.attribute, name).i = int(text)
        case "rename" if kind == "attribute":
            _named(node.attribute, old).name = text
        case "rename" if kind == "input":
            for index, each in enumerate(node.input):
                if each == old:
                    node.input[index] = text
        case "element":
            value = next((each for each in node.attribute if each.name in ("value", "value_ints")), None)
            if value is None:
                raise EditError("no Constant of integers")
            if value.name == "value_ints":
                value.ints[int(name)] = int(text)
            else:
                _edit_element(value.t, aspect, text)
        case _:
            raise EditError(f"an edit of {aspect}")


def _edit_element(tensor: TensorProto, aspect: str, text: str) -> None:
    from onnx import numpy_helper

    if tensor.data_location == 1:
        raise EditError("a tensor in a file of its own")
    array = numpy_helper.to_array(tensor).copy()
    array.reshape(-1)[int(aspect.partition(" ")[2])] = int(text)
    tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def _type(text: str) -> TypeProto:
    """A type as the textual syntax writes it."""
    from onnx import parser

    return parser.parse_graph(f"g ({text} x) => () {{}}").input[0].type
