"""Reshape: the target is read as sizes, not numbers. `0` copies an axis, one `-1` takes what is left.

An entry that is no constant may still be 0 or -1 at run time; it is a size only where that is ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import gcd
from typing import Literal

from onnxls.dims import ONE, Atom, Dim, never_zero, product
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import MAX_RANK, OpContext
from onnxls.ops.elements import array, constant_sizes, reshaped
from onnxls.relations import Condition, any_of, at_most, equal, unequal
from onnxls.rules import rule

SIZE_MISMATCH = rule(
    "reshape-size-mismatch",
    "OLS200",
    "error",
    """
    The target of a Reshape holds another number of elements than the input.

    `Reshape` keeps all elements, so the product of the target must be the number of elements of the input. A target
    that was written down by an export at one size (a batch of 1, a sequence of 128) fits that size alone; another
    size with the same product runs with scrambled rows.

    ```onnx
    g (float[batch, 256, 6, 6] feat) => (float[1, 9216] y) <int64[2] target = {1, 9216}> {
      # warning: [reshape-size-mismatch] "target[0] = 1 is constant, but axis 0 of `feat` is `batch`"
      y = Reshape (feat, target)
    }
    ```

    Write `0` for an axis that is kept, `-1` for one that takes the rest, or compute the target from `Shape`.
    """,
)
NOT_DIVISIBLE = rule(
    "reshape-not-divisible",
    "OLS201",
    "error",
    """
    The elements left for the `-1` of a Reshape do not divide by the other entries of the target.

    The entry `-1` becomes the number of elements over the product of the others, which must be a whole number. Where
    it is one by chance, rows of one axis are folded into another and the meaning of the result changes silently.

    ```onnx
    g (float[N, H] x) => (float[N, A, 2] y) <int64[3] target = {0, -1, 2}> {
      # warning: [reshape-not-divisible] "H = 1"
      y = Reshape (x, target)
    }
    ```

    Pad the axis to a multiple first, or compute the constant entries from `Shape`.
    """,
)
TARGET_ENTRY = rule(
    "reshape-target",
    "OLS202",
    "error",
    """
    The target of a Reshape has an entry that means nothing.

    Entries are sizes, `0` (copy the axis of the input at this place; a plain 0 with `allowzero = 1`) or one `-1`.
    Anything below -1, a second `-1`, a `0` beyond the rank of the input, `0` beside `-1` with `allowzero = 1`, or a
    target that is no list is refused.

    ```onnx
    g (float[N, 4] x) => (float[A, B] y) <int64[2] target = {-1, -1}> {
      # error: [reshape-target]
      y = Reshape (x, target)
    }
    ```
    """,
)
ZERO_ENTRY = rule(
    "reshape-zero-entry",
    "OLS203",
    "error",
    """
    An entry of a Reshape target may come to 0, which does not mean "empty" there.

    A 0 copies the axis of the input at the same place, so an entry that is computed to be 0 gives another size or is
    refused; and beside a 0 no size of the `-1` is defined. Mostly this matters to empty inputs alone (information);
    an entry such as `H // 7` is 0 for small ones too.

    ```onnx
    g (float[N, 4, 6] x) => (float[N, 24] y) <int64[2] target = {0, -1}> {
      # information: [reshape-zero-entry] "needs N != 0"
      y = Reshape (x, target)
    }
    ```

    Where empty inputs occur, give all sizes and set `allowzero = 1`.
    """,
)

Meaning = Dim | Literal["rest", "unsure"]
"""What an entry of a target comes to: a size, the -1 that takes the rest, or not known which."""


@op("Reshape")
def reshape_attribute(ctx: OpContext) -> Fact:
    """ONNX Reshape-1: the target is an attribute."""
    target = ctx.ints_attr("shape")
    return Fact() if target is None else _reshape(ctx, [Dim.of(entry) for entry in target], copies=True)


@op("Reshape", since=5)
def reshape(ctx: OpContext) -> Fact:
    """ONNX Reshape-5, 13, 14, 19, 21: the target is an input; `allowzero` since 14."""
    target = ctx.input(1)
    if target.shape is not None and len(target.shape) != 1:
        return ctx.reject(TARGET_ENTRY, "the target {1} has rank {rank}; it must be a list", rank=target.rank)
    entries: Sequence[Dim | None] | None = target.integers
    if entries is None:
        length = target.shape[0].const if target.shape else None
        if length is None or length > MAX_RANK:
            return Fact()
        entries = [None] * length
    return _reshape(ctx, entries, copies=not ctx.int_attr("allowzero", 0))


def _reshape(ctx: OpContext, target: Sequence[Dim | None], *, copies: bool) -> Fact:
    """The fact for a target whose entries are sizes, 0, -1, or not known (None)."""
    data = ctx.input(0)
    if not _entries_make_sense(ctx, target, data.shape, copies):
        return Fact()
    meanings: list[Meaning] = [_meaning(ctx, axis, entry, data.shape, copies) for axis, entry in enumerate(target)]
    if copies:
        for axis, entry in enumerate(target):
            if entry is not None and entry.const is None and meanings[axis] == entry:
                _require_not_zero(ctx, axis, entry, data.shape, has_rest="rest" in meanings)
    shape = _sizes(ctx, data.shape, meanings)
    source, sizes = array(data), constant_sizes(shape)
    moved = None if source is None or sizes is None else reshaped(source, sizes)
    return Fact(shape=shape, elements=None if moved is None else moved.elements, reach=data.reach)


def _entries_make_sense(ctx: OpContext, target: Sequence[Dim | None], data: Shape | None, copies: bool) -> bool:
    constants = [None if entry is None else entry.const for entry in target]
    if constants.count(-1) > 1:
        ctx.reject(TARGET_ENTRY, "the target {target} has more than one -1", target=_written(target))
        return False
    if not copies and 0 in constants and -1 in constants:
        ctx.reject(
            TARGET_ENTRY, "with allowzero = 1 the target {target} may not hold both 0 and -1", target=_written(target)
        )
        return False
    for axis, value in enumerate(constants):
        if value is not None and value < -1:
            ctx.reject(TARGET_ENTRY, "target[{axis}] = {value} is below -1", axis=axis, value=value)
            return False
        if value == 0 and copies and data is not None and axis >= len(data):
            ctx.reject(
                TARGET_ENTRY,
                "target[{axis}] = 0 copies axis {axis} of {0}, which has rank {rank} only",
                axis=axis,
                rank=len(data),
            )
            return False
    return True


def _meaning(ctx: OpContext, axis: int, entry: Dim | None, data: Shape | None, copies: bool) -> Meaning:
    """What one entry of the target comes to."""
    if entry is None:
        return "unsure"
    if entry.const is not None:
        if entry.const == -1:
            return "rest"
        return entry if entry.const or not copies else _copied(ctx, axis, data)
    zero = _copied(ctx, axis, data) if copies else entry
    least = entry.range[0]
    if least is not None and least >= 0:
        literal = entry == zero or never_zero(entry) or ctx.choose(at_most(1, entry), equal(entry, 0)) != 1
        return entry if literal else zero
    way = ctx.choose(at_most(1, entry), equal(entry, 0), equal(entry, -1))
    if way is None:
        return entry if ctx.ask(at_most(0, entry)) is True else "unsure"
    return (entry, zero, "rest")[way]


def _copied(ctx: OpContext, axis: int, data: Shape | None) -> Dim:
    """The axis of the input that an entry 0 copies."""
    return data[axis] if data is not None and axis < len(data) else ctx.fresh()


def _require_not_zero(ctx: OpContext, axis: int, entry: Dim, data: Shape | None, *, has_rest: bool) -> None:
    """A computed entry is the size that it says only where it is not 0, or copies a 0. Beside a -1 that is said of all
    entries elsewhere."""
    text = "target[{axis}] = {entry} may be 0, and a 0 there copies axis {axis} of {0}"
    if data is None or axis >= len(data):
        text += "" if data is None else ", which has rank {rank} only"
        ctx.require_nonzero(entry, ZERO_ENTRY, text, axis=axis, entry=entry, rank=len(data or ()))
        return
    copied = data[axis]
    if has_rest or entry == copied:
        return
    factor = entry.exact_div(copied) if copied.const is None else None
    if factor is not None and never_zero(factor):
        return
    condition: Condition = unequal(entry if factor is None else factor, 0)
    if copied.const is None:
        condition = any_of(condition, equal(copied, 0))
    text += ", which is {copied}"
    ctx.expect(condition, ZERO_ENTRY, "warning", text, axis=axis, entry=entry, copied=copied)


def _sizes(ctx: OpContext, data: Shape | None, meanings: Sequence[Meaning]) -> Shape:
    """The sizes that the entries come to, with what that needs of the number of elements."""
    known = [each for each in meanings if isinstance(each, Dim)]
    open_entries = len(meanings) - len(known)
    if data is not None and not open_entries:
        _require_same_size(ctx, data, known)
        return tuple(known)
    left = ctx.fresh() if open_entries else ONE
    if data is not None and _divisor_is_nonzero(ctx, data, meanings):
        top, bottom, _ = _cancelled(data, known)
        text, args = _divisibility(data, meanings)
        ctx.require_divides(bottom, top, NOT_DIVISIBLE, text, **args)
        if open_entries == 1:
            quotient = top.exact_div(bottom)
            left = top // bottom if quotient is None else quotient
    first = True
    shape: list[Dim] = []
    for each in meanings:
        if isinstance(each, Dim):
            shape.append(each)
        else:
            shape.append(left if first else ctx.fresh())
            first = False
    return tuple(shape)


def _divisor_is_nonzero(ctx: OpContext, data: Shape, meanings: Sequence[Meaning]) -> bool:
    """Whether the product of the sizes in a target is not 0: a -1 requires it, otherwise it must be known."""
    has_rest = "rest" in meanings
    for axis, dim in enumerate(meanings):
        if not isinstance(dim, Dim) or ctx.ask(unequal(dim, 0)) is True:
            continue
        if not has_rest:
            return False
        if axis < len(data) and dim != data[axis]:
            text = "target[{axis}] = {dim} may be 0, which copies axis {axis} of {0} and leaves the -1 another size"
            ctx.expect(unequal(dim, 0), ZERO_ENTRY, "warning", text, axis=axis, dim=dim)
        else:
            text = "target[{axis}] comes to {dim}; where that is 0, no size of the -1 is defined"
            ctx.require_nonzero(dim, ZERO_ENTRY, text, axis=axis, dim=dim)
        if dim.const == 0:
            return False
    return True


def _require_same_size(ctx: OpContext, data: Shape, sizes: Sequence[Dim]) -> None:
    total, known = product(data), product(sizes)
    if total == known:
        return
    top, bottom, shared = _cancelled(data, sizes)
    ways: list[Condition] = []
    if top.const is None or bottom.const is None:
        ways.append(equal(top, bottom) if bottom.const is not None else equal(bottom, top))
    if shared.const is None and ctx.ask(unequal(shared, 0)) is not True:
        ways.append(equal(shared, 0))
    condition = any_of(*ways) if ways else equal(total, known)
    baked, args = _baked(data, sizes)
    text = baked + "{0} of shape {shape} holds {total} elements, the target {target} {known}"
    args |= {"shape": _written(data), "target": _written(sizes), "total": total, "known": known}
    ctx.require(condition, SIZE_MISMATCH, text, **args)


def _cancelled(total: Sequence[Dim], known: Sequence[Dim]) -> tuple[Dim, Dim, Dim]:
    """Both products without the factors that they share, and the product of those: right where that is not 0."""
    have = list(total)
    left: list[Dim] = []
    shared = ONE
    for factor in sorted(known, key=lambda dim: dim not in total):
        place = next((i for i, dim in enumerate(have) if dim == factor), None)
        if place is None:
            place = next((i for i, dim in enumerate(have) if dim.exact_div(factor) is not None), None)
        quotient = None if place is None else have[place].exact_div(factor)
        if place is None or quotient is None:
            left.append(factor)
        else:
            have[place], shared = quotient, shared * factor
    top, bottom = product(have), product(left)
    common = _common_monomial(top, bottom)
    reduced_top, reduced_bottom = top.exact_div(common), bottom.exact_div(common)
    if reduced_top is None or reduced_bottom is None:
        return top, bottom, shared
    return reduced_top, reduced_bottom, shared * common


def _common_monomial(left: Dim, right: Dim) -> Dim:
    """The greatest number and product of atoms that divides both; 1 where both are 0."""
    terms = [*left.terms.items(), *right.terms.items()]
    if not terms:
        return ONE
    shared = list(terms[0][0])
    for monomial, _ in terms[1:]:
        others = list(monomial)
        kept: list[Atom] = []
        for atom in shared:
            if atom in others:
                others.remove(atom)
                kept.append(atom)
        shared = kept
    return Dim({tuple(shared): reduce(gcd, (coefficient for _, coefficient in terms), 0)})


# -------------------------------------------------------------------- words


def _written(entries: Sequence[Meaning | None]) -> str:
    """A shape or target as it is written."""
    shown = {"rest": "-1", "unsure": "?", None: "?"}
    return "[" + ", ".join(str(each) if isinstance(each, Dim) else shown[each] for each in entries) + "]"


def _divisibility(data: Shape, target: Sequence[Meaning]) -> tuple[str, dict[str, object]]:
    """What is wrong where the rest of a target is no whole number, and what happens to the rows where it is."""
    baked, args = _baked(data, target)
    text = baked + "{0} of shape {shape} holds {total} elements; the target {target} needs a multiple of {known}"
    if baked and "rest" in target:
        text += ", and where it is one, rows of other axes are folded into target[{rest}]"
        args["rest"] = target.index("rest")
    known = product(each for each in target if isinstance(each, Dim))
    return text, args | {"shape": _written(data), "target": _written(target), "total": product(data), "known": known}


def _baked(data: Shape, target: Sequence[Meaning]) -> tuple[str, dict[str, object]]:
    """Entries that are constants where the input has a symbolic axis at the same place, counted from either end."""
    fronts = [(axis, axis) for axis in range(min(len(data), len(target)))]
    backs = [(len(target) - 1 - each, len(data) - 1 - each) for each, _ in fronts]
    found: dict[int, int] = {}
    for pairs in (fronts, backs):
        for place, axis in pairs:
            entry, dim = target[place], data[axis]
            if entry == dim:
                continue
            if not isinstance(entry, Dim) or entry.const is None or dim.const is not None or dim in target:
                break
            found.setdefault(place, axis)
    text = "".join(
        f"target[{place}] = {target[place]} is constant, but axis {axis} of {{0}} is {{axis{axis}}}; "
        for place, axis in sorted(found.items())
    )
    return text, {f"axis{axis}": data[axis] for axis in found.values()}
