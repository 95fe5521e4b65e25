"""Subscripts to Gather, Slice and Squeeze, as the stock converter makes them, and where these are not what is meant."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from onnxls.frontends.script.emit import Held
from onnxls.frontends.script.variables import Variables, is_constant
from onnxls.graph import Attr
from onnxls.rules import rule

MAX_INT, MIN_INT = (1 << 63) - 1, -(1 << 63)

NEGATIVE_INDEX = rule(
    "negative-index-with-others",
    "OLS570",
    "error",
    """
    The index -1 next to another index or a slice takes nothing.

    With more than one index the converter writes `x[-1, 0]` as the slice `[-1:0]`, which is empty, and squeezes it;
    the model does not load. `x[-1]` alone is right.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT[...]):
        return op.Relu(x[-1, 0:2])  # error: [negative-index-with-others]
    ```

    Write two subscripts, `x[-1][0:2]`, or `op.Gather(x, -1, axis=0)`.
    """,
)
INDEX_SHIFTS = rule(
    "index-shifts-axes",
    "OLS571",
    "warning",
    """
    A scalar index removes an axis, and the next tensor index then counts the axes that are left.

    `x[i, j]` becomes two Gathers, on axis 0 and then on axis 1. Where `i` is a scalar the first one removes axis 0, so
    that the second takes what was axis 2: another element than in numpy, or none.

    ```py
    from onnxscript import FLOAT, INT64, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT[...], j: INT64[1]):
        return op.Relu(x[0, 1:2, j])  # warning: [index-shifts-axes]
    ```

    Index one axis at a time, the last one first: `op.Gather(op.Gather(x, j, axis=1), i, axis=0)`.
    """,
)


FIRST_OF_MANY = rule(
    "index-into-first-output",
    "OLS576",
    "warning",
    """
    An index is meant to pick an output, but picks a row of the first one.

    A call of an operator with several outputs gives its first when it is assigned to one name; `y[1]` then is the row 1
    of that.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT[4, "N"]):
        halves = op.Split(x, num_outputs=1)
        return op.Relu(halves[0])  # warning: [index-into-first-output]
    ```

    Unpack the outputs: `a, b = op.Split(x, num_outputs=2)`.
    """,
)
_OF_MANY = frozenset(("Split", "TopK", "Unique"))


class Subscripts(Variables):
    """`x[...]` in all its forms."""

    def subscript(self, node: ast.Subscript, target: str | None) -> str:
        """The value of a subscript."""
        data = self.expression(node.value)
        self.check_first(node, data)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        slices: list[tuple[int, ast.Slice]] = []
        scalars: list[tuple[int, ast.expr, int]] = []
        tensors: list[tuple[int, ast.expr]] = []
        for axis, index in enumerate(indices):
            if isinstance(index, ast.Slice):
                if index.lower is not None or index.upper is not None or index.step is not None:
                    slices.append((axis, index))
                continue
            number = self.evaluator.value(index, self.scope, self.place) if is_constant(index) else None
            if isinstance(index, ast.Constant) and (index.value is None or index.value is ...):
                what = "`None` in an index; write `op.Unsqueeze`" if index.value is None else "`...` in an index"
                more = "" if index.value is None else "; write `op.Gather(x, i, axis=-1)` or `op.Slice` with axes"
                self.unsupported(index, f"{what}{more}")
                return self.unknown(node, target, (data,))
            if isinstance(number, int):
                scalars.append((axis, index, number))
            else:
                tensors.append((axis, index))
        if not slices and not scalars and not tensors:
            return self.sugar("Identity", (data,), node, target)
        if (slices or len(scalars) > 1) and self.takes_nothing(scalars):
            return self.unknown(node, target, (data,))
        cut = _Cut(self, node, data)
        squeezed: list[int] = []
        if slices or len(scalars) > 1:
            squeezed = [axis for axis, _, _ in scalars]
            last = not tensors
            data = cut.slice(slices, scalars, target if last else None)
            if last:
                return data
        else:
            tensors += [(axis, index) for axis, index, _ in scalars]
        self.check_shift(node, tensors, squeezed)
        for position, (axis, index) in enumerate(tensors):
            name = target if position == len(tensors) - 1 else None
            value = self.expression(index)
            origin = replace(self.origin(node), inputs=(self.chunk.span(node.value), self.chunk.span(index)))
            data = self.sugar("Gather", (data, value), node, name, {"axis": self.int_attr("axis", axis)}, origin)
        return data

    def takes_nothing(self, scalars: Sequence[tuple[int, ast.expr, int]]) -> bool:
        """Reports indices whose slices are empty, so that there is no row to squeeze out."""
        empty = [index for _, index, number in scalars if number == -1]
        for index in empty:
            self.fault(NEGATIVE_INDEX, "the index -1 next to another one takes the empty slice [-1:0]", index)
        return bool(empty)

    def check_first(self, node: ast.Subscript, data: str) -> None:
        """Reports an index that picks no output."""
        if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, int):
            return
        made = next((each for each in reversed(self.body.nodes) if data in each.outputs), None)
        if made is not None and made.op_type in _OF_MANY and not made.domain and len(made.outputs) == 1:
            text = f"this takes a row of the first output of `{made.op_type}`, not an output"
            self.fault(FIRST_OF_MANY, f"{text}; unpack the outputs into names", node)

    def check_shift(self, node: ast.Subscript, tensors: Sequence[tuple[int, ast.expr]], squeezed: list[int]) -> None:
        """Reports tensor indices whose axis has moved."""
        gone = list(squeezed)
        for axis, index in tensors:
            if any(before < axis for before in gone):
                text = "a scalar index has removed an axis before this one, so that it counts the axes that are left"
                self.fault(INDEX_SHIFTS, f"{text}; index one axis at a time, the last one first", index)
                return
            if is_constant(index) or self.is_scalar(index):
                gone.append(axis)

    def is_scalar(self, node: ast.expr) -> bool:
        """Whether an expression is surely a scalar: the counter of a loop, an input that is declared as one."""
        if not isinstance(node, ast.Name):
            return False
        bound = self.local(node.id)
        if node.id in self.counters or not isinstance(bound, Held):
            return node.id in self.counters
        declared = (each.type for body in self.bodies for each in body.inputs if each.name == bound.value)
        return any(type_ is not None and type_.shape == () for type_ in declared)

    @property
    def counters(self) -> frozenset[str]:
        """The variables that are counters of the loops around."""
        raise NotImplementedError


class _Cut:
    """One Slice: its constants are made once each."""

    def __init__(self, made: Subscripts, node: ast.Subscript, data: str) -> None:
        self.made = made
        self.node = node
        self.data = data
        self.constants: dict[int, str] = {}

    def one(self, number: int) -> str:
        if number not in self.constants:
            name = self.made.free_name(f"[{number}]")
            self.constants[number] = self.made.int_list((number,), self.node.slice, name)
        return self.constants[number]

    def slice(
        self, slices: Sequence[tuple[int, ast.Slice]], scalars: Sequence[tuple[int, ast.expr, int]], target: str | None
    ) -> str:
        starts: list[str] = []
        ends: list[str] = []
        axes: list[str] = []
        steps: list[str] = []
        parts: list[tuple[int, Callable[[], tuple[str, str, str]]]] = []
        for axis, each in slices:
            parts.append((axis, lambda each=each: self.bounds(each)))
        for axis, _, number in scalars:
            parts.append((axis, lambda number=number: self.single(number)))
        for axis, bounds in parts:
            axes.append(self.one(axis))
            start, end, step = bounds()
            starts.append(start)
            ends.append(end)
            steps.append(step)
        operands = [self.data, *(self.joined(each) for each in (starts, ends, axes, steps))]
        if not scalars:
            return self.made.sugar("Slice", operands, self.node, target)
        said = f"slices of {self.made.written(self.made.chunk.span(self.node.value))}"
        cut = self.made.sugar("Slice", operands, self.node, said=said)
        numbers = tuple(axis for axis, _, _ in scalars)
        gone = self.made.int_list(numbers, self.node.slice, self.made.free_name(str(list(numbers))))
        return self.made.sugar("Squeeze", (cut, gone), self.node, target)

    def joined(self, names: list[str]) -> str:
        if len(names) == 1:
            return names[0]
        return self.made.sugar("Concat", names, self.node, None, {"axis": self.made.int_attr("axis", 0)})

    def single(self, number: int) -> tuple[str, str, str]:
        step = self.one(1)
        start = self.one(number)
        return start, self.one(number + 1), step

    def bounds(self, each: ast.Slice) -> tuple[str, str, str]:
        step_name, step = self.bound(each.step, 1)
        if step is None and (each.lower is None or each.upper is None):
            text = "a step that is a tensor needs both bounds: nothing says which way it goes"
            self.made.unsupported(self.node, text)
        down = step is not None and step < 0
        start = self.bound(each.lower, MAX_INT if down else 0)[0]
        end = self.bound(each.upper, MIN_INT if down else MAX_INT)[0]
        return start, end, step_name

    def bound(self, node: ast.expr | None, default: int) -> tuple[str, int | None]:
        """A bound or step, and its number where it is a literal."""
        if node is None:
            return self.one(default), default
        if is_constant(node):
            number = self.made.evaluator.value(node, self.made.scope, self.made.place)
            if isinstance(number, int):
                return self.one(number), number
            self.made.unsupported(node, "a bound of a slice is an integer")
            return self.made.unknown(node), None
        value = self.made.expression(node)
        one = self.one(1)
        attrs: dict[str, Attr] = {}
        return self.made.sugar("Reshape", (value, one), node, None, attrs), None
