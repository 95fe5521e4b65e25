"""Many files, one after the other or on several processes; the outcomes come in the order of the tasks.

What goes wrong with one file is its outcome, and stops no other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onnxls_server.engine import BadRequestError, Request, UnsupportedKindError
from onnxls_server.seen import Seen

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls_server.engine import Engine, UnitLike
    from onnxls_server.sizes import Hints

_FILES_FOR_A_PROCESS = 16


@dataclass(frozen=True, slots=True)
class Task:
    """A file to analyse, or `text` in its place. `named`: the user asked for this very file."""

    path: str
    request: Request
    named: bool = True
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task. `problem`: it could not be analysed; `skipped`: it is of a kind nobody asked for.

    `trace` is that of a fault in onnxls itself. `unknown_hints`: the hinted names that nothing in the file has; None
    where there was nothing to hint at. `seen`: what else was looked at, where the outcome is a new result.
    """

    path: str
    diagnostics: tuple[Diagnostic, ...] = ()
    problem: str | None = None
    trace: str = ""
    skipped: bool = False
    unknown_hints: frozenset[str] | None = None
    seen: Seen | None = None


def run(engine: Engine, task: Task) -> Outcome:
    """One file. Raises nothing but KeyboardInterrupt."""
    seen = Seen()
    try:
        if task.text is None:
            report = engine.analyze(task.path, task.request, seen)
        else:
            report = engine.analyze_text(task.text, task.path, task.request)
        return Outcome(
            task.path, tuple(report.diagnostics), unknown_hints=_unknown(report.units, task.request.hints), seen=seen
        )
    except UnsupportedKindError as error:
        if not task.named:
            return Outcome(task.path, skipped=True)
        return Outcome(task.path, problem=str(error) or f"{task.path}: not a kind of file that can be checked")
    except BadRequestError as error:
        return Outcome(task.path, problem=str(error))
    except FileNotFoundError:
        return Outcome(task.path, problem=f"{task.path}: no such file")
    except OSError as error:
        return Outcome(task.path, problem=f"{task.path}: cannot be read: {error.strerror or error}")
    except Exception as error:
        return _crash(task.path, error)


def _unknown(units: Sequence[UnitLike], hints: Hints) -> frozenset[str] | None:
    if not units or not hints:
        return None
    known: set[str] = set()
    for unit in units:
        for name in unit.inputs:
            known.add(name)
            known |= {symbol for dim in unit.values[name].shape or () for symbol in dim.symbols()}
    return frozenset(hints) - known


def run_all(engine: Engine, tasks: Sequence[Task], jobs: int | None) -> Iterator[Outcome]:
    """All files, on `jobs` processes at most; None: on as many as pay."""
    jobs = min(jobs or min(os.cpu_count() or 1, 1 + len(tasks) // _FILES_FOR_A_PROCESS), len(tasks))
    if jobs <= 1:
        for task in tasks:
            yield run(engine, task)
        return
    yield from _run_on_processes(engine, tasks, jobs)


def _run_on_processes(engine: Engine, tasks: Sequence[Task], jobs: int) -> Iterator[Outcome]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_die_on_interrupt)
    try:
        futures = [pool.submit(run, engine, task) for task in tasks]
        for task, future in zip(tasks, futures, strict=True):
            try:
                yield future.result()
            except BrokenProcessPool:
                yield Outcome(task.path, problem=f"{task.path}: a process that analysed files has died")
            except Exception as error:
                yield _crash(task.path, error)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _die_on_interrupt() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _crash(path: str, error: Exception) -> Outcome:
    from traceback import format_exception

    problem = f"{path}: a fault in onnxls itself: {type(error).__name__}: {error}"
    return Outcome(path, problem=problem, trace="".join(format_exception(error)).rstrip())
