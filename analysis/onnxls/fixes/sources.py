"""Changes as edits of a Python source."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from onnxls.diagnostics import Edit
from onnxls.fixes.changes import Assume, Change, Respell, Retype, SetAttribute, SetEntries
from onnxls.fixes.literals import Literal, int_list
from onnxls.frontends.script.abstract import ElementType
from onnxls.frontends.script.chunks import read_chunk, silently
from onnxls.frontends.script.known import ELEMENT_TYPES
from onnxls.frontends.script.onlooker import Onlooker
from onnxls.graph import DeclaredDim, TypeInfo
from onnxls.occurrences import Occurrences, Site, Typed
from onnxls.spans import Span
from onnxls.units import Report, Unit

_NAMES = {number: name for name, number in ELEMENT_TYPES.items()}
_ELEMENT = re.compile(r"[\w.]+")


def write(report: Report, known: Occurrences, text: str, change: Change) -> list[Edit] | None:
    """The edits of a change; None where it cannot be written."""
    path = report.loaded.path
    match change:
        case Retype():
            found = _typed(known, change)
            if found is None or found.annotation is None:
                return None
            axes = _axes(path, text, found.annotation, change)
            written = _annotation(report, text, found, change) if axes is None else None
            return axes if written is None else [Edit(path, found.annotation, written)]
        case SetEntries():
            literal = _literal(known, text, change.site, change.input)
            return None if literal is None else literal.edits(path, change.entries)
        case SetAttribute():
            return _attribute(path, text, change)
        case Respell():
            span = _spelled(known, change)
            return None if span is None else [Edit(path, span, change.new)]
        case Assume():
            return _assume(report, text, change)


def element_name(unit: Unit, dtype: int) -> str | None:
    """How a source calls an element type: `FLOAT`, or `onnxscript.FLOAT`; None where it has not imported it."""
    name = _NAMES.get(dtype)
    if name is None or unit.source is None:
        return None
    declared, evaluator = unit.source.declared, Onlooker()
    value = evaluator.name(name, declared.scope, declared.place)
    if isinstance(value, ElementType) and value.dtype == dtype:
        return name
    value = evaluator.attribute(evaluator.name("onnxscript", declared.scope, declared.place), name)
    return f"onnxscript.{name}" if isinstance(value, ElementType) else None


def annotation(element: str, shape: Sequence[DeclaredDim] | None) -> str:
    """`FLOAT["N", 4]`."""
    if shape is None:
        return f"{element}[...]"
    return f"{element}[{', '.join(map(_dim, shape))}]" if shape else f"{element}[()]"


def _dim(dim: DeclaredDim) -> str:
    if isinstance(dim, str):
        return f'"{dim}"' if '"' not in dim and "\\" not in dim and dim.isprintable() else repr(dim)
    return str(dim)


def _typed(known: Occurrences, change: Retype) -> Typed | None:
    for part in known.parts:
        for each in part.table.typed if part.unit == change.unit else ():
            if (each.value, each.role) == (change.value, change.role) and each.annotation is not None:
                return each
    return None


def _axes(path: str, text: str, at: Span, change: Retype) -> list[Edit] | None:
    """Other sizes on some axes, where all axes are written out; None where more changes than these."""
    old, new = change.old.shape, change.type.shape
    if old is None or new is None or len(old) != len(new) or change.type != replace(change.old, shape=new):
        return None
    with silently():
        chunk = read_chunk(text[at.start : at.end], "")
    written = chunk.statements[0] if len(chunk.statements) == 1 else None
    if not isinstance(written, ast.Expr) or not isinstance(written.value, ast.Subscript):
        return None
    sizes = written.value.slice
    sizes = sizes.elts if isinstance(sizes, ast.Tuple) else [sizes]
    if len(sizes) != len(new) or not _says(text, at, change.type):
        return None
    edits: list[Edit] = []
    for one, before, after in zip(sizes, old, new, strict=True):
        if before != after:
            span = chunk.span(one)
            edits.append(Edit(path, Span(at.start + span.start, at.start + span.end), _dim(after)))
    return edits


def _annotation(report: Report, text: str, found: Typed, change: Retype) -> str | None:
    unit, at = report.units[found.unit], found.annotation
    if at is None or change.type.kind != "tensor" or change.type.dtype is None:
        return None
    written = _ELEMENT.match(text, at.start, at.end)
    element = element_name(unit, change.type.dtype)
    if written is not None and _says(text, at, change.type):
        element = written[0]
    return None if element is None else annotation(element, change.type.shape)


def _says(text: str, at: Span, declared: TypeInfo) -> bool:
    """Whether an annotation begins with the very element type, and not with a name for it or a form around it."""
    written = _ELEMENT.match(text, at.start, at.end)
    return written is not None and written[0].rpartition(".")[2] == _NAMES.get(declared.dtype or 0)


def _literal(known: Occurrences, text: str, site: Site, index: int) -> Literal | None:
    """The list that is written as an input of a node: in the call, or as the only use of a variable."""
    span = site.inputs[index] if index < len(site.inputs) else None
    if span is None:
        return None
    found = int_list(text, span)
    if found is not None:
        return found
    use = known.at(span.start)
    if use is None or use.entity.kind != "value" or use.value is None:
        return None
    mentions = known.of(use.entity, use.unit)
    definitions = [each for each in mentions if each.role == "definition"]
    if len(mentions) != 2 or len(definitions) != 1:
        return None
    maker = next((each for each in _sites(known, use.unit) if _makes(each, use.value)), None)
    if maker is None or maker.node.op_type != "Constant":
        return None
    at = maker.attributes.get("value_ints")
    return int_list(text, maker.span if at is None else at)


def _sites(known: Occurrences, unit: int) -> Sequence[Site]:
    return next((part.table.sites for part in known.parts if part.unit == unit), ())


def _makes(site: Site, key: str) -> bool:
    return any(f"{site.prefix}{name}" == key for name in site.node.outputs if name)


def _attribute(path: str, text: str, change: SetAttribute) -> list[Edit] | None:
    span = change.site.attributes.get(change.name)
    if span is not None:
        written = text[span.start : span.end]
        return [Edit(path, span, str(change.value))] if re.fullmatch(r"-?\d+", written) else None
    end = change.site.span.end
    if text[end - 1] != ")" or change.site.name is None:
        return None
    before = text[: end - 1].rstrip()
    comma = "" if before[-1] in "(," else ", "
    space = " " if before[-1] == "," else ""
    return [Edit(path, Span(len(before), end - 1), f"{comma}{space}{change.name}={change.value}")]


def _spelled(known: Occurrences, change: Respell) -> Span | None:
    for part in known.parts:
        if part.unit != change.site.unit:
            continue
        for each in part.table.occurrences:
            kinds = ("operator", "function") if change.what == "operator" else ("attribute", "input")
            if each.site == change.site and each.entity.kind in kinds and each.entity.name == change.old:
                return each.span
    return None


def _assume(report: Report, text: str, change: Assume) -> list[Edit] | None:
    """A directive above the function, with its indentation."""
    source = report.units[change.unit].source
    lines = report.loaded.lines
    if source is None or lines is None:
        return None
    start, end = lines.bounds(source.first_line)
    line = text[start:end]
    indent = line[: len(line) - len(line.lstrip())]
    newline = "\r\n" if "\r\n" in text else "\n"
    return [Edit(report.loaded.path, Span(start, start), f"{indent}# onnxls: assume {change.condition}{newline}")]
