"""Axes that must hold something, or one thing, fed by counts that depend on values."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.ops.context import OpContext
from onnxls.relations import at_most, equal
from onnxls.rules import Rule, rule

MAYBE_EMPTY = rule(
    "may-be-empty",
    "OLS103",
    "warning",
    """
    An operator needs entries on an axis whose size is a count of data, which may be 0.

    `NonZero`, `Compress` and `NonMaxSuppression` keep what the data select; when nothing is selected the axis is
    empty, and `TopK`, `ArgMax` or a `Gather` of its first entry refuse to run.

    ```onnx
    g (float[N] scores, bool[N] keep) => (float[1] v, int64[1] i) <int64[1] k = {1}> {
      kept = Compress (scores, keep)
      # warning: [may-be-empty]
      v, i = TopK <axis = 0> (kept, k)
    }
    ```

    Handle the empty case before, or pad the axis (`Min` of k and the count for `TopK`).
    """,
)


NOT_ONE = rule(
    "may-not-be-one",
    "OLS104",
    "warning",
    """
    Squeeze drops an axis whose size is a count of data, which need not be 1.

    `NonZero`, `Compress` and `NonMaxSuppression` keep what the data select. Where that is none, or more than one,
    Squeeze refuses to run.

    ```onnx
    g (float[N, 4] rows, bool[N] keep) => (float[4] y) <int64[1] axes = {0}> {
      kept = Compress <axis = 0> (rows, keep)
      # warning: [may-not-be-one]
      y = Squeeze (kept, axes)
    }
    ```

    Choose one entry first (`ArgMax` and `Gather`, or `TopK` with k = 1).
    """,
)


def may_lack(ctx: OpContext, least: Dim, size: Dim) -> bool:
    """Whether a size is a count of data that may be less than `least`."""
    return _is_count(size) and ctx.ask(at_most(least, size)) is None


def may_not_be_one(ctx: OpContext, size: Dim) -> bool:
    """Whether a size is a count of data that may be more or less than 1."""
    return _is_count(size) and ctx.ask(equal(size, 1)) is None


def _is_count(size: Dim) -> bool:
    return any(symbol.origin == "data" for symbol in size.atoms())


def require_entries(ctx: OpContext, least: Dim, size: Dim, rule: Rule, text: str, /, **args: object) -> None:
    """Requires least <= size. Where the size is a count of data this is a warning of its own. `lhs` and `rhs` in the
    text are the two."""
    low = (size - least).range[0]
    if low is not None and low >= 0:
        return
    if may_lack(ctx, least, size):
        ctx.remark(MAYBE_EMPTY, text + ", and this count depends on the data", **({"lhs": least, "rhs": size} | args))
    ctx.require_at_most(least, size, rule, text, **args)
