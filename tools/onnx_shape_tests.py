"""Runs onnx's own tests of shape inference on `onnxls.infer_shapes`, and tells apart where and how the two differ.

    python tools/onnx_shape_tests.py ONNX_CHECKOUT [--list KIND] [--json OUT] [-k EXPRESSION]

The tests are in no package, so that a checkout of https://github.com/onnx/onnx is needed (the release that is
installed, or one near to it). They are run as they are but for two things:

- They make sizes unknown by a Reshape to an unknown shape whose result is *declared* in `value_info`, and expect that
  the declaration is believed. onnxls checks such a declaration and never assumes it, so the value is an input here. And
  a constant that is an input as well, so that a caller may override it, is a constant alone here.
- Where a test compares types, the outcome is put into one of these kinds instead of pass or fail:

  same            every type is what the test expects
  more precise    nothing differs, and something is known that the test expects to be unknown
  other name      an expression or the author's name stands where the test expects a name that onnx makes up
  less precise    nothing differs, and something is unknown that the test expects to be known
  different       two known sizes, ranks or types differ
  refused         the test expects a refusal, and there is one, in whatever words
  not refused     the test expects a refusal, and there is none
  refuses         the model is refused, and the test expects types
  other           anything else that makes the test fail

The exit status is 0 if no test is `different`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import onnx
import onnx.shape_inference
import pytest
from onnx import TypeProto, helper

import onnxls

FILES = ("shape_inference_test.py", "data_propagation_test.py")
WORST = ("different", "less precise", "other name", "more precise", "same")


class Recorder:
    """A pytest plugin that puts onnxls in the place of onnx and notes what each test comes to."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        self.current: list[str] = []

    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
        for module in {sys.modules[item.module.__name__] for item in items if hasattr(item, "module")}:
            base = getattr(module, "TestShapeInferenceHelper", None)
            if base is not None:
                base._make_graph = seeded
                base._assert_inferred = self.compared()
                base._inferred = inferred

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.current = []
        theirs = onnx.shape_inference.infer_shapes
        onnx.shape_inference.infer_shapes = onnxls.infer_shapes
        try:
            outcome: Any = yield
        finally:
            onnx.shape_inference.infer_shapes = theirs
        if isinstance(outcome.excinfo, tuple) and issubclass(outcome.excinfo[0], pytest.skip.Exception):
            return
        self.kinds[item.nodeid] = self.kind(outcome.excinfo)
        if outcome.excinfo is not None:
            self.notes[item.nodeid] = str(outcome.excinfo[1])[:600]

    def kind(self, failure: Any) -> str:
        """What a test came to, from how it failed and what was compared in it."""
        if failure is None:
            return next((kind for kind in WORST if kind in self.current), "refused")
        if isinstance(failure[1], onnx.shape_inference.InferenceError):
            return "refuses"
        if "Regex pattern did not match" in str(failure[1]):
            return "refused"
        if "DID NOT RAISE" in str(failure[1]):
            return "not refused"
        return "different" if "different" in self.current else "other"

    def compared(self) -> Any:
        """What stands in for the comparison of a test."""
        recorder = self

        def assert_inferred(test: Any, model: Any, expected: Sequence[Any], **kwargs: Any) -> None:
            graph = getattr(model, "graph", model)
            wanted = {value.name: value.type for value in (*graph.value_info, *graph.output, *expected)}
            made = inferred(test, model, **kwargs).graph
            found = {value.name: value.type for value in (*made.value_info, *made.output)}
            for name, want in wanted.items():
                recorder.current.append(compare(want, found.get(name, TypeProto())))

        return assert_inferred


def inferred(test: Any, model: Any, **kwargs: Any) -> Any:
    """The model of a test with its types. An input without a type is legal here, so that it is not checked."""
    del test
    data_prop = kwargs.pop("data_prop", False)
    if isinstance(model, onnx.GraphProto):
        model = helper.make_model(model, producer_name="onnx-test", **kwargs)
    return onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=data_prop)


