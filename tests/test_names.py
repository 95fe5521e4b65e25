"""Names of sizes that nobody should give, and that are legal all the same: any text is one."""

from __future__ import annotations

import pytest
from onnx import TensorProto, helper

import onnxls

ODD = ["a\0b", "\0", "\x001", "±n", "±\x001", "`", "x[1]", "y#0", "4", "-1", "N + 1", "max(", "{0}", "%s", "\n"]


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_is_a_size(name: str) -> None:
    nodes = [
        helper.make_node("Concat", ["x", "x"], ["y"], axis=0),
        helper.make_node("NonZero", ["x"], ["z"]),
        helper.make_node("Reshape", ["y", "target"], ["w"]),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [name, 4])],
        [helper.make_tensor_value_info("w", TensorProto.FLOAT, None)],
        [helper.make_tensor("target", TensorProto.INT64, [2], [-1, 16])],
    )
    report = onnxls.analyze(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]))
    shapes = {value: fact.shape for value, fact in report.values.items() if fact.shape is not None}
    assert [dim.evaluate({name: 6}) for dim in shapes["y"]] == [12, 4]
    assert [dim.evaluate({name: 6}) for dim in shapes["w"]] == [3, 16]
    assert shapes["z"][1].symbols() != {name}
    for dims in shapes.values():
        assert all(onnxls.Dim.parse(str(dim)) == dim for dim in dims)
    assert report.check({name: 6}).outcome == "run"
    assert report.check({name: 5}).outcome == "error"
