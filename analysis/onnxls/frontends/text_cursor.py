"""A place in a list of tokens: what is expected there, what is reported, and where to go on after an error.

A cursor only moves forward, except to the start of the line of an error, which happens at most once for a line.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from typing import Literal

from onnxls.diagnostics import Diagnostic
from onnxls.frontends.text_tokens import ATTRIBUTE_TYPES, CONSTRUCTORS, NAME_START, PADDING, TYPE_WORDS, cut, unquote
from onnxls.rules import Rule, rule
from onnxls.spans import LineIndex, Span

SYNTAX_ERROR = rule(
    "syntax-error",
    "OLS020",
    "error",
    """
    The text does not follow the syntax of its kind.

    The statement is left out; what stands before and after it is still read, and what it defines counts as defined
    with an unknown shape, so that one slip gives one message.

    ```onnx
    g (float[N, 4] x) => (float[N, 4] z) {
      y = Relu (x  # error: [syntax-error] "expected `,` or `)` after `x`"
      z = Relu (y)
    }
    ```

    A name that is more than letters, digits and underscores is written in quotes: `"layer.0/y"`.
    """,
)

HEADER_WORDS = frozenset(
    (
        "ir_version",
        "opset_import",
        "producer_name",
        "producer_version",
        "domain",
        "model_version",
        "doc_string",
        "metadata_props",
        "overload",
    )
)
MAX_REPORTS = 100
_HEADER_LIMIT = 400
_OPEN = {"(": ")", "[": "]", "<": ">", "{": "}"}
_CLOSE = frozenset(_OPEN.values())
_BEFORE_BODY = (")", ">")

Landing = Literal["item", "close", "stop"]
"""Where a list goes on after an error: at another item, at its closing bracket, or not at all."""


class TextError(Exception):
    """Something is wrong at a range; where it is raised, the statement cannot be read on."""

    def __init__(self, span: Span, message: str, about: Rule = SYNTAX_ERROR, value: str | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.rule = about
        self.value = value


class Cursor:
    """The tokens of a text and the one that is looked at, `words[at]`."""

    def __init__(self, text: str, path: str) -> None:
        tokens = cut(text)
        self.text = text
        self.lines = LineIndex(text)
        self.path = path
        self.words = tokens.words
        self.starts = tokens.starts
        self.end = len(tokens.words) - PADDING
        self.at: int = 0
        self._problems: dict[int, TextError] = {}
        self._muted = False
        self._ran_out = False

    def span(self, index: int) -> Span:
        """The range of a token."""
        start = self.starts[index]
        return Span(start, start + len(self.words[index]))

    def since(self, index: int) -> Span:
        """The range from a token to the one before the cursor."""
        last = self.at - 1
        if last < index:
            last = index
        return Span(self.starts[index], self.starts[last] + len(self.words[last]))

    def starts_line(self, index: int) -> bool:
        """Whether a token is the first on its line."""
        if index == 0:
            return True
        before = self.starts[index - 1] + len(self.words[index - 1])
        return self.text.find("\n", before, self.starts[index]) >= 0

    def line_start(self, index: int, begin: int) -> int | None:
        """The first token on the line of a token, where it comes after the token `begin`."""
        newline = self.text.rfind("\n", self.starts[begin], self.starts[index])
        first = bisect_right(self.starts, newline, begin, index) if newline >= 0 else begin
        return first if first > begin and self.starts_line(first) else None

    def is_name(self, index: int) -> bool:
        """Whether a token is a name, in quotes or not."""
        return self.words[index][:1] in NAME_START or self.words[index][:1] == '"'

    def name(self, what: str) -> str:
        """Takes a name, in quotes or not."""
        word = self.words[self.at]
        if word[:1] in NAME_START:
            self.at += 1
            return word
        if word[:1] == '"':
            return self.string()
        raise self.failed(what)

    def string(self) -> str:
        """Takes a quoted string."""
        word = self.words[self.at]
        said = unquote(word) if word[:1] == '"' else None
        if said is None:
            raise TextError(self.span(self.at), "the string has no end") if word[:1] == '"' else self.failed("a string")
        self.at += 1
        return said

    def take(self, word: str) -> None:
        """Takes one certain token."""
        if self.words[self.at] != word:
            raise self.failed(f"`{word}`")
        self.at += 1

    def found(self, word: str) -> bool:
        """Takes a token if it is there, and reports where it is not."""
        if self.words[self.at] == word:
            self.at += 1
            return True
        self.report(self.failed(f"`{word}`"))
        return False

    def close(self, bracket: str) -> None:
        """Takes the bracket that ends a list."""
        if self.words[self.at] != bracket:
            raise self.failed(f"`,` or `{bracket}`")
        self.at += 1

    def entries(self, close: str, take: Callable[[], None], to_next: Callable[[int], Landing]) -> None:
        """Takes items with commas between them, each with `take`, and the bracket `close` after them.

        Where an item has an error, `to_next` goes on from its first token.
        """
        while True:
            begin = self.at
            try:
                take()
                if self.words[self.at] == ",":
                    self.at += 1
                    continue
                self.close(close)
                return
            except TextError as stop:
                self.report(stop)
                landing = to_next(begin)
                if landing == "item":
                    continue
                self.at += landing == "close"
                return

    def failed(self, expected: str) -> TextError:
        """The error of a token that is not what is expected."""
        at = self.at
        word = self.words[at]
        if at and (not word or self.starts_line(at)):
            return TextError(self.span(at - 1), f"expected {expected} after `{_short(self.words[at - 1])}`")
        if not word:
            return TextError(self.span(at), f"expected {expected}, found the end of the text")
        hint = ""
        if word in (".", "/", "-") or not word.isascii():
            hint = '; a name with other characters than letters, digits and _ stands in quotes: "a/b"'
        return TextError(self.span(at), f"expected {expected}, found `{_short(word)}`{hint}")

    def report(self, stop: TextError) -> None:
        """Keeps an error; only the first of a place counts, and none at the end after another that led there."""
        if not self._muted and not (self._ran_out and not self.words[self.at]):
            self._problems.setdefault(stop.span.start, stop)
            self._muted = len(self._problems) >= MAX_REPORTS

    @property
    def problem_count(self) -> float:
        """How many errors were kept; NaN, which equals nothing, where no more are."""
        return math.nan if self._muted else len(self._problems)

    def give_up(self, stop: TextError) -> None:
        """Reports an error that explains all later ones."""
        self.report(stop)
        self._muted = True
        self.at = self.end

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was reported, in the order of the text."""
        return tuple(
            Diagnostic(
                stop.rule.name,
                stop.rule.code,
                stop.rule.severity,
                stop.message,
                self.lines.location(self.path, stop.span),
                value=stop.value,
            )
            for _, stop in sorted(self._problems.items())
        )

    def skip_past(self, last: str) -> bool:
        """Moves past all brackets up to the first that opens with `last`; False where they are not closed."""
        depth = 0
        ends = False
        while word := self.words[self.at]:
            self.at += 1
            if word in _OPEN:
                ends = ends or (not depth and word == last)
                depth += 1
            elif word in _CLOSE:
                depth -= 1
                if depth < 0:
                    self.at -= 1
                    return True
                if ends and not depth:
                    return True
        return False

    def begins_node(self, index: int) -> bool:
        """Whether the line that starts at a token begins a node: its outputs, `=` and an operator.

        In a list of attributes it may also be the next one, with a graph; then only a whole call is a node.
        """
        words = self.words
        in_list = words[index - 1] in ("<", ",")
        if words[index] == "[":
            index += 3 if self.is_name(index + 1) else 2
            if words[index - 1] != "]":
                return False
        while True:
            if not self.is_name(index) or self.starts_line(index + 1):
                return False
            index += 1
            if words[index] == "=":
                break
            if words[index] != "," or self.starts_line(index + 1):
                return False
            index += 1
        return self._is_whole_call(index + 1) if in_list else self._begins_call(index + 1)

    def _begins_call(self, index: int) -> bool:
        words = self.words
        if not words[index] or self.starts_line(index):
            return True
        if not self.is_name(index) or words[index] in TYPE_WORDS:
            return False
        if words[index + 1] not in ("(", "<", ".", ":"):
            return self.starts_line(index + 1)
        return words[index + 1] != "(" or not self._is_signature(index + 1)

    def _is_whole_call(self, index: int) -> bool:
        """Whether an operator and its inputs end with the line."""
        words = self.words
        if not self.is_name(index) or words[index] in TYPE_WORDS or words[index + 1] not in ("(", "<", ".", ":"):
            return False
        while words[index] and words[index] != ")":
            index += 1
            if self.starts_line(index):
                return False
        return words[index + 1] in ("}", "<") or (words[index + 1] != "" and self.starts_line(index + 1))

    def begins_block(self, index: int) -> bool:
        """Whether a graph or function begins at a token: its header, or its name and signature."""
        words = self.words
        if words[index] == "<":
            is_header = words[index + 1] in HEADER_WORDS and words[index + 2] == ":"
            return is_header and words[index + 3] not in ATTRIBUTE_TYPES
        if not self.is_name(index) or words[index + 1] not in ("(", "<"):
            return False
        index += 1
        if words[index] == "<":
            limit = index + _HEADER_LIMIT
            while words[index] not in (">", "", "{", "}") and index < limit:
                index += 1
            index += words[index] == ">"
        return words[index] == "(" and self._is_signature(index)

    def _is_signature(self, index: int) -> bool:
        """Whether the bracket at a token holds the inputs of a graph: `=>` follows it."""
        words = self.words
        limit = min(index + _HEADER_LIMIT, self.end)
        depth = 0
        while index < limit:
            word = words[index]
            if word == "(":
                if depth and words[index - 1] not in CONSTRUCTORS:
                    return False
                depth += 1
            elif word == ")":
                depth -= 1
                if not depth:
                    return words[index + 1] == "=>"
            elif word in ("=>", "<", ">"):
                return False
            index += 1
        return False

    def to_next_node(self, begin: int) -> None:
        """Goes from an error in the node that begins at a token to the next node, or to the end of the list."""
        line = self.line_start(self.at, begin)
        self.at = max(self.at, begin + 1) if line is None else line
        self.at = min(self.at, self.end)
        blocks = values = 0
        while word := self.words[self.at]:
            if self.starts_line(self.at):
                values = 0
                if not blocks and (self.begins_node(self.at) or self.begins_block(self.at)):
                    return
            if word == "{":
                if self.words[self.at - 1] in _BEFORE_BODY:
                    blocks += 1
                else:
                    values += 1
            elif word == "}":
                if values:
                    values -= 1
                elif blocks:
                    blocks -= 1
                else:
                    return
            self.at += 1
        self._ran_out = True

    def to_next_item(self, close: str, begin: int) -> Landing:
        """Goes from an error in a list of declarations to its next item; a comma before it is taken."""
        line = self.line_start(self.at, begin)
        if line is not None and self.words[line] in TYPE_WORDS:
            self.at = line
            return "item"
        depth = 0
        while word := self.words[self.at]:
            if word == "=>" or (word == "{" and self.words[self.at - 1] in _BEFORE_BODY):
                return "stop"
            if self.at > begin and self.starts_line(self.at):
                if self.words[self.at] in TYPE_WORDS:
                    return "item"
                if self.begins_node(self.at) or word == "}":
                    return "stop"
            if not depth and word == close:
                return "close"
            if word in _OPEN:
                depth += 1
            elif word in _CLOSE:
                depth = max(depth - 1, 0)
            elif not depth and word == ",":
                self.at += 1
                return "item"
            self.at += 1
        self._ran_out = True
        return "stop"

    def to_next_attribute(self, begin: int) -> Landing:
        """Goes from an error in a list of attributes to the next one on this line, or that begins a line."""
        depth = 0
        while word := self.words[self.at]:
            if self.at > begin and self.starts_line(self.at):
                if self.words[self.at][:1] in NAME_START and self.words[self.at + 1] in ("=", ":"):
                    return "stop" if self.begins_node(self.at) else "item"
                if word != ">":
                    return "stop"
            if not depth and word == ">":
                return "close"
            if word in _OPEN:
                depth += 1
            elif word in _CLOSE:
                if not depth:
                    return "stop"
                depth -= 1
            elif not depth and word == ",":
                self.at += 1
                return "item"
            self.at += 1
        self._ran_out = True
        return "stop"


def _short(word: str) -> str:
    line = word.partition("\n")[0]
    return line if len(line) <= 40 else line[:39] + "…"
