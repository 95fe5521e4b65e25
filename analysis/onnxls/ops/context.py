"""What an operator rule may read, ask and say. The rule never sees the graph, the store, names or places.

A rule reads input facts and attributes and returns the facts of the outputs. On the way it
- *requires* conditions that the operator needs (`require_*`; where one is false the node refuses to run),
- *rejects* what can never run (`reject`),
- *asks* what follows from what is known (`ask`), and *branches* on sizes (`branch`, `choose`): True, False or None.
  None means: give the general facts. Branches are taken by the hints, if there are any.
Its outcome depends on the facts, the attributes and the answers alone, which is why it can be remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from onnxls.dims import SIGNED, Dim, Origin, never_zero
from onnxls.facts import UNKNOWN, Case, Fact, Ratio, Shape
from onnxls.graph import Attr, Graph, Tensor, TypeInfo
from onnxls.relations import NEVER, Condition, Relation, any_of, at_most, divides, equal, unequal
from onnxls.rules import Rule, Severity

FRESH = "\udc00"
"""Symbols that a rule makes are named by this and a number until the walker names them. No text in UTF-8 holds it."""

MAX_RANK = 64


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something the operator needs, or only the facts (see `OpContext.expect`), which is then told as `severity` says.

    `text` says what is wrong where it is false; it is formatted with the names of the inputs (`{0}`, `{1}`, …), `lhs`
    and `rhs` of the condition, and `args`.
    """

    condition: Condition
    rule: Rule
    text: str
    args: Mapping[str, object]
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding that is not a condition: something legal that deserves a word."""

    rule: Rule
    text: str
    args: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class GraphRun:
    """What running a nested graph gave: the facts of its outputs, the symbols that were born in it, and whether it
    fails wherever it is run."""

    outputs: tuple[Fact, ...]
    born: frozenset[str]
    fails: bool = False


class Desk(Protocol):
    """Who answers a rule's questions."""

    def ask(self, condition: Condition) -> bool | None:
        """Whether a condition follows from what is known; None where neither it nor its negation does."""
        ...

    def branch(self, condition: Condition) -> bool | None:
        """The same; where it is open, what hints say, which then becomes a guard."""
        ...

    def choose(self, conditions: Sequence[Condition]) -> int | None:
        """The first of several conditions that is known, else the first that hints say."""
        ...

    def run(
        self,
        name: str,
        graph: Graph,
        inputs: Sequence[Fact],
        mode: RunMode,
        given: Sequence[Condition],
        path: Condition | None,
    ) -> GraphRun:
        """Runs a nested graph on these facts. `given` holds there; `path`: when it runs, None if always."""
        ...


RunMode = Literal["certain", "maybe", "trial", "values"]
"""A nested graph that runs whenever its node does, one that may not, a pass of which only the outputs are wanted, or
one that gives the values inside their facts and says nothing."""


Asked = tuple[str, tuple[Condition, ...], bool | int | None]
"""A question of a rule (`ask`, `branch` or `choose`), what it was about, and the answer."""


