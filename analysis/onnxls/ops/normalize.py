"""Normalisation with parameters: by batch, instance, group, layer, and by root mean square."""

from __future__ import annotations

from collections.abc import Iterable

from onnxls.dims import ONE, Dim
from onnxls.facts import FLOAT, Fact, Shape
from onnxls.ops import op
from onnxls.ops.broadcast import unidirectional
from onnxls.ops.context import OpContext
from onnxls.rules import rule

PARAMETER_MISMATCH = rule(
    "normalization-parameter-mismatch",
    "OLS160",
    "error",
    """
    A scale, bias, mean or variance does not suit what is normalised.

    `BatchNormalization`, `InstanceNormalization` and `GroupNormalization` take one entry for each channel (axis 1);
    before opset 21 `GroupNormalization` takes one for each group. The parameters of `LayerNormalization` and
    `RMSNormalization` broadcast to the input: aligned with its last axes, each axis equal or 1.

    ```onnx
    g (float[N, 8, H, W] x, float[16] s, float[8] b, float[8] m, float[8] v) => (float[N, 8, H, W] y) {
      # error: [normalization-parameter-mismatch]
      y = BatchNormalization (x, s, b, m, v)
    }
    ```
    """,
)
WRONG_RANK = rule(
    "normalization-rank",
    "OLS161",
    "error",
    """
    An input of a normalisation has a rank that it does not take.

    `InstanceNormalization` normalises over the axes behind the channels (axis 1), `GroupNormalization` over groups
    of channels; the parameters of both, and of `BatchNormalization`, are vectors.

    ```onnx
    g (float[N, 8] x, float[8] s, float[8] b) => (float[N, 8] y) {
      # error: [normalization-rank]
      y = InstanceNormalization (x, s, b)
    }
    ```
    """,
)
AXIS_OUT_OF_RANGE = rule(
    "normalization-axis-out-of-range",
    "OLS162",
    "error",
    """
    The first axis to normalise over does not exist.

    `LayerNormalization` and `RMSNormalization` normalise over all axes from `axis` on; it counts from 0, or from the
    end with negative numbers.

    ```onnx
    g (float[N, 8] x, float[8] s) => (float[N, 8] y) {
      # error: [normalization-axis-out-of-range]
      y = LayerNormalization <axis = 2> (x, s)
    }
    ```
    """,
)
GROUPS = rule(
    "group-normalization-channels",
    "OLS163",
    "error",
    """
    The channels do not divide into the groups of GroupNormalization.

    Each group has the same number of channels, so `num_groups` must divide the size of axis 1.

    ```onnx
    <ir_version: 10, opset_import: ["" : 21]>
    g (float[N, 8, 5] x, float[8] s, float[8] b) => (float[N, 8, 5] y) {
      # error: [group-normalization-channels]
      y = GroupNormalization <num_groups = 3> (x, s, b)
    }
    ```
    """,
)

_BATCH_PARAMETERS = ((1, "the scale"), (2, "the bias"), (3, "the mean"), (4, "the variance"))


