"""What is known at a place: of a value, a dim, an operator, an attribute, an annotation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from onnxls import schemas
from onnxls.declarations import show
from onnxls.facts import Fact
from onnxls.graph import Graph
from onnxls.listing import MAX_SHOWN_ELEMENTS
from onnxls.occurrences import Occurrence, Site
from onnxls.occurrences.sites import visible
from onnxls.relations import Guard
from onnxls.report import exported_from
from onnxls.required import Need, required
from onnxls.schemas import Attribute, Schema
from onnxls.spans import Span
from onnxls.units import Unit
from onnxls_server.features.documentation import Documentation, documentation
from onnxls_server.features.exported import exported
from onnxls_server.features.markup import Markup, Piece, code, markup
from onnxls_server.features.view import View
from onnxls_server.features.wording import fact_text, guard_text, is_sized, need_text, sizes_text
from onnxls_server.session.snapshot import Snapshot

MAX_GUARDS = 8
_VERDICTS = {
    "holds": "holds",
    "may-fail": "holds for some sizes only",
    "fails": "does not hold",
    "unverified": "cannot be verified",
}


@dataclass(frozen=True, slots=True)
class Hover:
    """What is shown, and the range that it is about."""

    start: int
    end: int
    markup: Markup


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What is known at an offset; None in code that is no graph, and where the analysis is too old to say."""
    view = View(snapshot)
    found = view.at(offset)
    if found is not None:
        occurrence, span = found
        shown = markup(list(_occurrence(view, occurrence)))
        return Hover(span.start, span.end, shown) if shown.pieces else None
    return _annotation(view, offset) or _construct(view, offset)


def _occurrence(view: View, occurrence: Occurrence) -> Iterator[Piece | None]:
    unit = view.unit(occurrence.unit)
    name, site = occurrence.entity.name, occurrence.site
    if unit is None:
        return
    match occurrence.entity.kind:
        case "value" if occurrence.value is not None:
            fact = unit.values.get(occurrence.value)
            need = needs_of(unit).get(occurrence.value)
            said = [fact_text(fact), None if need is None else need_text(need)]
            yield _code(view, f"{name}: {', '.join(filter(None, said)) or 'nothing is known of its shape'}")
            yield None if need is None else _needed(need)
            yield from _of_value(view, unit, occurrence.value, fact)
        case "dim":
            yield _dim(unit, name)
        case "operator" | "function" if site is not None:
            yield from _operator(view, unit, site)
        case "attribute" if site is not None:
            yield from _attribute(site, name)
        case "input" if site is not None:
            yield from _input(site, name)
        case _:
            pass


# ---------------------------------------------------------------- values


def _of_value(view: View, unit: Unit, key: str, fact: Fact | None) -> Iterator[Piece | None]:
    yield _elements(fact)
    yield _at_sizes(unit, fact)
    if fact is not None and fact.annotation is not None:
        yield Piece(f"Its annotation {_VERDICTS[fact.annotation]}.")
    place = unit.places.get(key)
    if place is None or place.op_type is None:
        return
    yield _guards(unit, [guard for guard in unit.guards if guard.node == place.node])
    source = exported_from(place.metadata)
    if source is not None:
        yield exported(place.metadata)


_NEEDS: WeakKeyDictionary[Unit, Mapping[str, Need]] = WeakKeyDictionary()


def needs_of(unit: Unit) -> Mapping[str, Need]:
    """What can be said of the values of a unit whose rank is not known."""
    found = _NEEDS.get(unit)
    if found is None:
        found = _NEEDS[unit] = required(unit)
    return found


def _needed(need: Need) -> Piece | None:
    """Which operators a rank and an element type follow from."""
    ranks = dict.fromkeys(filter(None, (need.least_by, need.most_by)))
    lines = [f"The rank follows from {' and '.join(map(code, ranks))}."] if ranks else []
    if need.dtype_by:
        lines.append(f"The element type follows from {code(need.dtype_by)}.")
    return Piece(" ".join(lines)) if lines else None


def _elements(fact: Fact | None) -> Piece | None:
    """The elements of a tensor that is too long for the line of its type."""
    content = None if fact is None else fact.content
    if content is None or len(content) <= MAX_SHOWN_ELEMENTS:
        return None
    return Piece(f"Elements: {code(show(content))}")


