"""Findings about sizes, proved by running: what must run is run, what must fail is seen to fail, at that very node.

A finding is confirmed where both happen, refuted where onnxruntime contradicts it (where that is not installed, the
reference, if it is installed), and untried where neither can be had.
The condition is tried at its edge, too: sizes that just fail must fail. Of a source, the model of the function is tried
that was read from its text: nothing of the file runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from onnxls.diagnostics import Proof
from onnxls_server.trial.messages import Judge, Opening, Reply

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls_server.engine import Request
    from onnxls_server.trial.client import Trial

_FILLS = (1, 0, 2)
"""What integer inputs are full of, in turn: counts like 1, indices like 0."""

_ANNOTATIONS = frozenset({"annotation-size", "annotation-rank", "annotation-name"})
_OTHERS: tuple[Judge, ...] = ("reference", "checker")
_OPTIONAL = re.compile(r"/(?:body|then_branch|else_branch)/|/function\(")
"""In code that may not run: that nothing fails there says nothing."""


def confirm(
    found: Sequence[Diagnostic], path: str, text: str | None, wishes: Request, trial: Trial
) -> list[Diagnostic]:
    """The findings of one file with what became of each; those that are not about sizes are as they were."""
    if all(each.verdict is None for each in found):
        return list(found)
    hints = {name: size if isinstance(size, int) else list(size) for name, size in wishes.hints.items()}
    hopeless = frozenset(each.location.graph_path or "" for each in found if each.verdict == "fails")
    made: list[Diagnostic] = []
    for line, group in groupby(found, lambda each: each.location.line if path.endswith(".py") else None):
        trial.open(Opening(path=path, text=text, line=line, hints=hints, assume=list(wishes.assume)))
        made += [each if each.verdict is None else replace(each, proof=_proof(each, trial, hopeless)) for each in group]
    return made


def _proof(found: Diagnostic, trial: Trial, hopeless: frozenset[str]) -> Proof:
    if found.verdict == "may-fail" and (found.passing is None or found.failing is None):
        return Proof("untried", "there are no two examples to run")
    if found.rule in _ANNOTATIONS:
        return _annotation(found, trial)
    first = _node(found, trial, "onnxruntime", hopeless)
    if first.outcome == "confirmed":
        return first
    # What onnxruntime takes may still be against the standard; that the others take something says little.
    for judge in _OTHERS if found.verdict == "fails" else _OTHERS[:1]:
        second = _node(found, trial, judge, hopeless)
        if second.outcome == "confirmed":
            return second
    return first


def _node(found: Diagnostic, trial: Trial, judge: Judge, hopeless: frozenset[str]) -> Proof:
    """What one judge says of a condition on a node. `hopeless`: the nodes that no sizes get past."""
    fill = _FILLS[0]
    if found.verdict == "may-fail":
        ended, fill = _passes(found, trial, judge)
        if ended["ending"] != "ran":
            here = ended["ending"] == "failed" and ended["where"] in _places(found) - hopeless
            said = _said(ended) if ended["ending"] == "unsupported" else f"the passing sizes do not run: {_said(ended)}"
            return Proof("refuted" if here else "untried", said)
    until, first, said = found.location.graph_path, None, ""
    for sizes in _failing(found):
        ended = trial.run(sizes, until=until, fill=fill, judge=judge)
        match ended["ending"]:
            case "crashed":
                first = first or ended
            case "failed" if _is_at(ended, found) or _is_inlined(found):
                first = first or ended
            case "failed":
                said = said or f"another node fails first: {_said(ended)}"
            case "ran" if judge == "onnxruntime" and not _OPTIONAL.search(until or ""):
                return Proof("refuted", f"{ended['judge']} runs the node at {_shown(ended['sizes'])}")
            case "ran":
                return Proof("untried", f"{ended['judge']} does not refuse {_shown(ended['sizes'])}")
            case _:
                said = said or _said(ended)
    return Proof("untried", said) if first is None else _confirmed(found, first)


def _passes(found: Diagnostic, trial: Trial, judge: Judge) -> tuple[Reply, int]:
    """How the passing sizes end, in the whole model or as far as the node, and with which integers in the inputs."""
    passing = dict(found.passing or {})
    first: Reply | None = None
    for until in (None, found.location.graph_path):
        for fill in _FILLS:
            ended = trial.run(passing, until=until, fill=fill, judge=judge)
            if ended["ending"] != "failed":
                return ended, fill
            first = first or ended
    assert first is not None
    return first, _FILLS[0]


def _failing(found: Diagnostic) -> list[dict[str, int] | None]:
    """The sizes that must fail: the example, and such as differ by 1 from sizes that run. None: whichever reach it."""
    if found.failing is None:
        return [None]
    edge = _edge(found)
    return [dict(found.failing)] if edge is None else [dict(found.failing), edge]


def _edge(found: Diagnostic) -> dict[str, int] | None:
    """Sizes on the way from the passing to the failing example where one step breaks the condition."""
    if found.guard is None or found.passing is None or found.failing is None:
        return None
    sizes = dict(found.passing)
    for name in sorted(found.guard.symbols()):
        runs, fails = sizes[name], found.failing[name]
        sizes[name] = fails
        if found.guard.evaluate(sizes):
            continue
        while abs(fails - runs) > 1:
            middle = (runs + fails) // 2
            if found.guard.evaluate({**sizes, name: middle}):
                runs = middle
            else:
                fails = middle
        sizes[name] = fails
        return sizes if sizes != dict(found.failing) else None
    return None


def _annotation(found: Diagnostic, trial: Trial) -> Proof:
    """What the reference says where it checks the declared shape of the value, and those that share names with it."""
    if found.passing is not None:
        ended = _checked(found, trial, dict(found.passing))
        if ended["ending"] == "failed":
            return Proof("refuted", f"the declaration is false at the passing sizes: {_said(ended)}")
        if ended["ending"] != "ran":
            return Proof("untried", _said(ended))
    ended = _checked(found, trial, None if found.failing is None else dict(found.failing))
    if ended["ending"] == "failed":
        return _confirmed(found, ended)
    if ended["ending"] == "ran" and not _OPTIONAL.search(found.location.graph_path or ""):
        return Proof("refuted", f"the declaration holds at {_shown(ended['sizes'])}")
    return Proof("untried", _said(ended))


def _checked(found: Diagnostic, trial: Trial, sizes: dict[str, int] | None) -> Reply:
    replies = (trial.run(sizes, fill=fill, annotations=found.value or "", judge="reference") for fill in _FILLS)
    first = next(replies)
    if first["ending"] in ("ran", "failed"):
        return first
    return next((each for each in replies if each["ending"] in ("ran", "failed")), first)


def _places(found: Diagnostic) -> set[str | None]:
    """The graph paths that the finding is about."""
    return {found.location.graph_path, *(related.location.graph_path for related in found.related)} - {None}


def _is_at(ended: Reply, found: Diagnostic) -> bool:
    """Whether a run ended at a node of the finding, or in a graph that it holds."""
    where = ended["where"]
    return where is not None and any(where == each or where.startswith(f"{each}/") for each in _places(found))


def _is_inlined(found: Diagnostic) -> bool:
    """Whether runtimes report the node under a name of their own."""
    return any("/function(" in (place or "") for place in _places(found))


def _confirmed(found: Diagnostic, ended: Reply) -> Proof:
    refuses = f"refuses {_shown(ended['sizes'])}: {ended['message']}"
    if found.passing is None:
        return Proof("confirmed", f"{ended['judge']} {refuses}")
    return Proof("confirmed", f"{ended['judge']} runs {_shown(found.passing)}, and {refuses}")


def _said(ended: Reply) -> str:
    where = f" (at {ended['where']})" if ended["where"] else ""
    return f"{ended['message']}{where}"


def _shown(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {size}" for name, size in sizes.items()) or "whatever is given"
