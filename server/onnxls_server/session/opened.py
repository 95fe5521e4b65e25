"""An open document, or a notebook: its text as it is now, and what the last analysis found."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from onnxls.diagnostics import Diagnostic
from onnxls.frontends.text_positions import Listing
from onnxls.spans import LineIndex
from onnxls.units import Report
from onnxls_server.session.layout import Layout
from onnxls_server.session.snapshot import Kind, Snapshot

SHORTEST_DELAY = 0.03
LONGEST_DELAY = 0.6
"""Seconds between a keystroke and the analysis, unless somebody asks for the result at once."""


@dataclass(frozen=True, slots=True)
class View:
    """A snapshot, and where its text stands in the documents of the client."""

    snapshot: Snapshot
    layout: Layout


@dataclass(eq=False)
class Opened:
    """One subject of analysis. `generation` counts its versions and everything else that makes a result old.

    `by_edit`: the newest is an edit of the client, which asks anew by itself. `answered_old`: somebody was answered
    from an older analysis since the last one.
    """

    uri: str
    kind: Kind
    path: str
    lines: LineIndex
    layout: Layout
    version: int | None = None
    generation: int = 0
    analysed: int = -1
    by_edit: bool = True
    answered_old: bool = False
    cost: float = 0.0
    sizes: dict[str, dict[str, int]] = field(default_factory=dict[str, "dict[str, int]"])
    reads: Mapping[str, tuple[int, int, int] | None] = field(default_factory=dict[str, "tuple[int, int, int] | None"])
    report: Report | None = None
    listing: Listing | None = None
    analysed_lines: LineIndex | None = None
    analysed_layout: Layout | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    timer: asyncio.TimerHandle | None = None
    waiting: asyncio.Future[None] | None = None

    @property
    def is_current(self) -> bool:
        """Whether the last analysis is of what is there now."""
        return self.analysed == self.generation

    def delay(self) -> float:
        """How long to wait for the next keystroke: the longer, the more an analysis costs."""
        return min(max(SHORTEST_DELAY, 1.5 * self.cost), LONGEST_DELAY)

    def view(self) -> View | None:
        """What features look at; None before the first analysis, or where nothing could be read."""
        if self.report is None or self.analysed_lines is None:
            return None
        snapshot = Snapshot(
            uri=self.uri,
            path=self.path,
            version=self.version,
            kind=self.kind,
            text=self.lines.text,
            lines=self.lines,
            report=self.report,
            analyzed=self.analysed_lines.text,
            listing=self.listing,
        )
        return View(snapshot, self.layout)

    def stop_waiting(self) -> None:
        """Takes back an analysis that has not begun."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def tell(self) -> None:
        """Wakes those who wait for the result."""
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)
        self.waiting = None

    def told(self) -> asyncio.Future[None]:
        """Is done when the next result is there, or none will come."""
        if self.waiting is None:
            self.waiting = asyncio.get_running_loop().create_future()
        return self.waiting
