"""Which findings a project wishes to see. A selector is a rule's name, its code, or the start of codes (`OLS1`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from onnxls_server.config import nearest
from onnxls_server.globs import matches as glob_matches

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls.rules import Rule
    from onnxls_server.config import Settings

_PREFIX = "OLS"


def names(selector: str, rule: str, code: str) -> bool:
    """Whether a selector is exactly this rule's name or code."""
    return selector == rule or selector.upper() == code


def covers(selector: str, rule: str, code: str) -> bool:
    """Whether a selector names this rule or a family that it is in."""
    return names(selector, rule, code) or (selector.upper().startswith(_PREFIX) and code.startswith(selector.upper()))


def choose(diagnostics: Iterable[Diagnostic], settings: Settings) -> tuple[Diagnostic, ...]:
    """The findings of a file that its settings keep, with the severities they give."""
    return tuple(_with_severity(found, settings) for found in diagnostics if _kept(found, settings))


def asked_for(found: Diagnostic, settings: Settings) -> bool:
    """Whether the rule of a finding is selected by its own name or code."""
    return any(names(selector, found.rule, found.code) for selector in settings.select or ())


def unknown(selectors: Iterable[str], rules: Sequence[Rule]) -> tuple[str, ...]:
    """A message for each selector that is no rule and no family of rules."""
    words = [word for rule in rules for word in (rule.name, rule.code)]
    return tuple(
        f"unknown rule `{selector}`{nearest(selector, words)}"
        for selector in dict.fromkeys(selectors)
        if not any(covers(selector, rule.name, rule.code) for rule in rules)
    )


def _kept(found: Diagnostic, settings: Settings) -> bool:
    if settings.select is not None and not _any(settings.select, found):
        return False
    if _any(settings.ignore, found):
        return False
    return not any(
        _any(selectors, found) and glob_matches(found.location.path, settings.root, (glob,))
        for glob, selectors in settings.per_file_ignores.items()
    )


def _any(selectors: Iterable[str], found: Diagnostic) -> bool:
    return any(covers(selector, found.rule, found.code) for selector in selectors)


def _with_severity(found: Diagnostic, settings: Settings) -> Diagnostic:
    for selector, severity in settings.severity.items():
        if covers(selector, found.rule, found.code):
            return found if found.severity == severity else replace(found, severity=severity)
    return found
