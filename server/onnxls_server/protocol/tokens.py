"""Semantic tokens and folding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.features.folding import folding
from onnxls_server.features.semantic_tokens import Token, semantic_tokens
from onnxls_server.protocol.looking import PATIENTLY, Look, compute, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

_TYPES = {
    "dim": "typeParameter",
    "operator": "function",
    "function": "function",
    "attribute": "property",
    "value": "variable",
    "node": "label",
}
_LEGEND = types.SemanticTokensLegend(list(dict.fromkeys(_TYPES.values())), ["definition", "defaultLibrary"])
_INDEX = {name: index for index, name in enumerate(_LEGEND.token_types)}


@feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
async def show_tokens(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """The tokens of a document."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.semantic_tokens:
        return None
    return await _tokens(seen, seen.part.start, seen.part.start + len(seen.part.lines.text))


@feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, _LEGEND)
async def show_tokens_in(ls: Server, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
    """The tokens of a range."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.semantic_tokens:
        return None
    return await _tokens(seen, seen.offset(params.range.start), seen.offset(params.range.end))


@feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
async def show_folds(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """What can be folded in the text of a model."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.folding:
        return None
    found = await compute(lambda: folding(seen.snapshot))
    limit = ls.client.number("text_document.folding_range.range_limit") or len(found)
    return [types.FoldingRange(each.start_line - 1, each.end_line - 1) for each in found[:limit]]


async def _tokens(seen: Look, start: int, end: int) -> types.SemanticTokens:
    found = await compute(lambda: semantic_tokens(seen.snapshot, start, end))
    return types.SemanticTokens(await compute(lambda: _encoded(seen, found)))


def _encoded(seen: Look, tokens: list[Token]) -> list[int]:
    """Five numbers for each token: lines and characters since the one before, length, type, modifiers."""
    data: list[int] = []
    line = character = 0
    for token in tokens:
        if not seen.shows(token.start):
            continue
        at = seen.range(token.start, token.end)
        if at.start.line != at.end.line or (at.start.line, at.start.character) < (line, character):
            continue
        same = at.start.line == line
        modifiers = (1 if token.defines else 0) | (2 if token.kind == "operator" else 0)
        data += [
            at.start.line - line,
            at.start.character - character if same else at.start.character,
            at.end.character - at.start.character,
            _INDEX[_TYPES[token.kind]],
            modifiers,
        ]
        line, character = at.start.line, at.start.character
    return data
