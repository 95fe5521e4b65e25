"""Parameters that are inputs: what operators of several families require of them."""

from __future__ import annotations

from onnxls.ops.context import OpContext
from onnxls.rules import rule

NOT_ONE_ELEMENT = rule(
    "parameter-not-one-element",
    "OLS132",
    "error",
    """
    A parameter that is a single number has more (or fewer) elements than one.

    The bounds of `Clip`, the ratio of `Dropout`, the axis of `CumSum`, the diagonal of `Trilu` are scalars. A vector
    of bounds, one for each channel, is not accepted.

    ```onnx
    g (float[N, 3] x, float[3] low) => (float[N, 3] y) {
      # error: [parameter-not-one-element]
      y = Clip (x, low)
    }
    ```

    For bounds along an axis use `Max` and `Min`, which broadcast.
    """,
)


def require_one_element(ctx: OpContext, index: int, what: str) -> None:
    """Requires that a parameter holds one number: a scalar, or (as runtimes take it) a tensor of one element."""
    for axis, dim in enumerate(ctx.input(index).shape or ()):
        text = "{what} {{{index}}} must hold one element, but its axis {axis} is {{lhs}}"
        text = text.format(what=what, index=index, axis=axis)
        ctx.require_equal(dim, 1, NOT_ONE_ELEMENT, text)
