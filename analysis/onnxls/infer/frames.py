"""What a walk gives, and the state of one run of one graph or function body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from onnxls.assumptions import Assumptions
from onnxls.declarations import Names
from onnxls.facts import Fact
from onnxls.findings import Finding, Place
from onnxls.graph import Attr
from onnxls.relations import Guard


class Cancelled(Exception):  # noqa: N818 - an outcome, not an error
    """The analysis was cancelled by its caller."""


@dataclass(slots=True)
class Analysis:
    """What the walk gave. `values` has the keys of `Unit.values`."""

    values: dict[str, Fact]
    places: dict[str, Place]
    guards: tuple[Guard, ...]
    guard_places: dict[Guard, Place]
    findings: list[Finding]
    known: Assumptions
    base: Assumptions
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    declared: Mapping[str, Fact]
    """The facts of the inputs as they are declared, in symbols of their own whatever was learned."""
    kept_names: frozenset[str]
    """Names that the author gave to intermediates or outputs, each for one expression."""


@dataclass(slots=True)
class Frame:
    """One run of one graph or function body. `fails`: a node that runs whenever the graph does never can."""

    prefix: str
    graph_path: str
    opsets: Mapping[str, int]
    env: dict[str, Fact]
    names: Names
    parent: Frame | None = None
    attrs: Mapping[str, Attr] = field(default_factory=dict[str, Attr])
    certain: bool = True
    trial: bool = False
    shown: bool = False
    fresh: str = ""
    depth: int = 0
    calls: tuple[tuple[str, str, str], ...] = ()
    caller: Place | None = None
    fails: bool = False

    @property
    def trials(self) -> int:
        """How many of the graphs around, this one included, run for a trial."""
        number, frame = 0, self
        while frame is not None and frame.trial:
            number, frame = number + 1, frame.parent
        return number

    def find(self, name: str) -> Fact | None:
        """The fact of a value visible here."""
        fact = self.env.get(name)
        if fact is not None:
            return fact
        frame = self.parent
        while frame is not None:
            fact = frame.env.get(name)
            if fact is not None:
                return fact
            frame = frame.parent
        return None


class Values:
    """The facts of all named values that the walk keeps, by the keys of `Unit.values`, and where they are made."""

    def __init__(self) -> None:
        self.facts: dict[str, Fact] = {}
        self.places: dict[str, Place] = {}

    def define(self, frame: Frame, name: str, fact: Fact, place: Place) -> None:
        """Defines a value in a frame, and keeps it unless the frame is one of a pass that is thrown away."""
        frame.env[name] = fact
        if frame.trial and not frame.shown:
            return
        key = frame.prefix + name
        before = self.facts.get(key) if frame.shown else None
        self.facts[key] = fact if before is None else replace(fact, annotation=before.annotation)
        self.places[key] = place
