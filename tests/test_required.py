"""What is said of values of unknown rank, against the rules of the operators themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from onnxls.assembly import Request, analyze_model
from onnxls.findings import Finding
from onnxls.graph import Attr, Graph, Model, Node, TypeInfo, Value
from onnxls.required import ALONG, BY_ATTRIBUTE, EXACT, LEAST, SAME_RANK, SAME_SHAPE, WITH_SCALARS

RANKS = range(8)
FLOAT, INT64, BOOL = 1, 7, 9
INTEGERS: Mapping[str, tuple[int, ...]] = {
    "Reshape": (1,), "Expand": (1,), "Tile": (1,), "ConstantOfShape": (0,), "Slice": (1, 2, 3, 4), "Gather": (1,),
    "GatherElements": (1,), "ScatterElements": (1,), "CenterCropPad": (1,), "Pad": (1,), "TopK": (1,), "CumSum": (1,),
    "ReverseSequence": (1,),
}  # fmt: skip
INPUTS: Mapping[str, int] = {
    "Gemm": 2, "LSTM": 3, "GRU": 3, "RNN": 3, "Reshape": 2, "Expand": 2, "Tile": 2, "NonMaxSuppression": 2, "Slice": 5,
    "BatchNormalization": 5, "InstanceNormalization": 3, "Conv": 3, "ConvTranspose": 3, "CenterCropPad": 2, "MatMul": 2,
    "Concat": 2, "Gather": 2, "GatherElements": 2, "TopK": 2, "LayerNormalization": 2, "RMSNormalization": 2,
    "ScatterElements": 3, "CastLike": 2, "CumSum": 2, "Pad": 2, "PRelu": 2, "ReverseSequence": 2,
}  # fmt: skip
ATTRS: Mapping[str, tuple[Attr, ...]] = {
    "LSTM": (Attr("hidden_size", 2, 4),), "GRU": (Attr("hidden_size", 2, 4),), "RNN": (Attr("hidden_size", 2, 4),),
    "DepthToSpace": (Attr("blocksize", 2, 1),), "SpaceToDepth": (Attr("blocksize", 2, 1),),
    "Cast": (Attr("to", 2, 1),),
    "LRN": (Attr("size", 2, 1),), "Split": (Attr("num_outputs", 2, 1),), "BitShift": (Attr("direction", 3, "LEFT"),),
}  # fmt: skip


def _analyzed(op_type: str, shapes: Mapping[int, Sequence[int | str]], attrs: Sequence[Attr] = ()):
    """One node whose inputs have these shapes; the other inputs are not known."""
    count = max(INPUTS.get(op_type, 2 if op_type in WITH_SCALARS else 1), *(at + 1 for at in shapes))
    integers = INTEGERS.get(op_type, ())
    kind = BOOL if op_type in ("Not", "And", "Or", "Xor") else FLOAT
    kind = 12 if op_type.startswith("Bit") else kind
    inputs = [
        Value(
            f"i{at}", TypeInfo("tensor", INT64 if at in integers else kind, tuple(shapes[at]) if at in shapes else None)
        )
        for at in range(count)
    ]
    given = {each.name: each for each in (*ATTRS.get(op_type, ()), *attrs)}
    node = Node(
        op_type, "", "n", tuple(each.name for each in inputs), ("y", "z") if op_type == "TopK" else ("y",), given
    )
    model = Model(Graph("g", tuple(inputs), (Value("y"),), (node,)), {"": 24})
    return analyze_model(model, Request())


def _refused(op_type: str, at: int, rank: int, attrs: Sequence[Attr] = ()) -> bool:
    made = _analyzed(op_type, {at: [f"d{axis}" for axis in range(rank)]}, attrs)
    return any(map(_is_fatal, made.analysis.findings))


def _is_fatal(finding: Finding) -> bool:
    return finding.verdict == "fails" or (
        finding.verdict is None and (finding.severity or finding.rule.severity) == "error"
    )


@pytest.mark.parametrize("op_type", sorted(EXACT))
def test_exact_ranks(op_type: str) -> None:
    for at, rank in EXACT[op_type].items():
        assert not _refused(op_type, at, rank), (at, rank)
        others = [each for each in RANKS if each != rank and not _refused(op_type, at, each)]
        assert not others, (at, others)


@pytest.mark.parametrize("op_type", sorted(LEAST))
def test_least_ranks(op_type: str) -> None:
    for at, rank in LEAST[op_type].items():
        assert all(_refused(op_type, at, each) for each in range(rank)), at
        assert not _refused(op_type, at, rank), at


@pytest.mark.parametrize("op_type", sorted(ALONG))
@pytest.mark.parametrize("axis", [None, -3, -1, 0, 2])
def test_axes(op_type: str, axis: int | None) -> None:
    default = ALONG[op_type]
    if axis is None and default is None:
        return
    number = default if axis is None else axis
    assert number is not None
    attrs = () if axis is None else (Attr("axis", 2, axis),)
    least = number + 1 if number >= 0 else -number
    assert all(_refused(op_type, 0, rank, attrs) for rank in range(least))
    assert not _refused(op_type, 0, least, attrs)


EXAMPLES: Mapping[str, Sequence[Attr]] = {
    "Transpose": (Attr("perm", 7, (2, 0, 1)),), "Conv": (Attr("kernel_shape", 7, (1, 1)),),
    "ConvTranspose": (Attr("kernel_shape", 7, (1, 1)),), "MaxPool": (Attr("kernel_shape", 7, (1, 1)),),
    "AveragePool": (Attr("kernel_shape", 7, (1, 1)),), "LpPool": (Attr("kernel_shape", 7, (1, 1)),),
    "Einsum": (Attr("equation", 3, "abc -> cab"),),
}  # fmt: skip


@pytest.mark.parametrize("op_type", sorted(BY_ATTRIBUTE))
def test_ranks_by_attributes(op_type: str) -> None:
    attrs = EXAMPLES[op_type]
    node = Node(op_type, "", "n", ("x",), ("y",), {each.name: each for each in attrs})
    ((_, least, most),) = BY_ATTRIBUTE[op_type](node)
    assert least == most
    assert [rank for rank in RANKS if not _refused(op_type, 0, rank, attrs)] == [least]


@pytest.mark.parametrize("op_type", sorted(SAME_SHAPE | SAME_RANK))
def test_same_shape(op_type: str) -> None:
    seen = False
    for rank in RANKS:
        made = _analyzed(op_type, {0: [f"d{axis}" for axis in range(rank)]})
        if any(map(_is_fatal, made.analysis.findings)):
            continue
        seen = True
        given, got = made.analysis.values["i0"].shape, made.analysis.values["y"].shape
        assert got is not None
        assert given is not None
        assert len(got) == rank
        assert op_type in SAME_RANK or got == given
    assert seen


@pytest.mark.parametrize("op_type", sorted(WITH_SCALARS))
def test_beside_a_scalar(op_type: str) -> None:
    for at in (0, 1) if op_type != "PRelu" else (0,):
        for rank in RANKS:
            made = _analyzed(op_type, {at: [f"d{axis}" for axis in range(rank)], 1 - at: []})
            assert made.analysis.values["y"].shape == made.analysis.values[f"i{at}"].shape
