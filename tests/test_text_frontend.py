"""The textual syntax: read as `onnx.parser` reads it where it is whole, kept as far as possible where it is not."""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import hypothesis.strategies as st
import onnx
import onnx.parser
import onnx.printer
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from onnx import TensorProto, helper

from onnxls.frontends.model import read_model
from onnxls.frontends.text import DEFAULT_OPSET, TextModel, read_text
from onnxls.frontends.text_positions import Listing
from onnxls.frontends.text_tokens import cut, quote, unquote
from onnxls.frontends.text_writer import write_text
from onnxls.graph import Graph, Model
from text_models import at, plain, read, whole

HEADER = '<ir_version: 10, opset_import: ["" : 20, "local" : 1, "com.microsoft" : 1]>\n'


# Comparing


def of_proto(model: onnx.ModelProto) -> Model:
    made, _ = read_model(model.SerializeToString(), "m.onnx")
    assert made is not None
    return made


def oracle(text: str) -> Model:
    return of_proto(onnx.parser.parse_model(text))


def messages(text: str) -> list[str]:
    return [each.message for each in read(text).diagnostics]


def underlined(text: str) -> list[str]:
    """The places of the diagnostics: line, and the characters of that line that they mark."""
    lines = text.split("\n")
    found: list[str] = []
    for each in read(text).diagnostics:
        where = each.location
        assert where.line is not None
        assert where.line == where.end_line
        assert where.column is not None
        assert where.end_column is not None
        found.append(f"{where.line}: {lines[where.line - 1][where.column - 1 : where.end_column - 1]}")
    return found


# The oracle

