"""Plain data: what stands where in one text. All ranges are offsets in that text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from onnxls.frontends.script.declared import Declared
from onnxls.graph import Node
from onnxls.spans import Span

Kind = Literal["value", "function", "dim", "operator", "attribute", "input", "node"]
"""`input`: a formal input of an operator, written as a keyword. `node`: the label of a node in ONNX text."""

Role = Literal["definition", "declaration", "use"]
"""A declaration repeats what is defined elsewhere: an output in a signature, a value_info entry, a keyword."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing with a name. `scope` tells things of one name apart; it has no meaning beyond that.

    The scope of an operator is its domain, that of an attribute or formal input is `domain.Operator`; that of a script
    function is the path of the file that defines it.
    """

    kind: Kind
    name: str
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """A node and the ranges of its parts. `key` is its name in guards, `prefix` stands before its values' names.

    `key` and `prefix` are None in a function body that nothing calls: there are no facts then. `opset` is the version
    of the node's domain that is in force, 0 where none is.
    """

    unit: int
    node: Node
    key: str | None
    prefix: str | None
    opset: int
    span: Span
    name: Span | None = None
    inputs: tuple[Span | None, ...] = ()
    outputs: tuple[Span | None, ...] = ()
    attributes: Mapping[str, Span] = field(default_factory=dict[str, Span])
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One mention of an entity. `value` is the key of its fact in the values of the unit, where it has one.

    `function` is the script function that a call is of; its chunk may be in another file.
    """

    span: Span
    entity: Entity
    role: Role
    unit: int
    value: str | None = None
    site: Site | None = None
    function: Declared | None = None


TypedRole = Literal["parameter", "local", "result"]


@dataclass(frozen=True, slots=True)
class Typed:
    """A place that has or could have a type annotation.

    `target` is the name that is annotated (None for a result); `annotation` the range of what is written; `slot` where
    an annotation can be inserted, None where the language has no place for one.
    """

    role: TypedRole
    unit: int
    value: str
    target: Span | None
    annotation: Span | None
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A graph or function as written: all of it, and its name. `outermost`: it is in no other."""

    kind: Literal["graph", "function"]
    name: str
    span: Span
    name_span: Span | None
    outermost: bool


@dataclass(frozen=True)
class Table:
    """All that was found in one part of a text. `occurrences` are in the order of their starts and do not overlap."""

    occurrences: tuple[Occurrence, ...]
    sites: tuple[Site, ...]
    typed: tuple[Typed, ...]
    blocks: tuple[Block, ...]

    def at(self, offset: int) -> Occurrence | None:
        """The occurrence that covers an offset, or that ends there."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0 and self.occurrences[index].span.end >= offset:
            return self.occurrences[index]
        return None

    def between(self, start: int, end: int) -> tuple[Occurrence, ...]:
        """The occurrences that a range touches."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        return self.occurrences[first : bisect_right(self._starts, end)]

    def typed_between(self, start: int, end: int) -> tuple[Typed, ...]:
        """The places with a type, or room for one, whose names begin in a range."""
        return self._typed[bisect_left(self._typed_starts, start) : bisect_right(self._typed_starts, end)]

    def of(self, entity: Entity) -> tuple[Occurrence, ...]:
        """All occurrences of an entity, in order."""
        return tuple(self._by_entity.get(entity, ()))

    def site_at(self, offset: int) -> Site | None:
        """The innermost node whose range covers an offset."""
        index = bisect_right(self._site_starts, offset)
        found: Site | None = None
        while index > 0:
            index -= 1
            site = self._sites[index]
            if site.span.end >= offset and (found is None or _length(site.span) < _length(found.span)):
                found = site
            if self._reach[index] < offset:
                break
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [each.span.start for each in self.occurrences]

    @cached_property
    def values(self) -> tuple[Occurrence, ...]:
        """Where values are defined, in order."""
        found = (each for each in self.occurrences if each.entity.kind == "value" and each.role == "definition")
        return tuple(found)

    @cached_property
    def _typed(self) -> tuple[Typed, ...]:
        return tuple(sorted((each for each in self.typed if each.target is not None), key=_target))

    @cached_property
    def _typed_starts(self) -> list[int]:
        return list(map(_target, self._typed))

    @cached_property
    def _sites(self) -> list[Site]:
        return sorted(self.sites, key=lambda site: site.span.start)

    @cached_property
    def _site_starts(self) -> list[int]:
        return [site.span.start for site in self._sites]

    @cached_property
    def _reach(self) -> list[int]:
        """For each node, the farthest end of it and of those before it."""
        reach: list[int] = []
        farthest = 0
        for site in self._sites:
            farthest = max(farthest, site.span.end)
            reach.append(farthest)
        return reach

    @cached_property
    def _by_entity(self) -> Mapping[Entity, list[Occurrence]]:
        found: dict[Entity, list[Occurrence]] = {}
        for each in self.occurrences:
            found.setdefault(each.entity, []).append(each)
        return found


@dataclass(frozen=True)
class Part:
    """A script function, or the whole of an ONNX text: its range, and its table, which is made when it is asked for."""

    unit: int
    span: Span
    make: Callable[[], Table]

    @cached_property
    def table(self) -> Table:
        """The table."""
        return self.make()


class Occurrences:
    """The occurrences of one text, part by part. `parts` are in the order of their starts."""

    def __init__(self, text: str, parts: Sequence[Part]) -> None:
        self.text = text
        self.parts = tuple(parts)

    def part_at(self, offset: int) -> Part | None:
        """The part that covers an offset, or that ends there."""
        covering = [part for part in self.parts if part.span.start <= offset <= part.span.end]
        return covering[-1] if covering else None

    def at(self, offset: int) -> Occurrence | None:
        """The occurrence that covers an offset, or that ends there."""
        part = self.part_at(offset)
        return None if part is None else part.table.at(offset)

    def site_at(self, offset: int) -> Site | None:
        """The innermost node whose range covers an offset."""
        part = self.part_at(offset)
        return None if part is None else part.table.site_at(offset)

    def of(self, entity: Entity, unit: int) -> tuple[Occurrence, ...]:
        """All occurrences of an entity that was met in a unit, in order. Functions are looked for in all units."""
        everywhere = entity.kind == "function"
        return tuple(each for part in self.parts if everywhere or part.unit == unit for each in part.table.of(entity))

    def overlapping(self, start: int, end: int) -> Iterator[Table]:
        """The tables of the parts that a range touches."""
        return (part.table for part in self.parts if part.span.start <= end and start <= part.span.end)


def make_table(
    found: Iterable[Occurrence], sites: Iterable[Site], typed: Iterable[Typed], blocks: Iterable[Block]
) -> Table:
    """The table; of occurrences that overlap the first is kept."""
    kept: list[Occurrence] = []
    for each in sorted(found, key=lambda each: (each.span.start, each.span.end)):
        if each.span.start < each.span.end and (not kept or kept[-1].span.end <= each.span.start):
            kept.append(each)
    return Table(tuple(kept), tuple(sites), tuple(typed), tuple(blocks))


def _target(typed: Typed) -> int:
    return typed.target.start if typed.target is not None else 0


def _length(span: Span) -> int:
    return span.end - span.start
