"""Images with their channels last, for operators that are a standard one in that layout."""

from __future__ import annotations

from dataclasses import replace

from onnxls.facts import Fact
from onnxls.ops.context import OpContext


def channels_first(ctx: OpContext, *indices: int) -> tuple[dict[int, Fact], str]:
    """The facts of images with the channels moved to axis 1, and a note for texts that name axes."""
    facts: dict[int, Fact] = {}
    for index in indices:
        fact = ctx.input(index)
        if fact.shape is not None and len(fact.shape) > 1:
            facts[index] = Fact(fact.dtype, (fact.shape[0], fact.shape[-1], *fact.shape[1:-1]))
    return facts, " (axes counted as if the channels, which are last, were axis 1)"


def channels_last(fact: Fact) -> Fact:
    """The fact of an image with the channels on axis 1, with them last."""
    shape = fact.shape
    if shape is None or len(shape) < 2:
        return fact
    return replace(fact, shape=(shape[0], *shape[2:], shape[1]))
