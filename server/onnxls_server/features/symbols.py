"""The outline of the graphs in a text. Ordinary Python is left to Python's own servers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from onnxls.occurrences import Block, Occurrence, Site, Table
from onnxls.spans import Span
from onnxls_server.features.view import View
from onnxls_server.features.wording import label
from onnxls_server.session.snapshot import Snapshot

SymbolKind = Literal["graph", "function", "input", "initializer", "value", "node"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """An entry of the outline: its range and that of its name, in characters."""

    name: str
    detail: str
    kind: SymbolKind
    span: Span
    selection: Span
    children: tuple[Symbol, ...] = ()


@dataclass(slots=True)
class _Open:
    symbol: Symbol
    children: list[Symbol] = field(default_factory=list[Symbol])

    def closed(self) -> Symbol:
        return replace(self.symbol, children=tuple(self.children))


def document_symbols(snapshot: Snapshot) -> list[Symbol]:
    """Script functions with their variables; the graphs and functions of a model with inputs and nodes."""
    view = View(snapshot)
    found: list[Symbol] = []
    for part in view.occurrences.parts:
        found += _nested(view, part.table)
    return found


def workspace_symbols(snapshots: list[Snapshot], query: str) -> list[tuple[str, Symbol]]:
    """Graphs and functions of all texts whose names have the letters of the query in order, with their URIs."""
    found: list[tuple[str, Symbol]] = []
    for snapshot in snapshots:
        view = View(snapshot)
        for part in view.occurrences.parts:
            symbols = (_block(view, each) for each in part.table.blocks if each.outermost)
            found += [(snapshot.uri, each) for each in symbols if each is not None and _matches(query, each.name)]
    return found


def _matches(query: str, name: str) -> bool:
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())


def _nested(view: View, table: Table) -> list[Symbol]:
    """The symbols of a table, each in the innermost one around it."""
    flat = [*_blocks(view, table), *_variables(view, table), *_nodes(view, table)]
    flat.sort(key=lambda symbol: (symbol.span.start, -symbol.span.end))
    roots: list[Symbol] = []
    stack: list[_Open] = []

    def close() -> None:
        done = stack.pop().closed()
        (stack[-1].children if stack else roots).append(done)

    for symbol in flat:
        while stack and stack[-1].symbol.span.end < symbol.span.end:
            close()
        while stack and stack[-1].symbol.span.end <= symbol.span.start:
            close()
        stack.append(_Open(symbol))
    while stack:
        close()
    return roots


def _blocks(view: View, table: Table) -> Iterator[Symbol]:
    for each in table.blocks:
        symbol = _block(view, each)
        if symbol is not None:
            yield symbol


def _block(view: View, block: Block) -> Symbol | None:
    span = view.around(block.span)
    selection = None if block.name_span is None else view.shift.on(block.name_span)
    if span is None or (block.name_span is not None and selection is None):
        return None
    return Symbol(block.name or "graph", "", block.kind, span, selection or Span(span.start, span.start))


def _variables(view: View, table: Table) -> Iterator[Symbol]:
    """Of a source its variables, each once; of a model its inputs and initializers."""
    is_source = view.snapshot.kind == "source"
    made = set[Span]() if is_source else {span for site in table.sites for span in site.outputs if span is not None}
    seen: set[object] = set()
    for each in table.occurrences:
        if each.entity.kind != "value" or each.role != "definition" or each.span in made or each.entity in seen:
            continue
        span = view.shift.on(each.span)
        if span is not None and (each.value is not None or not is_source):
            seen.add(each.entity)
            yield Symbol(each.entity.name, _detail(view, each), "value" if is_source else "input", span, span)


def _nodes(view: View, table: Table) -> Iterator[Symbol]:
    """The nodes of a model, by what they make."""
    if view.snapshot.kind == "source":
        return
    for site in table.sites:
        span = view.shift.on(site.span)
        if span is not None:
            names = ", ".join(name for name in site.node.outputs if name) or site.node.name or site.node.op_type
            yield Symbol(names, _node_detail(view, site), "node", span, Span(span.start, span.start))


def _node_detail(view: View, site: Site) -> str:
    output = next((name for name in site.node.outputs if name), None)
    fact = None if output is None or site.prefix is None else view.fact(site.unit, site.prefix + output)
    shape = None if fact is None else label(fact)
    return f"{site.node.op_type} {shape}" if shape else site.node.op_type


def _detail(view: View, occurrence: Occurrence) -> str:
    fact = view.fact(occurrence.unit, occurrence.value)
    return (label(fact) or "") if fact is not None else ""
