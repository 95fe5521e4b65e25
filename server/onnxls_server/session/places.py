"""Locations of the engine as places in documents: by lines in a source, by the graph path in the text of a model."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from onnxls.loading import read_file
from onnxls.spans import LineIndex, Location, Span
from onnxls_server.session.analyst import Stamp, current_stamp
from onnxls_server.session.layout import Layout, Part
from onnxls_server.session.opened import View
from onnxls_server.session.uris import uri_of

KEPT_FILES = 64


@dataclass(frozen=True, slots=True)
class Place:
    """A range in the text of a URI; without lines and span, the URI as a whole."""

    uri: str
    lines: LineIndex | None = None
    span: Span | None = None


class FileLines:
    """The lines of files that are not open, as they are on disk; a few are kept."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Stamp, LineIndex]] = OrderedDict()

    def get(self, path: str) -> LineIndex | None:
        """The lines of a file; None where it cannot be read."""
        stamp = current_stamp(path)
        known = self._known.pop(path, None)
        if stamp is None:
            return None
        if known is None or known[0] != stamp:
            text = read_file(path)
            if text is None:
                return None
            known = stamp, LineIndex(text)
        self._known[path] = known
        while len(self._known) > KEPT_FILES:
            self._known.popitem(last=False)
        return known[1]


def in_layout(layout: Layout, span: Span) -> Place:
    """The place of a range of an analysed text in the documents of the client."""
    part, start = layout.at(span.start)
    return Place(part.uri, part.lines, Span(start, max(start, _within(part, span.end))))


def in_view(view: View, location: Location) -> Place | None:
    """The place of a location in the file that a view shows; None where it has none in the text."""
    snapshot = view.snapshot
    if snapshot.listing is not None:
        span = snapshot.listing.find(location.graph_path) if location.graph_path is not None else None
        return None if span is None else in_layout(view.layout, span)
    if location.line is None:
        return None
    return in_layout(view.layout, span_in(snapshot.lines, location))


def in_file(path: str, lines: LineIndex | None, location: Location) -> Place:
    """The place of a location in a file that is not open."""
    if lines is None or location.line is None:
        return Place(uri_of(path))
    return Place(uri_of(path), lines, span_in(lines, location))


def span_in(lines: LineIndex, location: Location) -> Span:
    """The offsets of a location with lines; without columns, the whole line."""
    line, end_line = location.line or 1, location.end_line or location.line or 1
    start, line_end = lines.bounds(line)
    if location.end_column is None:
        text = lines.text[start:line_end]
        return Span(start + len(text) - len(text.lstrip()), line_end)
    first = start + (location.column or 1) - 1
    return Span(first, max(first, lines.bounds(end_line)[0] + location.end_column - 1))


def homeward(path: str, folders: Sequence[str]) -> str | None:
    """A path from the machine where a model was exported, as a file in the workspace; None where there is none.

    What agrees in the most last parts of the path counts.
    """
    if any(path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders) and os.path.isfile(path):
        return path
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if not parts or ".." in parts or any(":" in part for part in parts[1:]):
        return None
    for start in range(len(parts)):
        for folder in folders:
            found = os.path.join(folder, *parts[start:])
            if os.path.isfile(found):
                return found
    return None


def _within(part: Part, offset: int) -> int:
    return min(max(offset - part.start, 0), len(part.lines.text))
