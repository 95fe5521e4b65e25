"""Hints for many files: each is for those that have the name. One that no file has is told once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls_server.batch import Outcome
    from onnxls_server.engine import Engine

_RULE = "invalid-hint"


def with_unknown_hints(outcomes: Sequence[Outcome], asked: Iterable[str], engine: Engine) -> list[Outcome]:
    """The outcomes; the first file that could have had them tells of the names, of those asked for, that none has."""
    told = list(outcomes)
    could = [index for index, outcome in enumerate(told) if outcome.unknown_hints is not None]
    names = [name for name in asked if could and all(name in (told[index].unknown_hints or ()) for index in could)]
    rule = engine.rule(_RULE) if names else None
    if rule is None:
        return told
    from onnxls.diagnostics import Diagnostic
    from onnxls.spans import Location

    first = told[could[0]]
    where = "in it" if len(could) == 1 else f"in the {len(could)} files that hints could be for"
    found = (
        Diagnostic(
            rule.name,
            rule.code,
            rule.severity,
            f"`{name}` is no symbol of the inputs and no input {where}",
            Location(first.path),
            value=name,
        )
        for name in names
    )
    told[could[0]] = replace(first, diagnostics=(*found, *first.diagnostics))
    return told
