"""The stock converter as the oracle: the same operators, and the same dataflow from every result.

Only the sources under tests/data/script are converted; they are ours. The installed onnxscript is optional.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from onnxls.frontends.script.source import read_source
from stock_flow import flow, operators, stock_flow, stock_operators

SOURCE = Path(__file__).parent / "data" / "script" / "constructs.py"
UNITS = {
    unit.model.graph.name: unit.function for unit in read_source(SOURCE.read_text(encoding="utf-8"), str(SOURCE)).units
}


@pytest.fixture(scope="module")
def stock() -> Iterator[Any]:
    """The module, converted by onnxscript."""
    pytest.importorskip("onnxscript")
    spec = importlib.util.spec_from_file_location("script_constructs", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["script_constructs"] = module
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
    yield module
    del sys.modules["script_constructs"]


@pytest.mark.parametrize("name", UNITS)
def test_same_graph(name: str, stock: Any) -> None:
    made = getattr(stock, name).function_ir
    unit = UNITS[name]
    assert not unit.faults or all(each.rule.severity != "error" for each in unit.faults)
    assert operators(unit.model.graph) == stock_operators(made.graph)
    assert flow(unit) == stock_flow(made)


def test_every_function_is_a_unit(stock: Any) -> None:
    assert {name for name in dir(stock) if hasattr(getattr(stock, name), "function_ir")} == UNITS.keys()
