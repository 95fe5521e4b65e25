# ruff: noqa: F821, RET504, T201, UP037
# type: ignore
"""Script functions of every construct that the stock converter takes. Compared with what it makes of them."""

import numpy as np
import onnx
from onnx import TensorProto
from onnxscript import BOOL, DOUBLE, FLOAT, INT64, graph, script
from onnxscript import opset18 as op
from onnxscript.values import Opset

SCALE = 0.5
SIZES = [2, -1]
TABLE = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
ZERO = onnx.helper.make_tensor("zero", TensorProto.INT64, [1], [0])
FLAG = True
mine = Opset("my.domain", 1)


@script()
def arithmetic(x: FLOAT["N"], y: FLOAT["N"]):
    return op.Relu((x + y) * (x - y) / y**2.0)


@script(default_opset=op)
def sugar_only(x: FLOAT["N"]):
    return x * 0.5 + 1


@script()
def remainders(x: FLOAT["N"], k: INT64["N"]):
    return op.Relu(x % 2.0), k % 2


@script()
def logic(a: BOOL["N"], b: BOOL["N"]):
    return op.Not(a & b), a | b, not a


@script()
def comparisons(x: FLOAT["N"], y: FLOAT["N"]):
    return op.And(x < y, x != 1.0), x >= y, x == y


@script()
def products(x: FLOAT["N", "K"], w: FLOAT["K", "M"]):
    return op.Relu(-(x @ w))


@script()
def literals(x: FLOAT["N"]):
    c = 2
    d = c
    return op.Max(x, 0, c), x * d, x + SCALE


@script()
def literal_first(x: FLOAT["N"]):
    return op.Sub(1, x), op.Add(1, 2), op.Where(x > 0, x, 0.0)


@script()
def outer_values(x: FLOAT["N", 2]):
    y = op.MatMul(x, TABLE)
    return op.Reshape(y, SIZES), op.Gather(y, ZERO)


@script()
def attributes(x: FLOAT["N", 4], axis: int = -1, alpha: float = 0.5):
    y = op.Softmax(x, axis=axis)
    return op.LeakyRelu(y, alpha=alpha) + alpha


@script()
def bool_attribute(x: FLOAT["N"], flag: bool):
    return op.Where(flag, x, op.Neg(x))


@script()
def positional_attribute(x: FLOAT["N", 4]):
    return op.Transpose(x, [1, 0])


@script()
def optional_inputs(x: FLOAT["N"], high: FLOAT[()]):
    return op.Clip(x, None, high), op.Clip(x, max=high)


@script()
def constants(x: FLOAT["N"]):
    a = op.Constant(value=onnx.helper.make_tensor("a", TensorProto.FLOAT, [1], [2.0]))
    b = op.Constant(value_ints=[1, 2])
    c = op.Constant(value_float=1.5)
    d = op.Constant(value=0.5)
    return x + a, b, c * x, d


@script()
def casts(x: FLOAT["N"]):
    y = op.Cast(x, to=DOUBLE.dtype)
    return op.Cast(y, to=TensorProto.FLOAT), op.CastLike(y, x)


@script()
def index_one(x: FLOAT["N", 3, 4], i: INT64[()]):
    return op.Identity(x[0]), x[i], x[-1], x[1, 2], x[i + 1]


@script()
def slices(x: FLOAT["N", 3, 4], i: INT64[()]):
    return op.Identity(x[1:3]), x[:, 1:], x[::2], x[::-1], x[i : i + 1], x[:2, 0], x[1:-1, :, 2]


@script()
def mixed_indices(x: FLOAT["N", 3, 4], i: INT64[2]):
    return op.Identity(x[i, 1:2]), x[0, i], x[1:2, 0, i], x[i, i]


@script()
def several(x: FLOAT[4, "M"]):
    a, b = op.Split(x, num_outputs=2)
    c, d = a + b, a * b
    return c, d


@script()
def annotated_local(x: FLOAT["N"]):
    y: FLOAT["N"] = op.Relu(x)
    return y


@script()
def returns_input(x: FLOAT["N"], y: FLOAT["N"]):
    z = op.Relu(y)
    return x, z, z


@script()
def alias(x: FLOAT["N"]):
    y = x
    z = op.Neg(y)
    y = z
    return y


