"""When Python looks for cycles in memory: while nobody waits, for a look at all that is kept takes a tenth of a second.

Young objects are looked at as always. What stays for good once the engine is loaded is looked at no more.
"""

from __future__ import annotations

import gc
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable

from onnxls.garbage import set_thresholds

QUIET = 2.0
"""Seconds without work after which all is looked at."""

THRESHOLDS = 10_000, 20, 50
"""New objects, young looks and older looks before the next wider one: one at all about each 300 analyses, should it
never be quiet."""


class Collector:
    """Waits until it is quiet. `is_busy`: whether anybody waits for anything."""

    def __init__(self, loop: AbstractEventLoop, is_busy: Callable[[], bool]) -> None:
        self._loop = loop
        self._is_busy = is_busy
        self._timer: TimerHandle | None = None
        set_thresholds(THRESHOLDS)

    def loaded(self) -> None:
        """The engine is loaded: its modules stay."""
        gc.freeze()

    def worked(self) -> None:
        """Something was done or begun, and has left what nobody needs."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(QUIET, self._collect)

    def close(self) -> None:
        """Waits no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _collect(self) -> None:
        self._timer = None
        if self._is_busy():
            self.worked()
        else:
            gc.collect()
