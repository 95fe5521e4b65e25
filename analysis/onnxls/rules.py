"""The table of rules. A rule is declared once, beside the code that reports it; name and code are unique.

Its page is its documentation, and the examples in it run as tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import cleandoc
from typing import Literal

Severity = Literal["error", "warning", "information", "hint"]

_TABLE: dict[str, Rule] = {}
_CODES: dict[str, Rule] = {}


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding: a kebab-case name, a short code, what it says unless the verdict says more, its page.

    `severity` is that of a finding without a verdict, or of one that fails; `doc` is Markdown whose first line is
    the summary.
    """

    name: str
    code: str
    severity: Severity
    doc: str

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.doc.partition("\n")[0]


def rule(name: str, code: str, severity: Severity, doc: str) -> Rule:
    """Declares a rule; raises ValueError where the name or code is taken."""
    if name in _TABLE or code in _CODES:
        raise ValueError(f"rule {name} ({code}) is declared twice")
    made = Rule(name, code, severity, cleandoc(doc))
    _TABLE[name] = _CODES[code] = made
    return made


def declared() -> tuple[Rule, ...]:
    """All rules declared so far, by code. Import the modules that declare them first (`onnxls.workspace` does)."""
    return tuple(_CODES[code] for code in sorted(_CODES))


def find(text: str) -> Rule | None:
    """The rule of a name or code."""
    return _TABLE.get(text) or _CODES.get(text.upper())
