"""`onnxls check`: discover, analyse, choose, render. The order of everything shown is the same on every run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from onnxls import __version__
from onnxls_server import console
from onnxls_server.batch import Outcome, Task, run_all
from onnxls_server.cache import open_cache
from onnxls_server.commands.asked import merged, needs_z3
from onnxls_server.config import Settings, SettingsFinder, overridden
from onnxls_server.console import CommandError
from onnxls_server.engine import Request, wished
from onnxls_server.globs import matches
from onnxls_server.hints import with_unknown_hints
from onnxls_server.progress import Progress
from onnxls_server.render import COMPLETE, FOR_PEOPLE, Findings, render
from onnxls_server.selection import asked_for, choose, unknown

if TYPE_CHECKING:
    import argparse

    from onnxls.diagnostics import Diagnostic
    from onnxls.rules import Rule
    from onnxls_server.cache import Cache
    from onnxls_server.engine import Engine

_STDIN = "-"


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Checks, writes the report and returns the exit status."""
    _refuse_contradictions(options)
    wishes = _Wishes(options)
    tasks, failed = _tasks(options, wishes)
    wishes.say_problems(engine)
    if options.fix or options.diff:
        made = _fix(options, engine, tasks, wishes)
        if isinstance(made, int):
            return console.FAILED if failed else made
        tasks = made
    kept = None if options.no_cache else open_cache(engine)
    outcomes, broken = _analyse(options, engine, tasks, kept)
    if options.trusted:
        outcomes = _with_exact_models(outcomes, tasks, engine)
    outcomes = with_unknown_hints(outcomes, merged(options.hint), engine)
    chosen = [found for outcome in outcomes for found in choose(outcome.diagnostics, wishes.of_file(outcome.path))]
    if options.write_baseline and (failed or broken):
        raise CommandError(f"{options.baseline}: not written, because not everything could be checked")
    left, covered = _less_baseline(options, chosen, [outcome.path for outcome in outcomes])
    if left is None:
        return console.CLEAN
    shown = [found for found in left if _is_shown(found, options, wishes)]
    if options.confirm:
        shown = _confirmed(shown, tasks, wishes)
    findings = Findings(
        shown,
        files=[outcome.path for outcome in outcomes],
        hidden=len(left) - len(shown),
        covered=covered,
        rules=_rules(options, engine, shown, kept),
        source=_Sources(tasks),
        colour=options.output_file is None and console.coloured(options.color, sys.stdout),
        root=os.getcwd(),
        version=__version__,
    )
    if outcomes or not (failed or broken) or options.output_format not in FOR_PEOPLE:
        _write(options, findings)
    if failed or broken:
        return console.FAILED
    if options.exit_zero:
        return console.CLEAN
    return console.FOUND if any(found.severity in ("error", "warning") for found in left) else console.CLEAN


def _refuse_contradictions(options: argparse.Namespace) -> None:
    if _STDIN in options.paths:
        if len(options.paths) > 1:
            raise CommandError("- stands for standard input and goes with no other path")
        if options.stdin_filename is None:
            raise CommandError("- needs --stdin-filename FILE, which says what kind of text standard input is")
    elif options.stdin_filename is not None:
        raise CommandError("--stdin-filename goes with - as the only path")
    if options.write_baseline and options.baseline is None:
        raise CommandError("--write-baseline needs --baseline FILE")
    needs_z3(options)
    if options.statistics and options.output_format not in (*FOR_PEOPLE, "json"):
        raise CommandError(f"--statistics does not go with --output-format {options.output_format}")
    if options.fix or options.diff:
        from onnxls_server.commands.fixing import refuse_contradictions

        refuse_contradictions(options)


def _with_exact_models(outcomes: Sequence[Outcome], tasks: Sequence[Task], engine: Engine) -> list[Outcome]:
    """The outcomes of the sources that are named, with what their exact models say."""
    requests = {task.path: task.request for task in tasks if task.named and task.text is None}
    if not any(path.endswith(".py") for path in requests):
        raise CommandError("--trusted imports Python files that are named one by one")
    return [
        replace(each, diagnostics=engine.trusted(each.path, requests[each.path], each.diagnostics))
        if each.path in requests and each.path.endswith(".py")
        else each
        for each in outcomes
    ]


