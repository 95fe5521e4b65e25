"""Steps of training: optimizers, and Gradient."""

from __future__ import annotations

from onnxls.dims import product
from onnxls.facts import Fact
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.rules import rule

PREVIEW = "ai.onnx.preview.training"

GROUPS = rule(
    "optimizer-groups",
    "OLS460",
    "error",
    """
    The tensors of an optimizer do not come in equal groups.

    After the learning rate and the update count, an optimizer takes all tensors that it updates, then their
    gradients, then their momenta (`Adagrad`, `Momentum`: one group, `Adam`: two), in the same order; each has the
    shape of its tensor.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.preview.training" : 1]>
    g (float r, int64 t, float[N, 3] w, float[N, 4] dw, float[N, 3] v) => (float[N, 3] w1, float[N, 3] v1) {
      # error: [optimizer-groups]
      w1, v1 = ai.onnx.preview.training.Adagrad (r, t, w, dw, v)
    }
    ```
    """,
)
NOT_SCALAR = rule(
    "optimizer-operand-not-single",
    "OLS461",
    "error",
    """
    The learning rate or the update count of an optimizer is no scalar.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.preview.training" : 1]>
    g (float[2] r, int64 t, float[N] w, float[N] dw, float[N] v) => (float[N] w1, float[N] v1) {
      # error: [optimizer-operand-not-single]
      w1, v1 = ai.onnx.preview.training.Adagrad (r, t, w, dw, v)
    }
    ```
    """,
)


@op("Adagrad", "Momentum", domain=PREVIEW)
def one_state(ctx: OpContext) -> Fact | tuple[Fact, ...]:
    """ONNX Adagrad-1, Momentum-1: new tensors, then their new squared gradients or momenta."""
    return _updated(ctx, 3)


@op("Adam", domain=PREVIEW)
def adam(ctx: OpContext) -> Fact | tuple[Fact, ...]:
    """ONNX Adam-1: new tensors, then their new averaged and averaged squared gradients."""
    return _updated(ctx, 4)


def _updated(ctx: OpContext, groups: int) -> Fact | tuple[Fact, ...]:
    """The new values of all groups but the second, that of the gradients."""
    for index in (0, 1):
        shape = ctx.input(index).shape
        if shape:
            text = f"{{{index}}} holds {{lhs}} elements; it must be a scalar"
            ctx.require_equal(product(shape), 1, NOT_SCALAR, text)
    tensors, rest = divmod(len(ctx.inputs) - 2, groups)
    if rest:
        text = "there are {count} tensors after the first two inputs; they must come in {groups} equal groups"
        return ctx.reject(GROUPS, text, count=len(ctx.inputs) - 2, groups=groups)
    made: list[Fact] = []
    for group in range(groups):
        for position in range(tensors):
            _require_same(ctx, 2 + position, 2 + group * tensors + position)
            if group != 1:
                fact = ctx.input(2 + position)
                made.append(Fact(fact.dtype, fact.shape))
    return tuple(made)


def _require_same(ctx: OpContext, first: int, other: int) -> None:
    """Requires that a tensor of a later group has the shape of the one that is updated."""
    want, got = ctx.input(first).shape, ctx.input(other).shape
    if want is None or got is None:
        return
    if len(want) != len(got):
        text = f"{{{other}}} has rank {len(got)}, but {{{first}}}, which it belongs to, rank {len(want)}"
        ctx.reject(GROUPS, text)
        return
    for axis, (a, b) in enumerate(zip(want, got, strict=True)):
        text = f"axis {axis} of {{{other}}} is {{rhs}}, but {{lhs}} of {{{first}}}, which it belongs to"
        ctx.require_equal(a, b, GROUPS, text)


@op("Gradient", domain=PREVIEW)
def gradient(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX Gradient-1: for each differentiated tensor, the first inputs, a derivative of its shape."""
    count = len(ctx.strs_attr("xs") or ())
    return tuple(Fact(fact.dtype, fact.shape) for fact in (ctx.input(index) for index in range(count)))
