"""The near side of a trial: starts the other process, asks it, and ends it when it takes too long or is done."""

from __future__ import annotations

import json
import subprocess
import sys
from threading import Timer
from types import TracebackType
from typing import Self, cast

from onnxls_server.trial.messages import Judge, Limits, Opening, Reply, Request, reply


class Trial:
    """One model after the other on trial; a context manager. Whatever happens to the other process is a reply."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._opening: Opening | None = None
        self._limits = limits or Limits()
        self._process: subprocess.Popen[str] | None = None
        self._opened = False
        self._late = False

    def open(self, opening: Opening) -> None:
        """The model that is run from here on."""
        self._opening = opening
        self._opened = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def run(
        self,
        sizes: dict[str, int] | None,
        *,
        until: str | None = None,
        fill: int = 1,
        judge: Judge = "onnxruntime",
        inputs: str | None = None,
        fetch: bool = False,
        annotations: str | None = None,
    ) -> Reply:
        """Runs the model once; see `Request`."""
        return self._ask(
            Request(
                sizes=sizes,
                until=until,
                fill=fill,
                judge=judge,
                inputs=inputs,
                fetch=fetch,
                annotations=annotations,
            )
        )

    def _ask(self, request: Request) -> Reply:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        self._late = False
        timer = Timer(self._limits.seconds, self._too_late, (process,))
        timer.start()
        try:
            if not self._opened:
                process.stdin.write(json.dumps({"open": self._opening}) + "\n")
                self._opened = True
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        if line:
            return cast("Reply", json.loads(line))
        self._end()
        if self._late:
            return reply("too-long", f"the run took longer than {self._limits.seconds:g} s")
        return reply("crashed", "the process that ran the model died")

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-P", "-m", "onnxls_server.trial.worker", str(self._limits.memory)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._process = process
        return process

    def _too_late(self, process: subprocess.Popen[str]) -> None:
        self._late = True
        process.kill()

    def _end(self) -> None:
        process, self._process = self._process, None
        self._opened = False
        if process is None:
            return
        process.kill()
        process.communicate()
