"""A source text as its top-level statements, each parsed alone, so that a broken one leaves the others whole.

Positions in a chunk do not depend on what stands above it. Parsing never fails: what cannot be read is blanked line by
line, and the first thing that was wrong in each chunk is reported.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise

from onnxls.spans import LineIndex, Span

BROKEN = "__onnxls_broken__"
"""The name that stands for an expression on a line that could not be read."""

MAX_TEXT = 16_000_000
_MAX_REPAIRS = 12
_REPAIR_BUDGET = 1_500_000

_TOKEN = re.compile(
    r'"""|\'\'\'|"(?:[^"\\\n\r]|\\.)*"?|\'(?:[^\'\\\n\r]|\\.)*\'?|#[^\n\r]*|[()\[\]{}]|\\(?:\r\n|.)|\r\n|[\n\r]',
    re.DOTALL,
)
_STARTS_STATEMENT = re.compile(r"[^\W\d]|[@*(\[{\"'\d~+-]")
_SURE_START = re.compile(r"(?:@|(?:def|class|async|import|from)\b|if +__name__)")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")
_TARGET = re.compile(r"(\s*)(?:([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s*(?::[^=]*)?=(?!=)|(return)\b)?")
_HEADER = re.compile(r"\s*(?:(?:if|elif|while)\b|(else|try|finally)\b|(for)\b|(with)\b|(except)\b)")


@dataclass(frozen=True)
class SyntaxProblem:
    """What Python says of the first thing that is wrong in a chunk."""

    message: str
    span: Span


@dataclass(frozen=True)
class Chunk:
    """A top-level statement (or a few lines without one). `key` names its text; `lines` are those of its text."""

    text: str
    start: int
    key: str
    lines: LineIndex
    statements: tuple[ast.stmt, ...]
    problem: SyntaxProblem | None = None
    ascii: bool = field(default=True)

    def offset(self, line: int, column: int) -> int:
        """The offset of a position that `ast` gives: lines from 1, columns in UTF-8 bytes."""
        begin, end = self.lines.bounds(line)
        if not self.ascii:
            encoded = self.text[begin:end].encode("utf-8", "surrogatepass")[:column]
            column = len(encoded.decode("utf-8", "ignore"))
        return min(begin + column, len(self.text))

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> Span:
        """The range of a node."""
        start = self.offset(node.lineno, node.col_offset)
        if node.end_lineno is None or node.end_col_offset is None:
            return Span(start, start, self.key)
        return Span(start, max(start, self.offset(node.end_lineno, node.end_col_offset)), self.key)


def may_hold_onnxscript(text: str) -> bool:
    """A cheap check, before anything is parsed."""
    return "onnxscript" in text and len(text) <= MAX_TEXT


