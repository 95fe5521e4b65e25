"""Scan: a body that walks tensors slice by slice and carries values of one shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onnxls.dims import Dim
from onnxls.facts import UNKNOWN, Fact, Shape
from onnxls.graph import Graph
from onnxls.ops import op
from onnxls.ops.context import GraphRun, OpContext
from onnxls.ops.joins import Meet, forget, merged, without_elements
from onnxls.ops.nesting import BODY_ARITY
from onnxls.relations import Condition, all_of, at_most
from onnxls.rules import rule

MAX_PASSES = 4

SCAN_LENGTH = rule(
    "scan-length-mismatch",
    "OLS403",
    "error",
    """
    The inputs that a Scan walks have different lengths, or none.

    `Scan` takes one slice of each scanned input in each turn, so all are of one length along their scanned axes.
    (And runtimes do not stack the results of no turn at all.)

    ```onnx
    g (float[4, 2] x, float[5, 2] z) => (float[L, 2] y) {
      # error: [scan-length-mismatch]
      y = Scan <num_scan_inputs = 2, body = b (float[2] e, float[2] f) => (float[2] r) { r = Add (e, f) }> (x, z)
    }
    ```

    `Slice` or `Pad` one of them, or check `scan_input_axes`.
    """,
)
STATE_CHANGES = rule(
    "scan-state-changes",
    "OLS404",
    "error",
    """
    A value that a Scan carries has another shape after a turn than before.

    `Scan` allocates its carried values once; the body must return each of them in the shape that it got.

    ```onnx
    g (float[N, 3] x, float[3] s) => (float[K] y) {
      # error: [scan-state-changes]
      y = Scan <num_scan_inputs = 1, body = b (float[A] t, float[3] e) => (float[B] u) {
        u = Concat <axis = 0> (t, e)
      }> (s, x)
    }
    ```

    Stack the slices as further outputs of the body, or use a `Loop`, whose values may grow.
    """,
)
SCAN_AXIS = rule(
    "scan-axes",
    "OLS405",
    "error",
    """
    An axis that a Scan walks or stacks along does not exist, or there are too few or too many of them.

    `scan_input_axes` has an entry for each scanned input, `scan_output_axes` one for each stacked output; an output
    axis counts in the stacked result, which has one axis more than a row.

    ```onnx
    g (float[N, 3] x) => (float[K, 3] y) {
      # error: [scan-axes]
      y = Scan <num_scan_inputs = 1, scan_input_axes = [2], body = b (float[3] e) => (float[3] r) { r = Relu (e) }> (x)
    }
    ```
    """,
)


@op("Scan", since=9)
def scan(ctx: OpContext) -> Fact | tuple[Fact, ...]:
    """ONNX Scan-9, 11 and later: carried values, then rows stacked along an axis of choice."""
    body, split = ctx.graph_attr("body"), len(ctx.inputs) - ctx.int_attr("num_scan_inputs", 1)
    if body is None or not _fits(ctx, body, split, len(ctx.inputs)):
        return ()
    scanned = range(split, len(ctx.inputs))
    axes = _axes(ctx, "scan_input_axes", len(scanned))
    slices: list[Fact] = []
    lengths: list[tuple[int, Dim]] = []
    for index, axis in zip(scanned, axes, strict=True):
        taken = _slice(ctx, index, axis)
        if taken is None:
            return ()
        slices.append(taken[0])
        if taken[1] is not None:
            lengths.append((index, taken[1]))
    length = _one_length(ctx, lengths)
    rows = len(body.outputs) - split
    _require_turns(ctx, length, rows)
    start = tuple(ctx.input(index) for index in range(split))
    turns = at_most(1, length)
    made, after = _run(ctx, body, start, slices, turns, runs=rows > 0 or ctx.ask(turns) is True)
    out_axes = _axes(ctx, "scan_output_axes", rows)
    stacked = (_stack(ctx, row, length, axis, made) for row, axis in zip(made.outputs[split:], out_axes, strict=True))
    return (*after, *stacked)


def _fits(ctx: OpContext, body: Graph, carried: int, inputs: int) -> bool:
    if carried >= 0 and len(body.inputs) == inputs and len(body.outputs) >= max(carried, len(ctx.wanted)):
        return True
    text = "the body takes {takes} inputs and gives {gives} outputs, but Scan passes {inputs} and carries {carried}"
    args = {"takes": len(body.inputs), "gives": len(body.outputs), "inputs": inputs, "carried": max(carried, 0)}
    ctx.reject(BODY_ARITY, text, **args)
    return False


def _axes(ctx: OpContext, name: str, count: int) -> tuple[int, ...]:
    given = ctx.ints_attr(name)
    if not given:
        return (0,) * count
    if len(given) != count:
        text = "`{name}` has {got} entries; there must be {want}"
        ctx.reject(SCAN_AXIS, text, name=name, got=len(given), want=count)
        return (0,) * count
    return given


def _slice(ctx: OpContext, index: int, axis: int) -> tuple[Fact, Dim | None] | None:
    """What the body gets of a scanned input in one turn, and the length of the input; None after a rejection."""
    fact = ctx.input(index)
    if fact.shape is None:
        return Fact(fact.dtype), None
    place = ctx.axis(axis, len(fact.shape), SCAN_AXIS, "scanned axis")
    if place is None or not fact.shape:
        return None
    rest = fact.shape[:place] + fact.shape[place + 1 :]
    return Fact(fact.dtype, rest), fact.shape[place]


def _one_length(ctx: OpContext, lengths: Sequence[tuple[int, Dim]]) -> Dim:
    """The length of all scanned inputs, which must agree."""
    if not lengths:
        return ctx.fresh()
    first, length = lengths[0]
    for index, other in lengths[1:]:
        text = f"the scanned axis of {{{first}}} has {{lhs}} entries, that of {{{index}}} {{rhs}}; they must be equal"
        ctx.require_equal(length, other, SCAN_LENGTH, text)
    return length


def _require_turns(ctx: OpContext, length: Dim, rows: int) -> None:
    if rows > 0:
        ctx.require_nonzero(length, SCAN_LENGTH, "the scanned inputs are empty; the rows of no turn cannot be stacked")


def _run(
    ctx: OpContext,
    body: Graph,
    start: tuple[Fact, ...],
    slices: Sequence[Fact],
    turns: Condition,
    *,
    runs: bool,
    offset: int = 0,
) -> tuple[GraphRun, tuple[Fact, ...]]:
    """A run of the body that stands for all turns, and the carried values after the last of them.

    `turns`: that there are any. `offset`: the index of the input with the first of the carried values.
    """
    changed: set[str] = set()

    def new(before: Dim, _: Dim) -> Dim:
        symbol = before.as_symbol
        if symbol is not None and symbol.name in changed:
            return before
        made = ctx.fresh_element()
        changed.update(made.symbols())
        return made

    meet = Meet(lambda before, _: before, new)
    carried = start
    for _ in range(MAX_PASSES):
        made = ctx.run("body", body, (*carried, *slices), "trial", turns)
        after = tuple(_kept(a, merged(a, b, meet)) for a, b in zip(carried, made.outputs, strict=False))
        if after == carried:
            break
        carried = after
    else:
        carried = tuple(without_elements(fact) for fact in carried)
    made = ctx.run("body", body, (*carried, *slices), "certain" if runs else "maybe", turns)
    for index, (before, after) in enumerate(zip(carried, made.outputs, strict=False), offset):
        _require_same_shape(ctx, index, before, after)
    return made, tuple(forget(ctx, fact, frozenset(changed)) for fact in carried)


def _kept(before: Fact, joined: Fact) -> Fact:
    """The join of a carried value before and after a turn: its shape may not change."""
    return replace(before, elements=joined.elements if joined.shape == before.shape else None)


def _require_same_shape(ctx: OpContext, index: int, before: Fact, after: Fact) -> None:
    """Requires that a turn leaves the shape of a carried value as it was."""
    if before.shape is None or after.shape is None:
        return
    what = f"the carried value {{{index}}}"
    if len(before.shape) != len(after.shape):
        text = f"{what} has rank {len(before.shape)}, but rank {len(after.shape)} after a turn"
        ctx.reject(STATE_CHANGES, text)
        return
    for axis, (dim, then) in enumerate(zip(before.shape, after.shape, strict=True)):
        text = f"axis {axis} of {what} is {{lhs}}, but {{rhs}} after a turn; its shape may not change"
        ctx.require_equal(dim, then, STATE_CHANGES, text)


def _stack(ctx: OpContext, row: Fact, length: Dim, axis: int, made: GraphRun) -> Fact:
    """The rows of all turns in one tensor."""
    if row.shape is None:
        return Fact(row.dtype)
    place = ctx.axis(axis, len(row.shape) + 1, SCAN_AXIS, "stacked axis")
    if place is None:
        return UNKNOWN
    shape: Shape = forget(ctx, row, made.born).shape or ()
    return Fact(row.dtype, (*shape[:place], length, *shape[place:]))


@op("Scan", since=8)
def scan_batched(ctx: OpContext) -> Fact | tuple[Fact, ...]:
    """ONNX Scan-8: as later ones, for each entry of a batch axis in front of all inputs and outputs."""
    body, split = ctx.graph_attr("body"), len(ctx.inputs) - ctx.int_attr("num_scan_inputs", 1)
    if body is None or not _fits(ctx, body, split - 1, len(ctx.inputs) - 1):
        return ()
    batches: list[tuple[int, Dim]] = []
    lengths: list[tuple[int, Dim]] = []
    given: list[Fact] = []
    for index in range(1, len(ctx.inputs)):
        fact, axes = ctx.input(index), 1 if index < split else 2
        if fact.shape is None:
            given.append(Fact(fact.dtype))
            continue
        if len(fact.shape) < axes:
            text = f"{{{index}}} has rank {len(fact.shape)}; it needs a batch axis" + (
                " and a scanned one" * (axes - 1)
            )
            ctx.reject(SCAN_AXIS, text)
            return ()
        batches.append((index, fact.shape[0]))
        if axes == 2:
            lengths.append((index, fact.shape[1]))
        given.append(Fact(fact.dtype, fact.shape[axes:]))
    batch, length = _one_batch(ctx, batches), _one_length(ctx, lengths)
    carried = split - 1
    turns = all_of(at_most(1, length), at_most(1, batch))
    runs = ctx.ask(turns) is True
    made, after = _run(ctx, body, tuple(given[:carried]), given[carried:], turns, runs=runs, offset=1)
    states = (fact if fact.shape is None else replace(fact, shape=(batch, *fact.shape)) for fact in after)
    stacked = (_stack(ctx, row, length, 0, made) for row in made.outputs[carried:])
    return (*states, *(fact if fact.shape is None else replace(fact, shape=(batch, *fact.shape)) for fact in stacked))


def _one_batch(ctx: OpContext, batches: Sequence[tuple[int, Dim]]) -> Dim:
    """The size of the batch axis of all inputs, which must agree."""
    if not batches:
        return ctx.fresh()
    first, batch = batches[0]
    lens = ctx.input(0).shape
    others = list(batches[1:])
    if lens is not None and len(lens) == 1:
        others.append((0, lens[0]))
    for index, other in others:
        text = f"the batch axis of {{{first}}} has {{lhs}} entries, that of {{{index}}} {{rhs}}; they must be equal"
        ctx.require_equal(batch, other, SCAN_LENGTH, text)
    return batch