def _at_sizes(unit: Unit, fact: Fact | None) -> Piece | None:
    if fact is None or fact.shape is None or not is_sized(fact.shape, unit.sizes):
        return None
    return Piece(f"{code(fact_text(fact, unit.sizes) or '')} at {sizes_text(unit.sizes)}")


def _guards(unit: Unit, guards: list[Guard]) -> Piece | None:
    """The guards that are needed here; of many, the first."""
    if not guards:
        return None
    lines = [f"- {guard_text(guard, unit.sizes)}" for guard in guards[:MAX_GUARDS]]
    if len(guards) > MAX_GUARDS:
        lines.append(f"- and {len(guards) - MAX_GUARDS} more")
    return Piece("Needs\n" + "\n".join(lines))


def _code(view: View, text: str) -> Piece:
    return Piece(text, "python" if view.snapshot.kind == "source" else "onnx-text")


# ---------------------------------------------------------------- dims


def _dim(unit: Unit, name: str) -> Piece:
    """Where a name is declared, and what stands there where that is something else."""
    graph = unit.model.graph
    mentions = list(_mentions(unit, graph, name))
    lines = [f"- {each}" for each in mentions[:MAX_GUARDS]]
    if len(mentions) > MAX_GUARDS:
        lines.append(f"- and {len(mentions) - MAX_GUARDS} more")
    head = f"{code(name)} is a size"
    if name in unit.sizes:
        head += f", {unit.sizes[name]} in the hinted run"
    return Piece("\n".join([f"{head}:" if lines else f"{head}.", *lines]))


def _mentions(unit: Unit, graph: Graph, name: str) -> Iterator[str]:
    declared = [(value.name, value.type) for value in (*graph.inputs, *graph.outputs)]
    for value, info in (*declared, *graph.value_info.items()):
        fact = unit.values.get(value)
        for axis, dim in enumerate((info.shape or ()) if info is not None else ()):
            if dim != name:
                continue
            text = f"axis {axis} of {_spoken(unit, value)}"
            if fact is not None and fact.shape is not None and axis < len(fact.shape) and str(fact.shape[axis]) != name:
                text += f", which is {code(str(fact.shape[axis]))}"
            yield text


def _spoken(unit: Unit, value: str) -> str:
    """A value for people: names that the engine made up for results of a source are not shown."""
    if unit.source is None or value.isidentifier():
        return code(value)
    return "the result" if len(unit.outputs) == 1 else f"result {unit.outputs.index(value)}"


# ---------------------------------------------------------------- operators


def _operator(view: View, unit: Unit, site: Site) -> Iterator[Piece | None]:
    node = site.node
    schema = schemas.lookup(node.domain, node.op_type, site.opset) if site.opset else None
    yield _code(view, _call(unit, site, schema))
    if site.key is not None:
        yield _guards(unit, [guard for guard in unit.guards if guard.node == site.key])
    yield exported(view_metadata(unit, site))
    if schema is not None:
        version = f"opset {site.opset}" + (f" of {code(node.domain)}" if node.domain else "")
        since = f"as of {schema.since}" if schema.since != site.opset else "new in it"
        yield Piece(f"{code(node.op_type)} of {version}, {since}" + (", deprecated" if schema.deprecated else ""))
        documented = _documentation(schema)
        if documented is not None:
            yield Piece(documented.text)
            yield Piece(f"[Reference]({documented.url})")


def view_metadata(unit: Unit, site: Site) -> dict[str, str]:
    """The metadata of a node; a listing does not print it, the model has it."""
    if site.metadata:
        return dict(site.metadata)
    output = next((name for name in site.node.outputs if name), None)
    place = None if output is None or site.prefix is None else unit.places.get(site.prefix + output)
    return {} if place is None else dict(place.metadata)


def _documentation(schema: Schema) -> Documentation | None:
    return documentation(schema.domain, schema.name, schema.since)


