"""What can be said of a value of unknown rank from the operators that every run applies to it. For people only.

Nothing here is a shape, and no finding or guard rests on it. A value is known by what its users cannot do without (a
rank, an element type) and by the operators that give what they get its shape. Only nodes of the main graph count, since
those of nested graphs may not run. `tests/test_required.py` holds the tables against the rules of the operators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from onnxls import schemas
from onnxls.facts import Fact
from onnxls.graph import Attr, Node
from onnxls.units import Unit

_SAME_SHAPE = (
    "Abs Acos Acosh Asin Asinh Atan Atanh Bernoulli BitwiseNot Cast CastLike Ceil Celu Clip Cos Cosh CumSum Dropout "
    "Elu Erf Exp Floor Gelu HardSigmoid HardSwish Hardmax Identity IsInf IsNaN LeakyRelu Log LogSoftmax "
    "LpNormalization MeanVarianceNormalization Mish Neg Not Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh "
    "Softmax Softplus Softsign Sqrt Swish Tan Tanh ThresholdedRelu Trilu LayerNormalization RMSNormalization "
    "InstanceNormalization BatchNormalization LRN ReverseSequence"
)
SAME_SHAPE = frozenset(_SAME_SHAPE.split())
"""The first output has the shape of the first input."""
SAME_RANK = frozenset(("Transpose", "Slice", "Pad", "Tile", "TopK"))
"""The first output has the rank of the first input."""
_WITH_SCALARS = (
    "Add Sub Mul Div Pow Mod And Or Xor Equal Less LessOrEqual Greater GreaterOrEqual BitwiseAnd BitwiseOr BitwiseXor "
    "PRelu BitShift"
)
WITH_SCALARS = frozenset(_WITH_SCALARS.split())
"""Beside a scalar the output has the shape of the other input."""
EXACT: Mapping[str, Mapping[int, int]] = {
    "Gemm": {0: 2, 1: 2}, "DepthToSpace": {0: 4}, "SpaceToDepth": {0: 4}, "LSTM": {0: 3, 1: 3, 2: 3},
    "GRU": {0: 3, 1: 3, 2: 3}, "RNN": {0: 3, 1: 3, 2: 3}, "Reshape": {1: 1}, "Expand": {1: 1}, "Tile": {1: 1},
    "ConstantOfShape": {0: 1}, "NonMaxSuppression": {0: 3, 1: 3}, "Slice": {1: 1, 2: 1, 3: 1, 4: 1},
    "EyeLike": {0: 2},
}  # fmt: skip
"""The ranks of some inputs, by operator and position."""
LEAST: Mapping[str, Mapping[int, int]] = {
    "MatMul": {0: 1, 1: 1}, "Conv": {0: 3, 1: 3}, "ConvTranspose": {0: 3, 1: 3}, "Trilu": {0: 2}, "Det": {0: 2},
    "InstanceNormalization": {0: 3},
}  # fmt: skip
"""The least ranks of some inputs."""
ALONG: Mapping[str, int | None] = {
    "Softmax": -1, "LogSoftmax": -1, "Hardmax": -1, "Concat": None, "Gather": 0, "Split": 0,
    "ArgMax": 0, "ArgMin": 0, "TopK": -1, "LayerNormalization": -1, "RMSNormalization": -1, "LpNormalization": -1,
    "ScatterElements": 0,
}  # fmt: skip
"""The axis attribute, with its default, that the first input (of Concat each) must have."""
_PASSES = 3
MAX_NODES = 5_000


@dataclass(slots=True)
class Need:
    """What is known of a value: a rank between two bounds, the value that has its shape, its element type.

    `least_by`, `most_by`, `dtype_by`: the operators that it follows from. Without `most` any greater rank will do.
    """

    least: int = 0
    most: int | None = None
    least_by: str = ""
    most_by: str = ""
    same_as: str | None = None
    dtype: int | None = None
    dtype_by: str = ""

    @property
    def rank(self) -> int | None:
        """The rank, where there is one that will do."""
        return self.least if self.least == self.most else None


@dataclass(slots=True)
class _Group:
    """Values of one rank; bounds that exclude each other say nothing."""

    least: int = 0
    most: int | None = None
    least_by: str = ""
    most_by: str = ""
    members: list[str] = field(default_factory=list[str])


class _Union:
    """Values in groups."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, name: str) -> str:
        root = name
        while (above := self._parent.get(root, root)) != root:
            root = above
        while (above := self._parent.get(name, name)) != root:
            self._parent[name], name = root, above
        return root

    def join(self, first: str, second: str) -> None:
        """Puts the second group into the first."""
        self._parent[self.find(second)] = self.find(first)


