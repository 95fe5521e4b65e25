"""Where the files of a workspace speak of a script function."""

from __future__ import annotations

from collections.abc import Iterable

from onnxls.frontends.script.abstract import ScriptFunction
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.modules import Module
from onnxls_server.features.python_names import Mentions, Sought, mentions
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot


def function_mentions(view: View, declared: Declared, others: Iterable[Snapshot]) -> list[tuple[str, Mentions]] | str:
    """The mentions by URI; a reason, for people, where they cannot all be known."""
    if declared.scope.parent is not None:
        return f"`{declared.node.name}` is not at the top of its module"
    home = declared.scope.module.path
    found: list[tuple[str, Mentions]] = []
    at_home = False
    for each in (view.snapshot, *(other for other in others if other.uri != view.snapshot.uri)):
        module = module_of(each)
        if each.kind != "source" or module is None:
            continue
        is_home = module.path == home
        at_home |= is_home
        if is_home and not _is_same(Evaluator().member(module, declared.node.name), declared):
            return f"`{declared.node.name}` is bound again further down"
        made = mentions(each.text, each.lines, _sought(module, declared, is_home))
        if made is None:
            return f"{each.path} has a syntax error"
        found.append((each.uri, made))
    return found if at_home else f"{home}, which defines it, is not open"


def module_of(snapshot: Snapshot) -> Module | None:
    """The module of a source, as its analysis has it; None where the source has no script function."""
    for unit in snapshot.report.units:
        if unit.source is not None:
            return unit.source.declared.scope.module
    return None


def _sought(module: Module, declared: Declared, is_home: bool) -> Sought:
    evaluator = Evaluator()

    def imports(name: str, level: int, member: str) -> bool:
        imported = module.read(name, level)
        return imported is not None and _is(evaluator.member(imported, member), declared)

    def modules(name: str, level: int) -> bool:
        imported = module.read(name, level)
        return imported is not None and _is(evaluator.member(imported, declared.node.name), declared)

    return Sought(declared.node.name, is_home, imports, modules)


def _is(value: object, declared: Declared) -> bool:
    """Whether a value is the function, by its file and name: each file's analysis has an object of its own for it."""
    if not isinstance(value, ScriptFunction) or value.declared.scope.parent is not None:
        return False
    other = value.declared
    return (other.scope.module.path, other.node.name) == (declared.scope.module.path, declared.node.name)


def _is_same(value: object, declared: Declared) -> bool:
    """Whether a value is this very definition, not another of the same name."""
    return isinstance(value, ScriptFunction) and value.declared.chunk.text == declared.chunk.text
