"""`onnxls check --fix` and `--diff`: the automatic fixes of the chosen findings, written or shown.

Texts are fixed in place, all of a file or nothing. A model is never changed in place: `-o OUT` names the copy.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import TYPE_CHECKING

from onnxls_server import console
from onnxls_server.commands.asked import reasons, say_external
from onnxls_server.console import CommandError
from onnxls_server.engine import BadRequestError, UnsupportedKindError
from onnxls_server.render.wording import count
from onnxls_server.repair import MAX_ROUNDS, choose_edits, helps, repaired

if TYPE_CHECKING:
    import argparse

    from onnxls.diagnostics import Diagnostic
    from onnxls_server.batch import Task
    from onnxls_server.engine import Engine

Choose = Callable[[str, Iterable["Diagnostic"]], Sequence["Diagnostic"]]
"""Of the findings of a file those that its settings and the options ask for."""

_TEXTS = (".py", ".onnxtxt", ".onnxtext")


@dataclass(frozen=True, slots=True)
class _Text:
    """A file that is text: as it is and as it becomes."""

    task: Task
    before: str
    after: str
    fixes: int


def refuse_contradictions(options: argparse.Namespace) -> None:
    """What `--fix` and `--diff` do not go with."""
    if options.fix and options.diff:
        raise CommandError("--diff shows what --fix would do; give one of them")
    if (options.fix or options.diff) and options.write_baseline:
        raise CommandError("--fix and --diff do not go with --write-baseline")


def show(engine: Engine, tasks: Sequence[Task], choose: Choose) -> int:
    """Writes the differences that fixes make, and gives the exit status: 1 where there are any."""
    total = 0
    for each in _texts(engine, tasks, choose):
        total += each.fixes
        if each.fixes:
            before, after = each.before.splitlines(keepends=True), each.after.splitlines(keepends=True)
            path = each.task.path.replace(os.sep, "/")
            console.out("".join(_ended(unified_diff(before, after, f"a/{path}", f"b/{path}"))))
    console.say(f"Would fix {count(total, 'finding', 'findings')}.")
    return console.FOUND if total else console.CLEAN


def make(options: argparse.Namespace, engine: Engine, tasks: Sequence[Task], choose: Choose) -> list[Task] | None:
    """Makes the fixes; what is to be checked then. None: standard input was fixed, and is on standard output."""
    if options.output_file is not None and len(tasks) == 1 and not _is_text(tasks[0]):
        return [_copy(engine, tasks[0], options.output_file, choose)]
    total = 0
    for each in _texts(engine, tasks, choose):
        if each.task.text is not None:
            console.out(each.after)
            return None
        if each.fixes:
            console.write_file(each.task.path, each.after)
            total += each.fixes
    if total or any(map(_is_text, tasks)):
        console.say(f"Fixed {count(total, 'finding', 'findings')}.")
    return list(tasks)


def _is_text(task: Task) -> bool:
    return os.path.splitext(task.path)[1].lower() in _TEXTS


def _texts(engine: Engine, tasks: Sequence[Task], choose: Choose) -> Iterable[_Text]:
    """The texts among the tasks; a file that is not UTF-8 is left as it is."""
    for task in filter(_is_text, tasks):
        before = _read(task)
        if before is None:
            continue

        def find(text: str, task: Task = task) -> Sequence[Diagnostic]:
            return choose(task.path, engine.analyze_text(text, task.path, task.request).diagnostics)

        try:
            made = repaired(before, task.path, find)
        except (BadRequestError, UnsupportedKindError):
            continue
        yield _Text(task, before, made.text, made.count)


def _read(task: Task) -> str | None:
    if task.text is not None:
        return task.text
    try:
        with open(task.path, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        console.say(f"onnxls: {task.path}: not UTF-8, not fixed")
    except OSError:
        pass  # the check that follows says so
    return None


def _copy(engine: Engine, task: Task, out: str, choose: Choose) -> Task:
    """Writes a corrected copy of a model, and gives the task of checking it."""
    with reasons(task.path):
        found = choose(task.path, engine.analyze(task.path, task.request).diagnostics)
        external = engine.repair_model(task.path, [], out)
        made = replace(task, path=out)
        fixed = 0
        chosen = choose_edits(found, task.path)
        for _ in range(MAX_ROUNDS):
            if not chosen.edits:
                break
            external = engine.repair_model(out, chosen.edits, out)
            after = choose(out, engine.analyze(out, task.request).diagnostics)
            fixed += len(chosen.rules)
            if not helps(chosen, found, after):
                break
            found, chosen = after, choose_edits(after, out)
    say_external(external, task.path, out)
    console.say(f"Fixed {count(fixed, 'finding', 'findings')}; wrote {out}.")
    return made


def _ended(lines: Iterable[str]) -> Iterable[str]:
    """The lines of a difference; one without an end, as the last of a file may be, is told so."""
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
