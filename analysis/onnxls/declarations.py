"""Judges declared shapes of intermediates and outputs: what holds, what fails, what cannot be said.

A name has one size per run, wherever it occurs (function bodies have names of their own). A name first met here binds
to what is inferred; a later meeting must agree. Nothing declared here is ever assumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from onnxls.diagnostics import Outcome
from onnxls.dims import SIGNED, Dim
from onnxls.expressions import parse_dim
from onnxls.facts import Annotation, Fact
from onnxls.graph import TypeInfo
from onnxls.relations import Condition, equal
from onnxls.rules import Rule, Severity, rule
from onnxls.schemas import type_string
from onnxls.store import Store

ANNOTATION_RANK = rule(
    "annotation-rank",
    "OLS110",
    "error",
    """
    A declared shape has another rank than the value.

    The declaration is wrong on every run: tools that trust it plan memory for another tensor, and a checker that
    compares shapes at run time stops here.

    ```onnx
    g (float[N, 4] x) => (float[N] y) {
      # error: [annotation-rank]
      y = Relu (x)
    }
    ```

    Correct the declaration; the message has the shape that would hold.
    """,
)
ANNOTATION_SIZE = rule(
    "annotation-size",
    "OLS111",
    "error",
    """
    A declared size differs from the size that the value has.

    ```onnx
    g (float[N, 4] x) => (float[N, 5] y) {
      # error: [annotation-size]
      y = Relu (x)
    }
    ```

    Correct the declaration; where the size depends on the inputs, declare a name instead of a number.
    """,
)
ANNOTATION_NAME = rule(
    "annotation-name",
    "OLS112",
    "error",
    """
    A declared name stands for two sizes that differ.

    A `dim_param` has one value per run, everywhere in the model. Where the axis has another size than the name has
    elsewhere, the declaration is false.

    ```onnx
    g (float[N, 4] x, float[M, 4] y) => (float[N, 4] z) {
      # warning: [annotation-name]
      z = Relu (y)
    }
    ```

    Give the axis a name of its own.
    """,
)
ANNOTATION_TYPE = rule(
    "annotation-type",
    "OLS113",
    "error",
    """
    A declared element type or kind differs from that of the value.

    ```onnx
    g (float[N] x) => (int64[N] y) {
      # error: [annotation-type]
      y = Relu (x)
    }
    ```
    """,
)

_LEFTOVER = re.compile(r"(unk__\d+|unk_\d+|\?|_?unknown_?\d*|None|dynamic)", re.IGNORECASE)


_PLACEHOLDER = re.compile(r"\?|unknown|None|dynamic", re.IGNORECASE)


def is_placeholder(name: str) -> bool:
    """Whether a dim_param is a word for "some size", which exporters write on axes that have nothing in common."""
    return _PLACEHOLDER.fullmatch(name) is not None


def is_leftover(name: str) -> bool:
    """Whether a dim_param is what an engine or exporter left, not a name that an author chose."""
    return _LEFTOVER.fullmatch(name) is not None


@dataclass(slots=True)
class Names:
    """What the names of a model (or of one function body) stand for. `renames`: symbols of the engine that an author's
    name identifies. `origins`: the value and axis where a name was bound. `loose`: names with two meetings that are
    not the same expression."""

    order: Mapping[str, int]
    own: bool = False
    bound: dict[str, Dim] = field(default_factory=dict[str, Dim])
    origins: dict[str, str] = field(default_factory=dict[str, str])
    renames: dict[str, Dim] = field(default_factory=dict[str, Dim])
    loose: set[str] = field(default_factory=set[str])

    def scoped(self) -> Names:
        """The names of a nested graph that may not run: what it binds is gone after it."""
        return replace(
            self, bound=dict(self.bound), origins=dict(self.origins), renames=dict(self.renames), loose=set(self.loose)
        )

    def meaning(self, name: str) -> Dim | None:
        """The size that a name stands for, if it has one by now."""
        if not self.own and name in self.order:
            return Dim.symbol(name)
        return self.bound.get(name)

    def bind(self, name: str, dim: Dim, where: str) -> None:
        """The first meeting of a name."""
        self.bound[name] = dim
        self.origins[name] = where
        symbol = dim.as_symbol
        if self.own or symbol is None or symbol.origin not in ("data", "unknown") or symbol.name[:1] == SIGNED:
            return
        if symbol.name not in self.renames and not is_leftover(name):
            self.renames[symbol.name] = Dim.symbol(name, "bound")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a declaration."""

    rule: Rule
    text: str
    verdict: Outcome | None
    severity: Severity | None = None
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a declaration; None where it asserts nothing."""

    verdict: Annotation | None
    problems: tuple[Problem, ...] = ()


def judge(name: str, declared: TypeInfo, fact: Fact, names: Names, store: Store) -> Judged:
    """What is to be said of the declared type of one value, over input sizes >= 1."""
    problems = _type_problems(name, declared, fact)
    if problems or declared.shape is None:
        return Judged("fails" if problems else None, problems)
    if fact.shape is None:
        return Judged("unverified")
    if len(fact.shape) != len(declared.shape):
        text = f"`{name}` is declared {show(declared.shape)}, but has rank {len(fact.shape)}: {show(fact.shape)}"
        return Judged("fails", (Problem(ANNOTATION_RANK, text, "fails"),))
    verdicts: list[str] = []
    found: list[Problem] = []
    for axis, want in enumerate(declared.shape):
        kind, problem = _judge_axis(name, axis, want, declared, fact, names, store)
        verdicts.append(kind)
        if problem is not None:
            found.append(problem)
    for kind in ("fails", "may-fail", "unverified"):
        if kind in verdicts:
            return Judged(kind, tuple(found))
    return Judged("holds", tuple(found))


def _type_problems(name: str, declared: TypeInfo, fact: Fact) -> tuple[Problem, ...]:
    if fact.type is not None and fact.type != declared.kind:
        text = f"`{name}` is declared a {declared.kind}, but is a {fact.type}"
        return (Problem(ANNOTATION_TYPE, text, None),)
    if fact.dtype and declared.dtype and fact.dtype != declared.dtype:
        text = f"`{name}` is declared {dtype_name(declared.dtype)}, but is {dtype_name(fact.dtype)}"
        return (Problem(ANNOTATION_TYPE, text, None),)
    return ()


def _judge_axis(
    name: str,
    axis: int,
    want: int | str | None,
    declared: TypeInfo,
    fact: Fact,
    names: Names,
    store: Store,
) -> tuple[Annotation, Problem | None]:
    assert fact.shape is not None
    assert declared.shape is not None
    have = fact.shape[axis]
    if want is None or want == "" or (isinstance(want, str) and is_placeholder(want) and want not in names.order):
        return "holds", None
    if isinstance(want, int) and want < 0:
        text = f"axis {axis} of `{name}` is declared {want}, which is no size: an axis of any size has none"
        return "fails", Problem(ANNOTATION_SIZE, text, "fails", None, equal(have, want))
    target = Dim.of(want) if isinstance(want, int) else names.meaning(want)
    if target is None:
        assert isinstance(want, str)
        names.bind(want, have, f"axis {axis} of `{name}`")
        return "holds", _claim(name, axis, want, have, store)
    if have == target:
        return "holds", None
    if isinstance(want, str):
        names.loose.add(want)
    condition = store.tidied(store.raised.rewrite_condition(equal(have, target)))
    verdict = store.check(condition, store.raised)
    if verdict.kind == "holds":
        return "holds", None
    if verdict.kind == "unknown":
        return "unverified", None
    used = ANNOTATION_SIZE if isinstance(want, int) else ANNOTATION_NAME
    text = (
        f"`{name}` is declared {show(declared.shape)}, but is {show(fact.shape)}: "
        f"axis {axis} is {have}, not {_spell(want)}{_where(want, target, names)}"
    )
    severity: Severity | None = None
    if isinstance(want, str) and is_leftover(want):
        severity = "information"
    return verdict.kind, Problem(used, text, verdict.kind, severity, condition)


def _claim(name: str, axis: int, want: str, have: Dim, store: Store) -> Problem | None:
    """A name that reads as an expression claims a size; where the claim is refuted the name still binds."""
    reading = read(want, store.raised.order)
    if reading is None or have == reading:
        return None
    verdict = store.check(equal(have, reading), store.raised)
    if verdict.kind not in ("fails", "may-fail"):
        return None
    text = f"axis {axis} of `{name}` is named `{want}`, but is {have}"
    return Problem(ANNOTATION_NAME, text, verdict.kind, "information", equal(have, reading))


def read(name: str, order: Mapping[str, int]) -> Dim | None:
    """A dim_param as an expression over other declared names, where it reads as one."""
    if name.isidentifier() or len(name) > 200:
        return None
    try:
        dim = parse_dim(name)
    except ValueError:
        return None
    symbols = dim.symbols()
    return dim if symbols and name not in symbols and all(each in order for each in symbols) else None


def readings(order: Mapping[str, int]) -> list[Condition]:
    """For each input name that reads as an expression: that it is what it says."""
    found: list[Condition] = []
    for name in order:
        reading = read(name, order)
        if reading is not None:
            found.append(equal(Dim.symbol(name), reading))
    return found


def show(dims: tuple[int | str | Dim | None, ...]) -> str:
    """A shape for people."""
    return f"[{', '.join('?' if dim is None else str(dim) for dim in dims)}]"


def _spell(want: int | str) -> str:
    return str(want) if isinstance(want, int) else f"`{want}`"


def _where(want: int | str, target: Dim, names: Names) -> str:
    if isinstance(want, int):
        return ""
    where = names.origins.get(want)
    return f" (which is {target}, {where})" if where and str(target) != want else ""


def dtype_name(dtype: int | None) -> str:
    """The ONNX name of an element type, as in the textual syntax."""
    text = None if dtype is None else type_string(dtype)
    return "?" if text is None else text.removeprefix("tensor(").removesuffix(")")
