"""Element-wise operators: same shape as the input, or the broadcast of the inputs."""

from __future__ import annotations

from onnxls.facts import Fact
from onnxls.ops import op
from onnxls.ops.broadcast import broadcast_inputs
from onnxls.ops.context import OpContext


@op("Relu", "Softmax", "Sqrt", "Neg", "Sigmoid", "Tanh")
def same_shape(ctx: OpContext) -> Fact:
    """The shape of the input."""
    return Fact(shape=ctx.input(0).shape)


@op("Identity")
def identity(ctx: OpContext) -> Fact:
    """The value itself, of whatever type."""
    return ctx.input(0)


@op("Add", "Sub", "Mul", "Div")
def broadcasting(ctx: OpContext) -> Fact:
    """The broadcast of both inputs."""
    return Fact(shape=broadcast_inputs(ctx, (0, 1)))
