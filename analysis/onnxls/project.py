"""Texts and models in, reports out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from onnxls import report
from onnxls.assembly import Request
from onnxls.expressions import parse_condition
from onnxls.relations import Condition
from onnxls.units import Hints, Report
from onnxls.workspace import Workspace

if TYPE_CHECKING:
    import onnx


class AssumptionError(ValueError):
    """An assumption that cannot be parsed."""


def analyze(
    source: str | os.PathLike[str] | bytes | onnx.ModelProto,
    *,
    hints: Hints | None = None,
    assume: Sequence[str] = (),
    path: str | None = None,
    options: report.Options | None = None,
    roots: Sequence[str] = (),
) -> Report:
    """Analyses a path, a ModelProto or the bytes of one. What is wrong with the input is in the report.

    `hints`: sizes of symbols (`{"N": 2}`) or inputs (`{"x": (2, 3)}`) of one intended run. `assume`: preconditions on
    symbols (`"N % 8 == 0"`). `path`: what bytes or a ModelProto shall be called, and where external data lies.
    `roots`: folders that imports of a source resolve from, after its own.
    Raises FileNotFoundError, UnsupportedInput (not a kind that is known) and AssumptionError.
    """
    request = Request(hints or {}, parse_assumptions(assume), options or report.Options())
    return Workspace(roots).analyze(source, request, path)


def analyze_text(
    text: str,
    path: str,
    *,
    hints: Hints | None = None,
    assume: Sequence[str] = (),
    options: report.Options | None = None,
    roots: Sequence[str] = (),
) -> Report:
    """Analyses the unsaved text of a file; `path` gives its kind and folder. Raises as `analyze` does."""
    request = Request(hints or {}, parse_assumptions(assume), options or report.Options())
    return Workspace(roots).analyze_text(text, path, request)


def parse_assumptions(texts: Sequence[str]) -> tuple[Condition, ...]:
    """The conditions of the texts; AssumptionError for one that cannot be read."""
    found: list[Condition] = []
    for text in texts:
        try:
            found.append(parse_condition(text))
        except ValueError as error:
            raise AssumptionError(f"cannot read the assumption {text!r}: {error}") from None
    return tuple(found)