WHOLE = {
    "plain": "g (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) }",
    "scalar and unknown rank": "g (float x, float[] y) => (int64 z) { z = Foo(x, y) }",
    "kinds of axes": 'g (float[N, 3, ?, "past + 1", "a/b", 0, 9223372036854775807] x) => (float[M] y) { y = F(x) }',
    "name like a type": "g (float float, int64 seq) => (float y) { y = Relu(float, seq) }",
    "axes named as types": "g (float[float, seq] x) => (float y) { y = F(x) }",
    "negative axis": "g (float[-1, N] x) => (float y) { y = F(x) }",
    "sequence": "g (seq(float[N]) s) => (seq(seq(int64[]))  t) { t = F(s) }",
    "optional": "g (optional(seq(float[N])) s) => (optional(float) t) { t = F(s) }",
    "map": "g (map(int64, float[N]) s) => (map(string, seq(double)) t) { t = F(s) }",
    "sparse tensor": "g (sparse_tensor(float[N, 2]) s) => (sparse_tensor(int8) t, sparse_tensor(float[]) u) { }",
    "opaque": "g (opaque(a.b, C) x, opaque() y, opaque(test.rng.RNG) z) => (float w) { w = F(x, y, z) }",
    "untyped": "g (x, y) => (z) { z = Add(x, y) }",
    "nothing": "g () => () { }",
    "no input list": "g => (float y) { y = F() }",
    "initializers": "g (float[2] x) => (float y) <float[2] w = {1.5, -2}, int64[0] e = {}, float s = {3}> { y = F(x) }",
    "value info": "g (float[2] x) => (float[2] y) <float[2] a, int64[1] k = {1}, float[2, M] b> { y = F(x) }",
    "empty declarations": "g (float[2] x) => (float[2] y) <> { y = F(x) }",
    "default inputs": "g (float[2] x = {1, 2}, int64 k = {7}, float[2] z) => (float y) { y = F(x, k, z) }",
    "elided weights": "g (float[2] x) => (float y) <float[512, 512] w = {}> { y = F(x, w) }",
    "integers": "g () => () <int8[2] a = {-128, 127}, uint8[1] b = {255}, int16[1] c = {-3}, uint16[1] d = {65535}, "
    "int32[1] e = {-7}, uint32[1] f = {4294967295}, uint64[1] h = {18446744073709551615}, "
    "int64[2] i = {-9223372036854775808, 9223372036854775807}> { }",
    "bools": "g () => () <bool[3] a = {0, 1, 1}> { }",
    "floats": "g () => () <float[9] a = {1, -1, 1.5, 1., 0.1, 1e3, 1E-3, -2.5e+2, 3e38}> { }",
    "float words": "g () => () <float[6] a = {inf, -inf, nan, -nan, Infinity, NaN}, double[2] b = {-INF, 1e300}> { }",
    "doubles": "g () => () <double[2] a = {0.1, 1e-300}> { }",
    "halves": "g () => () <float16[3] a = {15360, 49152, 31744}, bfloat16[2] b = {16256, 49024}> { }",
    "complex": "g () => () <complex64[1] a = {1, 2}, complex128[1] b = {1.5, -2}> { }",
    "eighths": "g () => () <float8e4m3fn[2] a = {56, 1}, float8e5m2[1] b = {60}> { }",
    "strings": 'g () => () <string[3] a = {"x", "a \\"b\\" \\\\ c", ""}> { }',
    "label": 'g (float x) => (float y) { [first] a = Relu(x) ["b/c"] y = Relu(a) [] z = Relu(y) }',
    "domains": "g (float x) => (float y) { a = local.F(x) b = com.microsoft.Gelu(a) y = ai.onnx.Relu(b) }",
    "overload": "g (float x) => (float y) { y = local.F:two <a = 1> (x) }",
    "absent inputs": 'g (float x) => (float y) { a = F(, x) b = F(x, , x) c = F("", x) d = F(x,) e = F(,) y = F() }',
    "absent outputs": 'g (float x) => (float y) { , a = F(x) b, , c = F(x) "", y = F(x) = F(x) }',
    "quoted names": 'g (float[N] x, float "a/b::c", float " ") => (float "x.1") { "x.1" = F("a/b::c", " ") }',
    "escapes": 'g (float "a\\"b", float "c\\\\d", float "e\\nf") => (float y) { y = F("a\\"b", "c\\\\d") }',
    "names of types in quotes": 'g (float "float", "seq") => (float "inf") { "inf" = F("float", "seq", nan) }',
    "comments": "# one\ng (float x) # two\n => (float y) { # three\n y = # four\n Relu(x) # }\n } # five",
    "white space": "g\t(float\r\nx)=>(float\fy)\v{y=Relu(x)}",
    "unicode": 'g (float "größe", float["пакет"] "x→y") => (float y) { y = F("größe", "x→y") <s = "日本"> }',
    "attribute kinds": 'g () => () { y = F <i = 1, f = 1.5, s = "t", l = [1, 2], fs = [1.0, 2], ss = ["a", "b"]> () }',
    "declared attributes": 'g (float x) => (float y) { y = F <i: int = -1, f: float = 1, s: string = "", '
    "l: ints = [1], fs: floats = [1, 2], e: ints = [], ef: floats = [], es: strings = []> (x) }",
    "special floats": "g () => () { y = F <a = inf, b = -inf, c = nan, d = [nan, inf], e = 1e10, h: float = -0> () }",
    "attributes like a header": 'g () => () { y = F() <domain = 1> z = F() <domain: string = "a", overload = 1> }',
    "attributes after": "g (float x) => (float y) { y = F(x) <axis = 1> z = G(x) }",
    "tensor attributes": "g () => () { a = Constant <value = int64[2] {6, -1}> () b = F <value = float {1.0}> () "
    "c = Constant <value: tensor = float[2] named = {1, 2}> () d = Constant <value = int32[1] w {5}> () }",
    "type attributes": "g (float x) => (float y) { y = F <t = float[N, 2], u: type_proto = seq(int64)> (x) }",
    "references": "g (float x) => (float y) { y = F <a: int = @alpha, b = @beta, c: floats = @gamma> (x) }",
    "nested graphs": "g (bool c, float[N] x) => (float[N] y) { y = If(c) <"
    "then_branch = tb () => (float[N] t) { t = Relu(x) }, "
    "else_branch: graph = eb () => (float[N] e) <float[1] k = {2}, float[N] m> { m = Mul(x, k) e = Neg(m) }> }",
    "nested twice": "g (bool c) => (float y) { y = If(c) <then_branch = a () => (float t) { t = If(c) <then_branch = "
    "b () => (float u) { u = F() }, else_branch = d => (float u) { u = F() }> }, "
    "else_branch = e () => (float t) { t = F() }> }",
    "loop body": "g (int64 n, bool c, float[N] x) => (float[N] y) { "
    "y = Loop <body = b (int64 i, bool k, float[N] s) => (bool k2, float s2) { k2 = Not(k) s2 = Neg(s) }> (n, c, x) }",
    "function": 'g (float x) => (float y) { y = local.f(x) } <domain: "local", opset_import: ["": 20]> '
    "f (a) => (b) { b = Relu(a) }",
    "functions": 'g (float x) => (float y) { y = local.f <alpha = 1> (x) } <domain: "local", opset_import: ["": 20], '
    'overload: "v2", doc_string: "says"> f <alpha, beta: float = 2.0, c: ints = [1, 2]> (a, "b/c") => (d) '
    '{ d = Foo <alpha: int = @alpha> (a, "b/c") } <domain: "local", opset_import: ["": 20, "local": 1]> '
    "h (a) => (b) <float[N] t, int64 u> { t = Relu(a) b = Relu(t) }",
    "typed function": 'g (float x) => (float y) { y = local.f(x) } <domain: "local", opset_import: ["": 20]> '
    "f (float[N] a, b) => (float[N] c) { c = Add(a, b) }",
    "function without a domain": 'g (x) => (y) { y = f(x) } <opset_import: ["": 20]> f (a) => (b) { b = F(a) }',
}

