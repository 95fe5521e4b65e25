"""The symbols of a model: what the declared types of its inputs say."""

from __future__ import annotations

from dataclasses import replace

from onnxls.declarations import is_leftover
from onnxls.dims import Dim, Origin
from onnxls.facts import UNKNOWN, Fact
from onnxls.graph import DeclaredDim, Model, Value
from onnxls.seeds import declared_names, type_fact


class InputSymbols:
    """The symbols of the main inputs, made as their facts are. `order`: their names, in order."""

    def __init__(self, model: Model) -> None:
        self.author_names = declared_names(model)
        self.order: dict[str, int] = {}
        self._symbols: dict[str, Dim] = {}

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
        if isinstance(dim, str) and dim:
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
