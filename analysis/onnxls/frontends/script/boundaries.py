"""Where the top-level statements of a text begin, by its tokens alone; after an edit only what is around it is read.

Nothing before a boundary matters to what comes after it: no bracket and no string is open there.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

_TOKEN = re.compile(
    r'"""|\'\'\'|"(?:[^"\\\n\r]|\\.)*"?|\'(?:[^\'\\\n\r]|\\.)*\'?|#[^\n\r]*'
    r"|\([^()\[\]{}\"'#\\\n\r]*\)|\[[^()\[\]{}\"'#\\\n\r]*\]|[(\[{]+|[)\]}]+|\\(?:\r\n|.)"
    r"|(?:\r\n|[\n\r])(?=[\w@*(\[{\"'~+-])",
    re.DOTALL,
)
_SURE_START = re.compile(r"(?:@|(?:def|class|async|import|from)\b|if +__name__)")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")
_DECORATED = re.compile(r"@|(?:def|class|async)\b")
_QUOTING = re.compile(r"[\"'\\#\r]")
_MAX_IGNORED = 2
_DEFINITION = re.compile(r"^(?:def |class |@)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The offsets at which chunks begin, the first is 0.

    `ignored`: triple quotes that begin a string without an end, or one that swallows definitions; they are taken for
    nothing. `settled`: all other strings end.
    """

    text: str
    offsets: tuple[int, ...]
    ignored: frozenset[int] = frozenset()
    settled: bool = True


def boundaries(text: str, before: Boundaries | None = None) -> Boundaries:
    """The boundaries of a text. `before`: those of an earlier version of it, which make the work small."""
    if before is not None and before.settled:
        found = _again(text, before)
        if found is not None:
            return found
    ignored: frozenset[int] = frozenset()
    found, open_at, suspects = _scan(text, ignored)
    for _ in range(_MAX_IGNORED):
        if open_at is None:
            break
        ignored |= {suspects[0] if suspects and not ignored else open_at}
        found, open_at, _ = _scan(text, ignored)
    return Boundaries(text, (0, *found), ignored, open_at is None)


def _again(text: str, before: Boundaries) -> Boundaries | None:
    """The boundaries after an edit; None where a string is open at the end now, or other quotes may be ignored."""
    old = before.text
    same = common_prefix(old, text)
    if same == len(old) == len(text):
        return before
    tail = common_suffix(old, text, min(len(old), len(text)) - same)
    shift = len(text) - len(old)
    if before.ignored and not _is_plain(old, text, same, tail):
        return None
    ignored = frozenset(each + shift if each >= same else each for each in before.ignored)
    first = max(bisect_right(before.offsets, same) - 2, 0)
    start = before.offsets[first]
    known = before.offsets[bisect_left(before.offsets, len(old) - tail) :]
    found, open_at, _ = _scan(text, ignored, start, frozenset(each + shift for each in known))
    if open_at is not None:
        return None
    head = before.offsets[: first + 1]
    met = bisect_right(known, found[-1] - shift) if found and found[-1] - shift in known else len(known)
    return Boundaries(text, (*head, *found, *(each + shift for each in known[met:])), ignored)


def _is_plain(old: str, new: str, same: int, tail: int) -> bool:
    """Whether an edit leaves all quotes, and all lines in strings that look like definitions, as they are."""
    removed, added = old[same : len(old) - tail], new[same : len(new) - tail]
    around = (old[same - 1 : same], old[len(old) - tail : len(old) - tail + 1])
    if _QUOTING.search(removed) or _QUOTING.search(added) or any(map(_QUOTING.search, around)):
        return False
    for text in (old, new):
        begin = text.rfind("\n", 0, same) + 1
        stop = text.find("\n", len(text) - tail)
        stop = len(text) if stop < 0 else stop
        if _DEFINITION.search(text[begin:stop]):
            return False
        if "\n" in removed + added and text[len(text) - tail : stop].strip():
            return False
    return True


def common_prefix(left: str, right: str) -> int:
    """The number of characters at the beginning that are the same."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(left: str, right: str, most: int) -> int:
    """The number of characters at the end that are the same, at most so many."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if left[len(left) - middle : len(left) - low] == right[len(right) - middle : len(right) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _scan(
    text: str, ignored: frozenset[int] | set[int], start: int = 0, until: frozenset[int] = frozenset()
) -> tuple[list[int], int | None, list[int]]:
    """Boundaries after `start`, where a string is open at the end, and the strings that swallow a definition.

    `ignored`: triple quotes that are not taken for the beginning of a string. Ends at a boundary of `until`.
    """
    found: list[int] = []
    suspects: list[int] = []
    depth, position = 0, start
    decorated = text.startswith("@", start)
    search = _TOKEN.search
    while (match := search(text, position)) is not None:
        word = match[0]
        position = match.end()
        first = word[0]
        if first in "\r\n":
            if _SURE_START.match(text, position):
                depth = 0
            elif depth or _CONTINUES.match(text, position):
                continue
            if not decorated or not _DECORATED.match(text, position):
                found.append(position)
                if position in until:
                    return found, None, suspects
            decorated = text[position] == "@"
        elif first in "([{":
            depth += len(word) if word[-1] in "([{" else 0
        elif first in ")]}":
            depth = max(0, depth - len(word))
        elif word in ('"""', "'''"):
            if match.start() in ignored:
                continue
            close = _closing(text, word, position)
            if close < 0:
                return found, match.start(), suspects
            if _DEFINITION.search(text, position, close):
                suspects.append(match.start())
            position = close + 3
    return found, None, suspects


def _closing(text: str, quote: str, position: int) -> int:
    while True:
        close = text.find(quote, position)
        if close < 0:
            return -1
        slashes = 0
        while text[close - slashes - 1] == "\\" and close - slashes > position:
            slashes += 1
        if slashes % 2 == 0:
            return close
        position = close + 1
