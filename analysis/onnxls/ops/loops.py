"""Loop: a body that runs again and again on its own results.

What is true of every turn is found by running the body on more and more general facts until it gives no others
(widening). Short loops whose turns can be counted are run turn by turn instead, on exact facts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from onnxls.dims import ONE, ZERO, Dim, maximum, minimum
from onnxls.facts import BOOL, INT64, MAX_ELEMENTS, UNKNOWN, Element, Fact, Ratio
from onnxls.graph import Graph
from onnxls.ops import op
from onnxls.ops.context import GraphRun, OpContext, RunMode
from onnxls.ops.joins import Meet, forget, is_local, join, merged
from onnxls.ops.nesting import BODY_ARITY, SILENT, require_single
from onnxls.relations import Condition, at_most, equal
from onnxls.rules import rule

MAX_TURNS = 16
MAX_UNROLLED = 512
"""The greatest number of turns, and of nodes in all turns, of a loop that is run turn by turn."""
MAX_PASSES = 12

ROWS_DIFFER = rule(
    "loop-rows-differ",
    "OLS406",
    "error",
    """
    What a Loop stacks has another shape in one turn than in the first.

    The further outputs of a body are stacked, one row for each turn. All rows must have one shape; a value that
    grows from turn to turn cannot be stacked.

    ```onnx
    g (float[2] x) => (float[4] last, float[2, K] rows) <int64 two = {2}, bool yes = {1}> {
      # error: [loop-rows-differ]
      last, rows = Loop (two, yes, x) <
        body = b (int64 i, bool c, float[?] s) => (bool d, float[?] t, float[?] row) {
          d = Identity (c)
          t = Concat <axis = 0> (s, x)
          row = Identity (s)
        }
      >
    }
    ```

    Carry the growing value and take it after the loop, or collect the rows in a sequence.
    """,
)
NEVER_ENDS = rule(
    "loop-never-ends",
    "OLS407",
    "warning",
    """
    A Loop has neither a trip count nor a condition that can become false.

    Without a trip count the loop goes on until its body gives a false condition. This body always gives a true one,
    or passes on the one it got.

    ```onnx
    g (bool yes, float[N] x) => (float[N] y) {
      t = Constant <value = bool {1}> ()
      # warning: [loop-never-ends]
      y = Loop ("", t, x) <
        body = b (int64 i, bool c, float[N] s) => (bool d, float[N] r) { d = Identity (c) r = Relu (s) }
      >
    }
    ```

    Give a trip count, or compute the condition in the body.
    """,
)


@op("Loop")
def loop(ctx: OpContext) -> Fact | tuple[Fact, ...]:
    """ONNX Loop-1 and later: the carried values after the last turn, and the rows of all turns stacked."""
    body = ctx.graph_attr("body")
    if body is None:
        return ()
    start = tuple(UNKNOWN if fact is None else fact for fact in ctx.inputs[2:])
    if len(body.inputs) != len(start) + 2:
        text = "the body takes {want} inputs, but gets the turn, the condition and {got} carried values"
        return ctx.reject(BODY_ARITY, text, want=len(body.inputs), got=len(start))
    if len(body.outputs) < len(start) + 1 or len(ctx.wanted) >= len(body.outputs):
        text = "the body gives a condition and {got} others, but Loop carries {want} values and has {n} outputs"
        args = {"got": len(body.outputs) - 1, "want": len(start), "n": len(ctx.wanted)}
        return ctx.reject(BODY_ARITY, text, **args)
    require_single(ctx, 0, "trip count")
    require_single(ctx, 1, "condition")
    state = _Loop(ctx, body, start, _turns(ctx), _declared_counter(body), [])
    if state.turns.some is False:
        return state.without_turns()
    return state.unrolled() or state.widened()


@dataclass(frozen=True, slots=True)
class _Turns:
    """What is known of the number of turns before the body is looked at.

    `limit`: at most so many; None where there is no trip count or it is unknown. `start`: the condition at the
    start. `some`: whether there is a turn at all.
    """

    limit: Dim | None
    start: bool | None
    some: bool | None


def _turns(ctx: OpContext) -> _Turns:
    count = ctx.input(0).scalar if ctx.has(0) else None
    start: bool | None = True
    if ctx.has(1):
        condition = ctx.input(1).scalar
        start = None if condition is None else ctx.branch(equal(condition, 1))
    if start is False or (count is not None and ctx.ask(at_most(count, 0)) is True):
        return _Turns(ZERO, start, False)
    some: bool | None = None
    if start is True:
        some = True if not ctx.has(0) else None if count is None else ctx.branch(at_most(1, count))
    return _Turns(None if count is None else maximum(ZERO, count), start, some)


def _declared_counter(body: Graph) -> tuple[Dim, ...]:
    """The shape of the iteration number: a scalar, unless the body declares a vector of one element."""
    declared = body.inputs[0].type
    return (ONE,) if declared is not None and declared.shape is not None and len(declared.shape) == 1 else ()


class _Widening:
    """Makes sizes that change from turn to turn symbols of the loop. `names`: of the symbols made."""

    def __init__(self, ctx: OpContext) -> None:
        self.ctx = ctx
        self.names: set[str] = set()
        self.meet = Meet(lambda a, b: self._grown(a, ctx.fresh), lambda a, b: self._grown(a, ctx.fresh_element))

    def made(self, dim: Dim) -> bool:
        """Whether this is a symbol of the loop."""
        symbol = dim.as_symbol
        return symbol is not None and symbol.name in self.names

    def _grown(self, before: Dim, fresh: Callable[[], Dim]) -> Dim:
        if self.made(before):
            return before
        new = fresh()
        self.names |= new.symbols()
        return new


@dataclass(frozen=True, slots=True)
class _Loop:
    """One application of Loop."""

    ctx: OpContext
    body: Graph
    start: tuple[Fact, ...]
    turns: _Turns
    counter: tuple[Dim, ...]
    bounds: list[Condition]

    def run(self, number: Dim, condition: Fact, carried: Sequence[Fact], mode: RunMode) -> GraphRun:
        """One turn of the body. Whenever it runs, the condition is true."""
        turn = Fact(INT64, self.counter, (number,))
        single = condition.shape is not None and all(dim.const == 1 for dim in condition.shape)
        true = Fact(BOOL, condition.shape, (ONE,) if single else None)
        before = len(self.ctx.given)
        self.ctx.given.extend(self.bounds)
        made = self.ctx.run("body", self.body, (turn, true, *carried), mode)
        del self.ctx.given[before:]
        return made

    @property
    def condition(self) -> Fact:
        """The condition at the start."""
        return self.ctx.input(1) if self.ctx.has(1) else Fact(BOOL, ())

    def rows_of(self, made: GraphRun) -> tuple[Fact, ...]:
        """What a turn gives to be stacked."""
        return made.outputs[1 + len(self.start) :]

    def carried_by(self, made: GraphRun) -> tuple[Fact, ...]:
        """The carried values after a turn."""
        return made.outputs[1 : 1 + len(self.start)]

    def next_of(self, after: Sequence[Fact]) -> tuple[Fact, ...]:
        """What the next turn gets: where the first one got an optional, what the body gives in its place is one."""
        return tuple(
            Fact(type="optional", element=new, length=ONE)
            if first.type == "optional" and new.type in ("tensor", "sequence")
            else new
            for first, new in zip(self.start, after, strict=True)
        )

    # ---------------------------------------------------------------- no turn

    def without_turns(self) -> tuple[Fact, ...]:
        """The values as they were, and no rows: onnxruntime makes their sizes 0 where it does not know them."""
        made = self.run(ZERO, self.condition, self.start, SILENT)
        rows = (self.stacked(row, ZERO, frozenset(), True) for row in self.rows_of(made))
        return (*self.start, *rows)

    def stacked(self, row: Fact, count: Dim, local: frozenset[str], maybe_none: bool) -> Fact:
        """The rows of all turns in one tensor."""
        if row.shape is None:
            return Fact(row.dtype)
        return Fact(row.dtype, (count, *(self.row_size(dim, count, local, maybe_none) for dim in row.shape)))

    def row_size(self, dim: Dim, count: Dim, local: frozenset[str], maybe_none: bool) -> Dim:
        """The size of an axis of a row. Where there is no row, onnxruntime makes it 0 unless it is a constant."""
        if dim.const is not None:
            return dim
        if is_local(dim, local):
            return self.ctx.fresh()
        return dim * minimum(ONE, count) if maybe_none else dim

    # ---------------------------------------------------------------- turn by turn

    def unrolled(self) -> tuple[Fact, ...] | None:
        """The outputs after a number of turns that can be counted, by the trip count or the conditions; None where it
        cannot."""
        limit = self.turns.limit.const if self.turns.limit is not None else None
        if not self.turns.some or (limit is None and self.ctx.has(0)):
            return None
        most = min(MAX_TURNS, MAX_UNROLLED // max(_weight(self.body), 1))
        if most == 0 or ((limit is None or limit > most) and not (self.ctx.has(1) and _may_end(self.body))):
            return None
        condition, carried, after = self.condition, self.start, self.start
        rows: list[tuple[Fact, ...]] = []
        for turn in range(most if limit is None else min(limit, most)):
            made = self.run(Dim.of(turn), condition, carried, "certain")
            rows.append(self.rows_of(made))
            after = self.carried_by(made)
            if any(_lost(old, new) for old, new in zip(carried, after, strict=True)):
                return None
            condition, carried = made.outputs[0], self.next_of(after)
            goes_on = None if condition.scalar is None else condition.scalar.const
            if turn + 1 != limit and goes_on != 1:
                if goes_on is None or not self.ctx.has(1):
                    return None
                break
        else:
            if len(rows) != limit:
                return None
        if len(rows) > 1:
            self.show_all_turns()
        return (*after, *(self.all_rows(slot, rows) for slot in range(len(rows[0]))))

    def all_rows(self, slot: int, rows: Sequence[tuple[Fact, ...]]) -> Fact:
        """The rows of counted turns, which must have one shape."""
        first = rows[0][slot]
        if first.shape is None:
            return Fact(first.dtype)
        for turn, row in enumerate(rows):
            self.require_same(first.shape, row[slot].shape, slot, turn)
        parts = [row[slot].elements for row in rows]
        elements: list[Element] | None = []
        for part in parts:
            elements = None if part is None or elements is None else [*elements, *part]
        if elements is not None and len(elements) > MAX_ELEMENTS:
            elements = None
        return Fact(first.dtype, (Dim.of(len(rows)), *first.shape), None if elements is None else tuple(elements))

    def require_same(self, first: tuple[Dim, ...], other: tuple[Dim, ...] | None, slot: int, turn: int) -> None:
        """Requires that a row has the shape of the first."""
        if other is None:
            return
        if len(first) != len(other):
            text = (
                "the rows of output {slot} have rank {lhs} in turn 0, but {rhs} in turn {turn}; they cannot be stacked"
            )
            self.ctx.reject(ROWS_DIFFER, text, slot=len(self.start) + slot, turn=turn, lhs=len(first), rhs=len(other))
            return
        text = "axis {axis} of the rows of output {slot} is {lhs} in turn 0, but {rhs} in turn {turn}"
        for axis, (dim, now) in enumerate(zip(first, other, strict=True)):
            self.ctx.require_equal(dim, now, ROWS_DIFFER, text, axis=axis, slot=len(self.start) + slot, turn=turn)

    def show_all_turns(self) -> None:
        """Gives the values inside facts that hold in every turn, not those of the last one."""
        widening = _Widening(self.ctx)
        number = self.any_turn()
        made = self.run(number, self.condition, self.start, "trial")
        condition, carried, _ = self.fixpoint(widening, number, made)
        self.run(number, condition, carried, SILENT)

    # ---------------------------------------------------------------- any number of turns

    def any_turn(self) -> Dim:
        """The number of any turn. That it is less than the trip count is known in the body only: the loop may have no
        turn."""
        number = self.ctx.fresh()
        if self.turns.limit is not None:
            self.bounds.append(at_most(number, self.turns.limit - 1))
        return number

    def fixpoint(self, widening: _Widening, number: Dim, made: GraphRun) -> tuple[Fact, tuple[Fact, ...], bool]:
        """The condition and carried values at the start of any turn, from those of the first turn and its outcome;
        and whether they are still those of the first."""
        before = (self.condition, *self.start)
        for passed in range(MAX_PASSES):
            outcome = (made.outputs[0], *self.next_of(self.carried_by(made)))
            after = tuple(merged(old, new, widening.meet) for old, new in zip(before, outcome, strict=True))
            if replace(after[0], elements=None) == replace(before[0], elements=None) and after[1:] == before[1:]:
                return before[0], before[1:], passed == 0
            before = after
            made = self.run(number, before[0], before[1:], "trial")
        return Fact(BOOL), tuple(Fact(fact.dtype, type=fact.type) for fact in before[1:]), False

    def widened(self) -> tuple[Fact, ...]:
        """The outputs after any number of turns."""
        widening = _Widening(self.ctx)
        number = self.any_turn()
        made = self.run(number, self.condition, self.start, "certain" if self.turns.some else "maybe")
        condition, carried, same = self.fixpoint(widening, number, made)
        if not same:
            made = self.run(number, condition, carried, "maybe")
        local = made.born | widening.names | number.symbols()
        count = self.count(made.outputs[0])
        rows = (self.stacked(row, count, local, not self.turns.some) for row in self.rows_of(made))
        after = zip(self.start, carried, self.carried_by(made), strict=True)
        exits = tuple(self.after_last(first, any_, last, count, widening, local) for first, any_, last in after)
        return (*exits, *rows)

    def count(self, goes_on: Fact) -> Dim:
        """The number of turns, given the condition at the end of any turn."""
        always = self.turns.start is True and goes_on.scalar is not None and goes_on.scalar == 1
        if always and self.turns.limit is not None:
            return self.turns.limit
        if always and not self.ctx.has(0):
            self.ctx.remark(NEVER_ENDS, "there is no trip count, and the condition is always true: the loop never ends")
        return self.ctx.fresh(upper=self.turns.limit, lower=1 if self.turns.some else 0)

    def after_last(
        self, first: Fact, any_: Fact, last: Fact, count: Dim, widening: _Widening, local: frozenset[str]
    ) -> Fact:
        """A carried value after the loop: `first` before the first turn, `any_` before and `last` after any turn."""
        if first == last:
            return first

        def size(first: Dim, any_: Dim, last: Dim) -> Dim | None:
            """The size after the last turn: what grows by the same in each turn has grown `count` times."""
            step = last - any_
            if (widening.made(any_) or first == any_) and not is_local(step, local):
                return first + step * count
            return None

        shape = _each_size(first.shape, any_.shape, last.shape, size)
        elements = _each_size(_integers(first), _integers(any_), _integers(last), size)
        length = None
        if first.length is not None and any_.length is not None and last.length is not None:
            length = size(first.length, any_.length, last.length)
        left = forget(self.ctx, last, local)
        if not self.turns.some:
            left = join(self.ctx, (first, left))
        if left.type == "sequence":
            return left if length is None else replace(left, length=length, items=None)
        if shape is not None and left.shape is not None:
            left = replace(left, shape=tuple(a if a is not None else b for a, b in zip(shape, left.shape, strict=True)))
        if elements is not None and left.elements is not None:
            left = replace(
                left, elements=tuple(a if a is not None else b for a, b in zip(elements, left.elements, strict=True))
            )
        return left


def _integers(fact: Fact) -> tuple[Dim, ...] | None:
    if fact.elements is None or any(isinstance(each, Ratio) for each in fact.elements):
        return None
    return fact.integers


def _each_size(
    first: tuple[Dim, ...] | None,
    any_: tuple[Dim, ...] | None,
    last: tuple[Dim, ...] | None,
    size: Callable[[Dim, Dim, Dim], Dim | None],
) -> list[Dim | None] | None:
    """`size` of each three, where there are as many of each."""
    if first is None or any_ is None or last is None or not len(first) == len(any_) == len(last):
        return None
    return [size(*dims) for dims in zip(first, any_, last, strict=True)]


def _lost(old: Fact, new: Fact) -> bool:
    """Whether a turn took away what was known of a value: nothing is won by further exact turns."""
    return (old.type is not None and new.type is None) or (old.shape is not None and new.shape is None)


def _may_end(body: Graph) -> bool:
    """Whether the condition that a body gives is computed in it, and not just passed on."""
    makers = {output: node for node in body.nodes for output in node.outputs if output}
    maker = makers.get(body.outputs[0].name)
    while maker is not None and maker.op_type == "Identity" and maker.inputs:
        maker = makers.get(maker.inputs[0])
    return maker is not None and maker.op_type != "Constant"


def _weight(graph: Graph) -> int:
    """The number of nodes in a graph and those nested in it; beyond reason where one of them loops itself."""
    weight = 0
    for node in graph.nodes:
        weight += MAX_UNROLLED if node.op_type in ("Loop", "Scan", "SequenceMap") else 1
        weight += sum(_weight(attr.value) for attr in node.attrs.values() if isinstance(attr.value, Graph))
    return weight