REJECTED = {
    "nothing": "",
    "no name": "(float x) => (float y) { y = Relu(x) }",
    "no arrow": "g (float x) (float y) { y = Relu(x) }",
    "split arrow": "g (float x) = > (float y) { y = Relu(x) }",
    "no outputs": "g (float x) => { y = Relu(x) }",
    "no body": "g (float x) => (float y)",
    "open body": "g (float x) => (float y) { y = Relu(x)",
    "open call": "g (float x) => (float y) { y = Relu(x }",
    "no parenthesis": "g (float x) => (float y) { y = Relu x }",
    "dotted name": "g (float x.1) => (float y) { y = Relu(x) }",
    "no comma": "g (float x float z) => (float y) { y = Relu(x) }",
    "type as name": "g (float seq, seq) => (float y) { y = Relu(x) }",
    "bad axis": "g (float[1.5] x) => (float y) { y = Relu(x) }",
    "open axes": "g (float[1, x) => (float y) { y = Relu(x) }",
    "unknown type in sequence": "g (seq(flaot) x) => (float y) { y = Relu(x) }",
    "empty attributes": "g (float x) => (float y) { y = Relu <> (x) }",
    "attribute without value": "g (float x) => (float y) { y = Relu <a = > (x) }",
    "attribute of unknown type": "g (float x) => (float y) { y = Relu <a: integer = 1> (x) }",
    "float for int": "g (float x) => (float y) { y = Relu <a: int = 1.5> (x) }",
    "one for many": "g (float x) => (float y) { y = Relu <a: ints = 1> (x) }",
    "mixed list": 'g (float x) => (float y) { y = Relu <a = [1, "b"]> (x) }',
    "float after ints": "g (float x) => (float y) { y = Relu <a = [1, 2.5]> (x) }",
    "untyped empty list": "g (float x) => (float y) { y = Relu <a = []> (x) }",
    "trailing comma in list": "g (float x) => (float y) { y = Relu <a = [1, ]> (x) }",
    "bool word": "g () => () <bool[1] a = {true}> { }",
    "fraction in ints": "g () => () <int64[1] a = {1.5}> { }",
    "word in floats": "g () => () <float[1] a = {infinite}> { }",
    "tensor without sizes": "g () => () <float[N] a = {1}> { }",
    "tensor of unknown rank": "g () => () <float[] a = {1}> { }",
    "value without type": "g () => () <a = {1}> { }",
    "unquoted string": "g () => () <string[1] a = {b}> { }",
    "open string": 'g (float x) => (float y) { y = Relu <a = "b> (x) }',
    "empty exponent": "g (float x) => (float y) { y = Relu <a = 1e> (x) }",
    "too large": "g (float x) => (float y) { y = Relu <a = 1e99> (x) }",
    "too long": "g (float x) => (float y) { y = Relu <a = 99999999999999999999> (x) }",
    "minus alone": "g (float x) => (float y) { y = Relu <a = - 5> (x) }",
    "rubbish after": "g (float x) => (float y) { y = Relu(x) } }",
    "unknown header": "<version: 1> g (float x) => (float y) { y = Relu(x) }",
    "open header": "<ir_version: 10 g (float x) => (float y) { y = Relu(x) }",
    "unquoted domain": "<opset_import: [ai.onnx : 20]> g (float x) => (float y) { y = Relu(x) }",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_reads_as_onnx_does(text: str) -> None:
    assert plain(whole(HEADER + text)) == plain(oracle(HEADER + text))


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_what_is_read_can_be_written(text: str) -> None:
    model = whole(HEADER + text)
    listing = write_text(model)
    assert plain(whole(listing.text)) == plain(model)
    assert plain(oracle(listing.text)) == plain(model)


@pytest.mark.parametrize("text", REJECTED.values(), ids=REJECTED)
def test_reports_what_onnx_rejects(text: str) -> None:
    with pytest.raises((onnx.parser.ParseError, ValueError, IndexError, RuntimeError)):
        onnx.parser.parse_model(text)
    found = read(text)
    assert {each.rule for each in found.diagnostics} == {"syntax-error"}
    assert all(each.severity == "error" and each.location.line == 1 for each in found.diagnostics)


def test_header() -> None:
    text = (
        '<ir_version: 8, opset_import: ["ai.onnx" : 13, "local" : 2], producer_name: "me", producer_version: "1", '
        'domain: "d", model_version: 3, doc_string: "many\nlines", metadata_props: ["a": "b", "c \\"d\\"": "e\nf"]> '
        "g (float x) => (float y) { y = Relu(x) }"
    )
    model = whole(text)
    assert plain(model) == plain(oracle(text))
    assert model.opsets == {"": 13, "local": 2}
    assert model.producer == "me"
    assert model.metadata == {"a": "b", 'c "d"': "e\nf"}
    assert whole("<ir_version: 8, opset_import: [], metadata_props: []> g () => () { }").metadata == {}


def test_without_a_header() -> None:
    model = whole("g (float x) => (float y) { a = local.f(x) y = com.microsoft.Gelu(a) }\nf (a) => (b) { b = Relu(a) }")
    assert model.opsets == {"": DEFAULT_OPSET, "local": 1, "com.microsoft": 1}
    assert model.ir_version == 10
    assert model.functions["", "f", ""].opsets == model.opsets


def test_bare_graphs_and_functions() -> None:
    graph = "g (float[N] x) => (float[N] y) <float[1] k = {2}> { y = Mul(x, k) }"
    proto = helper.make_model(onnx.parser.parse_graph(graph))
    assert plain(whole(graph).graph) == plain(of_proto(proto).graph)
    for function in (
        '<domain: "local", opset_import: ["" : 20]> f (a, b) => (c) { c = Add(a, b) }',
        '<domain: "local", opset_import: ["" : 20], overload: "x"> f <k, m: int = 2> (a) => (c) { c = F <k = @k> (a) }',
        "f <k> (a) => (c) { c = F <k = @k> (a) }",
    ):
        proto = helper.make_model(
            onnx.parser.parse_graph("g () => () { }"), functions=[onnx.parser.parse_function(function)]
        )
        want = next(iter(of_proto(proto).functions.values()))
        model = whole(function)
        got = next(iter(model.functions.values()))
        assert plain((got.nodes, got.inputs, got.outputs, got.attributes)) == plain(
            (want.nodes, want.inputs, want.outputs, want.attributes)
        )
        assert (got.domain, got.name, got.overload) == (want.domain, want.name, want.overload)
        assert model.graph.nodes == ()


def test_what_only_we_can_say() -> None:
    text = (
        HEADER + 'g () => () { a = "my-domain"."Op 1":"v 1" <"b-c" = 1> () '
        "b = F <s: sparse_tensor = float[3, 4] {}, t: tensors = [int64[1] {1}, int64 {2}], "
        'g: graphs = ["" () => () { }, h () => () { }], '
        'p = "my graph" (x) => (x) { }, u: type_protos = [float, seq(int8)]> () }'
    )
    model = whole(text)
    call, other = model.graph.nodes
    assert (call.domain, call.op_type, call.overload) == ("my-domain", "Op 1", "v 1")
    assert [attr.type for attr in other.attrs.values()] == [11, 9, 10, 5, 14]
    assert plain(whole(write_text(model).text)) == plain(model)


def _node_tests() -> Iterator[onnx.ModelProto]:
    from onnx.backend.test.case.node import collect_testcases

    for case in collect_testcases(""):
        if isinstance(case.model, onnx.ModelProto):
            yield case.model


def test_the_node_tests_of_onnx(monkeypatch: pytest.MonkeyPatch) -> None:
    for slow in ("averagepool", "maxpool", "lppool"):  # they compute for many seconds as they are imported
        name = f"onnx.backend.test.case.node.{slow}"
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = list(_node_tests())
    assert len(models) > 1000
    for index, proto in enumerate(models):
        text = onnx.printer.to_text(proto)
        assert plain(whole(text)) == plain(oracle(text)), proto.graph.name
        if index % 4 == 0:
            assert_round_trip(of_proto(proto))


def test_the_shipped_models_of_onnx() -> None:
    folder = Path(onnx.__file__).parent / "backend" / "test" / "data"
    for path in sorted(folder.glob("*/*/model.onnx")):
        proto = onnx.load_from_string(path.read_bytes())
        text = onnx.printer.to_text(proto)
        assert plain(whole(text)) == plain(oracle(text)), path
        assert_round_trip(of_proto(proto))


def assert_round_trip(model: Model) -> Listing:
    """Writes a model, and reads it back with our parser and with that of onnx."""
    listing = write_text(model)
    assert plain(whole(listing.text)) == plain(model)
    assert plain(oracle(listing.text)) == plain(model)
    return listing


# Places

PLACES = """\
<ir_version: 10, opset_import: ["" : 20, "local" : 1], metadata_props: ["onnxls.hint": "N=2"]>
main (float[N, "a b"] x, seq(int64[2]) s, float k = {1}) => (float[M] "y/z") <int64[2] t = {6, -1}, float[4] a> {
  [first] a, , b = local.F:v <axis = 1, w: ints = [1, 2]> (x, "", , s)
  c = If (a) <
    then_branch = tb () => (float q) { q = Relu(x) }
  >
  "y/z" = Reshape (b, t)
}
<domain: "local", opset_import: ["" : 19]>
F <alpha, beta: int = 2> (float[P] u, v) => (w) <float[4] m> {
  w = Add (u, v)
}
"""


def test_places_of_nodes() -> None:
    found = read(PLACES)
    assert found.model is not None
    first, second, last = found.model.graph.nodes
    origin = first.origin
    assert origin is not None
    assert at(PLACES, origin.span) == '[first] a, , b = local.F:v <axis = 1, w: ints = [1, 2]> (x, "", , s)'
    assert at(PLACES, origin.name) == "local.F"
    assert [span and at(PLACES, span) for span in origin.inputs] == ["x", '""', None, "s"]
    assert [span and at(PLACES, span) for span in origin.outputs] == ["a", None, "b"]
    assert {name: at(PLACES, span) for name, span in origin.attributes.items()} == {
        "axis": "axis = 1",
        "w": "w: ints = [1, 2]",
    }
    branch = second.attrs["then_branch"].value
    assert isinstance(branch, Graph)
    inner = branch.nodes[0].origin
    assert inner is not None
    assert at(PLACES, inner.span) == "q = Relu(x)"
    assert second.origin is not None
    assert at(PLACES, second.origin.span).startswith("c = If (a) <")
    assert at(PLACES, second.origin.span).endswith(">")
    assert last.origin is not None
    assert at(PLACES, last.origin.outputs[0]) == '"y/z"'


def test_places_of_declarations() -> None:
    found = read(PLACES)
    assert found.model is not None
    assert found.diagnostics == ()
    assert set(found.positions) == {"", "If_1/then_branch", "local.F"}
    main, branch, function = (found.positions[scope] for scope in ("", "If_1/then_branch", "local.F"))
    x = main.inputs["x"]
    assert at(PLACES, x.span) == 'float[N, "a b"] x'
    assert at(PLACES, x.type) == 'float[N, "a b"]'
    assert at(PLACES, x.name) == "x"
    assert [at(PLACES, dim) for dim in x.dims] == ["N", '"a b"']
    assert [at(PLACES, dim) for dim in main.inputs["s"].dims] == ["2"]
    assert at(PLACES, main.inputs["k"].span) == at(PLACES, main.initializers["k"].span) == "float k = {1}"
    assert at(PLACES, main.outputs["y/z"].name) == '"y/z"'
    assert at(PLACES, main.initializers["t"].span) == "int64[2] t = {6, -1}"
    assert at(PLACES, main.value_info["a"].span) == "float[4] a"
    assert at(PLACES, main.labels[0]) == "first"
    assert at(PLACES, main.name) == "main"
    assert {domain: at(PLACES, span) for domain, span in main.opsets.items()} == {"": '"" : 20', "local": '"local" : 1'}
    assert at(PLACES, main.metadata["onnxls.hint"]) == '"onnxls.hint": "N=2"'
    assert at(PLACES, branch.outputs["q"].span) == "float q"
    assert {name: at(PLACES, span) for name, span in function.parameters.items()} == {"alpha": "alpha", "beta": "beta"}
    assert at(PLACES, function.inputs["u"].span) == "float[P] u"
    assert at(PLACES, function.inputs["v"].span) == "v"
    assert at(PLACES, function.value_info["m"].span) == "float[4] m"
    value = found.model.graph.inputs[0]
    assert at(PLACES, value.span) == "x"


# Errors

ERRORS = {
    "g (float x) => (float y) {\n  y = Relu(x\n}": "expected `,` or `)` after `x`",
    "g (float x) => (float y) {\n  y = \n}": "expected an operator after `=`",
    "g (float x) => (float y) {\n  y\n}": "expected `=` and an operator after `y`",
    "g (float x) => (float y) {\n  y = Relu x\n}": "expected `(` or `<`, found `x`",
    "g (float x) => (float y) {\n  y = Relu(x)\n": "expected `}` after `)`",
    "g (float x) => (float y) {\n  y = Foo <axis => (x)\n}": "expected `=`, found `=>`",
    "g (float x) => (float y) {\n  y = Foo <axis = foo> (x)\n}": "expected a value, found `foo`",
    "g (float x) => (float y) {\n  y = Foo <a: int = 1.5> (x)\n}": "expected a value of type int, found float",
    "g (float x) => (float y) {\n  y = Foo <a: nit = 1> (x)\n}": "expected the type of an attribute",
    "g (float x) => (float y) {\n  y = Foo <a = []> (x)\n}": "an empty list needs the type of a list: `a: ints = []`",
    'g (float x) => (float y) {\n  y = Foo <a = "b> (x)\n}': "the string has no end",
    "g (float[N x) => (float y) { y = Relu(x) }": "expected `,` or `]`, found `x`",
    "g (flaot[N] x) => (float y) { y = Relu(x) }": "expected `,` or `)`, found `[`",
    "g (float x) (float y) { y = Relu(x) }": "expected `=>`, found `(`",
    "g (float x.1) => (float y) { y = Relu(x) }": 'stands in quotes: "a/b"',
    "g () => () <int64[2] a = {1, x}> { }": "expected an integer, found `x`",
    "g () => () <uint8[1] a = {256}> { }": "the integer does not lie in 0 .. 255",
    "<ir: 8> g () => () { }": "expected one of doc_string, domain, ir_version",
    "hello world": "expected `(`, found `world`",
    "": "expected the name of a graph, found the end of the text",
}


@pytest.mark.parametrize(("text", "message"), ERRORS.items())
def test_errors_say_what_is_expected(text: str, message: str) -> None:
    assert message in messages(text)[0]


def test_errors_have_their_place() -> None:
    text = "g (float[N x) => (float y) {\n  a = Relu(x\n  b = Foo <axis = 1 2> (a)\n  c = Foo(b.1)\n  d = \n}"
    assert underlined(text) == ["1: x", "2: x", "3: 2", "4: .", "5: ="]


def test_a_tensor_of_another_length() -> None:
    found = read("g () => () <int64[3] a = {1, 2}> { }")
    assert [(each.rule, each.value) for each in found.diagnostics] == [("bad-tensor", "a")]
    assert found.model is not None
    tensor = found.model.graph.initializers["a"]
    assert tensor.values is None
    assert tensor.problem is not None
    assert "3 elements" in tensor.problem


def test_external_data() -> None:
    text = (
        'g () => () <int64[2] a = ["location": "w.bin", "offset": "8", "length": "16"], '
        'float[1] b = ["location": "/outside"]> { }'
    )
    inside = HEADER + text.replace("/outside", "b.bin")
    assert plain(whole(inside)) == plain(oracle(inside))
    data = bytes(8) + (7).to_bytes(8, "little") + (9).to_bytes(8, "little")

    def folder(location: str, offset: int, length: int | None) -> bytes | None:
        return data[offset : None if length is None else offset + length]

    found = read_text(text, "m.onnxtxt", folder)
    assert found.model is not None
    assert found.model.graph.initializers["a"].values == (7, 9)
    assert [each.rule for each in found.diagnostics] == ["external-data-outside"]


BROKEN = """\
<ir_version: 10, opset_import: ["" : 20]>
g (float[N] x, float[M z, float[K] w) => (float[N] y)
<int64[2] k = {1, , float[2] m>
{
  a = Relu (x)
  b = Add (a,
  c = Foo <axis = > (b)
  d = If (c) <
    then_branch = tb () => (float t) {
      u = Relu (
      t = Neg (u)
    },
    wrong = ,
    else_branch = eb () => (float t) { t = Neg (d) }
  >
  e Relu (d)
  f = Conv <kernel_shape = [3, 3]
  "h/i" = Bar ("a
  y = Neg (d)
}
<domain: "local", opset_import: ["" : 20]>
first (a) => (b) {
  b = Relu (a)

<domain: "local", opset_import: ["" : 20]>
second (a) => (b) { b = Relu (a) }
"""


def test_after_an_error_the_rest_is_read() -> None:
    found = read(BROKEN)
    assert found.model is not None
    graph = found.model.graph
    assert [value.name for value in graph.inputs] == ["x", "w"]
    assert [value.name for value in graph.outputs] == ["y"]
    assert list(graph.initializers) == ["k"]
    assert list(graph.value_info) == ["m"]
    assert [(node.op_type, node.inputs, node.outputs) for node in graph.nodes] == [
        ("Relu", ("x",), ("a",)),
        ("", ("a",), ("b",)),
        ("", ("b",), ("c",)),
        ("", ("c",), ("d",)),
        ("", (), ("f",)),
        ("", (), ("h/i",)),
        ("Neg", ("d",), ("y",)),
    ]
    branches = graph.nodes[3].attrs
    assert list(branches) == ["then_branch", "else_branch"]
    then = branches["then_branch"].value
    assert isinstance(then, Graph)
    assert [(node.op_type, node.outputs) for node in then.nodes] == [("", ("u",)), ("Neg", ("t",))]
    assert [key[1] for key in found.model.functions] == ["first", "second"]
    assert [function.nodes[0].op_type for function in found.model.functions.values()] == ["Relu", "Relu"]
    assert len(found.diagnostics) == 10


@pytest.mark.parametrize(
    "text",
    [
        "g (float x) => (float y) {\n" + "  y = Relu(\n" * 20_000,
        "g (float x) => (float y) { " + "1 " * 100_000,
        "g (" + "1, " * 100_000,
        "g () => () <" + "float[1 x, " * 100_000,
        "g () => () { y = F <" + "a = , " * 100_000,
        'g () => () { y = F ("' + '\\"\n' * 100_000,
        '"\n' * 100_000,
        "a (\n" * 100_000,
        "a (b, c\n" * 50_000,
        "a, b = \n" * 50_000,
        "}" * 200_000,
        "<" * 200_000,
        "<a: " * 100_000,
        "#" * 500_000,
        "\\" * 200_000,
        "\x00\xff\ufeff" * 100_000,
        "g () => () { y = F <a = int64[1] {" + "1, " * 100_000,
        "g () => () <int64[1] a = {" * 50_000,
        "f () => () {\n" * 50_000,
        "9" * 500_000,
        "g (float[" + "9" * 500_000,
        "-" * 200_000,
    ],
    ids=lambda text: repr(text[:24]),
)
def test_time_is_linear(text: str) -> None:
    start = time.process_time()
    found = read(text)
    assert time.process_time() - start < 6
    assert 1 <= len(found.diagnostics) <= 100


@pytest.mark.parametrize(
    "text",
    [
        "g (" + "seq(" * 1_000_000 + "float" + ")" * 1_000_000 + " x) => () { }",
        "g (" + "seq(" * 1_000_000,
        "g (float" + "[" * 1_000_000,
        "g () => () { " + "y = If () <b = g () => () { " * 100_000,
        "g () => () { " + "y = If () <b = g () => () { " * 100_000 + "}> " * 100_000 + "}",
        "g () => () {\n" + "y = If () <\nb = g () => () {\n" * 50_000 + "}\n>\n" * 50_000 + "}",
    ],
    ids=["types", "open types", "brackets", "open graphs", "graphs", "graphs on lines"],
)
def test_depth_is_bounded(text: str) -> None:
    assert len(messages(text)) == 1


# Properties

LONG = PLACES + "\n".join(f"f{i} (a) => (b) {{\n  c = Relu (a)\n  b = Foo <k = [1, {i}]> (c, c)\n}}" for i in range(3))
ALPHABET = st.sampled_from([*'(){}[]<>=,:.@?#"\\- \nxN19', "=>", "float", "if", "é", "\r", "\x00", "{\n", '"a'])


def first_nodes(found: TextModel) -> list[tuple[object, object]]:
    return [] if found.model is None else [(plain(node), node.origin) for node in found.model.graph.nodes]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LONG)))
