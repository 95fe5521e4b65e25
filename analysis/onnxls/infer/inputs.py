"""The symbols of a model: what the declared types of its inputs say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from onnxls.declarations import is_leftover, is_placeholder
from onnxls.dims import Dim, Origin
from onnxls.facts import UNKNOWN, Fact
from onnxls.graph import DeclaredDim, Model, Value
from onnxls.seeds import declared_names, type_fact


class InputSymbols:
    """The symbols of the main inputs, made as their facts are. `order`: their names, in order.

    A placeholder such as `?` that stands on several axes is no name: these axes have symbols of their own.
    """

    def __init__(self, model: Model) -> None:
        self.author_names = declared_names(model)
        met = Counter(dim for value in model.graph.inputs for dim in _named(value) if is_placeholder(dim))
        self._placeholders = {name for name, count in met.items() if count > 1}
        self.order: dict[str, int] = {}
        self._symbols: dict[str, Dim] = {}

    def all(self) -> Iterable[Dim]:
        """The symbols that were made."""
        return self._symbols.values()

    def fact(self, value: Value, overridable: bool) -> Fact:
        """The fact that the declared type of a main input states; its axes become symbols."""
        info = value.type
        if info is None:
            return UNKNOWN
        fact = type_fact(info, lambda axis, dim: self._dim(value.name, axis, dim))
        return replace(fact, elements=None) if overridable else fact

    def _dim(self, name: str, axis: str, dim: DeclaredDim) -> Dim:
        if isinstance(dim, int) and dim >= 0:
            return Dim.of(dim)
        if isinstance(dim, str) and dim and dim not in self._placeholders:
            return self._symbol(dim, "anonymous" if is_leftover(dim) else "declared")
        text = f"{name}[{axis}]"
        while text in self.author_names:
            text = f"{text[:-1]}]]".replace("[", "[[", 1)
        return self._symbol(text, "anonymous")

    def _symbol(self, name: str, origin: Origin) -> Dim:
        if name not in self._symbols:
            self._symbols[name] = Dim.symbol(name, origin)
            self.order[name] = len(self.order)
        return self._symbols[name]


def _named(value: Value) -> Iterator[str]:
    """The dim_params of an input."""
    if value.type is not None:
        yield from (dim for dim in value.type.shape or () if isinstance(dim, str))
