"""What is inside a model, by name: in the keys of nested values (`node/attribute/value`) and in graph paths.

A key has names only, so it stays while other nodes come and go; a path (`graph/node[3]:Add(sum)/then_branch`) says
where something stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from onnxls.graph import Graph, Node


def node_label(name: str, op_type: str, index: int) -> str:
    """What a node is called in keys: its name, or its operator and index where it has none."""
    return name or f"{op_type}_{index}"


def node_step(name: str, op_type: str, index: int) -> str:
    """A node in a graph path."""
    return f"node[{index}]:{op_type}({name})" if name else f"node[{index}]:{op_type}"


def graph_label(attribute: str, index: int) -> str:
    """What a graph in an attribute is called, in keys and in paths: only further ones of a list have their index."""
    return f"{attribute}[{index}]" if index else attribute


def nested_graphs(node: Node) -> Iterator[tuple[str, Graph]]:
    """The graphs in the attributes of a node, with their labels."""
    for attr in node.attrs.values():
        if isinstance(attr.value, Graph):
            yield attr.name, attr.value
        elif isinstance(attr.value, tuple):
            for index, each in enumerate(attr.value):
                if isinstance(each, Graph):
                    yield graph_label(attr.name, index), each


def function_key(domain: str, name: str, overload: str) -> str:
    """What a function of a model is called in the keys of the positions of a text."""
    called = f"{domain}.{name}" if domain else name
    return f"{called}:{overload}" if overload else called


def function_step(domain: str, name: str, overload: str) -> str:
    """A function as such in a graph path, whoever calls it."""
    return f"function[{domain}:{name}:{overload}]" if overload else f"function[{domain}:{name}]"


def call_step(domain: str, name: str) -> str:
    """The body of a function in a graph path, after the node that calls it."""
    return f"function({domain}.{name})"


def within(scope: str, key: str) -> str:
    """The key of something in a scope; "" is the main graph."""
    return f"{scope}/{key}" if scope else key
