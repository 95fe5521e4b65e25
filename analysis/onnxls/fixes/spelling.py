"""The name that was probably meant: of an operator, an attribute, a value, a dim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.fixes.changes import Respell
from onnxls.fixes.scene import Scene
from onnxls.spans import Span

RULES = (
    "unknown-operator",
    "unknown-function",
    "unknown-attribute",
    "undefined-value",
    "undefined-variable",
    "traced-unknown-operator",
    "traced-unknown-attribute",
)
_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_UNKNOWN_ATTRIBUTE = re.compile(r"no attribute `([^`]+)`")


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """The suggestion of the message, in place of what is written."""
    match = _MEANT.search(found.message)
    if match is None:
        return
    new = match[1]
    title = f"Write `{new}`"
    site = scene.site(found)
    match found.rule:
        case "unknown-operator" | "unknown-function" if site is not None:
            yield from scene.fix(title, Respell(site, "operator", site.node.op_type, new))
        case "unknown-attribute" if site is not None:
            old = _UNKNOWN_ATTRIBUTE.search(found.message)
            if old is not None:
                yield from scene.fix(title, Respell(site, "attribute", old[1], new))
        case "undefined-value" if site is not None and found.value is not None:
            yield from scene.fix(title, Respell(site, "input", found.value, new))
        case "undefined-variable" | "traced-unknown-operator" | "traced-unknown-attribute":
            yield from _word(scene, found, title, new)
        case _:
            pass


def _word(scene: Scene, found: Diagnostic, title: str, new: str) -> Iterator[Fix]:
    """The word that a finding in Python is at: all of it, what follows the dot, or what stands before `=`."""
    span = scene.span(found.location)
    if span is None or scene.text is None:
        return
    written = scene.text[span.start : span.end]
    match = re.match(r"(?:[\w.]*\.)?(\w+)(?=\s*=|\Z)", written)
    if match is not None:
        yield from scene.text_fix(title, (Span(span.start + match.start(1), span.start + match.end(1)), new))
