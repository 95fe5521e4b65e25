"""New names for values, script functions, dims, nodes: everywhere or not at all."""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from onnxls.frontends.text_tokens import TYPE_WORDS
from onnxls.graph import TypeInfo
from onnxls.occurrences import Occurrence
from onnxls.occurrences.dims import dim_mentions
from onnxls.seeds import dim_names
from onnxls.spans import Span
from onnxls_server.features.function_mentions import function_mentions, is_parameter
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot

_PLAIN = re.compile(r"[A-Za-z_]\w*")
_CONNECTIVES = frozenset(("and", "or", "not"))
_RENAMED = frozenset(("value", "function", "dim", "node"))


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace a range of the text of a document."""

    uri: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no new name, for people."""

    reason: str


def prepare_rename(snapshot: Snapshot, offset: int) -> Span | None:
    """The range of what can be renamed at an offset."""
    found = View(snapshot).at(offset)
    if found is None or snapshot.kind == "listing" or found[0].entity.kind not in _RENAMED:
        return None
    return found[1]


def rename(
    snapshot: Snapshot, offset: int, new: str, others: Iterable[Snapshot] = ()
) -> tuple[TextEdit, ...] | Refusal:
    """The edits that give what is at an offset a new name. `others`: further texts that may speak of a function."""
    if snapshot.kind == "listing":
        return Refusal("a binary model is not edited as text")
    if snapshot.text != snapshot.analyzed:
        return Refusal("the text has just been changed; try again")
    view = View(snapshot)
    found = view.at(offset)
    if found is None or found[0].entity.kind not in _RENAMED:
        return Refusal("nothing here can be renamed")
    occurrence = found[0]
    if new == occurrence.entity.name:
        return ()
    match occurrence.entity.kind:
        case "dim":
            return _dim(view, occurrence, new)
        case _ if snapshot.kind == "model-text":
            return _in_text(view, occurrence, new)
        case "function":
            return _function(view, occurrence, new, others)
        case _:
            return _variable(view, occurrence, new, others)


def _edits(view: View, occurrence: Occurrence, new: str) -> tuple[TextEdit, ...]:
    return tuple(TextEdit(view.snapshot.uri, span.start, span.end, new) for _, span in view.all_of(occurrence))


# ---------------------------------------------------------------- dims and ONNX text


def _dim(view: View, occurrence: Occurrence, new: str) -> tuple[TextEdit, ...] | Refusal:
    """Within one function or model. A name that is part of an expression stays one word."""
    if not new or '"' in new or "'" in new or "\\" in new or not new.isprintable() or new != new.strip():
        return Refusal(f"`{new}` cannot be written as the name of a size")
    for part in view.occurrences.parts:
        if part.unit == occurrence.unit and any(
            each.entity.kind == "dim" and each.entity.name == new for each in part.table.occurrences
        ):
            return Refusal(f"there is a size `{new}` already")
    alias = _written_elsewhere(view, occurrence)
    if alias is not None:
        return Refusal(f"`{occurrence.entity.name}` is also in `{alias}`, which other functions may use")
    if not _PLAIN.fullmatch(new) or new in _CONNECTIVES:
        text = view.snapshot.text
        for _, span in view.all_of(occurrence):
            if not (text[span.start - 1 : span.start] in "\"'" and text[span.end : span.end + 1] in "\"'"):
                return Refusal(f"`{new}` is not one word, which it must be where it is not quoted")
    return _edits(view, occurrence, new)


def _written_elsewhere(view: View, occurrence: Occurrence) -> str | None:
    """An annotation of the function that has the name of a size without showing it: a type that has a name."""
    unit = view.unit(occurrence.unit)
    if unit is None or unit.source is None:
        return None
    graph, dims = unit.model.graph, dim_names(unit.model.graph)
    declared: dict[tuple[str, str], TypeInfo | None] = {
        **{("parameter", value.name): value.type for value in graph.inputs},
        **{("result", value.name): value.type for value in graph.outputs},
        **{("local", name): info for name, info in graph.value_info.items()},
    }
    shown = [span for _, span in view.all_of(occurrence)]
    for part in view.occurrences.parts:
        for each in part.table.typed if part.unit == occurrence.unit else ():
            at, info = each.annotation, declared.get((each.role, each.value))
            if at is None or info is None or any(at.start <= span.start < at.end for span in shown):
                continue
            written = (dim for dim in info.shape or () if isinstance(dim, str))
            if any(name == occurrence.entity.name for dim in written for name, _ in dim_mentions(dim, dims)):
                return view.snapshot.text[at.start : at.end]
    return None


