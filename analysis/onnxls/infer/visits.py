"""One visit of a node, and one run of a graph nested in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from onnxls.facts import Fact
from onnxls.findings import Place
from onnxls.graph import Attr, Graph, Node
from onnxls.infer.frames import Frame
from onnxls.ops.context import RunMode
from onnxls.relations import Condition


class Visit(NamedTuple):
    """A node in one run of the graph that it is in, with what is known of its inputs (None: absent).

    `label` is its name in keys, `attrs` its attributes with those of the enclosing function put in.
    """

    node: Node
    label: str
    frame: Frame
    place: Place
    attrs: Mapping[str, Attr]
    inputs: tuple[Fact | None, ...]

    @property
    def stem(self) -> str:
        """What the names of the sizes begin with that are made here."""
        return self.frame.fresh + next((name for name in self.node.outputs if name), self.node.op_type)

    @property
    def fresh(self) -> str:
        """What the names of sizes begin with that are made inside the node."""
        return f"{self.frame.fresh}{self.label}/"


class NestedRun(NamedTuple):
    """A nested graph that an operator rule wants to be run, for the `turn`-th time, on facts of its inputs.

    `given` holds there, and `path` is when it runs, None if always; see `RunMode` for what stays of it.
    """

    name: str
    graph: Graph
    inputs: Sequence[Fact]
    mode: RunMode
    given: Sequence[Condition]
    path: Condition | None
    turn: int
