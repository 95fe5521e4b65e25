"""`onnxls infer`: every value with what is known of it, or the model with its shapes written into it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onnxls_server import console
from onnxls_server.commands.asked import reasons, request, say_errors, say_external
from onnxls_server.console import CommandError
from onnxls_server.tables import table

if TYPE_CHECKING:
    import argparse

    from onnxls.dims import Dim
    from onnxls.facts import Fact
    from onnxls_server.engine import Engine, UnitLike


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Prints the table or JSON, or writes the model."""
    if options.output_file is not None:
        return _write_model(options, engine)
    with reasons(options.model):
        report = engine.analyze(options.model, request(options))
    if options.output_format == "json":
        from onnxls_server.render.json_report import dump

        console.out(dump({"version": 1, "units": [_unit(unit) for unit in report.units]}))
    else:
        console.out("\n".join(_page(unit, len(report.units) > 1) for unit in report.units))
    if report.units:
        return console.CLEAN
    say_errors(report)
    return console.FOUND if report.diagnostics else console.CLEAN


def _write_model(options: argparse.Namespace, engine: Engine) -> int:
    if options.hint or options.assume:
        raise CommandError("-o writes what holds in every run: --hint and --assume do not go with it")
    if options.model.endswith(".py"):
        raise CommandError(f"{options.model} is a source; -o writes models")
    with reasons(options.model):
        report = engine.analyze(options.model, request(options))
        if not report.units:
            say_errors(report)
            return console.FOUND
        external = engine.write_shapes(options.model, options.output_file)
    say_external(external, options.model, options.output_file)
    return console.CLEAN


def _page(unit: UnitLike, titled: bool) -> str:
    rows = [
        (name, _dtype(fact), _sizes(fact.shape, "[]"), _sizes(fact.content, "{}"), fact.annotation or "")
        for name, fact in unit.values.items()
    ]
    head = ("value", "type", "shape", "content", "annotation")
    used = [column for column in range(len(head)) if column < 3 or any(row[column] for row in rows)]
    text = table([[row[column] for column in used] for row in rows], [head[column] for column in used])
    return f"{unit.name}\n{text}" if titled else text


def _dtype(fact: Fact) -> str:
    if fact.type not in ("tensor", None):
        return fact.type
    if fact.dtype is None:
        return "?"
    from onnxls.schemas import type_string

    text = type_string(fact.dtype)
    return str(fact.dtype) if text is None else text.removeprefix("tensor(").removesuffix(")")


def _sizes(dims: Sequence[Dim] | None, brackets: str) -> str:
    if dims is None:
        return "?" if brackets == "[]" else ""
    return f"{brackets[0]}{', '.join(str(dim) for dim in dims)}{brackets[1]}"


def _unit(unit: UnitLike) -> dict[str, object]:
    from onnxls_server.render.json_report import guard

    return {
        "name": unit.name,
        "inputs": list(unit.inputs),
        "outputs": list(unit.outputs),
        "values": {
            name: {
                "dtype": fact.dtype,
                "shape": None if fact.shape is None else _numbers(fact.shape),
                "content": None if fact.content is None else _numbers(fact.content),
                "annotation": fact.annotation,
            }
            for name, fact in unit.values.items()
        },
        "guards": [guard(each) for each in unit.guards],
    }


def _numbers(dims: Sequence[Dim]) -> list[int | str]:
    return [str(dim) if dim.const is None else dim.const for dim in dims]
