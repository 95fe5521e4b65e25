"""The one multidirectional broadcast, per axis and for shapes."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import ONE, Dim, broadcast, never_zero
from onnxls.facts import Shape
from onnxls.ops.context import OpContext
from onnxls.relations import Condition, any_of, equal
from onnxls.rules import Rule, rule

BROADCAST = rule(
    "broadcast-mismatch",
    "OLS101",
    "error",
    """
    Two operands have sizes on one axis that neither agree nor are 1.

    ONNX aligns shapes from the right; on each axis the sizes must be equal, or one of them 1. A size that is 1
    only by chance is repeated along the axis, which runs without a word and computes something else.

    ```onnx
    g (float[N, 4] x, float[3] b) => (float[N, 4] y) {
      # error: [broadcast-mismatch]
      y = Add (x, b)
    }
    ```

    Give both operands the size that is meant, or one of them an explicit axis of 1 (`Unsqueeze`).
    """,
)


def broadcast_inputs(ctx: OpContext, indices: Sequence[int], rule: Rule = BROADCAST) -> Shape | None:
    """The shape that these inputs broadcast to; None where one has no known rank."""
    operands: list[tuple[str, Shape]] = []
    for index in indices:
        shape = ctx.input(index).shape
        if shape is None:
            return None
        operands.append((f"{{{index}}}", shape))
    return broadcast_shapes(ctx, operands, rule)


def broadcast_shapes(ctx: OpContext, operands: Sequence[tuple[str, Shape]], rule: Rule = BROADCAST) -> Shape:
    """The shape that named shapes broadcast to. A name may be a placeholder such as `{0}`, the name of input 0."""
    if not operands:
        return ()
    rank = max(len(shape) for _, shape in operands)
    name, result = operands[0]
    result = (ONE,) * (rank - len(result)) + result
    for other, shape in operands[1:]:
        if shape == result:
            continue
        pad = rank - len(shape)
        dims: list[Dim] = []
        for axis, dim in enumerate(result):
            if axis < pad:
                dims.append(dim)
                continue
            dims.append(broadcast_dims(ctx, dim, shape[axis - pad], rule, name, other, axis - rank))
        result = tuple(dims)
        name = f"{name} with {other}" if name.startswith("{") and " " not in name else "the operands so far"
    return result


def broadcast_dims(ctx: OpContext, lhs: Dim, rhs: Dim, rule: Rule, left: str, right: str, axis: int) -> Dim:
    """The size that two sizes broadcast to, with what that needs."""
    if lhs is rhs or lhs == rhs or rhs.const == 1:
        return lhs
    if lhs.const == 1:
        return rhs
    ways: list[tuple[Condition, Dim]] = [(equal(lhs, rhs), lhs)]
    if not never_zero(lhs - 1):
        ways.append((equal(lhs, 1), rhs))
    if not never_zero(rhs - 1):
        ways.append((equal(rhs, 1), lhs))
    taken = ctx.choose(*(condition for condition, _ in ways))
    if taken is not None:
        return ways[taken][1]
    text = f"axis {axis} of {left} is {{lhs}}, of {right} {{rhs}}: they must be equal or one of them 1"
    ctx.require(any_of(*(condition for condition, _ in ways)), rule, text, lhs=lhs, rhs=rhs)
    return broadcast(lhs, rhs)


def unidirectional(ctx: OpContext, shape: Shape, index: int, rule: Rule, target: str) -> None:
    """Requires that input `index` broadcasts to `shape`: its rank is no greater, each size equal or 1."""
    other = ctx.input(index).shape
    if other is None:
        return
    if len(other) > len(shape):
        text = f"{{{index}}} has rank {len(other)}, more than the rank {len(shape)} of {target}"
        ctx.reject(rule, text)
        return
    for axis in range(-len(other), 0):
        have, want = other[axis], shape[axis]
        if have != want and have.const != 1:
            text = f"axis {axis} of {{{index}}} is {{lhs}}, but of {target} {{rhs}}: it must be equal or 1"
            ctx.require(any_of(equal(have, want), equal(have, 1)), rule, text, lhs=have, rhs=want)
