"""A model as annotated text: each value's type, symbolic shape and elements beside the line that defines it."""

from __future__ import annotations

from onnxls.declarations import dtype_name, show
from onnxls.facts import Fact
from onnxls.frontends.text_writer import Listing, write_text
from onnxls.project import Unit

MAX_SHOWN_ELEMENTS = 12


def listing(unit: Unit) -> Listing:
    """The text of the unit's model, and where in it each value and node stands."""
    values = unit.values

    def annotate(scope: str, name: str) -> str | None:
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
    if fact.shape is None:
        return f"{text}[...]" if fact.dtype else None
    text += show(fact.shape) if fact.shape else "[]"
    content = fact.content
    if content and len(content) <= MAX_SHOWN_ELEMENTS:
        text += f" = {show(content) if fact.shape else content[0]}"
    return text
