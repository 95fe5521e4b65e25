"""Losses over classes: NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss."""

from __future__ import annotations

from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.relations import equal
from onnxls.rules import rule

TARGET_MISMATCH = rule(
    "loss-target-mismatch",
    "OLS170",
    "error",
    """
    The targets of a loss do not suit its scores.

    Scores have the shape [N, C, d1, ...] with the classes on axis 1; targets are class numbers of shape [N, d1, ...],
    without the axis of classes (and not in one-hot form).

    ```onnx
    g (float[N, 10] scores, int64[N, 10] labels) => (float loss) {
      # error: [loss-target-mismatch]
      loss = SoftmaxCrossEntropyLoss (scores, labels)
    }
    ```
    """,
)
WEIGHT_RANK = rule(
    "loss-weight-rank",
    "OLS171",
    "error",
    """
    The weights of a loss are no vector.

    ```onnx
    g (float[N, 10] scores, int64[N] labels, float[10, 1] weights) => (float loss) {
      # error: [loss-weight-rank]
      loss = SoftmaxCrossEntropyLoss (scores, labels, weights)
    }
    ```

    The optional weights of a loss are one for each class, in a vector.
    """,
)
WEIGHT_COUNT = rule(
    "loss-weight-count",
    "OLS172",
    "warning",
    """
    A loss has not one weight for each class.

    The weights are looked up by class number. With too few of them the node fails as soon as a target names a class
    that has none, and runs until then; with too many, some are never used.

    ```onnx
    g (float[N, 10] scores, int64[N] labels, float[9] weights) => (float loss) {
      # warning: [loss-weight-count]
      loss = SoftmaxCrossEntropyLoss (scores, labels, weights)
    }
    ```
    """,
)


@op("NegativeLogLikelihoodLoss")
def negative_log_likelihood_loss(ctx: OpContext) -> Fact:
    """ONNX NegativeLogLikelihoodLoss-12 to 22: one loss for each target, or their sum or mean."""
    return _loss(ctx)


@op("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy_loss(ctx: OpContext) -> tuple[Fact, Fact]:
    """ONNX SoftmaxCrossEntropyLoss-12, 13: the loss, and the logarithms of the softmax of the scores."""
    return _loss(ctx), Fact(shape=ctx.input(0).shape)


def _loss(ctx: OpContext) -> Fact:
    scores, targets, weights = (ctx.input(index).shape for index in range(3))
    if scores is not None and len(scores) < 2:
        return ctx.reject(TARGET_MISMATCH, "{0} has rank {rank}; its classes must lie on axis 1", rank=len(scores))
    if scores is not None:
        if targets is not None:
            _require_targets(ctx, scores, targets)
        if weights is not None:
            _check_weights(ctx, scores, weights)
        _require_classes(ctx, scores, weights)
    if ctx.str_attr("reduction", "mean") != "none":
        return Fact(ctx.input(0).dtype, ())
    if targets is None and scores is not None:
        targets = (scores[0], *scores[2:])
    return Fact(ctx.input(0).dtype, targets)


def _require_targets(ctx: OpContext, scores: Shape, targets: Shape) -> None:
    if len(targets) != len(scores) - 1:
        text = "{1} has rank {have}; {0} has rank {rank} with its classes on axis 1, so the targets have rank {want}"
        ctx.reject(TARGET_MISMATCH, text, have=len(targets), rank=len(scores), want=len(scores) - 1)
        return
    for axis, (have, want) in enumerate(zip(targets, (scores[0], *scores[2:]), strict=True)):
        text = "axis {axis} of {1} is {lhs}, but axis {other} of {0} is {rhs}: there is one target for each"
        ctx.require_equal(have, want, TARGET_MISMATCH, text, axis=axis, other=axis and axis + 1)


def _check_weights(ctx: OpContext, scores: Shape, weights: Shape) -> None:
    if len(weights) != 1:
        ctx.reject(WEIGHT_RANK, "{2} has rank {rank}; the weights are a vector", rank=len(weights))
    elif ctx.ask(equal(weights[0], scores[1])) is False:
        text = "{2} has {lhs} weights, but {0} has {rhs} classes (axis 1)"
        ctx.remark(WEIGHT_COUNT, text, lhs=weights[0], rhs=scores[1])


def _require_classes(ctx: OpContext, scores: Shape, weights: Shape | None) -> None:
    """Requires a score (and a weight) for the greatest class among known targets."""
    ignored = ctx.optional_int("ignore_index")
    classes = [each for each in ctx.input(1).constants or () if each != ignored]
    if not classes or max(classes) < 0:
        return
    text = "{1} names the class {named}, but {0} has {rhs} classes (axis 1)"
    ctx.require_at_most(max(classes) + 1, scores[1], TARGET_MISMATCH, text, named=max(classes))
    if weights is not None and len(weights) == 1:
        text = "{1} names the class {named}, but {2} has {rhs} weights"
        ctx.require_at_most(max(classes) + 1, weights[0], TARGET_MISMATCH, text, named=max(classes))
