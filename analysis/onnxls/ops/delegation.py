"""Operators that are a standard operator with something added: its rule is applied to some of the inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from onnxls.facts import Fact
from onnxls.graph import Attr
from onnxls.ops import lookup
from onnxls.ops.context import OpContext

_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def apply_standard(
    ctx: OpContext,
    name: str,
    version: int,
    inputs: Sequence[int],
    *,
    dtype: int | None = None,
    facts: Mapping[int, Fact] | None = None,
    attrs: Mapping[str, Attr] | None = None,
    note: str = "",
) -> tuple[Fact, ...]:
    """The facts that the standard operator `name` gives for these inputs, with `dtype` where it leaves that open.

    `facts`: what stands in for the facts of some inputs; `note` then says so, after each text.
    """
    found = lookup("", name, version)
    assert found is not None, name
    other = facts or {}
    picked = tuple(other.get(index) or (ctx.inputs[index] if ctx.has(index) else None) for index in inputs)
    given = ctx.attrs if attrs is None else attrs
    inner = OpContext(ctx.desk, "", name, version, picked, given, ctx.wanted)
    inner.fresh_count = ctx.fresh_count
    outcome = found.infer(inner)
    ctx.fresh_count = inner.fresh_count
    ctx.given += inner.given
    ctx.asked += inner.asked
    ctx.requirements += [replace(each, text=_renumbered(each.text, inputs) + note) for each in inner.requirements]
    ctx.remarks += [replace(each, text=_renumbered(each.text, inputs) + note) for each in inner.remarks]
    made = outcome if isinstance(outcome, tuple) else (outcome,)
    return tuple(replace(fact, dtype=dtype) if fact.dtype is None and fact.type == "tensor" else fact for fact in made)


def _renumbered(text: str, inputs: Sequence[int]) -> str:
    """A text on the inputs of the standard operator, as one on the inputs that were picked for it."""

    def number(match: re.Match[str]) -> str:
        position = int(match[1])
        return f"{{{inputs[position] if position < len(inputs) else position}}}"

    return _PLACEHOLDER.sub(number, text)
