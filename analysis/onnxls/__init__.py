"""Symbolic shapes and shape faults of ONNX models. The public names; nothing heavy is loaded before it is used."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from onnxls.diagnostics import Diagnostic, Edit, Fix, Related
    from onnxls.dims import Dim
    from onnxls.facts import Fact
    from onnxls.guard_set import GuardSet, load_guards
    from onnxls.loading import UnsupportedInput
    from onnxls.project import AssumptionError, analyze, analyze_text
    from onnxls.relations import Decision, Guard
    from onnxls.spans import Location
    from onnxls.units import Report, Unit
    from onnxls.writing import infer_shapes

_HOMES = {
    "analyze": "onnxls.project",
    "analyze_text": "onnxls.project",
    "Diagnostic": "onnxls.diagnostics",
    "Edit": "onnxls.diagnostics",
    "Fix": "onnxls.diagnostics",
    "Related": "onnxls.diagnostics",
    "Dim": "onnxls.dims",
    "Fact": "onnxls.facts",
    "GuardSet": "onnxls.guard_set",
    "load_guards": "onnxls.guard_set",
    "AssumptionError": "onnxls.project",
    "Report": "onnxls.units",
    "Unit": "onnxls.units",
    "UnsupportedInput": "onnxls.loading",
    "Decision": "onnxls.relations",
    "Guard": "onnxls.relations",
    "Location": "onnxls.spans",
    "infer_shapes": "onnxls.writing",
}

__version__ = "0.1.0"

__all__ = [
    "AssumptionError",
    "Decision",
    "Diagnostic",
    "Dim",
    "Edit",
    "Fact",
    "Fix",
    "Guard",
    "GuardSet",
    "Location",
    "Related",
    "Report",
    "Unit",
    "UnsupportedInput",
    "analyze",
    "analyze_text",
    "infer_shapes",
    "load_guards",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'onnxls' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
