"""Proposals at a place, and those that sources and ONNX text have in common: operators and attributes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from onnxls import schemas
from onnxls.schemas import Schema
from onnxls_server.features.cursor import Cursor
from onnxls_server.features.hover import attribute_text

ItemKind = Literal["operator", "function", "attribute", "input", "value", "dim", "rule", "directive", "enum"]
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal. `insert` replaces the text from `start` to `end`; `key` is for `completion_documentation`."""

    label: str
    kind: ItemKind
    start: int
    end: int
    insert: str
    detail: str = ""
    deprecated: bool = False
    key: Key = ()


def operators(at: Cursor, domain: str, version: int) -> list[Completion]:
    """The operators of an opset; deprecated ones last."""
    return [
        Completion(name, "operator", at.start, at.offset, name, signature, deprecated, key)
        for deprecated, name, signature, key in _operators(domain, version)
    ]


@lru_cache(maxsize=32)
def _operators(domain: str, version: int) -> tuple[tuple[bool, str, str, Key], ...]:
    """Whether it is deprecated, name, signature and key of each operator of an opset, in order."""
    found = (schemas.lookup(domain, name, version) for name in schemas.known_operators(domain))
    rows = (
        (each.deprecated, each.name, signature_text(each), ("operator", domain, each.name, str(each.since)))
        for each in found
        if each is not None
    )
    return tuple(sorted(rows))


def signature_text(schema: Schema) -> str:
    """`MatMul(A, B) -> Y`."""
    given = ", ".join(_formal(each.name, each.option) for each in schema.inputs)
    made = ", ".join(_formal(each.name, each.option) for each in schema.outputs)
    return f"{schema.name}({given}) -> {made}"


def _formal(name: str, option: str) -> str:
    return f"*{name}" if option == "variadic" else f"{name}?" if option == "optional" else name


def attributes(at: Cursor, schema: Schema, given: Iterable[str], form: str) -> list[Completion]:
    """The attributes of an operator that are not given yet, required ones first."""
    found: list[Completion] = []
    left = [each for name, each in schema.attributes.items() if name not in set(given)]
    for each in sorted(left, key=lambda each: (not each.required, each.name)):
        key = ("attribute", schema.domain, schema.name, str(schema.since), each.name)
        insert = form.format(each.name)
        found.append(Completion(insert, "attribute", at.start, at.offset, insert, attribute_text(each), key=key))
    return found