def seeded(
    test: Any, seeds: Sequence[Any], nodes: list[Any], value_info: list[Any], initializer: Sequence[Any] | None = None
) -> Any:
    """The graph of a test, whose seed values are inputs."""
    del test
    constant = {tensor.name for tensor in initializer or ()}
    inputs = [
        helper.make_tensor_value_info(*seed) if isinstance(seed, tuple) else helper.make_empty_tensor_value_info(seed)
        for seed in seeds
        if (seed[0] if isinstance(seed, tuple) else seed) not in constant
    ]
    return helper.make_graph(nodes, "test", inputs, [], initializer=initializer or [], value_info=value_info)


def compare(want: TypeProto, have: TypeProto) -> str:
    """The kind of difference between two types."""
    kind, other = want.WhichOneof("value"), have.WhichOneof("value")
    if kind is None or other is None:
        return "same" if kind == other else "more precise" if kind is None else "less precise"
    if kind != other:
        return "different"
    if kind in ("sequence_type", "optional_type"):
        return compare(getattr(want, kind).elem_type, getattr(have, kind).elem_type)
    if kind not in ("tensor_type", "sparse_tensor_type"):
        return "same" if want == have else "different"
    left, right = getattr(want, kind), getattr(have, kind)
    if left.elem_type != right.elem_type:
        return (
            "different" if left.elem_type and right.elem_type else "less precise" if left.elem_type else "more precise"
        )
    if not left.HasField("shape") or not right.HasField("shape"):
        if left.HasField("shape") == right.HasField("shape"):
            return "same"
        return "less precise" if left.HasField("shape") else "more precise"
    if len(left.shape.dim) != len(right.shape.dim):
        return "different"
    sizes = [compare_sizes(a, b) for a, b in zip(left.shape.dim, right.shape.dim, strict=True)]
    return next(each for each in WORST if each in (*sizes, "same"))


def compare_sizes(want: Any, have: Any) -> str:
    """The kind of difference between two sizes."""
    kind, other = want.WhichOneof("value"), have.WhichOneof("value")
    if kind == other:
        if want == have:
            return "same"
        return "different" if kind == "dim_value" else "other name"
    if other is None:
        return "less precise"
    return "more precise" if kind is None or other == "dim_value" else "less precise"


def main() -> int:
    """Runs the tests and prints what they come to."""
    parser = argparse.ArgumentParser(description="Run onnx's tests of shape inference on onnxls.")
    parser.add_argument("checkout", type=Path, help="a checkout of onnx")
    parser.add_argument("--list", action="append", default=[], metavar="KIND", help="print the tests of a kind")
    parser.add_argument("--json", type=Path, help="write the kind of every test")
    parser.add_argument("-k", default="", help="only these tests, as of pytest")
    options = parser.parse_args()
    folder = options.checkout / "tests" / "python"
    if not folder.is_dir():
        folder = options.checkout / "onnx" / "test"
    recorder = Recorder()
    arguments = [str(folder / name) for name in FILES if (folder / name).exists()]
    pytest.main(
        [
            "-q",
            "--no-header",
            "--timeout=20",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:faulthandler",
            "-k",
            options.k,
            *arguments,
        ],
        [recorder],
    )
    counts = Counter(recorder.kinds.values())
    for kind, count in counts.most_common():
        sys.stdout.write(f"{count:5d}  {kind}\n")
    for kind in options.list:
        sys.stdout.write(f"\n{kind}\n")
        for name, own in sorted(recorder.kinds.items()):
            if own == kind:
                sys.stdout.write(
                    f"  {name.partition('::')[2]}: {' '.join(recorder.notes.get(name, '').split())[:300]}\n"
                )
    if options.json is not None:
        named: dict[str, list[str]] = defaultdict(list)
        for name, kind in sorted(recorder.kinds.items()):
            named[kind].append(name.partition("::")[2])
        options.json.write_text(json.dumps(named, indent=1), encoding="utf-8")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
