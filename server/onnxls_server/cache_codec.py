"""Findings and rules as plain data for JSON, and back. What comes back is checked: a file may hold anything.

A dataclass is the list of its fields; a condition is its text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from onnxls import diagnostics
from onnxls.diagnostics import Diagnostic
from onnxls.expressions import parse_condition
from onnxls.relations import AllOf, AnyOf, Guard, Relation
from onnxls.rules import Rule


class NotPlainError(ValueError):
    """Something that cannot be kept, or that is not what it should be."""


def to_plain(value: object) -> object:
    """Raises NotPlainError for what would not come back as it was."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple):
        return [to_plain(each) for each in cast("tuple[object, ...]", value)]
    if isinstance(value, Mapping):
        return {str(key): to_plain(each) for key, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, Relation | AnyOf | AllOf):
        text = str(value)
        if str(_condition(text)) != text:
            raise NotPlainError(text)
        return text
    if dataclasses.is_dataclass(value):
        return [to_plain(getattr(value, each.name)) for each in dataclasses.fields(value)]
    raise NotPlainError(type(value).__name__)


def to_diagnostics(plain: object) -> tuple[Diagnostic, ...]:
    """The findings that `to_plain` was given; raises NotPlainError where these are none."""
    return tuple(_from(Diagnostic, each) for each in _of(list, plain))


def to_rules(plain: object) -> dict[str, Rule]:
    """The rules that `to_plain` was given, by name; raises NotPlainError where these are none."""
    return {each.name: each for each in (_from(Rule, one) for one in _of(list, plain))}


def _from(kind: Any, plain: object) -> Any:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _from_union(kind, plain)
    if origin is Literal:
        if plain not in get_args(kind):
            raise NotPlainError(f"{plain!r} is none of {get_args(kind)}")
        return plain
    if origin is tuple:
        return tuple(_from(get_args(kind)[0], each) for each in _of(list, plain))
    if origin is Mapping:
        return {key: _from(get_args(kind)[1], each) for key, each in _of(dict, plain).items()}
    if dataclasses.is_dataclass(kind) or _is_named_tuple(kind):
        return _from_fields(kind, _of(list, plain))
    return _of(kind, plain)


def _from_union(kind: Any, plain: object) -> Any:
    """A condition, or what may be None."""
    if Relation in get_args(kind):
        return _condition(_of(str, plain))
    if plain is None and NoneType in get_args(kind):
        return None
    return _from(next(each for each in get_args(kind) if each is not NoneType), plain)


def _from_fields(kind: Any, values: list[object]) -> Any:
    types = _types_of_fields(kind)
    if len(values) != len(types):
        raise NotPlainError(f"{len(values)} fields for a {kind.__name__}")
    return kind(*(_from(each, value) for each, value in zip(types, values, strict=True)))


def _condition(text: str) -> Relation | AnyOf | AllOf:
    try:
        return parse_condition(text)
    except (ValueError, RecursionError) as error:
        raise NotPlainError(text) from error


def _of(kind: Any, plain: object) -> Any:
    if type(plain) is not kind:  # to isinstance, a bool is an int
        raise NotPlainError(f"{plain!r} is no {kind}")
    return plain


@cache
def _types_of_fields(kind: Any) -> tuple[Any, ...]:
    names = {**vars(diagnostics), "Guard": Guard} if kind is Diagnostic else None
    hints = get_type_hints(kind, localns=names)
    return tuple(hints[name] for name in _field_names(kind))


def _field_names(kind: Any) -> Sequence[str]:
    if _is_named_tuple(kind):
        return cast("Sequence[str]", kind._fields)
    return [each.name for each in dataclasses.fields(kind)]


def _is_named_tuple(kind: Any) -> bool:
    return hasattr(kind, "_fields")