@script()
def branch(x: FLOAT["N"], c: BOOL[()]):
    if c:
        y = op.Relu(x)
    else:
        y = op.Neg(x)
    return y


@script()
def branch_keeps(x: FLOAT["N"], c: BOOL[()]):
    y = op.Relu(x)
    if c:
        y = y + 1.0
    else:
        z = op.Neg(y)
        y = z
    return y


@script()
def branch_copies(x: FLOAT["N"], c: BOOL[()]):
    y = op.Relu(x)
    z = op.Neg(x)
    if c:
        y = x
    else:
        y = z
    return y


@script()
def branch_two(x: FLOAT["N"], c: BOOL[()]):
    if c:
        a = op.Relu(x)
        b = op.Abs(x)
    else:
        a = op.Neg(x)
        b = x
    return op.Sub(a, b)


@script()
def nested_branches(x: FLOAT["N"], c: BOOL[()], d: BOOL[()]):
    if c:
        if d:
            y = op.Relu(x)
        else:
            y = op.Neg(x)
    else:
        y = op.Abs(x)
    return y


@script()
def decided(x: FLOAT["N"]):
    if FLAG:
        y = op.Relu(x)
    else:
        y = op.Neg(x)
    return y


@script()
def counted(x: FLOAT["N"]):
    y = op.Identity(x)
    for _ in range(3):
        y = y * 2.0
    return y


@script()
def counted_by_value(x: FLOAT["N"], n: INT64[()]):
    total = op.Identity(x)
    for i in range(n):
        f = op.CastLike(i, x)
        total = total + f
    return total


@script()
def two_states(x: FLOAT["N"], n: INT64[()]):
    a = op.Identity(x)
    b = op.Neg(x)
    for _ in range(n):
        t = a
        a = b
        b = t + b
    return a, b


@script()
def stops(x: FLOAT["N"], n: INT64[()]):
    y = op.Identity(x)
    for _ in range(n):
        y = y * 0.5
        small = op.ReduceMax(y, keepdims=0)
        stop = small < 0.1
        if stop:
            break
    return y


@script()
def repeats(x: FLOAT["N"]):
    y = op.Identity(x)
    go = op.ReduceMax(y, keepdims=0) > 1.0
    while go:
        y = y * 0.5
        go = op.ReduceMax(y, keepdims=0) > 1.0
    return y


@script()
def loop_in_branch(x: FLOAT["N"], c: BOOL[()], n: INT64[()]):
    y = op.Relu(x)
    if c:
        for _ in range(n):
            y = y + x
    else:
        y = op.Neg(y)
    return y


@script()
def branch_in_loop(x: FLOAT["N"], n: INT64[()]):
    y = op.Relu(x)
    for i in range(n):
        even = i % 2 == 0
        if even:
            y = y + x
        else:
            y = y - x
    return y


@script()
def scanned(x: FLOAT["N", 4], s: FLOAT[4]):
    @graph()
    def step(total, row):
        new = op.Add(total, row)
        return new, op.Identity(new)

    last, rows = op.Scan(s, x, body=step, num_scan_inputs=1)
    return last, rows


@script()
def captures(x: FLOAT["N", 4], s: FLOAT[4]):
    two = op.Constant(value_float=2.0)

    @graph()
    def step(total, row):
        new = op.Add(total, op.Mul(row, two))
        return new, op.Identity(new)

    last, rows = op.Scan(s, x, body=step, num_scan_inputs=1)
    return last, rows


@script(mine)
def scaled(x, alpha: float = 2.0):
    return op.Mul(x, alpha)


@script()
def calls(x: FLOAT["N"]):
    return op.Relu(scaled(x, alpha=3.0)), scaled(x)


@script()
def calls_through(x: FLOAT["N"]):
    y, z = calls(x)
    return op.Add(y, z)


@script()
def default_operator(x: FLOAT["N"]):
    return op.Neg(Relu(x))


@script()
def other_domain(x: FLOAT["N"]):
    return op.Relu(mine.Thing(x, 1.0, k=1))


@script()
def documented(x: FLOAT["N"]):
    """A docstring."""
    print("not in the graph")
    return op.Relu(x)


@script()
def double_negative(x: FLOAT["N"]):
    return x + -1.5 + op.Relu(-x)
