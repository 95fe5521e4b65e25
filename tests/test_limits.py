"""Models that ask more than one analysis decides: bounded work, and a word where something was left undecided."""

from __future__ import annotations

import pytest

import onnxls
from onnxls import store
from onnxls.infer import walker

HEADER = '<ir_version: 10, opset_import: ["" : 20]>\n'


def chain(count: int) -> str:
    """Sums of matrices, each with dims of its own."""
    inputs = ", ".join(f"float[N{i}, M{i}] x{i}" for i in range(count))
    nodes = "\n".join(f"y{i} = Add ({'x0' if i == 1 else f'y{i - 1}'}, x{i})" for i in range(1, count))
    return f"{HEADER}g ({inputs}) => (float[A, B] y{count - 1}) {{\n{nodes}\n}}"


def reshapes(count: int) -> str:
    """Reshapes that each cut another factor out of the sizes: the divisors grow as a factorial."""
    nodes = "y0 = Identity (x)\n" + "\n".join(
        f"s{i} = Constant <value = int64[2] {{{i + 2}, -1}}> ()\ny{i} = Reshape (y{i - 1}, s{i})"
        for i in range(1, count)
    )
    return f"{HEADER}g (float[N, M] x) => (float[A, B] y{count - 1}) {{\n{nodes}\n}}"


def neighbours(count: int) -> str:
    """Sums of sizes with the next ones: all are tied together, one by one."""
    inputs = ", ".join(f"float[N{i}] x{i}" for i in range(count))
    nodes = "\n".join(f"y{i} = Add (x{i - 1}, x{i})" for i in range(1, count))
    return f"{HEADER}g ({inputs}) => (float[A] y{count - 1}) {{\n{nodes}\n}}"


def products(count: int) -> str:
    """Products of matrices, each with three others."""
    inputs = ", ".join(f"float[N{i}, M{i}] x{i}" for i in range(count))
    nodes = "\n".join(f"y{i} = Gemm (x{i}, x{i * 7 % count}, x{i * 3 % count})" for i in range(count))
    return f"{HEADER}g ({inputs}) => (float[A, B] y{count - 1}) {{\n{nodes}\n}}"


def windows(count: int) -> str:
    """Poolings, each of which needs that something is left."""
    nodes = "\n".join(
        f"x{i + 1} = MaxPool <kernel_shape = [3, 3], strides = [{1 + i % 2}, 1]> (x{i})" for i in range(count)
    )
    return f"{HEADER}g (float[N, C, H, W] x0) => (float[A, B, D, E] x{count}) {{\n{nodes}\n}}"


def sums_in_names(count: int) -> str:
    """Sums of sizes whose names read as sums of others."""
    inputs = ", ".join(f'float[N{i}, "N{i} + N{(i * 7 + 1) % count}"] x{i}' for i in range(count))
    nodes = "\n".join(f"y{i} = Add (x{i}, x{(i * 5 + 2) % count})" for i in range(count))
    return f"{HEADER}g ({inputs}) => (float[A, B] y{count - 1}) {{\n{nodes}\n}}"


def test_what_is_left_undecided_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = onnxls.analyze_text(chain(5), "m.onnxtxt")
    assert all(each.rule != "analysis-limited" for each in whole.diagnostics)
    monkeypatch.setattr(store, "MAX_WORK", 20)
    limited = onnxls.analyze_text(chain(5), "m.onnxtxt")
    assert [each.severity for each in limited.diagnostics if each.rule == "analysis-limited"] == ["information"]
    told = {each.rule for each in limited.diagnostics}
    assert told <= {"analysis-limited", "dims-must-agree"}
    assert {name: fact.shape for name, fact in limited.values.items()} == {
        name: fact.shape for name, fact in whole.values.items()
    }
    assert all(guard in limited.guards for guard in whole.guards)


@pytest.mark.parametrize("text", [chain(30), reshapes(30)], ids=["names", "divisors"])
def test_many_sizes_that_are_tied_together(text: str) -> None:
    report = onnxls.analyze_text(text, "m.onnxtxt")
    assert len(report.guards) > 25
    assert all(each.rule != "internal-error" for each in report.diagnostics)


@pytest.mark.parametrize(
    "text",
    [chain(200), neighbours(300), products(400), windows(1200), sums_in_names(200)],
    ids=["chain", "neighbours", "products", "windows", "names"],
)
def test_time_is_bounded(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second or two each; where something is not counted, or goes on after it, it is minutes."""
    monkeypatch.setattr(store, "MAX_WORK", 20_000)
    report = onnxls.analyze_text(text, "m.onnxtxt")
    assert "analysis-limited" in {each.rule for each in report.diagnostics}


def doubling(levels: int) -> str:
    """Functions that each call the next one twice."""
    calls = "\n".join(
        f'<domain: "my", opset_import: ["" : 20, "my" : 1]> f{i} (a) => (c)'
        f" {{ b = {f'my.f{i + 1}' if i + 1 < levels else 'Relu'} (a)\n"
        f"c = {f'my.f{i + 1}' if i + 1 < levels else 'Relu'} (b) }}"
        for i in range(levels)
    )
    header = '<ir_version: 10, opset_import: ["" : 20, "my" : 1]>\n'
    return f"{header}g (float[N] x) => (float[N] y) {{\ny = my.f0 (x)\n}}\n{calls}"


def nested_loops(depth: int) -> str:
    """Loops in loops, around a sum that widens what they carry."""
    body = f"s{depth} = Add (a{depth}, z)"
    for i in range(depth, 0, -1):
        graph = f"b{i} (int64 i{i}, bool c{i}, float[] a{i}) => (bool d{i}, float[] s{i})"
        carried = f"a{i - 1}" if i > 1 else "x"
        body = f"s{i - 1} = Loop (, c, {carried}) <body = {graph} {{ d{i} = Identity (c{i})\n{body} }}>"
    return f"{HEADER}g (bool c, float[N, M] x, float[P, 1] z) => (float[Q, R] s0) {{\n{body}\n}}"


@pytest.mark.parametrize("text", [doubling(40), nested_loops(9)], ids=["calls", "loops"])
def test_nodes_that_multiply(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walker, "MAX_INNER", 2_000)
    report = onnxls.analyze_text(text, "m.onnxtxt")
    assert "analysis-limited" in {each.rule for each in report.diagnostics}
    assert len(report.values) < 5_000
