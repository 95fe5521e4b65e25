"""Where the thing at a place is defined, and where it is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from onnxls.frontends.script.declared import name_span
from onnxls.occurrences import Occurrence, Role
from onnxls.spans import Location, Span
from onnxls_server.features.function_mentions import function_mentions
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Definition:
    """A range of the snapshot's own text, or a place in another file."""

    span: Span | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A mention in the text of a snapshot. A declaration repeats what is defined elsewhere."""

    uri: str
    start: int
    end: int
    role: Role


def definition(snapshot: Snapshot, offset: int) -> list[Definition]:
    """Where the value, function or dim at an offset gets its meaning: of a variable, the bindings that reach here."""
    view = View(snapshot)
    found = view.at(offset)
    if found is None:
        return []
    occurrence, _ = found
    if occurrence.entity.kind == "dim":
        return [Definition(span) for _, span in view.all_of(occurrence)][:1]
    defining = [(each, span) for each, span in view.all_of(occurrence) if each.role == "definition"]
    reaching = [span for each, span in defining if each.value == occurrence.value]
    if occurrence.entity.kind == "function" or not reaching:
        reaching = [span for _, span in defining]
    if reaching:
        return [Definition(span) for span in reaching]
    return list(_elsewhere(view, occurrence))


def _elsewhere(view: View, occurrence: Occurrence) -> Iterator[Definition]:
    if occurrence.function is None:
        return
    at = name_span(occurrence.function.chunk, occurrence.function.node)
    home = view.report.loaded.homes.get(at.home)
    if home is not None and home.path != view.report.loaded.path:  # in this file it is an occurrence, or was edited
        yield Definition(location=home.location(at, None))


def highlight(snapshot: Snapshot, offset: int) -> list[Reference]:
    """All mentions in this text of what is at an offset."""
    view = View(snapshot)
    found = view.at(offset)
    return [] if found is None else list(_mentions(view, found[0]))


def references(snapshot: Snapshot, offset: int, others: Iterable[Snapshot] = ()) -> list[Reference]:
    """All mentions of what is at an offset: of a script function, in the other texts of the workspace too."""
    view = View(snapshot)
    found = view.at(offset)
    if found is None:
        return []
    listed = list(_mentions(view, found[0]))
    declared = view.declared(found[0])
    mentions = "" if declared is None else function_mentions(view, declared, others)
    if isinstance(mentions, str):
        return listed
    known = {(each.uri, each.start) for each in listed}
    for uri, each in mentions:
        listed += [Reference(uri, span.start, span.end, "use") for span in each.names if (uri, span.start) not in known]
    return sorted(listed, key=lambda each: (each.uri != snapshot.uri, each.uri, each.start))


def _mentions(view: View, occurrence: Occurrence) -> Iterator[Reference]:
    for each, span in view.all_of(occurrence):
        yield Reference(view.snapshot.uri, span.start, span.end, each.role)
