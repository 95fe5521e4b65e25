"""What is wrong with a source before any shape is known: the rules that several parts of the lowering report."""

from __future__ import annotations

from onnxls.rules import rule

UNSUPPORTED = rule(
    "unsupported-construct",
    "OLS550",
    "error",
    """
    A construct of Python has no meaning in a script function.

    The body of a script function is converted to a graph; only what has an ONNX counterpart may stand in it. The
    message says what to write instead.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]):
        return x // 2.0  # error: [unsupported-construct] "op.Floor"
    ```
    """,
)
UNDEFINED = rule(
    "undefined-variable",
    "OLS551",
    "error",
    """
    A variable has no value where it is used.

    A script function sees its parameters, what it has assigned, and what the module binds above it.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]):
        return op.Relu(y)  # error: [undefined-variable] "`y`"
    ```
    """,
)
MAYBE_UNASSIGNED = rule(
    "variable-not-on-every-path",
    "OLS552",
    "error",
    """
    A variable that is used later is assigned on some paths only.

    A branch becomes an `If` and a loop a `Loop`; both give a value whichever way they go, so each variable that is
    used afterwards needs a value on both branches, or before the loop.

    ```py
    from onnxscript import BOOL, FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"], c: BOOL[()]):
        if c:  # error: [variable-not-on-every-path] "`y` has no value"
            y = op.Relu(x)
        else:
            z = op.Neg(x)
        return y
    ```
    """,
)
CONSTANT = rule(
    "constant-not-a-tensor",
    "OLS553",
    "error",
    """
    A literal or outer value cannot become a tensor.

    Numbers, bools, strings and lists of one of them become constants. An empty list has no element type, and a tuple,
    a dict or None is no tensor.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]):
        return op.Reshape(x, [])  # error: [constant-not-a-tensor] "an empty list"
    ```
    """,
)
MIXED_LIST = rule(
    "mixed-list",
    "OLS554",
    "warning",
    """
    A list literal mixes integers and floats, and becomes a tensor of doubles.

    Next to a float tensor it is cast back; alone it is a `double`, which most operators refuse to mix with floats.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT[2]):
        return op.Add(x, [1, 2.5])  # warning: [mixed-list]
    ```

    Write all elements as floats.
    """,
)
NO_OPSET = rule(
    "missing-default-opset",
    "OLS555",
    "error",
    """
    A script function uses Python operators or literals only, and nothing says which opset they belong to.

    ```py
    from onnxscript import FLOAT, script

    @script()
    def f(x: FLOAT["N"]):
        return x + 1.0  # error: [missing-default-opset]
    ```

    Write `@script(default_opset=op)`.
    """,
)
