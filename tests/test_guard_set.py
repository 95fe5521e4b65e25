"""Guards that a model carries: stored, loaded without an analysis, and the same answers as the analysis gives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import parser

import onnxls
from expressions_strategy import Pair, expressions, sizes
from onnxls.guard_set import KEY, read
from onnxls.guard_storage import dump, with_guards
from onnxls.relations import Comparison, Guard, Relation, any_of
from onnxls_server.cli import main


def model() -> onnx.ModelProto:
    return parser.parse_model(
        """<ir_version: 10, opset_import: ["" : 20]> g (float[N, 4, H] x, float[K, H] w, float["a b"] v) => (y, z) {
  six = Constant <value = int64[2] {6, -1}> ()
  y = Reshape (x, six)
  m = Reshape (w, six)
  z = Add (v, m)
}"""
    )


def stored(proto: onnx.ModelProto) -> bytes:
    text = dump(onnxls.analyze(proto).units[0])
    return b"".join(with_guards(proto.SerializeToString(), text))


def test_stored_guards_answer_as_the_analysis_does() -> None:
    proto = model()
    report, carried = onnxls.analyze(proto), onnxls.load_guards(stored(proto))
    assert [str(guard) for guard in carried] == [str(guard) for guard in report.guards]
    assert [guard.symbols() for guard in carried] == [guard.symbols() for guard in report.guards]
    for n in range(4):
        for h in range(4):
            for k in range(4):
                for a in (0, 1, 2, h * k // 6):
                    sizes = {"x": (n, 4, h), "w": (k, h), "v": (a,)}
                    wanted, found = report.check(sizes), carried.check(sizes)
                    assert found.outcome == wanted.outcome
                    assert [str(guard) for guard in found.failed] == [str(guard) for guard in wanted.failed]
                    named = {"N": n, "H": h, "K": k, "a b": a}
                    assert [g.at(named) for g in found.failed] == [g.at(named) for g in wanted.failed]


@settings(deadline=None)
@given(expressions, expressions, st.sampled_from(("==", "!=", "<=", "<")), sizes)
def test_every_condition_survives(left: Pair, right: Pair, op: Comparison, at: dict[str, int]) -> None:
    relation = Relation(left.dim, op, right.dim)
    condition = any_of(relation, Relation(right.dim, "==", left.dim))
    unit = onnxls.analyze(model()).units[0]
    unit.guards = (Guard("assert", condition),)
    (found,) = read(dump(unit))
    assert found.evaluate(at) == condition.holds_at(at)


def test_everything_else_in_the_bytes_stays() -> None:
    proto = model()
    proto.metadata_props.add(key="author", value="A")
    proto.metadata_props.add(key=KEY, value="old")
    again = onnx.load_model_from_string(stored(proto))
    entries = {entry.key: entry.value for entry in again.metadata_props}
    assert list(entries) == ["author", KEY]
    assert json.loads(entries[KEY])["version"] == 1
    del again.metadata_props[:], proto.metadata_props[:]
    assert again == proto
    assert len(onnxls.load_guards(onnx.load_model_from_string(stored(proto)))) == 3


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(LookupError):
        onnxls.load_guards(model())
    with pytest.raises(FileNotFoundError):
        onnxls.load_guards(tmp_path / "none.onnx")
    good: dict[str, object] = {"version": 1, "inputs": {}, "guards": []}
    guard = {"kind": "assert", "condition": "", "node": None, "reason": ""}
    for bad in (
        "",
        "[]",
        json.dumps({**good, "version": 2}),
        json.dumps({**good, "guards": [{**guard, "test": ["__import__", "os"]}]}),
        json.dumps({**good, "guards": [{**guard, "test": ["==", ["**", 9, 9], 1]}]}),
        json.dumps({**good, "guards": [{**guard, "test": ["==", 1, 1], "kind": "maybe"}]}),
        "[" * 100_000,
    ):
        with pytest.raises(ValueError):  # noqa: PT011
            read(bad)
    deep = json.dumps({**good, "guards": [{**guard, "test": "deep"}]})
    with pytest.raises(ValueError, match="cannot be read"):
        read(deep.replace('"deep"', '["and",' * 300 + '["==",1,1]' + "]" * 300))


_LOAD = """
import sys, onnxls
decision = onnxls.load_guards(sys.argv[1]).check({"N": 3, "H": 2, "K": 6, "a b": 2})
assert decision.outcome == "run", decision
heavy = {"onnx", "numpy", "sympy", "google", "dataclasses", "onnxls.dims", "onnxls.ops", "onnxls.infer"}
assert not heavy & sys.modules.keys()
"""


def test_loading_is_quick_and_imports_nothing_heavy(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(stored(model()))

    def least(*arguments: str) -> float:
        times: list[float] = []
        for _ in range(5):
            start = perf_counter()
            subprocess.run([sys.executable, *arguments], check=True)
            times.append(perf_counter() - start)
        return min(times)

    assert least("-c", _LOAD, str(path)) < 6 * least("-c", "pass")


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "model.onnx", tmp_path / "out.onnx"
    path.write_bytes(model().SerializeToString())
    assert main(["guards", str(path), "--write", "-o", str(out)]) == 0
    assert "Stored 3 guards" in capsys.readouterr().err
    inputs = tmp_path / "inputs.npz"
    for n, status in ((3, 0), (2, 1)):
        np.savez(inputs, x=np.zeros((n, 4, 2)), w=np.zeros((6, 2)), v=np.zeros(2))
        for each in (path, out):
            assert main(["guards", str(each), "--check-inputs", str(inputs)]) == status
    assert "assert  H*N % 3 == 0  1 == 0" in capsys.readouterr().out
    np.savez(inputs, x=np.zeros((3, 5, 2)), w=np.zeros((6, 2)), v=np.zeros(2))
    assert main(["guards", str(out), "--check-inputs", str(inputs)]) == 1
    assert "axis 1 of x is 4, not 5" in capsys.readouterr().out
    inputs.write_text("no zip")
    assert main(["guards", str(out), "--check-inputs", str(inputs)]) == 2
    assert main(["guards", str(out), "--write", "--sizes", "N=1"]) == 2


def test_a_text_carries_guards_too(tmp_path: Path) -> None:
    path = tmp_path / "model.onnxtxt"
    path.write_text(
        '<ir_version: 10, opset_import: ["" : 20]> g (float[N] x, float[M] y) => (z) { z = Concat <axis=0> (x, y) }',
        encoding="utf-8",
    )
    assert main(["guards", str(path), "--write"]) == 0
    assert onnxls.load_guards(path).check({"x": (1,), "y": (2,)}).outcome == "run"


def test_the_first_guard_that_fails_decides() -> None:
    proto = parser.parse_model(
        """<ir_version: 10, opset_import: ["" : 20]> g (float[A, B] x, float[A2, B] y, float[C, D] w) => (z) {
  s = Add (x, y)
  t = Transpose (s)
  z = MatMul (t, w)
}"""
    )
    hinted = onnxls.analyze(proto, hints={"A": 3, "A2": 3, "C": 3})
    carried = onnxls.load_guards(b"".join(with_guards(proto.SerializeToString(), dump(hinted.units[0]))))
    assert [(each.kind, str(each)) for each in carried] == [("expect", "A == A2"), ("assert", "A == C")]
    for run, outcome in {
        (3, 3, 3): "run",
        (3, 3, 4): "error",
        (1, 3, 3): "recompile",  # runs, by another way of Add, where the second guard would be another
        (2, 3, 4): "recompile",
    }.items():
        at = {"B": 2, "D": 2, **dict(zip(("A", "A2", "C"), run, strict=True))}
        assert hinted.check(at).outcome == carried.check(at).outcome == outcome