def required(unit: Unit) -> Mapping[str, Need]:
    """What can be said of the values of the main graph whose rank is not known."""
    graph = unit.model.graph
    if len(graph.nodes) > MAX_NODES:
        return {}
    opsets, values = unit.model.opsets, unit.values
    shapes, ranks = _Union(), _Union()
    plain = [node for node in graph.nodes if not node.domain and node.op_type]
    for node in plain:
        for first, second, whole in _alike(node, values, opsets.get("", 0)):
            if whole:
                shapes.join(first, second)
            ranks.join(first, second)
    groups: dict[str, _Group] = {}
    for node in plain:
        for name, least, most in _bounds(node, values, opsets.get("", 0)):
            group = groups.setdefault(ranks.find(name), _Group())
            if least > group.least:
                group.least, group.least_by = least, node.op_type
            if most is not None and (group.most is None or most < group.most):
                group.most, group.most_by = most, node.op_type
    dtypes = _dtypes(plain, values, opsets.get("", 0))
    made: dict[str, Need] = {}
    for name in [*(value.name for value in graph.inputs), *(name for node in graph.nodes for name in node.outputs)]:
        fact = values.get(name)
        if not name or fact is None or fact.type not in ("tensor", None):
            continue
        need = Need()
        if fact.shape is None:
            group = groups.get(ranks.find(name), _Group())
            if group.most is None or group.least <= group.most:
                need = Need(group.least, group.most, group.least_by, group.most_by)
            first = shapes.find(name)
            need.same_as = first if first != name else None
        if fact.dtype is None and name in dtypes:
            need.dtype, need.dtype_by = dtypes[name]
        if need != Need():
            made[name] = need
    return made


def _alike(node: Node, values: Mapping[str, Fact], opset: int) -> Iterator[tuple[str, str, bool]]:
    """Pairs of values of one rank, the earlier first, and whether they have one shape."""
    if not node.inputs or not node.inputs[0] or not node.outputs or not node.outputs[0]:
        return
    first, output = node.inputs[0], node.outputs[0]
    if node.op_type in SAME_SHAPE:
        yield first, output, True
    elif node.op_type in SAME_RANK and not (node.op_type == "TopK" and opset < 10):
        yield first, output, False
    elif node.op_type == "Concat":
        for other in (*node.inputs[1:], output):
            yield first, other, False
    elif node.op_type in WITH_SCALARS and len(node.inputs) == 2:
        for one, other in ((node.inputs[0], node.inputs[1]), (node.inputs[1], node.inputs[0])):
            fact = values.get(other)
            if fact is not None and fact.shape == () and one and not (node.op_type == "PRelu" and one is not first):
                yield one, output, True
                return


def _bounds(node: Node, values: Mapping[str, Fact], opset: int) -> Iterator[tuple[str, int, int | None]]:
    """What a node needs of the ranks of its inputs."""
    for at, rank in EXACT.get(node.op_type, {}).items():
        if at < len(node.inputs) and node.inputs[at] and not (node.op_type == "Slice" and opset < 10):
            yield node.inputs[at], rank, rank
    for at, rank in LEAST.get(node.op_type, {}).items():
        if at < len(node.inputs) and node.inputs[at]:
            yield node.inputs[at], rank, None
    special = BY_ATTRIBUTE.get(node.op_type)
    if special is not None:
        yield from special(node)
    if node.op_type in ALONG and not (node.op_type in ("Softmax", "LogSoftmax", "Hardmax") and opset < 13):
        axis = ALONG[node.op_type]
        given = node.attrs.get("axis")
        if given is not None:
            axis = given.value if isinstance(given.value, int) else None
        if axis is not None:
            for name in node.inputs if node.op_type == "Concat" else node.inputs[:1]:
                if name:
                    yield name, axis + 1 if axis >= 0 else -axis, None
    if node.op_type.startswith("Reduce") or node.op_type in ("Squeeze", "Slice"):
        yield from _listed_axes(node, values)


