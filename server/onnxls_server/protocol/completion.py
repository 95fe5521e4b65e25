"""Completion and signature help."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lsprotocol import types

from onnxls_server.features.completion import completion, completion_documentation
from onnxls_server.features.proposals import Completion
from onnxls_server.features.signature_help import Signature, signature_help
from onnxls_server.protocol.looking import AT_ONCE, compute, content, look
from onnxls_server.protocol.parameters import field
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

_KINDS = {
    "operator": types.CompletionItemKind.Method,
    "function": types.CompletionItemKind.Function,
    "attribute": types.CompletionItemKind.Property,
    "input": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Variable,
    "dim": types.CompletionItemKind.TypeParameter,
    "rule": types.CompletionItemKind.Reference,
    "directive": types.CompletionItemKind.Keyword,
    "enum": types.CompletionItemKind.EnumMember,
}


@feature(
    types.TEXT_DOCUMENT_COMPLETION,
    types.CompletionOptions(trigger_characters=[".", '"', "'", "[", "(", ",", "=", ":"], resolve_provider=True),
)
async def complete(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
    """What can be written at a position."""
    seen = await look(ls, params.text_document.uri, AT_ONCE)
    if seen is None or not seen.preferences.completion:
        return None
    offset = seen.offset(params.position)
    found = await compute(lambda: completion(seen.snapshot, offset))
    deprecation = ls.client.has("text_document.completion.completion_item.tag_support")
    ranges = {place: seen.range(*place) for place in {(each.start, each.end) for each in found}}
    items = [_item(each, index, ranges[each.start, each.end], deprecation) for index, each in enumerate(found)]
    return types.CompletionList(False, items)


@feature(types.COMPLETION_ITEM_RESOLVE)
async def resolve(ls: Server, item: types.CompletionItem) -> types.CompletionItem:
    """Adds the documentation of one proposal."""
    key = field(item.data, "key")
    if isinstance(key, list | tuple) and all(isinstance(each, str) for each in cast("list[object]", key)):
        words = tuple(cast("list[str]", key))
        found = await compute(lambda: completion_documentation(words))
        if found is not None:
            markdown = ls.client.markdown("text_document.completion.completion_item.documentation_format")
            item.documentation = content(found, markdown)
    return item


@feature(
    types.TEXT_DOCUMENT_SIGNATURE_HELP,
    types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[")"]),
)
async def show_signature(ls: Server, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """The call around a position."""
    seen = await look(ls, params.text_document.uri, AT_ONCE)
    if seen is None or not seen.preferences.signature_help:
        return None
    offset = seen.offset(params.position)
    found = await compute(lambda: signature_help(seen.snapshot, offset))
    return None if found is None else _signature(ls, found)


def _item(item: Completion, index: int, place: types.Range, deprecation: bool) -> types.CompletionItem:
    return types.CompletionItem(
        label=item.label,
        kind=_KINDS[item.kind],
        detail=item.detail or None,
        sort_text=f"{index:05}",
        filter_text=item.insert if item.insert != item.label else None,
        text_edit=types.TextEdit(place, item.insert),
        tags=[types.CompletionItemTag.Deprecated] if item.deprecated and deprecation else None,
        data={"key": list(item.key)} if item.key else None,
    )


def _signature(ls: Server, found: Signature) -> types.SignatureHelp:
    information = "text_document.signature_help.signature_information"
    markdown = ls.client.markdown(f"{information}.documentation_format")
    offsets = ls.client.can(f"{information}.parameter_information.label_offset_support")
    parameters = [
        types.ParameterInformation(
            (each.start, each.end) if offsets else found.label[each.start : each.end],
            content(each.documentation, markdown),
        )
        for each in found.parameters
    ]
    active = found.active if found.active is not None else len(parameters)
    signature = types.SignatureInformation(
        found.label, content(found.documentation, markdown), parameters, active_parameter=active
    )
    return types.SignatureHelp([signature], 0, active)
