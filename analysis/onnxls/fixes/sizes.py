"""Numbers of elements, and sizes at one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnxls.dims import Dim, product
from onnxls.facts import Shape


def fits(data: Shape, sizes: Sequence[Dim]) -> bool:
    """Whether a target holds all elements of an input, whatever the sizes; an entry -1 takes what is left."""
    total, known = product(data), product(size for size in sizes if size.const != -1)
    rest = any(size.const == -1 for size in sizes)
    return total.exact_div(known) is not None if rest else total == known


def at(dim: Dim, sizes: Mapping[str, int]) -> int | None:
    """A size at some sizes of symbols; None where these do not say."""
    try:
        return dim.evaluate(sizes)
    except (KeyError, ZeroDivisionError):
        return None
