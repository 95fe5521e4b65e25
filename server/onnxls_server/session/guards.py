"""The guards of the function or model at a place, judged at the sizes in force. Plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from onnxls.occurrences import occurrences
from onnxls.relations import Guard
from onnxls.units import Unit
from onnxls_server.session.opened import View
from onnxls_server.session.places import Place, in_view

State = Literal["holds", "fails", "unknown"]


@dataclass(frozen=True, slots=True)
class JudgedGuard:
    """A guard, the place of the node that needs it, and whether it holds at the sizes in force."""

    guard: Guard
    place: Place | None
    state: State


@dataclass(frozen=True, slots=True)
class UnitGuards:
    """The guards of a unit. `symbols`: of its inputs, in their order, each with its size in force."""

    unit: str
    symbols: tuple[tuple[str, int | None], ...]
    guards: tuple[JudgedGuard, ...]


def guards_of(view: View, unit: Unit) -> UnitGuards:
    """The guards of a unit."""
    sizes = unit.sizes
    return UnitGuards(
        unit.name,
        tuple((name, sizes.get(name)) for name in unit.symbols),
        tuple(
            JudgedGuard(guard, in_view(view, guard.location) if guard.location else None, _state(guard, unit))
            for guard in unit.guards
        ),
    )


def unit_at(view: View, offset: int | None) -> Unit | None:
    """The innermost unit around an offset of the analysed text; the only one of a model, or the first without one."""
    snapshot = view.snapshot
    units = snapshot.report.units
    if snapshot.kind != "source" or offset is None:
        return units[0] if units else None
    part = occurrences(snapshot.report, snapshot.analyzed).part_at(min(offset, len(snapshot.analyzed)))
    return units[part.unit] if part is not None and part.unit < len(units) else None


def unit_named(view: View, name: str) -> Unit | None:
    """The unit of a name."""
    return next((unit for unit in view.snapshot.report.units if unit.name == name), None)


def _state(guard: Guard, unit: Unit) -> State:
    try:
        return "holds" if guard.evaluate(unit.sizes) else "fails"
    except KeyError:
        return "unknown"
