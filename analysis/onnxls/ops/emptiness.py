"""Axes that must hold something, fed by counts that depend on values."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.ops.context import OpContext
from onnxls.relations import at_most
from onnxls.rules import Rule, rule

MAYBE_EMPTY = rule(
    "may-be-empty",
    "OLS103",
    "warning",
    """
    An operator needs entries on an axis whose size is a count of data, which may be 0.

    `NonZero`, `Compress` and `NonMaxSuppression` keep what the data select; when nothing is selected the axis is
    empty, and `TopK` or `ArgMax` refuse to run.

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


def require_entries(ctx: OpContext, least: Dim, size: Dim, rule: Rule, text: str, /, **args: object) -> None:
    """Requires least <= size. Where the size is a count of data this is a warning of its own. `lhs` and `rhs` in the
    text are the two."""
    low = (size - least).range[0]
    if low is not None and low >= 0:
        return
    if any(symbol.origin == "data" for symbol in size.atoms()) and ctx.ask(at_most(least, size)) is None:
        ctx.remark(MAYBE_EMPTY, text + ", and this count depends on the data", **({"lhs": least, "rhs": size} | args))
    ctx.require_at_most(least, size, rule, text, **args)