def test_what_stands_before_a_cut_is_kept(cut_at: int) -> None:
    nodes = first_nodes(read(LONG))
    found = first_nodes(read(LONG[:cut_at]))
    kept = [node for node in nodes if node[1].span.end < cut_at]  # type: ignore[attr-defined]
    assert found[: len(kept)] == kept
    # the node at the cut, and one that ended there
    assert len(found) <= len(kept) + 2


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LONG)), st.integers(0, 12), st.lists(ALPHABET, max_size=4))
def test_no_text_raises(start: int, removed: int, inserted: list[str]) -> None:
    text = LONG[:start] + "".join(inserted) + LONG[start + removed :]
    found = read(text)
    for each in found.diagnostics:
        assert each.location.line is not None
    if found.model is not None:
        write_text(found.model)
    line = text.rfind("\n", 0, start)
    kept = [node for node in first_nodes(read(LONG)) if node[1].span.end < line]  # type: ignore[attr-defined]
    assert first_nodes(found)[: len(kept)] == kept


@settings(max_examples=150, deadline=None)
@given(st.lists(ALPHABET, max_size=40).map("".join))
def test_no_rubbish_raises(text: str) -> None:
    read(text)
    tokens = cut(text)
    assert all(text.startswith(word, start) for word, start in zip(tokens.words, tokens.starts, strict=True))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=20))
