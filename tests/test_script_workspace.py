"""Sources that import each other: names are followed by text alone, in the file's folder and in packages below it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import onnxls
from onnxls.assembly import Request
from onnxls.frontends.script.source import MAX_TRACED
from onnxls.loading import read_file
from onnxls.workspace import Workspace

HEAD = "from onnxscript import FLOAT, script\nfrom onnxscript import opset20 as op\n\n\n"
LAYERS = HEAD + "WIDTH = 4\n\n\n@script()\ndef dense(x, w):\n    return op.MatMul(x, w)\n"
USE = '@script()\ndef f(x: FLOAT["N", 4], w: FLOAT[5, 6]):\n    return {0}(x, w)\n'


def _write(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder / "main.py")


def test_a_function_of_another_file(tmp_path: Path) -> None:
    path = _write(tmp_path, {"layers.py": LAYERS, "main.py": HEAD + "from layers import dense\n" + USE.format("dense")})
    report = onnxls.analyze(path)
    assert [unit.name for unit in report.units] == ["f"]
    found = [each for each in report.diagnostics if each.severity == "error"]
    assert [each.rule for each in found] == ["matmul-inner-mismatch"]
    assert (found[0].location.path, found[0].location.line) == (path, 8)
    assert (found[0].related[0].location.path, found[0].related[0].location.line) == (str(tmp_path / "layers.py"), 10)


def test_aliases_stars_and_packages(tmp_path: Path) -> None:
    files = {
        "net/__init__.py": "from .layers import *\n",
        "net/layers.py": LAYERS,
        "main.py": HEAD + "from net import dense as layer\nimport net.layers\n" + USE.format("layer"),
    }
    report = onnxls.analyze(_write(tmp_path, files))
    assert [each.rule for each in report.diagnostics if each.severity == "error"] == ["matmul-inner-mismatch"]


def test_constants_of_another_file(tmp_path: Path) -> None:
    text = HEAD + 'from layers import WIDTH\n@script()\ndef f(x: FLOAT["N", WIDTH]):\n    return op.Relu(x)\n'
    report = onnxls.analyze(_write(tmp_path, {"layers.py": LAYERS, "main.py": text}))
    assert [str(dim) for dim in report.values["x"].shape or ()] == ["N", "4"]


def test_files_that_import_each_other(tmp_path: Path) -> None:
    files = {
        "layers.py": "from main import k\nWIDTH = k\n",
        "main.py": HEAD + "from layers import WIDTH\nk = WIDTH\n" + USE.format("WIDTH"),
    }
    report = onnxls.analyze(_write(tmp_path, files))
    assert [unit.name for unit in report.units] == ["f"]


def test_a_source_without_onnxscript_says_nothing(tmp_path: Path) -> None:
    path = _write(tmp_path, {"main.py": "def f(x:\n    return )\n"})
    report = onnxls.analyze(path)
    assert report.units == ()
    assert report.diagnostics == ()


UNITS = """\
@script()
def f(x):
    return op.Relu(x)


class C:
    @script()
    def f(x):
        return op.Relu(x)


def outer():
    @script()
    def inner(x, k: int):
        return op.Relu(x)


@script()
def f(y):
    return op.Neg(y)
"""


def test_units_are_in_the_order_of_their_first_lines() -> None:
    report = onnxls.analyze_text(HEAD + UNITS, "main.py")
    assert [unit.name for unit in report.units] == ["f", "C.f", "outer.inner", "f"]
    assert [unit.inputs for unit in report.units] == [("x",), ("x",), ("x",), ("y",)]


def test_a_line_above_moves_every_finding_by_one() -> None:
    text = HEAD + USE.replace("return {0}(x, w)", "return op.MatMul(x, w)")
    first = onnxls.analyze_text(text, "main.py").diagnostics
    moved = onnxls.analyze_text("# a comment: ü\n" + text, "main.py").diagnostics
    assert [(each.location.line or 0) + 1 for each in first] == [each.location.line for each in moved]
    assert [each.location.column for each in first] == [each.location.column for each in moved]


def test_columns_count_characters() -> None:
    text = (
        HEAD
        + '@script()\ndef f(x: FLOAT["N", 4], w: FLOAT[5, 6]):\n    ünïcödé = op.MatMul(x, w)\n    return ünïcödé\n'
    )
    (found,) = [each for each in onnxls.analyze_text(text, "main.py").diagnostics if each.severity == "error"]
    line = text.split("\n")[(found.location.line or 0) - 1]
    assert line[(found.location.column or 0) - 1 : (found.location.end_column or 0) - 1] == "op.MatMul(x, w)"


def test_roots(tmp_path: Path) -> None:
    """Imports that the file's own folder does not answer resolve from the roots."""
    files = {"layers.py": LAYERS, "src/pkg/deep.py": LAYERS.replace("dense", "deep"), "app/main.py": ""}
    _write(tmp_path, files)
    text = HEAD + "from layers import dense\nfrom pkg.deep import deep\n" + USE.format("dense")
    text += "\n\n" + USE.format("deep").replace("def f", "def g")
    path = str(tmp_path / "app" / "main.py")
    assert not [each for each in onnxls.analyze_text(text, path).diagnostics if each.severity == "error"]
    report = Workspace([str(tmp_path), str(tmp_path / "src")]).analyze_text(text, path, Request())
    assert [each.rule for each in report.diagnostics if each.severity == "error"] == ["matmul-inner-mismatch"] * 2


