"""How often Python looks for cycles in memory. Nothing else of onnxls sets that.

An analysis makes many objects that stay and hardly any cycles: looking through all that is kept again and again is for
nothing while it runs. What is no cycle is freed as ever.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

SELDOM = (100_000, 50, 100)
"""New objects before a collection of the young, and how many of these before one of the older."""

_lock = Lock()
_running = 0
_usual = (700, 10, 10)


def set_thresholds(thresholds: tuple[int, int, int]) -> None:
    """Sets for the process what `gc.set_threshold` takes, also for after analyses that run now."""
    global _usual  # noqa: PLW0603 - the collector is one for the process
    with _lock:
        if _running:
            _usual = thresholds
        else:
            gc.set_threshold(*thresholds)


@contextmanager
def seldom_collected() -> Generator[None]:
    """The collector runs seldom while this or another such block runs; then as before. Where it is off it stays off."""
    global _running, _usual  # noqa: PLW0603 - the collector is one for the process
    with _lock:
        if not _running:
            _usual = gc.get_threshold()
            if 0 < _usual[0] < SELDOM[0]:
                gc.set_threshold(*SELDOM)
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if not _running:
                gc.set_threshold(*_usual)
