"""The hooks of pre-commit, run by pre-commit itself in a repository that commits models and sources.

The first run installs the project from the working tree, with its dependencies from the package index.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from onnxls_server.cli import main

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
INSTALLED = ("analysis", "server", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

pytestmark = [
    pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed"),
    pytest.mark.timeout(600),
]

GOOD = """from onnxscript import FLOAT, script
from onnxscript import opset20 as op


@script()
def rows(x: FLOAT["N", 4]):
    return op.Reshape(x, [-1, 2])
"""
BAD = GOOD.replace("[-1, 2]", "[-1, 8]")

GOOD_MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 4] x) => (float[M, 2] y) {
  t = Constant <value = int64[2] {-1, 2}> ()
  y = Reshape (x, t)
}
"""
BAD_MODEL = GOOD_MODEL.replace("{-1, 2}", "{-1, 7}").replace("float[M, 2]", "float[M, 7]")

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 1234\n"


@dataclass(frozen=True)
class Commit:
    made: bool
    text: str


class Repository:
    """A repository with the hooks installed. pre-commit makes their environment once for all tests."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def must(self, *command: str) -> None:
        done = self.run(*command)
        assert done.returncode == 0, done.stdout

    def commit(self, message: str) -> Commit:
        self.must("git", "add", "--all")
        done = self.run("git", "commit", "--message", message)
        return Commit(done.returncode == 0, done.stdout)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with the project as a repository of its own, and the environment to run git and pre-commit in."""
    folder = tmp_path_factory.mktemp("pre-commit")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHONPATH"))}
    environment |= {
        "PRE_COMMIT_HOME": str(folder / "cache"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    }
    environment |= {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A Tester"), ("EMAIL", "tester@example.com"))
    }
    project = Repository(folder / "onnxls", environment)
    for name in INSTALLED:
        source, target = ROOT / name, project.folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    project.must("git", "init", "--quiet")
    assert project.commit("The project as it stands").made
    return folder, environment


@pytest.fixture
def repository(place: tuple[Path, dict[str, str]], tmp_path: Path) -> Repository:
    folder, environment = place
    repository = Repository(tmp_path, environment)
    project = folder / "onnxls"
    revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, capture_output=True, text=True, check=True)
    repository.write(
        ".pre-commit-config.yaml",
        f"""
repos:
  - repo: {project.as_uri()}
    rev: {revision.stdout.strip()}
    hooks:
      - id: onnxls-sources
      - id: onnxls-models
""",
    )
    repository.must("git", "init", "--quiet")
    repository.must(sys.executable, "-m", "pre_commit", "install")
    return repository


def test_the_manifest_is_valid() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_bad_commit_is_blocked_and_the_fixed_one_is_made(repository: Repository) -> None:
    repository.write("net.py", BAD)
    blocked = repository.commit("A source that fails for some sizes")
    assert not blocked.made
    assert "reshape-not-divisible" in blocked.text
    assert "net.py:7:" in blocked.text
    repository.write("net.py", GOOD)
    repository.write("models/net.onnxtxt", BAD_MODEL)
    blocked = repository.commit("A good source, a bad model")
    assert not blocked.made
    assert "models/net.onnxtxt:4:" in blocked.text
    repository.write("models/net.onnxtxt", GOOD_MODEL)
    made = repository.commit("Both are good")
    assert made.made, made.text
    assert made.text.count("Passed") == 2


def test_what_is_excluded_and_what_git_lfs_keeps_blocks_no_commit(repository: Repository) -> None:
    repository.write("onnxls.toml", 'exclude = ["old"]\n')
    repository.write("old/net.py", BAD)
    repository.write("weights.onnx", POINTER)
    made = repository.commit("Excluded, and a pointer")
    assert made.made, made.text
    said = repository.run(sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose")
    assert said.returncode == 0
    assert "weights.onnx: passed over: a git LFS pointer" in said.stdout
    repository.write("old/net.py", BAD + "\n")
    repository.write("new.py", BAD)
    assert not repository.commit("Not excluded").made


def test_a_baseline_lets_pass_what_was_there(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    config = repository.folder / ".pre-commit-config.yaml"
    with_baseline = config.read_text().replace("-sources", "-sources\n        args: [--baseline, accepted.json]")
    config.write_text(with_baseline)
    repository.write("net.py", BAD)
    repository.write("accepted.json", '{"version": 1, "findings": []}')
    assert not repository.commit("Nothing is accepted").made
    monkeypatch.chdir(repository.folder)
    main(["check", "--baseline", "accepted.json", "--write-baseline"])
    made = repository.commit("What was there is accepted")
    assert made.made, made.text
    repository.write("net.py", BAD + BAD.replace("rows", "more").partition("op\n")[2])
    assert not repository.commit("A new finding").made
