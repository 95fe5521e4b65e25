"""`onnxls run`: what was declared and inferred beside what came out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from onnxls_server.bindings import Bindings
from onnxls_server.cli import main

TEXT = """<ir_version: 10, opset_import: ["" : 20]>
g (float[N, 4] x, float[M, 4] y) => (float[K, 4] z, float[N, 4] w) <float[K, 4] a> {
  a = Concat <axis = 0> (x, y)
  z = Relu (a)
  w = Neg (y)
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnxtxt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_name_has_one_size_in_a_run() -> None:
    bindings = Bindings()
    assert bindings.meet("x", ("N", 4, None), (2, 4, 7)).bound == {"N": 2}
    assert bindings.meet("y", ("N", "N"), (2, 3)).violations == ("axis 1 is 3, but N = 2 since axis 0 of x",)
    assert bindings.meet("y", ("K", "K"), (2, 3)).violations == ("axis 1 is 3, but K = 2 since axis 0 of y",)
    assert bindings.meet("z", (4,), (4, 1)).violations == ("rank 2, declared with rank 1",)
    assert bindings.meet("z", (4,), (5,)).violations == ("axis 0 is 5, declared 4",)


def test_the_first_violation_is_told(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(model), "--sizes", "N=2", "M=3"]) == 1
    out = capsys.readouterr().out
    assert "first violation: w: axis 0 is 3, but N = 2 since axis 0 of x" in out
    assert "K = 5 (axis 0 of a)" in out
    rows = {line.split()[0]: line for line in out.splitlines()}
    assert all(each in rows["w"] for each in ("[N, 4]", "[M, 4]", "may-fail", "[3, 4]"))


def test_inputs_of_a_file(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = tmp_path / "inputs.npz"
    np.savez(inputs, x=np.zeros((3, 4), np.float32), y=np.zeros((3, 4), np.float32))
    assert main(["run", str(model), "--inputs", str(inputs)]) == 0
    np.savez(inputs, x=np.zeros((3, 5), np.float32), y=np.zeros((3, 4), np.float32))
    assert main(["run", str(model), "--inputs", str(inputs)]) == 1
    assert "refused by onnx" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options", [[], ["--sizes", "N=2"], ["--sizes", "x=2,5", "M=1"], ["--inputs", "none.npz"], ["--sizes", "x=1"]]
)
def test_what_cannot_be_run(model: Path, options: list[str]) -> None:
    assert main(["run", str(model), *options]) == 2
