"""What editors show of binary models, and across files."""

from __future__ import annotations

import warnings
from pathlib import Path

import onnx
import onnx.parser
import pytest

from features_runner import code_actions
from onnxls.assembly import Request
from onnxls.listing import listing
from onnxls.spans import LineIndex
from onnxls.units import Hints
from onnxls.workspace import Workspace
from onnxls_server.features.code_actions import fix_all
from onnxls_server.features.definition import definition, references
from onnxls_server.features.guards import code_lens, guards
from onnxls_server.features.hover import hover
from onnxls_server.features.inlay_hints import inlay_hints
from onnxls_server.features.neighbourhood import neighbourhood
from onnxls_server.features.rename import Refusal, prepare_rename, rename
from onnxls_server.features.symbols import document_symbols, workspace_symbols
from onnxls_server.session.snapshot import Snapshot

MODEL = """<ir_version: 10, opset_import: ["" : 20]>
g (float[N, 4] x, bool c) => (float[N, 2] y) {
  a = Relu (x)
  [split] b = Reshape (a, target)
  y = If (c) <then_branch = t () => (p) { p = Neg(b) }, else_branch = e () => (q) { q = Identity (b) }>
}
"""
TRACE = (
    'File "/home/me/net.py", line 12, in forward\\n    return x\\nFile "/v/site-packages/torch/nn.py", line 3, in call'
)
HEAD = "from onnxscript import FLOAT, script\nfrom onnxscript import opset20 as op\n\n"
BLOCKS = HEAD + "@script()\ndef block(x):\n    return op.Relu(x)\n\ndef test():\n    block(x=1)\n"
NET = HEAD + (
    "from blocks import block\nimport blocks\n\n"
    '@script()\ndef net(x: FLOAT["N", 4]):\n    y = block(x)\n    return y\n\n'
    "blocks.block.to_model_proto()\n"
)


@pytest.fixture
def model(tmp_path: Path) -> str:
    made = onnx.parser.parse_model(
        MODEL.replace("(a, target)", "(a, target)").replace(" y) {", " y) <int64[2] target = {-1, 2}> {")
    )
    entry = made.graph.node[1].metadata_props.add()
    entry.key, entry.value = "pkg.torch.onnx.stack_trace", TRACE.replace("\\n", "\n")
    entry = made.graph.node[1].metadata_props.add()
    entry.key, entry.value = "pkg.torch.onnx.name_scopes", "['', 'encoder', 'encoder.split', 'view']"
    path = tmp_path / "m.onnx"
    onnx.save_model(made, str(path))  # pyright: ignore[reportUnknownMemberType]
    return str(path)


def listed(path: str, hints: Hints | None = None) -> Snapshot:
    report = Workspace().analyze(path, Request(hints or {}))
    text = listing(report.units[0])
    return Snapshot(f"file://{path}", path, 1, "listing", text.text, LineIndex(text.text), report, text.text, text)


def sources(**texts: str) -> list[Snapshot]:
    files = {f"{name}.py": text for name, text in texts.items()}
    workspace = Workspace(read=files.get)
    made: list[Snapshot] = []
    for path, text in files.items():
        report = workspace.analyze_text(text, path, Request())
        made.append(Snapshot(f"file:///{path}", path, 1, "source", text, LineIndex(text), report, text))
    return made


def said(snapshot: Snapshot, offset: int) -> str:
    found = hover(snapshot, offset)
    return "" if found is None else found.markup.plain()


def test_a_listing_has_hovers(model: str) -> None:
    shown = listed(model)
    assert said(shown, shown.text.index("a  ") if "a  " in shown.text else shown.text.index(" a ") + 1).startswith(
        "a: float[N, 4]"
    )
    operator = said(shown, shown.text.index("Reshape"))
    assert "Reshape(data: float[N, 4], shape: int64[2] = [-1, 2]) -> reshaped: float[2*N, 2]" in operator
    assert "Module `encoder.split`" in operator
    assert "From `/home/me/net.py:12`" in operator
    assert "Neg(X: float[2*N, 2]) -> Y: float[2*N, 2]" in said(shown, shown.text.index("Neg"))


def test_a_listing_has_definitions_symbols_and_a_graph(model: str) -> None:
    shown = listed(model)
    use = shown.text.index("(b)") + 1
    found = definition(shown, use)
    assert [shown.text[each.span.start : each.span.end] for each in found if each.span] == ["b"]
    assert [each.name for each in document_symbols(shown)] == ["g"]
    assert [each.name for each in document_symbols(shown)[0].children] == ["x", "c", "target", "a", "b", "y"]
    around = neighbourhood(shown, shown.text.index("Reshape"))
    assert around is not None
    assert {each.value for each in around.edges} == {"a", "b", "target"}


