"""The model files of the workspace are checked, open or not, and everything that findings depend on is watched.

Where the client watches files, its word counts; elsewhere the files are looked at from time to time.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from time import monotonic

from onnxls_server.session.analyst import Analysed, Stamp, current_stamp
from onnxls_server.session.models import ModelFile, Models, find_models
from onnxls_server.session.scheduler import Cancelled, Outcome, Scheduler
from onnxls_server.session.session import Session

LOOK_EVERY = 4.0
"""Seconds between two looks at the files that are known."""

FIND_EVERY = 12.0
"""Seconds between two searches for new files; more where a search takes long."""

SETTLE = 0.2
"""Seconds after a change of a file before it is read: who writes it may not be done."""

SETTINGS_FILES = ("onnxls.toml", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen on disk: models (None where nobody searched), and the stamps of other files."""

    models: list[str] | None
    stamps: dict[str, Stamp | None]


class Survey:
    """The survey of one session's workspace folders. All methods are called on the event loop."""

    def __init__(self, session: Session, loop: asyncio.AbstractEventLoop) -> None:
        self.models = Models()
        self._session = session
        self._loop = loop
        self._disk = Scheduler(loop, "disk")
        self._settings: dict[str, Stamp | None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._search: asyncio.TimerHandle | None = None
        self._next_search = 0.0
        session.file_closed = self._closed

    @property
    def busy(self) -> bool:
        """Whether it searches."""
        return self._disk.busy

    def search(self, delay: float = 0.0) -> None:
        """Looks for model files that are new or gone."""
        if self._search is None:
            self._search = self._loop.call_later(delay, self._search_now)

    def watch(self) -> None:
        """Looks at the files again and again, for a client that cannot watch them."""
        self._next_search = monotonic() + FIND_EVERY
        self._timer = self._loop.call_later(LOOK_EVERY, self._look)

    def everything_again(self) -> None:
        """Analyses every model once more: settings are new."""
        for model in self.models:
            model.stamp = None
        self.search()

    def files_changed(self, paths: Collection[str]) -> None:
        """Files were written, made or removed."""
        if any(os.path.basename(path) in SETTINGS_FILES for path in paths):
            self._session.settings_changed()
        changed = set(paths)
        for opened in list(self._session.opened.values()):
            if not changed.isdisjoint(opened.reads):
                self._session.again(opened, SETTLE)
        known = [model for path in changed if (model := self.models.get(path)) is not None]
        for model in known:
            self._loop.call_later(SETTLE, self._analyse, model)
        if any(not path.endswith((".py", ".toml")) for path in changed - {model.path for model in known}):
            self.search(SETTLE)

    def shutdown(self) -> None:
        """Ends all work."""
        for timer in (self._timer, self._search):
            if timer is not None:
                timer.cancel()
        self._disk.close()

    # Searching

    def _search_now(self) -> None:
        self._search = None
        session = self._session
        folders = [each for each in session.wishes.folders if session.wishes.preferences(each).check_models]
        wishes = session.wishes.with_files_anew()

        def run(cancelled: Cancelled) -> _Seen:
            del cancelled
            return _Seen(find_models(folders, wishes.excludes), {})

        self._disk.submit("search", run, self._searched, urgent=True)
        session.busy_changed()

    def _searched(self, outcome: Outcome) -> None:
        seen = outcome.value
        if isinstance(seen, _Seen) and seen.models is not None:
            self._take(seen.models)
        self._session.busy_changed()

    def _take(self, found: Iterable[str]) -> None:
        paths = dict.fromkeys(found)
        for model in self.models:
            if model.path not in paths:
                self._forget(model)
        for path in paths:
            model = self.models.add(path)
            if model.stamp is None or model.stamp != current_stamp(path):
                self._analyse(model)

    def _forget(self, model: ModelFile) -> None:
        self.models.drop(model.path)
        self._session.scheduler.drop(("file", model.path))
        self._session.show_file(model.path, ())

    def _analyse(self, model: ModelFile) -> None:
        session = self._session
        model.stamp = current_stamp(model.path)
        if model.stamp is None:
            self._forget(model)
        if model.stamp is None or self._is_open(model.path):
            return
        order = session.order(model.path, None, None, {})
        session.scheduler.submit(
            ("file", model.path),
            lambda cancelled: session.analyst.analyse(order, cancelled),
            lambda outcome: self._analysed(model, outcome),
            urgent=False,
        )
        session.busy_changed()

    def _analysed(self, model: ModelFile, outcome: Outcome) -> None:
        session = self._session
        result = outcome.value
        if self.models.get(model.path) is model:
            if isinstance(outcome.error, FileNotFoundError):
                self._forget(model)
            else:
                if isinstance(result, Analysed):
                    report, refused = result.report, result.refused
                    found = report.found if report is not None else (refused,) if refused is not None else ()
                else:
                    found = (session.refusal(model.path, outcome),)
                model.diagnostics = session.chosen(model.path, found)
                self._show(model)
        session.busy_changed()

    def _show(self, model: ModelFile) -> None:
        """What an open text of the model shows itself is not shown twice."""
        if not self._is_open(model.path):
            self._session.show_file(model.path, model.diagnostics)

    def _is_open(self, path: str) -> bool:
        return any(opened.path == path for opened in self._session.opened.values())

    def _closed(self, path: str) -> None:
        """A text of a file was closed: what was found in the file counts again."""
        model = self.models.get(path)
        if model is not None:
            self._analyse(model)
        else:
            self._session.show_file(path, ())

    # Watching

    def _look(self) -> None:
        stamps = self._watched()
        wishes = self._session.wishes.with_files_anew()
        search = monotonic() >= self._next_search
        folders = [each for each in wishes.folders if wishes.preferences(each).check_models] if search else []

        def run(cancelled: Cancelled) -> _Seen:
            del cancelled
            models = find_models(folders, wishes.excludes) if search else None
            return _Seen(models, {path: current_stamp(path) for path in stamps})

        self._disk.submit("look", run, self._looked, urgent=True)

    def _looked(self, outcome: Outcome) -> None:
        seen = outcome.value
        if isinstance(seen, _Seen):
            changed = self._changed(seen.stamps)
            if changed:
                self.files_changed(changed)
            if seen.models is not None:
                self._next_search = monotonic() + max(FIND_EVERY, 20 * outcome.seconds)
                self._take(seen.models)
        self._timer = self._loop.call_later(LOOK_EVERY, self._look)

    def _watched(self) -> set[str]:
        found = {model.path for model in self.models}
        for opened in self._session.opened.values():
            found.update(opened.reads)
        return found | self._session.wishes.looked_at()

    def _changed(self, stamps: Mapping[str, Stamp | None]) -> set[str]:
        """The files that are not what they were when they were read."""
        read: list[tuple[str, Stamp | None]] = []
        read += [(model.path, model.stamp) for model in self.models if model.stamp is not None]
        for opened in self._session.opened.values():
            read += opened.reads.items()
        settings = self._session.wishes.looked_at()
        read += [(path, self._settings.get(path, stamps.get(path))) for path in settings]
        self._settings = {path: stamp for path, stamp in stamps.items() if path in settings}
        return {path for path, stamp in read if stamps.get(path, stamp) != stamp}