class OpContext:
    """One application of a rule."""

    __slots__ = (
        "asked", "attrs", "desk", "domain", "fresh_count", "given", "inputs", "names", "op_type", "remarks",
        "requirements", "version", "wanted",
    )  # fmt: skip

    def __init__(
        self,
        desk: Desk,
        domain: str,
        op_type: str,
        version: int,
        inputs: tuple[Fact | None, ...],
        attrs: Mapping[str, Attr],
        wanted: tuple[bool, ...],
    ) -> None:
        self.desk = desk
        self.domain = domain
        self.op_type = op_type
        self.version = version
        """The opset version of the domain in force."""
        self.inputs = inputs
        """The facts of the inputs; None where an optional input is absent."""
        self.attrs = attrs
        self.wanted = wanted
        """For each output slot of the node, whether it has a name."""
        self.requirements: list[Requirement] = []
        self.remarks: list[Remark] = []
        self.given: list[Condition] = []
        self.fresh_count = 0
        self.asked: list[Asked] = []

    # ---------------------------------------------------------------- reading

    def has(self, index: int) -> bool:
        """Whether the input is there."""
        return index < len(self.inputs) and self.inputs[index] is not None

    def input(self, index: int) -> Fact:
        """The fact of an input; nothing is known of an absent one."""
        fact = self.inputs[index] if index < len(self.inputs) else None
        return UNKNOWN if fact is None else fact

    def present(self) -> tuple[Fact, ...]:
        """The facts of the inputs that are there."""
        return tuple(fact for fact in self.inputs if fact is not None)

    def int_attr(self, name: str, default: int) -> int:
        """An INT attribute."""
        attr = self.attrs.get(name)
        return attr.value if attr is not None and isinstance(attr.value, int) else default

    def optional_int(self, name: str) -> int | None:
        """An INT attribute, or None where it is absent."""
        attr = self.attrs.get(name)
        return attr.value if attr is not None and isinstance(attr.value, int) else None

    def ints_attr(self, name: str) -> tuple[int, ...] | None:
        """An INTS attribute, or None where it is absent."""
        attr = self.attrs.get(name)
        if attr is None or not isinstance(attr.value, tuple):
            return None
        return tuple(each for each in attr.value if isinstance(each, int))

    def float_attr(self, name: str, default: float) -> float:
        """A FLOAT attribute."""
        attr = self.attrs.get(name)
        return float(attr.value) if attr is not None and isinstance(attr.value, (int, float)) else default

    def floats_attr(self, name: str) -> tuple[float, ...] | None:
        """A FLOATS attribute, or None where it is absent."""
        attr = self.attrs.get(name)
        if attr is None or not isinstance(attr.value, tuple):
            return None
        return tuple(float(each) for each in attr.value if isinstance(each, (int, float)))

    def str_attr(self, name: str, default: str) -> str:
        """A STRING attribute."""
        attr = self.attrs.get(name)
        return attr.value if attr is not None and isinstance(attr.value, str) else default

    def strs_attr(self, name: str) -> tuple[str, ...] | None:
        """A STRINGS attribute, or None where it is absent."""
        attr = self.attrs.get(name)
        if attr is None or not isinstance(attr.value, tuple):
            return None
        return tuple(each for each in attr.value if isinstance(each, str))

    def tensor_attr(self, name: str) -> Tensor | None:
        """A TENSOR attribute, or None where it is absent."""
        attr = self.attrs.get(name)
        return attr.value if attr is not None and isinstance(attr.value, Tensor) else None

    def graph_attr(self, name: str) -> Graph | None:
        """A GRAPH attribute, or None where it is absent."""
        attr = self.attrs.get(name)
        return attr.value if attr is not None and isinstance(attr.value, Graph) else None

    def type_attr(self, name: str) -> TypeInfo | None:
        """A TYPE_PROTO attribute, or None where it is absent."""
        attr = self.attrs.get(name)
        return attr.value if attr is not None and isinstance(attr.value, TypeInfo) else None

    # ---------------------------------------------------------------- making sizes

    def fresh(self, origin: Origin = "unknown", upper: Dim | int | None = None, lower: int = 0) -> Dim:
        """A new size. `data`: the operator counts what values select; `unknown`: it rests on a value that is not known
        here, or the engine cannot say. Bounds are inclusive."""
        dim = self._symbol("", origin)
        if lower > 0:
            self.given.append(at_most(lower, dim))
        if upper is not None:
            self.given.append(at_most(dim, upper))
        return dim

    def fresh_element(self, origin: Origin = "unknown") -> Dim:
        """A new integer of any sign: an unknown element of a tensor."""
        return self._symbol(SIGNED, origin)

    def fresh_shape(self, rank: int, origin: Origin = "unknown") -> Shape | None:
        """A shape of new sizes; None where the rank is beyond reason."""
        return tuple(self._symbol("", origin) for _ in range(rank)) if 0 <= rank <= MAX_RANK else None

    def _symbol(self, prefix: str, origin: Origin) -> Dim:
        self.fresh_count += 1
        return Dim.symbol(f"{prefix}{FRESH}{self.fresh_count - 1}", origin)

    # ---------------------------------------------------------------- asking

    def ask(self, condition: Condition) -> bool | None:
        """Whether the condition follows from what is known (True), is refuted by it (False), or neither (None)."""
        settled = constant(condition)
        if settled is not None:
            return settled
        answer = self.desk.ask(condition)
        self.asked.append(("ask", (condition,), answer))
        return answer

    def branch(self, condition: Condition) -> bool | None:
        """As `ask`, but the hints decide where nothing else does, and the way taken becomes an expect guard."""
        settled = constant(condition)
        if settled is not None:
            return settled
        answer = self.desk.branch(condition)
        self.asked.append(("branch", (condition,), answer))
        return answer

    def choose(self, *conditions: Condition) -> int | None:
        """The index of the first condition that is known or hinted to hold; the way taken becomes an expect guard."""
        answer = self.desk.choose(conditions)
        self.asked.append(("choose", conditions, answer))
        return answer

    def run(
        self, name: str, graph: Graph, inputs: Sequence[Fact], mode: RunMode, path: Condition | None = None
    ) -> GraphRun:
        """Runs a nested graph (the attribute `name`) on these facts. `path`: when it runs, where that is known."""
        return self.desk.run(name, graph, inputs, mode, self.given, path)

    # ---------------------------------------------------------------- saying

    def require(self, condition: Condition, rule: Rule, text: str, /, **args: object) -> None:
        """The operator refuses to run where the condition is false. `text`: see `Requirement`."""
        if constant(condition) is not True:
            if isinstance(condition, Relation):
                args = {"lhs": condition.lhs, "rhs": condition.rhs} | args
            self.requirements.append(Requirement(condition, rule, text, args))

    def expect(self, condition: Condition, rule: Rule, severity: Severity, text: str, /, **args: object) -> None:
        """The facts apply only where the condition holds; where it does not, the operator runs, with other results.

        `severity`: of the finding, where some sizes break the condition. `text`: see `Requirement`.
        """
        if constant(condition) is not True:
            self.requirements.append(Requirement(condition, rule, text, args, severity))

    def require_equal(self, left: Dim, right: Dim | int, rule: Rule, text: str, /, **args: object) -> None:
        """left == right; they are `lhs` and `rhs` in the text."""
        if left is not right and left != right:
            self.require(equal(left, right), rule, text, **args)

    def require_at_most(self, left: Dim | int, right: Dim | int, rule: Rule, text: str, /, **args: object) -> None:
        """left <= right; they are `lhs` and `rhs` in the text."""
        low = (Dim.of(right) - left).range[0]
        if low is None or low < 0:
            self.require(at_most(left, right), rule, text, **args)

    def require_divides(self, divisor: Dim | int, dividend: Dim, rule: Rule, text: str, /, **args: object) -> None:
        """divisor != 0 and dividend % divisor == 0; they are `divisor` and `dividend` in the text."""
        divisor = Dim.of(divisor)
        args = {"divisor": divisor, "dividend": dividend} | args
        self.require_nonzero(divisor, rule, text, **args)
        if divisor.const != 0 and dividend.exact_div(divisor) is None:
            self.require(divides(divisor, dividend), rule, text, **args)

    def require_nonzero(self, dim: Dim, rule: Rule, text: str, /, **args: object) -> None:
        """dim != 0"""
        if not never_zero(dim):
            self.require(unequal(dim, 0), rule, text, **args)

    def require_one_of(self, dim: Dim, values: Iterable[Dim | int], rule: Rule, text: str, /, **args: object) -> None:
        """dim equals one of the values; it is `lhs` in the text."""
        wanted = [Dim.of(value) for value in values]
        if dim not in wanted:
            self.require(any_of(*(equal(dim, value) for value in wanted)), rule, text, **({"lhs": dim} | args))

    def reject(self, rule: Rule, text: str, /, **args: object) -> Fact:
        """The operator never runs on these inputs. Gives a fact of which nothing is known."""
        self.requirements.append(Requirement(NEVER, rule, text, args))
        return UNKNOWN

    def remark(self, rule: Rule, text: str, /, **args: object) -> None:
        """Something legal that deserves a word, at the rule's own severity."""
        self.remarks.append(Remark(rule, text, args))

    # ---------------------------------------------------------------- common readings

    def axis(self, value: int, rank: int, rule: Rule, what: str = "axis") -> int | None:
        """A possibly negative axis, normalised; None (and a rejection) where it is out of range."""
        if -rank <= value < rank:
            return value % rank if rank else 0
        self.reject(rule, "{what} {value} is out of range for rank {rank}", what=what, value=value, rank=rank)
        return None

    def axes(self, values: Sequence[int], rank: int, rule: Rule, what: str = "axis") -> tuple[int, ...] | None:
        """Distinct axes, normalised; None (and a rejection) where one is out of range or repeated."""
        found: list[int] = []
        for value in values:
            axis = self.axis(value, rank, rule, what)
            if axis is None:
                return None
            if axis in found:
                self.reject(rule, "{what} {value} is named twice", what=what, value=value)
                return None
            found.append(axis)
        return tuple(found)


