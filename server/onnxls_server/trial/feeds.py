"""Inputs for a run: made up from the shapes that the declared inputs have at given sizes, or read from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from onnxls_server.trial.subject import Unloadable

if TYPE_CHECKING:
    from onnxls.facts import Fact

MAX_ELEMENTS = 1 << 27
"""Elements of all inputs of one run."""

_STRING, _BOOL = 8, 9


def made_up(facts: Mapping[str, Fact], sizes: Mapping[str, int], fill: int) -> dict[str, Any]:
    """Inputs of the right types and shapes: integers are `fill`, floats between 0 and 1, the same on every call.

    Raises Unloadable for an input whose type or rank is not known, or that is too large.
    """
    from numpy.random import default_rng

    random = default_rng(0)
    room = [MAX_ELEMENTS]
    return {name: _value(name, fact, sizes, fill, random, room) for name, fact in facts.items()}


def _value(name: str, fact: Fact, sizes: Mapping[str, int], fill: int, random: Any, room: list[int]) -> Any:
    import numpy as np
    from onnx.helper import tensor_dtype_to_np_dtype

    if fact.type == "sequence" and fact.element is not None:
        return [_value(name, fact.element, sizes, fill, random, room)]
    if fact.type != "tensor" or not fact.dtype or fact.shape is None:
        raise Unloadable(f"the input {name!r} is not declared as a tensor with a rank")
    shape = tuple(dim.evaluate(sizes) for dim in fact.shape)
    count = 1
    for size in shape:
        count *= size
    room[0] -= count
    if room[0] < 0:
        raise Unloadable(f"the inputs would have more than {MAX_ELEMENTS} elements")
    if fact.dtype == _STRING:
        return np.full(shape, "a", dtype=object)
    dtype: Any = tensor_dtype_to_np_dtype(fact.dtype)
    if np.issubdtype(dtype, np.integer) or fact.dtype == _BOOL:
        return np.full(shape, fill, dtype=dtype)
    return random.random(shape).astype(dtype)


def from_file(path: str, names: list[str]) -> dict[str, Any]:
    """The arrays of an .npz file by input name. Raises Unloadable where it cannot be read, or lacks an input."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as archive:
            missing = [name for name in names if name not in archive.files]
            if missing:
                raise Unloadable(f"{path} lacks the input {missing[0]!r}")
            return {name: archive[name] for name in names}
    except (OSError, ValueError, EOFError) as error:
        raise Unloadable(f"{path}: {error}") from error
