"""What nodes call: operators of the standard in the version that is imported, functions of the model, or neither.

A function goes before an operator of the same name. `Catalog` answers once for each operator and set of imports.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from onnxls import ops, schemas
from onnxls.findings import Finding, Place
from onnxls.graph import Model, Node
from onnxls.lints.collector import MAX_RELATED, Collector
from onnxls.lints.scopes import FunctionKey, Scope
from onnxls.lints.signatures import Signature, check_node, signature_of, signature_of_function
from onnxls.ops.own import Operators, installed
from onnxls.rules import Rule, Severity, rule

UNKNOWN_OPERATOR = rule(
    "unknown-operator",
    "OLS034",
    "error",
    """
    No version of the standard has the operator.

    The domain is one that ONNX defines, so there is nobody else who could provide it. onnx's checker and onnxruntime
    refuse the model. (Operators that onnxruntime itself puts into the default domain are information: it alone runs
    them.)

    ```onnx
    g (float[N] x) => (float[N] y) {
      # error: [unknown-operator] "did you mean `Sigmoid`?"
      y = Sigmiod (x)
    }
    ```

    Correct the name or the domain.
    """,
)
NEWER_OPERATOR = rule(
    "operator-not-in-opset",
    "OLS035",
    "error",
    """
    An operator was added to the standard after the opset that the model imports.

    ```onnx
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[N] x) => (float[N] y) {
      # error: [operator-not-in-opset] "opset 20"
      y = Gelu (x)
    }
    ```

    Import the newer opset (`onnx.version_converter` brings the other nodes along), or write the operator in terms of
    older ones.
    """,
)
DEPRECATED_OPERATOR = rule(
    "deprecated-operator",
    "OLS036",
    "error",
    """
    An operator is deprecated in the opset that the model imports.

    onnx's checker and onnxruntime refuse it from that opset on. (`GroupNormalization` is deprecated in opsets 18 to 20
    and came back with another meaning of its parameters; onnxruntime runs it there, so it is a warning.)

    ```onnx
    g (float[N, 4] x, int64[N, 4] i) => (float[N, 4] y) {
      # error: [deprecated-operator] "use `ScatterElements`"
      y = Scatter (x, i, x)
    }
    ```

    Use the operator that has taken its place.
    """,
)
FOREIGN_DOMAIN = rule(
    "foreign-domain",
    "OLS037",
    "information",
    """
    Operators come from a domain of which nothing is known here.

    They run where somebody has registered them. Here their outputs are of unknown shape, and so is much of what
    depends on them; there is one such note for each domain.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.lab" : 1]>
    g (float[N] x) => (float[N] y) {
      # information: [foreign-domain] "`ai.lab`"
      y = ai.lab.Swirl (x)
    }
    ```

    State the shape rule of the operator in the settings (`operators`), or put the operator's meaning into a function
    of the model.
    """,
)
UNKNOWN_FUNCTION = rule(
    "unknown-function",
    "OLS038",
    "warning",
    """
    A node calls a function that the model does not have, but its domain has one of nearly the same name.

    onnxruntime refuses the model unless somebody has registered an operator of the name.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "local" : 1]>
    g (float[N] x) => (float[N] y) {
      # warning: [unknown-function] "did you mean `normalize`?"
      y = local.normalise (x)
    }
    <domain: "local", opset_import: ["" : 20]>
    normalize (a) => (b) {
      b = Sigmoid (a)
    }
    ```

    Correct the name.
    """,
)

_SUCCESSORS = {"Upsample": "Resize", "Scatter": "ScatterElements"}
_OF_ONNXRUNTIME = frozenset({"SimplifiedLayerNormalization", "MemcpyFromHost", "MemcpyToHost"})
_OF_OLD_ONNXRUNTIME = frozenset(
    {"Affine", "Crop", "DynamicSlice", "ImageScaler", "ParametricSoftplus", "Scale", "ScaledTanh"}
)
_OLD = 10
_RUN_BEFORE_THEIR_OPSET = frozenset({"LayerNormalization"})


@dataclass(frozen=True, slots=True, eq=False)
class Callee:
    """What a node calls: how it is called where that is known, and the finding that it is called at all."""

    signature: Signature | None = None
    function: bool = False
    finding: Finding | None = None


class Catalog:
    """What the nodes of a model may call. `attributes`: those that nodes of the main graph may refer to."""

    def __init__(
        self, model: Model, attributes: Collection[str] | None, collector: Collector, known: Operators
    ) -> None:
        self.attributes = attributes
        self._known = known
        self._functions = model.functions
        self._local = {domain for domain, _, _ in model.functions}
        self._collector = collector
        self._met: dict[int, dict[FunctionKey, Callee]] = {}
        self._foreign: dict[str, tuple[Finding, dict[str, None]]] = {}

    def of(self, scope: Scope) -> dict[FunctionKey, Callee]:
        """What was looked up under the imports of a body."""
        return self._met.setdefault(id(scope.opsets), {})

    def look_up(self, node: Node, scope: Scope, index: int) -> Callee:
        """What a node calls, looked up for the first time; reports what is wrong with that."""
        function = self._functions.get((node.domain, node.op_type, node.overload))
        if function is not None:
            return Callee(signature_of_function(function), function=True)
        newest = schemas.latest_opset(node.domain)
        if not newest:
            return self._outside(node, scope, index)
        opset = scope.opsets.get(node.domain, 0)
        schema = schemas.lookup(node.domain, node.op_type, opset) if opset else None
        if not opset or (not node.op_type and node.origin is not None):
            return Callee()
        if schema is None:
            return Callee(
                finding=self._report(*_unknown(node, opset, newest, self._collector), scope.call_place(index))
            )
        if schema.deprecated:
            text, severity = _deprecated(node, schema.since, opset)
            return Callee(finding=self._report(DEPRECATED_OPERATOR, text, severity, scope.call_place(index)))
        return Callee(signature_of(schema))

    def pure(self, node: Node) -> bool:
        """Whether a node surely does nothing but give its outputs."""
        return bool(schemas.versions(node.domain, node.op_type)) or (
            (node.domain, node.op_type, node.overload) in self._functions
        )

    def done(self) -> None:
        """Completes the findings about domains."""
        for domain, (finding, names) in self._foreign.items():
            shown = ", ".join(f"`{name}`" for name in list(names)[:6])
            rest = f" and {len(names) - 6} more" if len(names) > 6 else ""
            what = "shapes behind" if domain != "com.microsoft" else "shapes behind some operators:"
            finding.text = (
                f"`{domain}` is a domain of which nothing is known here: the {what} {shown}{rest} are unknown"
            )
            finding.text += "".join(f"; {problem}" for problem in installed().problems)

    def _report(self, rule: Rule, text: str, severity: Severity | None, place: Place) -> Finding:
        return self._collector.add(rule, text, place, severity)

    def _outside(self, node: Node, scope: Scope, index: int) -> Callee:
        if node.domain in self._local:
            names = [name for domain, name, _ in self._functions if domain == node.domain]
            near = self._collector.suggestion(node.op_type, names)
            if near or node.op_type in names:
                what = "has no overload of the name" if node.op_type in names else "is no function of the model"
                text = f"`{node.op_type}` {what}{near}"
                return Callee(finding=self._report(UNKNOWN_FUNCTION, text, None, scope.call_place(index)))
        if self._known.lookup(node.domain, node.op_type, scope.opsets.get(node.domain, 1)) is None:
            known = self._foreign.get(node.domain)
            if known is None:
                finding = self._report(FOREIGN_DOMAIN, "", None, scope.call_place(index))
                known = self._foreign[node.domain] = finding, {}
            known[1][node.op_type] = None
        return Callee()


def check_nodes(scope: Scope, catalog: Catalog, collector: Collector) -> set[FunctionKey]:
    """Reports nodes of one body that call nothing known, or call it wrongly; gives the functions that are called."""
    met = catalog.of(scope)
    owner = scope.owner
    own = catalog.attributes if owner is None else (*owner.attributes, *owner.defaults)
    called: set[FunctionKey] = set()
    for index, node in enumerate(scope.nodes):
        key = node.domain, node.op_type, node.overload
        callee = met.get(key)
        if callee is None:
            callee = met[key] = catalog.look_up(node, scope, index)
        elif callee.finding is not None and len(callee.finding.related) < MAX_RELATED:
            callee.finding.related.append((scope.call_place(index), "used here too"))
        if callee.signature is not None:
            check_node(node, callee.signature, index, scope, own, collector)
            if callee.function:
                called.add(key)
    return called


def _deprecated(node: Node, since: int, opset: int) -> tuple[str, Severity | None]:
    text = f"is deprecated from opset {since} on; the model imports {opset}"
    back = next((each for each in schemas.versions(node.domain, node.op_type) if each > since), None)
    if back is not None:
        return f"{text}, and it is back in {back}; onnxruntime runs it all the same", "warning"
    successor = _SUCCESSORS.get(node.op_type)
    return (f"{text}; use `{successor}`" if successor else text), None


def _unknown(node: Node, opset: int, newest: int, collector: Collector) -> tuple[Rule, str, Severity | None]:
    versions = schemas.versions(node.domain, node.op_type)
    of = f" of `{node.domain}`" if node.domain else ""
    if versions:
        severity: Severity | None = None
        text = f"needs opset {versions[0]}{of}; the model imports {opset}"
        if not node.domain and node.op_type in _RUN_BEFORE_THEIR_OPSET:
            severity, text = "warning", f"{text}, in which onnxruntime alone has it"
        return NEWER_OPERATOR, text, severity
    if opset > newest:
        return (
            UNKNOWN_OPERATOR,
            f"is no operator{of} up to opset {newest}, the newest that is known here",
            "information",
        )
    if not node.domain and (node.op_type in _OF_ONNXRUNTIME or (node.op_type in _OF_OLD_ONNXRUNTIME and opset < _OLD)):
        return UNKNOWN_OPERATOR, "is no operator of the standard; onnxruntime alone has it", "information"
    text = f"is no operator{of}"
    elsewhere = _elsewhere(node)
    if elsewhere:
        return UNKNOWN_OPERATOR, f"{text}, but one of `{elsewhere}`", None
    return UNKNOWN_OPERATOR, text + collector.suggestion(node.op_type, schemas.known_operators(node.domain)), None


def _elsewhere(node: Node) -> str | None:
    for domain in ("", "ai.onnx.ml", "ai.onnx.preview.training", "com.microsoft"):
        if domain == node.domain:
            continue
        if schemas.versions(domain, node.op_type) or ops.lookup(domain, node.op_type, 1) is not None:
            return domain or "ai.onnx"
    return None
