"""Puts the nodes of every body into topological order, and reports bodies that were not in it, and cycles.

A body that is in order stays the very object it was. Ties keep the order of the file; nodes of a cycle, and those
that need them, come last. What a nested graph takes from outside counts as inputs of the node that holds it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush

from onnxls.graph import Attr, Function, Graph, Model, Node
from onnxls.keys import nested_graphs
from onnxls.lints.collector import MAX_RELATED, Collector
from onnxls.lints.scopes import MAX_DEPTH, Scope
from onnxls.rules import rule

GRAPH_CYCLE = rule(
    "graph-cycle",
    "OLS025",
    "error",
    """
    Nodes need each other's outputs, in a circle.

    No node of the circle can be the first to run, so the model has no order in which it could be executed. The value
    of an iteration before is not reached by naming it: `Loop` and `Scan` carry state.

    No runtime loads such a model.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # error: [graph-cycle] "`a` -> `b` -> `a`"
      a = Add (x, b)
      b = Relu (a)
      y = Neg (b)
    }
    ```

    Find the input that was to name another value; often it is the name of an earlier version of the same value.
    """,
)
NODES_NOT_SORTED = rule(
    "nodes-not-sorted",
    "OLS026",
    "warning",
    """
    A node stands before the node whose output it uses.

    ONNX asks for nodes in topological order. onnx's checker and tools that read node by node refuse a graph that is
    in another order. onnxruntime sorts the main graph itself, so there it is a warning; in nested graphs and functions
    it refuses too.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # warning: [nodes-not-sorted] "`a`"
      y = Neg (a)
      a = Relu (x)
    }
    ```

    Move the node after those that it needs. The analysis goes on with the nodes in order.
    """,
)

_GRAPH, _GRAPHS = 5, 10  # types of attributes that hold graphs


@dataclass(frozen=True, slots=True)
class Disorder:
    """What was wrong with the order: a use before the definition, and the nodes of each cycle, in its direction."""

    user: Node
    name: str
    cycles: tuple[tuple[Node, ...], ...]
    circular: frozenset[Node]


@dataclass(slots=True)
class Arranged:
    """The model in order. `captures`: for each node that holds graphs, what these take from outside.

    `missing`: names that a body uses and does not define; what is visible from outside is among them.
    """

    model: Model
    captures: dict[Node, frozenset[str]] = field(default_factory=dict[Node, frozenset[str]])
    disorders: dict[Graph | Function, Disorder] = field(default_factory=dict[Graph | Function, Disorder])
    missing: dict[Graph | Function, frozenset[str]] = field(default_factory=dict[Graph | Function, frozenset[str]])


def arrange(model: Model) -> Arranged:
    """The model with the nodes of all bodies in order; the same object where they are."""
    arranged = Arranged(model)
    graph = _graph(model.graph, arranged, 0)
    functions = {key: _function(function, arranged) for key, function in model.functions.items()}
    same = graph is model.graph and all(functions[key] is each for key, each in model.functions.items())
    if not same:
        arranged.model = replace(model, graph=graph, functions=functions)
    return arranged


def report_order(scope: Scope, arranged: Arranged, collector: Collector) -> None:
    """Reports what was wrong with the order of one body."""
    disorder = arranged.disorders.get(scope.body)
    if disorder is None:
        return
    indices = {node: index for index, node in enumerate(scope.nodes)}
    for cycle in disorder.cycles:
        _report_cycle(scope, cycle, indices, collector)
    if disorder.user in disorder.circular:
        return
    definer = scope.defined.get(disorder.name, -1)
    related = [(scope.place(definer), f"`{disorder.name}` is defined here")] if definer >= 0 else []
    text = f"stands before the node that defines `{disorder.name}`"
    severity = None if scope.parent is None and scope.owner is None else "error"
    collector.add(NODES_NOT_SORTED, text, scope.place(indices[disorder.user]), severity, related)


def _report_cycle(scope: Scope, cycle: Sequence[Node], indices: Mapping[Node, int], collector: Collector) -> None:
    names = [next((name for name in node.outputs if name), node.op_type) for node in cycle[: MAX_RELATED + 1]]
    shown = " -> ".join(f"`{name}`" for name in names)
    rest = f" -> ... ({len(cycle):,} nodes)" if len(cycle) > len(names) else ""
    text = f"needs its own output: {shown}{rest} -> `{names[0]}`"
    related = [(scope.place(indices[node]), "on the way of the cycle") for node in cycle[1 : MAX_RELATED + 1]]
    collector.add(GRAPH_CYCLE, text, scope.place(indices[cycle[0]]), related=related)


# ---------------------------------------------------------------- bodies


def _graph(graph: Graph, arranged: Arranged, depth: int) -> Graph:
    own = {value.name for value in graph.inputs}
    own.update(graph.initializers)
    nodes, disorder, missing = _body(graph.nodes, own, [value.name for value in graph.outputs], arranged, depth)
    made = graph if nodes is graph.nodes else replace(graph, nodes=nodes)
    _record(made, disorder, missing, arranged)
    return made


def _function(function: Function, arranged: Arranged) -> Function:
    nodes, disorder, missing = _body(function.nodes, set(function.inputs), function.outputs, arranged, 0)
    made = function if nodes is function.nodes else replace(function, nodes=nodes)
    _record(made, disorder, missing, arranged)
    return made


def _record(body: Graph | Function, disorder: Disorder | None, missing: frozenset[str], arranged: Arranged) -> None:
    if disorder is not None:
        arranged.disorders[body] = disorder
    if missing:
        arranged.missing[body] = missing


def _body(
    nodes: tuple[Node, ...], own: set[str], outputs: Iterable[str], arranged: Arranged, depth: int
) -> tuple[tuple[Node, ...], Disorder | None, frozenset[str]]:
    captures = arranged.captures
    seen = {"", *own}
    late: set[str] = set()
    changed: dict[int, Node] = {}
    for index, node in enumerate(nodes):
        taken: Iterable[str] = node.inputs
        if node.attrs and _holds_graphs(node):
            opened = _open(node, arranged, depth)
            if opened is not node:
                changed[index] = opened
            taken = (*node.inputs, *captures[opened])
        if not seen.issuperset(taken):
            late.update(name for name in taken if name not in seen)
        seen.update(node.outputs)
    if changed:
        nodes = tuple(changed.get(index, node) for index, node in enumerate(nodes))
    missing = frozenset(late.difference(seen).union(name for name in outputs if name not in seen))
    if not late or late.isdisjoint(seen):
        return nodes, None, missing
    ordered, disorder = _sort(nodes, own, captures)
    return ordered, disorder, missing


def _holds_graphs(node: Node) -> bool:
    for attr in node.attrs.values():  # noqa: SIM110 - as a generator it is the slowest line of the module
        if attr.type == _GRAPH or attr.type == _GRAPHS:
            return True
    return False


def _open(node: Node, arranged: Arranged, depth: int) -> Node:
    """The node with its graphs in order; notes what they take from outside."""
    if depth >= MAX_DEPTH:
        arranged.captures[node] = frozenset()
        return node
    attrs = {name: _open_attr(attr, arranged, depth + 1) for name, attr in node.attrs.items()}
    if any(attrs[name] is not attr for name, attr in node.attrs.items()):
        node = replace(node, attrs=attrs)
    taken: set[str] = set()
    for _, graph in nested_graphs(node):
        taken |= arranged.missing.get(graph, frozenset())
    arranged.captures[node] = frozenset(taken)
    return node


def _open_attr(attr: Attr, arranged: Arranged, depth: int) -> Attr:
    value = attr.value
    if isinstance(value, Graph):
        graph = _graph(value, arranged, depth)
        return attr if graph is value else replace(attr, value=graph)
    if attr.type == _GRAPHS and isinstance(value, tuple):
        graphs = [each for each in value if isinstance(each, Graph)]
        made = tuple(_graph(each, arranged, depth) for each in graphs)
        same = all(new is old for new, old in zip(made, graphs, strict=True))
        return attr if same else replace(attr, value=made)
    return attr


# ---------------------------------------------------------------- sorting


def _sort(
    nodes: tuple[Node, ...], own: set[str], captures: Mapping[Node, frozenset[str]]
) -> tuple[tuple[Node, ...], Disorder]:
    needs, (user, name) = _needs(nodes, own, captures)
    users: list[list[int]] = [[] for _ in nodes]
    for index, needed in enumerate(needs):
        for each in needed:
            users[each].append(index)
    waiting = [len(needed) for needed in needs]
    ready = [index for index, count in enumerate(waiting) if not count]
    heapify(ready)
    order: list[int] = []
    while ready:
        index = heappop(ready)
        order.append(index)
        for each in users[index]:
            waiting[each] -= 1
            if not waiting[each]:
                heappush(ready, each)
    cycles: list[tuple[Node, ...]] = []
    circular: set[int] = set()
    for component in _components([index for index, count in enumerate(waiting) if count], needs, waiting):
        order += component
        if len(component) > 1 or component[0] in needs[component[0]]:
            circular.update(component)
            cycles.append(tuple(nodes[index] for index in _circle(component, users)))
    ordered = tuple(nodes[index] for index in order)
    disorder = Disorder(nodes[user], name, tuple(cycles), frozenset(nodes[index] for index in circular))
    return (nodes if order == list(range(len(nodes))) else ordered), disorder


def _needs(
    nodes: tuple[Node, ...], own: set[str], captures: Mapping[Node, frozenset[str]]
) -> tuple[list[set[int]], tuple[int, str]]:
    """For each node, those whose outputs it uses; and the first use that stands before its definition.

    A name that is defined twice means the last definition before the use, or the first one after it.
    """
    first: dict[str, int] = {}
    for index, node in enumerate(nodes):
        for name in node.outputs:
            first.setdefault(name, index)
    latest: dict[str, int] = {}
    needs: list[set[int]] = []
    early: tuple[int, str] | None = None
    for index, node in enumerate(nodes):
        needed: set[int] = set()
        for name in (*node.inputs, *captures.get(node, ())):
            definer = latest.get(name)
            if definer is None and name not in own and name:
                definer = first.get(name)
                if definer is not None and early is None:
                    early = index, name
            if definer is not None:
                needed.add(definer)
        needs.append(needed)
        for name in node.outputs:
            latest[name] = index
    assert early is not None
    return needs, early


def _components(left: Sequence[int], needs: Sequence[set[int]], waiting: Sequence[int]) -> list[list[int]]:
    """Tarjan's strongly connected components of the nodes that wait; those that others need come first."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in left:
        if root in number:
            continue
        path = [(root, iter(sorted(needs[root])))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while path:
            index, rest = path[-1]
            for each in rest:
                if not waiting[each]:
                    continue
                if each not in number:
                    number[each] = low[each] = len(number)
                    stack.append(each)
                    on_stack.add(each)
                    path.append((each, iter(sorted(needs[each]))))
                    break
                if each in on_stack:
                    low[index] = min(low[index], number[each])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[index])
                if low[index] == number[index]:
                    at = len(stack) - 1
                    while stack[at] != index:
                        at -= 1
                    component = stack[at:]
                    del stack[at:]
                    on_stack.difference_update(component)
                    found.append(sorted(component))
    return found


def _circle(component: Sequence[int], users: Sequence[Sequence[int]]) -> list[int]:
    """The shortest way from the first node of a component back to it, along the data."""
    start = component[0]
    inside = set(component)
    came: dict[int, int] = {}
    queue = deque([start])
    while queue:
        index = queue.popleft()
        for each in users[index]:
            if each == start:
                way = [index]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if each in inside and each not in came:
                came[each] = index
                queue.append(each)
    return [start]
