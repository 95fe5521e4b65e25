"""Rules about the graph itself: what can be seen without knowing a single shape.

`lint` gives a model that can be walked: nodes of every body in topological order. It never raises, touches every node
a fixed number of times, and returns the very model where there was nothing to put in order.
"""

from __future__ import annotations

from collections.abc import Collection

from onnxls.findings import Finding
from onnxls.graph import Model
from onnxls.lints import declared_sizes, imports, initializers, names, node_names, operators, order, signatures, unused
from onnxls.lints.collector import Collector
from onnxls.lints.scopes import FunctionKey, Scope, scopes_of
from onnxls.ops.own import Operators

__all__ = ["CALLS", "OF_ALL", "lint"]

CALLS = frozenset(
    (
        operators.UNKNOWN_OPERATOR,
        operators.NEWER_OPERATOR,
        operators.DEPRECATED_OPERATOR,
        signatures.WRONG_INPUT_COUNT,
        signatures.MISSING_ATTRIBUTE,
        signatures.WRONG_ATTRIBUTE_TYPE,
    )
)
"""The rules about a call as such: a node that breaks one of them cannot be made sense of."""

OF_ALL = frozenset(
    (
        names.UNDEFINED_VALUE,
        names.UNDEFINED_OUTPUT,
        unused.UNUSED_VALUE,
        unused.UNUSED_INITIALIZER,
        unused.UNUSED_FUNCTION,
    )
)
"""The rules that hold for all of a model: of a half-written one they would say what is not so."""


def lint(
    model: Model, attributes: Collection[str] | None = None, known: Operators | None = None
) -> tuple[Model, list[Finding]]:
    """The model with the nodes of all bodies in order, and what is wrong with the graph.

    `attributes`: those of the function that the main graph is the body of, if it is one. `known`: the operators that
    have a rule.
    """
    collector = Collector()
    arranged = order.arrange(model)
    scopes = scopes_of(arranged.model, arranged.captures)
    model = imports.import_missing(arranged.model, scopes, collector)
    if model is not arranged.model:
        scopes = scopes_of(model, arranged.captures)
    catalog = operators.Catalog(model, attributes, collector, known or Operators())
    calls: dict[FunctionKey | None, set[FunctionKey]] = {}
    for scope in scopes:
        names.define(scope, collector)
        order.report_order(scope, arranged, collector)
        names.report_names(scope, arranged, collector)
        node_names.report_node_names(scope, collector)
        calls.setdefault(_key(scope), set()).update(operators.check_nodes(scope, catalog, collector))
        unused.report_unused(scope, arranged, catalog.pure, collector)
    catalog.done()
    unused.report_functions(scopes, calls, collector)
    declared_sizes.report_input_sizes(scopes[0], collector)
    initializers.report_initializers(scopes[0], collector)
    for group in _naming_groups(scopes):
        declared_sizes.report_dim_names(group, collector)
    return model, collector.done()


def _key(scope: Scope) -> FunctionKey | None:
    function = scope.owner
    return None if function is None else (function.domain, function.name, function.overload)


def _naming_groups(scopes: list[Scope]) -> list[list[Scope]]:
    """The bodies that share names of dims: the main graph with those in it, and each function."""
    groups: dict[FunctionKey | None, list[Scope]] = {}
    for scope in scopes:
        if scope.value_info or scope.owner is not scope.body:
            groups.setdefault(_key(scope), []).append(scope)
    return list(groups.values())
