"""The script function or graph around a place in a text that is being edited, and what names mean in it."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.frontends.script.abstract import Abstract, ElementType, Opset, ScriptFunction
from onnxls.frontends.script.onlooker import Onlooker
from onnxls.frontends.script.source import SourceUnit
from onnxls.units import Unit
from onnxls_server.features.view import View


@dataclass(frozen=True, slots=True)
class Region:
    """A script function in the text as it is now: from its first decorator to the end of what is indented below."""

    index: int
    unit: Unit
    source: SourceUnit
    start: int
    end: int

    def meaning(self, name: str) -> Abstract:
        """What a dotted name means around the function."""
        declared, evaluator = self.source.declared, Onlooker()
        first, *rest = name.split(".")
        value = evaluator.name(first, declared.scope, declared.place)
        for each in rest:
            value = evaluator.attribute(value, each)
        return value

    def opset(self, name: str) -> Opset | None:
        """The opset that a name stands for."""
        value = self.meaning(name)
        return value if isinstance(value, Opset) else None

    def function(self, name: str) -> ScriptFunction | None:
        """The script function that a name stands for."""
        value = self.meaning(name)
        return value if isinstance(value, ScriptFunction) else None

    def is_element_type(self, name: str) -> bool:
        """Whether a name is `FLOAT` or one of its kin."""
        return isinstance(self.meaning(name), ElementType)


def region(view: View, offset: int) -> Region | None:
    """The script function around an offset; what is being written below its last line belongs to it."""
    if view.snapshot.kind != "source":
        return None
    found: Region | None = None
    for part in view.occurrences.parts:
        unit = view.unit(part.unit)
        span = view.outer(part.span)
        if unit is None or unit.source is None or span.start > offset:
            continue
        end = _grown(view.snapshot.text, span.start, span.end, unit.source)
        if offset <= end:
            found = Region(part.unit, unit, unit.source, span.start, end)
    return found


def _grown(text: str, start: int, end: int, source: SourceUnit) -> int:
    """The end of a function with the blank and deeper lines that follow."""
    indent = source.declared.node.col_offset
    while end < len(text):
        following = text.find("\n", end)
        if following < 0:
            return end
        until = text.find("\n", following + 1)
        until = len(text) if until < 0 else until
        line = text[following + 1 : until]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            return end
        end = until
    return end
