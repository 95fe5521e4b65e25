"""Edits that remove findings. One module for each kind of fix, chosen by the rule of the finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes import (
    assume,
    axes,
    bare_types,
    declared_types,
    element_types,
    ignoring,
    one_name,
    spelling,
    targets,
)
from onnxls.fixes.scene import Scene
from onnxls.units import Report

Fixer = Callable[[Scene, Diagnostic], Iterator[Fix]]

_REPAIRS = (declared_types, axes, bare_types, element_types, one_name, spelling, targets)
_BY_RULE: Mapping[str, Fixer] = {
    **{rule: module.fixes for module in _REPAIRS for rule in module.RULES},
    "unused-ignore": ignoring.unused,
}
_OF_ALL: tuple[Fixer, ...] = (assume.fixes, ignoring.fixes)

MAX_FIXED = 200
"""So many findings of one report get fixes; beyond, nobody looks at them one by one."""


def with_fixes(report: Report) -> tuple[Diagnostic, ...]:
    """The findings of a report with their fixes."""
    scene = Scene(report)
    fixed = [replace(each, fixes=fixes(scene, each)) for each in report.found[:MAX_FIXED]]
    return (*fixed, *report.found[MAX_FIXED:])


def fixes(scene: Scene, found: Diagnostic) -> tuple[Fix, ...]:
    """The fixes of one finding: repairs first, then what silences."""
    repair = _BY_RULE.get(found.rule)
    fixers = (*_OF_ALL,) if repair is None else (repair, *_OF_ALL)
    return tuple(fix for fixer in fixers for fix in fixer(scene, found))
