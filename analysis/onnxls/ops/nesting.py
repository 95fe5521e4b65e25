"""What If, Loop, Scan and SequenceMap need of their operands and of the graphs that they run."""

from __future__ import annotations

from onnxls.dims import product
from onnxls.ops.context import OpContext, RunMode
from onnxls.rules import rule

SILENT: RunMode = "values"
"""How a graph runs for the sake of the values inside alone: one that never runs, or all turns of a loop in one."""

BODY_ARITY = rule(
    "body-arity",
    "OLS400",
    "error",
    """
    A nested graph has another number of inputs or outputs than its node gives and takes.

    The body of a `Loop` takes the iteration number, the condition and the N carried values, and gives the condition,
    the N carried values, and what is to be stacked. The body of a `Scan` takes the carried values and one slice of
    each scanned input; that of a `SequenceMap` one element of each input.

    ```onnx
    g (int64 n, bool c, float[N] x) => (float[N] y) {
      # error: [body-arity]
      y = Loop (n, c, x) <body = b (float[N] s) => (float[N] t) { t = Relu (s) }>
    }
    ```
    """,
)
NOT_SINGLE = rule(
    "control-operand-not-single",
    "OLS401",
    "error",
    """
    A condition or trip count does not hold exactly one element.

    `If` and `Loop` decide once, for everything; they take one bool (or one count), not a bool for each element.

    ```onnx
    g (float[2] x, float[2] z) => (float[2] y) {
      c = Greater (x, z)
      # error: [control-operand-not-single]
      y = If (c) <
        then_branch = yes () => (float[2] a) { a = Identity (x) },
        else_branch = no () => (float[2] b) { b = Identity (z) }
      >
    }
    ```

    `Where` chooses element by element; `ReduceMax` or `ReduceMin` over the bools (cast to an integer) says whether
    any or all hold.
    """,
)


def require_single(ctx: OpContext, index: int, what: str) -> None:
    """Requires that an input holds one element, whatever its rank."""
    shape = ctx.input(index).shape
    if shape is None or all(dim.const == 1 for dim in shape):
        return
    text = f"the {what} {{{index}}} holds {{lhs}} elements; it must hold one"
    ctx.require_equal(product(shape), 1, NOT_SINGLE, text)
