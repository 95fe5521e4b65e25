"""What the ONNX standard says of its operators, in every version, without importing onnx.

The table `schemas.json` is made by `tools/make_schemas.py`: for each domain and operator, per version, a list of
since, deprecated, inputs, outputs, attributes, and type constraints as indices of `type_sets`. It is read on first
use; a Schema is made when it is asked for. Domains that onnx does not define are absent.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast

from onnxls.graph import canonical_domain

Option = Literal["single", "optional", "variadic"]
Default = int | float | str | tuple[int, ...] | tuple[float, ...] | tuple[str, ...] | None

_OPTIONS: tuple[Option, ...] = ("single", "optional", "variadic")
_ELEMENT_TYPES = (
    "float uint8 int8 uint16 int16 int32 int64 string bool float16 double uint32 uint64 complex64 complex128 bfloat16 "
    "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 float8e8m0 uint2 int2 "
    "float6e2m3 float6e3m2"
)
_DTYPES = {f"tensor({name})": number for number, name in enumerate(_ELEMENT_TYPES.split(), 1)}
_TYPE_STRINGS = {number: text for text, number in _DTYPES.items()}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A formal input or output. `type` is a type string or the name of a constraint; a variadic one is the last."""

    name: str
    type: str
    option: Option = "single"
    min_arity: int = 1


@dataclass(frozen=True, slots=True)
class Attribute:
    """A formal attribute. `type` is an `AttributeProto.AttributeType`; `default` None: none, or no plain value."""

    name: str
    type: int
    required: bool = False
    default: Default = None


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """An operator in the version that begins with opset `since`."""

    domain: str
    name: str
    since: int
    deprecated: bool
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    attributes: Mapping[str, Attribute]
    constraints: Mapping[str, frozenset[str]]

    @property
    def min_inputs(self) -> int:
        """The fewest inputs a node may list."""
        return _fewest(self.inputs)

    @property
    def max_inputs(self) -> int | None:
        """The most inputs a node may list; None: any number."""
        return _most(self.inputs)

    @property
    def min_outputs(self) -> int:
        """The fewest outputs a node may list."""
        return _fewest(self.outputs)

    @property
    def max_outputs(self) -> int | None:
        """The most outputs a node may list; None: any number."""
        return _most(self.outputs)

    def allowed(self, type_str: str) -> frozenset[str]:
        """The types that a parameter's `type` admits."""
        return self.constraints.get(type_str) or frozenset((type_str,))


@lru_cache(maxsize=4096)
def lookup(domain: str, op_type: str, opset: int) -> Schema | None:
    """The operator as it is in an opset of its domain; None where there is none (yet)."""
    domain = canonical_domain(domain)
    place = bisect_right(versions(domain, op_type), opset) - 1
    return None if place < 0 else _schema(domain, op_type, place)


def known_operators(domain: str) -> tuple[str, ...]:
    """The names of all operators that a domain ever had, sorted; () for an unknown domain."""
    return tuple(_operators(domain))


def versions(domain: str, op_type: str) -> tuple[int, ...]:
    """The opsets in which an operator was introduced or changed, ascending; () for an unknown operator."""
    return tuple(version[0] for version in _operators(domain).get(op_type, ()))


def latest_opset(domain: str) -> int:
    """The newest opset of a domain that the table knows; 0 for an unknown domain."""
    return _table()["opsets"].get(canonical_domain(domain), 0)


def onnx_version() -> str:
    """The version of onnx that the table was made from."""
    return _table()["onnx"]


def dtype_of(type_str: str) -> int | None:
    """The `TensorProto.DataType` of a tensor type string: `tensor(float)` is 1; None for what is no tensor type."""
    return _DTYPES.get(type_str)


def type_string(dtype: int) -> str | None:
    """The type string of a tensor with a `TensorProto.DataType`: 1 is `tensor(float)`."""
    return _TYPE_STRINGS.get(dtype)


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return json.loads(Path(__file__).with_suffix(".json").read_bytes())


def _operators(domain: str) -> dict[str, list[Any]]:
    return _table()["operators"].get(canonical_domain(domain), {})


@lru_cache(maxsize=4096)
def _schema(domain: str, op_type: str, place: int) -> Schema:
    since, deprecated, inputs, outputs, attributes, constraints = _operators(domain)[op_type][place]
    return Schema(
        domain,
        op_type,
        since,
        bool(deprecated),
        tuple(_parameter(*row) for row in inputs),
        tuple(_parameter(*row) for row in outputs),
        {row[0]: _attribute(*row) for row in attributes},
        {name: _type_set(index) for name, index in constraints.items()},
    )


def _parameter(name: str, type_str: str, option: int = 0, min_arity: int = 1) -> Parameter:
    return Parameter(name, type_str, _OPTIONS[option], min_arity)


def _attribute(name: str, kind: int, required: int = 0, default: Any = None) -> Attribute:
    if isinstance(default, list):
        default = tuple(cast("list[Any]", default))
    return Attribute(name, kind, bool(required), default)


@lru_cache(maxsize=512)
def _type_set(index: int) -> frozenset[str]:
    return frozenset(_table()["type_sets"][index].split("|"))


def _fewest(parameters: tuple[Parameter, ...]) -> int:
    fewest = 0
    for place, parameter in enumerate(parameters):
        if parameter.option == "single":
            fewest = place + 1
        elif parameter.option == "variadic":
            fewest = place + parameter.min_arity
    return fewest


def _most(parameters: tuple[Parameter, ...]) -> int | None:
    return None if parameters and parameters[-1].option == "variadic" else len(parameters)
