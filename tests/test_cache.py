"""The results that `check` keeps: what they follow from, what they survive, and that nothing in them is trusted."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fake_engine import FakeEngine, FakeReport, in_full
from onnxls.diagnostics import Diagnostic, Edit, Fix
from onnxls.ops import own
from onnxls.spans import Span
from onnxls_server import cache
from onnxls_server.cache_codec import NotPlainError, to_diagnostics, to_plain
from onnxls_server.cli import main
from onnxls_server.engine import OnnxlsEngine, Request
from onnxls_server.seen import Seen

FINDING = "! reshape-size-mismatch error 4*N elements cannot become 7\n"


class KeptEngine(FakeEngine):
    """A fake engine whose results are kept."""

    def identity(self) -> str | None:
        return "fake"


@dataclass
class Checked:
    """One run: what it printed, and the files that were analysed in it."""

    out: str
    analysed: list[str]


Check = Callable[..., Checked]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the results; the current folder is another one."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv(cache.FOLDER_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def check(kept: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    del kept

    def check(*arguments: str) -> Checked:
        engine = KeptEngine()
        main(("check", "--output-format", "concise", *arguments), engine=engine)
        return Checked(capsys.readouterr().out, [path for path, _ in engine.seen])

    return check


def test_what_has_not_changed_is_not_analysed_again(check: Check) -> None:
    Path("a.onnx").write_text(FINDING)
    Path("b.onnx").write_text("")
    first = check()
    assert first.analysed == ["a.onnx", "b.onnx"]
    second = check()
    assert second == Checked(first.out, [])
    Path("b.onnx").write_text(FINDING)
    third = check()
    assert third.analysed == ["b.onnx"]
    assert third.out.count("\n") == 2


def test_the_order_is_that_of_the_files(check: Check) -> None:
    for name in "cab":
        Path(f"{name}.onnx").write_text(FINDING)
    check("b.onnx")
    found = check()
    assert found.analysed == ["a.onnx", "c.onnx"]
    assert [line[0] for line in found.out.splitlines()] == ["a", "b", "c"]


def test_wishes_make_other_results_and_selection_does_not(check: Check) -> None:
    Path("a.onnx").write_text(FINDING)
    check()
    assert check("--assume", "N > 1").analysed == ["a.onnx"]
    assert check("--hint", "N=2").analysed == ["a.onnx"]
    assert check("--ignore", "reshape-size-mismatch") == Checked("", [])
    assert check("--no-cache").analysed == ["a.onnx"]


def test_no_cache_keeps_nothing(check: Check, kept: Path) -> None:
    Path("a.onnx").write_text(FINDING)
    check("--no-cache")
    assert not kept.exists()


def test_another_name_is_another_result(check: Check) -> None:
    Path("a.onnx").write_text(FINDING)
    check()
    Path("a.onnx").rename("b.onnx")
    assert check().out.startswith("b.onnx:")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"files": {}, "diagnostics": [[]], "unknown_hints": null}',
        b'{"files": {}, "diagnostics": {"a": 1}, "unknown_hints": null}',
        b'{"files": {"/": 1}, "diagnostics": [], "unknown_hints": null}',
        b'{"files": [], "diagnostics": [], "unknown_hints": 1}',
        b" " * (2 << 20),
    ],
)
def test_a_result_that_was_tampered_with_does_not_count(check: Check, kept: Path, content: bytes) -> None:
    Path("a.onnx").write_text(FINDING)
    first = check()
    (entry,) = kept.iterdir()
    entry.write_bytes(content)
    assert check() == first
    assert check().analysed == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_an_entry_that_is_no_file_is_not_read(check: Check, kept: Path, tmp_path: Path) -> None:
    Path("a.onnx").write_text(FINDING)
    first = check()
    (entry,) = kept.iterdir()
    entry.rename(tmp_path / "entry")
    os.mkfifo(entry)
    assert check() == first
    entry.unlink(missing_ok=True)
    entry.symlink_to(tmp_path / "entry")
    assert check() == first


def test_a_folder_that_cannot_be_used(check: Check, kept: Path) -> None:
    Path("a.onnx").write_text(FINDING)
    kept.write_text("no folder")
    assert check().analysed == ["a.onnx"]
    assert check().analysed == ["a.onnx"]


def test_room_is_bounded_and_the_oldest_go_first(check: Check, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        Path(f"{number}.onnx").write_text(FINDING)
        check(f"{number}.onnx")
    foreign = kept / "notes.txt"
    foreign.write_text("of somebody else")
    for age, entry in enumerate(sorted(kept.glob("*.json"))):
        os.utime(entry, (age, age))
    monkeypatch.setattr(cache, "MOST_BYTES", 6 * 5000)
    Path("new.onnx").write_text(FINDING)
    check("new.onnx")
    assert 3 <= len(list(kept.glob("*.json"))) <= 6
    assert check("new.onnx").analysed == []
    assert foreign.exists()


def test_clean_removes_the_results_and_nothing_else(
    check: Check, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.onnx").write_text(FINDING)
    check()
    (kept / "notes.txt").write_text("of somebody else")
    assert main(["clean"]) == 0
    assert "Removed 1 result (" in capsys.readouterr().err
    assert [each.name for each in kept.iterdir()] == ["notes.txt"]
    assert check().analysed == ["a.onnx"]


def test_results_of_several_processes_are_kept(check: Check) -> None:
    for number in range(4):
        Path(f"{number}.onnx").write_text(FINDING)
    first = check("--jobs", "2")
    second = check("--jobs", "2")
    assert second == Checked(first.out, [])


def test_a_finding_comes_back_as_it_was() -> None:
    fix = Fix("Write 6", (Edit("model.onnx", Span(3, 5, "home"), "6"), Edit("model.onnx", None, "7", "node[3]")))
    found = (in_full(), replace(in_full(), fixes=(fix,)))
    assert to_diagnostics(json.loads(json.dumps(to_plain(found)))) == found


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("severity", "fatal"),
        ("message", 1),
        ("passing", {"N": "1"}),
        ("passing", {"N": True}),
        ("location", ["model.onnx"]),
        ("related", 3),
        ("guard", ["assert", "__import__('os')", None, "", None]),
        ("guard", ["assert", "(" * 10_000, None, "", None]),
    ],
)
def test_what_is_no_finding_is_refused(field: str, value: object) -> None:
    (plain,) = json.loads(json.dumps(to_plain((in_full(),))))
    plain[list(Diagnostic.__dataclass_fields__).index(field)] = value
    with pytest.raises(NotPlainError):
        to_diagnostics([plain])


SOURCE = """from onnxscript import FLOAT, script
from onnxscript import opset20 as op
from {module} import WIDTH


