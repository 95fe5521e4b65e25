"""What a model carries and nothing needs: hints only, since it costs memory and readers, not correctness.

A node is used if one of its outputs reaches an output of its body. Operators that are not known, and nodes without
outputs, count as used: nobody can say what they do besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from onnxls.findings import Place
from onnxls.graph import Node
from onnxls.lints.collector import Collector
from onnxls.lints.order import Arranged
from onnxls.lints.scopes import FunctionKey, Scope
from onnxls.rules import rule

UNUSED_INITIALIZER = rule(
    "unused-initializer",
    "OLS031",
    "hint",
    """
    No node uses an initializer.

    It is stored and loaded for nothing, which matters for weights; and often a node was to use it and names another
    value.

    ```onnx
    g (float[N, 4] x) => (float[N, 4] y) <float[4] bias = {1, 2, 3, 4}> {
      y = Relu (x)
    }
    ```

    Remove it, or use it.
    """,
)
UNUSED_VALUE = rule(
    "unused-value",
    "OLS032",
    "hint",
    """
    No output depends on a node, or a graph input is used by nothing.

    Runtimes drop such nodes when they load the model. In a model made by hand a name is often mistaken: what was to
    use the value uses another one.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # hint: [unused-value]
      scaled = Neg (x)
      y = Relu (x)
    }
    ```

    Remove it, or use it.
    """,
)
UNUSED_FUNCTION = rule(
    "unused-function",
    "OLS033",
    "hint",
    """
    A function of the model is never called.

    It makes the model larger, and what is wrong in it is reported all the same: onnx's checker reads it.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[N] x) => (float[N] y) {
      y = Relu (x)
    }
    <domain: "local", opset_import: ["" : 20]>
    twice (a) => (b) {
      b = Add (a, a)
    }
    ```

    Remove it, or call it.
    """,
)


def report_unused(scope: Scope, arranged: Arranged, pure: Callable[[Node], bool], collector: Collector) -> None:
    """Reports what one body has and does not need; `pure`: a node does nothing but give its outputs."""
    disorder = arranged.disorders.get(scope.body)
    if disorder is None or not disorder.circular:
        _report_nodes(scope, arranged.captures, pure, collector)
    main = scope.parent is None and scope.owner is None
    if not scope.initializers and not main:
        return
    used = _used(scope, arranged.captures)
    for name in scope.initializers:
        if name not in used:
            collector.add(UNUSED_INITIALIZER, f"initializer `{name}` is used by no node", scope.initializer_place(name))
    if not main or not scope.nodes:
        return
    for value in scope.inputs:
        if value.name not in used and value.name not in scope.initializers:
            collector.add(UNUSED_VALUE, f"input `{value.name}` is used by no node", scope.input_place(value))


def report_functions(
    scopes: Iterable[Scope], calls: Mapping[FunctionKey | None, set[FunctionKey]], collector: Collector
) -> None:
    """Reports functions that the main graph does not reach; `calls`: what each (None: the main graph) calls."""
    if not calls.get(None) and all(scope.owner is not None or not scope.nodes for scope in scopes):
        return
    reached: set[FunctionKey] = set()
    left = list(calls.get(None, ()))
    while left:
        key = left.pop()
        if key not in reached:
            reached.add(key)
            left += calls.get(key, ())
    for scope in scopes:
        function = scope.owner
        if function is None or function is not scope.body:
            continue
        if (function.domain, function.name, function.overload) not in reached:
            collector.add(UNUSED_FUNCTION, f"function `{function.name}` is never called", Place(scope.path))


def _used(scope: Scope, captures: Mapping[Node, frozenset[str]]) -> set[str]:
    used = {value.name for value in scope.outputs}
    for node in scope.nodes:
        used.update(node.inputs)
        if captures and node in captures:
            used.update(captures[node])
    return used


def _report_nodes(
    scope: Scope, captures: Mapping[Node, frozenset[str]], pure: Callable[[Node], bool], collector: Collector
) -> None:
    needed = {value.name for value in scope.outputs}
    unused: list[int] = []
    for index in range(len(scope.nodes) - 1, -1, -1):
        node = scope.nodes[index]
        if needed.isdisjoint(node.outputs) and node.outputs and pure(node):
            unused.append(index)
            continue
        needed.update(node.inputs)
        if captures and node in captures:
            needed.update(captures[node])
    for index in reversed(unused):
        if collector.skip(UNUSED_VALUE):
            continue
        collector.add(UNUSED_VALUE, "no output depends on this node", scope.place(index))
