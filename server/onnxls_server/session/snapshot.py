"""One version of one document with its analysis: all that a feature may look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from onnxls.frontends.text_positions import Listing
from onnxls.spans import LineIndex
from onnxls.units import Report

Kind = Literal["source", "model-text", "listing"]
"""A Python source; ONNX text that is edited; the annotated text of a binary model, which is read only."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A text, its analysis, and the sizes in force. Immutable; features never wait and never analyse.

    `path` is the file as the engine calls it; `report` may belong to an older version of the text while a newer one is
    being analysed: then `analyzed` is the text that it belongs to, and differs from `text`. `listing` says where things
    stand in the text of a binary model; it is None for other kinds.
    """

    uri: str
    path: str
    version: int | None
    kind: Kind
    text: str
    lines: LineIndex
    report: Report
    analyzed: str
    listing: Listing | None = None
