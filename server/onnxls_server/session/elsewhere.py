"""The sources of the workspace that speak of a name and are not open, as if they were."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from typing import cast

from onnxls.loading import read_file
from onnxls.spans import LineIndex
from onnxls_server.discover import discover
from onnxls_server.session.layout import Layout, Part
from onnxls_server.session.opened import View
from onnxls_server.session.scheduler import Cancelled, Outcome, StopWork
from onnxls_server.session.session import Session
from onnxls_server.session.snapshot import Snapshot
from onnxls_server.session.uris import uri_of

MAX_FILES = 5_000


class Elsewhere:
    """Looks through the files of a session's folders, each time anew: nothing of them is kept."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def views(self, words: Collection[str]) -> list[View]:
        """The open sources, and those on disk that have one of these words in them."""
        session = self._session
        opened = session.views()
        if not words:
            return opened
        paths = {view.snapshot.path for view in opened}
        future: asyncio.Future[list[View]] = asyncio.get_running_loop().create_future()
        subject = ("elsewhere", id(future))

        def run(cancelled: Cancelled) -> list[View]:
            return [view for path in self._sources(words, paths, cancelled) if (view := self._view(path, cancelled))]

        def finish(outcome: Outcome) -> None:
            if not future.done():
                future.set_result(cast("list[View]", outcome.value) if outcome.end == "done" else [])

        session.scheduler.submit(subject, run, finish, urgent=True)
        try:
            return [*opened, *await future]
        except asyncio.CancelledError:
            session.scheduler.drop(subject)
            raise

    def _sources(self, words: Collection[str], passed: set[str], cancelled: Cancelled) -> Iterable[str]:
        wishes = self._session.wishes.with_files_anew()
        files = (file.path for folder in wishes.folders for file in discover([folder], wishes.excludes).files)
        count = 0
        for path in files:
            if cancelled():
                raise StopWork
            if path.endswith(".py") and path not in passed and count < MAX_FILES:
                count += 1
                text = read_file(path)
                if text is not None and any(word in text for word in words):
                    yield path

    def _view(self, path: str, cancelled: Cancelled) -> View | None:
        text = read_file(path)
        if text is None:
            return None
        found = self._session.analyst.analyse(self._session.order(path, "source", text, {}), cancelled)
        if found.report is None:
            return None
        lines = LineIndex(text)
        snapshot = Snapshot(uri_of(path), path, None, "source", text, lines, found.report, text)
        return View(snapshot, Layout([Part(snapshot.uri, None, lines)]))
