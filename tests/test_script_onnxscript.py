"""The functions of onnxscript's own tests, examples and libraries, against its own converter.

The same operators, the same flow from every result, and no error in what is not itself faulty; what differs is listed
beside the data with its reason.
"""

from __future__ import annotations

import importlib.util
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from onnxls.assembly import Request
from onnxls.workspace import Workspace

pytest.importorskip("onnxscript")

from stock_converter import conversions
from stock_flow import flow, operators, stock_flow, stock_operators

DATA = Path(__file__).parent / "data" / "onnxscript"
FILES = sorted(str(path.relative_to(DATA)) for path in DATA.rglob("*.py"))
EXPECTED: dict[str, Any] = tomllib.loads((DATA / "expected.toml").read_text(encoding="utf-8"))


def _installed() -> list[str]:
    found = importlib.util.find_spec("onnxscript")
    assert found is not None
    assert found.origin is not None
    return sorted(map(str, (Path(found.origin).parent / "function_libs" / "torch_lib" / "ops").glob("*.py")))


@dataclass(slots=True)
class Compared:
    """One file: the functions that the converter accepts, those whose graph differs here, and the errors in them.

    `remarks`: what is told of functions in other styles.
    """

    accepted: list[str] = field(default_factory=list[str])
    different: list[str] = field(default_factory=list[str])
    errors: Counter[str] = field(default_factory=Counter[str])
    remarks: list[str] = field(default_factory=list[str])


@cache
def _compared(path: Path, root: Path) -> Compared:
    report = Workspace([str(root)]).analyze_text(path.read_text(encoding="utf-8"), str(path), Request())
    units = {unit.source.first_line: unit.source for unit in report.units if unit.source is not None}
    found = Compared()
    found.remarks = [each.message for each in report.diagnostics if each.rule.startswith("traced-")]
    for line, made in {each.line: each for each in conversions(path)}.items():
        if made.made is None:
            continue
        found.accepted.append(made.name)
        unit = units[line]
        graph = unit.function.model.graph
        same = operators(graph) == stock_operators(made.made.graph) and flow(unit.function) == stock_flow(made.made)
        if not same:
            found.different.append(made.name)
        for each in report.diagnostics:
            if each.severity == "error" and unit.first_line <= (each.location.line or 0) <= unit.last_line:
                found.errors[each.rule] += 1
    return found


@pytest.mark.parametrize("name", FILES)
def test_same_graphs(name: str) -> None:
    found = _compared(DATA / name, DATA)
    assert not found.remarks
    assert found.different == [each["function"] for each in EXPECTED["differs"] if each["path"] == name]
    assert found.errors == Counter(
        {k: v for e in EXPECTED["faulty"] if e["path"] == name for k, v in e["rules"].items()}
    )


@pytest.mark.parametrize("path", _installed(), ids=lambda path: Path(path).name)
def test_torchlib_as_installed(path: str) -> None:
    found = _compared(Path(path), Path(path).parent)
    assert not found.remarks
    assert not found.different
    assert not found.errors


def test_enough_is_compared() -> None:
    accepted = sum(len(_compared(DATA / name, DATA).accepted) for name in FILES)
    assert accepted >= EXPECTED["converted"]
    assert len(EXPECTED["differs"]) <= 0.02 * accepted
