"""What is remembered from earlier analyses never shows: every analysis equals one that remembers nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import onnxls
from benchmarks.models import encoder
from mdtest_runner import cases, directives, full_text
from onnxls.groups import Prover, Tree
from onnxls.infer.memo import Memo

SUITES = sorted((Path(__file__).parent / "mdtest").rglob("*.md"))


def shown(report: onnxls.Report) -> list[Any]:
    """All that a report says; sizes with where their symbols come from."""
    units = [
        (
            unit.name,
            {
                name: (
                    repr(fact),
                    fact.annotation,
                    [sorted((s.name, s.origin) for s in dim.atoms()) for dim in fact.shape or ()],
                )
                for name, fact in unit.values.items()
            },
            [(guard.kind, str(guard), guard.node, guard.reason, guard.location) for guard in unit.guards],
        )
        for unit in report.units
    ]
    return [units, report.diagnostics]


def remembered(text: str, path: str) -> list[Any]:
    hints, assume = directives(text)
    return shown(onnxls.analyze_text(text, path, hints=hints, assume=assume))


def nothing(*_: object) -> None:
    """Neither finds nor keeps."""


def unremembered(order: Iterable[str], graph: str = "", prover: Prover | None = None) -> Tree:
    """A tree of its own for each analysis."""
    del graph
    return Tree({name: place for place, name in enumerate(order)}, prover)


def anew(text: str, path: str) -> list[Any]:
    """The same by a walk that remembers nothing, within the analysis or from earlier ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Memo, "find", nothing)
        patch.setattr(Memo, "keep", nothing)
        patch.setattr(Tree, "of", staticmethod(unremembered))
        return remembered(text, path)


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_suites_in_one_process(path: Path) -> None:
    """One after the other, twice, as a server sees them; graphs and symbols of one name mean other things each time."""
    blocks = [
        (case.text, "block.py") if case.language == "py" else (full_text(case.text), "block.onnxtxt")
        for case in cases(path)
    ]
    expected = [anew(*block) for block in blocks]
    for _ in range(2):
        for block, wanted in zip(blocks, expected, strict=True):
            assert remembered(*block) == wanted


NUMBERS = re.compile(r"(?<=[\[{ ,=])\d+(?=[\]} ,;)])")
WORDS = (
    "Relu",
    "Add",
    "MatMul",
    "Softmax",
    "Transpose",
    "Reshape",
    "Gather",
    "NonZero",
    "Concat",
    "Shape",
    "Unsqueeze",
)


def edited(text: str, draw: random.Random) -> str:
    """The text with a number, a name or an operator changed, or a line left out or doubled."""
    kind = draw.randrange(5)
    if kind == 0 and (numbers := list(NUMBERS.finditer(text))):
        match = draw.choice(numbers)
        return text[: match.start()] + draw.choice(["0", "1", "2", "4", "64", "-1", "N"]) + text[match.end() :]
    if kind == 1:
        word = draw.choice(WORDS)
        places = [match.start() for match in re.finditer(rf"\b{word}\b", text)]
        if places:
            place = draw.choice(places)
            return text[:place] + draw.choice(WORDS) + text[place + len(word) :]
    if kind == 2:
        return text.replace("batch", draw.choice(["N", "length", "3"]), draw.choice([1, -1]))
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    lines[at : at + 1] = [] if kind == 3 else [lines[at]] * 2
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_edits(seed: int) -> None:
    """A model under edits, each made to the text before it or to the text at the start."""
    draw = random.Random(seed)
    start = encoder(1)
    text = start
    for _ in range(12):
        text = edited(start if draw.random() < 0.3 else text, draw)
        found = remembered(text, "model.onnxtxt")
        kept = remembered(text, "model.onnxtxt")
        wanted = anew(text, "model.onnxtxt")
        assert found == wanted
        assert kept == wanted
