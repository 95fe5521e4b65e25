"""The page of a rule, as the command line prints it and as it stands in `docs/rules`: one text, so they agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.rules import Rule

DOCUMENTATION = "https://github.com/onnxls/onnxls/blob/main/docs/rules"
"""The folder of the pages."""


def page(rule: Rule) -> str:
    """Markdown: the name as a title, code and severity, then the rule's own words."""
    return f"# {rule.name}\n\n`{rule.code}` · {rule.severity}\n\n{rule.doc.strip()}\n"


def index(rules: Sequence[Rule]) -> str:
    """Markdown: a table of all rules with links to their pages."""
    rows = [
        f"| {rule.code} | [{rule.name}]({rule.name}.md) | {rule.severity} | {_cell(rule.summary)} |" for rule in rules
    ]
    head = ["# Rules", "", "| code | rule | severity | what it finds |", "|---|---|---|---|"]
    return "\n".join([*head, *rows]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def address(rule: str) -> str:
    """Where the page of a rule can be read."""
    return f"{DOCUMENTATION}/{rule}.md"