@script()
def f(x: FLOAT["N", 4]):
    return op.Reshape(x, op.Constant(value_ints=[WIDTH, -1]))
"""


def _settle(*paths: str) -> None:
    """Makes files look as if they had not changed for long."""
    for path in paths:
        os.utime(path, (time.time() - 100, time.time() - 100))


@pytest.fixture
def real(kept: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[], tuple[str, int]]:
    """Checks with the real analysis: the report, and how many results are kept."""

    def check() -> tuple[str, int]:
        main(("check", "--output-format", "concise"), engine=OnnxlsEngine())
        return capsys.readouterr().out, len(list(kept.glob("*"))) if kept.exists() else 0

    return check


def test_a_source_that_is_imported_changes(real: Callable[[], tuple[str, int]]) -> None:
    Path("net.py").write_text(SOURCE.format(module="widths"))
    Path("widths.py").write_text("WIDTH = 4\n")
    _settle("widths.py")
    assert real() == ("", 2)
    assert real() == ("", 2)
    Path("widths.py").write_text("WIDTH = 7\n")
    assert "reshape-not-divisible" in real()[0]
    Path("widths.py").unlink()
    assert real()[0] == ""
    Path("widths.py").write_text("WIDTH = 7\n")
    assert "reshape-not-divisible" in real()[0]


def test_data_of_a_model_in_another_file_changes(real: Callable[[], tuple[str, int]]) -> None:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    def save(last: int) -> None:
        target = numpy_helper.from_array(np.array([2, last], np.int64), "target")
        graph = helper.make_graph(
            [helper.make_node("Reshape", ["x", "target"], ["y"])],
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [8])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [target],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        onnx.save(model, "m.onnx", save_as_external_data=True, location="target.bin", size_threshold=0)  # pyright: ignore[reportUnknownMemberType]

    save(4)
    model = Path("m.onnx").read_bytes()
    _settle("target.bin")
    assert real() == ("", 1)
    Path("target.bin").unlink()
    save(5)
    assert Path("m.onnx").read_bytes() == model
    assert "reshape-size-mismatch" in real()[0]
    Path("target.bin").unlink()
    assert "external-data-missing" in real()[0]


def test_rules_of_an_installed_package_are_looked_at(
    real: Callable[[], tuple[str, int]], kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "packages"
    (packages / "mine-1.0.dist-info").mkdir(parents=True)
    (packages / "mine-1.0.dist-info" / "METADATA").write_text("Name: mine\nVersion: 1.0\n")
    (packages / "mine-1.0.dist-info" / "entry_points.txt").write_text("[onnxls.operators]\nmine = mine_rules:RULES\n")
    (packages / "mine_rules.py").write_text('RULES = {"mine::Foo": "(N) -> (N)"}\n')
    _settle(str(packages / "mine_rules.py"))
    monkeypatch.setattr(sys, "path", [str(packages), *sys.path])
    own.installed.cache_clear()
    try:
        Path("m.onnxtxt").write_text(
            '<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>\n'
            "g (float[N] x) => (float[N] y) { y = mine.Foo (x) }\n"
        )
        assert real() == ("", 1)
    finally:
        own.installed.cache_clear()
    (entry,) = kept.iterdir()
    assert str(packages / "mine_rules.py") in json.loads(entry.read_text())["files"]


class NewerEngine(FakeEngine):
    """Another version of the fake engine."""

    def identity(self) -> str | None:
        return "newer"


class EditedEngine(KeptEngine):
    """The file changes while it is analysed."""

    def analyze(self, path: str, request: Request, seen: Seen | None = None) -> FakeReport:
        report = super().analyze(path, request, seen)
        Path(path).write_text("")
        return report


def test_a_file_that_changes_meanwhile_has_no_result(kept: Path) -> None:
    Path("a.onnx").write_text(FINDING)
    main(["check", "--output-format", "concise"], engine=EditedEngine())
    assert not kept.exists()


def test_another_analysis_has_other_results(kept: Path) -> None:
    Path("a.onnx").write_text(FINDING)
    main(["check", "--output-format", "concise"], engine=KeptEngine())
    engine = NewerEngine()
    main(["check", "--output-format", "concise"], engine=engine)
    assert [path for path, _ in engine.seen] == ["a.onnx"]
    assert len(list(kept.iterdir())) == 2
    assert OnnxlsEngine().identity() == OnnxlsEngine().identity()
