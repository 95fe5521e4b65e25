"""The operators of `com.microsoft` against onnxruntime: small models, each run at several sizes."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import onnxls

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

HEADER = '<ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1, "com.microsoft.nchwc" : 1]>\n'


@dataclass(frozen=True)
class Case:
    """One model. `unknown`: outputs of which the analysis need not know everything."""

    runs: str
    graph: str
    unknown: tuple[str, ...]

    @property
    def op(self) -> str:
        found = re.search(r"com\.microsoft\.([\w.]+)", self.graph)
        return found[1] if found else "standard"


def read_cases() -> list[Case]:
    """The cases of `microsoft_cases.txt`."""
    text = Path(__file__).with_name("microsoft_cases.txt").read_text(encoding="utf-8")
    cases: list[Case] = []
    for block in re.split(r"\n\n+", text):
        found = re.fullmatch(r"at ([^\n]+)\n(?:unknown ([^\n]+)\n)?(.+)", block.strip(), re.DOTALL)
        if found:
            cases.append(Case(found[1], found[3], tuple((found[2] or "").split())))
    return cases


@dataclass(frozen=True)
class Run:
    """One run of a case. `refused`: onnxruntime must refuse it, and so must the analysis."""

    case: int
    sizes: dict[str, int]
    values: dict[str, Any]
    refused: bool


def read_runs(case: int, text: str) -> list[Run]:
    """The runs of a case, as `B=2 S=3 t=[5]; !B=0`."""
    runs: list[Run] = []
    for part in text.split(";"):
        refused = part.strip().startswith("!")
        found = {name: ast.literal_eval(value) for name, value in re.findall(r"(\w+)=(\[[^\]]*\]|-?\d+)", part)}
        sizes = {name: value for name, value in found.items() if isinstance(value, int)}
        runs.append(Run(case, sizes, {name: value for name, value in found.items() if name not in sizes}, refused))
    return runs


CASES = read_cases()
RUNS = [run for number, case in enumerate(CASES) for run in read_runs(number, case.runs)]


@pytest.fixture(scope="module")
def outcomes() -> list[Any]:
    """What onnxruntime makes of all runs; where it goes down, the rest in a new process."""
    models = [[HEADER + CASES[run.case].graph, run.sizes, run.values] for run in RUNS]
    found: list[Any] = []
    while len(found) < len(models):
        script = Path(__file__).with_name("microsoft_runs.py")
        child = subprocess.run(
            [sys.executable, str(script)],
            input=json.dumps(models[len(found) :]),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        lines = child.stdout.splitlines()
        found += [json.loads(line) for line in lines]
        if len(found) < len(models):
            found.append(f"the process went down: {child.stderr[-300:]}")
    return found


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{n}-{case.op}" for n, case in enumerate(CASES)])
def test_case(number: int, outcomes: list[Any]) -> None:
    case = CASES[number]
    report = onnxls.analyze_text(HEADER + case.graph, "case.onnxtxt")
    problems = [f"{d.rule}: {d.message}" for d in report.diagnostics if d.rule in ("internal-error", "syntax-error")]
    for run, result in zip(RUNS, outcomes, strict=True):
        if run.case == number:
            problems += [f"{run.sizes}: {problem}" for problem in judged(case.unknown, report, run, result)]
    assert not problems, "\n".join([case.graph, *problems])


def judged(unknown: tuple[str, ...], report: onnxls.Report, run: Run, result: Any) -> list[str]:
    """What is wrong about the analysis at the sizes of one run."""
    false = [str(guard) for guard in report.guards if not guard.evaluate(run.sizes)]
    if isinstance(result, str):
        if not run.refused:
            return [f"onnxruntime refuses: {result}"]
        failed = false or [d for d in report.diagnostics if d.severity == "error"]
        return [] if failed else [f"every guard holds, but onnxruntime says {result}"]
    if run.refused:
        return [f"onnxruntime runs it: {result}"]
    outputs = report.units[0].outputs
    problems = [f"it runs, but {guard} is false" for guard in false]
    problems += [f"it runs, but {d.rule}: {d.message}" for d in report.diagnostics if d.severity == "error"]
    for name, (shape, dtype) in zip(outputs, result, strict=True):
        problems += differences(name, report.values[name], shape, dtype, run.sizes, known=name not in unknown)
    return problems


def differences(
    name: str, fact: onnxls.Fact, shape: list[int], dtype: int, sizes: dict[str, int], *, known: bool
) -> list[str]:
    """Where a fact is not what a run gave; where something is not known although it should be."""
    if fact.dtype is not None and fact.dtype != dtype:
        return [f"{name} has type {dtype}, not {fact.dtype}"]
    if known and fact.dtype is None:
        return [f"the type of {name} is not known"]
    if fact.shape is None:
        return [f"the rank of {name} is not known"] if known else []
    if len(fact.shape) != len(shape):
        return [f"{name} has shape {shape}, not {[str(dim) for dim in fact.shape]}"]
    problems: list[str] = []
    for axis, (dim, size) in enumerate(zip(fact.shape, shape, strict=True)):
        try:
            value = dim.evaluate(sizes)
        except KeyError:
            problems += [f"axis {axis} of {name} is not known"] if known else []
            continue
        if value != size:
            problems.append(f"axis {axis} of {name} is {size}, not {dim} = {value}")
    return problems
