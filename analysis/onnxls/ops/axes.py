"""Axes that are named by numbers, which must be in range and distinct; and numbers that index an axis."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import ZERO, Dim, never_zero
from onnxls.facts import Fact
from onnxls.ops.context import OpContext
from onnxls.relations import Condition, all_of, any_of, at_most, equal, less
from onnxls.rules import rule

AXIS_INVALID = rule(
    "axis-invalid",
    "OLS204",
    "error",
    """
    An axis is out of range or named twice, or a `perm` is no permutation.

    Axes count from 0, or from the end where they are negative (for many operators since version 11; the entries of a
    `perm` never). `Unsqueeze` and `OneHot` count in the *output*, which has more axes; `Flatten` also takes the rank
    itself.

    ```onnx
    g (float[N, 3] a, float[N, 3] b) => (float[N, 6] y) {
      # error: [axis-invalid] "axis 2 is out of range for rank 2"
      y = Concat <axis = 2> (a, b)
    }
    ```
    """,
)
INDEX_OUT_OF_RANGE = rule(
    "index-out-of-range",
    "OLS254",
    "error",
    """
    An index lies outside the axis that it picks from.

    On an axis of size d the indices are 0 to d - 1, and -d to -1 from the end. Nothing is clamped, unlike in `Slice`.

    ```onnx
    g (float[N, 4] x) => (int64 n) <int64 two = {2}> {
      shape = Shape (x)
      # error: [index-out-of-range] "axis 0 of `shape` is 2"
      n = Gather (shape, two)
    }
    ```

    Where the axis is that of a shape, the rank is not what was expected.
    """,
)


def one_axis(ctx: OpContext, value: int, rank: int, what: str = "axis") -> int | None:
    """An axis, normalised; None (and a rejection) where it is out of range."""
    return ctx.axis(value, rank, AXIS_INVALID, what)


def distinct_axes(ctx: OpContext, values: Sequence[int], rank: int, what: str = "axis") -> tuple[int, ...] | None:
    """Axes, normalised; None (and a rejection) where one is out of range or named twice."""
    return ctx.axes(values, rank, AXIS_INVALID, what)


def require_indices(ctx: OpContext, indices: Sequence[Dim], dim: Dim, axis: int) -> None:
    """Requires that the indices lie in an axis of input 0 whose size is `dim`. Indices that are not known pass."""
    text = "the index {index} is out of range: axis {axis} of {0} is {dim}"
    args: dict[str, object] = {"axis": axis, "dim": dim}
    constants = [index.const for index in indices if index.const is not None]
    if constants:
        farthest = max(constants, key=_needs)
        ctx.require_at_most(_needs(farthest), dim, INDEX_OUT_OF_RANGE, text, index=farthest, **args)
    for index in dict.fromkeys(indices):
        if index.const is None and index.is_known:
            low = index.range[0]
            condition = less(index, dim)
            if low is None or low < 0:
                condition = all_of(condition, at_most(-dim, index))
            ctx.require(condition, INDEX_OUT_OF_RANGE, text, index=index, **args)


def require_reach(ctx: OpContext, index: Fact, dim: Dim, axis: int) -> None:
    """Requires that the least and the greatest of many indices lie in an axis of input 0, unless there are none."""
    if index.reach is None or index.shape is None:
        return
    least, greatest = index.reach
    text = "the index {index} is out of range: axis {axis} of {0} is {dim}"
    for end, inside in ((least, at_most(-dim, least)), (greatest, at_most(greatest + 1, dim))):
        none = [each for each in index.shape if not never_zero(each) and not _holds_without(ctx, inside, each)]
        condition = any_of(inside, *(equal(each, 0) for each in dict.fromkeys(none)))
        ctx.require(condition, INDEX_OUT_OF_RANGE, text, index=end, axis=axis, dim=dim)


def _holds_without(ctx: OpContext, condition: Condition, dim: Dim) -> bool:
    """Whether the condition holds where this size is 0, so that it need not be said."""
    symbol = dim.as_symbol
    if symbol is None:
        return False
    return ctx.ask(condition.map_dims(lambda each: each.replace({symbol.name: ZERO}))) is True


def _needs(index: int) -> int:
    """The least size of an axis that has this index."""
    return index + 1 if index >= 0 else -index