def _listed_axes(node: Node, values: Mapping[str, Fact]) -> Iterator[tuple[str, int, int | None]]:
    """The axes that a list names must be there."""
    at = 3 if node.op_type == "Slice" else 1
    given = node.attrs.get("axes")
    numbers: list[int] = []
    if given is not None and isinstance(given.value, tuple):
        numbers = [each for each in given.value if isinstance(each, int)]
    elif at < len(node.inputs) and node.inputs[at]:
        fact = values.get(node.inputs[at])
        content = None if fact is None else fact.content
        numbers = [each.const for each in content or () if each.const is not None]
    if numbers and node.inputs[0]:
        yield node.inputs[0], max(axis + 1 if axis >= 0 else -axis for axis in numbers), None


def _of_transpose(node: Node) -> Iterator[tuple[str, int, int | None]]:
    order = _ints(node.attrs.get("perm"))
    if order is not None and node.inputs[0]:
        yield node.inputs[0], len(order), len(order)


def _of_window(node: Node) -> Iterator[tuple[str, int, int | None]]:
    kernel = _ints(node.attrs.get("kernel_shape"))
    if kernel is not None:
        for name in node.inputs[:2] if node.op_type.startswith("Conv") else node.inputs[:1]:
            if name:
                yield name, len(kernel) + 2, len(kernel) + 2


def _of_einsum(node: Node) -> Iterator[tuple[str, int, int | None]]:
    given = node.attrs.get("equation")
    equation = given.value if given is not None and isinstance(given.value, str) else ""
    terms = equation.replace(" ", "").partition("->")[0].split(",") if equation else []
    if len(terms) != len(node.inputs) or not all(term.isalpha() and term.isascii() for term in terms if term):
        return
    for name, term in zip(node.inputs, terms, strict=True):
        yield name, len(term), len(term)


BY_ATTRIBUTE: Mapping[str, Callable[[Node], Iterator[tuple[str, int, int | None]]]] = {
    "Transpose": _of_transpose, "Conv": _of_window, "ConvTranspose": _of_window, "MaxPool": _of_window,
    "AveragePool": _of_window, "LpPool": _of_window, "Einsum": _of_einsum,
}  # fmt: skip


def _ints(attr: Attr | None) -> tuple[int, ...] | None:
    if attr is None or not isinstance(attr.value, tuple):
        return None
    found = tuple(each for each in attr.value if isinstance(each, int))
    return found if len(found) == len(attr.value) else None


# ---------------------------------------------------------------- element types


def _dtypes(nodes: list[Node], values: Mapping[str, Fact], opset: int) -> dict[str, tuple[int, str]]:
    """The element types that operators leave no choice of, and which operators these are."""
    found: dict[str, tuple[int, str]] = {}

    def known(name: str) -> int | None:
        fact = values.get(name)
        return fact.dtype if fact is not None and fact.dtype is not None else found.get(name, (None, ""))[0]

    for _ in range(_PASSES):
        before = len(found)
        for node in nodes:
            schema = schemas.lookup("", node.op_type, opset)
            if schema is None:
                continue
            variables: dict[str, int] = {}
            places = [*zip(schema.inputs, node.inputs, strict=False), *zip(schema.outputs, node.outputs, strict=False)]
            places = [each for each in places if each[0].option != "variadic" and each[1]]
            for formal, name in places:
                dtype = known(name)
                if dtype is not None:
                    variables[formal.type] = dtype
            for formal, name in places:
                allowed = schema.allowed(formal.type)
                only = schemas.dtype_of(next(iter(allowed))) if len(allowed) == 1 else variables.get(formal.type)
                if only is not None and known(name) is None:
                    found[name] = (only, node.op_type)
        if len(found) == before:
            break
    return found