def test_strings_keep_what_they_say(text: str) -> None:
    assert unquote(quote(text)) == text


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_onnx_reads_strings_alike(text: str) -> None:
    assume("\x00" not in text)
    model = onnx.parser.parse_model(f"g () => () {{ y = F <s = {quote(text)}> () }}")
    assert model.graph.node[0].attribute[0].s.decode() == text
    attr = whole(f"g () => () {{ y = F <s = {quote(text)}> () }}").graph.nodes[0].attrs["s"]
    assert attr.value == text


# Writing

NAMES = st.sampled_from(
    ["x", "y_1", "N", "a/b::c", "float", "seq", "1x", "q\"u\\o'te", "größe", "a b", "#no", "x.1", "\n"]
)
WORDS = st.sampled_from(["A", "body", "Foo_2", "zeta"])
DIMS = st.one_of(st.integers(0, 9), st.sampled_from([None, "N", "past + 1", "?", "x[0]"]), st.just(2**63 - 1))
TYPES = st.recursive(
    st.builds(
        helper.make_tensor_type_proto,
        st.sampled_from([1, 7, 9, 10, 16, 17, 22]),
        st.none() | st.lists(DIMS, max_size=3),
    ),
    lambda inner: st.one_of(
        st.builds(helper.make_sequence_type_proto, inner),
        st.builds(helper.make_optional_type_proto, inner),
        st.builds(helper.make_map_type_proto, st.sampled_from([7, 8]), inner),
    ),
    max_leaves=3,
)


