"""Findings about sizes, proved by running: what must run is run, what must fail is seen to fail, at that very node.

A finding is confirmed where both happen, refuted where a runtime contradicts it, and untried where neither can be had.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from onnxls.diagnostics import Proof
from onnxls_server.trial.client import Trial
from onnxls_server.trial.messages import Limits, Opening, Reply, Runtime

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls_server.engine import Request

_FILLS = (1, 0, 2)
"""What integer inputs are full of, in turn: counts like 1, indices like 0."""

_ANNOTATIONS = ("annotation-size", "annotation-rank", "annotation-name")
_RUNTIMES: tuple[Runtime, ...] = ("onnxruntime", "reference")
_OPTIONAL = re.compile(r"/(?:body|then_branch|else_branch)/|/function\(")
"""In code that may not run: that nothing fails there says nothing."""


def confirm(
    found: Sequence[Diagnostic], path: str, text: str | None, wishes: Request, limits: Limits | None = None
) -> list[Diagnostic]:
    """The findings of one file with what became of each; those that are not about sizes are as they were."""
    if not any(_is_about_sizes(each) for each in found):
        return list(found)
    hints = {name: size if isinstance(size, int) else list(size) for name, size in wishes.hints.items()}
    opening = Opening(path=path, text=text, hints=hints, assume=list(wishes.assume))
    with Trial(opening, limits) as trial:
        return [replace(each, proof=_proof(each, trial)) if _is_about_sizes(each) else each for each in found]


def _is_about_sizes(found: Diagnostic) -> bool:
    return found.verdict is not None


def _proof(found: Diagnostic, trial: Trial) -> Proof:
    if found.verdict == "may-fail" and (found.passing is None or found.failing is None):
        return Proof("untried", "there are no two examples to run")
    if found.rule in _ANNOTATIONS:
        return _annotation(found, trial)
    untried: list[str] = []
    for runtime in _RUNTIMES:
        proof = _at_runtime(found, trial, runtime)
        if proof.outcome == "confirmed":
            return proof
        if proof.outcome == "refuted":
            return _seconded(proof, found, trial) if runtime == "onnxruntime" else proof
        untried.append(proof.text)
    return Proof("untried", "; ".join(dict.fromkeys(untried)))


def _seconded(refuted: Proof, found: Diagnostic, trial: Trial) -> Proof:
    """A runtime may do more than ONNX asks for: the reference has the last word, where it has one."""
    second = _at_runtime(found, trial, "reference")
    return second if second.outcome == "confirmed" else refuted


def _at_runtime(found: Diagnostic, trial: Trial, runtime: Runtime) -> Proof:
    ended: Reply | None = None
    fill = _FILLS[0]
    if found.verdict == "may-fail":
        ended, fill = _passes(found, trial, runtime)
        if ended["ending"] != "ran":
            if ended["ending"] == "failed" and ended["where"] in _places(found):
                return Proof("refuted", f"{ended['runtime']} does not run the passing sizes: {_said(ended)}")
            return Proof("untried", f"the passing sizes do not run: {_said(ended)}")
    failing = None if found.failing is None else dict(found.failing)
    until = found.location.graph_path
    ended = trial.run(failing, until=until, fill=fill, runtime=runtime)
    if ended["ending"] in ("failed", "crashed"):
        if ended["where"] in _places(found) or _is_inlined(found):
            return Proof("confirmed", f"{ended['runtime']} {_both(found)}: {_said(ended)}")
        return Proof("untried", f"another node fails first: {_said(ended)}")
    if ended["ending"] == "ran":
        if _OPTIONAL.search(until or ""):
            return Proof("untried", f"{ended['runtime']} may not have run this branch or body")
        at = _shown(failing if failing is not None else ended["sizes"])
        return Proof("refuted", f"{ended['runtime']} runs the node at {at}")
    return Proof("untried", _said(ended))


def _passes(found: Diagnostic, trial: Trial, runtime: Runtime) -> tuple[Reply, int]:
    """The best end of a run at the passing sizes, of the whole model or as far as the node, and with which integers."""
    passing = dict(found.passing or {})
    first: Reply | None = None
    for until in (None, found.location.graph_path):
        for fill in _FILLS:
            ended = trial.run(passing, until=until, fill=fill, runtime=runtime)
            if ended["ending"] == "ran":
                return ended, fill
            if ended["ending"] != "failed":
                return ended, fill
            first = first or ended
    assert first is not None
    return first, _FILLS[0]


def _annotation(found: Diagnostic, trial: Trial) -> Proof:
    """Runs with the declared shapes of the value checked, and of what shares names with it."""
    name = found.value or ""
    if found.passing is not None:
        for fill in _FILLS:
            ended = trial.run(dict(found.passing), fill=fill, annotations=name, runtime="reference")
            if ended["ending"] == "ran":
                break
        if ended["ending"] == "failed":
            return Proof("refuted", f"the declaration is false at the passing sizes: {_said(ended)}")
        if ended["ending"] != "ran":
            return Proof("untried", _said(ended))
    failing = None if found.failing is None else dict(found.failing)
    for fill in _FILLS:
        ended = trial.run(failing, fill=fill, annotations=name, runtime="reference")
        if ended["ending"] in ("failed", "ran"):
            break
    if ended["ending"] == "failed":
        return Proof("confirmed", f"{ended['runtime']} {_both(found)}: {_said(ended)}")
    if ended["ending"] == "ran" and not _OPTIONAL.search(found.location.graph_path or ""):
        return Proof("refuted", f"the declaration holds at {_shown(ended['sizes'])}")
    return Proof("untried", _said(ended))


def _places(found: Diagnostic) -> set[str | None]:
    """The graph paths that the finding is about."""
    return {found.location.graph_path, *(related.location.graph_path for related in found.related)} - {None}


def _is_inlined(found: Diagnostic) -> bool:
    """Whether runtimes report the node under a name of their own."""
    return "/function(" in (found.location.graph_path or "")


def _both(found: Diagnostic) -> str:
    return "runs the one and refuses the other" if found.verdict == "may-fail" else "refuses it"


def _said(ended: Reply) -> str:
    where = f" (at {ended['where']})" if ended["where"] else ""
    return f"{ended['message']}{where}"


def _shown(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {size}" for name, size in sizes.items()) or "any size"


def by_file(found: Sequence[Diagnostic]) -> Iterator[tuple[str, list[Diagnostic]]]:
    """The findings of each file, in order."""
    files: dict[str, list[Diagnostic]] = {}
    for each in found:
        files.setdefault(each.location.path, []).append(each)
    yield from files.items()
