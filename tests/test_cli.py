"""The command line, run in this process on an engine that finds what files say; few runs through a new process."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from fake_engine import FakeEngine
from onnxls_server.cli import main
from onnxls_server.engine import OnnxlsEngine

ERROR = "! reshape-size-mismatch error 4*N elements cannot become 7\n"
WARNING = "! slice-past-end warning starts past the end\n"
HINT = "! unused-value hint nothing reads y\n"


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)

    def run(*arguments: str, engine: FakeEngine | None = None, stdin: str = "") -> Result:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = main(arguments, engine=engine or FakeEngine())
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return run


def write(path: str, text: str = "") -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "init.defaultBranch=main", *arguments], check=True, capture_output=True)


def checked(result: Result) -> list[str]:
    """The files of a report in JSON, each with a finding."""
    return [found["location"]["path"] for found in json.loads(result.out)["diagnostics"]]


def test_a_clean_file(run: Run) -> None:
    write("a.onnx")
    assert run("check", "a.onnx") == Result(0, "No faults found in 1 file.\n", "")


@pytest.mark.parametrize(("text", "status"), [(ERROR, 1), (WARNING, 1), (HINT, 0), ("", 0)])
def test_exit_status(run: Run, text: str, status: int) -> None:
    write("a.onnx", text)
    assert run("check", "a.onnx").status == status
    assert run("check", "a.onnx", "--exit-zero").status == 0


def test_a_path_that_does_not_exist(run: Run) -> None:
    write("a.onnx", ERROR)
    result = run("check", "a.onnx", "b.onnx")
    assert result.status == 2
    assert "onnxls: b.onnx: no such file or folder\n" in result.err
    assert "Found 1 error in 1 file." in result.out
    assert run("check", "b.onnx", "--exit-zero").status == 2


def test_a_named_file_of_an_unknown_kind(run: Run) -> None:
    write("a.txt", ERROR)
    result = run("check", "a.txt")
    assert result.status == 2
    assert "a.txt is of no kind that can be analysed" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--no-such-option"),
        ("check", "--output-format", "xml"),
        ("check", "--hint", "N"),
        ("check", "--jobs", "0"),
        ("check", "--write-baseline"),
        ("check", "--statistics", "--output-format", "sarif"),
        ("check", "--config", "absent.toml"),
        ("check", "--baseline", "absent.json"),
        ("check", "-"),
        ("check", "--stdin-filename", "a.py"),
        ("check", "-", "a.onnx", "--stdin-filename", "a.py"),
        ("check", "--assume", "nonsense"),
        ("infer",),
        ("infer", "absent.onnx"),
        ("guards", "absent.onnx"),
        ("no-such-command",),
        (),
    ],
)
def test_commands_that_cannot_be_carried_out(run: Run, arguments: tuple[str, ...]) -> None:
    write("a.onnx", ERROR)
    result = run(*arguments)
    assert result.status == 2
    assert result.err
    assert "Traceback" not in result.err


def test_a_misspelt_option_is_told_in_one_line_with_the_nearest(run: Run) -> None:
    assert run("check", "--ignor=OLS1") == Result(
        2,
        "",
        "onnxls: there is no `--ignor=OLS1`; did you mean `--ignore`?\n`onnxls check --help` lists what there is\n",
    )
    assert run("show", "a.onnx", "b.onnx").err.startswith("onnxls: there is no `b.onnx`\n")


def test_nothing_is_said_of_faults_where_nothing_was_checked(run: Run) -> None:
    assert run("check", "absent.onnx") == Result(2, "", "onnxls: absent.onnx: no such file or folder\n")


def test_help_names_every_command(run: Run) -> None:
    result = run("--help")
    assert result.status == 0
    for command in ("check", "infer", "guards", "show", "rule", "clean", "version"):
        assert f"\n    {command} " in result.out


def test_folders_are_walked_in_order_for_known_kinds(run: Run) -> None:
    model = '{"irVersion": 8}\n'
    for path in ("b.onnx", "a/z.onnxtxt", "a.onnx", "notes.txt", "f.py"):
        write(path, ERROR)
    write("m.json", model + ERROR)
    write("other.json", '{"name": "x"}\n' + ERROR)
    write("m.textproto", "ir_version: 8\n" + ERROR)
    write("m.pbtxt", "# a model\ngraph {\n}\n" + ERROR)
    write("tf.pbtxt", "node {\n}\n" + ERROR)
    for path in ("node_modules/a.onnx", "__pycache__/a.onnx", "env/lib/a.onnx"):
        write(path, ERROR)
    write("env/pyvenv.cfg")
    found = checked(run("check", "--output-format", "json"))
    assert found == ["a/z.onnxtxt", "a.onnx", "b.onnx", "m.json", "m.pbtxt", "m.textproto"]
    assert checked(run("check", "b.onnx", ".", "./a", "--output-format", "json"))[:2] == ["b.onnx", "a/z.onnxtxt"]
    assert len(checked(run("check", "b.onnx", ".", "./a", "--output-format", "json"))) == 6


def test_folders_skip_what_git_ignores(run: Run) -> None:
    for path in (
        "a.onnx",
        "tracked.tmp.onnx",
        "out/b.onnx",
        "new.onnx",
        "d/c.onnx",
        "env/lib/a.onnx",
        "env/pyvenv.cfg",
    ):
        write(path, ERROR)
    write(".gitignore", "out/\n*.tmp.onnx\n")
    git("init")
    git("add", "-f", "a.onnx", "tracked.tmp.onnx")
    write("fresh.tmp.onnx", ERROR)
    found = checked(run("check", "--output-format", "json"))
    assert found == ["a.onnx", "d/c.onnx", "new.onnx", "tracked.tmp.onnx"]
    assert checked(run("check", "d", "--output-format", "json")) == ["d/c.onnx"]
    assert checked(run("check", "out", "--output-format", "json")) == ["out/b.onnx"]
    Path("a.onnx").unlink()
    assert "a.onnx" not in checked(run("check", "--output-format", "json"))


def test_ignore_files_are_read_as_git_reads_them(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("a.onnx", "out/a.onnx", "out/keep.onnx", "sub/b.onnx", "sub/deep/b.onnx", "sub/c.onnx", "mine.onnx"):
        write(path, ERROR)
    write(".gitignore", "out/*\n!out/keep.onnx\nb.onnx\n")
    write("sub/.gitignore", "!/b.onnx\n")
    write("../ignored-everywhere", "mine.onnx\n")
    git("init")
    git("config", "core.excludesFile", str(Path("../ignored-everywhere").resolve()))
    write(".git/info/exclude", "c.onnx\n")
    expected = ["a.onnx", "out/keep.onnx", "sub/b.onnx"]
    assert checked(run("check", "--output-format", "json")) == expected
    git("init", "../other")
    monkeypatch.setenv("GIT_DIR", str(Path("../other/.git").resolve()))  # as in a hook of another repository
    assert checked(run("check", "--output-format", "json")) == expected


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1234\n"


def test_pointers_of_git_lfs_are_passed_over(run: Run) -> None:
    write("a.onnx", POINTER + ERROR)
    write("b.onnx", ERROR)
    found = run("check", "--output-format", "json")
    assert checked(found) == ["b.onnx"]
    assert found.err == "onnxls: a.onnx: passed over: a git LFS pointer, not the model (`git lfs pull` fetches it)\n"
    assert checked(run("check", "a.onnx", "--output-format", "json")) == ["a.onnx"]
    hook = run("check", "--force-exclude", "a.onnx")
    assert hook.status == 0
    assert "a.onnx: passed over" in hook.err
    assert "nothing to check" not in hook.err


def test_a_repository_inside_a_repository_is_walked(run: Run) -> None:
    git("init")
    write("inner/a.onnx", ERROR)
    write("inner/b.tmp", ERROR)
    git("init", "inner")
    assert checked(run("check", "--output-format", "json")) == ["inner/a.onnx"]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_a_checkout_starts_no_program(run: Run) -> None:
    git("init")
    write("a.onnx")
    write("evil.sh", "#!/bin/sh\ntouch started\n")
    Path("evil.sh").chmod(0o755)
    git("config", "core.fsmonitor", "./evil.sh")
    run("check")
    assert not Path("started").exists()


def test_exclude(run: Run) -> None:
    for path in ("a.onnx", "old/b.onnx", "x/old/c.onnx"):
        write(path, ERROR)
    assert checked(run("check", "--exclude", "old", "--output-format", "json")) == ["a.onnx"]
    assert checked(run("check", "--exclude", "old/*,a.onnx", "--output-format", "json")) == ["x/old/c.onnx"]
    named = ("check", "old/b.onnx", "--exclude", "old", "--output-format", "json")
    assert checked(run(*named)) == ["old/b.onnx"]
    assert checked(run(*named, "--force-exclude")) == []
    write("onnxls.toml", 'exclude = ["old"]')
    assert checked(run("check", "--output-format", "json")) == ["a.onnx"]


def test_nothing_to_check_is_said(run: Run) -> None:
    result = run("check")
    assert result.status == 0
    assert "nothing to check" in result.err


def test_select_and_ignore(run: Run) -> None:
    write("a.onnx", ERROR + WARNING)
    assert "Found 1 warning" in run("check", "--select", "OLS2").out
    assert "Found 1 error in" in run("check", "--ignore", "slice-past-end,OLS3").out
    write("onnxls.toml", 'select = ["OLS101"]\nignore = ["OLS101"]')
    assert "No faults" in run("check").out
    assert "Found 1 error in" in run("check", "--select", "OLS1").out
    result = run("check", "--select", "slice-past-ends")
    assert "warning: unknown rule `slice-past-ends`; did you mean `slice-past-end`?" in result.err


def test_notes_are_hidden_until_asked_for(run: Run) -> None:
    write("a.onnx", HINT + HINT)
    assert run("check").out == "No faults found in 1 file. (2 notes hidden; --verbose shows them)\n"
    assert "hint[unused-value]" in run("check", "--verbose").out
    assert "hint[unused-value]" in run("check", "--select", "unused-value").out
    assert "hint[unused-value]" not in run("check", "--select", "OLS3").out
    assert checked(run("check", "--output-format", "json")) == ["a.onnx", "a.onnx"]
    assert run("check", "--output-format", "github").out == ""


def test_settings_of_the_nearest_file(run: Run) -> None:
    write("a.onnx", ERROR)
    write("sub/b.onnx", ERROR + WARNING)
    write("pyproject.toml", '[tool.onnxls]\nseverity = { OLS101 = "warning" }\ntypo = 1')
    write("sub/pyproject.toml", '[tool.onnxls]\nignore = ["OLS101"]\nassume = ["N > 1"]\nhint = { N = 2 }')
    engine = FakeEngine()
    result = run("check", "--hint", "x=1,2", "--assume", "H > 1", engine=engine)
    assert "Found 2 warnings in 2 files." in result.out
    assert "pyproject.toml: unknown key `typo`" in result.err
    requests = dict(engine.seen)
    assert requests["a.onnx"].hints == {"x": (1, 2)}
    assert requests["sub/b.onnx"].hints == {"N": 2, "x": (1, 2)}
    assert requests["sub/b.onnx"].assume == ("N > 1", "H > 1")


def test_config_stands_in_for_the_nearest_file(run: Run) -> None:
    write("a.onnx", ERROR)
    write("onnxls.toml", 'ignore = ["OLS1"]')
    write("other.toml", "select = [1]")
    result = run("check", "--config", "other.toml")
    assert result.status == 1
    assert "other.toml: `select` must be a list of rules; it is ignored" in result.err


def test_standard_input(run: Run) -> None:
    result = run("check", "-", "--stdin-filename", "sub/f.py", stdin=f"x = 1\n{ERROR}")
    assert result.status == 1
    assert " --> sub/f.py:2:5\n" in result.out
    assert "2 | ! reshape-size-mismatch" in result.out


def test_report_into_a_file(run: Run) -> None:
    write("a.onnx", ERROR)
    result = run("check", "-o", "report.txt", "--color", "always")
    assert result.status == 1
    assert result.out == ""
    assert result.err == "Found 1 error in 1 file.\n"
    assert Path("report.txt").read_text().startswith("error[reshape-size-mismatch]: 4*N")
    assert run("check", "-o", "absent/report.txt").status == 2


def test_colour(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.onnx", ERROR)
    assert "\x1b[" not in run("check").out
    assert "\x1b[" in run("check", "--color", "always").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in run("check").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("check").out


def test_concise_has_nothing_but_findings_on_output(run: Run) -> None:
    write("a.onnxtxt", ERROR)
    result = run("check", "--output-format", "concise")
    assert result.out == "a.onnxtxt:1:5: OLS101 4*N elements cannot become 7 [reshape-size-mismatch]\n"
    assert result.err == "Found 1 error in 1 file.\n"


def test_statistics(run: Run) -> None:
    write("a.onnx", ERROR + WARNING + ERROR)
    result = run("check", "--statistics")
    assert result.status == 1
    assert result.out == "2  OLS101  reshape-size-mismatch\n1  OLS201  slice-past-end\n"
    counts = json.loads(run("check", "--statistics", "--output-format", "json").out)
    assert counts["statistics"][1] == {"count": 1, "code": "OLS201", "rule": "slice-past-end"}


def test_baseline(run: Run) -> None:
    write("a.onnx", ERROR + WARNING)
    written = run("check", "--baseline", "base.json", "--write-baseline")
    assert written == Result(0, "", "Wrote 2 findings to base.json.\n")
    assert json.loads(Path("base.json").read_text())["findings"][0]["path"] == "a.onnx"
    accepted = run("check", "--baseline", "base.json")
    assert accepted == Result(0, "No faults found in 1 file. (2 in the baseline)\n", "")
    write("a.onnx", "\n\n" + ERROR.replace("4*N", "5*N").replace("7", "8") + ERROR)
    more = run("check", "--baseline", "base.json")
    assert more.status == 1
    assert "Found 1 error in 1 file. (1 in the baseline)" in more.out
    assert "1 entry of the baseline is no longer found" in more.err
    write("b.onnx")
    assert run("check", "b.onnx", "--baseline", "base.json").err == ""  # says nothing of files that were not checked
    write("base.json", "[]")
    assert run("check", "--baseline", "base.json").status == 2


def test_a_baseline_of_less_than_everything_is_not_written(run: Run) -> None:
    write("a.onnx", ERROR)
    write("base.json", "kept")
    result = run("check", "a.onnx", "b.onnx", "--baseline", "base.json", "--write-baseline")
    assert result.status == 2
    assert "base.json: not written, because not everything could be checked" in result.err
    assert Path("base.json").read_text() == "kept"


def test_jobs_give_the_same_in_the_same_order(run: Run) -> None:
    for number in range(6):
        write(f"{number}.onnx", ERROR if number % 2 else WARNING)
    write("7.onnx", ERROR)
    alone = run("check", "--output-format", "concise", "--jobs", "1")
    assert run("check", "--output-format", "concise", "--jobs", "2") == alone
    assert alone.out.count("\n") == 7


class CrashingEngine(FakeEngine):
    def analyze(self, path: str, request: object, seen: object = None) -> object:  # type: ignore[override]
        if path == "a.onnx":
            raise RuntimeError("broken")
        if path == "b.onnx":
            raise PermissionError(13, "Permission denied")
        return super().analyze(path, request)  # type: ignore[arg-type]


def test_what_goes_wrong_with_one_file_stops_no_other(run: Run) -> None:
    for path in ("a.onnx", "b.onnx", "c.onnx"):
        write(path, ERROR)
    result = run("check", engine=CrashingEngine())
    assert result.status == 2
    assert "a.onnx: a fault in onnxls itself: RuntimeError: broken (--verbose shows where)" in result.err
    assert "Traceback" not in result.err
    assert "b.onnx: cannot be read: Permission denied" in result.err
    assert "Found 1 error in 1 file." in result.out
    assert "Traceback" in run("check", "--verbose", engine=CrashingEngine()).err


class InterruptedEngine(FakeEngine):
    def analyze(self, path: str, request: object, seen: object = None) -> object:  # type: ignore[override]
        raise KeyboardInterrupt


def test_interrupt_is_quiet(run: Run) -> None:
    write("a.onnx")
    assert run("check", engine=InterruptedEngine()) == Result(130, "", "")


def test_a_bar_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        write(f"{number}.onnx")
    assert run("check").err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    bar = run("check").err
    assert "9/9 8.onnx" in bar
    assert bar.endswith("\r\x1b[2K")


def test_infer_table(run: Run) -> None:
    write("a.onnx")
    assert run("infer", "a.onnx").out == (
        "value  type   shape      content  annotation\n"
        "-----  -----  ---------  -------  ----------\n"
        "x      float  [N, 4, H]\n"
        "shape  int64  [2]        {6, N}\n"
        "y      float  ?                   holds\n"
    )


def test_infer_json(run: Run) -> None:
    write("a.onnx")
    content = json.loads(run("infer", "a.onnx", "--output-format", "json").out)
    assert content["version"] == 1
    (unit,) = content["units"]
    assert unit["name"] == "main"
    assert unit["inputs"] == ["x"]
    assert unit["outputs"] == ["y"]
    assert unit["values"] == {
        "x": {"dtype": 1, "shape": ["N", 4, "H"], "content": None, "annotation": None},
        "shape": {"dtype": 7, "shape": [2], "content": [6, "N"], "annotation": None},
        "y": {"dtype": 1, "shape": None, "content": None, "annotation": "holds"},
    }
    assert unit["guards"][0] == {
        "kind": "assert",
        "condition": "H*N % 6 == 0",
        "node": "to_grid",
        "reason": "Reshape to [6, -1]",
    }


def test_infer_writes_the_model(run: Run) -> None:
    write("a.onnx", "model")
    assert run("infer", "a.onnx", "-o", "b.onnx") == Result(0, "", "")
    assert Path("b.onnx").read_text() == "model"
    Path("out").mkdir()
    assert "out/b.onnx needs weights.bin beside it" in run("infer", "a.onnx", "-o", "out/b.onnx").err
    assert run("infer", "a.onnx", "-o", "b.onnx", "--hint", "N=2").status == 2


def test_infer_of_a_model_that_cannot_be_read(run: Run) -> None:
    write("a.onnx", f"no units\n{ERROR}")
    result = run("infer", "a.onnx")
    assert result.status == 1
    assert "OLS101" in result.err
    written = run("infer", "a.onnx", "-o", "b.onnx")
    assert written.status == 1
    assert "OLS101" in written.err
    assert not Path("b.onnx").exists()


def test_guards(run: Run) -> None:
    write("a.onnx")
    assert run("guards", "a.onnx").out == (
        "kind    condition     node     reason\n"
        "------  ------------  -------  ------------------\n"
        "assert  H*N % 6 == 0  to_grid  Reshape to [6, -1]\n"
        "expect  N == 2        add      hint\n"
    )


@pytest.mark.parametrize(
    ("sizes", "status", "outcome"), [("H=3", 0, "run"), ("H=6", 0, "run"), ("H=1", 1, "error"), ("H=2", 1, "error")]
)
def test_guards_decide_sizes(run: Run, sizes: str, status: int, outcome: str) -> None:
    write("a.onnx")
    result = run("guards", "a.onnx", "--sizes", "N=2", sizes)
    assert result.status == status
    assert result.out.startswith(f"{outcome}\n")
    assert ("H*N % 6 == 0" in result.out) == (outcome == "error")


def test_guards_that_ask_for_another_analysis(run: Run) -> None:
    write("a.onnx")
    result = run("guards", "a.onnx", "--sizes", "N=6,H=1")
    assert result.status == 1
    assert result.out.startswith("recompile\n")


def test_guards_need_every_size(run: Run) -> None:
    write("a.onnx")
    result = run("guards", "a.onnx", "--sizes", "N=2")
    assert result.status == 2
    assert "lacks the size of H" in result.err


def test_show(run: Run) -> None:
    write("a.onnx")
    assert run("show", "a.onnx", "--hint", "N=2").out == "text of a.onnx with {'N': 2}\n"


def test_rule_table(run: Run) -> None:
    lines = run("rule").out.splitlines()
    assert lines[2] == "reshape-size-mismatch  OLS101  error     A Reshape changes the number of elements."
    assert len(json.loads(run("rule", "--output-format", "json").out)["rules"]) == 4


@pytest.mark.parametrize("name", ["reshape-size-mismatch", "OLS101", "ols101"])
def test_rule_page(run: Run, name: str) -> None:
    assert run("rule", name).out == (
        "# reshape-size-mismatch\n\n`OLS101` · error\n\nA Reshape changes the number of elements.\n\nMore words.\n"
    )
    assert json.loads(run("rule", name, "--output-format", "json").out)["code"] == "OLS101"


def test_a_rule_that_does_not_exist(run: Run) -> None:
    result = run("rule", "reshape-size-missmatch")
    assert result.status == 2
    assert "near it: reshape-size-mismatch" in result.err


def test_version(run: Run) -> None:
    result = run("version")
    assert result.status == 0
    assert [line.split()[0] for line in result.out.splitlines()] == ["onnxls", "Python", "onnx", "opset"]


def test_starting_imports_little() -> None:
    program = "import sys, onnxls_server.cli as cli; cli.main(['check', '--no-such']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"onnx", "numpy", "sympy", "multiprocessing", "subprocess", "json", "tomllib", "xml.etree", "pygls"}
    assert heavy.isdisjoint(loaded)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    program = "import sys; from onnxls_server.cli import main; sys.exit(main(['rule', '--help']))"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False
    )
    os.close(writer)
    assert done.stderr == ""


MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 4, H] x) => (float[M, 6] y) {
  t = Constant <value = int64[2] {-1, 6}> ()
  y = Reshape (x, t)
}
"""


