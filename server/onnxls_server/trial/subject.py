"""The model on trial: loaded with light weights, its nodes named by their places, cut down to what one run needs."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from onnxls.keys import node_step
from onnxls_server.model_writer import TEXT_FORMATS, tensors
from onnxls_server.trial.conditions import with_conditions
from onnxls_server.trial.weights import LARGE, make_up, without_weights

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto

HEAVY = 256 << 20
"""Bytes of a model file from which on its weights are not read."""

_NEWEST_IR = 10
_NAME = re.compile(r"trial-node-(\d+)-")
_BRANCH = re.compile(r"/(then_branch|else_branch)(?=/)")


class Unloadable(Exception):  # noqa: N818 - a state of the model, not of the program
    """The model cannot be tried; the text says why."""


class Subject:
    """One model. `paths`: the graph paths of its nodes, by the number in their names."""

    def __init__(self, path: str, text: str | None) -> None:
        self.model = _load(path, text)
        self.opset = next((each.version for each in self.model.opset_import if each.domain in ("", "ai.onnx")), 0)
        self.paths: list[str] = []
        self._numbers: dict[str, int] = {}
        self._name_nodes(self.model.graph, "graph")
        with_conditions(self.model)
        problem = make_up(self.model, self.opset)
        if problem is not None:
            raise Unloadable(problem)
        self.model.ir_version = min(self.model.ir_version or _NEWEST_IR, _NEWEST_IR)

    def _name_nodes(self, graph: GraphProto, path: str) -> None:
        for index, node in enumerate(graph.node):
            own = f"{path}/{node_step(node.name, node.op_type, index)}"
            self._numbers[own] = len(self.paths)
            node.name = f"trial-node-{len(self.paths)}-"
            self.paths.append(own)
            for attribute in node.attribute:
                for nested in (attribute.g, *attribute.graphs) if attribute.type in (5, 10) else ():
                    self._name_nodes(nested, f"{own}/{attribute.name}")

    def place(self, message: str) -> str | None:
        """The graph path of the innermost node that a message names."""
        numbers = _NAME.findall(message)
        return self.paths[int(numbers[-1])] if numbers and int(numbers[-1]) < len(self.paths) else None

    def whole(self) -> ModelProto:
        """The model, without the declared shapes of anything but its inputs: a runtime need not judge those."""
        model = _copy(self.model)
        forget_shapes(model.graph, {value.name for value in model.graph.input})
        return model

    def until(self, path: str) -> ModelProto:
        """The model without what the node or value at a graph path does not need; its branch is the one that runs."""
        model = self.whole()
        number, chain = self._chain(path)
        top = next((node for node in model.graph.node if chain and node.name == _label(chain[0])), None)
        if top is None:
            return model
        if number is not None:
            _force(model.graph, [_label(each) for each in chain], path)
        del model.graph.output[:]
        names = [name for name in top.output if name]
        model.graph.output.extend(_values(names))
        _prune(model.graph)
        return model

    def before(self, path: str) -> ModelProto | None:
        """The model as far as the inputs of the node of the main graph at a path; None where nothing comes before."""
        _, chain = self._chain(path)
        top = next((node for node in self.model.graph.node if chain and node.name == _label(chain[0])), None)
        made = set(self.produced())
        return self.with_outputs([name for name in top.input if name in made]) if top is not None else None

    def with_outputs(self, names: Sequence[str]) -> ModelProto:
        """The model with these values as its outputs, and nothing that they do not need."""
        model = self.whole()
        del model.graph.output[:]
        model.graph.output.extend(_values(names))
        _prune(model.graph)
        return model

    def _chain(self, path: str) -> tuple[int | None, list[int]]:
        """The number of the node at a path, and those of the nodes around it, outermost first."""
        chain = [
            number for own, number in self._numbers.items() if path == own or path.startswith((f"{own}/", f"{own}["))
        ]
        chain.sort(key=lambda number: len(self.paths[number]))
        return (chain[-1] if chain else None), chain

    def inputs(self) -> list[str]:
        """The names of the inputs that a caller must give."""
        weights = {tensor.name for tensor in self.model.graph.initializer}
        return [value.name for value in self.model.graph.input if value.name not in weights]

    def annotated(self, name: str) -> ModelProto:
        """The model with the declared shapes of a value and of those that share names of sizes with it, and no others.

        Input declarations stay: they are where most names get their sizes.
        """
        model = _copy(self.model)
        declared = dict(_declared(model.graph))
        names = _names(declared[name]) if name in declared else set[str]()
        kept = {each for each, type_ in declared.items() if each == name or names & _names(type_)}
        forget_shapes(model.graph, kept | {value.name for value in model.graph.input})
        return model

    def produced(self) -> list[str]:
        """The values that nodes of the main graph make, in order."""
        return [name for node in self.model.graph.node for name in node.output if name]


def _load(path: str, text: str | None) -> ModelProto:
    import onnx

    kind = os.path.splitext(path)[1].lower()
    if text is not None or kind in TEXT_FORMATS:
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        return onnx.load_model_from_string(text.encode(), format=TEXT_FORMATS.get(kind, "onnxtxt"))
    if os.path.getsize(path) < HEAVY:
        model = onnx.load(path, load_external_data=False)  # pyright: ignore[reportUnknownMemberType]
    else:
        model = _load_light(path)
    _load_external(model, os.path.dirname(os.path.abspath(path)))
    return model


def _load_light(path: str) -> ModelProto:
    from mmap import ACCESS_READ, mmap

    import onnx

    with open(path, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        return onnx.load_model_from_string(without_weights(data))


def _load_external(model: ModelProto, folder: str) -> None:
    """Reads small tensors from the files beside the model; large ones become empty."""
    from onnx.external_data_helper import load_external_data_for_tensor

    for tensor in tensors(model.graph):
        if tensor.data_location != 1:
            continue
        if _count(tensor) < LARGE:
            try:
                load_external_data_for_tensor(tensor, folder)
            except Exception as error:
                raise Unloadable(f"external data: {error}") from error
        tensor.ClearField("data_location")
        del tensor.external_data[:]


def _count(tensor: TensorProto) -> int:
    count = 1
    for dim in tensor.dims:
        count *= dim
    return count


def _copy(model: ModelProto) -> ModelProto:
    from onnx import ModelProto

    made = ModelProto()
    made.CopyFrom(model)
    return made


def _values(names: Sequence[str]) -> Iterator[ValueInfoProto]:
    from onnx import ValueInfoProto

    for name in names:
        yield ValueInfoProto(name=name)


def _label(number: int) -> str:
    return f"trial-node-{number}-"


def _force(graph: GraphProto, labels: Sequence[str], path: str) -> None:
    """Makes every If on the way to a node take the branch that the node is in."""
    from onnx import helper

    branches = _BRANCH.findall(path)
    for label in labels[:-1]:
        node = next((node for node in graph.node if node.name == label), None)
        if node is None:
            return
        if node.op_type == "If" and branches:
            branch = branches.pop(0)
            name = f"trial-branch-of-{label}"
            graph.initializer.append(helper.make_tensor(name, 9, (), (branch == "then_branch",)))
            node.input[0] = name
            graph = next(each.g for each in node.attribute if each.name == branch)
        else:
            body = next((each.g for each in node.attribute if each.type == 5), None)
            if body is None:
                return
            graph = body


def _prune(graph: GraphProto) -> None:
    """Drops nodes and initializers that no output needs."""
    needed = {value.name for value in graph.output}
    kept: list[NodeProto] = []
    for node in reversed(graph.node):
        if any(name in needed for name in node.output):
            kept.append(node)
            needed |= _used(node)
    nodes = list(reversed(kept))
    weights = [tensor for tensor in graph.initializer if tensor.name in needed]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(weights)


def _used(node: NodeProto) -> set[str]:
    """The names that a node and the graphs in it read."""
    names = {name for name in node.input if name}
    for attribute in node.attribute:
        for nested in (attribute.g, *attribute.graphs):
            for inner in nested.node:
                names |= _used(inner)
            names.update(value.name for value in nested.output)
    return names


def _declared(graph: GraphProto) -> Iterator[tuple[str, TypeProto]]:
    """The declared types of all values of a graph and of those in it."""
    for value in (*graph.input, *graph.value_info, *graph.output):
        yield value.name, value.type
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _declared(attribute.g)


def _names(declared: TypeProto) -> set[str]:
    return {dim.dim_param for dim in declared.tensor_type.shape.dim if dim.dim_param}


def forget_shapes(graph: GraphProto, kept: Collection[str]) -> None:
    """Drops the declared shapes of all values of a graph, and of those in it, that are not to be kept."""
    for value in (*graph.input, *graph.output, *graph.value_info):
        if value.name not in kept and value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                forget_shapes(attribute.g, kept)
