"""Rules of operators that are not in the table: those that the settings declare, and those of installed packages.

A package offers rules by an entry point of the group `onnxls.operators`, whose object maps `domain::Name` to a shape
rule as text, or to a function such as those of this package. It is loaded when a model first has an operator of a
domain that is known nowhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, cast

from onnxls import ops, schemas
from onnxls.ops.signatures import SignatureError, parse_signature

GROUP = "onnxls.operators"

Rules = Mapping[tuple[str, str], ops.OpRule]


class Operators:
    """The rules that are in force for one analysis. `declared`: by the settings; these come first."""

    def __init__(self, declared: Rules | None = None) -> None:
        self._declared = declared or {}

    def lookup(self, domain: str, name: str, version: int) -> ops.OpRule | None:
        """The rule of an operator at an opset version, or None."""
        found = self._declared.get((domain, name)) or ops.lookup(domain, name, version)
        if found is None and not schemas.latest_opset(domain):
            return installed().rules.get((domain, name))
        return found


def declared(texts: Mapping[str, str]) -> Rules:
    """The rules that texts such as `{"my.domain::Foo": "(N) -> (N)"}` state; SignatureError where one states none."""
    return {(each.domain, each.name): each for each in (declare(name, text) for name, text in texts.items())}


def declare(name: str, text: object) -> ops.OpRule:
    """The rule of one operator, from its name and a text or function; SignatureError where it is none."""
    domain, colons, operator = name.partition("::")
    if not colons or not operator or not domain:
        raise SignatureError(f"`{name}` does not have the form `domain::Name`")
    if schemas.latest_opset(domain):
        raise SignatureError(f"`{domain}` is a domain of the standard")
    if isinstance(text, str):
        return ops.OpRule(domain, operator, 1, parse_signature(text).infer)
    if callable(text):
        return ops.OpRule(domain, operator, 1, cast("ops.Infer", text))
    raise SignatureError(f"the rule of `{name}` is neither a text nor a function")


@dataclass(frozen=True, slots=True)
class Installed:
    """The rules of installed packages, why some could not be loaded, and the files of the modules that offer them."""

    rules: Rules
    problems: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@cache
def installed() -> Installed:
    """What the entry points of installed packages offer. The first package by name has an operator."""
    rules: dict[tuple[str, str], ops.OpRule] = {}
    problems: list[str] = []
    files: list[str] = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            offered: Any = point.load()
            made = [declare(str(name), text) for name, text in dict(offered).items()]
        except Exception as error:  # whatever the code of a package raises
            problems.append(f"the operators of `{point.name}` cannot be loaded: {error}")
            continue
        files.append(sys.modules[point.module].__file__ or "")
        for each in made:
            rules.setdefault((each.domain, each.name), each)
    return Installed(rules, tuple(problems), tuple(files))


def loaded_files() -> tuple[str, ...]:
    """The files of the modules whose rules have been loaded so far."""
    return installed().files if installed.cache_info().currsize else ()