def test_the_commands_on_the_real_analysis(run: Run) -> None:
    write("a.onnxtxt", MODEL)
    engine = OnnxlsEngine()
    found = run("check", "--output-format", "concise", engine=engine)
    assert found.status == 1
    assert found.out.startswith("a.onnxtxt:4:")
    assert found.out.endswith(" [reshape-not-divisible]\n")
    assert "4 |   y = Reshape (x, t)\n" in run("check", engine=engine).out
    assert run("check", "--assume", "H % 3 == 0", engine=engine).status == 0
    assert run("check", "--assume", "H %", engine=engine).status == 2
    assert run("check", "-", "--stdin-filename", "b.onnxtxt", stdin=MODEL, engine=engine).status == 1
    assert "[2*H*N//3, 6]" in run("infer", "a.onnxtxt", engine=engine).out
    assert run("infer", "a.onnxtxt", "-o", "b.onnx", engine=engine).status == 0
    assert run("check", "b.onnx", engine=engine).status == 1
    assert run("guards", "b.onnx", "--sizes", "N=1", "H=3", engine=engine) == Result(0, "run\n", "")
    assert run("guards", "b.onnx", "--sizes", "x=1,4,1", engine=engine).status == 1
    assert "# float[2*H*N//3, 6]" in run("show", "b.onnx", engine=engine).out
    assert "# reshape-not-divisible" in run("rule", "reshape-not-divisible", engine=engine).out
    assert run("version", engine=engine).status == 0


