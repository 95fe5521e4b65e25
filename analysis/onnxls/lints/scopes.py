"""The bodies of a model that are looked at: the main graph, every nested graph, every function, each of them once.

Places are those of the walker; a function's are under the function itself, since its body is judged where it is
defined and not once for every call.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from onnxls.findings import Place, node_place
from onnxls.graph import Function, Graph, Model, Node, Tensor, TypeInfo, Value
from onnxls.keys import function_step, nested_graphs, node_label

MAX_DEPTH = 100
"""Graphs nested deeper are not looked at; no front end reads as many."""

FunctionKey = tuple[str, str, str]


@dataclass(slots=True, eq=False)
class Scope:
    """One body. `at` is the index of the node of `parent` that holds a nested graph, `owner` the enclosing function.

    `defined` gives for each name the index of the node that defines it, -1 for an input or initializer.
    """

    path: str
    prefix: str
    body: Graph | Function
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    opsets: Mapping[str, int]
    owner: Function | None = None
    parent: Scope | None = None
    at: int = 0
    defined: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, in topological order unless there is a cycle."""
        return self.body.nodes

    @property
    def initializers(self) -> Mapping[str, Tensor]:
        """The initializers; a function has none."""
        return self.body.initializers if isinstance(self.body, Graph) else {}

    @property
    def value_info(self) -> Mapping[str, TypeInfo]:
        """The declared types of intermediates."""
        return self.body.value_info

    def place(self, index: int) -> Place:
        """The place of a node."""
        node = self.nodes[index]
        return node_place(node, index, self.path, self.prefix + node_label(node.name, node.op_type, index))

    def call_place(self, index: int) -> Place:
        """The place of a node, told at the name of what it calls where that is written."""
        origin, place = self.nodes[index].origin, self.place(index)
        return place if origin is None or origin.name is None else replace(place, span=origin.name)

    def input_place(self, value: Value) -> Place:
        """The place of an input of this body."""
        return Place(f"{self.path}/input[{value.name}]", value=value.name, span=value.span)

    def output_place(self, value: Value) -> Place:
        """The place of an output of this body."""
        return Place(f"{self.path}/output[{value.name}]", value=value.name, span=value.span)

    def initializer_place(self, name: str) -> Place:
        """The place of an initializer."""
        return Place(f"{self.path}/initializer[{name}]", value=name)

    def ancestors(self) -> Iterator[tuple[Scope, int]]:
        """The enclosing bodies, inside out, each with the index of the node that holds this one."""
        scope, at = self.parent, self.at
        while scope is not None:
            yield scope, at
            scope, at = scope.parent, scope.at


def scopes_of(model: Model, holders: Container[Node]) -> list[Scope]:
    """All bodies, outer ones first; `holders` are the nodes that hold graphs."""
    graph = model.graph
    found = [Scope("graph", "", graph, graph.inputs, graph.outputs, model.opsets)]
    for function in model.functions.values():
        found.append(_function_scope(model, function))
    number = 0
    while number < len(found):
        found += _inside(found[number], holders)
        number += 1
    return found


def _function_scope(model: Model, function: Function) -> Scope:
    return Scope(
        function_step(function.domain, function.name, function.overload),
        f"{function.name}/",
        function,
        tuple(Value(name) for name in function.inputs),
        tuple(Value(name) for name in function.outputs),
        {**model.opsets, **function.opsets},
        function,
    )


def _inside(scope: Scope, holders: Container[Node]) -> Iterator[Scope]:
    if sum(1 for _ in scope.ancestors()) >= MAX_DEPTH:
        return
    for index, node in enumerate(scope.nodes):
        if node not in holders:
            continue
        place = scope.place(index)
        for name, graph in nested_graphs(node):
            yield Scope(
                f"{place.graph_path}/{name}",
                f"{place.node}/{name}/",
                graph,
                graph.inputs,
                graph.outputs,
                scope.opsets,
                scope.owner,
                scope,
                index,
            )
