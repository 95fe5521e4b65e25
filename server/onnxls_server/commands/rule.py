"""`onnxls rule`: the table of rules, or the page of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxls_server import console
from onnxls_server.console import CommandError
from onnxls_server.render.json_report import dump
from onnxls_server.rule_page import page
from onnxls_server.tables import table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from onnxls.rules import Rule
    from onnxls_server.engine import Engine


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Prints what is asked for; a name that is no rule's is a CommandError with the nearest ones."""
    rules = engine.rules()
    as_json = options.output_format == "json"
    if options.name is not None:
        rule = _find(options.name, rules)
        console.out(dump(_fields(rule)) if as_json else page(rule))
    elif as_json:
        console.out(dump({"version": 1, "rules": [_fields(rule) for rule in rules]}))
    else:
        rows = [(rule.name, rule.code, rule.severity, rule.summary) for rule in rules]
        console.out(table(rows, ("rule", "code", "severity", "summary")))
    return console.CLEAN


def _find(name: str, rules: Sequence[Rule]) -> Rule:
    for rule in rules:
        if name.lower() == rule.name or name.upper() == rule.code:
            return rule
    from difflib import get_close_matches

    words = {word: rule.name for rule in rules for word in (rule.name, rule.code.lower())}
    close = dict.fromkeys(words[word] for word in get_close_matches(name.lower(), words, n=3, cutoff=0.5))
    nearest = f"; near it: {', '.join(close)}" if close else "; `onnxls rule` lists all"
    raise CommandError(f"no rule is called `{name}`{nearest}")


def _fields(rule: Rule) -> dict[str, str]:
    return {
        "name": rule.name,
        "code": rule.code,
        "severity": rule.severity,
        "summary": rule.summary,
        "doc": rule.doc,
    }
