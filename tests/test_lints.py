"""Order, bounds and cost of the rules about the graph, beyond what the suite in Markdown shows."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import checker, helper

from onnxls.declarations import is_leftover
from onnxls.findings import Finding
from onnxls.frontends.model import read_model
from onnxls.graph import Attr, Graph, Model, Node, Tensor, TypeInfo, Value
from onnxls.infer import Walker
from onnxls.lints import lint
from onnxls.lints.collector import MAX_OF_A_RULE
from onnxls.lints.nearest import distance, nearest

FLOAT = TypeInfo("tensor", 1, ("N",))


def model_of(nodes: list[Node], outputs: tuple[str, ...], **more: Any) -> Model:
    """A model with the input `x`."""
    graph = Graph("g", (Value("x", FLOAT),), tuple(Value(name) for name in outputs), tuple(nodes), **more)
    return Model(graph, {"": 20})


def add(name: str, *inputs: str) -> Node:
    """A node that defines one value from others."""
    return Node("Sum", "", "", inputs, (name,))


def names_of(findings: list[Finding]) -> list[str]:
    return [finding.rule.name for finding in findings]


def is_sorted(nodes: tuple[Node, ...]) -> bool:
    seen = {"", "x"}
    for node in nodes:
        if not seen.issuperset(node.inputs):
            return False
        seen.update(node.outputs)
    return True


@st.composite
def graphs(draw: st.DrawFn) -> list[Node]:
    """Nodes in order, each of values before it."""
    nodes: list[Node] = []
    for index in range(draw(st.integers(1, 30))):
        known = ["x", *(f"v{earlier}" for earlier in range(index))]
        nodes.append(add(f"v{index}", *draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))))
    return nodes


# ---------------------------------------------------------------- order


@given(graphs(), st.randoms(use_true_random=False))
def test_shuffled_nodes_come_out_sorted(nodes: list[Node], chance: random.Random) -> None:
    shuffled = list(nodes)
    chance.shuffle(shuffled)
    given_ = model_of(shuffled, (f"v{len(nodes) - 1}",))
    model, findings = lint(given_)
    assert is_sorted(model.graph.nodes)
    assert set(model.graph.nodes) == set(shuffled)
    in_order = is_sorted(tuple(shuffled))
    assert (model is given_) == in_order
    assert ("nodes-not-sorted" in names_of(findings)) == (not in_order)
    assert "undefined-value" not in names_of(findings)
    assert lint(model)[0] is model


@given(graphs(), st.randoms(use_true_random=False))
def test_ties_keep_their_order(nodes: list[Node], chance: random.Random) -> None:
    """A node moves only behind what it needs: nodes that may change places do not."""
    first = len(nodes) - 1
    moved = [nodes[first], *nodes[:first]]
    model, _ = lint(model_of(moved, (f"v{first}",)))
    rest = [node for node in model.graph.nodes if node is not nodes[first]]
    assert rest == nodes[:first]


def test_a_cycle_comes_last_and_is_told_once() -> None:
    nodes = [add("a", "c"), add("b", "a"), add("c", "b", "x"), add("after", "c"), add("free", "x")]
    model, findings = lint(model_of(nodes, ("after", "free")))
    assert [node.outputs[0] for node in model.graph.nodes] == ["free", "a", "b", "c", "after"]
    assert names_of(findings) == ["graph-cycle"]
    assert findings[0].text == "needs its own output: `a` -> `b` -> `c` -> `a`"
    assert [place.value for place, _ in findings[0].related] == ["b", "c"]
    walked = Walker(model).run({}, ())
    assert walked.values["free"].shape is not None
    assert walked.values["after"].dtype in (None, 1)


def test_nested_graphs_and_functions_are_sorted() -> None:
    """The outer nodes stay where they are; only the holder is made anew."""
    text = """<ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (bool c, float[N] x) => (float[N] y) {
      z = local.f (x)
      y = If (c) <
        then_branch = t () => (float[N] a) { a = Neg (b) b = Relu (z) },
        else_branch = e () => (float[N] d) { d = Neg (x) }
      >
    }
    <domain: "local", opset_import: ["" : 20]>
    f (v) => (w) { w = Neg (u) u = Relu (v) }
    """
    given_, _ = read_model(onnx.parser.parse_model(text).SerializeToString(), "m.onnx")
    assert given_ is not None
    model, findings = lint(given_)
    assert names_of(findings) == ["nodes-not-sorted", "nodes-not-sorted"]
    assert [finding.severity for finding in findings] == ["error", "error"]
    assert model.graph.nodes[0] is given_.graph.nodes[0]
    branch = model.graph.nodes[1].attrs["then_branch"].value
    assert isinstance(branch, Graph)
    assert [node.op_type for node in branch.nodes] == ["Relu", "Neg"]
    assert branch is not given_.graph.nodes[1].attrs["then_branch"].value
    assert model.graph.nodes[1].attrs["else_branch"] is given_.graph.nodes[1].attrs["else_branch"]
    function = next(iter(model.functions.values()))
    assert [node.op_type for node in function.nodes] == ["Relu", "Neg"]


# ---------------------------------------------------------------- the checker agrees


@settings(max_examples=60)
@given(graphs(), st.data())
def test_the_checker_refuses_exactly_what_is_an_error(nodes: list[Node], data: st.DataObject) -> None:
    """One slip in a name of an otherwise good graph; the order of the main graph is the checker's alone."""
    index = data.draw(st.integers(0, len(nodes) - 1))
    name = data.draw(st.sampled_from(["x", "nowhere", *(f"v{number}" for number in range(len(nodes)))]))
    if data.draw(st.booleans()):
        nodes[index] = replace(nodes[index], inputs=(name, *nodes[index].inputs[1:]))
    else:
        nodes[index] = replace(nodes[index], outputs=(name,))
    proto = helper.make_model(
        helper.make_graph(
            [helper.make_node("Sum", node.inputs, node.outputs) for node in nodes],
            "g",
            [helper.make_tensor_value_info("x", 1, ["N"])],
            [helper.make_tensor_value_info(f"v{len(nodes) - 1}", 1, ["N"])],
        ),
        opset_imports=[helper.make_opsetid("", 20)],
        ir_version=10,
    )
    model, _ = read_model(proto.SerializeToString(), "m.onnx")
    assert model is not None
    findings = lint(model)[1]
    refused = any((each.severity or each.rule.severity) in ("error", "warning") for each in findings)
    try:
        checker.check_model(proto)  # pyright: ignore[reportUnknownMemberType]
    except checker.ValidationError:
        assert refused
    else:
        assert not refused


