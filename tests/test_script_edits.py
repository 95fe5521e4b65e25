"""What is kept from one version of a source to the next changes nothing: edits lead to what reading anew gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import onnxls
from onnxls.assembly import Request
from onnxls.workspace import Workspace

CONSTRUCTS = (Path(__file__).parent / "data" / "script" / "constructs.py").read_text(encoding="utf-8")
HEAD = "from onnxscript import BOOL, FLOAT, INT64, script\nfrom onnxscript import opset20 as op\n\n"
LAYERS = HEAD + "WIDTH = 4\n\n@script()\ndef dense(x, w):\n    return op.MatMul(x, w)\n"
MAIN = (
    HEAD
    + """from layers import WIDTH, dense
from other import *

K = WIDTH * 2

@script()
def inner(x: FLOAT["N", WIDTH]):
    y = op.Concat(x, x, axis=1)
    return y

@script()
def outer(x: FLOAT["N", WIDTH], w: FLOAT[K, 3]):
    # onnxls: hint N=3
    return dense(inner(x), w)

class Group:
    size = K
    @script()
    def method(x: FLOAT["N", 8]):
        return op.Reshape(x, [4, -1])

def plain(op, x):
    return op.Reluu(x)

@script()
def last(x: FLOAT["A", "B"], y: FLOAT["C", "D"]):
    if op.ReduceSum(x) > 1.0:
        z = op.Add(x, y)
    else:
        z = x
    return outer(z, op.Constant(value_floats=[1.0]))
"""
)
PIECES = (
    "\n", " ", "    ", "(", ")", '"""', "'", "#", "x", ":", ",", "é", "\r\n", "\\\n", "if x:\n", "@script()\n",
    "y = op.Relu(x)\n", "    z = op.Add(x, x)\n", "K = 3\n", "WIDTH = 5\n", "def f(x):\n", "    return x\n",
    "from onnxscript import *\n", "from onnxscript import opset18 as op\n", "# onnxls: ignore[axis-invalid]\n",
    "import layers\n", "from other import K\n",
)  # fmt: skip


def _told(report: onnxls.Report) -> Any:
    """All that a report says."""
    units: list[Any] = []
    for each in report.units:
        assert each.source is not None
        lines = each.source.first_line, each.source.last_line
        units.append((each.name, each.inputs, each.outputs, dict(each.values), each.guards, lines))
    return units, report.diagnostics


def _edited(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    at = dice.randrange(len(text) + 1)
    match dice.randrange(7):
        case 0 | 1:
            return text[:at] + dice.choice(PIECES) + text[at:]
        case 2:
            return text[:at] + text[at + dice.choice((1, 1, 1, 5, 40)) :]
        case 3:
            row = dice.randrange(len(lines))
            return "\n".join([*lines[:row], dice.choice(PIECES), *lines[row:]])
        case 4:
            row = dice.randrange(len(lines))
            return "\n".join(lines[:row] + lines[row + dice.choice((1, 1, 3)) :])
        case 5:
            first, last = sorted(dice.randrange(len(lines)) for _ in range(2))
            moved = lines[first : first + 8]
            return "\n".join(lines[:first] + lines[first + 8 : last + 8] + moved + lines[last + 8 :])
        case _:
            old, new = dice.sample(("K", "WIDTH", "inner", "op", "x", "dense", "FLOAT", "script"), 2)
            return text.replace(old, new, dice.choice((1, 3)))


def _compare(kept: Workspace, read: Callable[[str], str | None], text: str, path: str) -> bool:
    """Whether the texts could be compared: what an earlier version gives is not there when reading anew."""
    report = kept.analyze_text(text, path, Request())
    if any(home.edit is not None for home in report.loaded.homes.values()):
        return False
    assert _told(report) == _told(Workspace(read=read).analyze_text(text, path, Request())), text
    return True


@pytest.mark.parametrize("seed", range(12))
def test_edits_of_several_files(seed: int) -> None:
    dice = random.Random(seed)
    good = {"main.py": MAIN, "layers.py": LAYERS, "other.py": "from layers import *\nEXTRA = 2\n"}
    files = dict(good)
    kept = Workspace(read=files.get)
    compared = 0
    for _ in range(120):
        name = dice.choice(("main.py", "main.py", "main.py", "layers.py", "other.py"))
        match dice.randrange(12):
            case 0:
                files[name] = good[name]
            case 1 if name != "main.py":
                files.pop(name, None)
            case _:
                files[name] = _edited(files.get(name, good[name]), dice)
        compared += _compare(kept, files.get, files["main.py"], "main.py")
        if dice.random() < 0.2 and "layers.py" in files:
            _compare(kept, files.get, files["layers.py"], "layers.py")
    assert compared > 20


@pytest.mark.parametrize("seed", range(2))
def test_edits_of_a_long_file(seed: int) -> None:
    dice = random.Random(seed)
    text = CONSTRUCTS
    kept = Workspace(read=lambda _: None)
    for turn in range(30):
        text = CONSTRUCTS if turn % 10 == 9 else _edited(text, dice)
        _compare(kept, lambda _: None, text, "main.py")


def test_the_last_good_version_serves() -> None:
    """A definition that cannot be read keeps its name and its values; nothing is said of it but why."""
    kept = Workspace(read=lambda _: None)
    whole = HEAD + (
        '@script()\ndef inner(x: FLOAT["N", 4]):\n    return op.Concat(x, x, axis=2)\n\n'
        '@script()\ndef outer(x: FLOAT["N", 4]):\n    y = inner(x)\n    return op.Add(y, op.Transpose(z))\n'
    )
    before = kept.analyze_text(whole, "main.py", Request())
    broken = whole.replace('def inner(x: FLOAT["N", 4]):', 'def inner(x: FLOAT["N", 4:')
    after = kept.analyze_text(broken, "main.py", Request())
    assert [each.name for each in after.units] == ["inner", "outer"]
    assert [each.source is not None and each.source.stale for each in after.units] == [True, False]
    assert [(each.rule, each.location.line) for each in before.diagnostics] == [
        ("axis-invalid", 6),
        ("undefined-variable", 11),
    ]
    assert [(each.rule, each.location.line) for each in after.diagnostics] == [
        ("syntax-error", 5),
        ("undefined-variable", 11),
    ]
    again = kept.analyze_text(whole, "main.py", Request())
    assert _told(again) == _told(before)


def test_a_line_above_makes_nothing_anew() -> None:
    kept = Workspace(read=lambda _: None)
    before = kept.analyze_text(MAIN, "main.py", Request())
    after = kept.analyze_text("# a line\n\n" + MAIN, "main.py", Request())
    same = kept.analyze_text("# a lime\n\n" + MAIN, "main.py", Request())
    assert [each.model is other.model for each, other in zip(before.units, after.units, strict=True)] == [True] * 5
    assert [each is other for each, other in zip(after.units, same.units, strict=True)] == [True] * 5
    lines = [each.location.line or 0 for each in before.diagnostics]
    assert [each.location.line for each in after.diagnostics] == [line + 2 for line in lines]
