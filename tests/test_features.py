"""Runs the suites of what editors show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from features_runner import Case, Mark, cases, code_actions
from onnxls_server.features.completion import completion
from onnxls_server.features.definition import definition, references
from onnxls_server.features.folding import folding
from onnxls_server.features.guards import UnitGuards, code_lens, guards
from onnxls_server.features.hover import hover
from onnxls_server.features.inlay_hints import inlay_hints
from onnxls_server.features.neighbourhood import neighbourhood
from onnxls_server.features.rename import Refusal, TextEdit, rename
from onnxls_server.features.semantic_tokens import semantic_tokens
from onnxls_server.features.signature_help import signature_help
from onnxls_server.features.symbols import Symbol, document_symbols

SUITES = sorted((Path(__file__).parent / "features").glob("*.md"))
CASES = [pytest.param(case, id=f"{path.stem}: {case.name}") for path in SUITES for case in cases(path)]


@pytest.mark.parametrize("case", CASES)
def test_suite(case: Case) -> None:
    problems = [
        f"line {mark.line}: {said}" for mark in case.marks if (said := CHECKS[mark.kind](case, mark)) is not None
    ]
    problems += [f"{name}:\n{said}" for name, text in case.blocks.items() if (said := BLOCKS[name](case)) != text]
    assert not problems, "\n".join(problems)


def _nothing(case: Case, mark: Mark) -> str | None:
    return None


def _hover(case: Case, mark: Mark) -> str | None:
    found = hover(case.snapshot(), mark.offset)
    text = None if found is None else found.markup.plain()
    if mark.kind == "no hover":
        return None if text is None else f"a hover: {text!r}"
    return None if text is not None and mark.rest in text else f"hover is {text!r}"


def _inlay(case: Case, mark: Mark) -> str | None:
    found = [hint.label for hint in inlay_hints(case.snapshot(), 0, len(case.text)) if hint.offset == mark.offset + 1]
    wanted = [] if mark.kind == "no inlay" else [f": {mark.rest}"]
    return None if found == wanted else f"hints here: {found}"


def _definition(case: Case, mark: Mark) -> str | None:
    found = sorted(each.span.start for each in definition(case.snapshot(), mark.offset) if each.span is not None)
    return _places(case, found, mark)


def _references(case: Case, mark: Mark) -> str | None:
    return _places(case, [each.start for each in references(case.snapshot(), mark.offset)], mark)


def _places(case: Case, found: list[int], mark: Mark) -> str | None:
    labels = case.labels
    wanted = sorted(labels[name] for name in mark.rest.split())
    names = {offset: name for name, offset in labels.items()}
    spelled = [names.get(offset) or repr(case.text[offset : offset + 20]) for offset in found]
    return None if found == wanted else f"found {spelled}"


def _completion(case: Case, mark: Mark) -> str | None:
    offered = [item.insert.strip() for item in completion(case.snapshot(), mark.offset + 1)]
    names = [name.strip() for name in mark.rest.split(", ") if name.strip()]
    if mark.kind == "no completion":
        wrong = [name for name in names if name in offered] if names else offered[:3]
        return f"offered {wrong}" if wrong else None
    found = [name for name in offered if name in names]
    return None if found == names else f"offered of these: {found}, of all: {offered[:20]}"


def _signature(case: Case, mark: Mark) -> str | None:
    found = signature_help(case.snapshot(), mark.offset + 1)
    if found is None or mark.kind == "no signature":
        return None if found is None and mark.kind == "no signature" else f"signature is {found}"
    label = found.label
    if found.active is not None:
        active = found.parameters[found.active]
        label = f"{label[: active.start]}[{label[active.start : active.end]}]{label[active.end :]}"
    return None if label == mark.rest else f"signature is {label}"


def _symbols(case: Case) -> str:
    return "".join(_tree(symbol, 0) for symbol in document_symbols(case.snapshot()))


def _tree(symbol: Symbol, depth: int) -> str:
    line = f"{'  ' * depth}{symbol.kind} {symbol.name}" + (f": {symbol.detail}" if symbol.detail else "")
    return f"{line}\n" + "".join(_tree(each, depth + 1) for each in symbol.children)


def _tokens(case: Case) -> str:
    tokens = semantic_tokens(case.snapshot())
    return "".join(f"{each.kind} {case.text[each.start : each.end]}{' =' * each.defines}\n" for each in tokens)


def _folding(case: Case) -> str:
    return "".join(f"{fold.start_line}-{fold.end_line}\n" for fold in folding(case.snapshot()))


def _lens(case: Case) -> str:
    return "".join(
        f"{case.text[each.span.start : each.span.end]}: {each.title}\n" for each in code_lens(case.snapshot())
    )


def _guards(case: Case) -> str:
    snapshot = case.snapshot()
    found = [guards(snapshot, unit.name) for unit in snapshot.report.units]
    return "".join(_told(case, each) for each in found if each is not None)


def _told(case: Case, found: UnitGuards) -> str:
    lines = [f"{found.unit}({', '.join(found.symbols)})"]
    for guard in found.guards:
        state = {True: "holds", False: "fails", None: "open"}[guard.holds]
        where = "" if guard.span is None else case.text[guard.span.start : guard.span.end]
        lines.append(f"  {guard.text}: {state}, {guard.rule}, {where}")
    return "\n".join(lines) + "\n"


def _rename(case: Case, mark: Mark) -> str | None:
    found = rename(case.snapshot(), mark.offset, mark.rest.partition(": ")[0])
    if isinstance(found, Refusal):
        return None if mark.kind == "no rename" and mark.rest.endswith(f": {found.reason}") else found.reason
    if mark.kind == "no rename":
        return "it is renamed"
    text = _edited(case.text, found)
    return None if text == case.result else f"the text is then:\n{text}"


def _action(case: Case, mark: Mark) -> str | None:
    actions = code_actions(case.snapshot(), mark.offset, mark.offset)
    found = next((each for each in actions if each.title == mark.rest), None)
    if mark.kind == "no action":
        return None if found is None else f"{found}"
    if found is None:
        return f"there are {[each.title for each in actions]}"
    text = _edited(case.text, found.edits)
    return None if text == case.result else f"the text is then:\n{text}"


def _edited(text: str, edits: Iterable[TextEdit]) -> str:
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _neighbourhood(case: Case, mark: Mark) -> str | None:
    found = neighbourhood(case.snapshot(), mark.offset)
    if found is None:
        return "there is no node"
    edges = [f"{e.source} -{e.value}-> {e.target}: {e.type}{' (failing)' * e.failing}" for e in found.edges]
    return None if "; ".join(edges) == mark.rest else f"edges: {'; '.join(edges)}"


BLOCKS: dict[str, Callable[[Case], str]] = {
    "symbols": _symbols,
    "tokens": _tokens,
    "folding": _folding,
    "lens": _lens,
    "guards": _guards,
}

CHECKS: dict[str, Callable[[Case, Mark], str | None]] = {
    "here": _nothing,
    "hover": _hover,
    "no hover": _hover,
    "inlay": _inlay,
    "no inlay": _inlay,
    "definition": _definition,
    "no definition": _definition,
    "references": _references,
    "neighbourhood": _neighbourhood,
    "action": _action,
    "no action": _action,
    "rename": _rename,
    "no rename": _rename,
    "completion": _completion,
    "no completion": _completion,
    "signature": _signature,
    "no signature": _signature,
}
