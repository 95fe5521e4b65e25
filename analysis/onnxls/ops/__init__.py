"""The table of operator rules: one small function for each operator and each version that means something else.

A rule is pure: it reads facts and attributes, asks, requires, and returns facts. See `onnxls.ops.context`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from onnxls.facts import Fact
from onnxls.ops.context import OpContext

Infer = Callable[[OpContext], "Fact | tuple[Fact, ...]"]

FAMILIES = (
    "elementwise",
    "unary",
    "casting",
    "along_axis",
    "matmul",
    "einsum",
    "reshape",
    "ranks",
    "movement",
    "splitting",
    "padding",
    "indexing",
    "selection",
    "slicing",
    "scatter",
    "reduce",
    "convolution",
    "pooling",
    "images",
    "resizing",
    "normalize",
    "quantize",
    "losses",
    "recurrent",
    "attention",
    "linear_attention",
    "sources",
    "ranges",
    "signal",
    "control_flow",
    "loops",
    "scans",
    "sequences",
    "optionals",
    "text",
    "ml",
    "training",
    "microsoft",
    "microsoft_attention",
    "microsoft_heads",
    "microsoft_layout",
    "microsoft_state",
    "microsoft_tensors",
    "microsoft_positions",
    "microsoft_quantized",
    "microsoft_matmul",
)


@dataclass(frozen=True, slots=True)
class OpRule:
    """How an operator's outputs follow from its inputs, from version `since` on."""

    domain: str
    name: str
    since: int
    infer: Infer


_TABLE: dict[tuple[str, str], list[OpRule]] = {}


def op(*names: str, since: int = 1, domain: str = "") -> Callable[[Infer], Infer]:
    """Declares a rule for operators of a domain, from an opset version on; a second one for the same raises."""

    def declare(infer: Infer) -> Infer:
        for name in names:
            versions = _TABLE.setdefault((domain, name), [])
            if any(each.since == since for each in versions):
                raise ValueError(f"{domain}::{name} version {since} has two rules")
            versions.append(OpRule(domain, name, since, infer))
            versions.sort(key=lambda each: each.since)
        return infer

    return declare


@cache
def _load() -> None:
    for family in FAMILIES:
        import_module(f"onnxls.ops.{family}")


@cache
def lookup(domain: str, name: str, version: int) -> OpRule | None:
    """The rule in force for an operator at an opset version, or None."""
    _load()
    versions = _TABLE.get((domain, name))
    if not versions:
        return None
    at = bisect_right([each.since for each in versions], version)
    return versions[at - 1] if at else None


def registered() -> tuple[OpRule, ...]:
    """All rules, by domain, name and version."""
    _load()
    return tuple(each for key in sorted(_TABLE) for each in _TABLE[key])
