"""What a snapshot shows at its places: the occurrences of its analysis, moved to the text as it is now.

The analysis may belong to an older text. What stands outside of the range that was edited since is where it was, moved
along; of what was edited nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from onnxls.facts import Fact
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.text_positions import Listing
from onnxls.occurrences import Occurrence, Occurrences, Site, Table, Typed, occurrences
from onnxls.spans import Location, Span
from onnxls.units import Report, Unit
from onnxls_server.session.snapshot import Snapshot

_OCCURRENCES = "occurrences"


@dataclass(frozen=True, slots=True)
class Shift:
    """The edit between two texts: the first `head` and the last `tail` characters are the same."""

    old: str
    new: str
    head: int
    tail: int

    @staticmethod
    def between(old: str, new: str) -> Shift:
        """The smallest edit."""
        if old == new:
            return Shift(old, new, len(old), 0)
        limit = min(len(old), len(new))
        head = _longest(limit, lambda count: old[:count] == new[:count])
        tail = _longest(limit - head, lambda count: old[len(old) - count :] == new[len(new) - count :])
        return Shift(old, new, head, tail)

    def back(self, offset: int) -> int | None:
        """Where an offset of the new text was in the old one; None inside of the edit."""
        if offset <= self.head:
            return offset
        moved = offset - len(self.new) + len(self.old)
        return moved if moved >= len(self.old) - self.tail and moved >= self.head else None

    def on(self, span: Span) -> Span | None:
        """Where a range of the old text is in the new one; None where the edit touched it or a word at its ends."""
        if span.end <= self.head:
            start, end = span.start, span.end
        elif span.start >= len(self.old) - self.tail:
            by = len(self.new) - len(self.old)
            start, end = span.start + by, span.end + by
        else:
            return None
        grown = _word(self.new, start - 1, start) or _word(self.new, end - 1, end)
        return None if grown and self.old != self.new else Span(start, end)


def _longest(limit: int, same: Callable[[int], bool]) -> int:
    """The greatest count up to a limit for which something is the same that is so for all smaller counts too."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if same(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _word(text: str, before: int, after: int) -> bool:
    """Whether the characters at two offsets belong to one word."""
    if before < 0 or after >= len(text):
        return False
    return all(char.isalnum() or char == "_" for char in (text[before], text[after]))


def known_occurrences(report: Report, analyzed: str, listing: Listing | None) -> Occurrences:
    """What stands where in the text of a report, looked up once."""
    known = report.beside.get(_OCCURRENCES)
    if not isinstance(known, Occurrences):
        known = report.beside[_OCCURRENCES] = occurrences(report, analyzed, listing)
    return known


class View:
    """A snapshot with what its analysis knows of its places. Ranges that it takes and gives are those of the text."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.report = snapshot.report
        self.occurrences = known_occurrences(snapshot.report, snapshot.analyzed, snapshot.listing)

    @cached_property
    def shift(self) -> Shift:
        """The edit from the analysed text to that of the snapshot."""
        return Shift.between(self.occurrences.text, self.snapshot.text)

    def unit(self, index: int) -> Unit | None:
        """The unit of an occurrence; None where the text could not be analysed."""
        return self.report.units[index] if index < len(self.report.units) else None

    def fact(self, index: int, key: str | None) -> Fact | None:
        """What is known of a value of a unit."""
        unit = self.unit(index)
        return None if unit is None or key is None else unit.values.get(key)

    def at(self, offset: int) -> tuple[Occurrence, Span] | None:
        """The occurrence at an offset and its range."""
        back = self.shift.back(offset)
        found = None if back is None else self.occurrences.at(back)
        span = None if found is None else self.shift.on(found.span)
        return None if found is None or span is None or not span.start <= offset <= span.end else (found, span)

    def site_at(self, offset: int) -> Site | None:
        """The innermost node at an offset."""
        back = self.shift.back(offset)
        return None if back is None else self.occurrences.site_at(back)

    def declared(self, occurrence: Occurrence) -> Declared | None:
        """The script function that an occurrence is of."""
        unit = self.unit(occurrence.unit)
        if unit is None or unit.source is None or occurrence.entity.kind != "function":
            return None
        return unit.source.declared if occurrence.role == "definition" else occurrence.function

    def all_of(self, occurrence: Occurrence) -> Iterator[tuple[Occurrence, Span]]:
        """All occurrences of the entity of one, with their ranges."""
        for each in self.occurrences.of(occurrence.entity, occurrence.unit):
            span = self.shift.on(each.span)
            if span is not None:
                yield each, span

    def touching(self, start: int, end: int) -> Iterator[Table]:
        """The tables of the parts that a range touches."""
        return self.occurrences.overlapping(*self._covering(start, end))

    def between(self, start: int, end: int) -> Iterator[tuple[Occurrence, Span]]:
        """The occurrences in a range, with their ranges."""
        first, last = self._covering(start, end)
        for table in self.occurrences.overlapping(first, last):
            for each in table.between(first, last):
                span = self.shift.on(each.span)
                if span is not None and start <= span.end and span.start <= end:
                    yield each, span

    def place(self, location: Location) -> Span | None:
        """The range of a location in this file; None where it is elsewhere or was edited."""
        if location.path != self.report.loaded.path:
            return None
        listing = self.snapshot.listing
        if listing is not None:
            span = None if location.graph_path is None else listing.find(location.graph_path)
        else:
            span = self._written(location)
        return None if span is None else self.shift.on(span)

    def _written(self, location: Location) -> Span | None:
        lines = self.report.loaded.lines
        if lines is None or location.line is None or location.column is None:
            return None
        start = lines.bounds(location.line)[0] + location.column - 1
        last = location.end_line or location.line
        return Span(start, max(start, lines.bounds(last)[0] + (location.end_column or location.column) - 1))

    def typed(self, start: int, end: int) -> Iterator[tuple[Typed, Span]]:
        """The places with a type, or room for one, whose names lie in a range."""
        first, last = self._covering(start, end)
        for table in self.occurrences.overlapping(first, last):
            for each in table.typed_between(first, last):
                span = None if each.target is None else self.shift.on(each.target)
                if span is not None and start <= span.end <= end:
                    yield each, span

    def around(self, span: Span) -> Span | None:
        """Where a range of the analysed text is now, grown or shrunk by an edit inside of it."""
        shift = self.shift
        by = len(shift.new) - len(shift.old)
        start = span.start if span.start <= shift.head else span.start + by
        end = span.end if span.end <= shift.head else span.end + by
        edited = (
            shift.head < span.start < len(shift.old) - shift.tail or shift.head < span.end < len(shift.old) - shift.tail
        )
        return None if edited or not 0 <= start <= end else Span(start, end)

    def outer(self, span: Span) -> Span:
        """Where a range of the analysed text is now, with all of an edit that touches it."""
        shift = self.shift
        by = len(shift.new) - len(shift.old)
        start = span.start if span.start <= shift.head else max(span.start + by, shift.head)
        if shift.head <= span.end <= len(shift.old) - shift.tail:
            return Span(start, len(shift.new) - shift.tail)
        return Span(start, span.end if span.end < shift.head else span.end + by)

    def _covering(self, start: int, end: int) -> tuple[int, int]:
        """A range of the analysed text that has all of a range of the text."""
        first, last = self.shift.back(start), self.shift.back(end)
        return (
            self.shift.head if first is None else first,
            len(self.occurrences.text) - self.shift.tail if last is None else last,
        )
