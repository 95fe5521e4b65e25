"""Tables of chunks brought to where the chunks stand now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from onnxls.frontends.script.homes import Edit
from onnxls.occurrences.table import Block, Occurrence, Site, Table, Typed, make_table
from onnxls.spans import Span


@dataclass(frozen=True, slots=True)
class Mover:
    """From the text that a chunk was read from to the file: `edit` is what was done since to the chunk, whose text
    now is `text`, and which begins at `start`."""

    start: int
    edit: Edit | None
    text: str

    def table(self, table: Table, unit: int) -> Table:
        """The table of a unit; what an edit touched is not in it."""
        sites: dict[int, Site] = {}
        for each in table.sites:
            moved = self._site(each, unit)
            if moved is not None:
                sites[id(each)] = moved
        found = [moved for each in table.occurrences if (moved := self._occurrence(each, unit, sites)) is not None]
        typed = [moved for each in table.typed if (moved := self._typed(each, unit)) is not None]
        blocks = [moved for each in table.blocks if (moved := self._block(each)) is not None]
        return make_table(found, sites.values(), typed, blocks)

    def span(self, span: Span | None) -> Span | None:
        """A range; None where the edit touched it, or a word at its ends."""
        if span is None:
            return None
        edit, by = self.edit, 0
        if edit is not None:
            if span.end > edit.at and span.start < edit.at + edit.removed:
                return None
            by = edit.added - edit.removed if span.start >= edit.at + edit.removed and span.end > edit.at else 0
            if self._within_word(span.start + by) or self._within_word(span.end + by):
                return None
        return Span(self.start + span.start + by, self.start + span.end + by)

    def _within_word(self, offset: int) -> bool:
        around = self.text[max(offset - 1, 0) : offset + 1]
        return len(around) == 2 and all(char.isalnum() or char == "_" for char in around)

    def _around(self, span: Span) -> Span:
        """A range that an edit may have grown."""
        start, end = span.start, span.end
        if self.edit is not None:
            start, end = self.edit.moved(start), self.edit.moved(end)
        return Span(self.start + start, self.start + end)

    def _site(self, site: Site, unit: int) -> Site | None:
        span = self.span(site.span)
        if span is None:
            return None
        return replace(
            site,
            unit=unit,
            span=span,
            name=self.span(site.name),
            inputs=tuple(map(self.span, site.inputs)),
            outputs=tuple(map(self.span, site.outputs)),
            attributes={name: at for name, each in site.attributes.items() if (at := self.span(each)) is not None},
        )

    def _occurrence(self, each: Occurrence, unit: int, sites: Mapping[int, Site]) -> Occurrence | None:
        span = self.span(each.span)
        if span is None:
            return None
        site = None if each.site is None else sites.get(id(each.site))
        return replace(each, span=span, unit=unit, site=site)

    def _typed(self, each: Typed, unit: int) -> Typed | None:
        target, annotation = self.span(each.target), self.span(each.annotation)
        if (target is None) != (each.target is None) or (annotation is None) != (each.annotation is None):
            return None
        slot = None if each.slot is None or target is None else target.end
        return replace(each, unit=unit, target=target, annotation=annotation, slot=slot)

    def _block(self, block: Block) -> Block | None:
        name_span = self.span(block.name_span)
        if name_span is None and block.name_span is not None:
            return None
        return replace(block, span=self._around(block.span), name_span=name_span)
