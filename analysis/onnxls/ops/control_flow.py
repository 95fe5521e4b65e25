"""Choice and mapping: If and SequenceMap. Loops are in `loops` and `scans`."""

from __future__ import annotations

from dataclasses import replace

from onnxls.dims import Dim
from onnxls.facts import UNKNOWN, Case, Fact
from onnxls.graph import Graph
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.ops.joins import forget, join, renewed, without_elements
from onnxls.ops.nesting import BODY_ARITY, SILENT, require_single
from onnxls.ops.truths import truth
from onnxls.relations import at_most, equal
from onnxls.rules import rule

BRANCHES_DISAGREE = rule(
    "if-branches-disagree",
    "OLS402",
    "error",
    """
    The branches of an If have different numbers of outputs, or outputs of different types.

    Whichever branch runs, the outputs of `If` are its outputs, in order. Their shapes may differ; their number and
    their element types may not, and no runtime loads such a model.

    ```onnx
    g (bool c, float[N] x) => (float[M] y) {
      # error: [if-branches-disagree]
      y = If (c) <
        then_branch = yes () => (float[N] a) { a = Relu (x) },
        else_branch = no () => (int64[1] b) { b = Shape (x) }
      >
    }
    ```

    `Cast` one of them, or give both branches the same outputs.
    """,
)
NO_BRANCH_RUNS = rule(
    "if-no-branch-runs",
    "OLS408",
    "error",
    """
    Both branches of an If fail, so that it fails whatever the condition is.

    What is wrong in the branches is told where it is.

    ```onnx
    g (bool c, float[N, 3] x, float[4] b) => (float[N, 4] y) {
      # error: [if-no-branch-runs]
      y = If (c) <
        then_branch = yes () => (float[N, 4] t) {
          t = Add (x, b)  # warning: [broadcast-mismatch]
        },
        else_branch = no () => (float[N, 4] e) {
          e = Sub (x, b)  # warning: [broadcast-mismatch]
        }
      >
    }
    ```
    """,
)
MAP_LENGTH = rule(
    "sequence-map-length-mismatch",
    "OLS409",
    "error",
    """
    Two sequences that SequenceMap walks together have different lengths.

    The body gets an element of each, at the same position; all sequences must be as long as the first.

    ```onnx
    g (float[N] x) => (seq(float[N]) y) {
      one = SequenceConstruct (x)
      two = SequenceConstruct (x, x)
      # error: [sequence-map-length-mismatch]
      y = SequenceMap (one, two) <body = b (float[N] e, float[N] f) => (float[N] r) { r = Add (e, f) }>
    }
    ```
    """,
)


@op("If")
def if_(ctx: OpContext) -> Fact | tuple[Fact, ...]:
    """ONNX If-1 and later: a condition that is decided leaves one branch, else the outputs are what both agree on."""
    require_single(ctx, 0, "condition")
    chosen, other = ctx.graph_attr("then_branch"), ctx.graph_attr("else_branch")
    if chosen is None or other is None:
        return ()
    if len(chosen.outputs) != len(other.outputs):
        text = "then_branch has {left} outputs, else_branch {right}; they must be the same"
        return ctx.reject(BRANCHES_DISAGREE, text, left=len(chosen.outputs), right=len(other.outputs))
    condition = ctx.input(0).scalar
    path = None if condition is None else truth(condition) or equal(condition, 1)
    way = None if path is None else ctx.branch(path)
    if way is None:
        otherwise = None if path is None else path.negation()
        first = ctx.run("then_branch", chosen, (), "maybe", path)
        second = ctx.run("else_branch", other, (), "maybe", otherwise)
        taken, instead = first.outputs, second.outputs
        if first.fails and second.fails:
            ctx.reject(NO_BRANCH_RUNS, "neither branch can run")
        _require_same_types(ctx, taken, instead)
        made = [join(ctx, pair) for pair in zip(taken, instead, strict=True)]
        if path is None or otherwise is None:
            return tuple(made)
        return tuple(
            fact if a == b else replace(fact, cases=(Case(path, a), Case(otherwise, b)))
            for fact, a, b in zip(made, taken, instead, strict=True)
        )
    names = ("then_branch", chosen), ("else_branch", other)
    (name, graph), (dead_name, dead) = names if way else names[::-1]
    ctx.run(dead_name, dead, (), SILENT)
    return ctx.run(name, graph, (), "certain").outputs


