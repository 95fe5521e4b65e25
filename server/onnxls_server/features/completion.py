"""What can be written at a place: operators, arguments, attributes and their values, names of dims, rules."""

from __future__ import annotations

from dataclasses import replace

from onnxls import schemas
from onnxls.schemas import Schema
from onnxls_server.features.attribute_values import values_of
from onnxls_server.features.cursor import Bracket, Cursor, cursor
from onnxls_server.features.documentation import documentation
from onnxls_server.features.markup import Markup, Piece, markup
from onnxls_server.features.proposals import Completion, Key, attributes, operators
from onnxls_server.features.region import Region, region
from onnxls_server.features.text_completion import completion_in_text
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot


def completion(snapshot: Snapshot, offset: int) -> list[Completion]:
    """The proposals at an offset, in a good order; none in code that is no graph."""
    view = View(snapshot)
    if snapshot.kind == "listing":
        return []
    if snapshot.kind == "model-text":
        return completion_in_text(view, offset)
    around = region(view, offset)
    if around is None:
        return _outside(snapshot, offset)
    at = cursor(snapshot.text, around.start, offset)
    if at.where == "comment":
        return in_comment(at, around)
    if at.where == "string":
        return _in_string(at, around)
    if at.owner is not None:
        opset = around.opset(at.owner)
        return [] if opset is None else operators(at, opset.domain, opset.version)
    return _arguments(at, around)


def completion_documentation(key: Key) -> Markup | None:
    """The documentation of a proposal, by its key."""
    match key:
        case ("operator", domain, name, since):
            found = documentation(domain, name, int(since))
            return None if found is None else markup([Piece(found.text), Piece(f"[Reference]({found.url})")])
        case ("attribute", domain, name, since, attribute):
            found = documentation(domain, name, int(since))
            return None if found is None else markup([Piece(found.attributes.get(attribute, ""))])
        case ("input", domain, name, since, formal):
            found = documentation(domain, name, int(since))
            return None if found is None else markup([Piece(found.inputs.get(formal, ""))])
        case ("rule", name):
            from onnxls.rules import find

            rule = find(name)
            return None if rule is None else markup([Piece(rule.doc)])
        case _:
            return None


# ---------------------------------------------------------------- arguments


def called(at: Cursor, around: Region) -> tuple[Bracket, Schema] | None:
    """The innermost call of an operator that is being written, and its schema."""
    bracket = at.bracket
    if bracket is None or bracket.kind != "(" or "." not in bracket.before:
        return None
    owner, _, name = bracket.before.rpartition(".")
    opset = around.opset(owner)
    schema = None if opset is None else schemas.lookup(opset.domain, name, opset.version)
    return None if schema is None else (bracket, schema)


def _arguments(at: Cursor, around: Region) -> list[Completion]:
    """Attributes and inputs by keyword that are not given yet, where an argument begins."""
    found = called(at, around)
    if found is None:
        return []
    bracket, schema = found
    begins = bracket.argument in ([], [at.word]) or (not at.word and not bracket.argument)
    if not begins:
        return []
    items = attributes(at, schema, bracket.names, "{}=")
    for index, formal in enumerate(schema.inputs):
        if index >= bracket.index and formal.option == "optional" and formal.name not in bracket.names:
            key = ("input", schema.domain, schema.name, str(schema.since), formal.name)
            insert = f"{formal.name}="
            items.append(Completion(insert, "input", at.start, at.offset, insert, formal.type, key=key))
    return items


# ---------------------------------------------------------------- strings


def _in_string(at: Cursor, around: Region) -> list[Completion]:
    bracket = at.bracket
    if bracket is None:
        return []
    if bracket.kind == "[" and around.is_element_type(bracket.before):
        from onnxls.seeds import dim_names

        names = sorted(dim_names(around.unit.model.graph) - {at.written})
        return [Completion(name, "dim", at.offset - len(at.written), at.offset, name) for name in names]
    if bracket.kind == "[" and len(at.brackets) > 1:
        bracket = at.brackets[-2]
    found = called(replace(at, brackets=(bracket,)), around)
    if found is None or bracket.keyword is None:
        return []
    values = values_of(found[1], bracket.keyword)
    start = at.offset - len(at.written)
    return [Completion(value, "enum", start, at.offset, value) for value in values]


# ---------------------------------------------------------------- comments


def _outside(snapshot: Snapshot, offset: int) -> list[Completion]:
    """Above a script function there are directives for it."""
    begin = max(snapshot.text.rfind("\n", 0, offset), snapshot.text.rfind("\r", 0, offset)) + 1
    at = cursor(snapshot.text, begin, offset)
    if not snapshot.report.units:
        return []
    return in_comment(at, None) if at.where == "comment" else []


_DIRECTIVES = {
    "ignore": "ignore[{}]",
    "ignore-file": "ignore-file[{}]",
    "assume": "assume {}",
    "hint": "hint {}",
}


def in_comment(at: Cursor, around: Region | None) -> list[Completion]:
    """Directives after `# onnxls:`, rules in their brackets, names of dims after `assume` and `hint`."""
    head, marker, rest = at.written.lstrip("# \t").partition("onnxls:")
    if head or not marker:
        return []
    rest = rest.lstrip()
    word, bracket, inside = rest.partition("[")
    if bracket and word.strip() in ("ignore", "ignore-file") and "]" not in inside:
        from onnxls.rules import declared

        given = {each.strip() for each in inside.split(",")}
        rules = [rule for rule in declared() if rule.name not in given - {at.word}]
        return [
            Completion(rule.name, "rule", at.start, at.offset, rule.name, rule.summary, key=("rule", rule.name))
            for rule in sorted(rules, key=lambda rule: rule.name)
        ]
    if rest == at.word:
        return [
            Completion(name, "directive", at.start, at.offset, form.replace("{}", ""))
            for name, form in _DIRECTIVES.items()
        ]
    if around is not None and word.split(" ")[0] in ("assume", "hint"):
        from onnxls.seeds import dim_names

        names = sorted(dim_names(around.unit.model.graph))
        return [Completion(name, "dim", at.start, at.offset, name) for name in names if name.isidentifier()]
    return []
