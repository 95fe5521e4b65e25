"""Calls of operators outside script functions: in traced functions, in modules, in patterns of rewrites.

What surrounds them is Python of any kind, so no shape is followed; the names of operators and attributes are checked.
An opset that is not known is taken for the standard one only to find a near miss.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from onnxls import schemas
from onnxls.frontends.script.abstract import Opset
from onnxls.frontends.script.chunks import Chunk
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.names import Place, Scope, Seat
from onnxls.frontends.script.survey import survey
from onnxls.rules import Rule, rule
from onnxls.schemas import Schema
from onnxls.spans import Span

TRACED_OPERATOR = rule(
    "traced-unknown-operator",
    "OLS577",
    "warning",
    """
    A call in a traced function, a module or a pattern names an operator that does not exist.

    ```py
    from onnxscript.function_libs.torch_lib.registration import torch_op
    from onnxscript import opset18 as op

    @torch_op("aten::relu", trace_only=True)
    def aten_relu(self):
        return op.Reluu(self)  # warning: [traced-unknown-operator] "did you mean `Relu`"
    ```

    Correct the name, or import a later opset.
    """,
)
TRACED_ATTRIBUTE = rule(
    "traced-unknown-attribute",
    "OLS578",
    "warning",
    """
    A call in a traced function, a module or a pattern gives an argument that the operator does not have.

    ```py
    from onnxscript.function_libs.torch_lib.registration import torch_op
    from onnxscript import opset18 as op

    @torch_op("aten::softmax", trace_only=True)
    def aten_softmax(self, dim: int):
        return op.Softmax(self, axes=dim)  # warning: [traced-unknown-attribute] "did you mean `axis`"
    ```
    """,
)
TRACED_ARGUMENTS = rule(
    "traced-argument-count",
    "OLS579",
    "warning",
    """
    A call in a traced function, a module or a pattern lacks an argument that the operator needs, or has too many.

    ```py
    from onnxscript.function_libs.torch_lib.registration import torch_op
    from onnxscript import opset18 as op

    @torch_op("aten::add", trace_only=True)
    def aten_add(self, other):
        return op.Add(self)  # warning: [traced-argument-count] "lacks `B`"
    ```
    """,
)
_PARAMETERS = frozenset(("op", "_op"))
_NEAR = 0.84


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that is wrong with a call."""

    about: Rule
    text: str
    span: Span


def check_calls(node: ast.FunctionDef, scope: Scope, seat: Seat, evaluator: Evaluator) -> Iterator[Remark]:
    """What is wrong with the operator calls in one function that is no script function; nested functions count."""
    opsets: dict[str, Opset | None] = {}
    place = Place(seat, node.lineno)
    found = survey(node)
    for call in found.calls:
        if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name):
            continue
        name = call.func.value.id
        if name not in opsets:
            value = None if name in found.bound else evaluator.name(name, scope, place)
            opsets[name] = value if isinstance(value, Opset) else None
        opset = opsets[name]
        if (opset is None and name not in _PARAMETERS) or any(each.arg == "_domain" for each in call.keywords):
            continue
        yield from _check(call, call.func, opset, seat.chunk)


def _check(call: ast.Call, callee: ast.Attribute, opset: Opset | None, chunk: Chunk) -> Iterator[Remark]:
    name = callee.attr
    domain = "" if opset is None else opset.domain
    known = _names(domain)
    if not known or not name[:1].isupper():
        return
    if name not in known:
        near = [each for each in sorted(known) if each.lower() == name.lower()] or get_close_matches(
            name, sorted(known), 1, _NEAR
        )
        if near:
            yield Remark(
                TRACED_OPERATOR, f"there is no operator `{name}`; did you mean `{near[0]}`?", chunk.span(callee)
            )
        return
    first = schemas.versions(domain, name)[0]
    if opset is not None and first > opset.version:
        text = f"`{name}` came with opset {first}, but this is opset {opset.version}"
        yield Remark(TRACED_OPERATOR, text, chunk.span(callee))
        return
    arguments = _arguments(domain, name, None if opset is None else opset.version)
    for keyword in call.keywords:
        if keyword.arg is not None and keyword.arg not in arguments and not keyword.arg.startswith("_"):
            near = get_close_matches(keyword.arg, arguments, 1)
            if opset is None and not near:
                continue
            hint = f"; did you mean `{near[0]}`?" if near else ""
            yield Remark(TRACED_ATTRIBUTE, f"`{name}` has no `{keyword.arg}`{hint}", chunk.span(keyword))
    text = _miscounted(call, _schemas(domain, name, None if opset is None else opset.version), opset is not None)
    if text:
        yield Remark(TRACED_ARGUMENTS, f"`{name}` {text}", chunk.span(callee))


def _miscounted(call: ast.Call, found: tuple[Schema, ...], exact: bool) -> str:
    """What is wrong with the number of arguments; `exact`: the version is known, so that what lacks is known too."""
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return ""
    return _lacking(found, len(call.args), frozenset(each.arg or "" for each in call.keywords), exact)


@lru_cache(maxsize=4096)
def _lacking(found: tuple[Schema, ...], count: int, given: frozenset[str], exact: bool) -> str:
    most = [None if each.max_inputs is None else len(each.inputs) + len(each.attributes) for each in found]
    if all(each is not None and count > each for each in most):
        return f"takes at most {max(each or 0 for each in most)} arguments, not {count}"
    for schema in found if exact else ():
        needed = [each.name for each in schema.inputs[count : schema.min_inputs] if each.name not in given]
        if schema.max_inputs is None or count <= len(schema.inputs):
            needed += [name for name, each in schema.attributes.items() if each.required and name not in given]
        if needed:
            return f"lacks {', '.join(f'`{each}`' for each in needed)}"
    return ""


@lru_cache(maxsize=64)
def _names(domain: str) -> frozenset[str]:
    return frozenset(schemas.known_operators(domain))


@lru_cache(maxsize=4096)
def _schemas(domain: str, name: str, version: int | None) -> tuple[Schema, ...]:
    """An operator in a version, or in all."""
    versions = range(1, schemas.latest_opset(domain) + 1) if version is None else (version,)
    found = [schemas.lookup(domain, name, each) for each in versions]
    return tuple(dict.fromkeys(each for each in found if each is not None))


@lru_cache(maxsize=4096)
def _arguments(domain: str, name: str, version: int | None) -> frozenset[str]:
    """The names of the inputs and attributes of an operator in a version, or in any."""
    found = _schemas(domain, name, version)
    return frozenset(each for schema in found for each in (*schema.attributes, *(one.name for one in schema.inputs)))
