"""What a script function or model needs of the sizes of its inputs, and whether the sizes in force give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from onnxls.spans import Span
from onnxls.units import Unit
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class GuardLine:
    """A guard. `holds` is None where the sizes in force do not say. `rule` names the requirement that it comes from."""

    text: str
    kind: Literal["assert", "expect"]
    holds: bool | None
    rule: str
    node: str | None
    span: Span | None


@dataclass(frozen=True, slots=True)
class UnitGuards:
    """The guards of a unit with the sizes in force. `symbols` are those that its inputs have, in order."""

    unit: str
    sizes: Mapping[str, int]
    symbols: tuple[str, ...]
    guards: tuple[GuardLine, ...]


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above a function or graph."""

    span: Span
    title: str
    unit: str


def guards(snapshot: Snapshot, unit: str | None = None, offset: int | None = None) -> UnitGuards | None:
    """The guards of the unit with a name, or of that around an offset, or of the first."""
    view = View(snapshot)
    units = view.report.units
    index: int | None = 0 if units else None
    if unit is not None:
        index = next((number for number, each in enumerate(units) if each.name == unit), None)
    elif offset is not None:
        back = view.shift.back(offset)
        part = None if back is None else view.occurrences.part_at(back)
        index = None if part is None or part.unit >= len(units) else part.unit
    return None if index is None else of_unit(view, units[index])


def of_unit(view: View, unit: Unit) -> UnitGuards:
    """The guards of a unit."""
    lines: list[GuardLine] = []
    for guard in unit.guards:
        known = guard.symbols() <= unit.sizes.keys()
        holds = guard.evaluate(unit.sizes) if known else None
        span = None if guard.location is None else view.place(guard.location)
        lines.append(GuardLine(str(guard), guard.kind, holds, guard.reason, guard.node, span))
    return UnitGuards(unit.name, unit.sizes, unit.symbols, tuple(lines))


def code_lens(snapshot: Snapshot) -> list[Lens]:
    """The number of guards above each script function or main graph that has any."""
    view = View(snapshot)
    found: list[Lens] = []
    for part in view.occurrences.parts:
        unit = view.unit(part.unit)
        if unit is None or not unit.guards:
            continue
        block = next((each for each in part.table.blocks if each.outermost), None)
        span = None if block is None or block.name_span is None else view.shift.on(block.name_span)
        if span is not None:
            found.append(Lens(span, _title(of_unit(view, unit)), unit.name))
    return found


def _title(found: UnitGuards) -> str:
    count = len(found.guards)
    text = "1 guard" if count == 1 else f"{count} guards"
    failing = sum(guard.holds is False for guard in found.guards)
    if failing:
        return f"{text}, {failing} broken at these sizes"
    if found.sizes and all(guard.holds for guard in found.guards):
        return f"{text}, all hold at these sizes"
    return text
