"""Runs the engine for the session, on the analysis thread. Files that sources import come as the editor has them."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from onnxls_server.engine import Request, asked
from onnxls_server.session.limits import MAX_TEXT, too_large
from onnxls_server.session.scheduler import Cancelled, StopWork
from onnxls_server.session.snapshot import Kind

if TYPE_CHECKING:
    from onnxls.assembly import Request as EngineRequest
    from onnxls.diagnostics import Diagnostic
    from onnxls.frontends.text_positions import Listing
    from onnxls.units import Report
    from onnxls.workspace import Workspace

KEPT_LISTINGS = 4
"""Texts of models are kept: an editor asks for one, and opens it a moment later."""

MAX_WORKSPACES = 16

Stamp = tuple[int, int, int]
Sizes = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Order:
    """What to analyse. `text` is None for what is read from disk; `sizes` are those tried, by the names of units."""

    path: str
    kind: Kind | None
    text: str | None
    roots: tuple[str, ...]
    request: Request
    sizes: Mapping[str, Sizes] = field(default_factory=dict[str, Sizes])


@dataclass(frozen=True, slots=True)
class Analysed:
    """The report on an order; `listing` is the annotated text of a binary model.

    `reads`: the files that were looked for, with their stamps before they were read.
    `refused`: the one finding on what was not analysed.
    """

    report: Report | None
    listing: Listing | None = None
    reads: Mapping[str, Stamp | None] = field(default_factory=dict[str, "Stamp | None"])
    refused: Diagnostic | None = None


class Analyst:
    """The engine with what it keeps from one analysis to the next. Used by one thread at a time."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._workspaces: OrderedDict[tuple[str, ...], Workspace] = OrderedDict()
        self._listings: OrderedDict[str, tuple[Stamp, Report, Listing | None]] = OrderedDict()
        self._reads: dict[str, Stamp | None] = {}

    def analyse(self, order: Order, cancelled: Cancelled) -> Analysed:
        """Raises StopWork when it is cancelled, and OSError where a file cannot be read."""
        from onnxls.infer import Cancelled as EngineCancelled

        if cancelled():
            raise StopWork
        size = len(order.text) if order.text is not None else _text_size(order.path)
        if size > MAX_TEXT:
            return Analysed(None, refused=too_large(order.path, size))
        self._reads = {}
        try:
            if order.kind == "listing":
                report, listing = self._listed(order, cancelled)
            else:
                report, listing = self._report(order, cancelled), None
        except EngineCancelled:
            raise StopWork from None
        return Analysed(report, listing, self._reads)

    def listing(self, path: str, cancelled: Cancelled) -> Analysed:
        """The annotated text of a model, whatever the settings and sizes are: what `onnxls show` prints."""
        return self.analyse(Order(path, "listing", None, (), Request()), cancelled)

    def _report(self, order: Order, cancelled: Cancelled) -> Report:
        workspace = self._workspace(order.roots)
        request = _engine_request(order, cancelled)
        if order.text is not None:
            return workspace.analyze_text(order.text, order.path, request)
        return workspace.analyze(order.path, request)

    def _listed(self, order: Order, cancelled: Cancelled) -> tuple[Report, Listing | None]:
        """The text shows what holds at all sizes, so that it does not move when sizes are tried."""
        from onnxls.listing import listing

        stamp = self._reads[order.path] = stamp_of(order.path)
        known = self._listings.pop(order.path, None)
        if known is None or known[0] != stamp:
            plain = self._report(replace(order, request=Request(), sizes={}), cancelled)
            known = stamp, plain, listing(plain.units[0]) if plain.units else None
        self._listings[order.path] = known
        while len(self._listings) > KEPT_LISTINGS:
            self._listings.popitem(last=False)
        _, report, text = known
        if order.request != Request() or order.sizes:
            report = self._report(order, cancelled)
        return report, text

    def _workspace(self, roots: tuple[str, ...]) -> Workspace:
        from onnxls.workspace import Workspace

        known = self._workspaces.pop(roots, None) or Workspace(roots, self._read)
        self._workspaces[roots] = known
        while len(self._workspaces) > MAX_WORKSPACES:
            self._workspaces.popitem(last=False)
        return known

    def _read(self, path: str) -> str | None:
        from onnxls.loading import read_file

        path = os.path.normpath(path)
        self._reads[path] = current_stamp(path)
        text = self._texts.get(path)
        return read_file(path) if text is None else text


def unreadable_assumptions(texts: Iterable[str]) -> list[str]:
    """What is wrong with the assumptions that are not read."""
    from onnxls.expressions import parse_condition

    problems: list[str] = []
    for text in texts:
        try:
            parse_condition(text)
        except ValueError as error:
            problems.append(f"cannot read the assumption `{text}`: {error}")
    return problems


def warm_up() -> None:
    """Loads what the first analysis needs."""
    from onnxls.ops import registered
    from onnxls.workspace import Workspace

    Workspace()
    registered()


def stamp_of(path: str) -> Stamp:
    """What changes when a file does; raises OSError."""
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size, status.st_ino


def current_stamp(path: str) -> Stamp | None:
    """The stamp of a file; None where there is none."""
    try:
        return stamp_of(path)
    except OSError:
        return None


def _text_size(path: str) -> int:
    return 0 if path.lower().endswith(".onnx") else os.stat(path).st_size


def _engine_request(order: Order, cancelled: Cancelled) -> EngineRequest:
    readable = tuple(text for text in order.request.assume if not unreadable_assumptions((text,)))
    return replace(asked(replace(order.request, assume=readable)), cancelled=cancelled, sizes=order.sizes)
