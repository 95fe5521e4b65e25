"""Directives in a model's own `metadata_props`: `onnxls.assume`, `onnxls.hint`, `onnxls.ignore`.

Values are lists: conditions and hints separated by `;` or lines, rules by commas. What a directive gives is plain data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onnxls.diagnostics import Diagnostic
from onnxls.expressions import parse_condition
from onnxls.relations import Condition
from onnxls.rules import Rule
from onnxls.spans import Location
from onnxls.suppress import INVALID_DIRECTIVE, UNUSED_IGNORE, Sizes, names_rule, read_hints

ASSUME, HINT, IGNORE = "onnxls.assume", "onnxls.hint", "onnxls.ignore"


@dataclass(frozen=True, slots=True)
class ModelDirectives:
    """What a model says of itself; `problems`: what of it cannot be read."""

    assume: tuple[Condition, ...] = ()
    hints: Mapping[str, Sizes] = field(default_factory=dict[str, Sizes])
    ignore: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def read(metadata: Mapping[str, str]) -> ModelDirectives:
    """The directives among the metadata of a model."""
    assume: list[Condition] = []
    hints: dict[str, Sizes] = {}
    problems: list[str] = []
    for text in _entries(metadata.get(ASSUME, "")):
        try:
            assume.append(parse_condition(text))
        except ValueError as error:
            problems.append(f"the metadata `{ASSUME}` has the assumption {text!r}, which cannot be read: {error}")
    for text in _entries(metadata.get(HINT, "")):
        given = read_hints(text)
        hints.update(given)
        if not given:
            problems.append(f"the metadata `{HINT}` has {text!r}; a hint is `NAME=SIZE` or `INPUT=SIZE,SIZE`")
    ignore = tuple(name.strip() for name in metadata.get(IGNORE, "").split(",") if name.strip())
    return ModelDirectives(tuple(assume), hints, ignore, tuple(problems))


def _entries(text: str) -> list[str]:
    return [entry.strip() for line in text.splitlines() for entry in line.split(";") if entry.strip()]


def apply(directives: ModelDirectives, diagnostics: Sequence[Diagnostic], location: Location) -> list[Diagnostic]:
    """The diagnostics that the model does not ignore, and a word about directives that are wrong or do nothing."""
    kept = [each for each in diagnostics if not any(names_rule(name, each) for name in directives.ignore)]
    kept += [_report(INVALID_DIRECTIVE, text, location) for text in directives.problems]
    for name in directives.ignore:
        if not any(names_rule(name, each) for each in diagnostics):
            text = f"the metadata `{IGNORE}` names `{name}`, which reports nothing in this model"
            kept.append(_report(UNUSED_IGNORE, text, location))
    return kept


def _report(about: Rule, text: str, location: Location) -> Diagnostic:
    return Diagnostic(about.name, about.code, about.severity, text, location)
