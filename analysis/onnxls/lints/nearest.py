"""The name that was probably meant. Quiet where names are short or nothing is near."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 64


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that takes the fewest slips of the pen to become `name`, the first of several; None: none is near.

    At most one slip for every three characters, and three in all; a name that differs in case only is nearest.
    """
    limit = min(len(name) // 3, 3)
    folded, letters = name.casefold(), frozenset(name)
    best, fewest = None, limit + 1
    for candidate in candidates:
        if abs(len(candidate) - len(name)) > limit or candidate == name:
            continue
        if candidate.casefold() == folded:
            return candidate
        if len(letters.symmetric_difference(candidate)) > 2 * limit:
            continue
        slips = distance(name, candidate, fewest - 1)
        if slips is not None and slips < fewest:
            best, fewest = candidate, slips
    return best


def distance(left: str, right: str, limit: int) -> int | None:
    """Insertions, deletions, replacements and swaps of neighbours from one text to the other; None beyond `limit`."""
    left, right = _differing(left, right)
    if not left or not right:
        return max(len(left), len(right)) if max(len(left), len(right)) <= limit else None
    if abs(len(left) - len(right)) > limit or max(len(left), len(right)) > _LONGEST:
        return None
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            slips = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and b == left[i - 2]:
                slips = min(slips, earlier[j - 2] + 1)
            row.append(slips)
        if min(row) > limit:
            return None
    return row[-1] if row[-1] <= limit else None


def _differing(left: str, right: str) -> tuple[str, str]:
    """What is left of two texts without their common beginning and end."""
    start, shortest = 0, min(len(left), len(right))
    while start < shortest and left[start] == right[start]:
        start += 1
    end = 0
    while end < shortest - start and left[-1 - end] == right[-1 - end]:
        end += 1
    return left[start : len(left) - end], right[start : len(right) - end]
