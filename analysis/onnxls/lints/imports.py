"""Operator sets that nodes use and a text does not import. The reader of binary models reports its own."""

from __future__ import annotations

from dataclasses import replace

from onnxls import schemas
from onnxls.frontends.model_faults import OPSET_MISSING
from onnxls.graph import Function, Model
from onnxls.lints.collector import Collector
from onnxls.lints.scopes import Scope

_OF_ONNXRUNTIME = {"com.microsoft": 1}


def import_missing(model: Model, scopes: list[Scope], collector: Collector) -> Model:
    """Reports domains that a text uses without importing them, each once for the main graph and each function.

    Gives the model with the imports that onnxruntime takes for granted: the newest version that is known. It is the
    same object where nothing is missing.
    """
    missing: dict[str, int] = {}
    met: set[tuple[Function | None, str]] = set()
    for scope in scopes:
        if not scope.nodes or scope.nodes[0].origin is None:
            continue
        imported = model.opsets if scope.owner is None else scope.owner.opsets
        for index, node in enumerate(scope.nodes):
            if node.domain in imported or not node.op_type or (scope.owner, node.domain) in met:
                continue
            met.add((scope.owner, node.domain))
            version = _report(scope, index, collector)
            if version:
                missing[node.domain] = version
    return replace(model, opsets={**model.opsets, **missing}) if missing else model


def _report(scope: Scope, index: int, collector: Collector) -> int:
    domain = scope.nodes[index].domain
    shown = f"`{domain or 'ai.onnx'}`"
    if scope.owner is not None:
        text = f"{shown} is not imported by the function `{scope.owner.name}`"
        collector.add(OPSET_MISSING, text, scope.place(index))
        return 0
    newest = schemas.latest_opset(domain) or _OF_ONNXRUNTIME.get(domain, 0)
    if newest:
        text = f"{shown} is not imported: version {newest} is assumed"
        collector.add(OPSET_MISSING, text, scope.place(index), "warning")
    else:
        collector.add(OPSET_MISSING, f"{shown} is not imported", scope.place(index))
    return newest
