"""The two runtimes: onnxruntime where it is installed, and onnx's own reference."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from onnx import ModelProto

_LACKS = re.compile(
    r"NOT_IMPLEMENTED|Unsupported|not supported|is not a registered|No Op registered|Failed to allocate|Type Error",
    re.I,
)
"""What onnxruntime says where it lacks something, or something is wrong that is not about sizes."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended: the outputs, or what the runtime said.

    `about`: a node that was refused, something that the runtime lacks, or one of the two (`unclear`).
    """

    outputs: list[Any] | None
    message: str = ""
    about: Literal["node", "runtime", "unclear"] = "node"


def onnxruntime_version() -> str | None:
    """The version of the installed onnxruntime, or None."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        import onnxruntime
    except ImportError:
        return None
    try:
        return version("onnxruntime")
    except PackageNotFoundError:
        return str(onnxruntime.__version__)


def run_onnxruntime(model: ModelProto, feeds: Mapping[str, Any]) -> Run:
    """Runs a model as it is written: no node is fused, folded or moved."""
    ort: Any = import_module("onnxruntime")
    if not model.graph.output:
        return Run([])
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    try:
        session = _session(ort, model, options, feeds)
    except Exception as error:
        text = str(error)
        lacks = _LACKS.search(text)
        return Run(None, text, "runtime" if lacks else "node" if "trial-node-" in text else "unclear")
    wanted = {each.name for each in session.get_inputs()}
    try:
        return Run(list(session.run(None, {name: value for name, value in feeds.items() if name in wanted})))
    except Exception as error:
        text = str(error)
        return Run(None, text, "runtime" if _LACKS.search(text) else "node")


def _session(ort: Any, model: ModelProto, options: Any, feeds: Mapping[str, Any]) -> Any:
    """A session; where a size that is only named is refused, one for the very shapes of the inputs."""
    providers = ["CPUExecutionProvider"]
    try:
        return ort.InferenceSession(model.SerializeToString(), options, providers=providers)
    except Exception:
        for value in model.graph.input:
            shape = getattr(feeds.get(value.name), "shape", None)
            if shape is not None and value.type.HasField("tensor_type"):
                del value.type.tensor_type.shape.dim[:]
                for size in shape:
                    value.type.tensor_type.shape.dim.add().dim_value = size
        return ort.InferenceSession(model.SerializeToString(), options, providers=providers)


def check(model: ModelProto) -> Run:
    """Whether onnx's checker, with its shape inference, takes a model; nothing is run."""
    onnx: Any = import_module("onnx")
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        text = str(error)
        return Run(None, text, "node" if "trial-node-" in text else "runtime")
    return Run([])


def run_reference(model: ModelProto, feeds: Mapping[str, Any], annotations: bool) -> Run:
    """Runs a model in onnx's reference; with `annotations`, declared shapes are checked on the way."""
    from onnx.reference import ReferenceEvaluator

    options: dict[str, Any] = {"check_shape_annotations": True} if annotations else {}
    try:
        evaluator: Any = ReferenceEvaluator(model, **options)
    except Exception as error:
        return Run(None, f"{type(error).__name__}: {error}", "runtime")
    wanted = {value.name for value in model.graph.input}
    try:
        return Run(list(evaluator.run(None, {name: value for name, value in feeds.items() if name in wanted})))
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        if annotations:
            return Run(None, told, "node" if type(error).__name__ == "ShapeAnnotationError" else "runtime")
        lacks = isinstance(error, (NotImplementedError, MemoryError))
        return Run(None, f"{told} {_node_of(error)}", "runtime" if lacks else "node")


def _node_of(error: BaseException) -> str:
    """The name of the node that raised, from the evaluator's own frames."""
    name = ""
    trace = error.__traceback__
    while trace is not None:
        node = getattr(trace.tb_frame.f_locals.get("node"), "onnx_node", None)
        name = str(getattr(node, "name", "")) or name
        trace = trace.tb_next
    return f"[{name}]" if name else ""