def test_unsaved_texts(tmp_path: Path) -> None:
    """The texts that the reader gives count, not those of the disk; a file that comes or goes is noticed."""
    unsaved: dict[str, str] = {}
    path = _write(tmp_path, {"layers.py": HEAD, "main.py": ""})
    workspace = Workspace(read=lambda name: unsaved.get(name) or read_file(name))
    text = HEAD + "from layers import dense\n" + USE.format("dense")

    def rules() -> list[str]:
        return [each.rule for each in workspace.analyze_text(text, path, Request()).diagnostics]

    assert "matmul-inner-mismatch" not in rules()
    unsaved[str(tmp_path / "layers.py")] = LAYERS
    assert "matmul-inner-mismatch" in rules()
    unsaved.clear()
    (tmp_path / "layers.py").unlink()
    assert "matmul-inner-mismatch" not in rules()
    (tmp_path / "layers.py").write_text(LAYERS, encoding="utf-8")
    assert "matmul-inner-mismatch" in rules()


def test_of_many_functions_that_python_runs_the_first_are_read() -> None:
    """The time for a file stays near that of its parse; script functions are all read."""
    text = "from onnxscript import FLOAT, script, opset20 as op\n\n"
    text += "".join(f"def f{k}(op, x):\n    return op.Reshape(x, [2, 3])\n\n" for k in range(MAX_TRACED + 20))
    text += "@script()\ndef last(x: FLOAT['N']):\n    return op.Relu(x)\n"
    report = onnxls.analyze_text(text, "block.py")
    assert [unit.name for unit in report.units] == [*(f"f{k}" for k in range(MAX_TRACED)), "last"]


@pytest.mark.parametrize(
    ("last", "unused"),
    [
        ("return x", 1),
        ("return t", 0),
        ("return op.Relu(t", 0),
        ("y = op.", 0),
        ("return op.Concat(*t, axis=0)", 0),
        ("return f'{t}'", 0),
    ],
)
def test_nothing_is_called_unused_where_something_was_not_read(last: str, unused: int) -> None:
    """While a line is being typed, those above it do not fade."""
    text = f'{HEAD}@script()\ndef f(x: FLOAT["N", 4], w: FLOAT[4, 4]):\n    t = op.MatMul(x, w)\n    {last}\n'
    found = [each for each in onnxls.analyze_text(text, "block.py").diagnostics if each.rule == "unused-value"]
    assert [each.location.line for each in found] == [7] * unused


def test_what_is_the_same_in_the_text_is_told_once() -> None:
    """A literal beside a tensor is two nodes, Constant and CastLike."""
    text = f'{HEAD}@script()\ndef f(x: FLOAT["N"]):\n    t = x * 2.0\n    return op.Relu(x)\n'
    found = [each.message for each in onnxls.analyze_text(text, "block.py").diagnostics]
    assert len(found) == len(set(found)) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system")
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    """It would never end."""
    os.mkfifo(tmp_path / "layers.py")
    path = _write(tmp_path, {"main.py": HEAD + "from layers import dense\n" + USE.format("dense")})
    assert [unit.name for unit in onnxls.analyze(path).units] == ["f"]
    assert [each.rule for each in onnxls.analyze(tmp_path / "layers.py").diagnostics] == ["unreadable-model"]


@pytest.mark.parametrize("name", ["a.py", "a.onnxtxt", "a.json", "a.textproto", "a.onnx"])
def test_a_folder_is_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert [each.rule for each in onnxls.analyze(tmp_path / name).diagnostics] == ["unreadable-model"]
