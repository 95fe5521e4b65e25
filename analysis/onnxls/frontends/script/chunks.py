"""A source text as its top-level statements, each parsed alone, so that a broken one leaves the others whole.

Positions in a chunk do not depend on what stands above it. Parsing never fails: what cannot be read is blanked line by
line, and the first thing that was wrong in each chunk is reported.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from onnxls.spans import LineIndex, Span

BROKEN = "__onnxls_broken__"
"""The name that stands for an expression on a line that could not be read."""

MAX_TEXT = 16_000_000
_MAX_REPAIRS = 12
_REPAIR_BUDGET = 1_500_000

_TARGET = re.compile(r"(\s*)(?:([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s*(?::[^=]*)?=(?!=)|(return)\b)?")
_HEADER = re.compile(r"\s*(?:(?:if|elif|while)\b|(else|try|finally)\b|(for)\b|(with)\b|(except)\b)")


@dataclass(frozen=True)
class SyntaxProblem:
    """What Python says of the first thing that is wrong in a chunk."""

    message: str
    span: Span


@dataclass(frozen=True, eq=False)
class Chunk:
    """A top-level statement (or a few lines without one), wherever it stands. `key` is its own among all chunks."""

    text: str
    key: str
    statements: tuple[ast.stmt, ...]
    problem: SyntaxProblem | None = None

    @cached_property
    def lines(self) -> LineIndex:
        """The lines of its text."""
        return LineIndex(self.text)

    @cached_property
    def ascii(self) -> bool:
        """Whether columns in bytes are columns in characters."""
        return self.text.isascii()

    def offset(self, line: int, column: int) -> int:
        """The offset of a position that `ast` gives: lines from 1, columns in UTF-8 bytes."""
        if self.ascii:
            return min(self.lines.start(line) + column, len(self.text))
        begin, end = self.lines.bounds(line)
        if column:
            encoded = self.text[begin:end].encode("utf-8", "surrogatepass")[:column]
            column = len(encoded.decode("utf-8", "ignore"))
        return min(begin + column, len(self.text))

    def point(self, line: int) -> Span:
        """The beginning of a line."""
        start = self.lines.bounds(line)[0]
        return Span(start, start, self.key)

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> Span:
        """The range of a node."""
        start = self.offset(node.lineno, node.col_offset)
        if node.end_lineno is None or node.end_col_offset is None:
            return Span(start, start, self.key)
        return Span(start, max(start, self.offset(node.end_lineno, node.end_col_offset)), self.key)


def may_hold_onnxscript(text: str) -> bool:
    """A cheap check, before anything is parsed."""
    return "onnxscript" in text and len(text) <= MAX_TEXT


@contextmanager
def silently() -> Generator[None]:
    """Chunks are read inside this: what Python warns of in a source is no matter of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def read_chunk(text: str, key: str) -> Chunk:
    """The chunk of a text. One that cannot be repaired has no statements."""
    statements, first = _parse(text)
    if first is None:
        return Chunk(text, key, statements)
    lines = LineIndex(text)
    parts = _split_lines(text, lines)
    problem: SyntaxError | None = first
    repairs = max(1, min(_MAX_REPAIRS, _REPAIR_BUDGET // max(1, len(text))))
    blanked: set[int] = set()
    while problem is not None and repairs:
        repairs -= 1
        number = _blank(parts, problem, blanked)
        if number is None:
            break
        blanked.add(number)
        statements, problem = _parse("".join(parts))
    line = min(max(first.lineno or 1, 1), len(parts))
    begin, end = lines.bounds(line)
    offset = min(max(begin + (first.offset or 1) - 1, begin), end)
    span = Span(offset, max(offset, end), key)
    message = first.msg if first.lineno else "this cannot be read"
    return Chunk(text, key, statements if problem is None else (), SyntaxProblem(message, span))


def _parse(text: str) -> tuple[tuple[ast.stmt, ...], SyntaxError | None]:
    try:
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
