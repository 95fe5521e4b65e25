"""What can be written at a place in ONNX text."""

from __future__ import annotations

from onnxls import schemas
from onnxls.schemas import Schema
from onnxls.seeds import dim_names
from onnxls.units import Unit
from onnxls_server.features.attribute_values import values_of
from onnxls_server.features.cursor import Cursor, cursor
from onnxls_server.features.proposals import Completion, attributes, operators
from onnxls_server.features.view import View
from onnxls_server.features.wording import label

_DTYPES = "float double float16 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool string"
MAX_BACK = 20_000
MAX_VALUES = 300


def completion_in_text(view: View, offset: int) -> list[Completion]:
    """Operators after `=`, attributes in `<>`, values in `()`, dims in `[]`, element types in signatures."""
    text = view.snapshot.text
    unit = view.unit(0)
    if unit is None:
        return []
    begin = _statement(text, offset)
    at = cursor(text, begin, offset, angles=True)
    bracket = at.bracket
    if at.where == "comment":
        return []
    if at.where == "string":
        return _words(at, unit)
    if bracket is None:
        after = [word for word in at.statement if word != at.word]
        return _operators(at, unit) if after[-1:] == ["="] or at.statement[-2:-1] == ("=",) else []
    match bracket.kind:
        case "[" if bracket.before in _DTYPES.split():
            return [Completion(name, "dim", at.start, at.offset, name) for name in sorted(dim_names(unit.model.graph))]
        case "(" if "=" in at.statement[:-1]:
            return _values(view, at, offset)
        case "<":
            schema = _schema(_operator(at), unit)
            if schema is not None and bracket.argument in ([], [at.word]):
                return attributes(at, schema, bracket.names, "{} = ")
            return []
        case _:
            return []


def _statement(text: str, offset: int) -> int:
    """Where a reading of the text can begin: at a line that starts a node, or a block, near the offset."""
    begin = offset
    limit = max(0, offset - MAX_BACK)
    while begin > limit:
        line = text.rfind("\n", limit, begin - 1) + 1 if begin > 1 else 0
        first = text[line:begin]
        if "=" in first.partition("<")[0].partition("(")[0] or "{" in first:
            brace = text.rfind("{", line, offset) + 1
            return max(line, brace if "=" not in text[line:brace].partition("{")[0][-3:] else line)
        if line <= limit:
            return line
        begin = line
    return begin


def _operator(at: Cursor) -> str:
    """The operator whose attributes are being written."""
    inner = at.bracket
    return "" if inner is None else inner.before


def _schema(name: str, unit: Unit) -> Schema | None:
    domain, _, op_type = name.rpartition(".")
    version = unit.model.opsets.get(domain)
    return None if version is None else schemas.lookup(domain, op_type, version)


def _operators(at: Cursor, unit: Unit) -> list[Completion]:
    domain = at.owner or ""
    found: list[Completion] = []
    if domain in unit.model.opsets:
        found = operators(at, domain, unit.model.opsets[domain])
    for function in unit.model.functions.values():
        if function.domain == domain or not domain:
            name = function.name if function.domain == domain else f"{function.domain}.{function.name}"
            detail = f"({', '.join(function.inputs)}) -> {', '.join(function.outputs)}"
            found.insert(0, Completion(name, "function", at.start, at.offset, name, detail))
    return found


def _values(view: View, at: Cursor, offset: int) -> list[Completion]:
    """The values that are defined above, the nearest first, whose names have what is written so far."""
    found: dict[str, Completion] = {}
    for table in view.touching(0, offset):
        for each in reversed(table.values):
            name = each.entity.name
            if len(found) >= MAX_VALUES or name in found or name.startswith("@") or at.word.lower() not in name.lower():
                continue
            span = view.shift.on(each.span)
            if span is not None and span.end < offset:
                fact = view.fact(each.unit, each.value)
                detail = (label(fact) or "") if fact is not None else ""
                found[name] = Completion(name, "value", at.start, at.offset, name, detail)
    return list(found.values())


def _words(at: Cursor, unit: Unit) -> list[Completion]:
    bracket = at.bracket
    if bracket is None or bracket.kind != "<" or bracket.keyword is None:
        return []
    schema = _schema(_operator(at), unit)
    values = () if schema is None else values_of(schema, bracket.keyword)
    start = at.offset - len(at.written)
    return [Completion(value, "enum", start, at.offset, value) for value in values]
