"""What an analysis gives to its callers: units with their values and guards, and the report over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from onnxls import decide
from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Diagnostic
from onnxls.expressions import parse_condition
from onnxls.facts import Fact, Shape
from onnxls.findings import Place
from onnxls.frontends.script.source import SourceUnit
from onnxls.graph import Model
from onnxls.infer import Analysis
from onnxls.loading import Loaded
from onnxls.relations import Condition, Decision, Guard
from onnxls.relations import decide as decide_guards

Hints = Mapping[str, "int | Sequence[int]"]


class Unit:
    """A model, or a function of a source: its values, guards and conditions. `sizes`: of symbols, in the hinted run."""

    def __init__(
        self, model: Model, analysis: Analysis, guards: tuple[Guard, ...], sizes: Mapping[str, int] | None = None
    ) -> None:
        self.name = model.graph.name
        self.model = model
        self.places: Mapping[str, Place] = analysis.places
        self.source: SourceUnit | None = None
        self.kept_names = analysis.kept_names
        self.values: Mapping[str, Fact] = analysis.values
        self.inputs = analysis.inputs
        self.outputs = analysis.outputs
        self.guards = guards
        self.sizes = sizes or {}
        self._base = analysis.base
        self.declared: Mapping[str, Fact] = analysis.declared

    @property
    def symbols(self) -> tuple[str, ...]:
        """The raw names of the symbols of the inputs, in the order of the inputs' axes."""
        return tuple(self._base.order)

    def check(self, sizes: Hints) -> Decision:
        """Whether the guards hold at these sizes; KeyError for a symbol that a guard needs and `sizes` lacks."""
        return decide_guards(self.guards, self.bind(sizes)[0])

    def bind(self, sizes: Hints) -> tuple[dict[str, int], list[str]]:
        """The sizes of symbols, from such and from shapes of inputs; and what is wrong with them."""
        return bind(sizes, {name: fact.shape for name, fact in self.declared.items()})

    def static_check(self, text: str) -> bool | None:
        """Whether a condition follows from guards, declared inputs and assumptions (True), is refuted, or neither."""
        return decide.proved(parse_condition(text), self._known)

    def example(self) -> dict[str, int] | None:
        """Sizes >= 1 of all symbols that meet the guards and assumptions, or None where none were found."""
        return decide.example((), self._known.with_floor(1), self.symbols)

    def sizes_with(self, conditions: Sequence[Condition], floor: int = 1) -> dict[str, int] | None:
        """Sizes of all symbols that meet these conditions and the assumptions, whatever the guards say."""
        return decide.example(conditions, self._base.with_floor(floor), self.symbols)

    @cached_property
    def _known(self) -> Assumptions:
        known = self._base
        for guard in self.guards:
            if guard.condition.symbols():
                known = known.learn(guard.condition)
        return known


@dataclass(frozen=True, eq=False)
class Report:
    """The result of one analysis: the units, and in source order what was found; `diagnostics` have their fixes too.

    Fixes are made when they are asked for: an editor publishes what was found, and asks for the fixes of a few.
    """

    units: tuple[Unit, ...]
    found: tuple[Diagnostic, ...]
    loaded: Loaded
    with_fixes: Callable[[Report], tuple[Diagnostic, ...]]
    beside: dict[str, object] = field(default_factory=dict[str, object], repr=False)
    """What others work out from the report and keep for as long as it lives."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics in source order."""
        return self._fixed

    @cached_property
    def _fixed(self) -> tuple[Diagnostic, ...]:
        return self.with_fixes(self)

    @property
    def values(self) -> Mapping[str, Fact]:
        """The values of the first unit."""
        return self.units[0].values if self.units else {}

    @property
    def guards(self) -> tuple[Guard, ...]:
        """The guards of the first unit."""
        return self.units[0].guards if self.units else ()

    def check(self, sizes: Hints) -> Decision:
        """The first unit's; LookupError where there is none."""
        return self._first().check(sizes)

    def static_check(self, text: str) -> bool | None:
        """The first unit's; LookupError where there is none."""
        return self._first().static_check(text)

    def _first(self) -> Unit:
        if not self.units:
            raise LookupError("nothing was analysed")
        return self.units[0]


def fitting(sizes: Hints, shapes: Mapping[str, Shape | None]) -> Hints:
    """The sizes of those names that are inputs, or symbols of them."""
    names = {symbol.name for shape in shapes.values() for dim in shape or () for symbol in dim.atoms()}
    return {name: size for name, size in sizes.items() if name in shapes or name in names}


def bind(sizes: Hints, shapes: Mapping[str, Shape | None]) -> tuple[dict[str, int], list[str]]:
    """Sizes of symbols from sizes of symbols and of inputs; and what is wrong with them."""
    symbols = {symbol.name for shape in shapes.values() for dim in shape or () for symbol in dim.atoms()}
    bound: dict[str, int] = {}
    problems: list[str] = []

    def give(name: str, size: int) -> None:
        if size < 0:
            problems.append(f"{name} = {size}: a size is not negative")
        elif bound.setdefault(name, size) != size:
            problems.append(f"{name} is given two sizes, {bound[name]} and {size}")

    for name, given in sizes.items():
        if isinstance(given, int):
            if name not in symbols:
                problems.append(f"{name} is no symbol of the inputs")
            give(name, given)
            continue
        shape = shapes.get(name)
        if name not in shapes:
            problems.append(f"{name} is no input")
        if shape is None:
            continue
        if len(shape) != len(given):
            problems.append(f"{name} has rank {len(shape)}, not {len(given)}")
            continue
        for axis, (dim, size) in enumerate(zip(shape, given, strict=True)):
            symbol = dim.as_symbol
            if symbol is not None:
                give(symbol.name, size)
            elif dim.const != size:
                problems.append(f"axis {axis} of {name} is {dim}, not {size}")
    return bound, problems
