"""Fixes, in text: a block, and blocks after it that say what a fix makes of it.

    ```py fixed: Correct the annotation

A fix is found by its title among those of all findings (the first of several). When it is applied, the finding is
gone, no other is there that was not there before, and where the finding has sizes that pass and the fix is automatic,
the model gives the same results at these sizes as before.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import onnxls
from mdtest_runner import FENCE, HEADER, HEADING

PATHS = {"py": "block.py", "onnx": "block.onnxtxt"}


@dataclass(frozen=True)
class Case:
    """A text, the title of a fix, the text then; `None`: there is no fix of the title."""

    name: str
    language: str
    text: str
    title: str
    fixed: str | None


def cases(path: Path) -> Iterator[Case]:
    """All fixes of a suite."""
    text = path.read_text(encoding="utf-8")
    bare = FENCE.sub(lambda match: " " * len(match[0]), text)
    headings = [(match.start(), match[2]) for match in HEADING.finditer(bare)]
    before = ""
    for match in FENCE.finditer(text):
        language, info = match["language"], match["info"].strip()
        body = match["body"]
        if language == "onnx" and not body.startswith("<"):
            body = HEADER + body
        if not info:
            before = body
            continue
        name = next((title for start, title in reversed(headings) if start < match.start()), path.stem)
        kind, _, title = info.partition(": ")
        yield Case(f"{name}: {title}", language, before, title, body if kind == "fixed" else None)


def check(case: Case) -> str | None:
    """What is not as it should be."""
    path = PATHS[case.language]
    report = onnxls.analyze_text(case.text, path)
    found = [(each, fix) for each in report.diagnostics for fix in each.fixes if fix.title == case.title]
    offered = [fix.title for each in report.diagnostics for fix in each.fixes]
    if case.fixed is None:
        return f"there is such a fix among {offered}" if found else None
    if not found:
        return f"no such fix; there are {offered} for {[each.message for each in report.diagnostics]}"
    finding, fix = found[0]
    text = apply(case.text, fix.edits)
    if text != case.fixed:
        return f"the text is then:\n{text}"
    after = onnxls.analyze_text(text, path)
    left = Counter(each.rule for each in report.diagnostics)
    left[finding.rule] -= 1
    now = Counter(each.rule for each in after.diagnostics)
    if now - left or (left - now)[finding.rule] < 0 or now[finding.rule] > left[finding.rule]:
        return f"findings are then {[each.message for each in after.diagnostics]}"
    if finding.passing is not None and fix.automatic:
        return _runs_alike(case, text, finding.passing)
    return None


def apply(text: str, edits: Sequence[onnxls.Edit]) -> str:
    """The text with the edits made."""
    for edit in sorted(edits, key=lambda edit: -(edit.span.start if edit.span else 0)):
        assert edit.span is not None
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _runs_alike(case: Case, fixed: str, sizes: Mapping[str, int]) -> str | None:
    inputs = _inputs(case.text, PATHS[case.language], sizes)
    before, after = (_run(_model(text, case.language), inputs) for text in (case.text, fixed))
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)
    return None


def _inputs(text: str, path: str, sizes: Mapping[str, int]) -> dict[str, Any]:
    unit = onnxls.analyze_text(text, path).units[-1]
    rng = np.random.default_rng(0)
    given: dict[str, Any] = {}
    for name in unit.inputs:
        shape = unit.values[name].shape
        assert shape is not None
        given[name] = rng.random([dim.evaluate(sizes) for dim in shape], np.float32)
    return given


def _model(text: str, language: str) -> Any:
    import onnx.parser

    if language == "onnx":
        return onnx.parser.parse_model(text)
    import tempfile
    from importlib.util import module_from_spec, spec_from_file_location

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "block.py"
        file.write_text(text)
        spec = spec_from_file_location("block", file)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules["block"] = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.f.to_model_proto()


def _run(model: Any, inputs: Mapping[str, Any]) -> list[Any]:
    import onnxruntime

    options: Any = onnxruntime.SessionOptions()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    options.log_severity_level = 4
    session: Any = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, dict(inputs))
