"""Operators that change the rank and keep the elements: Flatten, Squeeze, Unsqueeze; and Expand, which repeats them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as product_of

from onnxls.dims import ONE, Dim, never_zero, product
from onnxls.facts import Case, Fact, Shape
from onnxls.ops import op
from onnxls.ops.axes import AXIS_INVALID, distinct_axes
from onnxls.ops.broadcast import broadcast_shapes
from onnxls.ops.context import OpContext
from onnxls.ops.elements import array, constant_sizes, expanded, reshaped
from onnxls.relations import all_of, equal, unequal
from onnxls.rules import rule

MAX_OPEN_AXES = 2
"""Of more axes that may be 1 or not, the combinations are not followed."""

SQUEEZE_SIZE = rule(
    "squeeze-size-not-one",
    "OLS205",
    "error",
    """
    Squeeze is told to drop an axis whose size is not 1.

    In PyTorch that is a no-op; in ONNX the node refuses to run.

    ```onnx
    g (float[batch, time] x) => (float[batch] y) <int64[1] axes = {1}> {
      # warning: [squeeze-size-not-one] "axis 1 of `x` is `time`"
      y = Squeeze (x, axes)
    }
    ```

    Pick the entry that is meant (`Gather`), or leave the axis out of `axes`.
    """,
)
SQUEEZE_RANK = rule(
    "squeeze-rank-varies",
    "OLS206",
    "information",
    """
    Squeeze without axes: the rank of the result depends on sizes.

    Without `axes` every axis that happens to be 1 is dropped, so a batch of 1 loses its batch axis. Nothing
    downstream can rely on the rank.

    ```onnx
    g (float[batch, 1, 4] x) => (y) {
      # information: [squeeze-rank-varies] "`batch`"
      y = Squeeze (x)
    }
    ```

    Name the axes that shall go.
    """,
)
SQUEEZE_EMPTY_AXES = rule(
    "squeeze-empty-axes",
    "OLS207",
    "warning",
    """
    Squeeze with an empty list of axes, which runtimes read in two ways.

    onnxruntime takes it as "no axes given" and drops every axis of size 1; the ReferenceEvaluator drops none.

    ```onnx
    g (float[1, 4] x) => (y) <int64[0] axes = {}> {
      # warning: [squeeze-empty-axes]
      y = Squeeze (x, axes)
    }
    ```

    Leave the input out, name the axes, or use `Identity`.
    """,
)
EXPAND_TARGET = rule(
    "expand-target",
    "OLS208",
    "error",
    """
    The target of an Expand is no list of sizes.

    Its entries are sizes, 0 or greater; `1` keeps the axis of the input. The `-1` of PyTorch's `expand` is refused.

    ```onnx
    g (float[N, 1] x) => (float[N, 4] y) <int64[2] target = {-1, 4}> {
      # error: [expand-target] "target[0] = -1"
      y = Expand (x, target)
    }
    ```
    """,
)


@op("Flatten")
def flatten(ctx: OpContext) -> Fact:
    """ONNX Flatten-1, 9, 11, 13, …: to a matrix; a negative axis since 11."""
    data = ctx.input(0)
    if data.shape is None:
        return Fact(shape=ctx.fresh_shape(2))
    rank, axis = len(data.shape), ctx.int_attr("axis", 1)
    if not (-rank if ctx.version >= 11 else 0) <= axis <= rank:
        return ctx.reject(AXIS_INVALID, "axis {axis} is out of range for rank {rank} of {0}", axis=axis, rank=rank)
    at = axis + rank if axis < 0 else axis
    return _same_elements(data, (product(data.shape[:at]), product(data.shape[at:])))


@op("Squeeze")
def squeeze_attribute(ctx: OpContext) -> Fact:
    """ONNX Squeeze-1, 11: the axes are an attribute."""
    axes = ctx.ints_attr("axes")
    return _squeeze_all(ctx) if axes is None else _squeeze(ctx, axes)


@op("Squeeze", since=13)
def squeeze(ctx: OpContext) -> Fact:
    """ONNX Squeeze-13, 21, …: the axes are an optional input."""
    if not ctx.has(1):
        return _squeeze_all(ctx)
    axes, data = ctx.input(1), ctx.input(0)
    if axes.rank == 0:
        return ctx.reject(AXIS_INVALID, "the axes {1} are a scalar; they must be a list")
    if axes.constants is not None:
        return _squeeze(ctx, axes.constants)
    count = axes.shape[0].const if axes.shape else None
    if data.rank is None or not count:
        return Fact()
    if count > data.rank:
        return ctx.reject(
            AXIS_INVALID, "{count} axes cannot be dropped from rank {rank} of {0}", count=count, rank=data.rank
        )
    return Fact(shape=ctx.fresh_shape(data.rank - count))


def _squeeze(ctx: OpContext, named: Sequence[int]) -> Fact:
    """Drops named axes, which must be 1."""
    data = ctx.input(0)
    if not named:
        return _squeeze_none(ctx)
    if data.shape is None:
        return Fact()
    axes = distinct_axes(ctx, named, len(data.shape))
    if axes is None:
        return Fact()
    for axis in axes:
        text = "axis {axis} of {0} is {lhs}; Squeeze drops only axes of size 1"
        ctx.require_equal(data.shape[axis], ONE, SQUEEZE_SIZE, text, axis=axis)
    return _same_elements(data, tuple(dim for axis, dim in enumerate(data.shape) if axis not in axes))


def _squeeze_all(ctx: OpContext) -> Fact:
    """Drops every axis of size 1."""
    data = ctx.input(0)
    if data.shape is None:
        return Fact()
    dropped = [ctx.branch(equal(dim, 1)) for dim in data.shape]
    if None in dropped:
        cases = _squeezed_cases(data, dropped)
        axis = dropped.index(None)
        ctx.remark(
            SQUEEZE_RANK,
            "axis {axis} of {0} is {dim}, and is dropped where that is 1: the rank of the result depends on it",
            axis=axis,
            dim=data.shape[axis],
        )
        return Fact(cases=cases)
    return _same_elements(data, tuple(dim for dim, drop in zip(data.shape, dropped, strict=True) if not drop))


def _squeezed_cases(data: Fact, dropped: Sequence[bool | None]) -> tuple[Case, ...]:
    """What is left for each choice of the undecided axes to be 1 or not."""
    shape = data.shape or ()
    open_axes = [axis for axis, drop in enumerate(dropped) if drop is None]
    if len(open_axes) > MAX_OPEN_AXES:
        return ()
    cases: list[Case] = []
    for choice in product_of((True, False), repeat=len(open_axes)):
        goes = dict(zip(open_axes, choice, strict=True))
        parts = [equal(shape[axis], 1) if drop else unequal(shape[axis], 1) for axis, drop in goes.items()]
        left = tuple(dim for axis, dim in enumerate(shape) if not goes.get(axis, dropped[axis]))
        cases.append(Case(all_of(*parts), _same_elements(data, left)))
    return tuple(cases)


def _squeeze_none(ctx: OpContext) -> Fact:
    """An empty list of axes: all axes of size 1 are dropped, or none, so it must be known that there is none."""
    data = ctx.input(0)
    if data.shape is None:
        return Fact()
    if all(ctx.ask(equal(dim, 1)) is False for dim in data.shape):
        return data
    ctx.remark(SQUEEZE_EMPTY_AXES, "the list of axes is empty, which means all axes of size 1 to some runtimes")
    return Fact()


@op("Unsqueeze")
def unsqueeze_attribute(ctx: OpContext) -> Fact:
    """ONNX Unsqueeze-1, 11: the axes are an attribute."""
    axes = ctx.ints_attr("axes")
    return Fact() if axes is None else _unsqueeze(ctx, axes)


@op("Unsqueeze", since=13)
def unsqueeze(ctx: OpContext) -> Fact:
    """ONNX Unsqueeze-13, 21, …: the axes are an input."""
    axes, data = ctx.input(1), ctx.input(0)
    if axes.rank is not None and axes.rank > 1:
        return ctx.reject(AXIS_INVALID, "the axes {1} have rank {rank}; they must be a list", rank=axes.rank)
    if axes.constants is not None:
        return _unsqueeze(ctx, axes.constants)
    count = 1 if axes.rank == 0 else axes.shape[0].const if axes.shape else None
    if data.rank is None or count is None:
        return Fact()
    return Fact(shape=ctx.fresh_shape(data.rank + count))


def _unsqueeze(ctx: OpContext, named: Sequence[int]) -> Fact:
    """Inserts axes of 1, counted in the output."""
    data = ctx.input(0)
    if data.shape is None:
        return Fact()
    axes = distinct_axes(ctx, named, len(data.shape) + len(named), "axis of the output")
    if axes is None:
        return Fact()
    kept = iter(data.shape)
    shape = tuple(ONE if axis in axes else next(kept) for axis in range(len(data.shape) + len(named)))
    return _same_elements(data, shape)


def _same_elements(data: Fact, shape: Shape) -> Fact:
    """The fact of the elements of a tensor under another shape."""
    source, sizes = array(data), constant_sizes(shape)
    moved = None if source is None or sizes is None else reshaped(source, sizes)
    return Fact(shape=shape, elements=None if moved is None else moved.elements, reach=data.reach)


@op("Expand", since=8)
def expand(ctx: OpContext) -> Fact:
    """ONNX Expand-8, 13: broadcasts to a target in both directions."""
    data, target = ctx.input(0), ctx.input(1)
    if target.rank is not None and target.rank != 1:
        return ctx.reject(EXPAND_TARGET, "the target {1} has rank {rank}; it must be a list", rank=target.rank)
    if target.integers is None:
        return Fact(shape=_expanded_blindly(ctx, data.shape, target.shape[0].const if target.shape else None))
    for axis, entry in enumerate(target.integers):
        text = "target[{axis}] = {rhs} may not be below 0 in an Expand"
        ctx.require_at_most(0, entry, EXPAND_TARGET, text, axis=axis)
        if entry.const is not None and entry.const < 0:
            return Fact()
    if data.shape is None:
        return Fact()
    shape = broadcast_shapes(ctx, [("{0}", data.shape), ("the target {1}", target.integers)])
    source, sizes = array(data), constant_sizes(shape)
    moved = None if source is None or sizes is None else expanded(source, sizes)
    return Fact(shape=shape, elements=None if moved is None else moved.elements, reach=data.reach)


def _expanded_blindly(ctx: OpContext, data: Shape | None, length: int | None) -> Shape | None:
    """The shape for a target of known length alone: axes that cannot be 1 stay, the others may become anything."""
    if data is None or length is None:
        return None
    extra = ctx.fresh_shape(max(length - len(data), 0))
    if extra is None:
        return None

    def size(axis: int, dim: Dim) -> Dim:
        return dim if axis < len(data) - length or never_zero(dim - 1) else ctx.fresh()

    return (*extra, *(size(axis, dim) for axis, dim in enumerate(data)))
