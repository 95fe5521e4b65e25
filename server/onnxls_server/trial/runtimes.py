"""The two runtimes: onnxruntime where it is installed, and onnx's own reference."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx import ModelProto

_CANNOT_LOAD = re.compile(r"ShapeInferenceError|TypeInferenceError|Incompatible dimensions|Mismatch between", re.I)
_INDEPENDENT = re.compile(r"NOT_IMPLEMENTED|Unsupported|is not a registered|No Op registered|Failed to allocate", re.I)


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended: the outputs, or what the runtime said; `tried` is False where it says nothing of the sizes."""

    outputs: list[Any] | None
    message: str = ""
    tried: bool = True


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
    import onnxruntime as ort

    options: Any = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    try:
        session: Any = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        text = str(error)
        return Run(None, text, tried=bool(_CANNOT_LOAD.search(text)) and not _INDEPENDENT.search(text))
    wanted = {each.name for each in session.get_inputs()}
    try:
        return Run(list(session.run(None, {name: value for name, value in feeds.items() if name in wanted})))
    except Exception as error:
        text = str(error)
        return Run(None, text, tried=not _INDEPENDENT.search(text))


def run_reference(model: ModelProto, feeds: Mapping[str, Any], annotations: bool) -> Run:
    """Runs a model in onnx's reference; with `annotations`, declared shapes are checked on the way."""
    from onnx.reference import ReferenceEvaluator

    options: dict[str, Any] = {"check_shape_annotations": True} if annotations else {}
    try:
        evaluator: Any = ReferenceEvaluator(model, **options)
    except Exception as error:
        return Run(None, f"{type(error).__name__}: {error}", tried=False)
    wanted = {value.name for value in model.graph.input}
    try:
        return Run(list(evaluator.run(None, {name: value for name, value in feeds.items() if name in wanted})))
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        if annotations:
            return Run(None, told, tried=type(error).__name__ == "ShapeAnnotationError")
        return Run(None, f"{told} {_node_of(error)}", tried=not isinstance(error, (NotImplementedError, MemoryError)))


def _node_of(error: BaseException) -> str:
    """The name of the node that raised, from the evaluator's own frames."""
    name = ""
    trace = error.__traceback__
    while trace is not None:
        node = getattr(trace.tb_frame.f_locals.get("node"), "onnx_node", None)
        name = str(getattr(node, "name", "")) or name
        trace = trace.tb_next
    return f"[{name}]" if name else ""
