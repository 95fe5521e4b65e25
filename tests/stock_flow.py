"""Graphs of script functions in a form that ours and the stock converter's can be compared in.

Operators are compared without order where the converter's own order is that of a set; the flow from each result does
not depend on any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from onnxls.frontends.script.functions import FunctionModel
from onnxls.graph import Graph, Node

Flow = Callable[[str], Any]


def operators(graph: Graph) -> list[Any]:
    found: list[Any] = []
    for node in graph.nodes:
        found.append((node.domain, node.op_type, sorted(node.attrs)))
        for name in sorted(node.attrs):
            inner = node.attrs[name].value
            if isinstance(inner, Graph):
                found.append(operators(inner))
    return _unordered(found)


def stock_operators(graph: Any) -> list[Any]:
    found: list[Any] = []
    for node in graph:
        attributes = {attr.name: attr for attr in node.attributes.values()}
        found.append((node.domain, node.op_type, sorted(attributes)))
        for name in sorted(attributes):
            if attributes[name].type.name == "GRAPH":
                found.append(stock_operators(attributes[name].value))
    return _unordered(found)


def _unordered(found: list[Any]) -> list[Any]:
    """Copies at the end of a branch come in the order of a set in the stock converter."""
    return sorted(found, key=repr)


def flow(unit: FunctionModel) -> list[Any]:
    def within(graph: Graph, outer: Flow, params: Mapping[str, Any]) -> Flow:
        makers = {name: (node, index) for node in graph.nodes for index, name in enumerate(node.outputs)}
        memo: dict[str, Any] = dict(params)

        def of(name: str) -> Any:
            if not name:
                return None
            if name not in memo:
                memo[name] = made(*makers[name]) if name in makers else outer(name)
            return memo[name]

        def made(node: Node, index: int) -> Any:
            operands = [of(each) for each in node.inputs]
            if node.op_type == "If":
                arms = [node.attrs[arm].value for arm in ("then_branch", "else_branch")]
                results = [within(arm, of, {})(arm.outputs[index].name) for arm in arms if isinstance(arm, Graph)]
                return "If", operands[0], results
            body = node.attrs["body"].value if "body" in node.attrs else None
            if node.op_type == "Loop" and isinstance(body, Graph):
                states = [("state", repr(each)) for each in operands[2:]]
                names = [value.name for value in body.inputs]
                inner = within(body, of, dict(zip(names, ["turn", "goes", *states], strict=True)))
                end = inner(body.outputs[0].name)
                return "Loop", operands[:2], end, operands[2:][index : index + 1], inner(body.outputs[1 + index].name)
            if isinstance(body, Graph):
                names = [value.name for value in body.inputs]
                inner = within(body, of, {name: ("param", k) for k, name in enumerate(names)})
                return node.op_type, operands, index, [inner(value.name) for value in body.outputs]
            return node.domain, node.op_type, sorted(node.attrs), operands, index

        return of

    graph = unit.model.graph
    of = within(graph, lambda name: ("?", name), {value.name: ("input", value.name) for value in graph.inputs})
    return [of(value.name) for value in graph.outputs]


def stock_flow(function: Any) -> list[Any]:
    memo: dict[int, Any] = {}

    def of(value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, str):
            return ("input", value)
        if id(value) not in memo:
            node = value.producer()
            memo[id(value)] = ("input", value.name) if node is None else made(node, value.index())
        return memo[id(value)]

    def made(node: Any, index: int) -> Any:
        operands = [of(each) for each in node.inputs]
        attributes = {attr.name: attr for attr in node.attributes.values()}
        if node.op_type == "If":
            arms = [attributes[arm].value for arm in ("then_branch", "else_branch")]
            return "If", operands[0], [of(arm.outputs[index]) for arm in arms]
        body: Any = attributes["body"].value if "body" in attributes else ()
        if node.op_type == "Loop":
            states = [("state", repr(each)) for each in operands[2:]]
            for value, known in zip(body.inputs, ["turn", "goes", *states], strict=True):
                memo[id(value)] = known
            return (
                "Loop",
                operands[:2],
                of(body.outputs[0]),
                operands[2:][index : index + 1],
                of(body.outputs[1 + index]),
            )
        if body:
            for number, value in enumerate(body.inputs):
                memo[id(value)] = ("param", number)
            return node.op_type, operands, index, [of(value) for value in body.outputs]
        return node.domain, node.op_type, sorted(attributes), operands, index

    return [of(value) for value in function.outputs]
