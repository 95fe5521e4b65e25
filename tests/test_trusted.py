"""`check --trusted`: the exact models of a source that is imported, and what the reading of its text differs in."""

from __future__ import annotations

from pathlib import Path

import pytest

from onnxls_server.cli import main

pytest.importorskip("onnxscript")

HEAD = "from onnxscript import FLOAT, script\nfrom onnxscript import opset18 as op\n\n"
SOURCE = HEAD + (
    "SIZE = len(open(__file__).readline()) * 0 + 3\n\n\n"
    '@script()\ndef same(x: FLOAT["N", 4]):\n    return op.Relu(x) * 2.0\n\n\n'
    '@script()\ndef sized(x: FLOAT["N", 4]):\n    return op.Reshape(x, op.Constant(value_ints=[SIZE]))\n\n\n'
    'def made(flag):\n    @script()\n    def inner(x: FLOAT["N"]):\n        return op.Neg(x)\n    return inner\n'
)


def _run(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> tuple[int, str]:
    status = main(["check", str(path), "--output-format", "concise", "--no-cache", *options])
    return status, capsys.readouterr().out


def test_the_exact_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A constant that only the run tells decides a shape; without the option nothing is run."""
    path = tmp_path / "sized.py"
    path.write_text(SOURCE, encoding="utf-8")
    assert _run(capsys, path) == (0, "")
    status, said = _run(capsys, path, "--trusted")
    assert status == 1
    assert "sized.py:12:1: " in said
    assert "[reshape-size-mismatch]" in said
    assert "in the exact model of `sized`" in said
    assert "`same`" not in said


def test_a_reading_that_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "closure.py"
    path.write_text(
        HEAD + "import os\nFAST = bool(os.environ.get('HOME', '1'))\n\n\n"
        '@script()\ndef f(x: FLOAT["N"]):\n    if FAST:\n        y = op.Relu(x)\n    else:\n        y = op.Neg(x)\n'
        "    return y\n",
        encoding="utf-8",
    )
    status, said = _run(capsys, path, "--trusted")
    assert status == 1
    assert "static-reading-differs" in said
    assert "lacks" in said


@pytest.mark.parametrize(
    ("text", "why"),
    [("raise ValueError('no')", "ValueError: no"), ("import os\nos._exit(0)", "ended the process")],
)
def test_what_cannot_be_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, why: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(HEAD + text + "\n", encoding="utf-8")
    status, said = _run(capsys, path, "--trusted")
    assert status == 1
    assert "trusted-run-failed" in said
    assert why in said


def test_only_files_that_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(HEAD + "raise SystemExit\n", encoding="utf-8")
    assert _run(capsys, tmp_path, "--trusted")[0] == 2


def test_a_time_limit(tmp_path: Path) -> None:
    from onnxls_server.trusted.client import TrustedRunError, convert

    path = tmp_path / "slow.py"
    path.write_text("while True:\n    pass\n", encoding="utf-8")
    with pytest.raises(TrustedRunError, match="more than 3 s"):
        convert(str(path), 3)
