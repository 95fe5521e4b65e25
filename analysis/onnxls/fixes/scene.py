"""What a fixer may look at: the report without fixes, its text, and the parts of both that belong to a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from onnxls.diagnostics import Diagnostic, Edit, Fix
from onnxls.fixes import models, sources, texts
from onnxls.fixes.changes import Change
from onnxls.graph import TypeInfo
from onnxls.occurrences import Occurrences, Part, Site, Typed, TypedRole, occurrences
from onnxls.spans import Location, Span
from onnxls.suppress import long_strings
from onnxls.units import Report, Unit


class Scene:
    """A report, and the text that it is of. Without a text the model is a file that is not written by hand."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.path = report.loaded.path
        lines = report.loaded.lines
        self.text = None if lines is None else lines.text
        self.is_source = self.text is not None and self.path.endswith(".py")

    @cached_property
    def occurrences(self) -> Occurrences:
        """What stands where in the text."""
        return occurrences(self.report, self.text or "")

    @cached_property
    def long_strings(self) -> list[Span]:
        """The strings of the text that go over several lines."""
        return long_strings(self.text or "")

    # ---------------------------------------------------------------- where a finding is

    def span(self, location: Location) -> Span | None:
        """The range of a location in the text; None where there is none in this file."""
        lines = self.report.loaded.lines
        if lines is None or location.path != self.path or location.line is None or location.column is None:
            return None
        start = lines.bounds(location.line)[0] + location.column - 1
        end = lines.bounds(location.end_line or location.line)[0] + (location.end_column or location.column) - 1
        return Span(start, max(start, end))

    def part(self, found: Diagnostic) -> Part | None:
        """The script function, or the text, that a finding is in."""
        span = self.span(found.location)
        return None if span is None else self.occurrences.part_at(span.start)

    def unit(self, found: Diagnostic) -> tuple[int, Unit] | None:
        """The unit that a finding is about, and its index."""
        if self.text is None:
            return (0, self.report.units[0]) if self.report.units else None
        part = self.part(found)
        if part is None or part.unit >= len(self.report.units):
            return None
        return part.unit, self.report.units[part.unit]

    def sites(self, found: Diagnostic) -> Sequence[Site]:
        """The nodes of the unit that a finding is in."""
        if self.text is None:
            return models.sites(self.report)
        part = self.part(found)
        return () if part is None else part.table.sites

    def site(self, found: Diagnostic) -> Site | None:
        """The node that a finding is at."""
        if found.node is not None:
            return next((each for each in self.sites(found) if each.key == found.node), None)
        span = self.span(found.location)
        return None if span is None else next((each for each in self.sites(found) if each.span == span), None)

    def declarations(self, found: Diagnostic) -> Iterator[tuple[str, TypedRole, TypeInfo]]:
        """The types that are declared in the unit of a finding: key, which declaration, type."""
        known = self.unit(found)
        if known is None:
            return
        index, unit = known
        graph = unit.model.graph
        typed: set[tuple[str, TypedRole]] | None = None
        if self.text is not None:
            part = self.part(found)
            every: Iterable[Typed] = part.table.typed if part is not None else ()
            typed = {(each.value, each.role) for each in every if each.annotation is not None and each.unit == index}
        tables: tuple[tuple[TypedRole, list[tuple[str, TypeInfo | None]]], ...] = (
            ("result", [(value.name, value.type) for value in graph.outputs]),
            ("local", list(graph.value_info.items())),
        )
        for role, table in tables:
            for name, info in table:
                if info is not None and (typed is None or (name, role) in typed):
                    yield name, role, info

    # ---------------------------------------------------------------- fixes

    def fix(self, title: str, *changes: Change, automatic: bool = True) -> Iterator[Fix]:
        """The fix that makes the changes, where all of them can be written."""
        edits: list[Edit] = []
        for each in changes:
            if self.text is None:
                made = models.write(self.report, each)
            elif self.is_source:
                made = sources.write(self.report, self.occurrences, self.text, each)
            else:
                made = texts.write(self.report, self.occurrences, self.text, each)
            if made is None:
                return
            edits += made
        yield Fix(title, tuple(edits), automatic)

    def text_fix(self, title: str, *edits: tuple[Span, str], automatic: bool = True) -> Iterator[Fix]:
        """The fix that replaces ranges of the text."""
        yield Fix(title, tuple(Edit(self.path, span, text) for span, text in edits), automatic)
