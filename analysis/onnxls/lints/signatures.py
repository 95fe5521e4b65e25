"""How nodes call: numbers of inputs and outputs, and attributes, against the schema or function that they call.

Attributes whose names begin with two underscores are nobody's business, as in onnx's checker; of operators without a
schema nothing is said.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from onnxls import schemas
from onnxls.findings import Place
from onnxls.graph import Attr, Function, Node
from onnxls.keys import nested_graphs
from onnxls.lints.collector import Collector
from onnxls.lints.scopes import Scope
from onnxls.rules import Severity, rule
from onnxls.schemas import Option, Schema

WRONG_INPUT_COUNT = rule(
    "wrong-input-count",
    "OLS039",
    "error",
    """
    A node has more or fewer inputs than its operator or function takes, or leaves out one that it needs.

    onnx's checker and onnxruntime refuse the model. An input that may be absent is left out by an empty name; one that
    is required may not be.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # error: [wrong-input-count] "takes 2 inputs"
      y = Add (x)
    }
    ```
    """,
)
WRONG_OUTPUT_COUNT = rule(
    "wrong-output-count",
    "OLS040",
    "error",
    """
    A node has more or fewer outputs than its operator or function gives.

    onnx's checker and onnxruntime refuse the model; of a call of a function, onnxruntime alone does.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # error: [wrong-output-count] "gives 1 output"
      y, z = Relu (x)
    }
    ```
    """,
)
MISSING_ATTRIBUTE = rule(
    "missing-attribute",
    "OLS041",
    "error",
    """
    An attribute that the operator cannot do without is missing.

    ```onnx
    g (float[N] x) => (float[M] y) {
      # error: [missing-attribute] "`axis`"
      y = Concat (x, x)
    }
    ```

    A call of a function that leaves out an attribute without a default is information where the body can do without.
    """,
)
UNKNOWN_ATTRIBUTE = rule(
    "unknown-attribute",
    "OLS042",
    "error",
    """
    The operator has no attribute of the name, in the opset that the model imports.

    onnx's checker and onnxruntime refuse the model. Often the attribute has become an input (`axes`, `pads`), or is
    of another version. An attribute that a function does not have is a warning: runtimes ignore it.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # error: [unknown-attribute] "did you mean `alpha`?"
      y = LeakyRelu <alhpa = 0.1> (x)
    }
    ```
    """,
)
WRONG_ATTRIBUTE_TYPE = rule(
    "wrong-attribute-type",
    "OLS043",
    "error",
    """
    An attribute is of another type than the operator takes.

    There is no conversion: an integer is not taken for a float, nor a number for a list of one.

    ```onnx
    g (float[N] x) => (float[N] y) {
      # error: [wrong-attribute-type] "`alpha` is a float, not an int"
      y = LeakyRelu <alpha = 1> (x)
    }
    ```
    """,
)
UNDECLARED_REFERENCE = rule(
    "undeclared-attribute-reference",
    "OLS044",
    "warning",
    """
    An attribute is to take the value of an attribute of the function, which has none of that name.

    Runtimes take the operator's default then, without a word; where there is none, loading fails, which is an error
    here.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[N] x) => (float[N] y) {
      y = local.f <slope = 0.5> (x)
    }
    <domain: "local", opset_import: ["" : 20]>
    f <slope> (a) => (b) {
      # warning: [undeclared-attribute-reference] "`slop`"
      b = LeakyRelu <alpha: float = @slop> (a)
    }
    ```
    """,
)

_TYPES = (
    "of no type", "a float", "an int", "a string", "a tensor", "a graph", "floats", "ints", "strings", "tensors",
    "graphs", "a sparse tensor", "sparse tensors", "a type", "types",
)  # fmt: skip
_ANY = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """How an operator or function may be called. Counts are the fewest and the most.

    `kinds` has the types of the attributes, 0 for any; `required` are those that a call must have, `vital` those
    without which it cannot run.
    """

    inputs: tuple[int, int]
    outputs: tuple[int, int]
    input_names: tuple[tuple[str, Option], ...]
    output_names: tuple[tuple[str, Option], ...]
    kinds: Mapping[str, int]
    required: frozenset[str]
    vital: frozenset[str]
    function: bool = False


@lru_cache(maxsize=4096)
def signature_of(schema: Schema) -> Signature:
    """How an operator of the standard is called."""
    most_in, most_out = schema.max_inputs, schema.max_outputs
    required = frozenset(name for name, attribute in schema.attributes.items() if attribute.required)
    return Signature(
        (schema.min_inputs, _ANY if most_in is None else most_in),
        (schema.min_outputs, _ANY if most_out is None else most_out),
        tuple((each.name, each.option) for each in schema.inputs),
        tuple((each.name, each.option) for each in schema.outputs),
        {name: attribute.type for name, attribute in schema.attributes.items()},
        required,
        required,
    )


def signature_of_function(function: Function) -> Signature:
    """How a function of the model is called: an input that its body can do without may be absent."""
    needs = _Needs(function)
    options: list[Option] = ["single" if name in needs.inputs else "optional" for name in function.inputs]
    fewest = max((number for number, option in enumerate(options, 1) if option == "single"), default=0)
    count = len(function.outputs)
    names = (*function.attributes, *function.defaults)
    return Signature(
        (fewest, len(function.inputs)),
        (count, count),
        tuple(zip(function.inputs, options, strict=True)),
        tuple((name, "optional") for name in function.outputs),
        {name: needs.kinds.get(name, 0) for name in names},
        frozenset(function.attributes),
        frozenset(function.attributes).intersection(needs.vital),
        True,
    )


class _Needs:
    """What the body of a function needs of a call: inputs, attributes, and their types."""

    def __init__(self, function: Function) -> None:
        self.inputs: set[str] = set()
        self.kinds: dict[str, int] = {}
        self.vital: set[str] = set()
        opsets = function.opsets
        left: list[Node] = list(function.nodes)
        while left:
            node = left.pop()
            schema = schemas.lookup(node.domain, node.op_type, opsets.get(node.domain, 0))
            if schema is not None:
                self._read(node, signature_of(schema))
            for _, graph in nested_graphs(node):
                left += graph.nodes

    def _read(self, node: Node, signature: Signature) -> None:
        for name, (_, option) in zip(node.inputs, signature.input_names, strict=False):
            if option == "single":
                self.inputs.add(name)
        for attr in node.attrs.values():
            if attr.ref is not None:
                self.kinds[attr.ref] = attr.type
                if attr.name in signature.required:
                    self.vital.add(attr.ref)


def check_node(
    node: Node, signature: Signature, index: int, scope: Scope, own: Collection[str] | None, collector: Collector
) -> None:
    """Reports what is wrong with one call; `own`: attributes of the function around it, None where there is none."""
    inputs, outputs = node.inputs, node.outputs
    fewest, most = signature.inputs
    if not fewest <= len(inputs) <= most or "" in inputs:
        _check_inputs(node, signature, scope.call_place(index), collector)
    fewest, most = signature.outputs
    if not fewest <= len(outputs) <= most or "" in outputs:
        _check_outputs(node, signature, scope.call_place(index), collector)
    attrs = node.attrs
    if attrs:
        kinds = signature.kinds
        for name, attr in attrs.items():
            if kinds.get(name) != attr.type or attr.ref is not None:
                place = _attribute_place(node, name, scope.place(index))
                _check_attribute(attr, signature, place, collector)
                if attr.ref is not None and (own is None or attr.ref not in own):
                    _report_reference(attr, attr.ref, signature, place, own, collector)
    if signature.required and not attrs.keys() >= signature.required:
        _check_missing(node, signature, scope.call_place(index), collector)


def _check_inputs(node: Node, signature: Signature, place: Place, collector: Collector) -> None:
    count = len(node.inputs)
    fewest, most = signature.inputs
    if not fewest <= count <= most:
        text = f"takes {_amount(signature.inputs, 'input')}, not {count}"
        missing = [f"`{name}`" for name, option in signature.input_names[count:] if option == "single"]
        text += f": {', '.join(missing)} missing" if missing else ""
        collector.add(WRONG_INPUT_COUNT, text, place)
    for position, (name, (formal, option)) in enumerate(zip(node.inputs, signature.input_names, strict=False)):
        if not name and option == "single":
            text = f"input {position} (`{formal}`) is required, but left out"
            collector.add(WRONG_INPUT_COUNT, text, place)


def _check_outputs(node: Node, signature: Signature, place: Place, collector: Collector) -> None:
    count = len(node.outputs)
    fewest, most = signature.outputs
    if not fewest <= count <= most:
        collector.add(WRONG_OUTPUT_COUNT, f"gives {_amount(signature.outputs, 'output')}, not {count}", place)
    for position, (name, (formal, option)) in enumerate(zip(node.outputs, signature.output_names, strict=False)):
        if not name and option == "single":
            text = f"output {position} (`{formal}`) is required, but has no name"
            collector.add(WRONG_OUTPUT_COUNT, text, place)


def _amount(counts: tuple[int, int], what: str) -> str:
    fewest, most = counts
    if most == _ANY:
        return f"at least {fewest} {what}{'s' * (fewest != 1)}"
    if fewest == most:
        return f"{most or 'no'} {what}{'s' * (most != 1)}"
    return f"{fewest} to {most} {what}s"


def _check_attribute(attr: Attr, signature: Signature, place: Place, collector: Collector) -> None:
    kind = signature.kinds.get(attr.name)
    if kind is None:
        if not attr.name.startswith("__"):
            _report_unknown(attr, signature, place, collector)
    elif kind and attr.type and kind != attr.type:
        text = f"attribute `{attr.name}` is {_TYPES[kind]}, not {_type(attr.type)}"
        collector.add(WRONG_ATTRIBUTE_TYPE, text, place)


def _report_unknown(attr: Attr, signature: Signature, place: Place, collector: Collector) -> None:
    near = "" if collector.full(UNKNOWN_ATTRIBUTE) else collector.suggestion(attr.name, signature.kinds)
    if signature.function:
        text = f"the function has no attribute `{attr.name}`, so it changes nothing{near}"
        collector.add(UNKNOWN_ATTRIBUTE, text, place, "warning")
        return
    if not near and attr.name in (name for name, _ in signature.input_names):
        near = "; it is an input"
    collector.add(UNKNOWN_ATTRIBUTE, f"has no attribute `{attr.name}`{near}", place)


def _report_reference(
    attr: Attr, ref: str, signature: Signature, place: Place, own: Collection[str] | None, collector: Collector
) -> None:
    if own is None:
        text = f"attribute `{attr.name}` refers to `{ref}` of a function, but stands in none"
        collector.add(UNDECLARED_REFERENCE, text, place)
        return
    text = f"attribute `{attr.name}` refers to `{ref}`, which the function does not have"
    severity = "error" if attr.name in signature.vital else None
    collector.add(UNDECLARED_REFERENCE, text + collector.suggestion(ref, own), place, severity)


def _check_missing(node: Node, signature: Signature, place: Place, collector: Collector) -> None:
    missing = signature.required - node.attrs.keys()
    if missing & signature.vital:
        _report_missing(missing & signature.vital, place, None, collector)
    if missing - signature.vital:
        _report_missing(missing - signature.vital, place, "information", collector)


def _report_missing(names: frozenset[str], place: Place, severity: Severity | None, collector: Collector) -> None:
    shown = ", ".join(f"`{name}`" for name in sorted(names))
    text = f"attribute {shown} is missing" if len(names) == 1 else f"attributes {shown} are missing"
    collector.add(MISSING_ATTRIBUTE, text, place, severity)


def _attribute_place(node: Node, name: str, place: Place) -> Place:
    span = node.origin.attributes.get(name) if node.origin else None
    return place if span is None else replace(place, span=span)


def _type(kind: int) -> str:
    return _TYPES[kind] if 0 <= kind < len(_TYPES) else f"of type {kind}"
