"""Where each value, function, dim name, operator and attribute is defined and used: what editors look things up in."""

from __future__ import annotations

from onnxls.frontends.text_positions import Listing
from onnxls.occurrences.source import of_source
from onnxls.occurrences.table import (
    Block,
    Entity,
    Kind,
    Occurrence,
    Occurrences,
    Part,
    Role,
    Site,
    Table,
    Typed,
    TypedRole,
)
from onnxls.occurrences.text import of_text
from onnxls.units import Report

__all__ = [
    "Block",
    "Entity",
    "Kind",
    "Occurrence",
    "Occurrences",
    "Part",
    "Role",
    "Site",
    "Table",
    "Typed",
    "TypedRole",
    "occurrences",
]


def occurrences(report: Report, text: str, listing: Listing | None = None) -> Occurrences:
    """The occurrences in the text that a report belongs to; in the listing where one is given.

    There are none in what is neither a source nor ONNX text.
    """
    loaded = report.loaded
    unit = report.units[0] if report.units else None
    if listing is not None:
        return of_text(listing.text, loaded.path, unit)
    if loaded.path.endswith(".py"):
        return of_source(report)
    if loaded.lines is not None:
        return of_text(text, loaded.path, unit, loaded.written)
    return Occurrences(text, ())
