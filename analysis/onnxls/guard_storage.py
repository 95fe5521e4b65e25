"""Writes guards in the form that `onnxls.load_guards` reads, and puts them into the bytes of a model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from onnxls.dims import Atom, Dim, Symbol
from onnxls.facts import Fact
from onnxls.frontends.wire import BYTES, Buffer, encoded_field, fields
from onnxls.guard_set import KEY, VERSION
from onnxls.relations import AllOf, Condition, Relation
from onnxls.units import Unit

_METADATA, _KEY, _VALUE = 14 << 3 | BYTES, 1 << 3 | BYTES, 2 << 3 | BYTES
_CHUNK = 1 << 24
_SIGNS = {"floordiv": "//", "mod": "%"}


def dump(unit: Unit, assumed: Sequence[Condition] = ()) -> str:
    """The guards of a unit as JSON. What was assumed of the sizes becomes an expectation: the guards rest on it."""
    guards = [_guard("expect", condition, None, "assumption") for condition in assumed]
    guards += [_guard(guard.kind, guard.condition, guard.node, guard.reason) for guard in unit.guards]
    content = {
        "version": VERSION,
        "inputs": {name: _declared(fact) for name, fact in unit.declared.items()},
        "guards": guards,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _guard(kind: str, condition: Condition, node: str | None, reason: str) -> dict[str, object]:
    return {"kind": kind, "condition": str(condition), "test": _test(condition), "node": node, "reason": reason}


def _declared(fact: Fact) -> list[int | str] | None:
    """The declared shape of an input: integers and names."""
    if fact.shape is None:
        return None
    return [dim.const if dim.const is not None else next(iter(dim.symbols())) for dim in fact.shape]


def _test(condition: Condition) -> list[object]:
    if isinstance(condition, Relation):
        return [condition.op, _size(condition.lhs), _size(condition.rhs)]
    return ["and" if isinstance(condition, AllOf) else "or", *(_test(part) for part in condition.parts)]


def _size(dim: Dim) -> object:
    terms: list[object] = []
    for monomial, coefficient in dim.terms.items():
        factors: list[object] = [coefficient] if coefficient != 1 or not monomial else []
        factors += [_atom(atom) for atom in monomial]
        terms.append(factors[0] if len(factors) == 1 else ["*", *factors])
    if not terms:
        return 0
    return terms[0] if len(terms) == 1 else ["+", *terms]


def _atom(atom: Atom) -> object:
    if isinstance(atom, Symbol):
        return atom.name
    return [_SIGNS.get(atom.op, atom.op), *(_size(arg) for arg in atom.args)]


def with_guards(data: Buffer, text: str) -> Iterator[bytes]:
    """The bytes of a model with the stored guards in place of those that it carried; weights are copied as they are."""
    position = 0
    for tag, start, end in fields(data, 0, len(data)):
        if not (tag == _METADATA and _carries_guards(data, start, end)):
            for part in range(position, end, _CHUNK):
                yield data[part : min(part + _CHUNK, end)]
        position = end
    key, value = KEY.encode(), text.encode("utf-8", "surrogatepass")
    yield encoded_field(_METADATA, encoded_field(_KEY, key) + encoded_field(_VALUE, value))


def _carries_guards(data: Buffer, start: int, end: int) -> bool:
    return any(tag == _KEY and data[a:b] == KEY.encode() for tag, a, b in fields(data, start, end))