@st.composite
def tensors(draw: st.DrawFn, name: str) -> onnx.TensorProto:
    kind = draw(st.sampled_from(["f", "d", "i", "b", "h", "q"]))
    dims = draw(st.lists(st.integers(0, 3), max_size=2))
    count = math.prod(dims)
    floats = st.floats(width=16)
    match kind:
        case "f":
            return helper.make_tensor(name, TensorProto.FLOAT, dims, [draw(st.floats(width=32)) for _ in range(count)])
        case "d":
            return helper.make_tensor(name, TensorProto.DOUBLE, dims, [draw(st.floats()) for _ in range(count)])
        case "b":
            return helper.make_tensor(name, TensorProto.BOOL, dims, [draw(st.booleans()) for _ in range(count)])
        case "h":
            return helper.make_tensor(name, TensorProto.FLOAT16, dims, [draw(floats) for _ in range(count)])
        case "q":
            values = [draw(st.integers(0, 2**64 - 1)) for _ in range(count)]
            return helper.make_tensor(name, TensorProto.UINT64, dims, values)
        case _:
            values = [draw(st.integers(-(2**63), 2**63 - 1)) for _ in range(count)]
            return helper.make_tensor(name, TensorProto.INT64, dims, values)


@st.composite
def attributes(draw: st.DrawFn, name: str, depth: int) -> onnx.AttributeProto:
    choices: list[st.SearchStrategy[object]] = [
        st.integers(-(2**63), 2**63 - 1),
        st.floats(width=32, allow_nan=False),
        st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=5),
        tensors(""),
        TYPES,
        st.lists(st.integers(-5, 5), min_size=1, max_size=4),
        st.lists(st.floats(width=32), min_size=1, max_size=4),
        st.lists(st.sampled_from(["a", 'b"', ""]), min_size=1, max_size=4),
    ]
    if depth:
        choices.append(graphs(depth - 1))
    made = helper.make_attribute(name, draw(st.one_of(choices)))
    assume(made.type != onnx.AttributeProto.UNDEFINED)
    return made


