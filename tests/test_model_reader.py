"""Models as they are read from bytes: against the protobuf library, and with what nobody should send."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from google.protobuf import json_format, text_format
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import AttributeProto, GraphProto, ModelProto, TensorProto, TypeProto, helper, numpy_helper

from onnxls.diagnostics import Diagnostic
from onnxls.frontends import files
from onnxls.frontends.model import open_model, read_model
from onnxls.frontends.protos import read_json, read_textproto
from onnxls.graph import Attr, Graph, Kind, Model, Node, Tensor, TypeInfo

DECODED = {1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16, 21, 22, 25, 26}
KINDS: dict[str | None, Kind] = {
    "tensor_type": "tensor",
    "sparse_tensor_type": "sparse_tensor",
    "sequence_type": "sequence",
    "optional_type": "optional",
    "map_type": "map",
}


# -- the same, as the protobuf library has it


def check_model(model: Model, proto: ModelProto) -> None:
    assert model.ir_version == proto.ir_version
    assert model.producer == proto.producer_name
    assert model.metadata == {entry.key: entry.value for entry in proto.metadata_props}
    for entry in proto.opset_import:
        assert model.opsets[domain(entry.domain)] == entry.version
    check_graph(model.graph, proto.graph)
    assert len(model.functions) == len(proto.functions)
    for function, want in zip(model.functions.values(), proto.functions, strict=True):
        assert (function.domain, function.name, function.overload) == (domain(want.domain), want.name, want.overload)
        assert function.inputs == tuple(want.input)
        assert function.outputs == tuple(want.output)
        assert function.attributes == tuple(want.attribute)
        assert list(function.defaults) == [attribute.name for attribute in want.attribute_proto]
        check_nodes(function.nodes, want.node)
        check_types(function.value_info, want.value_info)
        assert function.metadata == {entry.key: entry.value for entry in want.metadata_props}
        for entry in want.opset_import:
            assert function.opsets[domain(entry.domain)] == entry.version


def check_graph(graph: Graph, proto: GraphProto) -> None:
    assert graph.name == proto.name
    assert graph.metadata == {entry.key: entry.value for entry in proto.metadata_props}
    for values, infos in ((graph.inputs, proto.input), (graph.outputs, proto.output)):
        assert [(value.name, value.type) for value in values] == [(info.name, type_info(info.type)) for info in infos]
    check_types(graph.value_info, proto.value_info)
    check_nodes(graph.nodes, proto.node)
    names = [tensor.name for tensor in proto.initializer] + [sparse.values.name for sparse in proto.sparse_initializer]
    assert list(graph.initializers) == names
    for tensor in proto.initializer:
        check_tensor(graph.initializers[tensor.name], tensor)
    for sparse in proto.sparse_initializer:
        check_sparse(graph.initializers[sparse.values.name], sparse)


def check_types(types: Any, infos: Any) -> None:
    wanted = {info.name: type_info(info.type) for info in infos}
    assert types == {name: wanted[name] for name in wanted if wanted[name] is not None}


def check_nodes(nodes: tuple[Node, ...], protos: Any) -> None:
    assert len(nodes) == len(protos)
    for node, proto in zip(nodes, protos, strict=True):
        assert (node.op_type, node.domain, node.overload) == (proto.op_type, domain(proto.domain), proto.overload)
        assert (node.name, node.inputs, node.outputs) == (proto.name, tuple(proto.input), tuple(proto.output))
        assert node.metadata == {entry.key: entry.value for entry in proto.metadata_props}
        assert list(node.attrs) == [attribute.name for attribute in proto.attribute]
        for attribute in proto.attribute:
            check_attribute(node.attrs[attribute.name], attribute)


def check_attribute(attr: Attr, proto: AttributeProto) -> None:
    assert (attr.name, attr.type, attr.ref) == (proto.name, proto.type, proto.ref_attr_name or None)
    if attr.ref:
        assert attr.value is None
        return
    want: Any = helper.get_attribute_value(proto)
    value: Any = attr.value
    match proto.type:
        case AttributeProto.STRING:
            assert value == want.decode()
        case AttributeProto.STRINGS:
            assert value == tuple(text.decode() for text in want)
        case AttributeProto.FLOAT | AttributeProto.FLOATS | AttributeProto.INTS | AttributeProto.INT:
            assert equal(value, tuple(want) if proto.type > 3 else want)
        case AttributeProto.TENSOR:
            check_tensor(value, want)
        case AttributeProto.TENSORS:
            for tensor, wanted in zip(value, want, strict=True):
                check_tensor(tensor, wanted)
        case AttributeProto.GRAPH:
            check_graph(value, want)
        case AttributeProto.GRAPHS:
            for graph, wanted in zip(value, want, strict=True):
                check_graph(graph, wanted)
        case AttributeProto.SPARSE_TENSOR:
            check_sparse(value, want)
        case AttributeProto.TYPE_PROTO:
            assert value == type_info(want)
        case AttributeProto.TYPE_PROTOS:
            assert value == tuple(map(type_info, want))
        case _:
            pytest.fail(f"attribute type {proto.type} has no check")


def check_sparse(tensor: Any, proto: Any) -> None:
    assert (tensor.name, tensor.dtype) == (proto.values.name, proto.values.data_type)
    assert (tensor.dims, tensor.values) == (tuple(proto.dims), None)


def check_tensor(tensor: Any, proto: TensorProto) -> None:
    assert isinstance(tensor, Tensor)
    assert (tensor.name, tensor.dtype, tensor.dims) == (proto.name, proto.data_type, tuple(proto.dims))
    if proto.data_location == TensorProto.EXTERNAL:
        return
    if int(np.prod(tensor.dims, dtype=object)) > 64 or tensor.dtype not in DECODED:
        assert tensor.values is None
        return
    want = numpy_helper.to_array(proto).reshape(-1)
    assert tensor.values is not None
    assert equal(tensor.values, tuple(plain(element, tensor.dtype) for element in want))
    kind = bool if tensor.dtype == TensorProto.BOOL else float if tensor.dtype in (1, 10, 11, 16) else int
    assert all(type(value) is kind for value in tensor.values)


def plain(element: Any, dtype: int) -> int | float | bool:
    if dtype == TensorProto.BOOL:
        return bool(element)
    return float(element) if dtype in (1, 10, 11, 16) else int(element)


def equal(got: Any, want: Any) -> bool:
    """Equality in which NaN equals NaN and 0.0 is not -0.0."""
    return repr(got) == repr(want)


def type_info(proto: TypeProto) -> TypeInfo | None:
    which = proto.WhichOneof("value")
    if which not in KINDS:
        return None
    inner: Any = getattr(proto, str(which))
    if which in ("tensor_type", "sparse_tensor_type"):
        shape = tuple(map(dim, inner.shape.dim)) if inner.HasField("shape") else None
        return TypeInfo(KINDS[which], inner.elem_type or None, shape)
    if which == "map_type":
        return TypeInfo("map", inner.key_type or None, element=type_info(inner.value_type))
    return TypeInfo(KINDS[which], element=type_info(inner.elem_type))


def dim(proto: Any) -> int | str | None:
    if proto.HasField("dim_value"):
        return proto.dim_value if proto.dim_value >= 0 else None
    return proto.dim_param or None


def domain(name: str) -> str:
    return "" if name == "ai.onnx" else name


def read(proto: ModelProto) -> Model:
    model, diagnostics = read_model(proto.SerializeToString(), "m.onnx")
    assert diagnostics == ()
    assert model is not None
    return model


def small_model(*initializers: TensorProto, nodes: Any = None, opset: int = 17) -> ModelProto:
    graph = helper.make_graph(
        nodes or [helper.make_node("Add", ["x", "w"], ["y"], name="sum")],
        "g",
        [helper.make_tensor_value_info("x", 1, ["N", 4])],
        [helper.make_tensor_value_info("y", 1, None)],
        list(initializers),
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def strings(name: str, texts: list[str], dims: tuple[int, ...] | None = None) -> TensorProto:
    data = [text.encode() for text in texts]
    return TensorProto(name=name, data_type=8, dims=(len(texts),) if dims is None else dims, string_data=data)


def rich_model() -> ModelProto:
    """A model with one of everything."""
    branch = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["inner"])], "branch", [], [helper.make_tensor_value_info("inner", 1, [])]
    )
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("sparse", 1, [2], [1.0, 2.0]), helper.make_tensor("at", 7, [2], [1, 5]), [3, 4]
    )
    nested = helper.make_sequence_type_proto(helper.make_optional_type_proto(helper.make_tensor_type_proto(7, ["A"])))
    mapped = TypeProto()
    mapped.map_type.key_type = 7
    mapped.map_type.value_type.CopyFrom(nested)
    node = helper.make_node(
        "Everything",
        ["x", "", "w"],
        ["y", "", "ünï"],
        name="every/thing",
        domain="custom",
        overload="o",
        i=-1,
        f=1.5,
        s="text",
        t=helper.make_tensor("t", 6, [2, 2], [1, -2, 3, 4]),
        g=branch,
        ints=[1, 300, -1, 2**62],
        floats=[0.5, -0.0],
        strings=["a", "b"],
        tensors=[helper.make_tensor("u", 9, [3], [True, False, True])],
        graphs=[branch, branch],
        sparse_tensor=sparse,
        tp=nested,
        tps=[mapped, nested],
    )
    node.metadata_props.add(key="pkg.torch.onnx.stack_trace", value='File "net.py", line 3, in forward')
    node.attribute.append(helper.make_attribute("low", [1, 2]))
    node.attribute[-1].ref_attr_name = "outer"
    graph = helper.make_graph(
        [node],
        "main",
        [
            helper.make_tensor_value_info("x", 1, ["N", 4, None]),
            helper.make_value_info("m", mapped),
            helper.make_sparse_tensor_value_info("s", 1, [2]),
        ],
        [helper.make_tensor_value_info("y", 1, None)],
        [helper.make_tensor("w", 7, [3], [1, 2, -3]), strings("text", ["word"])],
        value_info=[helper.make_tensor_value_info("ünï", 11, [0, "M"])],
        sparse_initializer=[sparse],
    )
    graph.metadata_props.add(key="k", value="v")
    function = helper.make_function(
        "custom",
        "Everything",
        ["a", "b", "c"],
        ["d", "e", "f"],
        [helper.make_node("Relu", ["a"], ["d"])],
        [helper.make_opsetid("", 17)],
        ["low"],
        [helper.make_attribute("high", 3.0)],
        overload="o",
        value_info=[helper.make_tensor_value_info("d", 1, ["K"])],
    )
    imports = [helper.make_opsetid("ai.onnx", 17), helper.make_opsetid("custom", 1)]
    model = helper.make_model(graph, functions=[function], opset_imports=imports, producer_name="test")
    helper.set_model_props(model, {"onnxls.hint": "N=2"})
    return model


RICH = rich_model().SerializeToString()


def test_one_of_everything() -> None:
    proto = rich_model()
    model = read(proto)
    check_model(model, proto)
    assert model.opsets == {"": 17, "custom": 1}
    assert model.graph.nodes[0].attrs["low"].ref == "outer"


def test_models_of_the_onnx_backend_suite() -> None:
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        protos = [case.model for case in collect_testcases(None) if case.model is not None]
    assert len(protos) > 1000
    for proto in protos:
        check_model(read(proto), proto)


def test_models_of_a_folder() -> None:
    folder = os.environ.get("ONNXLS_MODELS")
    if not folder:
        pytest.skip("ONNXLS_MODELS names no folder of models")
    for path in sorted(Path(folder).rglob("*.onnx")):
        model, diagnostics = open_model(str(path))
        assert model is not None, path
        assert diagnostics == (), path
        check_model(model, onnx.load_model_from_string(path.read_bytes()))


# -- tensors


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("dtype", sorted(DECODED | {8, 14, 15, 17, 18, 19, 20, 23, 24}))
@pytest.mark.parametrize("dims", [(), (0,), (3,), (2, 3), (13, 5)])
def test_every_element_type(dtype: int, dims: tuple[int, ...], raw: bool) -> None:
    count = int(np.prod(dims))
    numbers = np.arange(count) - count // 3
    if dtype == TensorProto.STRING:
        if raw:
            return
        tensor = strings("w", ["s"] * count, dims)
    else:
        array = numbers.astype(helper.tensor_dtype_to_np_dtype(dtype)).reshape(dims)
        if raw:
            tensor = numpy_helper.from_array(array, "w")
        else:
            tensor = helper.make_tensor("w", dtype, dims, array.flatten().tolist())
    proto = small_model(tensor)
    check_model(read(proto), proto)


@pytest.mark.parametrize(
    ("dtype", "number", "wire", "values"),
    [
        (1, 4, "<f", (0.5, -1.0)),
        (11, 10, "<d", (0.5, -1.0)),
        (6, 5, None, (1, -70000)),
        (3, 5, None, (1, -7)),
        (9, 5, None, (True, False)),
        (7, 7, None, (-(2**63), 2**63 - 1)),
        (13, 11, None, (2**64 - 1, 0)),
    ],
)
@pytest.mark.parametrize("is_packed", [False, True])
def test_packed_and_unpacked_data(
    dtype: int, number: int, wire: str | None, values: tuple[Any, ...], is_packed: bool
) -> None:
    scalars = [struct.pack(wire, value) if wire else varint(int(value)) for value in values]
    kind = {"<f": 5, "<d": 1, None: 0}[wire]
    data = field(number, b"".join(scalars)) if is_packed else b"".join(key(number, kind) + each for each in scalars)
    tensor = key(1, 0) + varint(2) + key(2, 0) + varint(dtype) + field(8, b"w") + data
    graph = field(5, tensor) + field(2, b"g")
    raw = field(7, graph) + field(8, key(2, 0) + varint(17))
    model, diagnostics = read_model(raw, "m.onnx")
    assert model is not None
    assert diagnostics == ()
    assert equal(model.graph.initializers["w"].values, values)
    check_model(model, onnx.load_model_from_string(raw))


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        (TensorProto(name="w", data_type=1, dims=[2], raw_data=b"1234"), "needs 8 bytes"),
        (TensorProto(name="w", data_type=1, dims=[2], float_data=[1.0]), "needs 8 bytes"),
        (TensorProto(name="w", data_type=7, dims=[2], int64_data=[1]), "its data has 1"),
        (TensorProto(name="w", data_type=7, dims=[], int64_data=[1, 2]), "its data has 2"),
        (TensorProto(name="w", data_type=7, dims=[2]), "no data"),
        (TensorProto(name="w", data_type=7, dims=[2], float_data=[1.0, 2.0]), "its data has 0"),
        (TensorProto(name="w", data_type=22, dims=[3], int32_data=[1, 2, 3]), "its data has 3 (of 2 wanted)"),
        (TensorProto(name="w", data_type=1, dims=[2, -3], raw_data=b""), "size -3 at axis 1"),
        (
            TensorProto(name="w", data_type=1, dims=[2**63 - 1] * 40, raw_data=b"1"),
            "more elements than a file can hold",
        ),
        (TensorProto(name="w", dims=[1], raw_data=b"1"), "no element type"),
        (TensorProto(name="a\nb" + "c" * 999, dims=[1], raw_data=b"1"), "tensor `a\\u000abc"),
    ],
)
def test_a_tensor_that_contradicts_itself(tensor: TensorProto, said: str) -> None:
    model, (found,) = read_model(small_model(tensor).SerializeToString(), "m.onnx")
    assert model is not None
    assert (found.rule, found.severity, found.value) == ("bad-tensor", "error", tensor.name)
    assert said in found.message
    assert len(found.message) < 300
    assert found.location.graph_path == f"graph/initializer[{tensor.name}]"
    assert model.graph.initializers[tensor.name].values is None
    assert model.graph.initializers[tensor.name].problem


def test_no_elements_whatever_the_other_dims() -> None:
    model = read(small_model(TensorProto(name="w", data_type=1, dims=[2**63 - 1, 2**63 - 1, 0])))
    assert model.graph.initializers["w"].values == ()


def test_a_fault_deep_inside_is_where_it_is() -> None:
    bad = TensorProto(name="w", data_type=7, dims=[2], int64_data=[1])
    inner = helper.make_graph([helper.make_node("Constant", [], ["c"], name="k", value=bad)], "inner", [], [])
    nodes = [helper.make_node("Relu", ["x"], ["z"]), helper.make_node("If", ["x"], ["y"], then_branch=inner)]
    _, (found,) = read_model(small_model(nodes=nodes).SerializeToString(), "m.onnx")
    assert found.location.graph_path == "graph/node[1]:If/then_branch/node[0]:Constant(k)/value"
    assert found.node == "k"


def test_one_cause_is_one_finding_and_many_are_bounded() -> None:
    empty = [TensorProto(name=f"w{i}", data_type=7, dims=[2]) for i in range(500)]
    _, (found,) = read_model(small_model(*empty).SerializeToString(), "m.onnx")
    assert "499 more" in found.message
    assert 0 < len(found.related) < 20
    short = [TensorProto(name=f"w{i}", data_type=7, dims=[2], int64_data=[1]) for i in range(500)]
    _, many = read_model(small_model(*short).SerializeToString(), "m.onnx")
    assert len(many) < 150


# -- opsets


def opsets(*imports: tuple[str, int], node_domain: str = "") -> tuple[Any, list[tuple[str, str]]]:
    proto = small_model(nodes=[helper.make_node("Op", ["x"], ["y"], domain=node_domain)])
    del proto.opset_import[:]
    proto.opset_import.extend(helper.make_opsetid(*each) for each in imports)
    model, diagnostics = read_model(proto.SerializeToString(), "m.onnx")
    assert model is not None
    return model.opsets, [(found.rule, found.severity) for found in diagnostics]


def test_imports_that_are_missing() -> None:
    newest = onnx.defs.onnx_opset_version()
    missing = "opset-import-missing"
    assert opsets(("", 9)) == ({"": 9}, [])
    assert opsets(("ai.onnx", 9), node_domain="ai.onnx") == ({"": 9}, [])
    assert opsets(("", 17), ("", 9)) == ({"": 9}, [])
    assert opsets() == ({"": newest}, [(missing, "error")])
    assert opsets(("ai.onnx.ml", 3)) == ({"ai.onnx.ml": 3, "": newest}, [(missing, "warning")])
    assert opsets(("", 9), node_domain="ai.onnx.ml") == ({"": 9, "ai.onnx.ml": 5}, [(missing, "warning")])
    assert opsets(("", 9), node_domain="com.microsoft") == ({"": 9, "com.microsoft": 1}, [(missing, "warning")])
    assert opsets(("", 9), node_domain="own") == ({"": 9}, [(missing, "error")])


def test_a_function_imports_for_itself() -> None:
    proto = rich_model()
    del proto.functions[0].opset_import[:]
    model, (found,) = read_model(proto.SerializeToString(), "m.onnx")
    assert model is not None
    assert (found.rule, found.severity) == ("opset-import-missing", "error")
    assert found.location.graph_path == "function[custom:Everything:o]"
    assert model.functions["custom", "Everything", "o"].opsets == {"": 17}


# -- files that are no models


def one(outcome: tuple[Model | None, tuple[Diagnostic, ...]]) -> Diagnostic:
    model, diagnostics = outcome
    assert model is None
    assert len(diagnostics) == 1
    return diagnostics[0]


@pytest.mark.parametrize(
    ("data", "rule", "said"),
    [
        (b"", "unreadable-model", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\nsize 1234567\n", "git-lfs-pointer", "1,234,567 bytes"),
        (b"\x08\x08", "model-without-graph", "no graph"),
        (b"PK\x03\x04" + bytes(99), "unreadable-model", "zip"),
        (b"<!DOCTYPE html><html>", "unreadable-model", "web page"),
        (b"hello, world", "unreadable-model", "damaged"),
        (RICH[:-1], "unreadable-model", "truncated"),
        (b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "unreadable-model", "truncated"),
        (b"\x3b\x3c", "unreadable-model", "group"),
        (b"\x08" + b"\x80" * 10 + b"\x00", "unreadable-model", "longer than 10 bytes"),
        (b"\x00\x00", "unreadable-model", "impossible number"),
    ],
)
def test_what_is_no_model(data: bytes, rule: str, said: str, tmp_path: Path) -> None:
    found = one(read_model(data, "m.onnx"))
    assert (found.rule, found.severity) == (rule, "error")
    assert said in found.message
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    assert one(open_model(str(path))).message == found.message


def test_every_truncation_is_one_finding() -> None:
    for end in range(len(RICH)):
        model, diagnostics = read_model(RICH[:end], "m.onnx")
        assert model is not None or len(diagnostics) == 1


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_model(str(tmp_path / "absent.onnx"))
    assert "not a file" in one(open_model(str(tmp_path))).message
    assert "cannot be opened" in one(open_model("a\0b")).message
    (tmp_path / "m.onnx").write_bytes(RICH)
    assert "cannot be opened" in one(open_model(str(tmp_path / "m.onnx" / "x"))).message
    pipe = tmp_path / "pipe.onnx"
    os.mkfifo(pipe)
    assert "not a file" in one(open_model(str(pipe))).message


def nested_graphs(depth: int) -> bytes:
    graph = b""
    for _ in range(depth):
        graph = field(1, field(5, field(1, b"g") + field(6, graph) + key(20, 0) + varint(5)))
    return field(7, graph) + field(8, key(2, 0) + varint(17))


def nested_types(depth: int) -> bytes:
    kind = field(1, key(1, 0) + varint(1))
    for _ in range(depth):
        kind = field(4, field(1, kind))
    return field(7, field(11, field(1, b"x") + field(2, kind))) + field(8, key(2, 0) + varint(17))


@pytest.mark.parametrize(("make", "most"), [(nested_graphs, 33), (nested_types, 47)])
def test_nesting_is_bounded(make: Callable[[int], bytes], most: int) -> None:
    assert read_model(make(most - 2), "m.onnx")[0] is not None
    found = one(read_model(make(most + 3), "m.onnx"))
    assert (found.rule, found.severity) == ("nesting-too-deep", "error")
    assert one(read_model(make(5000), "m.onnx")).rule == "nesting-too-deep"


def test_names_that_are_no_text() -> None:
    raw = field(7, field(2, b"\xff\xed\xa0\x80") + field(1, field(4, b"\x00\x1b"))) + field(8, key(2, 0) + varint(17))
    model, _ = read_model(raw, "m.onnx")
    assert model is not None
    assert model.graph.name.encode()
    assert model.graph.nodes[0].op_type == "\x00\x1b"


def test_a_graph_in_two_pieces_is_one() -> None:
    first, second = small_model(), rich_model()
    raw = first.SerializeToString() + second.SerializeToString()
    model, _ = read_model(raw, "m.onnx")
    assert model is not None
    check_model(model, onnx.load_model_from_string(raw))


def nowhere(_location: str, _offset: int, _length: int | None) -> bytes | None:
    return None


@settings(max_examples=300, deadline=2000)
@given(st.data())
def test_damaged_bytes_never_raise(data: st.DataObject) -> None:
    damaged = bytearray(RICH)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(damaged)))
    model, diagnostics = read_model(bytes(damaged[: end if end % 3 == 0 else None]), "m.onnx", nowhere)
    assert model is not None or len(diagnostics) == 1
    if model is not None:
        touch(model.graph)


@settings(max_examples=300, deadline=2000)
@given(st.binary(max_size=64))
def test_any_bytes_never_raise(data: bytes) -> None:
    model, diagnostics = read_model(field(7, data), "m.onnx")
    assert model is not None or len(diagnostics) == 1


def touch(graph: Graph) -> None:
    """Decodes every tensor."""
    for tensor in graph.initializers.values():
        assert tensor.values is None or len(tensor.values) <= 64
    for node in graph.nodes:
        for attr in node.attrs.values():
            if isinstance(attr.value, Tensor):
                assert attr.value.values is None or len(attr.value.values) <= 64
            elif isinstance(attr.value, Graph):
                touch(attr.value)


# -- external data


def external_model(location: str, offset: str | None = None, length: str | None = None, dims: Any = (2,)) -> ModelProto:
    tensor = TensorProto(name="w", data_type=7, dims=dims, data_location=TensorProto.EXTERNAL)
    for name, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            tensor.external_data.add(key=name, value=value)
    return small_model(tensor)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    data = struct.pack("<3q", 5, 6, 7)
    for path in (inside / "w.bin", inside / "sub" / "w.bin", tmp_path / "out.bin"):
        path.write_bytes(data)
    (inside / "to_inside").symlink_to("w.bin")
    (inside / "to_outside").symlink_to("../out.bin")
    (inside / "up").symlink_to("..")
    (inside / "pointer").write_text("version https://git-lfs.github.com/spec/v1\n")
    os.mkfifo(inside / "pipe")
    return inside


def opened(folder: Path, proto: ModelProto) -> tuple[Tensor, list[str]]:
    path = folder / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    model, diagnostics = open_model(str(path))
    assert model is not None
    assert all(found.location.graph_path == "graph/initializer[w]" for found in diagnostics)
    return model.graph.initializers["w"], [found.rule for found in diagnostics]


@pytest.mark.parametrize(
    ("where", "values"),
    [
        (("w.bin",), (5, 6)),
        (("w.bin", "8"), (6, 7)),
        (("w.bin", "8", "16"), (6, 7)),
        (("w.bin", "0", "0"), (5, 6)),
        (("./sub/../w.bin",), (5, 6)),
        (("sub/w.bin",), (5, 6)),
        (("to_inside",), (5, 6)),
    ],
)
def test_external_data_in_the_folder(folder: Path, where: Any, values: tuple[int, ...]) -> None:
    tensor, rules = opened(folder, external_model(*where))
    assert rules == []
    assert tensor.values == values


@pytest.mark.parametrize(
    ("where", "rule"),
    [
        (("absent",), "external-data-missing"),
        (("sub",), "external-data-missing"),
        (("pipe",), "external-data-missing"),
        (("a\0b",), "external-data-missing"),
        (("w.bin", "16"), "external-data-missing"),
        (("w.bin", str(10**18)), "external-data-missing"),
        (("pointer",), "git-lfs-pointer"),
        (("../out.bin",), "external-data-outside"),
        (("sub/../../out.bin",), "external-data-outside"),
        (("/etc/passwd",), "external-data-outside"),
        (("C:\\w.bin",), "external-data-outside"),
        (("..\\out.bin",), "external-data-outside"),
        (("to_outside",), "external-data-outside"),
        (("up/out.bin",), "external-data-outside"),
        (("",), "bad-tensor"),
        (("w.bin", "-8"), "bad-tensor"),
        (("w.bin", "x"), "bad-tensor"),
        (("w.bin", "9" * 5000), "bad-tensor"),
        (("w.bin", "0", "8"), "bad-tensor"),
    ],
)
def test_external_data_that_is_not_there(folder: Path, where: Any, rule: str) -> None:
    tensor, rules = opened(folder, external_model(*where))
    assert rules == [rule]
    assert tensor.values is None
    assert tensor.problem


def test_large_external_data_is_not_opened(folder: Path) -> None:
    (folder / "w.bin").write_bytes(bytes(8000))
    (folder / "w.bin").chmod(0)
    tensor, rules = opened(folder, external_model("w.bin", dims=(1000,)))
    assert (rules, tensor.values) == ([], None)


def test_without_a_folder_external_data_is_unknown() -> None:
    model = read(external_model("w.bin"))
    assert model.graph.initializers["w"].values is None
    assert one_rule(read_model(external_model("../w.bin").SerializeToString(), "m.onnx")) == "external-data-outside"


def one_rule(outcome: tuple[Model | None, tuple[Diagnostic, ...]]) -> str:
    (found,) = outcome[1]
    return found.rule


def test_many_tensors_in_one_missing_file_are_one_finding() -> None:
    tensors = [external_model("absent").graph.initializer[0] for _ in range(50)]
    for index, tensor in enumerate(tensors):
        tensor.name = f"w{index}"
    _, (found,) = read_model(small_model(*tensors).SerializeToString(), "m.onnx", nowhere)
    assert "49 more" in found.message


# -- size

OPEN_AND_MEASURE = """
import json, resource, sys, time
from onnxls.frontends.model import open_model
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
model, diagnostics = open_model(sys.argv[1])
seconds = time.perf_counter() - start
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps([seconds, grown, [t.name for t in model.graph.initializers.values()], len(diagnostics)]))
"""


ANALYSE_AND_MEASURE = """
import json, re, sys, time
import onnxls
start = time.process_time()
report = onnxls.analyze(sys.argv[1])
seconds = time.process_time() - start
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]  # ru_maxrss begins at the parent's
print(json.dumps([seconds, int(peak), sorted(report.values), len(report.diagnostics)]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file with a hole, and the peak of a process")
def test_a_model_of_gigabytes_is_analysed_in_little_time_and_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.onnx"
    write_with_hole(path, 600_000_000)
    if path.stat().st_blocks * 512 > 1 << 20:
        pytest.skip("the file system has no sparse files")
    command = [sys.executable, "-c", ANALYSE_AND_MEASURE, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, kilobytes, names, _ = json.loads(result.stdout)
    assert "w" in names
    assert seconds < 1
    assert kilobytes < 150_000


def test_weights_of_gigabytes_are_not_touched(tmp_path: Path) -> None:
    elements = 600_000_000
    path = tmp_path / "large.onnx"
    write_with_hole(path, elements)
    if path.stat().st_blocks * 512 > 1 << 20:
        pytest.skip("the file system has no sparse files")
    command = [sys.executable, "-c", OPEN_AND_MEASURE, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, kilobytes, names, findings = json.loads(result.stdout)
    assert (names, findings) == (["w"], 0)
    assert seconds < 0.2
    assert kilobytes < 50_000


def weighty(path: Path) -> ModelProto:
    """A model of some megabytes with weights of all kinds, in initializers, attributes, nested graphs and functions."""
    big = [numpy_helper.from_array(np.ones((3, 40_000), kind), f"w{kind}") for kind in ("f4", "i8", "f8")]
    typed = helper.make_tensor("typed", TensorProto.INT64, [150_000], list(range(150_000)))
    floats = helper.make_tensor("floats", TensorProto.FLOAT, [100_000], [0.5] * 100_000)
    small = numpy_helper.from_array(np.array([2, 3], "i8"), "small")
    inner = helper.make_graph(
        [helper.make_node("Constant", [], ["o"], value=big[0])],
        "inner",
        [],
        [helper.make_tensor_value_info("o", 1, None)],
        [big[1]],
    )
    nodes = [helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)]
    proto = small_model(*big, typed, floats, small, nodes=nodes)
    function = helper.make_function(
        "own", "f", [], ["o"], [helper.make_node("Constant", [], ["o"], value=big[2])], [helper.make_opsetid("", 17)]
    )
    proto.functions.append(function)
    path.write_bytes(proto.SerializeToString())
    assert path.stat().st_size > 5 << 20
    return proto


def test_a_file_without_its_weights_is_the_same_model(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    proto = weighty(path)
    model, diagnostics = open_model(str(path))
    whole, said = read_model(path.read_bytes(), str(path))
    assert model is not None
    assert whole is not None
    check_model(model, proto)
    assert [each.message for each in diagnostics] == [each.message for each in said]
    buf = files.opened(str(path))
    assert isinstance(buf, mmap)
    assert len(buf) == path.stat().st_size
    buf.close()


def test_a_large_file_that_is_damaged_is_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    weighty(path)
    data = path.read_bytes()
    for position in (0, 9, len(data) // 3, len(data) // 2, len(data) - 40):
        damaged = data[:position] + b"\xff" * 12 + data[position + 12 :]
        path.write_bytes(damaged)
        model, diagnostics = open_model(str(path))
        whole, said = read_model(damaged, str(path))
        assert (model is None, [each.rule for each in diagnostics]) == (whole is None, [each.rule for each in said])


CUT_SHORT = """
import os, sys
from onnxls.frontends import files
from onnxls.frontends.model import open_model
buf = files.opened(sys.argv[1])
size = len(buf)
os.truncate(sys.argv[1], 0)
assert len(buf[:]) == size  # a map of the file would end the process here
buf.close()
os.truncate(sys.argv[1], size)
read = os.preadv
def cut(descriptor, parts, offset):
    count = read(descriptor, parts, offset)
    os.truncate(sys.argv[1], 1 << 16)
    return count
os.preadv = cut
model, (found,) = open_model(sys.argv[1])
print(found.rule, found.message)
"""


@pytest.mark.skipif(not hasattr(os, "preadv"), reason="elsewhere a file that is read cannot be cut short")
def test_a_file_that_is_cut_short_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    weighty(path)
    command = [sys.executable, "-c", CUT_SHORT, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("unreadable-model")
    assert "cut short while it was read" in result.stdout


def write_with_hole(path: Path, elements: int) -> None:
    size = 4 * elements
    head = key(1, 0) + varint(elements) + key(2, 0) + varint(1) + field(8, b"w") + key(9, 2) + varint(size)
    graph = field(2, b"g") + key(5, 2) + varint(len(head) + size) + head
    tail = field(8, key(2, 0) + varint(17))
    with path.open("wb") as file:
        file.write(key(7, 2) + varint(len(graph) + size) + graph)
        file.seek(size, os.SEEK_CUR)
        file.write(tail)


@pytest.mark.usefixtures("own_garbage_only")
def test_time_is_linear_in_nodes() -> None:
    def seconds(count: int) -> float:
        names = [f"v{count}_{i}" for i in range(count + 1)]  # of nodes that were not read before
        raw = small_model(nodes=[helper.make_node("Relu", [names[i]], [names[i + 1]]) for i in range(count)])
        data = raw.SerializeToString()
        start = time.process_time()
        assert read_model(data, "m.onnx")[0] is not None
        return time.process_time() - start

    assert seconds(40_000) < 30 * max(seconds(4_000), 0.01)


def test_long_lists_are_read_at_once() -> None:
    node = helper.make_node("Trees", ["x"], ["y"], ids=[0, 1, 300, -1] * 25_000, weights=[0.5, 1.5] * 50_000)
    proto = small_model(nodes=[node])
    data = proto.SerializeToString()
    start = time.process_time()
    model, _ = read_model(data, "m.onnx")
    assert time.process_time() - start < 2
    assert model is not None
    check_model(model, proto)


def test_large_attributes_are_left_alone() -> None:
    blob = helper.make_node("EPContext", ["x"], ["y"], domain="com.microsoft", ep_cache_context=b"\xff" * (65 << 20))
    proto = small_model(nodes=[blob])
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    data = proto.SerializeToString()
    tracemalloc.start()
    model, (found,) = read_model(data, "m.onnx")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model is not None
    assert model.graph.nodes[0].attrs["ep_cache_context"].value is None
    assert (found.rule, found.severity) == ("attribute-too-large", "information")
    assert found.location.graph_path == "graph/node[0]:EPContext/ep_cache_context"
    assert peak < 1 << 20


# -- the other serialisations


def test_textproto_and_json_read_as_the_same_model() -> None:
    proto = rich_model()
    for outcome in (
        read_textproto(text_format.MessageToString(proto), "m.textproto"),
        read_json(json_format.MessageToJson(proto), "m.json"),
    ):
        model, diagnostics = outcome
        assert model is not None
        assert diagnostics == ()
        check_model(model, proto)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("ir_version: 8\ngraph {\n node { foo: 1 }\n}", (3, 9), "foo"),
        ("graph {", (1, 7), "Expected"),
        ("", (None, None), "nothing"),
        ("{}", (1, 1), "Expected"),
    ],
)
def test_a_mistake_in_a_textproto(text: str, place: Any, said: str) -> None:
    found = one(read_textproto(text, "m.textproto"))
    assert (found.rule, found.location.line, found.location.column) == ("unreadable-model", *place)
    assert said in found.message


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('{\n  "graph": x}', (2, 12), "Expecting value"),
        ("", (1, 1), "Expecting value"),
        ("[]", (None, None), "no object"),
        ("{}", (None, None), "nothing"),
        ('{"graph": {"node": [{"foo": 1}]}}', (None, None), "foo"),
        ('{"graph": {"node": [1]}}', (None, None), "int"),
        ('{"irVersion": ' + "9" * 5000 + "}", (None, None), "digits"),
        ('{"graph": {"name": "\\ud800"}}', (None, None), "surrogate"),
    ],
)
def test_a_mistake_in_json(text: str, place: Any, said: str) -> None:
    found = one(read_json(text, "m.json"))
    assert (found.rule, found.location.line, found.location.column) == ("unreadable-model", *place)
    assert said in found.message


def test_deep_texts() -> None:
    deep = "graph { " + "node { attribute { type: GRAPH g { " * 2000 + "} } } " * 2000 + "}"
    assert one(read_textproto(deep, "m.textproto")).rule == "nesting-too-deep"
    assert one(read_json("[" * 100_000, "m.json")).rule == "nesting-too-deep"
    deep = '{"graph": ' + '{"node": [{"attribute": [{"g": ' * 60 + "{}" + "}]}]}" * 60 + "}"
    assert one(read_json(deep, "m.json")).rule == "nesting-too-deep"


# -- the wire format, by hand


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def key(number: int, kind: int) -> bytes:
    return varint(number << 3 | kind)


def field(number: int, content: bytes) -> bytes:
    return key(number, 2) + varint(len(content)) + content
