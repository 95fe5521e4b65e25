"""What the commands on one model share: the wishes among the options, and failures that have a reason."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from onnxls_server.console import CommandError, say
from onnxls_server.deep import NO_Z3, has_z3
from onnxls_server.engine import BadRequestError, Request, UnsupportedKindError

if TYPE_CHECKING:
    import argparse

    from onnxls_server.engine import ReportLike
    from onnxls_server.sizes import Hints


def request(options: argparse.Namespace) -> Request:
    """The wishes among the options; from the settings of the model's folder, its operators and `deep`."""
    from onnxls_server.config import SettingsFinder

    needs_z3(options)
    finder = SettingsFinder()
    settings = finder.of_file(options.model)
    for message in finder.messages:
        say(f"onnxls: warning: {message}")
    return Request(
        hints=merged(options.hint),
        assume=tuple(options.assume),
        operators=settings.operators,
        strict_hints=True,
        deep=options.deep or settings.deep,
    )


def needs_z3(options: argparse.Namespace) -> None:
    """Refuses `--deep` where it cannot be had."""
    if options.deep and not has_z3():
        raise CommandError(f"--deep: {NO_Z3}")


def merged(pairs: Sequence[Mapping[str, int | tuple[int, ...]]]) -> Hints:
    """The sizes of several options; the last one counts."""
    return {name: size for given in pairs for name, size in given.items()}


@contextmanager
def reasons(path: str) -> Generator[None]:
    """Turns what an engine raises into a CommandError."""
    try:
        yield
    except UnsupportedKindError as error:
        raise CommandError(about(path, str(error) or "not a kind of file that can be analysed")) from error
    except BadRequestError as error:
        raise CommandError(str(error)) from error
    except FileNotFoundError as error:
        raise CommandError(f"{path}: no such file") from error
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
    except Exception as error:
        fault = f"a fault in onnxls itself: {type(error).__name__}: {error}"
        raise CommandError(f"{path}: {fault} (`onnxls check --verbose` may show where)") from error


def about(path: str, message: str) -> str:
    """A message that names its file, and names it once."""
    return message if message.startswith(f"{path}: ") else f"{path}: {message}"


def say_errors(report: ReportLike) -> None:
    """The errors of a report, one line each, as messages."""
    from onnxls_server.render import Findings, render

    errors = [found for found in report.diagnostics if found.severity == "error"]
    if errors:
        say(render("concise", Findings(errors)).rstrip("\n"))


def say_external(files: Sequence[str], model: str, out: str) -> None:
    """Warns where a model that was written in another folder needs files of the first beside it."""
    here, there = (os.path.dirname(os.path.abspath(path)) for path in (model, out))
    if files and here != there:
        say(f"onnxls: warning: {out} needs {', '.join(files)} beside it, from {here}")