def _require_same_types(ctx: OpContext, taken: tuple[Fact, ...], instead: tuple[Fact, ...]) -> None:
    for position, (a, b) in enumerate(zip(taken, instead, strict=True)):
        kinds_differ = a.type != b.type and a.type is not None and b.type is not None
        types_differ = a.type == b.type and a.dtype != b.dtype and a.dtype is not None and b.dtype is not None
        if kinds_differ or types_differ:
            text = "output {position} has one type in then_branch and another in else_branch; they must be the same"
            ctx.reject(BRANCHES_DISAGREE, text, position=position)


@op("SequenceMap", since=17)
def sequence_map(ctx: OpContext) -> Fact | tuple[Fact, ...]:
    """ONNX SequenceMap-17: the body, run for each element of the first input; one sequence for each of its outputs."""
    body = ctx.graph_attr("body")
    if body is None:
        return ()
    first = ctx.input(0)
    if first.type not in ("sequence", None):
        return ()
    if len(body.inputs) != len(ctx.inputs):
        text = "the body takes {want} inputs, but SequenceMap passes {got}"
        return ctx.reject(BODY_ARITY, text, want=len(body.inputs), got=len(ctx.inputs))
    length = _common_length(ctx)
    if first.items is not None and _few(ctx, body, len(first.items)):
        return _each(ctx, body, len(first.items))
    runs = length is not None and ctx.ask(at_most(1, length)) is True
    given = [renewed(ctx, _element(fact)) if fact.type == "sequence" else fact for fact in ctx.present()]
    turns = None if length is None else at_most(1, length)
    made = ctx.run("body", body, given, "certain" if runs else "maybe", turns)
    size = ctx.fresh() if length is None else length
    return tuple(_sequence(without_elements(forget(ctx, fact, made.born)), size) for fact in made.outputs)


def _common_length(ctx: OpContext) -> Dim | None:
    """The length of all sequences, with the requirement that they agree."""
    length = ctx.input(0).length
    for index in range(1, len(ctx.inputs)):
        fact = ctx.input(index)
        if fact.type == "sequence" and fact.length is not None and length is not None:
            text = f"{{0}} has {{lhs}} elements, but {{{index}}} has {{rhs}}; the body gets one of each"
            ctx.require_equal(length, fact.length, MAP_LENGTH, text)
    return length


def _few(ctx: OpContext, body: Graph, count: int) -> bool:
    """Whether the body may be run for each element on its own."""
    known = all(
        fact.items is not None and len(fact.items) == count for fact in ctx.present() if fact.type == "sequence"
    )
    return known and count * len(body.nodes) <= 64


def _each(ctx: OpContext, body: Graph, count: int) -> tuple[Fact, ...]:
    """The body run for each element of short sequences whose elements are known."""
    results: list[tuple[Fact, ...]] = []
    for position in range(count):
        given = [fact.items[position] if fact.items is not None else fact for fact in ctx.present()]
        results.append(ctx.run("body", body, given, "certain").outputs)
    if count > 1:  # what is shown of the values inside is what they are for every element
        of_all = [join(ctx, fact.items) if fact.items is not None else fact for fact in ctx.present()]
        ctx.run("body", body, of_all, SILENT)
    made: list[Fact] = []
    for slot in range(len(body.outputs)):
        items = tuple(result[slot] for result in results)
        element = without_elements(join(ctx, items)) if items else None
        made.append(replace(_sequence(element, Dim.of(count)), items=items))
    return tuple(made)


def _element(fact: Fact) -> Fact:
    return UNKNOWN if fact.element is None else fact.element


def _sequence(element: Fact | None, length: Dim) -> Fact:
    return Fact(type="sequence", element=element, length=length)
