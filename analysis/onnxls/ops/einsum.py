"""Einsum: sums over the axes that its equation names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from onnxls.dims import Dim
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.broadcast import broadcast_dims, broadcast_shapes
from onnxls.ops.context import OpContext
from onnxls.rules import rule

EINSUM_EQUATION = rule(
    "einsum-equation-invalid",
    "OLS125",
    "error",
    """
    The equation of Einsum cannot be read, or does not describe its inputs.

    It has one term for each input, separated by commas, with one letter for each axis, and may say the output after
    `->`. `...` stands for further axes, as many in every term. The output names letters of the inputs, each once.

    ```onnx
    g (float[B, S, H] x, float[H, K] w) => (float[B, S, K] y) {
      # error: [einsum-equation-invalid] "`x` has rank 3"
      y = Einsum <equation = "bs,hk->bk"> (x, w)
    }
    ```
    """,
)
EINSUM_MISMATCH = rule(
    "einsum-letter-mismatch",
    "OLS126",
    "error",
    """
    One letter of an Einsum stands for axes of different sizes.

    All axes that a letter names must have one size (or be 1, which is repeated). Within one input they must be equal:
    there the letter takes the diagonal.

    ```onnx
    g (float[B, S, 3] x, float[4, K] w) => (float[B, S, K] y) {
      # error: [einsum-letter-mismatch] "letter `h`"
      y = Einsum <equation = "bsh,hk->bsk"> (x, w)
    }
    ```
    """,
)

ELLIPSIS = "..."


Term = tuple[str, ...]
"""Letters, and at most one ellipsis."""


@dataclass(frozen=True, slots=True)
class Equation:
    """The terms of the inputs, and that of the output."""

    inputs: tuple[Term, ...]
    output: Term


@op("Einsum", since=12)
def einsum(ctx: OpContext) -> Fact:
    """ONNX Einsum-12: the output has the sizes of the letters that it names."""
    equation = _read(ctx)
    if equation is None or not _ranks_fit(ctx, equation):
        return Fact()
    further = _further_axes(ctx, equation)
    if further is None and ELLIPSIS in equation.output:
        return Fact()
    sizes, rest = _sizes(ctx, equation, further or 0)
    shape: list[Dim] = []
    for letter in equation.output:
        shape.extend(rest if letter == ELLIPSIS else (sizes[letter],))
    return Fact(shape=tuple(shape))


def _read(ctx: OpContext) -> Equation | None:
    """The equation of the node; None (and a rejection) where it cannot be read."""
    text = ctx.str_attr("equation", "").replace(" ", "")
    left, arrow, right = text.partition("->")
    inputs = [_term(part) for part in left.split(",")]
    output = _term(right) if arrow else _implicit([term for term in inputs if term is not None])
    if output is None or None in inputs:
        ctx.reject(
            EINSUM_EQUATION, "the equation {text!r} cannot be read; a term is made of letters and one '...'", text=text
        )
        return None
    equation = Equation(tuple(term for term in inputs if term is not None), output)
    if len(inputs) != len(ctx.inputs):
        text = "the equation has {terms} terms, but there are {count} inputs"
        ctx.reject(EINSUM_EQUATION, text, terms=len(inputs), count=len(ctx.inputs))
        return None
    named = {letter for term in equation.inputs for letter in term} | {ELLIPSIS}
    for letter in output:
        if letter not in named or output.count(letter) > 1:
            text = (
                "the output names {letter!r} twice"
                if letter in named
                else "no input has the letter {letter!r} of the output"
            )
            ctx.reject(EINSUM_EQUATION, text, letter=letter)
            return None
    return equation


def _term(text: str) -> Term | None:
    """A term read; None where it is none."""
    if not re.fullmatch(r"[A-Za-z]*(\.\.\.)?[A-Za-z]*", text):
        return None
    before, dots, after = text.partition(ELLIPSIS)
    return (*before, *([ELLIPSIS] if dots else ()), *after)


def _implicit(inputs: Sequence[Term]) -> Term:
    """The output where none is written: the ellipsis, then the letters that occur once, upper case first."""
    letters = [letter for term in inputs for letter in term]
    once = sorted(letter for letter in letters if letter != ELLIPSIS and letters.count(letter) == 1)
    return (ELLIPSIS, *once) if ELLIPSIS in letters else tuple(once)


def _ranks_fit(ctx: OpContext, equation: Equation) -> bool:
    """Whether each input has an axis for each letter, and every ellipsis stands for as many axes."""
    first: tuple[int, int] | None = None
    for index, term in enumerate(equation.inputs):
        rank = ctx.input(index).rank
        if rank is None:
            continue
        further = rank - sum(letter != ELLIPSIS for letter in term)
        if further < 0 or (further > 0 and ELLIPSIS not in term):
            text = f"{{{index}}} has rank {{rank}}, but its term is {{term!r}}"
            ctx.reject(EINSUM_EQUATION, text, rank=rank, term="".join(term))
            return False
        if ELLIPSIS in term:
            first = first or (index, further)
            if further != first[1]:
                text = f"'...' stands for {{one}} axes of {{{first[0]}}}, but for {{other}} of {{{index}}}"
                ctx.reject(EINSUM_EQUATION, text, one=first[1], other=further)
                return False
    return True


def _further_axes(ctx: OpContext, equation: Equation) -> int | None:
    """For how many axes the ellipsis stands; None where no input tells."""
    ranks = [(ctx.input(index).rank, term) for index, term in enumerate(equation.inputs) if ELLIPSIS in term]
    known = [rank - len(term) + 1 for rank, term in ranks if rank is not None]
    return known[0] if known else None if ranks else 0


def _sizes(ctx: OpContext, equation: Equation, further: int) -> tuple[dict[str, Dim], Shape]:
    """The size of each letter and of the axes of the ellipsis, with what makes the inputs agree on them."""
    sizes: dict[str, Dim] = {}
    places: dict[str, tuple[int, int]] = {}
    rests: list[tuple[str, Shape]] = []
    for index, term in enumerate(equation.inputs):
        for letter, (axis, dim) in _own_axes(ctx, index, term, further, rests).items():
            if letter in sizes:
                first, first_axis = places[letter]
                left, right = f"{{{first}}}", f"{{{index}}} (axis {axis}, letter `{letter}`)"
                dim = broadcast_dims(ctx, sizes[letter], dim, EINSUM_MISMATCH, left, right, first_axis)
            sizes[letter] = dim
            places.setdefault(letter, (index, axis))
    return sizes, broadcast_shapes(ctx, rests, EINSUM_MISMATCH)


def _own_axes(
    ctx: OpContext, index: int, term: Term, further: int, rests: list[tuple[str, Shape]]
) -> dict[str, tuple[int, Dim]]:
    """The axis and size of each letter in one input; the axes of its ellipsis are added to `rests`."""
    shape = ctx.input(index).shape
    if shape is None:
        shape = tuple(ctx.fresh() for _ in range(len(term) + (further - 1 if ELLIPSIS in term else 0)))
    at = term.index(ELLIPSIS) if ELLIPSIS in term else len(shape)
    if ELLIPSIS in term:
        rests.append((f"{{{index}}}", shape[at : at + further]))
        term = term[:at] + term[at + 1 :]
    own: dict[str, tuple[int, Dim]] = {}
    for letter, axis in zip(term, (*range(at), *range(at + further, len(shape))), strict=False):
        if letter in own:
            first, dim = own[letter]
            text = f"axes {{first}} and {{axis}} of {{{index}}}, both letter `{letter}`, are {{lhs}} and {{rhs}}"
            ctx.require_equal(
                dim, shape[axis], EINSUM_MISMATCH, text + "; a diagonal needs one size", first=first, axis=axis
            )
        else:
            own[letter] = axis, shape[axis]
    return own
