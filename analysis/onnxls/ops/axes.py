"""Which axes an operator works on: named by numbers that must be in range and distinct."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.ops.context import OpContext
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


def one_axis(ctx: OpContext, value: int, rank: int, what: str = "axis") -> int | None:
    """An axis, normalised; None (and a rejection) where it is out of range."""
    return ctx.axis(value, rank, AXIS_INVALID, what)


def distinct_axes(ctx: OpContext, values: Sequence[int], rank: int, what: str = "axis") -> tuple[int, ...] | None:
    """Axes, normalised; None (and a rejection) where one is out of range or named twice."""
    return ctx.axes(values, rank, AXIS_INVALID, what)
