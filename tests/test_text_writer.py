"""A model as text: how it looks, where things stand in it, and what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from onnx import TensorProto

from onnxls.frontends import text_writer
from onnxls.frontends.text_writer import write_text
from onnxls.graph import Attr, Graph, Model, Node, Tensor
from onnxls.spans import Span
from text_models import at, plain, read, whole

HOUSE = """\
<
  ir_version: 10,
  opset_import: ["": 20, "local": 1]
>
main (
  float[N, 3, 224, 224] image,       # image: [N, 3, 224, 224]
  int64[N, "past + 1"]  mask,
  bool                  flag = {1}
) => (
  float[N, 1000] logits
) <
  int64[2]        target = {0, -1},
  float[512, 512] "w/1" = {},             # 1.0 MB
  float16[2]      half = {15360, 48896},  # = 1, -1.75
  float[N, 4]     a
> {
  [first] a      = Reshape(image, target) <allowzero = 0>  # a: [N, 150528]
          b, ""  = local.F(a, "", "w/1") <alpha = 1.0>
  [cond]  logits = If(flag) <                              # logits: [N, 1000]
    label = "x",
    then_branch = then () => (float[N] t) {
      t = Identity(b)
    },
    else_branch = "else 1" () => (float[N] t) {
      t = Constant() <value = float[100] {}>  # 400 bytes
    }
  >
}

<domain: "local", opset_import: ["": 20]>
F <alpha, beta = 2> (x, float[K] y, z) => (o) <
  float[K] p
> {
  p = Add(x, y) <to: int = @beta>  # p: [K]
  o = Mul(p, z)
}
"""


def test_the_house_form() -> None:
    shapes = {
        ("", "image"): "[N, 3, 224, 224]",
        ("", "a"): "[N, 150528]",
        ("", "logits"): "[N, 1000]",
        ("local.F", "p"): "[K]",
    }

    def annotate(scope: str, value: str) -> str | None:
        shape = shapes.get((scope, value))
        return f"# {value}: {shape}" if shape else None

    model = whole(HOUSE)
    listing = write_text(model, annotate)
    assert listing.text == HOUSE
    assert plain(whole(listing.text)) == plain(model)


def test_where_things_stand_in_a_listing() -> None:
    listing = write_text(whole(HOUSE))
    text = listing.text

    def said(spans: Mapping[str, Span]) -> dict[str, str]:
        return {key: at(text, span) for key, span in spans.items()}

    assert said(listing.values) == {
        "image": "image",
        "mask": "mask",
        "flag": "flag",
        "target": "target",
        "w/1": '"w/1"',
        "half": "half",
        "a": "a",
        "b": "b",
        "logits": "logits",
        "cond/then_branch/t": "t",
        "cond/else_branch/t": "t",
        "local.F/x": "x",
        "local.F/y": "y",
        "local.F/z": "z",
        "local.F/p": "p",
        "local.F/o": "o",
    }
    assert text[: listing.values["b"].start].endswith("          ")
    assert said(listing.inputs) == {
        "image": "float[N, 3, 224, 224] image",
        "mask": 'int64[N, "past + 1"]  mask',
        "flag": "bool                  flag = {1}",
    }
    found = said(listing.nodes)
    assert list(found) == [
        "first",
        "F_1",
        "cond/then_branch/Identity_0",
        "cond/else_branch/Constant_0",
        "cond",
        "local.F/Add_0",
        "local.F/Mul_1",
    ]
    assert found["first"] == "[first] a      = Reshape(image, target) <allowzero = 0>"
    assert found["cond/then_branch/Identity_0"] == "t = Identity(b)"
    assert found["cond"].endswith("\n  >")


def test_graph_paths_lead_into_a_listing() -> None:
    listing = write_text(whole(HOUSE))

    def line(path: str) -> str:
        span = listing.find(path)
        assert span is not None
        return listing.text[span.start : span.end].partition("\n")[0].split("=")[0].strip()

    assert line("graph/node[0]:Reshape(first)") == "[first] a"
    assert line("graph/node[2]:If(cond)/then_branch/node[0]:Identity") == "t"
    assert line("graph/node[2]:If(cond)/then_branch") == "[cond]  logits"
    assert line("graph/node[1]:F/function(local.F)/node[1]:Mul") == "o"
    assert line("function[local:F]/node[1]:Mul") == "o"
    assert line("graph/initializer[w/1]") == 'float[512, 512] "w/1"'
    assert line("graph/input[mask]") == 'int64[N, "past + 1"]  mask'
    assert listing.find("graph") is None


def graph_of(nodes: Iterable[Node], **more: object) -> Model:
    return Model(Graph("g", (), (), tuple(nodes), **more), {"": 20}, ir_version=10)  # type: ignore[arg-type]


def test_long_lines_are_broken() -> None:
    names = tuple(f"layer.{i}/output" for i in range(3000))
    many = Attr("pads", 7, tuple(range(5000)))
    string = Attr("s", 3, "x" * 50_000)
    model = graph_of(
        [Node("Concat", "", "", names, names, {"pads": many}), Node("F", "", "", (), ("y" * 20_000,), {"s": string})]
    )
    listing = write_text(model)
    assert max(map(len, listing.text.split("\n"))) < 10_000
    read_back = whole(listing.text)
    assert plain(read_back.graph.nodes[0]) == plain(model.graph.nodes[0])
    assert not any(line.endswith(" ") for line in listing.text.split("\n"))
    assert at(listing.text, listing.values[names[-1]]) == f'"{names[-1]}"'


def test_a_very_large_model_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_writer, "MAX_LINES", 1000)
    monkeypatch.setattr(text_writer, "MAX_SIZE", 100_000)
    node = Node("Relu", "", "", ("x",), ("y",))
    for model in (graph_of([node] * 2000), graph_of([Node("Relu", "", "", ("x" * 3000,), ("y" * 3000,))] * 2000)):
        text = write_text(model).text
        assert text.count("\n") < 1100
        assert len(text) < 110_000
        assert "nodes are not shown" in text
        assert read(text).diagnostics == ()
    weights = {f"w{i}": Tensor(f"w{i}", 1, (1,), lambda: (1.0,)) for i in range(2000)}
    text = write_text(graph_of([node], initializers=weights)).text
    assert "1,001 more are not shown" in text
    assert "1 nodes are not shown" in text


def test_no_control_character_gets_through() -> None:
    bad = "\x1b[31m\x07\r\x7f\x9b\u202e\ud800"
    node = Node("F", "", bad, (bad,), (bad,), {"s": Attr("s", 3, bad)})
    listing = write_text(graph_of([node]), lambda scope, value: f"{value}\nmore")
    assert not set(bad) - set("[31m") & set(listing.text)
    assert listing.text.encode()
    assert read(listing.text).diagnostics == ()
    assert list(listing.values) == [bad]


def test_weights_are_not_read() -> None:
    def decode() -> None:
        raise AssertionError("a weight was decoded")

    weights = {
        "a": Tensor("a", TensorProto.FLOAT, (1024, 1024, 10), decode),
        "b": Tensor("b", TensorProto.STRING, (3, 40), decode),
        "c": Tensor("c", TensorProto.INT4, (3, 40), decode),
    }
    text = write_text(graph_of([], initializers=weights)).text
    assert "  float[1024, 1024, 10] a = {},  # 41.9 MB\n" in text
    assert "b = {},  # 120 strings\n" in text
    assert "c = {}   # 60 bytes\n" in text
    assert [tensor.dims for tensor in whole(text).graph.initializers.values()] == [(1024, 1024, 10), (3, 40), (3, 40)]