@op("BatchNormalization")
def batch_normalization(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX BatchNormalization-1 to 15: statistics of each channel. Before 9, `spatial = 0` means of each element."""
    fact = ctx.input(0)
    shape = fact.shape
    statistics = ctx.input(3).shape if ctx.input(3).shape is not None else ctx.input(1).shape
    if shape is not None:
        own: Shape = shape[1:2] or (ONE,)
        if ctx.version < 9 and not ctx.int_attr("spatial", 1):
            own = shape[1:]
        _require_shape(ctx, own, _BATCH_PARAMETERS)
        statistics = own
    others = Fact(ctx.input(3).dtype, statistics)
    return (Fact(fact.dtype, shape), *(others,) * (2 if ctx.version >= 14 else 4))


def _require_shape(ctx: OpContext, want: Shape, parameters: Iterable[tuple[int, str]]) -> None:
    """Requires that each of the parameters has this shape."""
    for index, what in parameters:
        own = ctx.input(index).shape
        if own is None:
            continue
        if len(own) != len(want):
            text = f"{what} {{{index}}} has rank {len(own)}; it must have rank {len(want)}"
            ctx.reject(WRONG_RANK, text)
            continue
        for have, dim in zip(own, want, strict=True):
            text = f"{what} {{{index}}} has {{lhs}} entries, but {{0}} has {{rhs}} channels (axis 1)"
            if len(want) > 1:
                text = f"{what} {{{index}}} has the size {{lhs}} where {{0}} has {{rhs}}"
            ctx.require_equal(have, dim, PARAMETER_MISMATCH, text)


@op("InstanceNormalization")
def instance_normalization(ctx: OpContext) -> Fact:
    """ONNX InstanceNormalization-1 to 22: statistics of each channel of each instance."""
    shape = ctx.input(0).shape
    if shape is not None and len(shape) < 3:
        text = "{0} has rank {rank}; InstanceNormalization needs an axis behind the batch and the channels"
        return ctx.reject(WRONG_RANK, text, rank=len(shape))
    if shape is not None:
        _require_shape(ctx, shape[1:2], _BATCH_PARAMETERS[:2])
    return Fact(shape=shape)


@op("GroupNormalization")
def group_normalization(ctx: OpContext) -> Fact:
    """ONNX GroupNormalization-18 and 21: statistics of groups of channels. Scale and bias are by group in 18."""
    shape, groups = ctx.input(0).shape, ctx.int_attr("num_groups", 1)
    if shape is None:
        return Fact()
    if len(shape) < 2:
        return ctx.reject(WRONG_RANK, "{0} has rank {rank}; its channels must lie on axis 1", rank=len(shape))
    if groups < 1:
        return ctx.reject(GROUPS, "num_groups is {groups}; it must be positive", groups=groups)
    text = "{0} has {dividend} channels (axis 1); they do not divide into {divisor} groups"
    ctx.require_divides(groups, shape[1], GROUPS, text)
    _require_by_group(ctx, shape[1] if ctx.version >= 21 else Dim.of(groups))
    return Fact(shape=shape)


def _require_by_group(ctx: OpContext, size: Dim) -> None:
    """Scale and bias are vectors of this size. Runtimes repeat a single entry."""
    what = "channels" if ctx.version >= 21 else "groups"
    for index, name in _BATCH_PARAMETERS[:2]:
        own = ctx.input(index).shape
        if own is not None and len(own) != 1:
            ctx.reject(WRONG_RANK, f"{name} {{{index}}} has rank {len(own)}; it must be a vector")
        elif own is not None:
            text = f"{name} {{{index}}} has {{lhs}} entries, but there are {{size}} {what}"
            ctx.require_one_of(own[0], (size, 1), PARAMETER_MISMATCH, text, size=size)


@op("LayerNormalization")
def layer_normalization(ctx: OpContext) -> tuple[Fact, Fact, Fact]:
    """ONNX LayerNormalization-17: over all axes from `axis` on. Mean and deviation keep these as axes of 1."""
    fact = ctx.input(0)
    axis = _first_axis(ctx)
    stash = ctx.int_attr("stash_type", FLOAT)
    if fact.shape is None or axis is None:
        return Fact(fact.dtype, fact.shape), Fact(stash), Fact(stash)
    for index in (1, 2):
        unidirectional(ctx, fact.shape, index, PARAMETER_MISMATCH, "{0}")
    statistics = Fact(stash, (*fact.shape[:axis], *(ONE,) * (len(fact.shape) - axis)))
    return Fact(fact.dtype, fact.shape), statistics, statistics


@op("RMSNormalization")
def rms_normalization(ctx: OpContext) -> Fact:
    """ONNX RMSNormalization-23: over all axes from `axis` on."""
    shape = ctx.input(0).shape
    if shape is not None and _first_axis(ctx) is not None:
        unidirectional(ctx, shape, 1, PARAMETER_MISMATCH, "{0}")
    return Fact(ctx.input(1).dtype, shape)


def _first_axis(ctx: OpContext) -> int | None:
    rank = ctx.input(0).rank
    return None if rank is None else ctx.axis(ctx.int_attr("axis", -1), rank, AXIS_OUT_OF_RANGE)