def read_chunks(text: str, path: str) -> tuple[Chunk, ...]:
    """The chunks of a text, in order; together they are the text. `path` tells their keys from those of other files."""
    seen: dict[str, int] = {}
    chunks: list[Chunk] = []
    for start, end in pairwise((*_boundaries(text), len(text))):
        part = text[start:end]
        digest = blake2b(part.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        seen[digest] = seen.get(digest, 0) + 1
        chunks.append(_read(part, start, f"{path}#{digest}:{seen[digest]}"))
    return tuple(chunks)


def _boundaries(text: str) -> list[int]:
    """The offsets at which chunks begin. A string that never ends is not taken for one."""
    ignored: set[int] = set()
    found, open_at, suspects = _scan(text, ignored)
    if open_at is not None:
        ignored.add(suspects[0] if suspects else open_at)
        found, open_at, _ = _scan(text, ignored)
        if open_at is not None:
            ignored.add(open_at)
            found, _, _ = _scan(text, ignored)
    return found


def _scan(text: str, ignored: set[int]) -> tuple[list[int], int | None, list[int]]:
    """Boundaries, where a string is open at the end, and the strings that swallow what looks like a definition."""
    found = [0]
    suspects: list[int] = []
    depth, position = 0, 0
    decorated = False
    if _SURE_START.match(text):
        decorated = text.startswith("@")
    while (match := _TOKEN.search(text, position)) is not None:
        word = match[0]
        position = match.end()
        if word in ('"""', "'''"):
            if match.start() in ignored:
                continue
            close = _closing(text, word, position)
            if close < 0:
                return found, match.start(), suspects
            if re.search(r"^(?:def |class |@)", text[position:close], re.MULTILINE):
                suspects.append(match.start())
            position = close + 3
        elif word in "([{":
            depth += 1
        elif word in ")]}":
            depth = max(0, depth - 1)
        elif word in ("\n", "\r", "\r\n"):
            sure = _SURE_START.match(text, position)
            if sure is not None:
                depth = 0
            if depth or not _STARTS_STATEMENT.match(text, position) or _CONTINUES.match(text, position):
                continue
            if not decorated and position < len(text):
                found.append(position)
            decorated = text.startswith("@", position)
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


def _read(text: str, start: int, key: str) -> Chunk:
    lines = LineIndex(text)
    plain = text.isascii()
    statements, problem = _parse(text)
    if problem is None:
        return Chunk(text, start, key, lines, statements, None, plain)
    parts = _split_lines(text, lines)
    first = problem
    repairs = max(1, min(_MAX_REPAIRS, _REPAIR_BUDGET // max(1, len(text))))
    blanked: set[int] = set()
    while problem is not None and repairs:
        repairs -= 1
        number = _blank(parts, problem, blanked)
        if number is None:
            break
        blanked.add(number)
        statements, problem = _parse("".join(parts))
    chunk = Chunk(text, start, key, lines, statements if problem is None else (), None, plain)
    line = min(max(first.lineno or 1, 1), len(parts))
    begin, end = lines.bounds(line)
    offset = min(max(begin + (first.offset or 1) - 1, begin), end)
    span = Span(offset, max(offset, end), key)
    message = first.msg if first.lineno else "this cannot be read"
    return Chunk(text, start, key, lines, chunk.statements, SyntaxProblem(message, span), plain)


def _parse(text: str) -> tuple[tuple[ast.stmt, ...], SyntaxError | None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tuple(ast.parse(text).body), None
    except SyntaxError as error:
        return (), error
    except (ValueError, MemoryError, RecursionError, OverflowError, UnicodeError):
        return (), SyntaxError("this cannot be read")


def _split_lines(text: str, lines: LineIndex) -> list[str]:
    parts: list[str] = []
    for number in range(1, lines.count + 1):
        begin, _ = lines.bounds(number)
        end = lines.bounds(number + 1)[0] if number < lines.count else len(text)
        parts.append(text[begin:end])
    return parts


def _blank(parts: list[str], problem: SyntaxError, blanked: set[int]) -> int | None:
    """Replaces the line of an error by one that says as much of it as can be read; None where there is none left."""
    number = problem.lineno
    if number is None:
        return None
    number = min(max(number, 1), len(parts))
    while number in blanked or not parts[number - 1].strip():
        number -= 1
        if number < 1:
            return None
    line = parts[number - 1]
    ending = line[len(line.rstrip("\r\n")) :]
    parts[number - 1] = _said(line) + ending
    return number


def _said(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())].rstrip("\r\n")
    header = _HEADER.match(line)
    if header is not None:
        word = header[0].strip()
        if header[1]:
            return f"{indent}{word}:"
        if header[2]:
            return f"{indent}for {BROKEN} in range({BROKEN}):"
        if header[3] or header[4]:
            return f"{indent}{word} {BROKEN}:"
        return f"{indent}{word} {BROKEN}:"
    match = _TARGET.match(line)
    if match is not None and match[2]:
        return f"{indent}{match[2]} = {BROKEN}"
    if match is not None and match[3]:
        return f"{indent}return {BROKEN}"
    return f"{indent}pass"
