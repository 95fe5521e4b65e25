"""`onnxls guards`: what the operators need of the sizes, and whether given sizes meet it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onnxls_server import console
from onnxls_server.commands.asked import merged, reasons, request, say_errors
from onnxls_server.console import CommandError
from onnxls_server.render.wording import plain
from onnxls_server.tables import table

if TYPE_CHECKING:
    import argparse

    from onnxls.relations import Guard
    from onnxls_server.engine import Engine, Hints, UnitLike


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Lists the guards, or decides the sizes: 0 if all units run, 1 if one does not."""
    with reasons(options.model):
        report = engine.analyze(options.model, request(options))
    if not report.units:
        say_errors(report)
        return console.FOUND if report.diagnostics else console.CLEAN
    titled = len(report.units) > 1
    if not options.sizes:
        console.out("\n".join(_listing(unit, titled) for unit in report.units))
        return console.CLEAN
    sizes = merged(options.sizes)
    runs = [_decide(unit, sizes, titled) for unit in report.units]
    return console.CLEAN if all(runs) else console.FOUND


def _listing(unit: UnitLike, titled: bool) -> str:
    text = _table(unit.guards) if unit.guards else "no guards: every size runs\n"
    return f"{plain(unit.name)}\n{text}" if titled else text


def _decide(unit: UnitLike, sizes: Hints, titled: bool) -> bool:
    """Prints the decision of a unit; whether it runs."""
    try:
        decision = unit.check(sizes)
    except KeyError as error:
        raise CommandError(f"--sizes lacks the size of {error.args[0]}, which {unit.name} needs") from error
    console.out(f"{plain(unit.name)}: {decision.outcome}\n" if titled else f"{decision.outcome}\n")
    if decision.failed:
        console.out(_table(decision.failed))
    return decision.outcome == "run"


def _table(guards: Sequence[Guard]) -> str:
    rows = [(guard.kind, str(guard), guard.node or "", guard.reason) for guard in guards]
    return table(rows, ("kind", "condition", "node", "reason"))