def test_a_listing_is_not_edited(model: str) -> None:
    shown = listed(model)
    offset = shown.text.index("Relu") - 4
    assert prepare_rename(shown, offset) is None
    assert isinstance(rename(shown, offset, "z"), Refusal)
    assert code_actions(shown, 0, len(shown.text)) == []
    assert fix_all(shown, shown.report.found) is None


def test_sizes_that_are_tried(model: str) -> None:
    """The listing says what holds at all sizes beside its lines; hints say what that is at the sizes."""
    assert inlay_hints(listed(model), 0, 10_000) == []
    shown = listed(model, {"N": 3})
    labels = {each.label for each in inlay_hints(shown, 0, 10_000, concrete=True)}
    assert labels == {": float[3, 4]", ": float[6, 2]"}
    source = sources(
        a=HEAD + '# onnxls: hint N=3\n@script()\ndef f(x: FLOAT["N", 4]):\n    y = op.Relu(x)\n    return y\n'
    )[0]
    plain, concrete = (inlay_hints(source, 0, 1000, each) for each in (False, True))
    assert [each.label for each in plain] == [": float[N, 4]"]
    assert [each.label for each in concrete] == [": float[3, 4]", ": float[3, 4]"]
    assert "`float[3, 4]` at N = 3" in plain[0].tooltip.plain()


def test_broken_guards_light_up() -> None:
    text = HEAD + '# onnxls: hint N=3\n@script()\ndef f(x: FLOAT["N", 5]):\n    return op.Reshape(x, [-1, 2])\n'
    shown = sources(a=text)[0]
    assert [each.title for each in code_lens(shown)] == ["1 guard, 1 broken at these sizes"]
    found = guards(shown)
    assert found is not None
    assert [(each.text, each.holds) for each in found.guards] == [("N % 2 == 0", False)]


def test_a_function_of_another_file() -> None:
    blocks, net = sources(blocks=BLOCKS, net=NET)
    call = NET.index("block(x)")
    found = definition(net, call)
    assert [(each.location.path, each.location.line) for each in found if each.location] == [("blocks.py", 5)]
    mentions = references(net, call, [blocks])
    assert [(each.uri, each.start) for each in mentions] == [
        ("file:///net.py", NET.index("block\n")),
        ("file:///net.py", call),
        ("file:///net.py", NET.index("block.to_model")),
        ("file:///blocks.py", BLOCKS.index("block(x)")),
        ("file:///blocks.py", BLOCKS.index("block(x=1)")),
    ]
    assert references(blocks, BLOCKS.index("block(x)"), [net]) != []
    assert [each.name for _, each in workspace_symbols([blocks, net], "blk")] == ["block"]


def test_a_function_is_renamed_in_all_files() -> None:
    blocks, net = sources(blocks=BLOCKS, net=NET)
    for asked, offset, others in ((net, NET.index("block(x)"), [blocks]), (blocks, BLOCKS.index("block(x)"), [net])):
        edits = rename(asked, offset, "layer", others)
        assert not isinstance(edits, Refusal)
        texts = {net.uri: NET, blocks.uri: BLOCKS}
        for edit in sorted(edits, key=lambda each: -each.start):
            text = texts[edit.uri]
            texts[edit.uri] = text[: edit.start] + edit.text + text[edit.end :]
        assert texts[blocks.uri] == BLOCKS.replace("block", "layer")
        assert texts[net.uri] == NET.replace("block(x)", "layer(x)").replace(
            "import block\n", "import layer\n"
        ).replace("blocks.block.", "blocks.layer.")


def test_another_name_of_a_function_is_not_renamed() -> None:
    aliased = NET.replace("import block\n", "import block as b\n").replace(" block(x)", " b(x)")
    blocks, net = sources(blocks=BLOCKS, net=aliased)
    assert rename(net, net.text.index("b(x)"), "layer", [blocks]) == Refusal("`b` is another name for `block`")


def test_a_parameter_is_renamed_in_all_files() -> None:
    blocks, net = sources(blocks=BLOCKS, net=NET.replace("block(x)", "block(x=x)"))
    edits = rename(blocks, BLOCKS.index("x):"), "data", [net])
    assert not isinstance(edits, Refusal)
    assert {(each.uri, each.start) for each in edits} == {
        (blocks.uri, BLOCKS.index("x):")),
        (blocks.uri, BLOCKS.index("x)\n")),
        (blocks.uri, BLOCKS.index("x=1")),
        (net.uri, net.text.index("x=x")),
    }