class _Wishes:
    """The settings of each file: those of the nearest settings file, overridden by the options."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._finder = SettingsFinder()
        self._explicit: Settings | None = None
        self._overridden: dict[int, tuple[Settings, Settings]] = {}
        if options.config is not None:
            self._explicit = self._finder.explicit(options.config)
            if self._explicit is None:
                why = "".join(self._finder.messages) or f"{options.config}: no such file, or without [tool.onnxls]"
                raise CommandError(why)

    def of_file(self, path: str) -> Settings:
        """What holds for a file."""
        found = self._explicit or self._finder.of_file(path)
        known = self._overridden.get(id(found))
        if known is None:
            known = self._overridden[id(found)] = (found, self._override(found))
        return known[1]

    def excludes(self, path: str) -> bool:
        """Whether a file or folder is excluded by an option or by its settings."""
        settings = self.of_file(path)
        return matches(path, os.curdir, self._options.exclude) or matches(path, settings.root, settings.exclude)

    def request(self, path: str) -> Request:
        """What the analysis of a file is asked for."""
        return wished(self.of_file(path))

    def say_problems(self, engine: Engine) -> None:
        """Everything that is wrong with the settings files in use and with the rules that are named."""
        for message in self._finder.messages:
            console.say(f"onnxls: warning: {message}")
        named = [("", (*(self._options.select or ()), *self._options.ignore))]
        named += [(f"{found.source}: ", found.selectors()) for found, _ in self._overridden.values() if found.source]
        if any(selectors for _, selectors in named):
            rules = engine.rules()
            for source, selectors in named:
                for message in unknown(selectors, rules):
                    console.say(f"onnxls: warning: {source}{message}")

    def _override(self, found: Settings) -> Settings:
        options = self._options
        selected = None if options.select is None else tuple(options.select)
        by = Settings(
            hints=merged(options.hint),
            assume=tuple(options.assume),
            ignore=tuple(options.ignore),
            select=selected,
            deep=options.deep,
        )
        given = {"select": selected is not None, "deep": options.deep}
        return overridden(found, by, {key for key, is_given in given.items() if is_given})


def _tasks(options: argparse.Namespace, wishes: _Wishes) -> tuple[list[Task], bool]:
    """What is to be analysed, and whether a path does not exist."""
    if _STDIN in options.paths:
        path = options.stdin_filename
        if options.force_exclude and wishes.excludes(path):
            return [], False
        return [Task(path, wishes.request(path), text=console.read_input())], False
    from onnxls_server.discover import discover, is_pointer

    discovery = discover(options.paths, wishes.excludes, options.force_exclude)
    for path in discovery.missing:
        console.problem(f"{path}: no such file or folder")
    if not discovery.files and not discovery.missing:
        console.say(f"onnxls: warning: nothing to check in {', '.join(options.paths)}")
    tasks: list[Task] = []
    for file in discovery.files:
        # with --force-exclude a tool has named the files, and knows less of them than a person
        if (options.force_exclude or not file.named) and is_pointer(file.path):
            console.problem(f"{file.path}: passed over: a git LFS pointer, not the model (`git lfs pull` fetches it)")
        else:
            tasks.append(Task(file.path, wishes.request(file.path), file.named))
    return tasks, bool(discovery.missing)


def _fix(options: argparse.Namespace, engine: Engine, tasks: list[Task], wishes: _Wishes) -> list[Task] | int:
    """What is left to check after fixes, or the exit status where nothing is."""
    from onnxls_server.commands import fixing

    def chosen(path: str, found: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
        return choose(found, wishes.of_file(path))

    if options.diff:
        return fixing.show(engine, tasks, chosen)
    left = fixing.make(options, engine, tasks, chosen)
    if left is not None and left != tasks:
        options.output_file = None  # it was for the model, not for the report
    return console.CLEAN if left is None else left


def _analyse(
    options: argparse.Namespace, engine: Engine, tasks: Sequence[Task], kept: Cache | None
) -> tuple[list[Outcome], bool]:
    """The outcomes of all files that were analysed, and whether any could not be."""
    progress = Progress(sys.stderr, len(tasks))
    outcomes: list[Outcome] = []
    problems: dict[str, str] = {}
    try:
        made = run_all(engine, tasks, options.jobs) if kept is None else kept.run_all(engine, tasks, options.jobs)
        for outcome in made:
            progress.step(outcome.path)
            if outcome.problem is not None:
                problems[outcome.problem] = outcome.trace
            elif not outcome.skipped:
                outcomes.append(outcome)
    finally:
        progress.close()
    for problem, trace in problems.items():
        if trace and options.verbose:
            console.say_lines(trace)
        console.problem(f"{problem} (--verbose shows where)" if trace and not options.verbose else problem)
    return outcomes, bool(problems)


def _less_baseline(
    options: argparse.Namespace, chosen: Sequence[Diagnostic], files: Sequence[str]
) -> tuple[Sequence[Diagnostic] | None, int]:
    """The findings that the baseline does not cover and how many it does; None where a baseline was written."""
    if options.baseline is None:
        return chosen, 0
    from onnxls_server import baseline
    from onnxls_server.render.wording import count

    if options.write_baseline:
        console.write_file(options.baseline, baseline.dump(chosen, options.baseline))
        console.say(f"Wrote {count(len(chosen), 'finding', 'findings')} to {options.baseline}.")
        return None, 0
    try:
        accepted = baseline.load(options.baseline)
    except OSError as error:
        raise CommandError(f"{options.baseline}: {error.strerror or error}") from error
    except baseline.BaselineError as error:
        raise CommandError(str(error)) from error
    remainder = baseline.subtract(chosen, accepted, options.baseline, files)
    if remainder.stale:
        entries = count(remainder.stale, "entry of the baseline is", "entries of the baseline are")
        console.say(f"onnxls: {entries} no longer found; --write-baseline drops them")
    return remainder.new, remainder.covered


def _is_shown(found: Diagnostic, options: argparse.Namespace, wishes: _Wishes) -> bool:
    if options.verbose or options.output_format in COMPLETE or found.severity in ("error", "warning"):
        return True
    return asked_for(found, wishes.of_file(found.location.path))


def _confirmed(shown: Sequence[Diagnostic], tasks: Sequence[Task], wishes: _Wishes) -> list[Diagnostic]:
    """The findings with what became of each when it was run, in their order."""
    from itertools import groupby

    from onnxls_server.confirm import confirm
    from onnxls_server.trial.client import Trial

    texts = {task.path: task.text for task in tasks}
    with Trial() as trial:
        return [
            found
            for path, group in groupby(shown, lambda found: found.location.path)
            for found in confirm(list(group), path, texts.get(path), wishes.request(path), trial)
        ]


def _rules(
    options: argparse.Namespace, engine: Engine, shown: Sequence[Diagnostic], kept: Cache | None
) -> Mapping[str, Rule]:
    if not shown or options.output_format not in ("full", "sarif"):
        return {}
    if kept is not None:
        return kept.rules(engine)
    rules = (engine.rule(name) for name in {found.rule for found in shown})
    return {rule.name: rule for rule in rules if rule is not None}


class _Sources:
    """The text of a file: that of standard input, else what is on disk; None where it cannot be read."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._given = {task.path: task.text for task in tasks if task.text is not None}

    def __call__(self, path: str) -> str | None:
        if path in self._given:
            return self._given[path]
        try:
            with open(path, encoding="utf-8-sig", errors="replace", newline="") as stream:
                return stream.read()
        except OSError:
            return None


def _write(options: argparse.Namespace, findings: Findings) -> None:
    if options.statistics:
        from onnxls_server.render import statistics

        text = statistics.as_json(findings) if options.output_format == "json" else statistics.as_table(findings)
    else:
        text = render(options.output_format, findings)
    if options.output_file is None:
        console.out(text)
    else:
        console.write_file(options.output_file, text)
    if options.output_file is not None or options.output_format == "concise":
        from onnxls_server.render.wording import summary

        console.say(summary(findings))
