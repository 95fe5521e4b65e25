"""What an analysis looked at besides its own input: imported sources, files with external data."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

Status = tuple[int, ...]
"""What changes when a file does. The third is its size, the fourth the time of its last change."""

_UNCLEAR_NS = 2_000_000_000


def status_of(path: str) -> Status | None:
    """None where there is no such file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@dataclass(slots=True)
class Seen:
    """The files, by absolute path, as they were when the analysis looked at them first; None: there was none."""

    started: int = field(default_factory=time.time_ns)
    files: dict[str, Status | None] = field(default_factory=dict[str, "Status | None"])

    def look(self, path: str) -> None:
        """Notes a file that is looked at now, or was since the analysis started."""
        path = os.path.abspath(path)
        if path not in self.files:
            self.files[path] = status_of(path)

    def settled(self) -> bool:
        """Whether no file changed so shortly before the start, or since, that a change may not show in its times."""
        return all(status is None or status[3] < self.started - _UNCLEAR_NS for status in self.files.values())
