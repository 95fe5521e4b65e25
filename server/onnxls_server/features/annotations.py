"""A fact as an annotation of onnxscript: `FLOAT["N", 4]`."""

from __future__ import annotations

from onnxls.facts import Fact
from onnxls.fixes.declared_types import declared_dim
from onnxls.fixes.sources import annotation, element_name
from onnxls.units import Unit


def annotation_text(unit: Unit, fact: Fact) -> str | None:
    """The annotation that holds for a value; None where its type is not known or has no name in the source.

    Sizes that neither a number nor names of the inputs say are left open as `None`.
    """
    element = element_name(unit, fact.dtype) if fact.type == "tensor" and fact.dtype else None
    if element is None:
        return None
    names = {dim for value in unit.model.graph.inputs if value.type is not None for dim in value.type.shape or ()}
    return annotation(element, None if fact.shape is None else tuple(declared_dim(dim, names) for dim in fact.shape))
