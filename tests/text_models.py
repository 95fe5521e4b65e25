"""Models from texts, and what they say as values that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from onnxls.frontends.text import TextModel, read_text
from onnxls.graph import Attr, Function, Graph, Model, Node, Tensor, TypeInfo, Value
from onnxls.spans import Span


def plain(thing: object) -> object:
    """A model as nested tuples, without what a listing leaves out."""
    match thing:
        case Model():
            functions = {key: plain(function) for key, function in thing.functions.items()}
            return plain(thing.graph), dict(thing.opsets), functions, thing.ir_version, thing.producer, thing.metadata
        case Graph():
            weights = thing.initializers
            types = {name: TypeInfo("tensor", each.dtype, each.dims) for name, each in weights.items()}
            infos = {name: each for name, each in thing.value_info.items() if types.get(name) != each}
            return thing.name, _all(thing.inputs), _all(thing.outputs), _all(thing.nodes), _values(weights), infos
        case Function():
            called = (thing.domain, thing.name, thing.overload, thing.inputs, thing.outputs, thing.attributes)
            return called, _all(thing.nodes), _values(thing.defaults), dict(thing.opsets), thing.value_info
        case Node():
            called = (thing.op_type, thing.domain, thing.overload, thing.name)
            return called, thing.inputs, thing.outputs, _values(thing.attrs)
        case Attr():
            return thing.name, thing.type, plain(thing.value), thing.ref
        case Value():
            return thing.name, thing.type
        case Tensor():
            return thing.dtype, thing.dims, repr(thing.values)
        case tuple():
            return _all(cast("tuple[object, ...]", thing))
        case float():
            return repr(thing)
        case _:
            return thing


def _all(things: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(map(plain, things))


def _values(things: Mapping[str, object]) -> dict[str, object]:
    return {name: plain(thing) for name, thing in things.items()}


def read(text: str) -> TextModel:
    return read_text(text, "m.onnxtxt")


def whole(text: str) -> Model:
    """The model of a text without errors."""
    found = read(text)
    assert [each.message for each in found.diagnostics] == []
    assert found.model is not None
    return found.model


def at(text: str, span: Span | None) -> str:
    assert span is not None
    return text[span.start : span.end]