# ---------------------------------------------------------------- what has no line in a text


def test_unused_initializers_and_functions() -> None:
    kept = {name: Tensor(name, 1, (1,), lambda: (1.0,)) for name in ("used", "captured", "returned", "idle")}
    inner = Graph("t", (), (Value("a"),), (add("a", "captured"),))
    attrs = {"then_branch": Attr("then_branch", 5, inner), "else_branch": Attr("else_branch", 5, inner)}
    nodes = [add("s", "x", "used"), Node("If", "", "", ("s",), ("y",), attrs)]
    _, findings = lint(model_of(nodes, ("y", "returned"), initializers=kept))
    assert [(each.rule.name, each.place.value) for each in findings] == [("unused-initializer", "idle")]
    text = """<ir_version: 10, opset_import: ["" : 20, "l" : 1]>
    g (float[N] x) => (float[N] y) { y = l.one (x) }
    <domain: "l", opset_import: ["" : 20, "l" : 1]> one (a) => (b) { b = l.two (a) }
    <domain: "l", opset_import: ["" : 20]> two (a) => (b) { b = Neg (a) }
    <domain: "l", opset_import: ["" : 20, "l" : 1]> three (a) => (b) { b = l.four (a) }
    <domain: "l", opset_import: ["" : 20, "l" : 1]> four (a) => (b) { b = l.three (a) }
    """
    model, _ = read_model(onnx.parser.parse_model(text).SerializeToString(), "m.onnx")
    assert model is not None
    paths = [each.place.graph_path for each in lint(model)[1] if each.rule.name == "unused-function"]
    assert paths == ["function[l:three]", "function[l:four]"]


def test_attributes_of_the_function_that_the_graph_is_the_body_of() -> None:
    nodes = [Node("LeakyRelu", "", "", ("x",), ("y",), {"alpha": Attr("alpha", 1, None, "slope")})]
    model = model_of(nodes, ("y",))
    assert names_of(lint(model)[1]) == ["undeclared-attribute-reference"]
    assert not lint(model, ["slope"])[1]
    assert names_of(lint(model, ["slop"])[1]) == ["undeclared-attribute-reference"]


def test_a_negative_size_of_an_input() -> None:
    graph = Graph("g", (Value("x", TypeInfo("tensor", 1, (-1, 4))),), (Value("y"),), (add("y", "x"),))
    findings = lint(Model(graph, {"": 20}))[1]
    assert [(each.rule.name, each.place.value) for each in findings] == [("negative-size-input", "x")]


# ---------------------------------------------------------------- hostile sizes


def many_undefined(count: int) -> Model:
    return model_of([add(f"v{index}", f"nowhere{index}") for index in range(count)], ("v0",))


def one_cycle(count: int) -> Model:
    return model_of([add(f"v{index}", f"v{(index + 1) % count}") for index in range(count)], ("v0",))


def self_loops(count: int) -> Model:
    return model_of([add(f"v{index}", f"v{index}") for index in range(count)], ("v0",))


def backwards(count: int) -> Model:
    nodes = [add(f"v{index}", f"v{index - 1}" if index else "x") for index in range(count)]
    return model_of(nodes[::-1], (f"v{count - 1}",))


def one_name(count: int) -> Model:
    return model_of([Node("Relu", "", "same", ("x",), ("same",)) for _ in range(count)], ("same",))


