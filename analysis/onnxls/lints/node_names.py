"""Names of nodes: free to leave out, but one graph must not have the same twice."""

from __future__ import annotations

from onnxls.lints.collector import Collector
from onnxls.lints.scopes import Scope
from onnxls.rules import rule

DUPLICATE_NODE_NAME = rule(
    "duplicate-node-name",
    "OLS030",
    "error",
    """
    Two nodes of one graph have the same name.

    ONNX lets nodes be without a name, but a name that is given is to be unique. onnxruntime refuses a graph (or the
    body of a function) with two nodes of one name, apart from `Constant`, which it makes an initializer first; onnx's
    checker does not look.

    ```onnx
    g (float[N] x) => (float[N] y) {
      [act] a = Relu (x)
      # error: [duplicate-node-name]
      [act] y = Neg (a)
    }
    ```

    Rename one of the nodes, or leave its name out.
    """,
)


def report_node_names(scope: Scope, collector: Collector) -> None:
    """Reports nodes of one body whose name an earlier one has."""
    names = [node.name for node in scope.nodes if node.name and (node.op_type != "Constant" or node.domain)]
    if len(set(names)) == len(names):
        return
    first: dict[str, int] = {}
    for index, node in enumerate(scope.nodes):
        if not node.name or (node.op_type == "Constant" and not node.domain):
            continue
        if node.name in first:
            related = [(scope.place(first[node.name]), "the first node of this name")]
            text = f"the name `{node.name}` is that of another node already"
            collector.add(DUPLICATE_NODE_NAME, text, scope.place(index), None, related)
        else:
            first[node.name] = index
