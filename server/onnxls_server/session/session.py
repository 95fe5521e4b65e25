"""What a language server knows, free of any protocol: open texts, analyses on a thread of their own, findings.

All methods are called on the event loop. Results of an older version than the newest are kept for features and
never shown as findings.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, cast

from onnxls.diagnostics import Diagnostic
from onnxls.spans import LineIndex, Location
from onnxls_server.engine import OnnxlsEngine, wished
from onnxls_server.render.wording import plain
from onnxls_server.selection import choose, unknown
from onnxls_server.session import limits
from onnxls_server.session.analyst import Analysed, Analyst, Order, unreadable_assumptions, warm_up
from onnxls_server.session.documents import Change, Document, Documents
from onnxls_server.session.kinds import identify
from onnxls_server.session.layout import Layout, Part
from onnxls_server.session.opened import Opened, View
from onnxls_server.session.pages import Page, Pages
from onnxls_server.session.places import FileLines, Place, homeward, in_file, in_layout, in_view, span_in
from onnxls_server.session.positions import Encoding
from onnxls_server.session.scheduler import Outcome, Scheduler
from onnxls_server.session.uris import key_of, path_of, scheme_of, uri_of
from onnxls_server.session.wishes import Wishes

CELL_SCHEME = "vscode-notebook-cell"

log = logging.getLogger(__name__)


class Listener(Protocol):
    """Who shows what the session finds."""

    def pages_changed(self, uris: Collection[str], by_edit: bool) -> None:
        """The findings of these URIs are others now. `by_edit`: because the client changed that very document."""

    def analysed(self, opened: Opened) -> None:
        """There is a new view of a document, which its client does not expect."""

    def busy_changed(self) -> None:
        """Work has begun, or all is done."""

    def warmed_up(self) -> None:
        """The engine is loaded."""

    def settings_changed(self) -> None:
        """Settings are others now, the switches of features among them."""

    def say(self, message: str) -> None:
        """Something for the person who uses the editor."""


class Session:
    """The state of one server. `encoding` is set when the client has said what it can."""

    def __init__(self, listener: Listener, loop: asyncio.AbstractEventLoop) -> None:
        self.encoding: Encoding = "utf-16"
        self.documents = Documents()
        self.wishes = Wishes()
        self.pages = Pages()
        self.opened: dict[str, Opened] = {}
        self._listener = listener
        self._loop = loop
        self._texts: dict[str, str] = {}
        self.analyst = Analyst(self._texts)
        self.file_closed: Callable[[str], None] = lambda path: None
        self._file_lines = FileLines()
        self._said: set[str] = set()
        self.scheduler = Scheduler(loop)

    # Documents

    def open(self, uri: str, language: str, version: int | None, text: str) -> None:
        """A document was opened."""
        document = self.documents.open(uri, language, version, text)
        path = path_of(uri)
        if scheme_of(uri) == CELL_SCHEME:
            return  # the notebook is what is analysed
        found = identify(uri, language, text)
        if found is None or (path is not None and scheme_of(uri) != "file" and found[0] != "listing"):
            return
        kind, path = found
        part = Part(document.uri, document.version, document.lines)
        opened = Opened(document.uri, kind, path, document.lines, Layout((part,)), document.version)
        self.add(opened)

    def change(self, uri: str, version: int | None, changes: Sequence[Change]) -> None:
        """A document was edited."""
        document = self.documents.change(uri, version, changes, self.encoding)
        opened = self.opened.get(key_of(uri))
        if document is None or scheme_of(uri) == CELL_SCHEME:
            return
        if opened is None:
            # what it is may show only in what is typed
            self.open(document.uri, document.language, document.version, document.text)
            return
        part = Part(document.uri, document.version, document.lines)
        self.renew(opened, document.lines, Layout((part,)), document.version)

    def close_document(self, uri: str) -> None:
        """A document was closed: its findings are taken back, those of its file come again."""
        document: Document | None = self.documents.close(uri)
        opened = self.opened.get(key_of(uri))
        if document is not None and opened is not None:
            self.remove(opened)

    def add(self, opened: Opened) -> None:
        """Takes up a subject, and analyses it at once."""
        self.opened[key_of(opened.uri)] = opened
        self._keep_text(opened)
        self._start(opened)
        self._dependents(opened)

    def renew(self, opened: Opened, lines: LineIndex, layout: Layout, version: int | None) -> None:
        """The text of a subject has changed."""
        gone = [part.uri for part in opened.layout.parts if layout.part(part.uri) is None]
        cleared = [uri for uri in gone if self.pages.take_back(uri) is not None]
        if cleared:
            self._listener.pages_changed(cleared, by_edit=False)
        opened.lines, opened.layout, opened.version = lines, layout, version
        opened.generation += 1
        opened.by_edit = True
        self._keep_text(opened)
        self._start_later(opened)
        self._dependents(opened)

    def remove(self, opened: Opened) -> None:
        """Gives up a subject."""
        opened.stop_waiting()
        opened.generation += 1
        self.opened.pop(key_of(opened.uri), None)
        self.scheduler.drop(key_of(opened.uri))
        opened.tell()
        if opened.kind != "listing":
            self._texts.pop(opened.path, None)
        cleared = [part.uri for part in opened.layout.parts if self.pages.take_back(part.uri) is not None]
        self._listener.pages_changed(cleared, by_edit=False)
        self._dependents(opened)
        if not any(each.path == opened.path for each in self.opened.values()):
            self.file_closed(opened.path)

    def busy_changed(self) -> None:
        """Work has begun, or is done."""
        self._listener.busy_changed()

    def _keep_text(self, opened: Opened) -> None:
        if opened.kind != "listing":
            self._texts[opened.path] = opened.lines.text

    def _dependents(self, changed: Opened) -> None:
        """Analyses again what imports the text."""
        for opened in self.opened.values():
            if opened is not changed and changed.path in opened.reads:
                self.again(opened)

    # Analyses

    def forget(self) -> None:
        """Lets the engine begin anew, without what it kept from earlier analyses."""
        self.analyst = Analyst(self._texts)

    def warm_up(self) -> None:
        """Loads the engine before it is needed."""
        self.scheduler.submit(
            "warm-up", lambda cancelled: warm_up(), lambda outcome: self._listener.warmed_up(), urgent=False
        )

    def again(self, opened: Opened, delay: float = 0.0) -> None:
        """Analyses a subject once more, though its text is the same."""
        opened.by_edit &= not opened.is_current
        opened.generation += 1
        self._start_later(opened, delay)

    def settings_changed(self, wishes: Wishes | None = None) -> None:
        """The client has other wishes, or settings files are to be read again: everything is analysed once more."""
        if wishes is None:
            wishes = self.wishes.with_files_anew()
            self._said.clear()
        self.wishes = wishes
        for opened in self.opened.values():
            self.again(opened)
        self._listener.settings_changed()
        self._check_names()

    def _check_names(self) -> None:
        """Tells of selectors in the settings that are no rules, and of assumptions that cannot be read."""
        selectors, assume = self.wishes.selectors(), self.wishes.assumptions()
        if selectors or assume:
            self.scheduler.submit(
                "settings",
                lambda cancelled: (*unreadable_assumptions(assume), *unknown(selectors, OnnxlsEngine().rules())),
                self._say_all,
                urgent=False,
            )

    def _say_all(self, outcome: Outcome) -> None:
        if outcome.end == "done":
            for message in cast("tuple[str, ...]", outcome.value):
                self._say(message)

    def _say(self, message: str) -> None:
        """Says a thing once, until settings files are read again."""
        if message not in self._said:
            self._said.add(message)
            self._listener.say(f"onnxls: {message}")

    async def settled(self, uri: str) -> Opened | None:
        """The subject that a document belongs to, when the analysis of its newest text is done."""
        opened = self.find(uri)
        while opened is not None and not opened.is_current:
            if opened.timer is not None:
                self._start(opened)
            await asyncio.shield(opened.told())
            if self.opened.get(key_of(opened.uri)) is not opened:
                return None
        return opened

    def find(self, uri: str) -> Opened | None:
        """The subject that a document is, or is a part of."""
        key = key_of(uri)
        found = self.opened.get(key)
        if found is None and scheme_of(uri) == CELL_SCHEME:
            found = next((each for each in self.opened.values() if each.layout.part(uri) is not None), None)
        return found

    def _start_later(self, opened: Opened, delay: float = 0.0) -> None:
        opened.stop_waiting()
        opened.timer = self._loop.call_later(max(delay, opened.delay()), self._start, opened)

    def _start(self, opened: Opened) -> None:
        opened.stop_waiting()
        text = None if opened.kind == "listing" else opened.lines.text
        order = self.order(opened.path, opened.kind, text, opened.sizes)
        generation, lines, layout = opened.generation, opened.lines, opened.layout
        self.scheduler.submit(
            key_of(opened.uri),
            lambda cancelled: self.analyst.analyse(order, cancelled),
            lambda outcome: self._finish(opened, generation, lines, layout, outcome),
            urgent=True,
        )
        self._listener.busy_changed()

    def order(self, path: str, kind: object, text: str | None, sizes: Mapping[str, Mapping[str, int]]) -> Order:
        """What the engine is asked for a file."""
        settings = self.wishes.of_file(path)
        for message in self.wishes.messages():
            self._say(message)
        folder = self.wishes.folder_of(path)
        roots = (folder, os.path.join(folder, "src")) if folder is not None else ()
        request = wished(settings)
        known_kind = kind if kind in ("source", "model-text", "listing") else None
        return Order(path, known_kind, text, roots, request, {unit: dict(of) for unit, of in sizes.items()})

    def _finish(self, opened: Opened, generation: int, lines: LineIndex, layout: Layout, outcome: Outcome) -> None:
        if self.opened.get(key_of(opened.uri)) is not opened:
            return
        opened.cost = outcome.seconds if not opened.cost else (opened.cost + outcome.seconds) / 2
        diagnostics = self._take(opened, lines, layout, outcome)
        if generation == opened.generation:
            opened.analysed = generation
            opened.diagnostics = self.chosen(opened.path, diagnostics)
            if opened.answered_old or not opened.by_edit:
                opened.answered_old = False
                self._listener.analysed(opened)
            self._show(opened)
            opened.tell()
        elif opened.timer is None:
            self._start(opened)
        self._listener.busy_changed()

    def _take(self, opened: Opened, lines: LineIndex, layout: Layout, outcome: Outcome) -> Iterable[Diagnostic]:
        """Keeps the result of an analysis, and gives what it found."""
        if outcome.end == "done" and isinstance(outcome.value, Analysed):
            result = outcome.value
            opened.reads = result.reads
            if result.report is None:
                return () if result.refused is None else (result.refused,)
            if opened.kind != "listing" or (result.listing is not None and _same_text(lines, result.listing.text)):
                opened.report, opened.listing = result.report, result.listing
                opened.analysed_lines, opened.analysed_layout = lines, layout
            return result.report.found
        return (self.refusal(opened.path, outcome),)

    def refusal(self, path: str, outcome: Outcome) -> Diagnostic:
        """The finding on a file that was not analysed to the end."""
        if outcome.end == "too-long":
            return limits.too_long(path, outcome.seconds)
        error = outcome.error or RuntimeError("no result")
        if isinstance(error, OSError):
            return limits.unreadable(path, error.strerror or type(error).__name__)
        log.error("the analysis of %s failed", path, exc_info=error)
        return limits.failed(path, error)

    # Findings

    def chosen(self, path: str, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings that the settings of a file keep."""
        if self.wishes.excludes(path):
            return ()
        return choose(diagnostics, self.wishes.of_file(path))

    def _show(self, opened: Opened) -> None:
        view = opened.view()
        inside, outside = opened.diagnostics, ()
        if opened.kind == "listing" and scheme_of(opened.uri) != "file":
            inside = tuple(each for each in opened.diagnostics if is_in_graph(each, view))
            outside = tuple(each for each in opened.diagnostics if not is_in_graph(each, view))
            self.show_file(opened.path, outside)
        changed: list[str] = []
        for part in opened.layout.parts:
            own = tuple(each for each in inside if self._is_in(each, part, opened))
            if self.pages.put(part.uri, part.version, own, view):
                changed.append(part.uri)
        self._listener.pages_changed(changed, opened.by_edit)

    def _is_in(self, diagnostic: Diagnostic, part: Part, opened: Opened) -> bool:
        if len(opened.layout.parts) == 1 or opened.analysed_lines is None:
            return part is opened.layout.parts[0]
        line, column = diagnostic.location.line or 1, diagnostic.location.column or 1
        return opened.layout.at(opened.analysed_lines.bounds(line)[0] + column - 1)[0] is part

    def show_file(self, path: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Sets the findings on the file itself, which is not open as a text."""
        uri = uri_of(path)
        if key_of(uri) in self.opened:
            return
        if self.pages.put(uri, None, diagnostics):
            self._listener.pages_changed([uri], by_edit=False)

    async def page(self, uri: str) -> Page | None:
        """The findings of the newest text of a document."""
        await self.settled(uri)
        return self.pages.get(uri)

    def place(self, location: Location, view: View | None, of: str | None = None) -> Place | None:
        """Where a location is shown; None where it has no place, and for a place without a file.

        `view` shows the file at its own path, or at `of`. A location elsewhere may be on the machine of an exporter.
        """
        if view is not None and location.path == view.snapshot.path:
            return in_view(view, location)
        if location.path == of:
            return self.whole(uri_of(location.path)) if location.line is None else self._in_file(location)
        path = location.path if os.path.isfile(location.path) else homeward(location.path, self.wishes.folders)
        return None if path is None else self._in_file(replace(location, path=path))

    def _in_file(self, location: Location) -> Place:
        opened = next((each for each in self.opened.values() if each.path == location.path), None)
        if opened is None or opened.kind == "listing":
            return in_file(location.path, self._file_lines.get(location.path), location)
        return in_layout(opened.layout, span_in(opened.lines, location))

    def whole(self, uri: str) -> Place:
        """A document as a whole."""
        return Place(uri)

    # Models as text

    async def model_text(self, path: str) -> str:
        """The annotated text of a model, or a comment that says why there is none."""
        future: asyncio.Future[str] = self._loop.create_future()

        def finish(outcome: Outcome) -> None:
            if not future.done():
                future.set_result(self._text_from(path, outcome))

        subject = ("text", path, id(future))
        self.scheduler.submit(subject, lambda cancelled: self.analyst.listing(path, cancelled), finish, urgent=True)
        try:
            return await future
        except asyncio.CancelledError:
            self.scheduler.drop(subject)
            raise

    def _text_from(self, path: str, outcome: Outcome) -> str:
        result = outcome.value
        if isinstance(result, Analysed):
            if result.listing is not None:
                return result.listing.text
            if result.report is not None:
                return comment(f"{path} cannot be shown", [each.message for each in result.report.found])
        return comment(f"{path} cannot be shown", [self.refusal(path, outcome).message])

    # Sizes

    def try_sizes(self, opened: Opened, unit: str, sizes: Mapping[str, int] | None) -> None:
        """Puts sizes of the symbols of a unit into force, or none."""
        opened.sizes.pop(unit, None)
        if sizes:
            opened.sizes[unit] = dict(sizes)
        opened.by_edit &= not opened.is_current
        opened.generation += 1
        self._start(opened)

    def sizes_in_force(self) -> dict[str, dict[str, int]]:
        """The sizes that are being tried, by document."""
        return {
            opened.uri: {symbol: size for sizes in opened.sizes.values() for symbol, size in sizes.items()}
            for opened in self.opened.values()
            if any(opened.sizes.values())
        }

    def views(self) -> list[View]:
        """The views of all that is open."""
        return [view for opened in self.opened.values() if (view := opened.view()) is not None]

    def shutdown(self) -> None:
        """Ends all work."""
        for opened in self.opened.values():
            opened.stop_waiting()
            opened.tell()
        self.scheduler.close()


def is_in_graph(diagnostic: Diagnostic, view: View | None) -> bool:
    """Whether a finding of a binary model has a place in its text."""
    path = diagnostic.location.graph_path
    if path is None or view is None or view.snapshot.listing is None:
        return False
    return view.snapshot.listing.find(path) is not None


def comment(title: str, reasons: Sequence[str]) -> str:
    """A text without a model, which says why."""
    lines = [title, *(line for reason in reasons for line in reason.splitlines())]
    return "".join(f"# {plain(line)}\n" for line in lines)


def _same_text(lines: LineIndex, listing: str) -> bool:
    """An editor may end the last line or not."""
    return lines.text.rstrip("\n") == listing.rstrip("\n")
