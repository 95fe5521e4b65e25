"""Element types against the schemas, judged by onnx's own type check."""

from __future__ import annotations

import random
import re

import onnx
import pytest
from onnx import helper, shape_inference
from onnx.defs import get_all_schemas_with_history

from onnxls import schemas
from onnxls.graph import Node
from onnxls.type_constraints import HETEROGENEOUS, KINDS, MIXED_TYPES, UNSUPPORTED_TYPE, check_types

TENSORS = [dtype for dtype in range(1, 24) if schemas.type_string(dtype) and dtype not in (14, 15)]
OPERATORS = [
    (domain, name)
    for domain in ("", "ai.onnx.ml")
    for name in schemas.known_operators(domain)
    if name not in HETEROGENEOUS and name not in ("If", "Optional", "Constant")
]


def faults(op_type: str, dtypes: list[int | None], opset: int = 20) -> list[tuple[str, str]]:
    schema = schemas.lookup("", op_type, opset)
    assert schema is not None
    node = Node(op_type, "", "", tuple("abcdefgh"[: len(dtypes)]), ("y",))
    return [(rule.name, text) for rule, text in check_types(node, schema, dtypes)]


def test_what_is_told() -> None:
    assert not faults("Add", [1, 1])
    assert faults("Add", [1, 7]) == [(MIXED_TYPES.name, "`b` is int64, but `a` is float; they must be of one type")]
    assert faults("Relu", [9])[0][0] == UNSUPPORTED_TYPE.name
    assert faults("Relu", [9])[0][1].startswith("`a` is bool; taken here: bfloat16, double, float")
    assert faults("Reshape", [1, 6]) == [(UNSUPPORTED_TYPE.name, "`b` is int32; taken here: int64")]
    assert [rule for rule, _ in faults("Concat", [1, 1, 7, 11])] == [MIXED_TYPES.name] * 2


def test_what_is_not_known_is_not_judged() -> None:
    assert not faults("Add", [None, 7])
    assert not faults("Add", [0, 7])
    assert not faults("Where", [None, 1, None])
    assert not faults("Add", [1, 1, 7])
    assert not faults("Relu", [])


def test_variadic_inputs_of_several_types() -> None:
    assert not faults("Loop", [7, 9, 1, 7, 11])
    mixed = {
        schema.name
        for schema in get_all_schemas_with_history()
        for formal in schema.inputs
        if not formal.is_homogeneous
    }
    assert mixed == HETEROGENEOUS


def test_sequences_and_tensors() -> None:
    assert faults("Relu", [KINDS["sequence"]])[0][1].startswith("`a` is a sequence; taken here: ")
    assert faults("SequenceLength", [1]) == [(UNSUPPORTED_TYPE.name, "`a` is float; no tensor is taken here")]
    assert not faults("SequenceLength", [KINDS["sequence"]])
    assert not faults("Identity", [KINDS["optional"]])


@pytest.mark.parametrize(("domain", "name"), OPERATORS, ids=[name for _, name in OPERATORS])
def test_as_onnx_judges(domain: str, name: str) -> None:
    """Random element types for every operator in its newest version."""
    chance = random.Random(name)
    opset = schemas.latest_opset(domain)
    schema = schemas.lookup(domain, name, opset)
    assert schema is not None
    if schema.deprecated:
        return
    count = max(schema.min_inputs, min(len(schema.inputs), 6))
    for _ in range(12):
        usual = chance.choice([1, 1, 7, 9, 10, 11])
        dtypes = [chance.choice([usual, usual, usual, *TENSORS]) for _ in range(count)]
        names = [f"i{position}" for position in range(count)]
        node = Node(name, domain, "", tuple(names), ("y",))
        wrong = bool(check_types(node, schema, dtypes))
        outputs = [f"o{position}" for position in range(max(1, schema.min_outputs))]
        problem = problem_of(domain, name, opset, names, dtypes, outputs)
        if wrong:
            assert problem is not None, dtypes
        if problem is not None and is_about_an_input(schema, problem):
            assert wrong, (dtypes, problem)


def is_about_an_input(schema: schemas.Schema, problem: str) -> bool:
    """Whether onnx speaks of the type of an input of the operator itself, not of an output or of its expansion."""
    match = re.search(r"\(op_type:(\w+)\): (\w+)(?: typestr: [^,]+,)? has (?:unsupported|inconsistent) type", problem)
    return match is not None and match[1] == schema.name and match[2] in {each.name for each in schema.inputs}


def problem_of(
    domain: str, name: str, opset: int, names: list[str], dtypes: list[int], outputs: list[str]
) -> str | None:
    """What onnx's inference says of a node."""
    inputs = [helper.make_tensor_value_info(name, dtype, None) for name, dtype in zip(names, dtypes, strict=True)]
    graph = helper.make_graph([helper.make_node(name, names, outputs, domain=domain)], "g", inputs, [])
    imports = [helper.make_opsetid("", schemas.latest_opset("")), helper.make_opsetid(domain, opset)]
    model = helper.make_model(graph, opset_imports=imports if domain else imports[:1])
    try:
        shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    except (onnx.shape_inference.InferenceError, ValueError) as error:
        return str(error)
    return None