LAYER = HEAD + "@script()\ndef <block>(x, <alpha>: float = 1.0):\n    return op.LeakyRelu(x, alpha=<alpha>)\n"
FILES = [
    {
        "pkg/__init__": "from .layers import <block> as b, <block>\n__all__ = ['<block>', 'b']",
        "main": "from pkg import b, <block>\nb(1, <alpha>=2)\n<block>",
    },
    {
        "main": "from pkg.layers import *\n<block>(1, <alpha>=2)",
        "a": "import pkg.layers\npkg.layers.<block>(<alpha>=1)\npkg.block",
    },
    {"t/test": "def test():\n    from pkg.layers import <block>\n    <block>(1, <alpha>=2)\ndef other():\n    block"},
    {
        "pkg/a": "from . import layers as L\nclass K:\n    block = L.<block>\n    x = block\n"
        "    def m(self):\n        return self.block"
    },
    {
        "a": "from pkg.layers import <block>\nclass K:\n    def block(self, block=<block>):\n        return block\n"
        "def f():\n    global <block>\n    <block> = 2\n"
        "def g(block):\n    def h():\n        nonlocal block\n        return block"
    },
    {
        "pkg/main": "from layers import <block>",
        "pkg/sub/main": "from layers import block\nblock(alpha=1)",
        "pkg/sub/layers": "block = 1",
    },
]


@pytest.mark.parametrize("files", FILES)
def test_names_of_python_are_followed_to_what_they_mean(files: dict[str, str]) -> None:
    """Angle brackets stand around what is renamed."""
    written = {"pkg/layers": LAYER, **files}
    texts = {name: text.replace("<", "").replace(">", "") for name, text in written.items()}
    for old, new in (("block", "layer"), ("alpha", "slope")):
        home, *others = sources(**texts)
        edits = rename(home, home.text.index(old), new, others)
        assert not isinstance(edits, Refusal)
        for edit in sorted(edits, key=lambda each: -each.start):
            name = edit.uri.removeprefix("file:///").removesuffix(".py")
            texts[name] = texts[name][: edit.start] + edit.text + texts[name][edit.end :]
    renamed = {name: text.replace("<block>", "layer").replace("<alpha>", "slope") for name, text in written.items()}
    assert texts == renamed


def test_a_file_that_cannot_be_read_stops_a_rename() -> None:
    blocks, net = sources(blocks=BLOCKS, net=NET + "def (\n")
    found = rename(blocks, BLOCKS.index("block(x)"), "layer", [net])
    assert found == Refusal("net.py has a syntax error")
    assert isinstance(rename(net, NET.index("block(x)"), "layer"), Refusal)


def test_what_python_warns_of_is_no_matter() -> None:
    blocks, net = sources(blocks=BLOCKS, net=NET + 'pattern = "\\d"\n')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not isinstance(rename(blocks, BLOCKS.index("block(x)"), "layer", [net]), Refusal)


def test_all_automatic_fixes_at_once() -> None:
    text = (
        HEAD
        + '@script()\ndef f(x: FLOAT["N", 4]) -> FLOAT["N", 5]:\n'
        + "    y = op.Relu(x)  # onnxls: ignore[axis-invalid]\n    return y\n"
    )
    shown = sources(a=text)[0]
    action = fix_all(shown, shown.report.found)
    assert action is not None
    assert [each.text for each in action.edits] == ["4", ""]


def test_an_assumption_is_added_to_a_model_text() -> None:
    body = "\ng (float[N, H] x) => (float[A, B] y) <int64[2] t = {-1, 2}> {\n  y = Reshape (x, t)\n}\n"
    for header, then in (
        ('<ir_version: 10, opset_import: ["" : 20]>', ', metadata_props: ["onnxls.assume": "H*N % 2 == 0"]>'),
        (
            '<ir_version: 10, opset_import: ["" : 20], metadata_props: ["a": "b"]>',
            '["onnxls.assume": "H*N % 2 == 0", "a"',
        ),
        (
            '<ir_version: 10, metadata_props: ["onnxls.assume": "N <= 64"]>',
            '["onnxls.assume": "N <= 64; H*N % 2 == 0"]',
        ),
    ):
        text = header + body
        report = Workspace().analyze_text(text, "m.onnxtxt", Request())
        shown = Snapshot("u", "m.onnxtxt", 1, "model-text", text, LineIndex(text), report, text)
        actions = code_actions(shown, text.index("Reshape"), text.index("Reshape"))
        edits = next((each.edits for each in actions if each.title == "Assume H*N % 2 == 0"), None)
        assert edits is not None
        changed = text[: edits[0].start] + edits[0].text + text[edits[0].end :]
        assert then in changed
