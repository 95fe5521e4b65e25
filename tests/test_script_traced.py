"""Functions that Python runs: what is read of them, against what they make when they are run.

The functions below are run by onnxscript's own builder with inputs of some sizes, and onnxruntime runs the model; the
shapes that were read, at these sizes, are those of the results.
"""

from __future__ import annotations

from typing import Any, cast

import pytest

import onnxls

ir: Any = pytest.importorskip("onnx_ir")
onnxscript: Any = pytest.importorskip("onnxscript")
runtime: Any = pytest.importorskip("onnxruntime")
numpy: Any = pytest.importorskip("numpy")

HEAD = "from onnxscript import FLOAT\n\nSCALE = 2\n\n\n"
FUNCTIONS = {
    "arithmetic of sizes": """
def f(op, x: FLOAT["N", 4], y: FLOAT["M", 4]):
    n, m = x.shape[0], y.shape[0]
    a = op.Concat(x, y, x, axis=0)
    b = op.Reshape(a, [n * SCALE + m, 2, 2])
    c = op.Reshape(x, [x.shape[1] // 2, -1])
    d = op.Expand(op.Constant(value_float=1.0), [n % 2 + 1, max(2, 3)])
    e = op.Reshape(y, [(m + m) * 2])
    return a, b, c, d, e
""",
    "branches on sizes": """
def f(op, x: FLOAT["N", 4], y: FLOAT["M", 4]):
    if x.shape[0] == 1:
        a = op.Squeeze(x, [0])
    elif x.shape[0] == y.shape[0] and not x.shape[0] > 2:
        a = op.Concat(x, y, axis=1)
    else:
        a = op.Transpose(x, perm=[1, 0])
    b = op.Neg(y) if y.shape[0] != 2 else op.Unsqueeze(y, [0])
    return a, b
""",
    "early returns": """
def f(op, x: FLOAT["N", 4], y: FLOAT["M", 4]):
    if x.shape[0] > 2 or y.shape[0] > 2:
        return op.Concat(x, y, axis=0)
    z = op.MatMul(x, op.Transpose(y, perm=[1, 0]))
    if len(z.shape) != 2:
        return x
    return op.Relu(z)
""",
    "loops and lists": """
def f(op, x: FLOAT["N", 4], y: FLOAT["M", 4]):
    parts = []
    for i in range(3):
        if i % 2 == 0:
            parts.append(op.Mul(x, float(i)))
        else:
            parts += [y, y]
    shape = [1 for _ in range(2)]
    shape.insert(0, -1)
    a = op.Concat(*parts, axis=0)
    b = op.Reshape(a, shape)
    first, *_ = (b, x)
    pairs = [op.Add(u, v) for u, v in zip([x, x], [x, 1.0])]
    c = op.Concat(*reversed(pairs), axis=-1)
    return a, b, c
""",
    "operators of Python": """
def f(op, x: FLOAT["N", 4], y: FLOAT["M", 4]):
    axis = len(x.shape) - 1
    a = op.Add(op.Mul(x, 2.0), [1.0, 2.0, 3.0, 4.0])
    b = op.ReduceSum(a, [axis], keepdims=False)
    c = op.Softmax(y, axis=axis)
    d, e = op.Split(c, num_outputs=2, axis=1, _outputs=2)
    g = op.Gather(d, 0, axis=1)
    return a, b, c, d, e, g
""",
}


def _each(given: object) -> list[Any]:
    return list(cast("tuple[Any, ...]", given)) if isinstance(given, tuple) else [given]


def _run(text: str, sizes: dict[str, int]) -> list[tuple[int, ...]]:
    names: dict[str, Any] = {}
    exec(HEAD + text, names)
    graph = ir.Graph([], [], nodes=[], opset_imports={"": 21}, name="g")
    builder = onnxscript.GraphBuilder(graph)
    x, y = (
        builder.input(name, ir.DataType.FLOAT, [sizes[size], 4]) for name, size in (("x", "N"), ("y", "M"))
    )  # fmt: skip
    given: Any = names["f"](builder.op, x, y)
    for each in _each(given):
        builder.add_output(each, None)
    model = ir.to_proto(ir.Model(graph, ir_version=10))
    session = runtime.InferenceSession(model.SerializeToString())
    feeds = {"x": numpy.ones((sizes["N"], 4), numpy.float32), "y": numpy.ones((sizes["M"], 4), numpy.float32)}
    return [each.shape for each in session.run(None, feeds)]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("sizes", [{"N": 1, "M": 3}, {"N": 2, "M": 2}, {"N": 2, "M": 1}, {"N": 3, "M": 2}], ids=str)
def test_shapes_are_those_of_runs(name: str, sizes: dict[str, int]) -> None:
    wanted = _run(FUNCTIONS[name], sizes)
    report = onnxls.analyze_text(HEAD + FUNCTIONS[name], "block.py", hints=sizes)
    assert not [each.message for each in report.diagnostics if each.severity == "error"]
    (unit,) = report.units
    assert unit.check(sizes).outcome == "run"
    shapes = [unit.values[each].shape for each in unit.outputs]
    assert all(shape is not None for shape in shapes), shapes
    assert [tuple(dim.evaluate(sizes) for dim in shape or ()) for shape in shapes] == wanted


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("sizes", [{"N": 1, "M": 3}, {"N": 3, "M": 2}, {"N": 2, "M": 2}], ids=str)
def test_shapes_for_all_sizes_are_right_at_some(name: str, sizes: dict[str, int]) -> None:
    wanted = _run(FUNCTIONS[name], sizes)
    (unit,) = onnxls.analyze_text(HEAD + FUNCTIONS[name], "block.py").units
    assert unit.check(sizes).outcome == "run"
    for value, shape in zip(unit.outputs, wanted, strict=True):
        found = unit.values[value].shape
        if found is not None:
            assert len(found) == len(shape)
            for dim, size in zip(found, shape, strict=True):
                assert not dim.is_known or dim.evaluate(sizes) == size
