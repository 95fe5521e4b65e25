"""What can be folded in ONNX text: headers, graphs, functions, and nodes with graphs in them. Sources have editors."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.spans import Span
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines from 1, both included; the first stays."""

    start_line: int
    end_line: int


def folding(snapshot: Snapshot) -> list[Fold]:
    """The folds of a text, in order, each range once."""
    if snapshot.kind == "source":
        return []
    view = View(snapshot)
    spans: list[Span] = []
    header = snapshot.text.find("\n>") if snapshot.text.lstrip().startswith("<") else -1
    if header > 0:
        spans.append(Span(snapshot.text.index("<"), header))
    for part in view.occurrences.parts:
        spans += [each.span for each in part.table.blocks]
        spans += [site.span for site in part.table.sites]
    found: set[tuple[int, int]] = set()
    for span in spans:
        now = view.around(span)
        if now is None:
            continue
        first, last = snapshot.lines.position(now.start)[0], snapshot.lines.position(now.end)[0]
        last -= snapshot.text[now.end - 1 : now.end] in ("}", ">")
        if last > first:
            found.add((first, last))
    return [Fold(*each) for each in sorted(found)]
