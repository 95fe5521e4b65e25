"""Gathers findings, and bounds how many: a model with a million faults of one kind gets the first hundred."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from onnxls.findings import Finding, Place
from onnxls.lints.nearest import nearest
from onnxls.rules import Rule, Severity

MAX_OF_A_RULE = 100
MAX_RELATED = 8
MAX_CANDIDATES = 5_000
MAX_LOOKED_AT = 40_000


class Collector:
    """The findings about one model."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._first: dict[Rule, list[Finding]] = {}
        self._more: dict[Rule, int] = {}
        self._left = MAX_LOOKED_AT

    def full(self, rule: Rule) -> bool:
        """Whether a further finding of the rule is only counted."""
        return len(self._first.get(rule, ())) >= MAX_OF_A_RULE

    def skip(self, rule: Rule) -> bool:
        """Counts a finding of the rule where it would only be counted, so that nobody has to make its place."""
        if not self.full(rule):
            return False
        self._more[rule] = self._more.get(rule, 0) + 1
        return True

    def add(
        self,
        rule: Rule,
        text: str,
        place: Place,
        severity: Severity | None = None,
        related: Iterable[tuple[Place, str]] = (),
    ) -> Finding:
        """Adds a finding, or counts it."""
        finding = Finding(rule, text, place, severity, related=list(related)[:MAX_RELATED])
        if self.full(rule):
            self._more[rule] = self._more.get(rule, 0) + 1
            return finding
        self._first.setdefault(rule, []).append(finding)
        self.findings.append(finding)
        return finding

    def suggestion(self, name: str, candidates: Iterable[str]) -> str:
        """`; did you mean ...?` where a candidate is near; empty otherwise, and when enough was searched."""
        looked_at = list(islice(candidates, min(MAX_CANDIDATES, self._left)))
        self._left -= len(looked_at)
        near = nearest(name, looked_at)
        return f"; did you mean `{near}`?" if near is not None else ""

    def done(self) -> list[Finding]:
        """All findings; the last one of a rule with too many says how many more there are."""
        for rule, count in self._more.items():
            self._first[rule][-1].text += f" (and {count:,} more of the kind)"
        self._more.clear()
        return self.findings
