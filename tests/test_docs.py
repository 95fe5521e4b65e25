"""What the documentation says is so: links lead somewhere, keys and directives are those of the code, examples work."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

import onnxls
from onnxls import suppress
from onnxls_server.cli import make_parser
from onnxls_server.config import _READERS, Settings, from_table  # pyright: ignore[reportPrivateUsage]
from onnxls_server.engine import OnnxlsEngine
from onnxls_server.selection import unknown
from onnxls_server.session.preferences import SWITCHES

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
DEFAULTS: dict[str, object] = {
    "every rule": None,
    "of the rule": {},
    "`[]`": (),
    "`{}`": {},
    "`false`": False,
    "`claim`": "claim",
}
"""What the words of the table of settings stand for."""

_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def blocks(text: str, language: str) -> list[str]:
    return [body for found, body in _FENCE.findall(text) if found == language]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in _HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_linked_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link).resolve() for link in re.findall(r"\]\(([^)#\s]+)\)", index.read_text())}
    rules = ROOT / "docs" / "rules"
    wanted = {page for page in PAGES if page.parent.name in ("docs", "editors")} - {index} | {rules / "README.md"}
    assert wanted <= linked


def test_the_table_of_floors_has_every_module_of_the_contract() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("| floor | modules |")[2].partition("\n\n")[0]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each["name"] == "Floors of the analysis")
    wanted = {name for layer in layers for name in re.findall(r"\w+", layer)}
    assert wanted == set(re.findall(r"`(\w+)`", table))


def test_the_table_of_settings_has_every_key_with_its_default() -> None:
    table = SETTINGS.partition("| key | value | default |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| `([\w-]+)` \|.*\| ([^|]+) \|$", table, re.MULTILINE))
    assert list(rows) == list(_READERS)
    for key, default in rows.items():
        field = "hints" if key == "hint" else str(key).replace("-", "_")
        assert getattr(Settings(), field) == DEFAULTS[default], key


@pytest.mark.parametrize("block", [*blocks(SETTINGS, "toml"), *blocks(README, "toml")])
def test_examples_of_settings_are_read_without_a_complaint(block: str) -> None:
    settings, problems = from_table(tomllib.loads(block), ".", "example")
    assert problems == ()
    assert unknown(settings.selectors(), OnnxlsEngine().rules()) == ()


def test_the_table_of_directives_has_every_directive() -> None:
    table = SETTINGS.partition("| directive | where | means |")[2].partition("\n\n")[0]
    assert re.findall(r"`# onnxls: ([\w-]+)", table) == list(get_args(suppress.Kind))
    for directive in re.findall(r"`(# onnxls: [^`]+)`", table):
        found = suppress.read_directives(directive, onnxls.spans.LineIndex(directive))
        assert not found.problems, directive


def test_the_table_of_switches_has_every_switch() -> None:
    table = SETTINGS.partition("| switch | of |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == set(SWITCHES)


@pytest.mark.parametrize("block", blocks(SETTINGS, "py"))
def test_examples_of_directives_leave_no_finding(block: str) -> None:
    assert onnxls.analyze_text(block, "example.py").diagnostics == ()


def test_the_readme_has_every_command() -> None:
    usage = make_parser().format_help()
    commands = re.findall(r"^    (\w+) ", usage, re.MULTILINE)
    assert "check" in commands
    for command in commands:
        assert f"| `onnxls {command}" in README, command


def test_the_python_in_the_readme_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = blocks(README, "python")
    (tmp_path / "model.onnxtxt").write_text(
        '<ir_version: 8, opset_import: ["" : 17]>\n'
        "g (float[batch, seq_len] x) => (float[batch, seq_len] logits) { logits = Relu (x) }\n"
    )
    monkeypatch.chdir(tmp_path)
    exec(compile(block.replace("model.onnx", "model.onnxtxt"), "README.md", "exec"), {})
