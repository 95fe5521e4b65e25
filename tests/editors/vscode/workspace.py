"""`python workspace.py FOLDER`: writes the workspace of the tests in VS Code; with `--models NODES` its models alone.

NODES more nodes end the model `mixer.onnx`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

LAYERS = '''"""Functions that other files call."""

from onnxscript import FLOAT, script
from onnxscript import opset18 as op


@script()
def centred(x: FLOAT["R", "C"]):
    mean = op.ReduceMean(x, [1], keepdims=1)
    return op.Sub(x, mean)
'''

ROWS = '''"""Four rows of whatever comes."""

from layers import centred
from onnxscript import FLOAT, script
from onnxscript import opset18 as op


@script()
def rows(x: FLOAT["N", "H"]):
    active = op.Relu(x)
    four = op.Reshape(active, [4, -1])
    moved = centred(four)
    return op.Softmx(moved)
'''

HEADS, WIDTH, LONGEST = 4, 64, 128


def mixer(more: int) -> bytes:
    """Attention with a mask that was traced for `LONGEST` positions: it runs for `seq` = 1 and `LONGEST` alone."""
    rng = np.random.default_rng(0)
    mask = np.triu(np.full((1, 1, LONGEST, LONGEST), -1e9, np.float32), 1)
    initializers = {
        "w": rng.standard_normal((WIDTH, WIDTH), np.float32),
        "split": np.array([0, 0, HEADS, WIDTH // HEADS]),
        "mask": mask,
    }
    nodes = [
        helper.make_node("MatMul", ["tokens", "w"], ["mixed"], "mix"),
        helper.make_node("Reshape", ["mixed", "split"], ["heads"], "split_heads"),
        helper.make_node("Transpose", ["heads"], ["rows"], "to_rows", perm=[0, 2, 1, 3]),
        helper.make_node("Transpose", ["heads"], ["columns"], "to_columns", perm=[0, 2, 3, 1]),
        helper.make_node("MatMul", ["rows", "columns"], ["scores"], "score"),
        helper.make_node("Add", ["scores", "mask"], ["masked"], "apply_mask"),
        helper.make_node("Softmax", ["masked"], ["weights"], "normalise"),
        helper.make_node("MatMul", ["weights", "rows"], ["context"], "weigh"),
    ]
    last = "context"
    for index in range(more):
        nodes.append(helper.make_node("Relu", [last], [f"rest_{index}"], f"relu_{index}"))
        last = f"rest_{index}"
    graph = helper.make_graph(
        nodes,
        "mixer",
        [helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["batch", "seq", WIDTH])],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, ["batch", HEADS, "seq", WIDTH // HEADS])],
        [numpy_helper.from_array(array, name) for name, array in initializers.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9).SerializeToString()


def write_models(folder: Path, more: int) -> None:
    (folder / "my models").mkdir(parents=True, exist_ok=True)
    (folder / "mixer.onnx").write_bytes(mixer(more))
    (folder / "my models" / "r\u00e9sum\u00e9 \u00e9.onnx").write_bytes(mixer(0))
    (folder / "broken.onnx").write_bytes(b"not a protobuf \xff\xff\xff")


def write_sources(folder: Path) -> None:
    (folder / "layers.py").write_text(LAYERS, encoding="utf-8")
    (folder / "rows.py").write_text(ROWS, encoding="utf-8")


if __name__ == "__main__":
    if "--models" not in sys.argv:
        write_sources(Path(sys.argv[1]))
    write_models(Path(sys.argv[1]), int(sys.argv[3]) if "--models" in sys.argv else 0)
