"""Makes the automatic fixes of findings, round after round: a fix may bring to light what was hidden before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic, Edit

MAX_ROUNDS = 10

Find = Callable[[str], Sequence["Diagnostic"]]
"""The findings of a text that are to be fixed."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text with fixes made, and how many."""

    text: str
    count: int


def repaired(text: str, path: str, find: Find) -> Repaired:
    """The text with all automatic fixes of its findings that can be made; `path` is what its findings call it."""
    count = 0
    found = find(text)
    for _ in range(MAX_ROUNDS):
        chosen = choose_edits(found, path)
        if not chosen.edits:
            break
        changed = apply_edits(text, chosen.edits)
        after = find(changed)
        if not helps(chosen, found, after):
            break
        text, found, count = changed, after, count + len(chosen.rules)
    return Repaired(text, count)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Edits that do not overlap, and the rules of the findings that they fix."""

    edits: list[Edit]
    rules: list[str]


def choose_edits(found: Iterable[Diagnostic], path: str) -> Chosen:
    """The edits of the first automatic fix of each finding in a file."""
    taken: list[Edit] = []
    rules: list[str] = []
    for each in found:
        fix = next((fix for fix in each.fixes if fix.automatic), None)
        if fix is None or any(edit.path != path for edit in fix.edits):
            continue
        new = [edit for edit in fix.edits if edit not in taken]
        if any(_overlap(edit, other) for edit in new for other in taken):
            continue
        taken += new
        rules.append(each.rule)
    return Chosen(taken, rules)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits made that do not overlap."""
    for edit in sorted(edits, key=_start, reverse=True):
        if edit.span is not None:
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _start(edit: Edit) -> int:
    return 0 if edit.span is None else edit.span.start


def _overlap(one: Edit, other: Edit) -> bool:
    if one.span is None or other.span is None:
        return one.target == other.target
    if one.span.start == other.span.start:
        return True
    return one.span.start < other.span.end and other.span.start < one.span.end


def helps(chosen: Chosen, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Whether there is less to find of each rule of which something was fixed, and nothing was broken."""
    now, then = Counter(each.rule for each in after), Counter(each.rule for each in before)
    broken = any(now[rule] > then[rule] for rule in ("syntax-error", "unreadable-model", "internal-error"))
    return not broken and all(now[rule] < then[rule] for rule in chosen.rules)
