"""Declared shapes against the shapes of one run: which size each name got, where, and what does not agree with it.

A name has one size in a run. It is bound where it is first met; whatever is met later must agree. An axis without size
and name asserts nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Declared = Sequence[int | str | None]


@dataclass(frozen=True, slots=True)
class Met:
    """What a run did with one declared shape: names that it bound there, and what is violated."""

    bound: Mapping[str, int] = field(default_factory=dict[str, int])
    violations: tuple[str, ...] = ()


class Bindings:
    """The sizes of names in one run, and the value and axis where each was bound."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.origins: dict[str, str] = {}

    def meet(self, name: str, declared: Declared, shape: Sequence[int]) -> Met:
        """Checks the shape that a value has in the run, and binds the names that are new."""
        if len(declared) != len(shape):
            return Met(violations=(f"rank {len(shape)}, declared with rank {len(declared)}",))
        bound: dict[str, int] = {}
        violations: list[str] = []
        for axis, (want, size) in enumerate(zip(declared, shape, strict=True)):
            if want is None or want == "":
                continue
            if isinstance(want, int):
                if want != size:
                    violations.append(f"axis {axis} is {size}, declared {want}")
            elif want not in self.sizes:
                self.sizes[want] = bound[want] = size
                self.origins[want] = f"axis {axis} of {name}"
            elif self.sizes[want] != size:
                known = f"{want} = {self.sizes[want]} since {self.origins[want]}"
                violations.append(f"axis {axis} is {size}, but {known}")
        return Met(bound, tuple(violations))
