"""An engine for tests of the command line: it finds a fault wherever a file's text says so, and is picklable.

A line `! rule severity message` in a file is a finding at that line; `! ` alone stops the analysis with an exception.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from onnxls.diagnostics import Diagnostic, Edit, Related
from onnxls.dims import Dim
from onnxls.facts import Fact, tensor
from onnxls.relations import Decision, Guard, decide, divides, equal
from onnxls.rules import Rule, Severity
from onnxls.spans import Location
from onnxls_server.engine import BadRequestError, Request, UnsupportedKindError
from onnxls_server.seen import Seen
from onnxls_server.sizes import Hints

N, H = Dim.symbol("N"), Dim.symbol("H")

RULES = (
    Rule("reshape-size-mismatch", "OLS101", "error", "A Reshape changes the number of elements.\n\nMore words."),
    Rule("reshape-not-divisible", "OLS102", "error", "The inferred dimension is no integer for every size.\n\nMore."),
    Rule("slice-past-end", "OLS201", "warning", "A Slice starts past the end | of its axis."),
    Rule("unused-value", "OLS301", "hint", "Nothing reads a value."),
)
CODES = {rule.name: rule.code for rule in RULES}


def guard() -> Guard:
    """H*N % 6 == 0"""
    return Guard("assert", divides(Dim.of(6), N * H), "to_grid", "Reshape to [6, -1]")


def finding(
    rule: str = "reshape-size-mismatch",
    message: str = "4*N elements cannot become 7",
    *,
    severity: Severity = "error",
    path: str = "model.onnx",
    line: int | None = None,
    **more: object,
) -> Diagnostic:
    """A finding in a text, or at a node of a binary model."""
    if line is not None:
        location = Location(path, line, 5, line, 9)
    else:
        location = Location(path, graph_path="graph/node[3]:Reshape(to_grid)")
    fields = {"node": "to_grid", **more}
    return Diagnostic(rule, CODES[rule], severity, message, location, **fields)  # type: ignore[arg-type]


def in_full() -> Diagnostic:
    """A finding with everything a finding can have, but fixes."""
    return finding(
        "reshape-not-divisible",
        "H*N elements do not divide by 6",
        severity="warning",
        value="y",
        verdict="may-fail",
        guard=guard(),
        passing={"H": 6, "N": 1},
        failing={"H": 1, "N": 1},
        related=(Related(Location("model.onnx", graph_path="graph/node[1]:Conv(conv)"), "x has shape [N, H]"),),
    )


@dataclass(frozen=True, slots=True)
class FakeUnit:
    name: str = "main"
    inputs: Sequence[str] = ("x",)
    outputs: Sequence[str] = ("y",)
    values: Mapping[str, Fact] = field(
        default_factory=lambda: {
            "x": tensor(N, 4, H, dtype=1),
            "shape": tensor(2, dtype=7, elements=(Dim.of(6), N)),
            "y": Fact(dtype=1, annotation="holds"),
        }
    )
    guards: Sequence[Guard] = field(default_factory=lambda: (guard(), Guard("expect", equal(N, 2), "add", "hint")))

    def bind(self, sizes: Hints) -> tuple[dict[str, int], list[str]]:
        return cast("dict[str, int]", dict(sizes)), []

    def check(self, sizes: Hints) -> Decision:
        return decide(self.guards, cast("Mapping[str, int]", sizes))


@dataclass(frozen=True, slots=True)
class FakeReport:
    diagnostics: Sequence[Diagnostic] = ()
    units: Sequence[FakeUnit] = (FakeUnit(),)


@dataclass(frozen=True, slots=True)
class FakeEngine:
    """Reads its findings out of the files. `seen` gathers the requests, where one process does the work."""

    seen: list[tuple[str, Request]] = field(default_factory=list[tuple[str, Request]])

    def identity(self) -> str | None:
        return None

    def analyze(self, path: str, request: Request, seen: Seen | None = None) -> FakeReport:
        if path.endswith((".py", ".txt")):
            raise UnsupportedKindError(f"{path} is of no kind that can be analysed")
        return self.analyze_text(Path(path).read_text(encoding="utf-8"), path, request)

    def analyze_text(self, text: str, path: str, request: Request) -> FakeReport:
        self.seen.append((path, request))
        if "nonsense" in request.assume:
            raise BadRequestError("cannot read the assumption `nonsense`")
        found: list[Diagnostic] = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("! "):
                rule, severity, message = line[2:].split(" ", 2)
                found.append(
                    finding(rule, message, severity=cast("Severity", severity), path=path, line=number, node=None)
                )
        return FakeReport(found, () if "no units" in text else (FakeUnit(),))

    def trusted(self, path: str, request: Request, told: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        return told

    def annotated_text(self, path: str, request: Request) -> str:
        return f"text of {path} with {dict(request.hints)}"

    def write_guards(self, model: str, out: str, request: Request) -> None:
        self.write_shapes(model, out)

    def write_shapes(self, model: str, out: str) -> tuple[str, ...]:
        Path(out).write_bytes(Path(model).read_bytes())
        return ("weights.bin",)

    def repair_model(self, model: str, edits: Sequence[Edit], out: str) -> tuple[str, ...]:
        return self.write_shapes(model, out)

    def rules(self) -> Sequence[Rule]:
        return RULES

    def rule(self, name: str) -> Rule | None:
        return next((rule for rule in RULES if rule.name == name), None)

    def opset(self) -> int:
        return 23
