"""Literals next to tensors: they become of the tensor's type, or of none where there is no tensor."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from onnxls import schemas
from onnxls.facts import FLOAT_TYPES, INTEGER_TYPES
from onnxls.frontends.script.arrays import STRING
from onnxls.frontends.script.variables import Variables
from onnxls.graph import Attr
from onnxls.rules import rule

LITERAL_CUT = rule(
    "literal-is-cut",
    "OLS574",
    "warning",
    """
    A float literal beside an integer tensor is cut to an integer.

    The literal is cast to the type of the tensor, silently: `x + 1.5` adds 1.

    ```py
    from onnxscript import INT64, script
    from onnxscript import opset20 as op

    @script()
    def f(x: INT64["N"]):
        return op.Relu(x + 1.5)  # warning: [literal-is-cut]
    ```

    Cast the tensor first: `op.Cast(x, to=FLOAT.dtype) + 1.5`.
    """,
)
LITERAL_TEXT = rule(
    "text-beside-numbers",
    "OLS563",
    "error",
    """
    A string literal beside a tensor of numbers is cast to a number when the model runs, which fails.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"]):
        return op.Add(x, "a")  # error: [text-beside-numbers]
    ```

    Write a number.
    """,
)


class Promotion(Variables):
    """Casts literals."""

    def cast(
        self, values: Sequence[str | None], variables: Sequence[str | None], nodes: Sequence[ast.expr]
    ) -> list[str | None]:
        """Literals become of the type of the last tensor that shares their type variable."""
        like: dict[str, str] = {}
        for value, variable in zip(values, variables, strict=True):
            if variable is not None and value is not None and value not in self.castable:
                like[variable] = value
        made: list[str | None] = []
        for value, variable, node in zip(values, variables, nodes, strict=True):
            if value is not None and value in self.castable and variable in like:
                self.check_cut(value, like[variable], node)
                value = self.sugar("CastLike", (value, like[variable]), node, said=f"{value} as {like[variable]}")
            made.append(value)
        return made

    def pair(
        self,
        name: str,
        node: ast.expr,
        left: ast.expr,
        right: ast.expr,
        target: str | None,
        attrs: Mapping[str, Attr] | None = None,
    ) -> str:
        """An operator of Python with two operands."""
        values = [self.expression(left), self.expression(right)]
        schema = schemas.lookup("", name, self.standard(node).version)
        variables = [None if "(" in each.type else each.type for each in schema.inputs[:2]] if schema else [None, None]
        cast = self.cast(values, variables, (left, right))
        whole = self.origin(node)
        origin = replace(whole, inputs=(self.chunk.span(left), self.chunk.span(right)))
        return self.sugar(name, cast, node, target, attrs, origin)

    def check_cut(self, value: str, like: str, node: ast.expr) -> None:
        array = self.literals.get(value)
        if array is not None and array.dtype == STRING and self.element_type(like) not in (None, STRING):
            self.fault(LITERAL_TEXT, f"this is text, but `{like}` is a tensor of numbers", node)
        if array is None or array.dtype not in FLOAT_TYPES or self.element_type(like) not in INTEGER_TYPES:
            return
        if any(isinstance(each, float) and not each.is_integer() for each in array.values or ()):
            self.fault(LITERAL_CUT, f"this is cut to an integer: `{like}` is an integer tensor", node)

    def element_type(self, value: str) -> int | None:
        """The declared element type of an input."""
        for body in self.bodies:
            for each in body.inputs:
                if each.name == value:
                    return None if each.type is None else each.type.dtype
        return None
