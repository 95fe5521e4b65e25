"""Folders, settings, models that nobody opens, and files that change under the server."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper
from wire import Message, Wire

CAPABILITIES = Path(__file__).parents[1] / "data" / "capabilities"
SOURCE = """\
from onnxscript import FLOAT, script
from onnxscript import opset20 as op

@script()
def f(x: FLOAT["N", 4], y: FLOAT["M", 3]):
    return op.MatMul(x, y)
"""


Published = dict[str, list[Message]]


def capabilities(client: str) -> Message:
    return json.loads((CAPABILITIES / f"{client}.json").read_text(encoding="utf-8"))["capabilities"]


def write_model(path: Path, inner: int | str = "M") -> None:
    """A product of `[N, 4]` and `[inner, 3]`."""
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 4]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, [inner, 3]),
    ]
    outputs = [helper.make_tensor_value_info("z", TensorProto.FLOAT, ["N", 3])]
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "y"], ["z"], "product")], "g", inputs, outputs)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]).SerializeToString())


CALLER = (
    "from onnxscript import FLOAT, script\nfrom parts import f\n\n@script()\n"
    'def g(a: FLOAT["N", 4], b: FLOAT[5, 3]):\n    return f(a, b)\n'
)
"""A function that calls the one of SOURCE, in a file beside."""


class Editor(Wire):
    """A client that answers questions about its settings, and notes what is published."""

    def __init__(self, settings: object = None) -> None:
        super().__init__()
        self.settings = settings
        self.published: Published = {}

    def until(self, condition: Callable[[Published], bool], timeout: float) -> None:
        """Takes messages until a condition on what was published is met."""

        self.wait(lambda _: condition(self.published), timeout)

    def note(self, message: Message) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]

    def answered(self, message: Message) -> object:
        if message["method"] == "workspace/configuration":
            return [self.settings for _ in message["params"]["items"]]
        return None


def codes(found: list[Message] | None) -> list[str]:
    return [each["code"] for each in found or ()]


def severities(found: list[Message]) -> list[int]:
    return [each["severity"] for each in found]


def test_models_are_checked_at_the_start_and_ignored_ones_are_not(tmp_path: Path):
    write_model(tmp_path / "a b" / "é.onnx")
    write_model(tmp_path / "good.onnx", 4)
    write_model(tmp_path / "build" / "old.onnx")
    write_model(tmp_path / "skipped.onnx")
    (tmp_path / "lfs.onnx").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n")
    (tmp_path / "text.onnxtxt").write_text("<ir_version: 9, opset_import: ['' : 20]>\ng (float[2] x) => (float y) {\n")
    (tmp_path / "onnxls.toml").write_text('exclude = ["build", "skipped.onnx"]\n')
    with Editor() as editor:
        editor.initialize(capabilities("neovim-0.11"), [tmp_path.as_uri()])
        started = time.monotonic()
        wanted = {(tmp_path / name).as_uri() for name in ("a b/é.onnx", "text.onnxtxt")}
        editor.until(lambda published: wanted <= published.keys(), 20)
        assert time.monotonic() - started < 10
        editor.quiet(0.5)
        assert set(editor.published) == wanted
        (found,) = editor.published[(tmp_path / "a b/é.onnx").as_uri()]
        assert found["code"] == "OLS120"
        assert "product" in found["message"]
        assert found["range"]["start"] == {"line": 0, "character": 0}
        text = editor.result("onnxls/modelText", {"uri": (tmp_path / "lfs.onnx").as_uri()})["text"]
        assert "git lfs pull" in text


def test_a_client_that_does_not_watch_sees_changes_of_files(tmp_path: Path):
    model, uri = tmp_path / "m.onnx", (tmp_path / "m.onnx").as_uri()
    write_model(model)
    with Editor() as editor:
        editor.initialize(capabilities("neovim-0.11"), [tmp_path.as_uri()])
        editor.until(lambda published: codes(published.get(uri)) == ["OLS120"], 20)
        write_model(model, 4)
        editor.until(lambda published: published.get(uri) == [], 20)
        write_model(tmp_path / "new.onnx")
        editor.until(lambda published: codes(published.get((tmp_path / "new.onnx").as_uri())) == ["OLS120"], 20)
        (tmp_path / "new.onnx").unlink()
        editor.until(lambda published: published.get((tmp_path / "new.onnx").as_uri()) == [], 20)
        write_model(model)
        editor.until(lambda published: codes(published.get(uri)) == ["OLS120"], 20)
        (tmp_path / "onnxls.toml").write_text('ignore = ["matmul-inner-mismatch"]\n')
        editor.until(lambda published: published.get(uri) == [], 20)


def test_a_client_that_watches_tells(tmp_path: Path):
    model, uri = tmp_path / "m.onnx", (tmp_path / "m.onnx").as_uri()
    write_model(model, 4)
    with Editor() as editor:
        editor.initialize(capabilities("vscode-1.139"), [tmp_path.as_uri()])
        registered = editor.wait_for("client/registerCapability")["registrations"]
        assert {each["method"] for each in registered} == {
            "workspace/didChangeWatchedFiles",
            "workspace/textDocumentContent",
            "workspace/didChangeConfiguration",
        }
        editor.wait(lambda message: message.get("params", {}).get("busy") is False)
        write_model(model)
        editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        editor.wait_for("workspace/diagnostic/refresh")
        found = editor.result("workspace/diagnostic", {"previousResultIds": []})["items"]
        (page,) = [each for each in found if each["uri"] == uri]
        assert codes(page["items"]) == ["OLS120"]
        previous = [{"uri": uri, "value": page["resultId"]}]
        (page,) = editor.result("workspace/diagnostic", {"previousResultIds": previous})["items"]
        assert page["kind"] == "unchanged"
        model.unlink()
        editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
        editor.wait_for("workspace/diagnostic/refresh")
        (page,) = editor.result("workspace/diagnostic", {"previousResultIds": previous})["items"]
        assert page["items"] == []


def test_settings_of_files_and_client_in_several_folders(tmp_path: Path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    (one / "pyproject.toml").write_text('[tool.onnxls]\nignore = ["matmul-inner-mismatch"]\n')
    (two / "onnxls.toml").write_text('[severity]\nmatmul-inner-mismatch = "hint"\n')
    with Editor() as editor:
        editor.initialize(None, [one.as_uri(), two.as_uri()])
        for folder in (one, two, tmp_path):
            editor.open((folder / "net.py").as_uri(), SOURCE)
        editor.until(lambda published: len(published) == 3, 30)
        assert editor.published[(one / "net.py").as_uri()] == []
        assert severities(editor.published[(two / "net.py").as_uri()]) == [4]
        assert severities(editor.published[(tmp_path / "net.py").as_uri()]) == [2]
        settings = {"onnxls": {"severity": {"matmul-inner-mismatch": "error"}, "hint": {"M": 5}, "hover": False}}
        editor.notify("workspace/didChangeConfiguration", {"settings": settings})
        editor.until(lambda published: severities(published[(tmp_path / "net.py").as_uri()]) == [1], 30)
        editor.until(lambda published: severities(published[(two / "net.py").as_uri()]) == [1], 30)
        place = {"textDocument": {"uri": (two / "net.py").as_uri()}, "position": {"line": 5, "character": 14}}
        assert editor.result("textDocument/hover", place) is None
        removed = {"added": [], "removed": [{"uri": two.as_uri(), "name": "two"}]}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": removed})


def test_settings_that_the_client_is_asked_for():
    with Editor({"ignore": ["matmul-inner-mismatch", "no-such-rule"], "nonsense": 1}) as editor:
        editor.initialize({"workspace": {"configuration": True}})
        editor.wait_for("workspace/configuration")
        editor.open("file:///work/net.py", SOURCE)
        assert editor.diagnostics("file:///work/net.py") == []

        def said() -> str:
            return "".join(each["params"]["message"] for each in editor.passed if "message" in each.get("params", {}))

        editor.until(lambda _: "no-such-rule" in said() and "nonsense" in said(), 30)


def test_a_broken_settings_file_is_told_once(tmp_path: Path):
    (tmp_path / "onnxls.toml").write_text("ignore = [")
    with Editor() as editor:
        editor.initialize(None, [tmp_path.as_uri()])
        editor.open((tmp_path / "a.py").as_uri(), SOURCE)
        editor.open((tmp_path / "b.py").as_uri(), SOURCE)
        assert "onnxls.toml" in editor.wait_for("window/showMessage")["message"]
        editor.until(lambda published: len(published) == 2, 30)
        told = [each for each in editor.passed if each.get("method") == "window/showMessage"]
        assert len(told) == 1


def test_what_a_text_imports_is_taken_as_the_editor_has_it(tmp_path: Path):
    (tmp_path / "parts.py").write_text(SOURCE)
    main, parts = (tmp_path / "main.py").as_uri(), (tmp_path / "parts.py").as_uri()
    with Editor() as editor:
        editor.initialize(capabilities("neovim-0.11"), [tmp_path.as_uri()])
        editor.open(main, CALLER)
        editor.until(lambda published: codes(published.get(main)) == ["OLS120"], 30)
        place = {"textDocument": {"uri": main}, "position": {"line": 5, "character": 11}}
        (defined,) = editor.result("textDocument/definition", place)
        assert (defined["uri"], defined["range"]["start"]) == (parts, {"line": 4, "character": 4})
        editor.open(parts, SOURCE.replace("op.MatMul(x, y)", "op.Relu(x)"))
        editor.until(lambda published: "OLS120" not in codes(published.get(main)), 30)
        editor.close(parts)
        editor.until(lambda published: codes(published.get(main)) == ["OLS120"], 30)
        (tmp_path / "parts.py").write_text(SOURCE.replace("op.MatMul(x, y)", "op.Relu(x)"))
        editor.until(lambda published: "OLS120" not in codes(published.get(main)), 30)


def test_a_function_is_renamed_in_files_that_are_not_open(tmp_path: Path):
    """Also in those that know nothing of onnxscript, and where only another file tells that the function is meant."""
    files = {
        "parts.py": SOURCE,
        "pkg/__init__.py": "from parts import f as g, f\n",
        "t/test_g.py": "import pkg\npkg.g(1, y=2)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    uris = {(tmp_path / name).as_uri(): name for name in files}
    with Editor() as wire:
        wire.initialize({}, [tmp_path.as_uri()])
        wire.open((tmp_path / "parts.py").as_uri(), SOURCE)
        asked = {"textDocument": {"uri": (tmp_path / "parts.py").as_uri()}, "newName": "new"}
        renamed = wire.result("textDocument/rename", {**asked, "position": {"line": 4, "character": 4}})
        assert {uris[uri]: len(edits) for uri, edits in renamed["changes"].items()} == {
            "parts.py": 1,
            "pkg/__init__.py": 2,
        }
        renamed = wire.result("textDocument/rename", {**asked, "position": {"line": 4, "character": 25}})
        assert {uris[uri]: len(edits) for uri, edits in renamed["changes"].items()} == {"parts.py": 2, "t/test_g.py": 1}


def test_a_client_that_asks_is_told_when_another_file_changes_what_it_has(tmp_path: Path):
    (tmp_path / "parts.py").write_text(SOURCE)
    main, parts = (tmp_path / "main.py").as_uri(), (tmp_path / "parts.py").as_uri()
    with Editor() as editor:
        editor.initialize(capabilities("vscode-1.139"), [tmp_path.as_uri()])
        editor.open(main, CALLER)
        report = editor.result("textDocument/diagnostic", {"textDocument": {"uri": main}})
        assert codes(report["items"]) == ["OLS120"]
        editor.open(parts, SOURCE)
        again = {"textDocument": {"uri": main}, "previousResultId": report["resultId"]}
        assert editor.result("textDocument/diagnostic", again)["kind"] == "unchanged"
        editor.quiet(1)
        editor.change(parts, 2, SOURCE.replace("op.MatMul(x, y)", "op.Relu(x)"))
        editor.wait_for("workspace/diagnostic/refresh")
        assert "OLS120" not in codes(editor.result("textDocument/diagnostic", again)["items"])


@pytest.mark.parametrize("scheme", ["onnx-text", "file"])
def test_a_model_as_text(tmp_path: Path, scheme: str):
    model = tmp_path / "a b é.onnx"
    write_model(model)
    file = model.as_uri()
    uri = file if scheme == "file" else "onnx-text:" + file.removeprefix("file://")
    with Editor() as editor:
        editor.initialize(capabilities("neovim-0.11"), [tmp_path.as_uri()])
        editor.until(lambda published: codes(published.get(file)) == ["OLS120"], 20)
        text = editor.result("onnxls/modelText", {"uri": file})["text"]
        assert "float[N, 3]" in text
        assert (
            editor.result("workspace/textDocumentContent", {"uri": f"onnx-content:{model.as_posix()}"})["text"] == text
        )
        editor.open(uri, text, "onnx-text")
        editor.until(lambda published: bool(published.get(uri)) and published[uri][0]["range"] != START, 20)
        (found,) = editor.published[uri]
        line = text.split("\n")[found["range"]["start"]["line"]]
        assert "MatMul" in line
        if scheme != "file":
            editor.until(lambda published: published[file] == [], 20)
        column = line.index("z")
        place = {
            "textDocument": {"uri": uri},
            "position": {"line": found["range"]["start"]["line"], "character": column},
        }
        assert "float[N, 3]" in editor.result("textDocument/hover", place)["contents"]["value"]
        editor.close(uri)
        editor.until(
            lambda published: codes(published.get(file)) == ["OLS120"] and START in ranges(published[file]), 20
        )
        if scheme != "file":
            assert editor.published[uri] == []


START = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def ranges(found: list[Message]) -> list[object]:
    return [each["range"] for each in found]


def test_a_model_that_is_none_is_told_on_the_file(tmp_path: Path):
    model = tmp_path / "broken.onnx"
    model.write_bytes(b"\x08\x07junk")
    file, uri = model.as_uri(), "onnx-text:" + str(model)
    with Editor() as editor:
        editor.initialize(None, [tmp_path.as_uri()])
        editor.until(lambda published: codes(published.get(file)) == ["OLS001"], 20)
        text = editor.result("onnxls/modelText", {"uri": file})["text"]
        assert all(line.startswith("#") for line in text.splitlines())
        editor.open(uri, text, "onnx-text")
        editor.until(lambda published: uri in published, 20)
        assert not editor.published[uri]
        assert codes(editor.published[file]) == ["OLS001"]
        missing = editor.result("onnxls/modelText", {"uri": (tmp_path / "none.onnx").as_uri()})["text"]
        assert "No such file" in missing


def test_an_exported_model_points_home(tmp_path: Path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "net.py").write_text("import torch\n\ny = x @ w\n")
    model = tmp_path / "m.onnx"
    write_model(model)
    proto = onnx.ModelProto.FromString(model.read_bytes())
    entry = proto.graph.node[0].metadata_props.add()
    entry.key = "pkg.torch.onnx.stack_trace"
    entry.value = 'File "/home/somebody/project/src/net.py", line 3, in forward\n    y = x @ w\n'
    model.write_bytes(proto.SerializeToString())
    with Editor() as editor:
        editor.initialize(capabilities("neovim-0.11"), [tmp_path.as_uri()])
        editor.until(lambda published: codes(published.get(model.as_uri())) == ["OLS120"], 20)
        (found,) = editor.published[model.as_uri()]
        (home,) = [each["location"] for each in found["relatedInformation"] if each["location"]["uri"].endswith(".py")]
        assert home["uri"] == (tmp_path / "src" / "net.py").as_uri()
        assert home["range"] == {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 9}}


def test_a_huge_text_and_a_huge_file_are_passed_over(tmp_path: Path):
    big = tmp_path / "big.onnxtxt"
    with open(big, "wb") as stream:
        stream.truncate(300_000_000)
    with Editor() as editor:
        editor.initialize(None, [tmp_path.as_uri()])
        editor.until(lambda published: codes(published.get(big.as_uri())) == ["OLS590"], 20)
        editor.open("file:///work/huge.py", SOURCE + "#" * 21_000_000)
        assert codes(editor.diagnostics("file:///work/huge.py")) == ["OLS590"]
        editor.open("file:///work/net.py", SOURCE)
        assert codes(editor.diagnostics("file:///work/net.py")) == ["OLS120"]


def test_a_large_model_with_weights_is_opened_in_little_memory(tmp_path: Path):
    model = tmp_path / "large.onnx"
    write_model(model)
    proto = onnx.ModelProto.FromString(model.read_bytes())
    tensor = proto.graph.initializer.add()
    tensor.name, tensor.data_type, tensor.raw_data = "w", TensorProto.FLOAT, bytes(300_000_000)
    tensor.dims.append(75_000_000)
    model.write_bytes(proto.SerializeToString())
    del proto, tensor
    with Editor() as editor:
        editor.initialize(None, [tmp_path.as_uri()])
        editor.until(lambda published: "OLS120" in codes(published.get(model.as_uri())), 20)
        assert len(editor.result("onnxls/modelText", {"uri": model.as_uri()})["text"]) < 10_000
        statm = Path(f"/proc/{editor.process.pid}/statm")
        if statm.exists():
            shared, resident = (int(each) for each in (statm.read_text().split()[2], statm.read_text().split()[1]))
            assert (resident - shared) * os.sysconf("SC_PAGE_SIZE") < 250_000_000


def test_documents_of_other_schemes_are_no_affair_of_ours():
    with Editor() as editor:
        editor.initialize()
        for uri in ("git:/work/net.py?ref", "vscode-vfs://github/a/net.py", "output:x", "not a uri", "file:", ""):
            editor.open(uri, SOURCE)
        editor.open("untitled:Untitled-1", SOURCE)
        assert codes(editor.diagnostics("untitled:Untitled-1")) == ["OLS120"]
        assert set(editor.published) <= {"untitled:Untitled-1"}


def test_two_spellings_of_one_uri():
    with Editor() as editor:
        editor.initialize()
        editor.open("file:///c%3A/work/r%C3%A9sum%C3%A9.py", SOURCE)
        assert codes(editor.diagnostics("file:///c%3A/work/r%C3%A9sum%C3%A9.py", 1)) == ["OLS120"]
        editor.change("file:///C:/work/r%c3%a9sum%c3%a9.py", 2, SOURCE.replace('"M"', "4"))
        assert editor.diagnostics("file:///c%3A/work/r%C3%A9sum%C3%A9.py", 2) == []