def _call(unit: Unit, site: Site, schema: Schema | None) -> str:
    """The node with what is known of its operands: `MatMul(A: float[N, 4], B: …) -> Y: float[N, 8]`."""
    node = site.node
    function = unit.model.functions.get((node.domain, node.op_type, node.overload))
    formal, results = list(function.inputs if function else ()), list(function.outputs if function else ())
    if schema is not None:
        formal, results = [each.name for each in schema.inputs], [each.name for each in schema.outputs]
    given = [_operand(unit, site, name, formal, index) for index, name in enumerate(node.inputs)]
    made = [_operand(unit, site, name, results, index) for index, name in enumerate(node.outputs)]
    inside, after = ", ".join(given), ", ".join(made)
    text = f"{node.op_type}({inside}) -> {after}"
    if len(text) > 100:
        text = f"{node.op_type}(\n    " + ",\n    ".join(given) + f"\n) -> {after}"
    return text


def _operand(unit: Unit, site: Site, name: str, formal: list[str], index: int) -> str:
    said = formal[min(index, len(formal) - 1)] if formal else name
    if not name:
        return f"{said}: absent"
    text = fact_text(visible(unit.values, site, name)) or "?"
    return text if unit.source is not None and not said.isidentifier() else f"{said}: {text}"


def _attribute(site: Site, name: str) -> Iterator[Piece | None]:
    node = site.node
    schema = schemas.lookup(node.domain, node.op_type, site.opset) if site.opset else None
    formal = schema.attributes.get(name) if schema is not None else None
    if schema is None or formal is None:
        return
    yield Piece(attribute_text(formal), "python")
    documented = _documentation(schema)
    if documented is not None:
        yield Piece(documented.attributes.get(name, ""))


def attribute_text(formal: Attribute) -> str:
    """An attribute with its type and default: `axis: int = -1`."""
    kind = ATTRIBUTE_TYPES.get(formal.type, "?")
    if formal.required:
        return f"{formal.name}: {kind}"
    if formal.default is None:
        return f"{formal.name}: {kind} = …"
    default = list(formal.default) if isinstance(formal.default, tuple) else formal.default
    return f"{formal.name}: {kind} = {default!r}"


ATTRIBUTE_TYPES = {
    1: "float", 2: "int", 3: "str", 4: "tensor", 5: "graph", 6: "list[float]", 7: "list[int]", 8: "list[str]",
    9: "list[tensor]", 10: "list[graph]", 11: "sparse_tensor", 12: "list[sparse_tensor]", 13: "type",
    14: "list[type]",
}  # fmt: skip


def _input(site: Site, name: str) -> Iterator[Piece | None]:
    node = site.node
    schema = schemas.lookup(node.domain, node.op_type, site.opset) if site.opset else None
    formal = next((each for each in schema.inputs if each.name == name), None) if schema is not None else None
    if schema is None or formal is None:
        return
    option = "" if formal.option == "single" else f" ({formal.option})"
    yield Piece(f"{name}: {formal.type}{option}", "python")
    documented = _documentation(schema)
    if documented is not None:
        yield Piece(documented.inputs.get(name, ""))


# ---------------------------------------------------------------- what has no name


def _annotation(view: View, offset: int) -> Hover | None:
    """An annotation: what it declares and what is so."""
    back = view.shift.back(offset)
    part = None if back is None else view.occurrences.part_at(back)
    if part is None or back is None:
        return None
    for each in part.table.typed:
        at = each.annotation
        span = view.shift.on(at) if at is not None and at.start <= back <= at.end else None
        unit = view.unit(each.unit)
        if span is None or unit is None:
            continue
        fact = unit.values.get(each.value)
        text = fact_text(fact)
        pieces = [_code(view, text)] if text is not None else []
        pieces += [piece for piece in _of_value(view, unit, each.value, fact) if piece is not None]
        return Hover(span.start, span.end, markup(pieces)) if pieces else None
    return None


def _construct(view: View, offset: int) -> Hover | None:
    """A node that is written without the name of its operator: `a + b`, `x[1:]`, a literal, `if`."""
    site = view.site_at(offset)
    span: Span | None = None if site is None else view.shift.on(site.span)
    unit = None if site is None else view.unit(site.unit)
    if site is None or span is None or unit is None or site.name is not None or not site.node.op_type:
        return None
    pieces = [_code(view, _call(unit, site, schemas.lookup(site.node.domain, site.node.op_type, site.opset)))]
    guards = _guards(unit, [guard for guard in unit.guards if guard.node == site.key])
    return Hover(span.start, span.end, markup([*pieces, guards]))
