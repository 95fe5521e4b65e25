"""Analyses run one after the other on a thread of their own: what is urgent first, the newest of each subject only.

Work is told to end when a newer one of its subject comes, when something urgent waits behind what is not, and after
`TIME_LIMIT`. A thread whose work does not heed that is given up and another one takes over: one bad document
never holds up the others.
"""

from __future__ import annotations

import threading
from asyncio import AbstractEventLoop
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import monotonic
from typing import Literal

TIME_LIMIT = 60.0
"""Seconds after which an analysis is told to end."""

GRACE = 10.0
"""Seconds more after which it is left alone on its thread."""

PATIENCE = 5
"""So many analyses of a subject in a row are given up for newer ones; then one is left to finish."""

Cancelled = Callable[[], bool]
End = Literal["done", "cancelled", "too-long", "failed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How work ended: with a value, or an exception that it raised; and how many seconds it took."""

    end: End
    seconds: float
    value: object = None
    error: Exception | None = None


@dataclass(eq=False, slots=True)
class Job:
    """Work on a subject. `run` is called on the thread, `done` on the event loop."""

    subject: Hashable
    run: Callable[[Cancelled], object]
    done: Callable[[Outcome], None]
    urgent: bool
    dropped: bool = False
    postponed: bool = False
    started: float = 0.0

    def must_end(self) -> bool:
        """Whether the work shall stop as soon as it can."""
        return self.dropped or self.postponed or monotonic() - self.started > TIME_LIMIT


class StopWork(Exception):  # noqa: N818 - an outcome, not an error
    """Raised by work that was told to end."""


class Scheduler:
    """One thread at a time. All methods are called on the event loop."""

    def __init__(self, loop: AbstractEventLoop, name: str = "analysis") -> None:
        self._loop = loop
        self._name = name
        self._wake = threading.Condition()
        self._waiting: dict[Hashable, Job] = {}
        self._running: Job | None = None
        self._given_up: dict[Hashable, int] = {}
        self._thread: threading.Thread | None = None
        self._closed = False
        self._watched = False

    @property
    def busy(self) -> bool:
        """Whether anything runs or waits."""
        return self._running is not None or bool(self._waiting)

    def submit(
        self, subject: Hashable, run: Callable[[Cancelled], object], done: Callable[[Outcome], None], urgent: bool
    ) -> None:
        """Work in place of any older work on the subject, which is dropped and never reported."""
        if self._closed:
            return
        with self._wake:
            running = self._running
            if running is not None and running.subject == subject and not running.dropped:
                given_up = self._given_up.get(subject, 0)
                if given_up < PATIENCE:
                    self._given_up[subject] = given_up + 1
                    running.dropped = True
            elif running is not None and urgent and not running.urgent:
                running.postponed = True
            self._waiting.pop(subject, None)
            self._waiting[subject] = Job(subject, run, done, urgent)
            if self._thread is None:
                self._start_thread()
            self._wake.notify_all()
        self._watch_later()

    def drop(self, subject: Hashable) -> None:
        """Forgets all work on a subject."""
        with self._wake:
            self._waiting.pop(subject, None)
            self._given_up.pop(subject, None)
            if self._running is not None and self._running.subject == subject:
                self._running.dropped = True

    def close(self) -> None:
        """Ends everything; nothing is reported any more."""
        self._closed = True
        with self._wake:
            self._waiting.clear()
            if self._running is not None:
                self._running.dropped = True
            self._wake.notify_all()

    def _start_thread(self) -> None:
        self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
        self._thread.start()

    def _next(self) -> Job | None:
        """The next job for the calling thread; None where it shall end."""
        me = threading.current_thread()
        with self._wake:
            while not self._closed and self._thread is me:
                job = next((each for each in self._waiting.values() if each.urgent), None)
                job = job or next(iter(self._waiting.values()), None)
                if job is not None:
                    del self._waiting[job.subject]
                    job.started, job.postponed = monotonic(), False
                    self._running = job
                    return job
                self._wake.wait()
        return None

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                value = job.run(job.must_end)
            except StopWork:
                outcome = Outcome("cancelled" if job.dropped or job.postponed else "too-long", _since(job))
            except Exception as error:
                outcome = Outcome("failed", _since(job), error=error)
            else:
                outcome = Outcome("done", _since(job), value)
            if self._is_to_be_told(job, outcome):
                try:
                    self._loop.call_soon_threadsafe(self._tell, job, outcome)
                except RuntimeError:  # the loop has ended
                    return
            del job, outcome

    def _is_to_be_told(self, job: Job, outcome: Outcome) -> bool:
        """Takes a job off; False where nobody waits for it, or it starts again later."""
        with self._wake:
            if self._running is not job:
                return False  # given up before
            self._running = None
            if outcome.end != "cancelled":
                self._given_up.pop(job.subject, None)
                return True
            if job.postponed and not job.dropped:
                self._waiting.setdefault(job.subject, job)
            return False

    def _tell(self, job: Job, outcome: Outcome) -> None:
        if not job.dropped and not self._closed:
            job.done(outcome)

    def _watch(self) -> None:
        """Looks after the running job from time to time, while there is one."""
        self._watched = False
        job = self._running
        if job is not None and monotonic() - job.started > TIME_LIMIT + GRACE:
            with self._wake:
                if self._running is not job:
                    job = None
                else:
                    self._running = None
                    self._start_thread()
            if job is not None:
                self._tell(job, Outcome("too-long", _since(job)))
        if self.busy and not self._closed:
            self._watch_later()

    def _watch_later(self) -> None:
        if not self._watched:
            self._watched = True
            self._loop.call_later(GRACE / 2, self._watch)


def _since(job: Job) -> float:
    return monotonic() - job.started
