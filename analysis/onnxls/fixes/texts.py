"""Changes as edits of ONNX text."""

from __future__ import annotations

import re

from onnxls.diagnostics import Edit
from onnxls.fixes.changes import Assume, Change, Respell, Retype, SetAttribute, SetEntries
from onnxls.fixes.literals import Literal, braced, int_list
from onnxls.frontends.text_printing import type_text
from onnxls.frontends.text_tokens import quote
from onnxls.model_directives import ASSUME
from onnxls.occurrences import Occurrences, Site
from onnxls.spans import Span
from onnxls.units import Report

_METADATA = re.compile(r"metadata_props\s*:\s*\[")
_ASSUMED = re.compile(rf'"{re.escape(ASSUME)}"\s*:\s*"(?:[^"\\]|\\.)*')


def write(report: Report, known: Occurrences, text: str, change: Change) -> list[Edit] | None:
    """The edits of a change; None where it cannot be written."""
    path = report.loaded.path
    match change:
        case Retype():
            for part in known.parts:
                for each in part.table.typed:
                    declares = (each.unit, each.value, each.role) == (change.unit, change.value, change.role)
                    if declares and each.annotation is not None:
                        return [Edit(path, each.annotation, type_text(change.type))]
            return None
        case SetEntries():
            literal = _literal(known, text, change.site, change.input)
            return None if literal is None else literal.edits(path, change.entries)
        case SetAttribute():
            return _attribute(path, text, change)
        case Respell():
            span = _spelled(known, change)
            return None if span is None else [Edit(path, span, change.new)]
        case Assume():
            return _assume(path, text, change.condition)


def _literal(known: Occurrences, text: str, site: Site, index: int) -> Literal | None:
    """The elements of an initializer or Constant that only this node uses."""
    span = site.inputs[index] if index < len(site.inputs) else None
    use = None if span is None else known.at(span.start)
    if use is None:
        return None
    mentions = known.of(use.entity, use.unit)
    definitions = [each for each in mentions if each.role == "definition"]
    if len(definitions) != 1 or sum(each.role == "use" for each in mentions) != 1:
        return None
    at = definitions[0].span
    for part in known.parts:
        for maker in part.table.sites:
            if at in maker.outputs:
                return _constant(text, maker)
    declared = re.compile(r"\s*=\s*").match(text, at.end)
    end = text.find("}", at.end)
    return None if declared is None or end < 0 else braced(text, Span(declared.end(), end + 1))


def _constant(text: str, maker: Site) -> Literal | None:
    if maker.node.op_type != "Constant" or maker.node.domain:
        return None
    at = maker.attributes.get("value_ints")
    if at is not None:
        return int_list(text, Span(text.index("=", at.start) + 1, at.end))
    at = maker.attributes.get("value")
    return None if at is None else braced(text, at)


def _attribute(path: str, text: str, change: SetAttribute) -> list[Edit] | None:
    span = change.site.attributes.get(change.name)
    if span is None:
        return None
    match = re.compile(r"=\s*(-?\d+)\s*").search(text, span.start, span.end)
    return None if match is None else [Edit(path, Span(*match.span(1)), str(change.value))]


def _spelled(known: Occurrences, change: Respell) -> Span | None:
    if change.what == "input":
        given = zip(change.site.node.inputs, change.site.inputs, strict=False)
        return next((span for name, span in given if name == change.old and span is not None), None)
    kinds = ("operator", "function") if change.what == "operator" else ("attribute",)
    for part in known.parts:
        for each in part.table.occurrences:
            if each.site == change.site and each.entity.kind in kinds and each.entity.name == change.old:
                return each.span
    return None


def _assume(path: str, text: str, condition: str) -> list[Edit] | None:
    """An entry of the metadata in the header of the model."""
    begin = len(text) - len(text.lstrip())
    if not text.startswith("<", begin):
        return None
    end = text.find("\n>", begin) + 1 or text.find(">", begin)
    entry = f'"{ASSUME}": {quote(condition)}'
    there = _ASSUMED.search(text, begin, end)
    if there is not None:
        return [Edit(path, Span(there.end(), there.end()), quote(f"; {condition}")[1:-1])]
    metadata = _METADATA.search(text, begin, end)
    if metadata is not None:
        rest = text[metadata.end() :].lstrip()
        return [Edit(path, Span(metadata.end(), metadata.end()), entry + ("" if rest.startswith("]") else ", "))]
    at = len(text[:end].rstrip())
    return [Edit(path, Span(at, at), f", metadata_props: [{entry}]")]
