"""The parameters of the call that is being written, and which of them is next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from onnxls.schemas import Schema
from onnxls_server.features.completion import called
from onnxls_server.features.cursor import Bracket, cursor
from onnxls_server.features.documentation import documentation
from onnxls_server.features.hover import attribute_text
from onnxls_server.features.markup import Markup, Piece, markup
from onnxls_server.features.region import Region, region
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter by its range in the label."""

    start: int
    end: int
    documentation: Markup


@dataclass(frozen=True, slots=True)
class Signature:
    """The call; `active` is the index of the parameter that is being written, None after the last."""

    label: str
    documentation: Markup
    parameters: tuple[Parameter, ...]
    active: int | None


def signature_help(snapshot: Snapshot, offset: int) -> Signature | None:
    """The signature of the innermost call around an offset; None outside of script functions."""
    view = View(snapshot)
    around = region(view, offset)
    if around is None:
        return None
    at = cursor(snapshot.text, around.start, offset)
    if at.where == "comment":
        return None
    while at.bracket is not None and not (at.bracket.kind == "(" and at.bracket.before):
        at = replace(at, brackets=at.brackets[:-1])
    found = called(at, around)
    if found is not None:
        return _of_operator(*found)
    return None if at.bracket is None else _of_function(at.bracket, around)


def _of_operator(bracket: Bracket, schema: Schema) -> Signature:
    documented = documentation(schema.domain, schema.name, schema.since)
    texts: list[tuple[str, str, str]] = []
    variadic: int | None = None
    for index, each in enumerate(schema.inputs):
        text = (
            each.name if each.option == "single" else f"{each.name}?" if each.option == "optional" else f"*{each.name}"
        )
        variadic = index if each.option == "variadic" else variadic
        texts.append((each.name, text, documented.inputs.get(each.name, "") if documented else ""))
    for name in sorted(schema.attributes):
        described = documented.attributes.get(name, "") if documented else ""
        texts.append((name, attribute_text(schema.attributes[name]), described))
    made = ", ".join(each.name for each in schema.outputs)
    text = documented.text if documented else ""
    return _signature(schema.name, texts, f" -> {made}", text, bracket, variadic)


def _of_function(bracket: Bracket, around: Region) -> Signature | None:
    function = around.function(bracket.before) if bracket.kind == "(" and bracket.before else None
    if function is None:
        return None
    arguments = function.declared.node.args
    names = [arg.arg for arg in (*arguments.posonlyargs, *arguments.args)]
    return _signature(function.declared.node.name, [(name, name, "") for name in names], "", "", bracket, None)


def _signature(
    name: str, texts: list[tuple[str, str, str]], tail: str, text: str, bracket: Bracket, variadic: int | None
) -> Signature:
    label = f"{name}("
    parameters: list[Parameter] = []
    for index, (_, shown, described) in enumerate(texts):
        label += ", " if index else ""
        parameters.append(Parameter(len(label), len(label) + len(shown), markup([Piece(described)])))
        label += shown
    active: int | None
    if bracket.keyword is not None:
        active = next((index for index, (each, _, _) in enumerate(texts) if each == bracket.keyword), None)
    elif bracket.index >= len(texts) and variadic is None:
        active = None
    else:
        active = bracket.index if variadic is None else min(bracket.index, variadic)
    return Signature(f"{label}){tail}", markup([Piece(text)]), tuple(parameters), active)
