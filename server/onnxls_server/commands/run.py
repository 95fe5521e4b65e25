"""`onnxls run`: runs a model, and says of every value what was declared, what was inferred, and what came out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onnxls_server import console
from onnxls_server.bindings import Bindings, Declared
from onnxls_server.commands.asked import merged, reasons, request, say_errors
from onnxls_server.console import CommandError
from onnxls_server.render.wording import plain
from onnxls_server.tables import table

if TYPE_CHECKING:
    import argparse

    from onnxls.units import Unit
    from onnxls_server.engine import Engine
    from onnxls_server.sizes import Hints
    from onnxls_server.trial.messages import Reply


@dataclass(frozen=True, slots=True)
class _Row:
    """One value: `wrong` where the run contradicts what is declared, or what was inferred."""

    cells: tuple[str, ...]
    wrong: str = ""


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Prints what came out: 0 where the model runs and every declaration holds, else 1."""
    if (options.inputs is None) == (not options.sizes):
        raise CommandError("say what to run: either --inputs FILE.npz or --sizes N=2 x=2,3,4")
    if options.model.endswith(".py"):
        raise CommandError(f"{options.model} is a source, which would have to be executed; run the model made from it")
    with reasons(options.model):
        report = engine.analyze(options.model, request(options))
    if not report.units:
        say_errors(report)
        return console.FOUND
    unit: Unit = report.units[0]  # pyright: ignore[reportAssignmentType]
    ended = _run(options, unit)
    if ended["ending"] == "unsupported":
        raise CommandError(f"{options.model}: {ended['message']}")
    if ended["ending"] != "ran":
        console.out(f"refused by {ended['judge'] or 'the runtime'}: {plain(ended['message'])}\n")
        if ended["where"]:
            console.out(f"at {plain(ended['where'])}\n")
        return console.FOUND
    bindings = Bindings()
    rows = [row for name in ended["shapes"] if (row := _row(name, unit, ended["shapes"], bindings)) is not None]
    console.out(table([row.cells for row in rows], ("value", "declared", "inferred", "static", "shape", "run")))
    names = ", ".join(f"{name} = {size} ({bindings.origins[name]})" for name, size in bindings.sizes.items())
    console.out(f"{ended['judge']}; {plain(names) or 'no names'}\n")
    first = next((row for row in rows if row.wrong), None)
    if first is None:
        return console.CLEAN
    console.out(f"first violation: {plain(first.cells[0])}: {plain(first.wrong)}\n")
    return console.FOUND


def _run(options: argparse.Namespace, unit: Unit) -> Reply:
    from onnxls_server.trial.client import Trial
    from onnxls_server.trial.messages import Opening

    sizes: dict[str, int] | None = None
    inputs = None if options.inputs is None else os.path.abspath(options.inputs)
    if inputs is None:
        sizes = _sizes(unit, merged(options.sizes))
    with Trial() as trial:
        trial.open(Opening(path=options.model, text=None, line=None, hints={}, assume=list(options.assume)))
        return trial.run(sizes, inputs=inputs, fetch=True)


def _sizes(unit: Unit, given: Hints) -> dict[str, int]:
    """The sizes of all symbols; raises CommandError where one is missing or does not fit."""
    sizes, problems = unit.bind(given)
    missing = [name for name in unit.symbols if name not in sizes]
    if problems or missing:
        raise CommandError("; ".join(problems) or f"--sizes lacks the size of {missing[0]}")
    return sizes


def _row(name: str, unit: Unit, shapes: Mapping[str, list[int]], bindings: Bindings) -> _Row | None:
    shape, fact = shapes[name], unit.values.get(name)
    declared = _declared(unit, name)
    met = None if declared is None else bindings.meet(name, declared, shape)
    inferred = "" if fact is None or fact.shape is None else _shown(fact.shape)
    said = "; ".join(met.violations) if met is not None else ""
    if not said and met is not None:
        said = ", ".join(f"binds {each} = {size}" for each, size in met.bound.items()) or "holds"
    annotation = (fact.annotation if fact is not None else None) or ""
    cells = (name, "" if declared is None else _shown(declared), inferred, annotation, _shown(shape), said)
    return _Row(cells, said if met is not None and met.violations else "")


def _declared(unit: Unit, name: str) -> Declared | None:
    graph = unit.model.graph
    for value in (*graph.inputs, *graph.outputs):
        if value.name == name and value.type is not None and value.type.shape is not None:
            return value.type.shape
    info = graph.value_info.get(name)
    return None if info is None else info.shape


def _shown(dims: Sequence[object]) -> str:
    return f"[{', '.join('?' if dim is None else str(dim) for dim in dims)}]"