def _in_text(view: View, occurrence: Occurrence, new: str) -> tuple[TextEdit, ...] | Refusal:
    if not new or any(char in new for char in '"\\\n\r') or not new.isprintable():
        return Refusal(f"`{new}` cannot be a name")
    for part in view.occurrences.parts:
        for each in part.table.occurrences:
            if each.entity.name.removeprefix("@") == new and each.entity.kind == occurrence.entity.kind:
                return Refusal(f"there is a {each.entity.kind} `{new}` already")
    plain = _PLAIN.fullmatch(new) is not None and new not in TYPE_WORDS and new.isascii()
    if not plain and occurrence.entity.name.startswith("@"):
        return Refusal(f"`{new}` cannot be the name of an attribute")
    return _edits(view, occurrence, new if plain else f'"{new}"')


# ---------------------------------------------------------------- sources


def _variable(
    view: View, occurrence: Occurrence, new: str, others: Iterable[Snapshot]
) -> tuple[TextEdit, ...] | Refusal:
    """A variable of a script function; a parameter also where it is given by keyword."""
    unit = view.unit(occurrence.unit)
    if unit is None or unit.source is None:
        return Refusal("nothing here can be renamed")
    node, old = unit.source.declared.node, occurrence.entity.name
    new = unicodedata.normalize("NFKC", new)  # as Python reads names
    problem = _problem(new) or _taken(node, new)
    if problem is not None:
        return Refusal(problem)
    if old in set(_hidden_names(node)):
        return Refusal(f"`{old}` is used in an expression with names of its own")
    edits = _edits(view, occurrence, new)
    if not is_parameter(node, occurrence.entity):
        return edits
    found = function_mentions(view, unit.source.declared, others)
    if isinstance(found, str):
        return Refusal(found)
    keywords = (
        TextEdit(uri, span.start, span.end, new) for uri, mentions in found for span in mentions.keywords.get(old, ())
    )
    return (*edits, *keywords)


def _function(
    view: View, occurrence: Occurrence, new: str, others: Iterable[Snapshot]
) -> tuple[TextEdit, ...] | Refusal:
    """A script function, with its imports and its calls from ordinary Python."""
    problem = _problem(new)
    if problem is not None:
        return Refusal(problem)
    declared = view.declared(occurrence)
    if declared is None:
        return Refusal("its definition is not known")
    written = view.snapshot.text[occurrence.span.start : occurrence.span.end]
    if written != declared.node.name:
        return Refusal(f"`{written}` is another name for `{declared.node.name}`")
    found = function_mentions(view, declared, others)
    if isinstance(found, str):
        return Refusal(found)
    for uri, mentions in found:
        if new in mentions.used and mentions.names:
            return Refusal(f"the name `{new}` is used already in {uri.rpartition('/')[2]}")
    return tuple(TextEdit(uri, span.start, span.end, new) for uri, mentions in found for span in mentions.names)


def _problem(new: str) -> str | None:
    if not new.isidentifier() or keyword.iskeyword(new):
        return f"`{new}` is no name in Python"
    return None


def _taken(node: ast.FunctionDef, new: str) -> str | None:
    for each in ast.walk(node):
        if (isinstance(each, ast.Name) and each.id == new) or (isinstance(each, ast.arg) and each.arg == new):
            return f"the name `{new}` is used already in `{node.name}`"
    return None


def _hidden_names(node: ast.AST) -> Iterator[str]:
    """The names in expressions that have names of their own, which the occurrences do not list."""
    for each in ast.walk(node):
        if isinstance(each, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            yield from (inner.id for inner in ast.walk(each) if isinstance(inner, ast.Name))
