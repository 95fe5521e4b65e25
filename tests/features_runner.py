"""What editors show, in text: Markdown suites in which carets under a line of code point at places.

    y = op.MatMul(x, w)
    # ^ hover: float[N, 8]

The caret stands under the character that is asked about (`#<` points at the first of the line); several lines of
carets may follow a line of code, and are no part of the text. After the caret:

    hover: TEXT               the hover has this text         no hover
    inlay: LABEL              a hint follows the character    no inlay
    here: LABEL               names the place for others
    definition: LABEL ...     where the definition is         no definition
    references: LABEL ...     all references, no others (the definition too)
    completion: A, B          after the character, these are offered, in this order, perhaps with others
    no completion: A, B       these are not offered; without names: nothing is
    signature: TEXT           the signature, the active parameter in brackets; `no signature`
    neighbourhood: EDGES      the edges around the node
    action: TITLE             the block after it is the text then; `no action: TITLE`
    rename: NEW               the block after it (`py result`) is the text then; `no rename: NEW: REASON`

Blocks in the languages `symbols`, `folding`, `tokens`, `lens`, `guards` after a text say all of these of it. A block
with `analyzed` before the text is the older text that the analysis belongs to; one with `before` is the text that the
same workspace has analysed before this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mdtest_runner import FENCE, HEADER, HEADING
from onnxls.assembly import Request
from onnxls.fixes.scene import Scene
from onnxls.spans import LineIndex
from onnxls.workspace import Workspace
from onnxls_server.features.code_actions import Action, annotation_actions, fix_actions
from onnxls_server.session.snapshot import Snapshot

CARET = re.compile(r"^\s*#(?:\s*\^|<) (?P<kind>(?:no )?\w+)(?:: ?(?P<rest>.*))?$")
LANGUAGES = {"py": "block.py", "onnx": "block.onnxtxt"}


@dataclass
class Mark:
    """One caret: the offset of its character, what is said of it."""

    offset: int
    kind: str
    rest: str
    line: int


@dataclass
class Case:
    """One text with what is said of it."""

    name: str
    path: str
    text: str
    marks: list[Mark]
    analyzed: str | None = None
    before: str | None = None
    result: str | None = None
    blocks: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def labels(self) -> dict[str, int]:
        return {mark.rest: mark.offset for mark in self.marks if mark.kind == "here"}

    def snapshot(self) -> Snapshot:
        older = self.text if self.analyzed is None else self.analyzed
        workspace = Workspace()
        if self.before is not None:
            workspace.analyze_text(self.before, self.path, Request())
        report = workspace.analyze_text(older, self.path, Request())
        kind = "source" if self.path.endswith(".py") else "model-text"
        return Snapshot(f"file:///{self.path}", self.path, 1, kind, self.text, LineIndex(self.text), report, older)


def cases(path: Path) -> Iterator[Case]:
    """All texts of a suite."""
    text = path.read_text(encoding="utf-8")
    bare = FENCE.sub(lambda match: " " * len(match[0]), text)
    headings = [(match.start(), match[2]) for match in HEADING.finditer(bare)]
    current: Case | None = None
    analyzed: str | None = None
    before: str | None = None
    count: dict[str, int] = {}
    for match in FENCE.finditer(text):
        language, info = match["language"], match["info"].strip()
        if language in LANGUAGES and info == "analyzed":
            analyzed = split(match["body"], language)[0]
        elif language in LANGUAGES and info == "before":
            before = split(match["body"], language)[0]
        elif language in LANGUAGES and not info:
            if current is not None:
                yield current
            title = next((name for start, name in reversed(headings) if start < match.start()), path.stem)
            count[title] = count.get(title, 0) + 1
            name = title if count[title] == 1 else f"{title} ({count[title]})"
            body, marks = split(match["body"], language)
            current, analyzed, before = Case(name, LANGUAGES[language], body, marks, analyzed, before), None, None
        elif current is not None and info == "result":
            current.result = split(match["body"], language)[0]
        elif current is not None:
            current.blocks[language] = match["body"]
    if current is not None:
        yield current


def split(body: str, language: str) -> tuple[str, list[Mark]]:
    """The text without the lines of carets, and the carets."""
    text = HEADER if language == "onnx" and not body.startswith("<") else ""
    marks: list[Mark] = []
    start = shift = len(text)
    for number, line in enumerate(body.splitlines(keepends=True), 1):
        match = CARET.match(line.rstrip("\n"))
        if match is None:
            start, shift = len(text), len(text)
            if number == 1 and language == "onnx":
                start = shift
            text += line
        else:
            column = line.find("^") if "#<" not in line else 0
            marks.append(Mark(start + column, match["kind"], (match["rest"] or "").strip(), number))
    return text, marks


def code_actions(snapshot: Snapshot, start: int, end: int) -> list[Action]:
    """The actions for a range of a text."""
    scene = Scene(snapshot.report)
    spans = ((each, scene.span(each.location)) for each in snapshot.report.found)
    here = [each for each, span in spans if span is not None and span.start <= end and start <= span.end]
    fixed = (action for each in here for action in fix_actions(snapshot, scene, each))
    return [*fixed, *annotation_actions(snapshot, start, end)]
