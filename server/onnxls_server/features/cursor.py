"""What is being written at a place in a text that may be half-written: in which bracket, argument, string or comment.

The text is cut into words up to the place; nothing after it is looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

_WORD = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n\r]|\\.)*"|\'(?:[^\'\\\n\r]|\\.)*\''
    r"|#[^\n\r]*|[^\W\d]\w*(?:\.[^\W\d]\w*)*\.?|\d[\w.]*|\r\n|[\n\r]|[ \t\f]+|=>|==|[<>!]=|.",
    re.DOTALL,
)
_NAME_AT_END = re.compile(r"(?:[^\W\d]\w*)?\Z")
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}


@dataclass(slots=True)
class Bracket:
    """A bracket that is open at the place. `before`: the dotted name that it follows; `argument`: the words since the
    last comma in it; `index`: how many commas; `names`: the keywords that were given in it."""

    kind: str
    before: str
    line_indent: int
    index: int = 0
    argument: list[str] = field(default_factory=list[str])
    names: list[str] = field(default_factory=list[str])

    @property
    def keyword(self) -> str | None:
        """The keyword of the argument that is being written."""
        named = len(self.argument) >= 2 and self.argument[1] == "=" and self.argument[0].isidentifier()
        return self.argument[0] if named else None


@dataclass(frozen=True, slots=True)
class Cursor:
    """The place. `word` is the part of a name before it, from `start`; `owner` the dotted name before a dot.

    In a string or comment `written` is its text up to the place. `brackets` are those open, the innermost last;
    `statement` the words of the statement so far.
    """

    where: Literal["code", "string", "comment"]
    start: int
    offset: int
    word: str
    owner: str | None
    written: str
    brackets: tuple[Bracket, ...]
    statement: tuple[str, ...]

    @property
    def bracket(self) -> Bracket | None:
        """The innermost open bracket."""
        return self.brackets[-1] if self.brackets else None


def cursor(text: str, begin: int, offset: int, angles: bool = False) -> Cursor:
    """What is being written at an offset, where a statement begins at `begin`. `angles`: `<` is a bracket."""
    opening = "([{<" if angles else "([{"
    brackets: list[Bracket] = []
    statement: list[str] = []
    previous = ""
    indent, at_line_start = 0, True
    position = begin
    while position < offset:
        match = _WORD.match(text, position, offset)
        assert match is not None
        word = match[0]
        last = match.end() == offset
        if last and word[0] == "#":
            return _within("comment", text, position, offset, brackets, statement)
        if word[0] in "\"'" and (len(word) == 1 or not _is_closed(word)):
            return _within("string", text, position + 1, offset, brackets, statement)
        position = match.end()
        if word in ("\n", "\r", "\r\n"):
            at_line_start, indent = True, 0
            if not brackets:
                statement = []
            continue
        if word.isspace():
            if at_line_start:
                indent = len(word.expandtabs())
            continue
        if word[0] == "#":
            continue
        if at_line_start and brackets and word[0] not in _CLOSING and indent <= brackets[0].line_indent and not angles:
            brackets, statement = [], []
        at_line_start = False
        if word in opening and (word != "<" or previous != "="):
            brackets.append(Bracket(word, previous if _is_name(previous) else "", _indent(text, match.start())))
        elif word in _CLOSING and any(each.kind == _CLOSING[word] for each in brackets):
            while brackets.pop().kind != _CLOSING[word]:
                pass
            if brackets:
                brackets[-1].argument.append(word)
        elif word == "," and brackets:
            inner = brackets[-1]
            if inner.keyword is not None:
                inner.names.append(inner.keyword)
            inner.index, inner.argument = inner.index + 1, []
        elif brackets:
            brackets[-1].argument.append(word)
        statement.append(word)
        previous = word
    name = _NAME_AT_END.search(text, begin, offset)
    start = offset if name is None else name.start()
    owner = None
    if start > begin and text[start - 1] == ".":
        dotted = re.search(r"([^\W\d][\w.]*)\.\Z", text[begin:start])
        owner = dotted[1] if dotted is not None else ""
    return Cursor("code", start, offset, text[start:offset], owner, "", tuple(brackets), tuple(statement))


def _within(
    where: Literal["string", "comment"],
    text: str,
    start: int,
    offset: int,
    brackets: list[Bracket],
    statement: list[str],
) -> Cursor:
    written = text[start:offset]
    match = re.search(r"[\w-]*\Z", written)
    word = match[0] if match is not None else ""
    return Cursor(where, offset - len(word), offset, word, None, written, tuple(brackets), tuple(statement))


def _is_closed(word: str) -> bool:
    quote = word[:3] if word[:3] in ('"""', "'''") and len(word) >= 6 else word[0]
    return len(word) >= 2 * len(quote) and word.endswith(quote)


def _is_name(word: str) -> bool:
    return word.replace(".", "").isidentifier()


def _indent(text: str, offset: int) -> int:
    """The indentation of the line of an offset."""
    begin = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = text[begin:offset]
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())
