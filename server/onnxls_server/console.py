"""Standard input, output and errors, and the exit statuses. Messages go to errors, results to output."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from onnxls_server.render.wording import plain

CLEAN = 0
FOUND = 1
FAILED = 2


class CommandError(Exception):
    """The command cannot be carried out; the text says why."""


def out(text: str) -> None:
    """A result."""
    sys.stdout.write(text)


def say(message: str) -> None:
    """A message for the person at the terminal."""
    sys.stderr.write(f"{message}\n")


def say_lines(text: str) -> None:
    """A message of several lines, in which control characters are spelt out."""
    for line in text.split("\n"):
        say(plain(line))


def problem(message: str) -> None:
    """Why something could not be done, on one line."""
    say(f"onnxls: {plain(message)}")


def write_file(path: str, text: str) -> None:
    """A result into a file; raises CommandError where that fails."""
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
    except OSError as error:
        raise CommandError(f"{path}: cannot be written: {error.strerror or error}") from error


def read_input() -> str:
    """Standard input as UTF-8 text, line ends as they are."""
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"standard input is not UTF-8 text: {error}") from error


def coloured(wish: str, stream: TextIO) -> bool:
    """Whether to colour what goes to a stream: as wished, else on a terminal unless NO_COLOR or TERM=dumb says no."""
    if wish != "auto":
        return wish == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
