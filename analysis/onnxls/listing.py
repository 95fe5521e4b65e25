"""A model as annotated text: each value's type, symbolic shape and elements beside the line that defines it."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.declarations import dtype_name, show
from onnxls.dims import Dim
from onnxls.facts import BOOL, Fact
from onnxls.frontends.text_positions import Listing
from onnxls.frontends.text_writer import write_text
from onnxls.ops.truths import truth
from onnxls.project import analyze
from onnxls.units import Hints, Unit

MAX_SHOWN_ELEMENTS = 12


def listing(unit: Unit) -> Listing:
    """The text of the unit's model, and where in it each value and node stands."""
    values = unit.values
    graph = unit.model.graph
    declared = {value.name for value in graph.inputs if value.type is not None} | graph.initializers.keys()

    def annotate(scope: str, name: str) -> str | None:
        if not scope and name in declared:
            return None
        fact = values.get(f"{scope}/{name}" if scope else name)
        return None if fact is None else describe(fact)

    return write_text(unit.model, annotate)


def describe(fact: Fact) -> str | None:
    """A fact for people: `float[N, 4, H]`, with the elements of a shape tensor; None where nothing is known."""
    if fact.type is None:
        return None
    if fact.type != "tensor":
        inner = describe(fact.element) if fact.element is not None else None
        return f"{fact.type}({inner or '?'})"
    text = dtype_name(fact.dtype) if fact.dtype else "?"
    if fact.shape is None and fact.cases:
        known = [
            f"{show(case.fact.shape)} where {case.condition}" for case in fact.cases if case.fact.shape is not None
        ]
        return f"{text}{' or '.join(known)}" if len(known) == len(fact.cases) else f"{text}[...]"
    if fact.shape is None:
        return f"{text}[...]" if fact.dtype else None
    text += show(fact.shape) if fact.shape else "[]"
    content = fact.content
    if content and len(content) <= MAX_SHOWN_ELEMENTS:
        shown = [_shown(each, fact.dtype) for each in content]
        text += f" = [{', '.join(shown)}]" if fact.shape else f" = {shown[0]}"
    return text


def _shown(element: Dim, dtype: int | None) -> str:
    """An element for people; of bools, when it is true."""
    condition = truth(element) if dtype == BOOL and element.const is None else None
    return str(element) if condition is None else str(condition)


def annotated_text(path: str, hints: Hints | None = None, assume: Sequence[str] = ()) -> str:
    """The model at a path as annotated text; "" where it cannot be read. Raises as `analyze` does."""
    report = analyze(path, hints=hints, assume=assume)
    return listing(report.units[0]).text if report.units else ""