@st.composite
def nodes(draw: st.DrawFn, depth: int) -> onnx.NodeProto:
    node = helper.make_node(
        draw(WORDS),
        draw(st.lists(NAMES | st.just(""), max_size=4)),
        draw(st.lists(NAMES | st.just(""), max_size=3)),
        name=draw(NAMES | st.just("")),
        domain=draw(st.sampled_from(["", "local", "com.acme"])),
        overload=draw(st.sampled_from(["", "v1"])),
    )
    for name in draw(st.lists(st.sampled_from(["alpha", "axis", "domain", "value"]), unique=True, max_size=3)):
        node.attribute.append(draw(attributes(name, depth)))
    if draw(st.booleans()):
        node.attribute.append(onnx.AttributeProto(name="r", type=onnx.AttributeProto.INT, ref_attr_name="alpha"))
    return node


@st.composite
def values(draw: st.DrawFn) -> list[onnx.ValueInfoProto]:
    return [helper.make_value_info(name, draw(TYPES)) for name in draw(st.lists(NAMES, unique=True, max_size=3))]


@st.composite
def graphs(draw: st.DrawFn, depth: int = 1) -> onnx.GraphProto:
    inputs = draw(values())
    weights = [draw(tensors(name)) for name in draw(st.lists(st.sampled_from(["w", "k/1", "int64"]), unique=True))]
    return helper.make_graph(
        draw(st.lists(nodes(depth), max_size=3)),
        draw(WORDS),
        inputs,
        draw(values()),
        weights,
        value_info=draw(values()),
    )


