"""Whether the client's process is still there."""

from __future__ import annotations

import os
import sys
from asyncio import AbstractEventLoop
from collections.abc import Callable
from pathlib import Path

INTERVAL = 4.0
"""Seconds between two looks."""


def watch_parent(process: int, loop: AbstractEventLoop, gone: Callable[[], None]) -> None:
    """Calls `gone` some seconds after the process has ended."""

    def look() -> None:
        if is_alive(process):
            loop.call_later(INTERVAL, look)
        else:
            gone()

    loop.call_later(INTERVAL, look)


def is_alive(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for does not."""
    if sys.platform == "win32":
        return _is_alive_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return True
    return status.rpartition(")")[2].split()[:1] != ["Z"]


def _is_alive_on_windows(process: int) -> bool:
    import ctypes

    synchronize, running = 0x00100000, 0x102
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - exists on Windows alone
    handle = kernel.OpenProcess(synchronize, False, process)
    if not handle:
        return False
    try:
        return kernel.WaitForSingleObject(handle, 0) == running
    finally:
        kernel.CloseHandle(handle)
