"""`onnxls guards`: what the operators need of the sizes, and whether given sizes meet it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from onnxls_server import console
from onnxls_server.commands.asked import merged, reasons, request, say_errors
from onnxls_server.console import CommandError
from onnxls_server.render.wording import plain
from onnxls_server.tables import table

if TYPE_CHECKING:
    import argparse

    from onnxls_server.engine import Engine, ReportLike, UnitLike
    from onnxls_server.sizes import Hints


class GuardLike(Protocol):
    """A guard that was derived, or one that a model carries."""

    @property
    def kind(self) -> str: ...
    @property
    def node(self) -> str | None: ...
    @property
    def reason(self) -> str: ...
    def at(self, sizes: Mapping[str, int]) -> str: ...


class DecisionLike(Protocol):
    """What either kind of guards says of sizes."""

    @property
    def outcome(self) -> str: ...
    @property
    def failed(self) -> Sequence[GuardLike]: ...


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Lists the guards, stores them, or decides the sizes: 0 if all units run, 1 if one does not."""
    _refuse_contradictions(options)
    if options.check_inputs is not None:
        return _check_inputs(options, engine)
    with reasons(options.model):
        report = engine.analyze(options.model, request(options))
    if not report.units:
        say_errors(report)
        return console.FOUND if report.diagnostics else console.CLEAN
    if options.write:
        return _write(options, engine, report)
    titled = len(report.units) > 1
    if not options.sizes:
        console.out("\n".join(_listing(unit, titled) for unit in report.units))
        return console.CLEAN
    sizes = merged(options.sizes)
    runs = [_decide(unit, sizes, titled) for unit in report.units]
    return console.CLEAN if all(runs) else console.FOUND


def _refuse_contradictions(options: argparse.Namespace) -> None:
    wishes = [wish for wish in ("sizes", "check_inputs", "write") if getattr(options, wish)]
    if len(wishes) > 1:
        first, second = (f"--{wish.replace('_', '-')}" for wish in wishes[:2])
        raise CommandError(f"{first} and {second} are two wishes; ask for one after the other")
    if options.output_file is not None and not options.write:
        raise CommandError("-o goes with --write")
    if options.write and options.model.endswith(".py"):
        raise CommandError(f"{options.model} is a source; guards are stored in models")


def _write(options: argparse.Namespace, engine: Engine, report: ReportLike) -> int:
    """Stores the guards of a model that has no error."""
    say_errors(report)
    if any(found.severity == "error" for found in report.diagnostics):
        raise CommandError(f"{options.model} has errors: no guards were stored")
    out = options.output_file or options.model
    with reasons(options.model):
        engine.write_guards(options.model, out, request(options))
    count = len(report.units[0].guards)
    console.say(f"Stored {count} {'guard' if count == 1 else 'guards'} in {out}.")
    return console.CLEAN


def _check_inputs(options: argparse.Namespace, engine: Engine) -> int:
    """Decides the shapes of arrays, by the guards that the model carries, or else by an analysis."""
    from onnxls.guard_set import load_guards
    from onnxls_server.arrays import shapes

    given = shapes(options.check_inputs)
    with reasons(options.model):
        try:
            carried = load_guards(options.model)
        except LookupError:
            carried = None
        except ValueError as error:
            raise CommandError(f"{options.model}: {error}") from error
        unit = None if carried is not None else _only_unit(engine.analyze(options.model, request(options)))
    judge = carried if carried is not None else unit
    if judge is None:
        return console.FOUND
    sizes, problems = judge.bind(given)
    try:
        decision: DecisionLike = judge.check(given)
    except KeyError as error:
        raise CommandError(f"{options.check_inputs} does not give the size {error.args[0]}") from error
    for problem in problems:
        console.out(f"{plain(problem)}\n")
    _say(decision, "error" if problems else decision.outcome, sizes)
    return console.CLEAN if decision.outcome == "run" and not problems else console.FOUND


def _only_unit(report: ReportLike) -> UnitLike | None:
    if report.units:
        return report.units[0]
    say_errors(report)
    return None


def _listing(unit: UnitLike, titled: bool) -> str:
    text = _table(unit.guards) if unit.guards else "no guards: every size runs\n"
    return f"{plain(unit.name)}\n{text}" if titled else text


def _decide(unit: UnitLike, sizes: Hints, titled: bool) -> bool:
    """Prints the decision of a unit; whether it runs."""
    try:
        decision = unit.check(sizes)
    except KeyError as error:
        raise CommandError(f"--sizes lacks the size of {error.args[0]}, which {unit.name} needs") from error
    head = f"{plain(unit.name)}: {decision.outcome}" if titled else decision.outcome
    _say(decision, head, unit.bind(sizes)[0])
    return decision.outcome == "run"


def _say(decision: DecisionLike, head: str, sizes: Mapping[str, int]) -> None:
    """Prints a decision, and the guards that fail with the values of their sides."""
    console.out(f"{head}\n")
    if decision.failed:
        rows = [(guard.kind, str(guard), guard.at(sizes), guard.node or "", guard.reason) for guard in decision.failed]
        console.out(table(rows, ("kind", "condition", "at these sizes", "node", "reason")))


def _table(guards: Sequence[GuardLike]) -> str:
    rows = [(guard.kind, str(guard), guard.node or "", guard.reason) for guard in guards]
    return table(rows, ("kind", "condition", "node", "reason"))
