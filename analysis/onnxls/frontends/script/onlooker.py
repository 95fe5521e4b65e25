"""Looks names up beside an analysis that may be running at the same time."""

from __future__ import annotations

from onnxls.frontends.script.abstract import UNKNOWN, Abstract, Known
from onnxls.frontends.script.evaluate import MAX_DEPTH, Evaluator
from onnxls.frontends.script.known import is_library, library_name
from onnxls.frontends.script.modules import Module
from onnxls.frontends.script.names import Binding, Scope


class Onlooker(Evaluator):
    """Takes what analyses have found, changes nothing of theirs and reads no file: what is not known yet is unknown.

    What it finds itself it keeps for itself.
    """

    def __init__(self) -> None:
        super().__init__()
        self._own: dict[Binding, Abstract] = {}

    def binding(self, binding: Binding, scope: Scope) -> Abstract:
        seat = binding.place.seat
        known = None if seat is None else seat.known.values.get(binding)
        if known is not None:
            return known[0]
        if binding not in self._own:
            if seat is None or binding in self._running or self._depth > MAX_DEPTH:
                return UNKNOWN
            self._own[binding] = self._first(binding, scope)
        return self._own[binding]

    def _starred(self, star: Binding, module: Module, name: str) -> Abstract | None:
        return super()._starred(star, module, name) if is_library(star.module) else UNKNOWN

    def _module(self, name: str, level: int, module: Module) -> Abstract:
        return Known(name) if not level and is_library(name) else UNKNOWN

    def _imported(self, binding: Binding, module: Module) -> Abstract:
        if not binding.level and is_library(binding.module):
            return library_name(f"{binding.module}.{binding.member}")
        return UNKNOWN
