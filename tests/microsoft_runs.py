"""Runs small models in onnxruntime and writes, a line each, the shapes and types of their outputs, or why not.

The models come as JSON on stdin: [text, sizes, values] each. A process of its own, since a kernel may take it down.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx.parser
import onnxruntime as untyped_runtime
from onnx import helper

onnxruntime: Any = untyped_runtime


def inputs(model: onnx.ModelProto, sizes: Mapping[str, int], values: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Seeded inputs of these sizes; integers are 1 where no values are given."""
    random = np.random.default_rng(7)
    made: dict[str, np.ndarray] = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [dim.dim_value if dim.HasField("dim_value") else sizes[dim.dim_param] for dim in tensor.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if value.name in values:
            made[value.name] = np.asarray(values[value.name], dtype).reshape(shape)
        elif dtype.kind == "f":
            made[value.name] = random.standard_normal(shape).astype(dtype)
        else:
            made[value.name] = np.full(shape, "a b" if dtype.kind == "O" else 1).astype(dtype)
    return made


def outcome(text: str, sizes: Mapping[str, int], values: Mapping[str, Any]) -> list[Any] | str:
    """[shape, element type] of each output, or the words of the refusal."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    model = onnx.parser.parse_model(text)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        results = session.run(None, inputs(model, sizes, values))
    except Exception as error:  # onnxruntime raises classes of its own, without a common base
        return str(error)[-300:]
    return [[list(each.shape), helper.np_dtype_to_tensor_dtype(each.dtype)] for each in results]


if __name__ == "__main__":
    onnxruntime.set_default_logger_severity(4)
    for text, sizes, values in json.load(sys.stdin):
        sys.stdout.write(json.dumps(outcome(text, sizes, values)) + "\n")
        sys.stdout.flush()
