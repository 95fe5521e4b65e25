"""What names mean: each is defined once and before anything can use it.

A nested graph sees what its node could see; a name of its own must not be one that is visible there, except for its
inputs and initializers. A function sees its inputs only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onnxls.findings import Place
from onnxls.lints.collector import Collector
from onnxls.lints.order import Arranged
from onnxls.lints.scopes import Scope
from onnxls.rules import rule

UNDEFINED_VALUE = rule(
    "undefined-value",
    "OLS027",
    "error",
    """
    A node uses a value that nothing defines.

    The name is no input, no initializer and no output of a node that is visible here. A nested graph sees the values
    of the graphs around it; a function sees its own inputs only.

    No runtime loads such a model.

    ```onnx
    g (float[N] input_ids) => (float[N] y) {
      # error: [undefined-value] "did you mean `input_ids`?"
      y = Relu (input_idx)
    }
    ```

    Correct the name, or add the node or input that was to define it.
    """,
)
REDEFINED_VALUE = rule(
    "redefined-value",
    "OLS028",
    "error",
    """
    A name is defined twice.

    Every value of an ONNX graph has one definition (static single assignment). A nested graph may not use the name of
    a value that is visible where it stands for an output of a node either; its inputs and initializers may.

    onnx's checker and onnxruntime refuse the model.

    ```onnx
    g (float[N] x) => (float[N] y) {
      y = Relu (x)
      # error: [redefined-value] "`y`"
      y = Neg (x)
    }
    ```

    Rename one of the two, and the uses that mean it.
    """,
)
UNDEFINED_OUTPUT = rule(
    "undefined-output",
    "OLS029",
    "error",
    """
    An output of a graph or function is a value that the graph or function does not define.

    An output of the main graph is an output of a node, an input or an initializer. A nested graph cannot give back a
    value of a graph around it as it is, and a function cannot give back its own input: both need a node of their own
    between.

    onnxruntime refuses the model.

    ```onnx
    g (float[N] x) => (float[N] y, float[N] z) { # error: [undefined-output] "`z`"
      y = Relu (x)
    }
    ```

    Correct the name; to give back a value of outside, put an `Identity` between.
    """,
)


def define(scope: Scope, collector: Collector) -> None:
    """Fills `scope.defined`, and reports what is defined twice."""
    defined = scope.defined
    for number, value in enumerate(scope.inputs):
        if value.name in defined:
            text = f"input `{value.name}` stands twice in the list of inputs"
            first = next(each for each in scope.inputs[:number] if each.name == value.name)
            collector.add(REDEFINED_VALUE, text, scope.input_place(value), None, [_first(scope.input_place(first))])
        defined[value.name] = -1
    for name in scope.initializers:
        defined[name] = -1
    for index, node in enumerate(scope.nodes):
        for position, name in enumerate(node.outputs):
            if name not in defined:
                defined[name] = index
            elif name:
                _report_twice(scope, index, position, collector)
    defined.pop("", None)
    if scope.parent is not None:
        _report_hidden(scope, collector)


def report_names(scope: Scope, arranged: Arranged, collector: Collector) -> None:
    """Reports uses of what nothing defines, and outputs that are not the body's own."""
    missing = arranged.missing.get(scope.body)
    if not missing:
        if scope.owner is scope.body:
            _report_outputs(scope, collector)
        return
    unknown = {name for name in missing if not _known_outside(scope, name)}
    if unknown:
        for index, node in enumerate(scope.nodes):
            if unknown.isdisjoint(node.inputs) or (node.origin is not None and not node.op_type):
                continue
            for position, name in enumerate(node.inputs):
                if name in unknown:
                    _report_undefined(scope, index, position, collector)
    _report_outputs(scope, collector)


def _report_twice(scope: Scope, index: int, position: int, collector: Collector) -> None:
    name = scope.nodes[index].outputs[position]
    first = scope.defined[name]
    where = scope.place(first) if first >= 0 else _given(scope, name)
    text = f"defines `{name}`, which is defined already"
    collector.add(REDEFINED_VALUE, text, _output_place(scope, index, position), None, [_first(where)])


def _report_hidden(scope: Scope, collector: Collector) -> None:
    """Reports outputs of nodes that have the name of a value which is visible from outside."""
    own = scope.defined.keys()
    if all(own.isdisjoint(outer.defined.keys()) for outer, _ in scope.ancestors()):
        return
    for index, node in enumerate(scope.nodes):
        for position, name in enumerate(node.outputs):
            hidden = _visible(scope, name) if name and scope.defined[name] == index else None
            if hidden is not None:
                text = f"defines `{name}`, which is a value of the graph around this one already"
                place = _output_place(scope, index, position)
                collector.add(REDEFINED_VALUE, text, place, None, [_first(hidden)])


def _report_undefined(scope: Scope, index: int, position: int, collector: Collector) -> None:
    if collector.skip(UNDEFINED_VALUE):
        return
    node = scope.nodes[index]
    name = node.inputs[position]
    text = f"input {position} is `{name}`, which nothing defines"
    if scope.owner is not None:
        text += f" in the function `{scope.owner.name}`"
    text += collector.suggestion(name, _candidates(scope, index))
    spans = node.origin.inputs if node.origin else ()
    place = scope.place(index)
    span = spans[position] if position < len(spans) else None
    collector.add(UNDEFINED_VALUE, text, replace(place, value=name, span=span or place.span))


def _report_outputs(scope: Scope, collector: Collector) -> None:
    for value in scope.outputs:
        place = scope.output_place(value)
        if not value.name:
            continue
        if value.name not in scope.defined:
            if _known_outside(scope, value.name):
                text = (
                    f"output `{value.name}` is a value of the graph around this one: an `Identity` must stand between"
                )
            else:
                near = "" if collector.full(UNDEFINED_OUTPUT) else collector.suggestion(value.name, scope.defined)
                text = f"output `{value.name}` is defined by nothing{near}"
            collector.add(UNDEFINED_OUTPUT, text, place)
        elif scope.owner is scope.body and scope.defined[value.name] < 0:
            text = f"output `{value.name}` of the function is its input: an `Identity` must stand between"
            collector.add(UNDEFINED_OUTPUT, text, place)


def _visible(scope: Scope, name: str) -> Place | None:
    """Where the graphs around define a name that is visible in this one."""
    for outer, at in scope.ancestors():
        index = outer.defined.get(name)
        if index is not None and index < at:
            return outer.place(index) if index >= 0 else _given(outer, name)
    return None


def _known_outside(scope: Scope, name: str) -> bool:
    return any(name in outer.defined for outer, _ in scope.ancestors())


def _candidates(scope: Scope, index: int) -> Iterator[str]:
    """What a node could mean, the nearest scope first; not its own outputs."""
    for body, at in ((scope, index), *scope.ancestors()):
        yield from (name for name, definer in body.defined.items() if definer != at)


def _given(scope: Scope, name: str) -> Place:
    value = next((each for each in scope.inputs if each.name == name), None)
    return scope.initializer_place(name) if value is None else scope.input_place(value)


def _output_place(scope: Scope, index: int, position: int) -> Place:
    node = scope.nodes[index]
    place = scope.place(index)
    spans = node.origin.outputs if node.origin else ()
    span = spans[position] if position < len(spans) else None
    return replace(place, value=node.outputs[position], span=span or place.span)


def _first(place: Place) -> tuple[Place, str]:
    return place, "first defined here"
