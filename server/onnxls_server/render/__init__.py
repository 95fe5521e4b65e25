"""Findings as text: one module for each format, all of the same form, `render(findings) -> str`.

A renderer reads nothing but its argument. Text that comes from a model or source is never written as it is: control
characters in it are spelt out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls.rules import Rule

FORMATS = ("full", "concise", "json", "github", "gitlab", "junit", "sarif")
FOR_PEOPLE = frozenset({"full", "concise"})
COMPLETE = frozenset({"json", "sarif"})
"""The formats that always hold information and hints."""

_MODULES = {"json": "json_report"}


def no_source(path: str) -> str | None:
    """For findings in files whose text is not to be had."""
    del path
    return None


@dataclass(frozen=True, slots=True)
class Findings:
    """What is rendered: the findings to show, in order; the files that were checked; how many findings are not shown.

    `root` is the folder that machine formats name files from; `source` gives the text of a file, or None.
    """

    diagnostics: Sequence[Diagnostic]
    files: Sequence[str] = ()
    hidden: int = 0
    covered: int = 0
    rules: Mapping[str, Rule] = field(default_factory=dict[str, "Rule"])
    source: Callable[[str], str | None] = no_source
    colour: bool = False
    root: str = "."
    version: str = "0"


def render(output_format: str, findings: Findings) -> str:
    """The findings in one of FORMATS. Ends with a line end unless it is empty."""
    module = import_module(f"onnxls_server.render.{_MODULES.get(output_format, output_format)}")
    text: str = module.render(findings)
    return text
