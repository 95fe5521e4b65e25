"""A script function as a model, with the functions that it calls. It does not depend on where the function stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from onnxls.findings import Finding, Place
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.lowered import Lowered
from onnxls.graph import Attr, Function, Model
from onnxls.rules import rule
from onnxls.spans import Span

BARE_TYPE = rule(
    "bare-element-type",
    "OLS572",
    "information",
    """
    A parameter is annotated with an element type alone, which declares a scalar, and is used as something else.

    `FLOAT` without brackets is a tensor of rank 0. onnxruntime only warns when it gets another rank, so that the
    mistake shows late.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT):  # information: [bare-element-type] "FLOAT[...]"
        return op.Transpose(op.MatMul(x, x), perm=[1, 0])
    ```

    Write `FLOAT[...]` for any rank, or the sizes.
    """,
)

MAX_CALLED = 2_000
Lower = Callable[[Declared], Lowered]


@dataclass(frozen=True, slots=True, eq=False)
class FunctionModel:
    """The model of a script function, what is wrong in it as it is written, and further names of its values.

    `attributes`: its attribute parameters, with their defaults or not known. `bare`: the inputs that are annotated with
    an element type alone. `parts`: what it was made of; the same parts make the same model. `cache`: what was found out
    about it, by whatever names that; it goes with the model, which results may refer to.
    """

    model: Model
    faults: tuple[Finding, ...]
    aliases: Mapping[str, str]
    attributes: Mapping[str, Attr]
    bare: Mapping[str, Span]
    parts: tuple[Lowered, ...]
    cache: dict[object, Any] = field(default_factory=dict[object, Any], init=False, repr=False)

    @property
    def name(self) -> str:
        """The dotted name in the file."""
        return self.model.graph.name

    @property
    def inputs(self) -> frozenset[str]:
        """The names of the inputs."""
        return frozenset(value.name for value in self.model.graph.inputs)

    @property
    def traced(self) -> bool:
        """Whether Python runs the function to make a graph."""
        return self.parts[0].declared.traced

    @property
    def whole(self) -> bool:
        """Whether its model has all that is written in it: nothing there is half-written or cannot be converted."""
        return self.parts[0].declared.chunk.problem is None and not any(
            (each.severity or each.rule.severity) == "error" for each in self.faults
        )

    @property
    def certain(self) -> bool:
        """Whether every run does all that is in its graph."""
        return self.parts[0].certain

    @property
    def loosened(self) -> Model:
        """The model in which the bare inputs have any rank."""
        graph = self.model.graph
        inputs = [
            replace(value, type=replace(value.type, shape=None)) if value.name in self.bare and value.type else value
            for value in graph.inputs
        ]
        return replace(self.model, graph=replace(graph, inputs=tuple(inputs)))

    @property
    def bare_faults(self) -> tuple[Finding, ...]:
        """A word about each bare input."""
        text = "an element type alone declares a scalar, which this cannot be; write `{0}[...]` for any rank"
        return tuple(
            Finding(BARE_TYPE, f"`{name}`: {text.format('FLOAT')}", Place("graph", value=name, span=span))
            for name, span in self.bare.items()
        )


def function_model(declared: Declared, lower: Lower, before: FunctionModel | None) -> FunctionModel:
    """The model of a function; the very one from before where nothing that it is made of has changed."""
    made = lower(declared)
    called = dict(_called(made, lower))
    parts = (made, *called.values())
    if before is not None and before.parts == parts:
        return before
    opsets = dict(made.opsets)
    functions: dict[tuple[str, str, str], Function] = {}
    for key, inner in called.items():
        functions[key] = inner.function(*key)
        opsets.setdefault(key[0], 1)
    bare = {each.name: each.span for each in made.parameters if each.name in made.bare}
    model = Model(made.graph, opsets, functions)
    return FunctionModel(model, made.faults, made.aliases, made.attributes(), bare, parts)


def _called(made: Lowered, lower: Lower) -> Iterator[tuple[tuple[str, str, str], Lowered]]:
    """The functions that are called, also by those, each once."""
    seen: set[tuple[str, str, str]] = set()
    waiting = [made]
    while waiting:
        for key, called in waiting.pop().called.items():
            if key in seen or len(seen) >= MAX_CALLED:
                continue
            seen.add(key)
            inner = lower(called.declared)
            yield key, inner
            waiting.append(inner)
