"""Writes inferred types into a model: only what no run can violate.

A size is written where it is an integer or an expression of input symbols, or where it is known only by a name that
the author gave it. What was declared and is not proved is not kept, input declarations aside. Nothing is written
inside function bodies, which are shared by their calls.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from onnxls.declarations import is_leftover
from onnxls.dims import Dim
from onnxls.facts import Fact
from onnxls.keys import node_label
from onnxls.project import analyze
from onnxls.seeds import declared_names
from onnxls.units import Report

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, TypeProto, ValueInfoProto


def infer_shapes(
    model: ModelProto | bytes | str | os.PathLike[str],
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = True,
) -> ModelProto:
    """A copy of the model with every inferred type in `value_info` and outputs.

    Stands in for `onnx.shape_inference.infer_shapes`. A path is read without its external data, to which the result
    still refers. `check_type` and `data_prop` are accepted for compatibility: types are always checked and values
    always followed. With `strict_mode`, raises `onnx.shape_inference.InferenceError` with every error that was found.
    """
    import onnx

    if isinstance(model, (str, os.PathLike)):
        path = os.fspath(model)
        proto = onnx.load(path, load_external_data=False)  # pyright: ignore[reportUnknownMemberType]
    elif isinstance(model, onnx.ModelProto):
        proto, path = onnx.ModelProto(), None
        proto.CopyFrom(model)
    else:
        proto, path = onnx.load_model_from_string(model), None
    report = analyze(path if path is not None and path.endswith(".onnx") else proto, path=path)
    if strict_mode:
        _raise_errors(report)
    return write(proto, report)


def write(proto: ModelProto, report: Report) -> ModelProto:
    """The model itself, with what the report knows written into it."""
    if report.units:
        unit = report.units[0]
        writer = _Writer(unit.values, declared_names(unit.model), unit.kept_names)
        writer.graph(proto.graph, "", nested=False)
    return proto


def _raise_errors(report: Report) -> None:
    errors = [each for each in report.diagnostics if each.severity == "error"]
    if errors:
        from onnx.shape_inference import InferenceError

        lines = [f"({each.node or each.location.graph_path}) [{each.rule}] {each.message}" for each in errors]
        raise InferenceError("\n".join(lines))


class _Writer:
    """Writes the facts of one unit. `names` are all dim_params of the author, `kept` those that may stay on outputs."""

    def __init__(self, values: Mapping[str, Fact], names: frozenset[str], kept: frozenset[str]) -> None:
        self.values = values
        self.names = names
        self.kept = kept

    def graph(self, graph: GraphProto, prefix: str, *, nested: bool) -> None:
        outputs = {value.name for value in graph.output}
        done = {value.name for value in (*graph.input, *graph.initializer)} | outputs
        declared = {value.name: value for value in graph.value_info}
        produced = [name for node in graph.node for name in node.output if name]
        made: list[ValueInfoProto] = []
        for name in produced:
            fact = self.values.get(prefix + name)
            if name in done or fact is None:
                continue
            done.add(name)
            info = self.value(name, declared.get(name), fact, nested=nested)
            if info is not None:
                made.append(info)
        left = [value for value in graph.value_info if value.name not in produced and value.name not in outputs]
        del graph.value_info[:]
        graph.value_info.extend([*left, *made])
        for output in graph.output:
            fact = self.values.get(prefix + output.name)
            if fact is not None and output.name in produced:
                self.fill(output.type, fact, nested=nested)
        for index, node in enumerate(graph.node):
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    label = node_label(node.name, node.op_type, index)
                    self.graph(attribute.g, f"{prefix}{label}/{attribute.name}/", nested=True)

    def value(self, name: str, declared: ValueInfoProto | None, fact: Fact, *, nested: bool) -> ValueInfoProto | None:
        from onnx import ValueInfoProto

        info = ValueInfoProto()
        if declared is not None:
            info.CopyFrom(declared)
        info.name = name
        self.fill(info.type, fact, nested=nested)
        return info if info.type.WhichOneof("value") is not None else None

    def fill(self, into: TypeProto, fact: Fact, *, nested: bool) -> None:
        """Puts a fact into a type; a declaration of another kind or element type is replaced."""
        if fact.type in ("sequence", "optional") and fact.element is not None:
            inner = into.sequence_type if fact.type == "sequence" else into.optional_type
            self.fill(inner.elem_type, fact.element, nested=nested)
            return
        if fact.type == "map" and fact.dtype and fact.element is not None:
            into.map_type.key_type = fact.dtype
            self.fill(into.map_type.value_type, fact.element, nested=nested)
            return
        if fact.type not in ("tensor", "sparse_tensor"):
            return
        tensor = into.tensor_type if fact.type == "tensor" else into.sparse_tensor_type
        dtype = fact.dtype or tensor.elem_type
        if not dtype:
            into.Clear()
            return
        old = [dim.dim_param for dim in tensor.shape.dim] if tensor.HasField("shape") else []
        tensor.elem_type = dtype
        tensor.ClearField("shape")
        if fact.shape is None:
            return
        tensor.shape.SetInParent()
        for axis, dim in enumerate(fact.shape):
            slot = tensor.shape.dim.add()
            text = self.text(dim, nested=nested)
            author = old[axis] if len(old) == len(fact.shape) else ""
            if dim.const is not None:
                if -(2**63) <= dim.const < 2**63:
                    slot.dim_value = dim.const
            elif author in self.kept:
                slot.dim_param = author
            elif text is not None:
                slot.dim_param = text

    def text(self, dim: Dim, *, nested: bool) -> str | None:
        """The dim_param to write for a size; None for none."""
        symbol = dim.as_symbol
        if symbol is not None:
            if symbol.origin == "declared" or (symbol.origin == "anonymous" and is_leftover(symbol.name)):
                return symbol.name
            if symbol.origin == "bound":
                return None if nested else symbol.name
            return None
        if not dim.is_known or any(each.origin == "anonymous" for each in dim.atoms()):
            return None
        text = str(dim)
        return None if text in self.names else text
