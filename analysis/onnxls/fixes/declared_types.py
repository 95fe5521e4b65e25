"""The declared type that holds, in place of one that does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.dims import Dim
from onnxls.facts import Fact
from onnxls.fixes.changes import Retype
from onnxls.fixes.scene import Scene
from onnxls.graph import DeclaredDim, Graph, TypeInfo
from onnxls.units import Unit

RULES = ("annotation-rank", "annotation-size", "annotation-name", "annotation-type")
_AXIS = re.compile(r": axis (\d+) is ")


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """The axis that is wrong is corrected, or all of a declaration that has another rank or element type."""
    known = scene.unit(found)
    if known is None or found.value is None or found.severity == "information":
        return
    index, unit = known
    at_result = _is_result(scene, found, unit)
    for key, role, declared in scene.declarations(found):
        if key != found.value or (at_result is not None and at_result != (role == "result")):
            continue
        fact = unit.values.get(key)
        corrected = None if fact is None else _corrected(declared, fact, unit.model.graph, found)
        if corrected is not None and corrected != declared:
            # sizes that may not agree are more often the fault than what is declared of them
            agreed = not any("broadcast(" in str(dim) for dim in corrected.shape or ())
            change = Retype(index, key, role, declared, corrected)
            yield from scene.fix("Correct the annotation", change, automatic=agreed)
            return


def _is_result(scene: Scene, found: Diagnostic, unit: Unit) -> bool | None:
    """Whether it is told where a result is returned; None where that does not tell."""
    if unit.source is None:
        return None
    if scene.part(found) is None:
        return None
    homes = scene.report.loaded.homes
    for value in unit.model.graph.outputs:
        home = homes.get(value.span.home) if value.span is not None else None
        if home is not None and value.span is not None and value.name == found.value:
            written = home.location(value.span)
            if (written.line, written.column) == (found.location.line, found.location.column):
                return True
    return False


def _corrected(declared: TypeInfo, fact: Fact, graph: Graph, found: Diagnostic) -> TypeInfo | None:
    if fact.type != "tensor" or declared.kind != "tensor":
        return None
    if found.rule == "annotation-type":
        return None if fact.dtype is None else replace(declared, dtype=fact.dtype)
    if fact.shape is None:
        return None
    names = {dim for value in graph.inputs if value.type is not None for dim in value.type.shape or ()}
    if found.rule == "annotation-rank" or declared.shape is None:
        return replace(declared, shape=tuple(declared_dim(dim, names) for dim in fact.shape))
    match = _AXIS.search(found.message)
    axis = int(match[1]) if match is not None else -1
    if not 0 <= axis < len(declared.shape) == len(fact.shape):
        return None
    shape = (*declared.shape[:axis], declared_dim(fact.shape[axis], names), *declared.shape[axis + 1 :])
    return replace(declared, shape=shape)


def declared_dim(dim: Dim, names: set[DeclaredDim]) -> DeclaredDim:
    """A size as a declaration can say it: a number, a name of an input or an expression over such names; else open.

    An expression that reads as a name of an input does is open: written down, it would be that name.
    """
    if dim.const is not None:
        return dim.const
    symbol = dim.as_symbol
    if symbol is not None:
        return symbol.name if symbol.name in names else None
    plain = all(name in names and name.isidentifier() for name in dim.symbols())
    return text if plain and (text := str(dim)) not in names else None
