"""Models made at random: what is said of them is held against runs at many sizes."""

from __future__ import annotations

from random import Random
from typing import Any

import onnx
from hypothesis import given, settings
from hypothesis import strategies as st

import onnxls
from random_models import NAMES, Array, draft, ones, run

RUNS = 8


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_facts_and_guards_hold_where_the_model_runs(seed: int) -> None:
    made = draft(seed)
    model = made.model()
    report = onnxls.analyze(model)
    if not made.nodes:
        return
    surely_fails = [each for each in report.diagnostics if each.verdict == "fails"]
    random = Random(seed)
    for _ in range(RUNS):
        sizes = {name: random.randint(1, 9) for name in NAMES}
        feeds = {name: ones(shape, sizes) for name, shape in made.inputs}
        if has_empty_axis(report, sizes):
            continue
        results = results_of(model, feeds)
        broken = [guard for guard in report.guards if not guard.evaluate(sizes)]
        if results is None:
            shapes = [fact.shape for fact in report.values.values()]
            known = all(shape is not None and all(dim.is_known for dim in shape) for shape in shapes)
            assert broken or surely_fails or not known, f"{sizes}: nothing says that it fails"
            continue
        assert not surely_fails, f"{sizes}: it runs, but {surely_fails[0].message}"
        assert all(guard.kind == "expect" for guard in broken), f"{sizes}: it runs, but not {broken[0]}"
        if broken:
            continue
        for name, value in results.items():
            fact = report.values[name]
            if fact.shape is None:
                continue
            assert told(fact.shape, sizes, value.shape), f"{sizes}: {name} is {value.shape}, not {fact.shape}"
            if fact.content is not None:
                assert told(fact.content, sizes, value.ravel()), f"{sizes}: {name} holds {value}, not {fact.content}"


def has_empty_axis(report: onnxls.Report, sizes: dict[str, int]) -> bool:
    """Whether some value is empty: there the reference takes what runtimes refuse, and refuses what they take."""
    shapes = (fact.shape or () for fact in report.values.values())
    return any(dim.is_known and dim.evaluate(sizes) < 1 for shape in shapes for dim in shape)


def results_of(model: onnx.ModelProto, feeds: dict[str, Array]) -> dict[str, Array] | None:
    try:
        return run(model, feeds)
    except Exception:
        return None


def told(dims: tuple[onnxls.Dim, ...], sizes: dict[str, int], real: Any) -> bool:
    """Whether every Dim that is over the inputs alone has the real value."""
    return len(dims) == len(real) and all(
        not dim.is_known or dim.evaluate(sizes) == each for dim, each in zip(dims, real, strict=True)
    )