def all_unknown(count: int) -> Model:
    return model_of([Node(f"Op{index}", "", "", ("x",), (f"v{index}",)) for index in range(count)], ("v0",))


HOSTILE: list[Callable[[int], Model]] = [many_undefined, one_cycle, self_loops, backwards, one_name, all_unknown]


@pytest.mark.parametrize("make", HOSTILE)
def test_findings_are_bounded(make: Callable[[int], Model]) -> None:
    model, findings = lint(make(20_000))
    assert len(model.graph.nodes) == 20_000
    for name in set(names_of(findings)):
        assert names_of(findings).count(name) <= MAX_OF_A_RULE
    assert all(len(finding.text) < 2_000 and len(finding.related) <= 8 for finding in findings)


def steps(model: Model) -> int:
    """Lines of Python that are run, as a measure of work that no load of the machine changes."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        if f"{Path('onnxls', 'lints')}" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        lint(model)
    finally:
        sys.settrace(before)
    return count


def chain(count: int) -> Model:
    nodes = [add(f"v{index}", f"v{index - 1}" if index else "x", "x") for index in range(count)]
    return model_of(nodes, (f"v{count - 1}",))


@pytest.mark.parametrize("make", [chain, *HOSTILE])
def test_work_is_linear_in_the_nodes(make: Callable[[int], Model]) -> None:
    lint(make(10))
    few, many = steps(make(1_000)), steps(make(4_000))
    assert many < 4.6 * few


def nested(depth: int) -> Model:
    """Graphs in graphs, each of which uses the input from outside."""
    graph = Graph("deepest", (), (Value("a"),), (add("a", "x"),))
    for _ in range(depth):
        holder = Node("If", "", "", ("x",), ("a",), {"then_branch": Attr("then_branch", 5, graph)})
        graph = Graph("g", (), (Value("a"),), (holder,))
    return Model(replace(graph, inputs=(Value("x", FLOAT),)), {"": 20})


@pytest.mark.parametrize("depth", [1, 30, 99, 150, 5_000])
def test_deep_nesting_ends(depth: int) -> None:
    model = nested(depth)
    found, findings = lint(model)
    assert found is model
    assert "undefined-value" not in names_of(findings)


@given(st.lists(st.lists(st.sampled_from(["", "x", "a", "b"]), max_size=3), min_size=1, max_size=6), st.data())
def test_anything_goes(inputs: list[list[str]], data: st.DataObject) -> None:
    """Absent names, empty operators, attributes without values, graphs where none is expected."""
    nodes: list[Node] = []
    for each in inputs:
        outputs = data.draw(st.lists(st.sampled_from(["", "a", "b", "x"]), max_size=2))
        graph = Graph("n", (Value("a"),), (Value("b"),), tuple(nodes[:2]))
        value = data.draw(st.sampled_from([None, graph, (graph, graph), 3, "text", ()]))
        attr = Attr("axis", data.draw(st.integers(-1, 20)), value, data.draw(st.sampled_from([None, "k"])))
        op_type = data.draw(st.sampled_from(["", "Relu", "If", "Concat", "Nowhere", "Constant"]))
        domain = data.draw(st.sampled_from(["", "ai.onnx.ml", "com.microsoft", "lab"]))
        nodes.append(Node(op_type, domain, "n", tuple(each), tuple(outputs), {"axis": attr}))
    model, _ = lint(Model(Graph("g", (Value("x"), Value("x")), (Value("a"), Value("")), tuple(nodes)), {"": 20}))
    assert len(model.graph.nodes) == len(nodes)
    Walker(model)


# ---------------------------------------------------------------- near names


def plain_distance(left: str, right: str) -> int:
    """Optimal string alignment, by its definition."""
    table = {(i, 0): i for i in range(len(left) + 1)} | {(0, j): j for j in range(len(right) + 1)}
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            costs = [table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (left[i - 1] != right[j - 1])]
            if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
                costs.append(table[i - 2, j - 2] + 1)
            table[i, j] = min(costs)
    return table[len(left), len(right)]


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.integers(0, 4))
def test_distance(left: str, right: str, limit: int) -> None:
    found = distance(left, right, limit)
    true = plain_distance(left, right)
    assert found == (true if true <= limit else None)


def test_nearest() -> None:
    assert nearest("Sigmiod", ["Sign", "Sigmoid", "Softmax"]) == "Sigmoid"
    assert nearest("relu", ["Relu", "Elu"]) == "Relu"
    assert nearest("x", ["y", "z"]) is None
    assert nearest("hidden", ["output", "weights"]) is None
    assert nearest("abcdef", ["abcdeg", "abcdef"]) == "abcdeg"


@pytest.mark.parametrize("name", ["unk__0", "unk__12"])
def test_leftover_names_are_no_slips(name: str) -> None:
    assert is_leftover(name)
    other = name.replace("__", "_")
    infos = {"a": TypeInfo("tensor", 1, (name,)), "b": TypeInfo("tensor", 1, (other,))}
    model = model_of([add("a", "x"), add("b", "a")], ("b",), value_info=infos)
    assert not lint(model)[1]
