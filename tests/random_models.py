"""Models made at random, with symbolic sizes and sizes as values, whose nodes run at one set of sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
OPSET = 18
NAMES = ("N", "M", "K")
MOST_ELEMENTS = 20_000

Array = np.ndarray[Any, Any]
Proposal = tuple[str, list[str], dict[str, Any], int]
"""Operator, inputs, attributes, number of outputs."""


@dataclass
class Draft:
    """A model in the making. `data`: every value at the sizes that it is made with."""

    random: Random
    inputs: list[tuple[str, list[int | str]]] = field(default_factory=list[tuple[str, list[int | str]]])
    nodes: list[onnx.NodeProto] = field(default_factory=list[onnx.NodeProto])
    constants: dict[str, Array] = field(default_factory=dict[str, Array])
    data: dict[str, Array] = field(default_factory=dict[str, Array])

    def constant(self, values: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(values)
        return name

    def pick(self, dtype: type | None = np.float32, ranks: Sequence[int] = range(9)) -> str:
        """A value, the newest more often than others. IndexError where there is none."""
        found = [
            name
            for name, value in self.data.items()
            if value.ndim in ranks and (dtype is None or value.dtype == dtype) and value.dtype != np.bool_
        ]
        return found[-1] if self.random.random() < 0.5 else self.random.choice(found)

    def sizes(self, length: int | None = None) -> str:
        """A list of integers, of a length where one is given."""
        found = [
            name
            for name, value in self.data.items()
            if value.dtype == np.int64 and value.ndim == 1 and len(value) <= 5 and length in (None, len(value))
        ]
        return self.random.choice(found)

    def axis(self, name: str, more: int = 0) -> int:
        rank = self.data[name].ndim + more
        return self.random.randrange(-rank, rank)

    def model(self) -> onnx.ModelProto:
        """The model, with every value that a node makes as an output of unknown shape."""
        kinds = {np.dtype(np.float32): FLOAT, np.dtype(np.int64): INT64}
        made = [name for node in self.nodes for name in node.output]
        outputs = [
            onnx.ValueInfoProto(
                name=name,
                type=onnx.TypeProto(tensor_type=onnx.TypeProto.Tensor(elem_type=kinds[self.data[name].dtype])),
            )
            for name in made
        ]
        graph = helper.make_graph(
            self.nodes,
            "random",
            [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in self.inputs],
            outputs,
            [numpy_helper.from_array(value, name) for name, value in self.constants.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def ones(shape: Sequence[int | str], sizes: Mapping[str, int]) -> Array:
    """A tensor of ones with the sizes that names stand for."""
    return np.ones([sizes[dim] if isinstance(dim, str) else dim for dim in shape], np.float32)


def run(model: onnx.ModelProto, feeds: dict[str, Array]) -> dict[str, Array]:
    """The outputs of a model; whatever the reference raises where a node does not run."""
    evaluator: Any = ReferenceEvaluator(model)
    names = [each.name for each in model.graph.output]
    return {name: np.asarray(value) for name, value in zip(names, evaluator.run(names, feeds), strict=True)}


def draft(seed: int) -> Draft:
    """A model of a seed."""
    random = Random(seed)
    made = Draft(random)
    sizes = {name: random.randint(1, 8) for name in NAMES}
    for index in range(random.randint(1, 3)):
        shape = [random.choice((*NAMES, 1, 2, 3, 4, 6)) for _ in range(random.randint(1, 4))]
        made.inputs.append((f"x{index}", shape))
        made.data[f"x{index}"] = ones(shape, sizes)
    for _ in range(random.randint(6, 30)):
        extend(made)
    return made


def extend(made: Draft) -> None:
    """Adds a node, if the one that is drawn runs."""
    known = len(made.constants)
    try:
        op, inputs, attributes, count = made.random.choice(PROPOSALS)(made)
        outputs = [f"v{len(made.nodes)}_{index}" for index in range(count)]
        node = helper.make_node(op, inputs, outputs, **attributes)
        results = run_node(made, node)
        if any(each.size > MOST_ELEMENTS or each.ndim > 6 for each in results):
            raise ValueError("larger than it need be")
    except Exception:
        for name in list(made.constants)[known:]:
            del made.constants[name]
    else:
        made.nodes.append(node)
        made.data.update(zip(outputs, results, strict=True))


def run_node(made: Draft, node: onnx.NodeProto) -> list[Array]:
    values = {name: made.constants[name] if name in made.constants else made.data[name] for name in node.input}
    graph = helper.make_graph(
        [node],
        "node",
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(v.dtype), None)
            for name, v in values.items()
        ],
        [onnx.ValueInfoProto(name=name) for name in node.output],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    return list(run(model, values).values())


def allowed(made: Draft, sizes: str, least: int) -> str:
    """The list, if no entry is below what the standard allows, which the reference does not check."""
    if made.data[sizes].min() < least:
        raise ValueError("an entry is too small")
    return sizes


def elementwise(made: Draft) -> Proposal:
    dtype = made.random.choice((np.float32, np.float32, np.int64))
    return made.random.choice(("Add", "Mul", "Sub")), [made.pick(dtype), made.pick(dtype)], {}, 1


def product(made: Draft) -> Proposal:
    left = made.pick(ranks=range(1, 5))
    if made.random.random() < 0.5:
        return "MatMul", [left, made.constant(np.ones((made.data[left].shape[-1], 3), np.float32))], {}, 1
    return "MatMul", [left, made.pick(ranks=range(1, 5))], {}, 1


def transpose(made: Draft) -> Proposal:
    value = made.pick(None, range(1, 6))
    order = list(range(made.data[value].ndim))
    made.random.shuffle(order)
    return "Transpose", [value], {"perm": order}, 1


def reshape(made: Draft) -> Proposal:
    value = made.pick(None)
    if made.random.random() < 0.5:
        return "Reshape", [value, allowed(made, made.sizes(), -1)], {}, 1
    target = [made.random.choice((0, 1, 2, 3, *made.data[value].shape)) for _ in range(made.random.randint(1, 3))]
    target[made.random.randrange(len(target))] = -1
    return "Reshape", [value, made.constant(np.array(target, np.int64))], {}, 1


def shape(made: Draft) -> Proposal:
    attributes = {name: made.random.randint(-2, 3) for name in ("start", "end") if made.random.random() < 0.3}
    return "Shape", [made.pick(None)], attributes, 1


def entry(made: Draft) -> Proposal:
    value = made.sizes()
    index = made.random.randrange(-len(made.data[value]), len(made.data[value]))
    return "Gather", [value, made.constant(np.array([index], np.int64))], {}, 1


def gather(made: Draft) -> Proposal:
    value = made.pick(None, range(1, 6))
    axis = made.axis(value)
    indices = np.array([made.random.randrange(-made.data[value].shape[axis], 1) for _ in range(2)], np.int64)
    return "Gather", [value, made.constant(indices)], {"axis": axis}, 1


def target(made: Draft) -> Proposal:
    parts = [
        made.sizes()
        if made.random.random() < 0.6
        else made.constant(np.array([made.random.choice((-1, 1, 2))], np.int64))
        for _ in range(made.random.randint(2, 3))
    ]
    return "Concat", parts, {"axis": 0}, 1


def join(made: Draft) -> Proposal:
    value = made.pick(ranks=range(1, 6))
    return "Concat", [value, made.pick(ranks=[made.data[value].ndim])], {"axis": made.axis(value)}, 1


def cut(made: Draft) -> Proposal:
    value = made.pick(None, range(1, 6))
    start, end, step = (
        made.random.choice((0, 1, -2, 3)),
        made.random.choice((1, 2, 100, -1)),
        made.random.choice((1, 1, 2)),
    )
    lists = [made.constant(np.array([each], np.int64)) for each in (start, end, made.axis(value), step)]
    return "Slice", [value, *lists], {}, 1


def unsqueeze(made: Draft) -> Proposal:
    value = made.pick(None, range(5))
    return "Unsqueeze", [value, made.constant(np.array([made.axis(value, 1)], np.int64))], {}, 1


def squeeze(made: Draft) -> Proposal:
    value = made.pick(None, range(1, 6))
    axes = [axis for axis, size in enumerate(made.data[value].shape) if size == 1]
    return "Squeeze", [value, made.constant(np.array([made.random.choice(axes)], np.int64))], {}, 1


def expand(made: Draft) -> Proposal:
    return "Expand", [made.pick(None, range(5)), made.sizes()], {}, 1


def tile(made: Draft) -> Proposal:
    value = made.pick(ranks=range(1, 5))
    return "Tile", [value, allowed(made, made.sizes(made.data[value].ndim), 0)], {}, 1


def fill(made: Draft) -> Proposal:
    return "ConstantOfShape", [made.sizes()], {}, 1


def reduce(made: Draft) -> Proposal:
    value = made.pick(ranks=range(1, 6))
    axes = made.constant(np.array([made.axis(value)], np.int64))
    return "ReduceSum", [value, axes], {"keepdims": made.random.randint(0, 1)}, 1


def flatten(made: Draft) -> Proposal:
    value = made.pick(ranks=range(1, 6))
    return "Flatten", [value], {"axis": made.axis(value)}, 1


def pad(made: Draft) -> Proposal:
    value = made.pick(ranks=range(1, 5))
    pads = [made.random.choice((0, 0, 1, 2)) for _ in range(2 * made.data[value].ndim)]
    return "Pad", [value, made.constant(np.array(pads, np.int64))], {}, 1


def split(made: Draft) -> Proposal:
    """In equal parts: the reference does not add up sizes that are given."""
    value = made.pick(ranks=range(1, 6))
    return "Split", [value], {"axis": made.axis(value), "num_outputs": 2}, 2


PROPOSALS: tuple[Callable[[Draft], Proposal], ...] = (
    elementwise, elementwise, product, transpose, reshape, reshape, shape, shape, entry, gather, target, target, join,
    cut, unsqueeze, squeeze, expand, tile, fill, reduce, flatten, pad, split,
)  # fmt: skip
