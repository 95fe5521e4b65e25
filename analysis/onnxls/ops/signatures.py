"""Shape rules as text, for operators that the table does not have: `(N, C), (C, K) -> (N, K)`.

An operand is a list of sizes in parentheses; an element type or a type variable may stand before it. A size is an
integer, a name, an expression over names, `_` for any size, or `...` for any number of axes. `_` in the place of an
operand is a tensor of any shape. `?` behind an input: it may be absent; `*` behind the last one: any number of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from onnxls.dims import Dim
from onnxls.expressions import parse_dim
from onnxls.facts import Fact, Shape
from onnxls.ops.context import OpContext
from onnxls.rules import rule
from onnxls.schemas import dtype_of

MAX_LENGTH = 2_000

OWN_OPERATOR = rule(
    "own-operator-mismatch",
    "OLS510",
    "error",
    """
    The operands of an operator do not fit the shape rule that was declared for it.

    The settings say what shapes an operator of your own takes and gives. A name stands for one size wherever it
    occurs, so that here both operands must agree on `C`.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "my.domain" : 1]>
    # operators = { "my.domain::Mix" = "(N, C), (C, K) -> (N, K)" }
    g (float[B, 8] x, float[7, H] w) => (float[B, H] y) {
      # error: [own-operator-mismatch] "axis 0 of `w` is 7"
      y = my.domain.Mix (x, w)
    }
    ```

    Mend the operands, or the shape rule if it is too narrow.
    """,
)

Axis = Dim | Literal["_", "..."]

_OPERAND = re.compile(r"(?P<type>[A-Za-z]\w*)?\s*(?:(?P<any>_)|(?P<axes>\())")
_END = re.compile(r"\s*(?P<mark>[?*])?\s*(?:(?P<comma>,)|$)")
_NAME = "\1"
"""Names of a shape rule begin with this in its sizes, so that they are not those of a model."""


class SignatureError(ValueError):
    """A shape rule that cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An input or output. `axes` None: of any shape. `type` is an element type or a variable that others share."""

    axes: tuple[Axis, ...] | None
    type: str | None = None
    mark: str = ""

    @property
    def dtype(self) -> int | None:
        """The element type, where it is a fixed one."""
        return None if self.type is None else dtype_of(f"tensor({self.type})")


@dataclass(frozen=True, slots=True)
class Signature:
    """What an operator takes and gives."""

    text: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]

    def infer(self, ctx: OpContext) -> tuple[Fact, ...]:
        """The rule of the operator. An integer attribute of the node stands for the size of its name."""
        attributes = {_NAME + name: Dim.of(a.value) for name, a in ctx.attrs.items() if isinstance(a.value, int)}
        call = _Call(ctx, self.text, attributes)
        operands = self._operands(len(ctx.inputs))
        if len(ctx.inputs) > len(operands):
            text = "it is given {got} inputs; by `{by}` it takes {want}"
            ctx.reject(OWN_OPERATOR, text, got=len(ctx.inputs), want=len(operands), by=self.text)
        for index, operand in enumerate(operands):
            if ctx.has(index):
                call.take(index, operand)
            elif not operand.mark:
                ctx.reject(OWN_OPERATOR, "input {index} is absent; by `{by}` it is needed", index=index, by=self.text)
        call.settle()
        return tuple(call.give(operand) for operand in self.outputs)

    def _operands(self, count: int) -> tuple[Operand, ...]:
        if self.inputs and self.inputs[-1].mark == "*":
            return (*self.inputs[:-1], *(self.inputs[-1],) * (count - len(self.inputs) + 1))
        return self.inputs


@dataclass(slots=True)
class _Call:
    """What the names of a shape rule stand for in one call."""

    ctx: OpContext
    text: str
    sizes: dict[str, Dim]
    rows: Shape | None = None
    types: dict[str, int] = field(default_factory=dict[str, int])
    owed: list[tuple[int, int, Dim, Dim]] = field(default_factory=list[tuple[int, int, Dim, Dim]])
    """Index and axis of an input, the size there, and what the shape rule says that it is."""

    def take(self, index: int, operand: Operand) -> None:
        """Fits an input to its place in the shape rule."""
        fact = self.ctx.input(index)
        if operand.type is not None and fact.dtype is not None:
            want = operand.dtype or self.types.setdefault(operand.type, fact.dtype)
            if want != fact.dtype:
                text = f"{{{index}}} has another element type than `{{by}}` asks for"
                self.ctx.reject(OWN_OPERATOR, text, by=self.text)
        if fact.shape is None or operand.axes is None:
            return
        spread, least = "..." in operand.axes, len(operand.axes) - operand.axes.count("...")
        if len(fact.shape) < least or (len(fact.shape) > least and not spread):
            text = f"{{{index}}} has rank {{rank}}; by `{{by}}` it must be {{least}}" + (" or more" if spread else "")
            self.ctx.reject(OWN_OPERATOR, text, rank=len(fact.shape), least=least, by=self.text)
            return
        place = 0
        for axis in operand.axes:
            if axis == "...":
                self._take_rows(index, place, fact.shape[place : place + len(fact.shape) - least])
                place += len(fact.shape) - least
                continue
            if isinstance(axis, Dim):
                self._take_size(index, place, fact.shape[place], axis)
            place += 1

    def _take_rows(self, index: int, start: int, rows: Shape) -> None:
        if self.rows is None:
            self.rows = rows
        elif len(rows) != len(self.rows):
            text = f"`...` of `{{by}}` stands for {{want}} axes, but for {{got}} of {{{index}}}"
            self.ctx.reject(OWN_OPERATOR, text, want=len(self.rows), got=len(rows), by=self.text)
        else:
            for axis, (dim, want) in enumerate(zip(rows, self.rows, strict=True), start):
                self._require(index, axis, dim, want)

    def _take_size(self, index: int, axis: int, dim: Dim, size: Dim) -> None:
        symbol = size.as_symbol
        if symbol is not None and symbol.name not in self.sizes:
            self.sizes[symbol.name] = dim
        else:
            self.owed.append((index, axis, dim, size))

    def settle(self) -> None:
        """Requires what is owed, now that all inputs are taken."""
        for index, axis, dim, size in self.owed:
            want = size.replace(self.sizes)
            free = [name for name in want.symbols() if name.startswith(_NAME)]
            if not free:
                self._require(index, axis, dim, want)
            elif len(free) == 1:
                self._divide(index, axis, dim, want, free[0])

    def _divide(self, index: int, axis: int, dim: Dim, size: Dim, name: str) -> None:
        """Where a size is a multiple of a name that stands nowhere alone, the name is the quotient."""
        factor = size.exact_div(Dim.symbol(name))
        if factor is None or name in factor.symbols():
            return
        text = f"axis {axis} of {{{index}}} is {{dividend}}; by `{{by}}` it must divide by {{divisor}}"
        self.ctx.require_divides(factor, dim, OWN_OPERATOR, text, by=self.text)
        exact = dim.exact_div(factor) if factor.const != 0 else self.ctx.fresh()
        self.sizes[name] = dim // factor if exact is None else exact

    def _require(self, index: int, axis: int, dim: Dim, want: Dim) -> None:
        text = f"axis {axis} of {{{index}}} is {{lhs}}; by `{{by}}` it must be {{rhs}}"
        self.ctx.require_equal(dim, want, OWN_OPERATOR, text, by=self.text)

    def give(self, operand: Operand) -> Fact:
        """The fact of an output. A name that no input has is one unknown size in all outputs."""
        dtype = operand.dtype
        if dtype is None and operand.type is not None:
            dtype = self.types.get(operand.type)
        if operand.axes is None or ("..." in operand.axes and self.rows is None):
            return Fact(dtype)
        shape: list[Dim] = []
        for axis in operand.axes:
            if isinstance(axis, Dim):
                shape.append(self._size(axis, len(shape)))
            else:
                shape += (self.rows or ()) if axis == "..." else (self.ctx.fresh(),)
        return Fact(dtype, tuple(shape))

    def _size(self, axis: Dim, place: int) -> Dim:
        for name in sorted(axis.symbols()):
            if name not in self.sizes:
                self.sizes[name] = self.ctx.fresh()
        size = axis.replace(self.sizes)
        text = "axis {place} of the output is {rhs} by `{by}`; no size is below 0"
        self.ctx.require_at_most(0, size, OWN_OPERATOR, text, place=place, by=self.text)
        return size


def parse_signature(text: str) -> Signature:
    """The shape rule that a text states; SignatureError where it states none."""
    if len(text) > MAX_LENGTH:
        raise SignatureError("it is too long")
    left, arrow, right = text.partition("->")
    if not arrow or "->" in right:
        raise SignatureError("it does not have the form `(N, C), (C, K) -> (N, K)`")
    inputs, outputs = tuple(_operands(left)), tuple(_operands(right))
    if not outputs:
        raise SignatureError("it has no outputs")
    if any(operand.mark for operand in outputs) or any(operand.mark == "*" for operand in inputs[:-1]):
        raise SignatureError("`?` may stand behind inputs, and `*` behind the last one")
    spread = [any("..." in (operand.axes or ()) for operand in side) for side in (inputs, outputs)]
    if spread[1] and not spread[0]:
        raise SignatureError("`...` of an output must stand for axes of an input")
    return Signature(" ".join(text.split()), inputs, outputs)


def _operands(text: str) -> Iterator[Operand]:
    text, place, more = text.strip(), 0, False
    while place < len(text) or more:
        start = _OPERAND.match(text, place)
        if start is None:
            raise SignatureError(f"`{text[place : place + 20]}` is no list of sizes in parentheses")
        stop = start.end() if start["any"] else _closing(text, start.end())
        axes = None if start["any"] else _axes(text[start.end() : stop - 1])
        end = _END.match(text, stop)
        if end is None:
            raise SignatureError(f"`{text[stop : stop + 20]}` stands where a comma is expected")
        yield Operand(axes, start["type"], end["mark"] or "")
        place, more = end.end(), end["comma"] is not None
        place += len(text[place:]) - len(text[place:].lstrip())


def _closing(text: str, place: int) -> int:
    """The place behind the parenthesis that closes one."""
    depth = 1
    for at in range(place, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at + 1
    raise SignatureError("a parenthesis is not closed")


def _axes(text: str) -> tuple[Axis, ...]:
    parts, depth = [""], 0
    for each in text:
        depth += (each == "(") - (each == ")")
        if each == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += each
    if not parts[-1].strip():
        parts.pop()
    axes: tuple[Axis, ...] = tuple(_axis(part.strip()) for part in parts)
    if axes.count("...") > 1:
        raise SignatureError("`...` occurs twice in one operand")
    return axes


def _axis(text: str) -> Axis:
    if text == "..." or text == "_":
        return "..." if text == "..." else "_"
    try:
        size = parse_dim(text)
    except ValueError as error:
        raise SignatureError(f"`{text}` is no size: {error}") from None
    return size.replace({name: Dim.symbol(_NAME + name) for name in size.symbols()})
