"""The outline of a document, and graphs and functions by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.features.symbols import Symbol, document_symbols, workspace_symbols
from onnxls_server.protocol import convert
from onnxls_server.protocol.looking import PATIENTLY, Look, compute, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

MAX_SYMBOLS = 500
_KINDS = {
    "graph": types.SymbolKind.Module,
    "function": types.SymbolKind.Function,
    "input": types.SymbolKind.Variable,
    "initializer": types.SymbolKind.Constant,
    "value": types.SymbolKind.Variable,
    "node": types.SymbolKind.Operator,
}


@feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
async def show_outline(
    ls: Server, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """The outline; flat for a client that knows no tree."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.symbols:
        return None
    found = await compute(lambda: document_symbols(seen.snapshot))
    found = [each for each in found if seen.shows(each.span.start)]
    if ls.client.can("text_document.document_symbol.hierarchical_document_symbol_support"):
        return [_tree(seen, each) for each in found]
    return [_flat(seen, each, parent) for symbol in found for each, parent in _all(symbol, None)]


@feature(types.WORKSPACE_SYMBOL)
async def find_symbols(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """Graphs and functions of what is open."""
    views = [view for view in ls.session.views() if ls.session.wishes.preferences(view.snapshot.path).symbols]
    layouts = {view.snapshot.uri: view.layout for view in views}
    found = await compute(lambda: workspace_symbols([view.snapshot for view in views], params.query))
    made: list[types.SymbolInformation] = []
    for uri, symbol in found[:MAX_SYMBOLS]:
        place = convert.in_layout(layouts[uri], symbol.selection.start, symbol.selection.end)
        at = convert.location(place, ls.session.encoding)
        made.append(types.SymbolInformation(at, symbol.name, _KINDS[symbol.kind]))
    return made


def _tree(seen: Look, symbol: Symbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=seen.range(symbol.span.start, symbol.span.end),
        selection_range=seen.range(symbol.selection.start, symbol.selection.end),
        detail=symbol.detail or None,
        children=[_tree(seen, each) for each in symbol.children] or None,
    )


def _flat(seen: Look, symbol: Symbol, parent: str | None) -> types.SymbolInformation:
    at = types.Location(seen.part.uri, seen.range(symbol.span.start, symbol.span.end))
    return types.SymbolInformation(at, symbol.name, _KINDS[symbol.kind], container_name=parent)


def _all(symbol: Symbol, parent: str | None) -> list[tuple[Symbol, str | None]]:
    found = [(symbol, parent)]
    for child in symbol.children:
        found += _all(child, symbol.name)
    return found
