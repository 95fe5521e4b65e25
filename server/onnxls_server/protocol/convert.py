"""Plain data to the types of the protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from onnxls.diagnostics import Diagnostic
from onnxls.spans import LineIndex, Span
from onnxls_server.rule_page import address
from onnxls_server.session import places
from onnxls_server.session.layout import Layout
from onnxls_server.session.places import Place
from onnxls_server.session.positions import Encoding, position_of

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
UNNECESSARY = frozenset({"unused-value", "unused-initializer", "unused-function", "unused-ignore"})
DEPRECATED = frozenset({"deprecated-operator"})
START = types.Range(types.Position(0, 0), types.Position(0, 0))


def position(lines: LineIndex, offset: int, encoding: Encoding) -> types.Position:
    """The position of an offset."""
    line, character = position_of(lines, offset, encoding)
    return types.Position(line, character)


def range_of(lines: LineIndex, span: Span, encoding: Encoding) -> types.Range:
    """The range of a span of offsets in the text of `lines`."""
    return types.Range(position(lines, span.start, encoding), position(lines, span.end, encoding))


def place_range(place: Place, encoding: Encoding) -> types.Range:
    """The range of a place; the start of the file where no text is known."""
    if place.lines is None or place.span is None:
        return START
    return range_of(place.lines, place.span, encoding)


def in_layout(layout: Layout, start: int, end: int) -> Place:
    """The place of two offsets of an analysed text."""
    return places.in_layout(layout, Span(start, end))


def location(place: Place, encoding: Encoding) -> types.Location:
    """A place as a location."""
    return types.Location(place.uri, place_range(place, encoding))


def diagnostic(
    found: Diagnostic, place: Place, related: Sequence[tuple[str, Place]], data: object, encoding: Encoding
) -> types.Diagnostic:
    """A finding at a place of the document that it is shown in. `related`: messages at other places."""
    where = found.location.graph_path
    message = found.message
    if place.span is None and where is not None and where != "graph":
        message += f"\n({where})"
    tags: list[types.DiagnosticTag] = []
    if found.rule in UNNECESSARY:
        tags.append(types.DiagnosticTag.Unnecessary)
    if found.rule in DEPRECATED:
        tags.append(types.DiagnosticTag.Deprecated)
    return types.Diagnostic(
        range=place_range(place, encoding),
        message=message,
        severity=SEVERITIES[found.severity],
        code=found.code,
        code_description=types.CodeDescription(address(found.rule)),
        source="onnxls",
        tags=tags or None,
        related_information=[types.DiagnosticRelatedInformation(location(at, encoding), text) for text, at in related]
        or None,
        data=data,
    )
