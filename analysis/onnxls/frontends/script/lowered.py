"""What was read of one function: its graph, and what its callers and the places in its text need to know."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.findings import Finding
from onnxls.frontends.script.abstract import ScriptFunction
from onnxls.frontends.script.attributes import Wrong, make_attribute
from onnxls.frontends.script.declared import Declared, Meaning
from onnxls.frontends.script.emit import Parameter
from onnxls.graph import Attr, Function, Graph
from onnxls.spans import Span


@dataclass(frozen=True, slots=True, eq=False)
class Lowered:
    """What a function says. `bare`: the inputs that are annotated with an element type alone.

    `certain`: whether every run does all that is in the graph, and nothing that is not. `numbers`: the values that are
    integers and bools of Python, and no tensors.
    """

    declared: Declared
    parameters: tuple[Parameter, ...]
    graph: Graph
    opsets: dict[str, int]
    faults: tuple[Finding, ...]
    aliases: dict[str, str]
    called: dict[tuple[str, str, str], ScriptFunction]
    bare: tuple[str, ...]
    meanings: dict[Span, Meaning]
    certain: bool = True
    numbers: frozenset[str] = frozenset()

    def defaults(self) -> dict[str, Attr]:
        """The attributes that have a default."""
        made: dict[str, Attr] = {}
        for each in self.parameters:
            kind = each.annotation.attribute
            if kind is None or not each.has_default or each.default is None:
                continue
            attr = make_attribute(each.name, each.default, kind)
            made[each.name] = Attr(each.name, kind) if isinstance(attr, Wrong) else attr
        return made

    def attributes(self) -> dict[str, Attr]:
        """The attributes of the function alone: with their defaults, or not known."""
        kinds = {each.name: each.annotation.attribute for each in self.parameters}
        return {name: Attr(name, kind) for name, kind in kinds.items() if kind is not None} | self.defaults()

    def function(self, domain: str, name: str, overload: str) -> Function:
        """The function as others call it."""
        defaults = self.defaults()
        attributes = [each.name for each in self.parameters if each.annotation.attribute is not None]
        declared = {value.name: value.type for value in self.graph.outputs if value.type is not None}
        declared |= {v.name: v.type for v in self.graph.inputs if v.type is not None and v.name not in self.bare}
        return Function(
            domain,
            name,
            overload,
            tuple(value.name for value in self.graph.inputs),
            tuple(value.name for value in self.graph.outputs),
            self.graph.nodes,
            tuple(each for each in attributes if each not in defaults),
            defaults,
            self.opsets,
            {**self.graph.value_info, **declared},
        )