def test_hints_are_for_the_files_that_have_the_name(run: Run) -> None:
    write("a.onnxtxt", MODEL)
    write("b.onnxtxt", MODEL.replace("H", "K"))
    write("f.py", SOURCE)
    write("other.py", "x = 1\n")
    engine = OnnxlsEngine()
    found = run("check", "--hint", "H=6", "--output-format", "concise", engine=engine)
    assert "invalid-hint" not in found.out
    assert found.status == 1
    assert "invalid-hint" not in run("check", "--hint", "W=3", engine=engine).out
    absent = run("check", "--hint", "Q=2", "--hint", "W=3", "--output-format", "concise", engine=engine).out
    assert absent.count("invalid-hint") == 1
    assert "a.onnxtxt: OLS060 `Q` is no symbol of the inputs and no input in the 3 files" in absent
    assert run("check", "b.onnxtxt", "--hint", "H=6", engine=engine).status == 1
    write("onnxls.toml", "hint = { Q = 2 }")
    assert "invalid-hint" not in run("check", engine=engine).out
    assert "x has rank 3, not 2" in run("check", "a.onnxtxt", "--hint", "x=3,4", engine=engine).out


SOURCE = """from onnxscript import FLOAT, script
from onnxscript import opset20 as op


@script()
def f(x: FLOAT["W"]):
    return op.Relu(x)
"""
