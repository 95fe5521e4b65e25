"""What the walk finds, before it is put into words and places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onnxls.assumptions import Assumptions
from onnxls.diagnostics import Outcome
from onnxls.graph import Node
from onnxls.keys import node_step
from onnxls.relations import Condition
from onnxls.rules import Rule, Severity
from onnxls.spans import Span


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the model: the node or value, how it is reached, and the range in the text if there is one.

    `node` is the path of names (`call/mm`), `graph_path` that of a location; `caller` is the call that led into a
    function body; `written` is the construct that the node comes from, where the author wrote no call of the operator.
    """

    graph_path: str
    node: str | None = None
    op_type: str | None = None
    value: str | None = None
    span: Span | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    caller: Place | None = None
    written: str = ""


def node_place(node: Node, index: int, graph_path: str, label: str, caller: Place | None = None) -> Place:
    """The place of a node in the graph at a path; `label` is the path of names to it."""
    value = next((name for name in node.outputs if name), None)
    span = node.origin.span if node.origin else None
    written = node.origin.written if node.origin else ""
    path = f"{graph_path}/{node_step(node.name, node.op_type, index)}"
    return Place(path, label, node.op_type, value, span, node.metadata, caller, written)


@dataclass(slots=True)
class Finding:
    """One finding. `known` is what was known over input sizes >= 1 when it was made; `condition` is what fails there.

    `certain` is False in code that may not run. `repeats` are further places with the same cause.
    """

    rule: Rule
    text: str
    place: Place
    severity: Severity | None = None
    verdict: Outcome | None = None
    condition: Condition | None = None
    known: Assumptions | None = None
    hinted: bool = False
    empty_only: bool = False
    certain: bool = True
    repeats: list[Place] = field(default_factory=list[Place])
    related: list[tuple[Place, str]] = field(default_factory=list[tuple[Place, str]])
