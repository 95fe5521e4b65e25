"""Sizes and names of axes as the author declared them: slips that no run would show.

A name that an engine or exporter left behind is nobody's slip and is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from onnxls.declarations import is_leftover
from onnxls.findings import Place
from onnxls.graph import Value
from onnxls.lints.collector import Collector
from onnxls.lints.scopes import Scope
from onnxls.rules import rule

SIMILAR_DIM_NAMES = rule(
    "similar-dim-names",
    "OLS047",
    "information",
    """
    Two names of dims differ only in spaces, underscores, hyphens or case.

    To ONNX they are two names, so two sizes that need not agree: nothing is learned from one about the other, and
    where they meet there is a warning that they may differ. Most often one of them is a slip.

    ```onnx
    g (float[batch_size, 4] x,
       float["batch _size", 4] mask) => (float[M, 4] y) { # information: [similar-dim-names]
      # warning: [dims-must-agree]
      y = Add (x, mask)
    }
    ```

    Use one name, or two that nobody takes for one.
    """,
)
ZERO_SIZE_INPUT = rule(
    "zero-size-input",
    "OLS048",
    "hint",
    """
    An input is declared with an axis of size 0.

    The input can only be empty, at every run. Exporters that have no notation for an axis of any size write 0 for it,
    and so does a script that traced an empty example.

    ```onnx
    g (float[0, 4] x) => (float[M, 4] y) { # hint: [zero-size-input]
      y = Relu (x)
    }
    ```

    Give the axis a name (`dim_param`) if it may have any size.
    """,
)
NEGATIVE_SIZE_INPUT = rule(
    "negative-size-input",
    "OLS049",
    "information",
    """
    An input is declared with a negative size.

    `dim_value` is a size; -1 for "any size" is a habit of other frameworks. onnxruntime takes it as unknown, other
    tools take it as a number or refuse the model.

    Leave the size out, or give the axis a name (`dim_param`), which also says which axes are equal.
    """,
)

_FILLING = re.compile(r"\s+|(?<!\d)_|_(?!\d)|(?<=[A-Za-z])-(?=[A-Za-z])")


def report_input_sizes(scope: Scope, collector: Collector) -> None:
    """Reports sizes of the inputs of the main graph that cannot have been meant."""
    for value in scope.inputs:
        if value.type is None or value.type.shape is None or value.name in scope.initializers:
            continue
        for axis, size in enumerate(value.type.shape):
            if not isinstance(size, int) or size > 0:
                continue
            if size:
                text = f"axis {axis} of input `{value.name}` has the size {size}: an axis of any size has none"
                collector.add(NEGATIVE_SIZE_INPUT, text, scope.input_place(value))
            else:
                text = f"axis {axis} of input `{value.name}` has the size 0: is an axis of any size meant?"
                collector.add(ZERO_SIZE_INPUT, text, scope.input_place(value))


def report_dim_names(scopes: Iterable[Scope], collector: Collector) -> None:
    """Reports names of one model (main and nested graphs), or of one function, that are nearly the same."""
    met: dict[str, tuple[Scope, Value, int]] = {}
    for scope in scopes:
        for value in _declared(scope):
            shape = value.type.shape if value.type is not None else None
            for axis, name in enumerate(shape or ()):
                if type(name) is str and name not in met:
                    met[name] = scope, value, axis
    if len(met) < 2:
        return
    similar: dict[str, str] = {}
    for name in met:
        if is_leftover(name):
            continue
        first = similar.setdefault(_FILLING.sub("", name).casefold(), name)
        if first is not name:
            _report_similar(first, name, met, collector)


def _report_similar(first: str, name: str, met: dict[str, tuple[Scope, Value, int]], collector: Collector) -> None:
    scope, value, axis = met[name]
    other_scope, other, other_axis = met[first]
    text = (
        f"axis {axis} of `{value.name}` is named `{name}`, axis {other_axis} of `{other.name}` is named `{first}`: "
        "two names, so two sizes"
    )
    related = [(_place(other_scope, other), f"`{first}`")]
    severity = "hint" if name.casefold() == first.casefold() else None
    collector.add(SIMILAR_DIM_NAMES, text, _place(scope, value), severity, related)


def _declared(scope: Scope) -> Iterator[Value]:
    """What is declared in a body, each type once: inputs, outputs, then intermediates."""
    seen: set[int] = set()
    yield from (*scope.inputs, *scope.outputs)
    for name, info in scope.value_info.items():
        if id(info) not in seen:
            seen.add(id(info))
            yield Value(name, info)


def _place(scope: Scope, value: Value) -> Place:
    index = scope.defined.get(value.name)
    if value in scope.inputs:
        return scope.input_place(value)
    if value in scope.outputs:
        return scope.output_place(value)
    return scope.place(index) if index is not None and index >= 0 else Place(f"{scope.path}/value[{value.name}]")
