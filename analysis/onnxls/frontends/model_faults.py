"""What is wrong with a binary model, found while it is read: the rules, and the way to each place."""

from __future__ import annotations

from dataclasses import dataclass, field

from onnxls.diagnostics import Diagnostic, Related
from onnxls.frontends.tensors import Fault
from onnxls.graph import Tensor
from onnxls.rules import Rule, Severity, rule
from onnxls.spans import Location

UNREADABLE = rule(
    "unreadable-model",
    "OLS001",
    "error",
    """
    The file cannot be read as an ONNX model.

    It is empty, truncated, of another format, or may not be opened; or it is a text form of a model with a mistake
    in it.

    No runtime can load it, and nothing in it can be analysed.

    Check that the download or the export ran to its end, that the file is an ONNX model (not a checkpoint, an
    archive or a web page saved under this name), and that it may be read.
    """,
)

NO_GRAPH = rule(
    "model-without-graph",
    "OLS003",
    "error",
    """
    The file holds no graph.

    It can be read as protobuf, but the field that would hold the model's graph is missing: most often it is not an
    ONNX model at all, or a tensor (`.pb`) under a model's name.

    No runtime can load it.

    Export the model again, or name the file after what it is.
    """,
)

TOO_DEEP = rule(
    "nesting-too-deep",
    "OLS004",
    "error",
    """
    Graphs or types are nested too deep.

    protobuf reads at most 100 messages inside one another, which is 33 graphs or 47 sequence types. The file has more.

    onnx and onnxruntime refuse to load the model.

    Flatten the nested `If`, `Loop` and `Scan` bodies, or move some into functions of the model.
    """,
)

OPSET_MISSING = rule(
    "opset-import-missing",
    "OLS008",
    "error",
    """
    An operator set that the model uses is not imported.

    `opset_import` says in which version of its domain an operator is meant. A domain that nodes use is not in it.

    onnx's checker refuses such a model. onnxruntime refuses it too, with one exception, which is a warning here: in
    a model that imports something, a missing domain that onnxruntime knows counts as imported in the newest version
    that the installed onnxruntime has, so an upgrade changes what the model means. The analysis does the same.

    Import the domain in the version that was meant: `onnx.helper.make_opsetid("", 17)`.
    """,
)

TOO_LARGE = rule(
    "attribute-too-large",
    "OLS009",
    "information",
    """
    An attribute is so large that it is not read.

    The texts and lists of numbers in the attributes of one model are read up to 64 MiB. This attribute would go
    beyond that. Tensors do not count: they are never read as a whole.

    The analysis goes on as if the attribute's value were unknown. Runtimes read the value as ever.

    Keep large constants in initializers. A compiled blob that a runtime puts into an attribute (`EPContext`) is best
    kept in a file of its own, which its tools offer as `embed_mode = 0`.
    """,
)

_MOST_RELATED = 8
_MOST_DIAGNOSTICS = 100


class TooDeepError(Exception):
    """Graphs or types are nested in more messages than protobuf reads."""


@dataclass(slots=True)
class _Found:
    """A fault whose place is still being told: `steps` lead from it outwards."""

    rule: Rule
    severity: Severity
    message: str
    cause: str = ""
    steps: list[str] = field(default_factory=list[str])
    node: str | None = None
    value: str | None = None

    def location(self, path: str) -> Location:
        return Location(path, graph_path="/".join(reversed(self.steps)) if self.steps else None)


class Faults:
    """The faults of one model, in the order in which they are found. Who reads a part adds its step to those in it."""

    def __init__(self) -> None:
        self._found: list[_Found] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, about: Rule, message: str, severity: Severity | None = None, cause: str = "") -> None:
        """Notes a fault; those of one cause become one diagnostic. The severity is the rule's unless it is given."""
        self._found.append(_Found(about, severity or about.severity, message, cause))

    def step(self, before: int, step: str, node: str | None = None) -> None:
        """Adds a step to the way to the faults that were noted since there were `before`; `node` is a name in it."""
        for found in self._found[before:]:
            found.steps.append(step)
            found.node = found.node or node

    def name_value(self, name: str) -> None:
        """Says which value the last fault is of."""
        self._found[-1].value = name

    def told(self, tensor: Tensor, fault: Fault | None) -> Tensor:
        """The tensor, when what is wrong with it is noted."""
        if fault is not None:
            self.add(fault.rule, fault.message, cause=fault.cause)
        return tensor

    def diagnostics(self, path: str) -> tuple[Diagnostic, ...]:
        """Faults of one cause are one diagnostic, with the other places related to it."""
        groups: dict[tuple[str, str | int], list[_Found]] = {}
        for index, found in enumerate(self._found):
            groups.setdefault((found.rule.name, found.cause or index), []).append(found)
        made = [_diagnostic(group, path) for group in list(groups.values())[:_MOST_DIAGNOSTICS]]
        if len(groups) > _MOST_DIAGNOSTICS:
            message = f"{len(groups) - _MOST_DIAGNOSTICS} more findings of this kind"
            made.append(of_file(self._found[0].rule, path, message))
        return tuple(made)


def of_file(about: Rule, path: str, message: str) -> Diagnostic:
    """The diagnostic of a fault of a file as a whole."""
    return Diagnostic(about.name, about.code, about.severity, message, Location(path))


def _diagnostic(group: list[_Found], path: str) -> Diagnostic:
    first = group[0]
    message = f"{first.message} (and {len(group) - 1} more places)" if len(group) > 1 else first.message
    related = tuple(Related(other.location(path), other.message) for other in group[1 : 1 + _MOST_RELATED])
    return Diagnostic(
        first.rule.name,
        first.rule.code,
        first.severity,
        message,
        first.location(path),
        related,
        first.node,
        first.value,
    )
