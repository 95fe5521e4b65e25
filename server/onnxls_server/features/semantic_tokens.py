"""What words are, for colours: dims, operators and attributes in sources, and all names in ONNX text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot

TokenKind = Literal["dim", "operator", "function", "attribute", "value", "node"]
_IN_SOURCES = frozenset(("dim", "operator", "attribute"))


@dataclass(frozen=True, slots=True)
class Token:
    """A word. `defines`: it is where the thing gets its meaning."""

    start: int
    end: int
    kind: TokenKind
    defines: bool


def semantic_tokens(snapshot: Snapshot, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens in a range, in order. In a source only what no server of ordinary Python knows."""
    view = View(snapshot)
    end = len(snapshot.text) if end is None else end
    found: list[Token] = []
    for each, span in view.between(start, end):
        kind = each.entity.kind
        if kind != "input" and (snapshot.kind != "source" or kind in _IN_SOURCES):
            found.append(Token(span.start, span.end, kind, each.role == "definition"))
    return sorted(found, key=lambda token: token.start)
