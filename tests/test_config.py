"""Settings: where they are found, what they mean, and that bad ones are reported and do no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_engine import RULES, finding
from onnxls_server.config import Settings, SettingsFinder, from_table
from onnxls_server.globs import matches
from onnxls_server.selection import choose, covers, unknown
from onnxls_server.sizes import parse_pairs


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_every_key_is_read() -> None:
    settings, messages = from_table(
        {
            "select": ["OLS1", "slice-past-end"],
            "ignore": ["unused-value"],
            "per-file-ignores": {"old/**": ["OLS101"]},
            "exclude": ["build"],
            "severity": {"slice-past-end": "error"},
            "assume": ["N % 8 == 0"],
            "hint": {"N": 2, "x": [2, 3]},
            "empty-axes": True,
            "expression-names": "trust",
            "operators": {"my.domain::Op": "(N, C) -> (N)"},
            "deep": True,
        },
        "/root",
        "onnxls.toml",
    )
    assert messages == ()
    assert settings == Settings(
        root="/root",
        source="onnxls.toml",
        select=("OLS1", "slice-past-end"),
        ignore=("unused-value",),
        per_file_ignores={"old/**": ("OLS101",)},
        exclude=("build",),
        severity={"slice-past-end": "error"},
        assume=("N % 8 == 0",),
        hints={"N": 2, "x": (2, 3)},
        empty_axes=True,
        expression_names="trust",
        operators={"my.domain::Op": "(N, C) -> (N)"},
        deep=True,
    )


def test_an_unknown_key_is_reported_with_the_nearest_one() -> None:
    settings, messages = from_table({"ignores": ["a"], "assume": "N > 1"}, ".", "onnxls.toml")
    assert messages == ("onnxls.toml: unknown key `ignores`; did you mean `ignore`?",)
    assert settings.assume == ("N > 1",)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("select", "OLS101"),
        ("ignore", [1]),
        ("per-file-ignores", {"a": "OLS101"}),
        ("exclude", {"a": 1}),
        ("severity", {"slice-past-end": "fatal"}),
        ("assume", [1]),
        ("hint", {"N": True}),
        ("hint", {"x": [[1]]}),
        ("hint", ["N"]),
        ("empty-axes", 1),
        ("deep", "yes"),
        ("expression-names", "believe"),
        ("operators", []),
        ("operators", {"my.domain::Op": {"like": "Identity"}}),
        ("operators", {"my.domain::Op": "(N, C)"}),
        ("operators", {"Op": "(N) -> (N)"}),
        ("operators", {"ai.onnx.ml::Op": "(N) -> (N)"}),
    ],
)
def test_a_value_of_a_wrong_type_is_reported_and_skipped(key: str, value: object) -> None:
    settings, messages = from_table({key: value, "ignore": ["kept"]} if key != "ignore" else {key: value}, ".", "f")
    assert len(messages) == 1
    assert messages[0].startswith(f"f: `{key}` must be ")
    assert settings == Settings(source="f", ignore=("kept",) if key != "ignore" else ())


def test_onnxls_toml_goes_before_a_nearer_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "onnxls.toml", 'ignore = ["outer"]')
    write(tmp_path / "inner/pyproject.toml", '[tool.onnxls]\nignore = ["inner"]')
    finder = SettingsFinder()
    settings = finder.of_file(str(tmp_path / "inner/deep/a.onnx"))
    assert settings.ignore == ("outer",)
    assert settings.root == str(tmp_path)
    assert finder.messages == []


def test_the_nearest_pyproject_with_a_section_counts(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.onnxls]\nignore = ["outer"]\nselect = ["outer"]')
    write(tmp_path / "a/pyproject.toml", '[tool.onnxls]\nignore = ["a"]')
    write(tmp_path / "a/b/pyproject.toml", '[project]\nname = "b"')
    finder = SettingsFinder()
    assert finder.of_folder(str(tmp_path / "a/b")).ignore == ("a",)
    assert finder.of_folder(str(tmp_path / "a/b")).select is None
    assert finder.of_folder(str(tmp_path / "c")).ignore == ("outer",)


def test_an_unreadable_file_is_reported_once_and_skipped(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.onnxls]\nignore = ["outer"]')
    write(tmp_path / "a/onnxls.toml", "ignore = [")
    finder = SettingsFinder()
    assert finder.of_folder(str(tmp_path / "a/b")).ignore == ("outer",)
    assert finder.of_folder(str(tmp_path / "a/c")).ignore == ("outer",)
    assert len(finder.messages) == 1
    assert "cannot be read" in finder.messages[0]


def test_no_file_gives_the_defaults(tmp_path: Path) -> None:
    settings = SettingsFinder().of_folder(str(tmp_path))
    assert settings.select is None
    assert settings.ignore == ()


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("N=2", {"N": 2}),
        (" N = 2 ", {"N": 2}),
        ("x=2,3,4", {"x": (2, 3, 4)}),
        ("x=2,", {"x": (2,)}),
        ("x=[2]", {"x": (2,)}),
        ("x=(2, 3)", {"x": (2, 3)}),
        ("x=[]", {"x": ()}),
        ("N=2, H=16", {"N": 2, "H": 16}),
        ("x=2,3,N=4", {"x": (2, 3), "N": 4}),
        ("`a, b`=2", {"a, b": 2}),
        ("past + 1=7", {"past + 1": 7}),
        ("x[0]=7", {"x[0]": 7}),
        ("N=0", {"N": 0}),
    ],
)
def test_sizes(text: str, sizes: dict[str, object]) -> None:
    assert parse_pairs(text) == sizes


@pytest.mark.parametrize("text", ["", "N", "N=", "N=x", "N=-1", "=2", "N==2", "x=2,,3", "N=1.5", "N=²", "x=[2"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(ValueError, match=r"size|form"):
        parse_pairs(text)


@pytest.mark.parametrize(
    ("glob", "path", "matched"),
    [
        ("build", "build/a.onnx", True),
        ("build", "x/build/y/a.onnx", True),
        ("build", "rebuild/a.onnx", False),
        ("*.tmp.onnx", "x/a.tmp.onnx", True),
        ("*.onnx", "a.onnx/b", True),
        ("models/*.onnx", "models/a.onnx", True),
        ("models/*.onnx", "models/x/a.onnx", False),
        ("models/**/*.onnx", "models/a.onnx", True),
        ("models/**/*.onnx", "models/x/y/a.onnx", True),
        ("models/**", "models/x/a.onnx", True),
        ("models/", "models/a.onnx", True),
        ("./models/a", "models/a", True),
        ("a[0-9].onnx", "a1.onnx", True),
        ("a[!0-9].onnx", "a1.onnx", False),
        ("a?.onnx", "a/.onnx", False),
        ("**/old", "x/old/a", True),
        ("a[", "a[", True),
    ],
)
def test_globs(glob: str, path: str, matched: bool, tmp_path: Path) -> None:
    assert matches(str(tmp_path / path), str(tmp_path), (glob,)) is matched


def test_selectors_are_names_codes_and_prefixes() -> None:
    assert covers("slice-past-end", "slice-past-end", "OLS201")
    assert covers("ols201", "slice-past-end", "OLS201")
    assert covers("OLS2", "slice-past-end", "OLS201")
    assert covers("OLS", "slice-past-end", "OLS201")
    assert not covers("OLS1", "slice-past-end", "OLS201")
    assert not covers("slice", "slice-past-end", "OLS201")
    assert not covers("O", "slice-past-end", "OLS201")


def test_unknown_selectors_name_the_nearest_rule() -> None:
    assert unknown(["OLS1", "OLS101", "slice-past-end"], RULES) == ()
    assert unknown(["slice-past-ends", "OLS9"], RULES)[0] == (
        "unknown rule `slice-past-ends`; did you mean `slice-past-end`?"
    )


def test_what_settings_keep(tmp_path: Path) -> None:
    found = (finding(path=str(tmp_path / "old/a.onnx")), finding("slice-past-end", path=str(tmp_path / "a.onnx")))
    root = str(tmp_path)
    assert choose(found, Settings(root)) == found
    assert choose(found, Settings(root, select=("OLS2",))) == found[1:]
    assert choose(found, Settings(root, ignore=("OLS2",))) == found[:1]
    assert choose(found, Settings(root, select=("OLS",), ignore=("OLS101",))) == found[1:]
    assert choose(found, Settings(root, per_file_ignores={"old/*": ("OLS",)})) == found[1:]
    raised = choose(found, Settings(root, severity={"OLS201": "information"}))
    assert [each.severity for each in raised] == ["error", "information"]
