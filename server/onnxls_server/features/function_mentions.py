"""Where the files of a workspace speak of a script function."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from onnxls.frontends.script.abstract import Abstract, ScriptFunction
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.modules import Module
from onnxls.frontends.script.onlooker import Onlooker
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
        if each.kind != "source":
            continue
        module, is_home = module_of(each), each.path == home
        at_home |= is_home
        if is_home and (module is None or not _is_same(Onlooker().member(module, declared.node.name), declared)):
            return f"`{declared.node.name}` is bound again further down"
        made = mentions(each.text, each.lines, _sought(each.path, module, declared))
        if made is None:
            return f"{each.path} has a syntax error"
        found.append((each.uri, made))
    return found if at_home else f"{home}, which defines it, is neither open nor in a folder of the workspace"


def module_of(snapshot: Snapshot) -> Module | None:
    """The module of a source, as its analysis has it; None where the source has no script function."""
    for unit in snapshot.report.units:
        if unit.source is not None:
            return unit.source.declared.scope.module
    return None


def _sought(path: str, module: Module | None, declared: Declared) -> Sought:
    """What a file may call the function: by the path of its module, or by what an analysis has found."""
    home = declared.scope.module.path

    def modules(name: str, level: int) -> bool:
        return home in candidates(path, name, level)

    def imports(name: str, level: int, member: str) -> bool:
        if modules(name, level):
            return True
        bindings = () if module is None else module.scope.bound.names.get(member, ())
        return any(
            (each.kind, each.module, each.level, each.member) == ("member", name, level, member)
            and _is(Onlooker().binding(each, module.scope), declared)
            for each in bindings
            if module is not None
        )

    return Sought(declared.node.name, path == home, imports, modules)


def candidates(path: str, name: str, level: int) -> Iterator[str]:
    """The files that an import in a file may mean."""
    folder = posixpath.dirname(path.replace("\\", "/"))
    tail = name.replace(".", "/")
    if level:
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        folders = [folder]
    else:
        folders = list[str]()
        while folder not in folders:
            folders += [folder, posixpath.join(folder, "src")]
            folder = posixpath.dirname(folder)
    for each in folders:
        base = posixpath.join(each, tail) if tail else each
        yield from (f"{base}.py", posixpath.join(base, "__init__.py"))


def _is(value: Abstract, declared: Declared) -> bool:
    """Whether a value is the function, by its file and name: each file's analysis has an object of its own for it."""
    if not isinstance(value, ScriptFunction) or value.declared.scope.parent is not None:
        return False
    other = value.declared
    return (other.scope.module.path, other.node.name) == (declared.scope.module.path, declared.node.name)


def _is_same(value: Abstract, declared: Declared) -> bool:
    """Whether a value is this very definition, not another of the same name."""
    return isinstance(value, ScriptFunction) and value.declared.chunk.text == declared.chunk.text