def constant(condition: Condition) -> bool | None:
    """The truth of a relation that is plain from its normal form alone; None for all others."""
    if not isinstance(condition, Relation):
        return None
    lhs, rhs = condition.lhs, condition.rhs
    if lhs.const is not None and rhs.const is not None:
        return condition.holds_at({})
    if lhs == rhs:
        return condition.op in ("==", "<=")
    return None


Changes = Callable[[Dim], Dim]


def map_fact(fact: Fact, change: Changes) -> Fact:
    """The fact with every Dim in it changed; the same object where nothing changes."""
    shape = fact.shape
    if shape is not None:
        new = tuple(dim if dim.const is not None else change(dim) for dim in shape)
        shape = shape if all(a is b for a, b in zip(new, shape, strict=True)) else new
    elements = fact.elements
    if elements is not None:
        changed = tuple(
            Ratio(change(each.dividend), each.divisor)
            if isinstance(each, Ratio)
            else (each if each.const is not None else change(each))
            for each in elements
        )
        elements = elements if all(a is b for a, b in zip(changed, elements, strict=True)) else changed
    element = None if fact.element is None else map_fact(fact.element, change)
    items = None if fact.items is None else tuple(map_fact(item, change) for item in fact.items)
    length = None if fact.length is None else change(fact.length)
    reach = None if fact.reach is None else (change(fact.reach[0]), change(fact.reach[1]))
    cases = tuple(Case(each.condition.map_dims(change), map_fact(each.fact, change)) for each in fact.cases)
    kept = (
        not cases
        and shape is fact.shape
        and elements is fact.elements
        and element is fact.element
        and length is fact.length
        and reach == fact.reach
    )
    if kept and (items is None or all(a is b for a, b in zip(items, fact.items or (), strict=True))):
        return fact
    return replace(
        fact, shape=shape, elements=elements, element=element, items=items, length=length, cases=cases, reach=reach
    )
