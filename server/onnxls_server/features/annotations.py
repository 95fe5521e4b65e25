"""A fact as an annotation of onnxscript: `FLOAT["N", 4]`."""

from __future__ import annotations

import ast

from onnxls.facts import Fact
from onnxls.frontends.script.known import ELEMENT_TYPES
from onnxls.units import Unit
from onnxls_server.features.view import View

_NAMES = {number: name for name, number in ELEMENT_TYPES.items()}


def annotation_text(view: View, unit: Unit, fact: Fact) -> str | None:
    """The annotation that holds for a value; None where its type is not known or its name cannot be written there.

    Sizes that no declared name or number says are left open as `None`; a name that is one symbol is given as such.
    """
    if fact.type != "tensor" or not fact.dtype or unit.source is None:
        return None
    element = _spelled(view, unit, fact.dtype)
    if element is None:
        return None
    if fact.shape is None:
        return f"{element}[...]"
    if not fact.shape:
        return f"{element}[()]"
    return f"{element}[{', '.join(_dim(unit, dim.const, dim.symbols(), str(dim)) for dim in fact.shape)}]"


def _dim(unit: Unit, const: int | None, symbols: frozenset[str], text: str) -> str:
    if const is not None:
        return str(const)
    declared = {dim for value in unit.model.graph.inputs if value.type for dim in value.type.shape or ()}
    if len(symbols) == 1 and (name := next(iter(symbols))) in declared and text == name:
        return repr(name).replace("'", '"') if '"' not in name else repr(name)
    return "None"


def _spelled(view: View, unit: Unit, dtype: int) -> str | None:
    """How the file calls an element type."""
    name = _NAMES.get(dtype)
    lines = view.report.loaded.lines
    if name is None or unit.source is None or lines is None:
        return None
    for node in unit.source.declared.scope.module.chunks:
        for statement in node.statements:
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("onnxscript"):
                for alias in statement.names:
                    if alias.name in (name, "*"):
                        return alias.asname or name
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    if alias.name == "onnxscript":
                        return f"{alias.asname or alias.name}.{name}"
    return None
