"""What the exact models say that the static reading of a source does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from onnxls.diagnostics import Diagnostic
from onnxls.graph import Graph
from onnxls.rules import Rule, rule
from onnxls.spans import Location
from onnxls.units import Report, Unit
from onnxls_server.trusted.client import Converted, TrustedRunError, convert

if TYPE_CHECKING:
    from onnxls.assembly import Request
    from onnxls.workspace import Workspace

READING_DIFFERS = rule(
    "static-reading-differs",
    "OLS595",
    "warning",
    """
    With `--trusted`: the model that onnxscript makes of a function is not the one that was read from its text.

    A value that only running the file can tell, a closure or a computed constant, decides what the graph is. The
    findings on the exact model are told at the function.
    """,
)
TRUSTED_RUN_FAILED = rule(
    "trusted-run-failed",
    "OLS596",
    "error",
    """
    With `--trusted`: the file could not be imported, or took too long, so that there are no exact models.

    The findings from its text alone are there all the same.
    """,
)


def trusted(path: str, workspace: Workspace, request: Request, told: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """Imports a source, and says what its exact models have beside what was told of its text."""
    start = Location(path, 1, 1, 1, 1)
    try:
        converted = convert(path)
    except TrustedRunError as error:
        return [_made(start, TRUSTED_RUN_FAILED, str(error))]
    read = workspace.analyze(path, request)
    units = {unit.source.first_line: unit for unit in read.units if unit.source is not None}
    found: list[Diagnostic] = []
    for function in converted:
        unit = units.get(function.line)
        at = Location(path, function.line, 1, function.line, 1)
        exact = workspace.analyze(function.model, request, path)
        if unit is None:
            found.append(_differs(at, f"`{function.name}` was not read from the text"))
        else:
            found += [_differs(at, f"`{function.name}`: {text}") for text in differences(unit, exact)]
        found += _more(function, at, exact, unit, told)
    return found


def differences(unit: Unit, exact: Report) -> Iterator[str]:
    """In what the model of a function differs from what was read."""
    model = exact.units[0]
    ours, theirs = operators(unit), operators(model)
    if ours != theirs:
        more, less = theirs - ours, ours - theirs
        parts = [f"{what} {_listed(names)}" for what, names in (("also has", more), ("lacks", less)) if names]
        yield f"the exact model {' and '.join(parts)}"
    for index, (name, other) in enumerate(zip(unit.outputs, model.outputs, strict=False)):
        fact, true = unit.values.get(name), model.values.get(other)
        if fact is None or true is None or fact.shape is None or true.shape is None:
            continue
        if all(dim.is_known for dim in (*fact.shape, *true.shape)) and fact.shape != true.shape:
            yield f"result {index} is {_shown(true.shape)} in the exact model, but was read as {_shown(fact.shape)}"


def operators(unit: Unit) -> Counter[str]:
    """How often a unit calls each operator, in nested graphs too."""
    found: Counter[str] = Counter()
    waiting: list[Graph] = [unit.model.graph]
    while waiting:
        for node in waiting.pop().nodes:
            if node.op_type:
                found[node.op_type if not node.domain else f"{node.domain}.{node.op_type}"] += 1
            waiting += [attr.value for attr in node.attrs.values() if isinstance(attr.value, Graph)]
    return found


def _more(
    function: Converted, at: Location, exact: Report, unit: Unit | None, told: tuple[Diagnostic, ...]
) -> Iterator[Diagnostic]:
    """The findings on an exact model of a rule that says nothing in the function."""
    lines = range(0)
    if unit is not None and unit.source is not None:
        lines = range(unit.source.first_line, unit.source.last_line + 1)
    known = {each.rule for each in told if each.location.line in lines}
    for each in exact.diagnostics:
        if each.severity in ("error", "warning") and each.rule not in known:
            message = f"in the exact model of `{function.name}`: {each.message}"
            yield replace(each, location=at, message=message, related=(), guard=None, fixes=())


def _listed(names: Mapping[str, int]) -> str:
    return ", ".join(f"{count} `{name}`" if count > 1 else f"`{name}`" for name, count in sorted(names.items()))


def _shown(dims: tuple[object, ...]) -> str:
    return f"[{', '.join(map(str, dims))}]"


def _differs(at: Location, text: str) -> Diagnostic:
    return _made(at, READING_DIFFERS, text)


def _made(at: Location, about: Rule, text: str) -> Diagnostic:
    return Diagnostic(about.name, about.code, about.severity, text, at)
