"""How long a keystroke takes, in the time that Python takes to parse the file; the machine's speed cancels out."""

from __future__ import annotations

import ast
import gc
import importlib.util
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from onnxls.assembly import Request
from onnxls.workspace import Workspace

CONSTRUCTS = (Path(__file__).parent / "data" / "script" / "constructs.py").read_text(encoding="utf-8")
pytestmark = pytest.mark.usefixtures("own_garbage_only")

TYPED = "\n    y = op.Relu(x)\n    z = op.Add(y, [1, 2])\n"


def _seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _parse(text: str) -> float:
    return min(_seconds(lambda: ast.parse(text)) for _ in range(3))


def _cold(text: str, path: str) -> float:
    """A first analysis, in the time of the parse right after it, at the same speed of the machine."""
    gc.collect()
    analysed = _seconds(lambda: Workspace().analyze_text(text, path, Request()))
    return analysed / _seconds(lambda: ast.parse(text))


def _keystrokes(text: str) -> list[float]:
    """The time of each character that is typed in the middle of a text."""
    workspace = Workspace(read=lambda _: None)
    workspace.analyze_text(text, "main.py", Request())
    at = text.index("\n    return ", len(text) // 2)
    texts = [text[:at] + TYPED[:count] + text[at:] for count in range(1, len(TYPED) + 1)]
    return [_seconds(lambda each=each: workspace.analyze_text(each, "main.py", Request())) for each in texts]


def test_a_thousand_lines() -> None:
    text = CONSTRUCTS * 3
    assert text.count("\n") > 1000
    assert statistics.median(_keystrokes(text)) < 2 * _parse(text)


def test_ten_thousand_lines() -> None:
    """torchlib's largest file: a cold analysis within six times its parse, a keystroke within a third of it."""
    found = importlib.util.find_spec("onnxscript")
    if found is None or found.origin is None:
        pytest.skip("onnxscript is not installed")
    path = Path(found.origin).parent / "function_libs" / "torch_lib" / "ops" / "core.py"
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") > 10_000
    assert min(_cold(text, str(path)) for _ in range(4)) < 6
    assert statistics.median(_keystrokes(text)) < _parse(text) / 3
