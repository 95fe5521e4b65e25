"""A bar on a terminal for what takes long; nothing where the stream is no terminal or there is little to do."""

from __future__ import annotations

from typing import TextIO

_WORTH_IT = 8
_BAR = 24
_NAME = 40


class Progress:
    """Counts steps; leaves nothing behind when closed."""

    def __init__(self, stream: TextIO, total: int) -> None:
        self._stream = stream
        self._total = total
        self._done = 0
        self._shown = total >= _WORTH_IT and stream.isatty()

    def step(self, name: str) -> None:
        """One more is done."""
        self._done += 1
        if self._shown:
            filled = _BAR * self._done // self._total
            short = name if len(name) <= _NAME else "…" + name[1 - _NAME :]
            bar = "█" * filled + "░" * (_BAR - filled)
            self._write(f"\r\x1b[2K{bar} {self._done}/{self._total} {short}")

    def close(self) -> None:
        """Clears the line."""
        if self._shown:
            self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._shown = False
