"""What is reported: plain, frozen, picklable data. No graph, rule function or editor object is held here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from onnxls.rules import Severity
from onnxls.spans import Location, Span

if TYPE_CHECKING:
    from onnxls.relations import Guard

Outcome = Literal["fails", "may-fail"]
Trial = Literal["confirmed", "refuted", "untried"]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `span` of the text at `path` by `text`; in a binary model `span` is None and `target` names the place."""

    path: str
    span: Span | None
    text: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that remove the finding. `automatic`: they repair it, and may be made without being asked for."""

    title: str
    edits: tuple[Edit, ...]
    automatic: bool = True


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of a finding when its examples were run; `text` has the runtime's words, or why nothing was tried."""

    outcome: Trial
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding.

    `verdict`: "fails" (no admissible sizes work, or the hints do not), "may-fail" (some do), None (not about sizes).
    `guard` is the condition; `passing` and `failing` are complete over the input symbols of the unit.
    `proof` is None unless the examples were to be run.
    """

    rule: str
    code: str
    severity: Severity
    message: str
    location: Location
    related: tuple[Related, ...] = ()
    node: str | None = None
    value: str | None = None
    verdict: Outcome | None = None
    guard: Guard | None = None
    passing: Mapping[str, int] | None = None
    failing: Mapping[str, int] | None = None
    fixes: tuple[Fix, ...] = ()
    proof: Proof | None = None