@st.composite
def models(draw: st.DrawFn) -> onnx.ModelProto:
    function = helper.make_function(
        "local",
        draw(WORDS),
        draw(st.lists(NAMES, unique=True, max_size=3)),
        draw(st.lists(NAMES, unique=True, max_size=2)),
        draw(st.lists(nodes(1), max_size=2)),
        [helper.make_opsetid("", 20), helper.make_opsetid("local", 1), helper.make_opsetid("com.acme", 1)],
        draw(st.lists(st.sampled_from(["alpha", "beta"]), unique=True)),
        [helper.make_attribute("gamma", draw(st.integers(0, 3)))],
        value_info=draw(values()),
    )
    return helper.make_model(
        draw(graphs(2)),
        functions=[function] if draw(st.booleans()) else [],
        opset_imports=[
            helper.make_opsetid("", 20),
            helper.make_opsetid("local", 1),
            helper.make_opsetid("com.acme", 1),
        ],
        producer_name=draw(st.sampled_from(["", "me", 'q"'])),
    )


@settings(
    max_examples=60,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink these takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(models())
def test_random_models_survive(proto: onnx.ModelProto) -> None:
    model = of_proto(proto)
    listing = assert_round_trip(model)
    assert write_text(whole(listing.text)).text == listing.text


def test_speed_of_2000_nodes() -> None:
    lines = [f"  x{i + 1} = Softmax <axis = -1> (x{i}, w{i % 7})" for i in range(2000)]
    text = "g (float[N, 4] x0) => (float[N, 4] y) {\n" + "\n".join(lines) + "\n}"
    model = whole(text)
    best = min(_seconds(lambda: read(text)) for _ in range(5))
    assert best < 0.25  # a quarter of this is usual
    assert min(_seconds(lambda: write_text(model)) for _ in range(5)) < 0.25


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start
