"""Where the files of a workspace speak of a script function."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial

from onnxls.frontends.script.abstract import Abstract, ScriptFunction
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.modules import Module
from onnxls.frontends.script.onlooker import Onlooker
from onnxls.occurrences import Entity
from onnxls_server.features.python_names import Mentions, Sought, exported, mentions, parsed
from onnxls_server.features.view import View
from onnxls_server.session.snapshot import Snapshot


def mentioned_by(snapshot: Snapshot, offset: int) -> tuple[str, ...]:
    """The words without which a file does not speak of the function at an offset, or of that whose parameter is there.

    None of them: other files do not speak of what is there.
    """
    view = View(snapshot)
    found = view.at(offset)
    if found is None or found[0].entity.kind not in ("function", "value"):
        return ()
    occurrence = found[0]
    declared = view.declared(occurrence)
    unit = view.unit(occurrence.unit)
    if declared is not None:
        return (declared.node.name,)
    if unit is None or unit.source is None or not is_parameter(unit.source.declared.node, occurrence.entity):
        return ()
    return occurrence.entity.name, unit.source.declared.node.name


def is_parameter(node: ast.FunctionDef, entity: Entity) -> bool:
    """Whether something is a parameter of a function, and not of one in it."""
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return entity.name in {each.arg for each in every} and entity.scope == str(node.lineno)


def function_mentions(view: View, declared: Declared, others: Iterable[Snapshot]) -> list[tuple[str, Mentions]] | str:
    """The mentions by URI; a reason, for people, where they cannot all be known."""
    name, home = declared.node.name, declared.scope.module.path
    if declared.scope.parent is not None:
        return f"`{name}` is not at the top of its module"
    files = [view.snapshot, *(other for other in others if other.uri != view.snapshot.uri)]
    files = [each for each in files if each.kind == "source"]
    if all(each.path != home for each in files):
        return f"{home}, which defines it, is neither open nor in a folder of the workspace"
    trees: dict[str, ast.Module] = {}
    for each in files:
        module, is_home = module_of(each), each.path == home
        if is_home and (module is None or not _is_same(Onlooker().member(module, name), declared)):
            return f"`{name}` is bound again further down"
        tree = parsed(each.text)
        if tree is None:
            return f"{each.path} has a syntax error"
        trees[each.path] = tree
    known: dict[str, Collection[str]] = {path: {name} if path == home else () for path in trees}
    _follow(trees, known, home)
    found: list[tuple[str, Mentions]] = []
    for each in files:
        made = mentions(
            trees[each.path], each.text, each.lines, Sought(name, each.path == home, partial(gives, known, each.path))
        )
        if made is None:
            return f"not every mention in {each.path} can be found"
        found.append((each.uri, made))
    return found


def _follow(trees: Mapping[str, ast.Module], known: dict[str, Collection[str]], home: str) -> None:
    """Adds the names by which other files have the function from their imports, and pass it on."""
    changed = True
    while changed:
        changed = False
        every = {name for names in known.values() for name in names}
        for path, tree in trees.items():
            names = exported(tree, partial(gives, known, path), every) if path != home else known[path]
            changed |= len(names) > len(known[path])
            known[path] = names


def gives(known: Mapping[str, Collection[str]], path: str, module: str, level: int, member: str) -> bool:
    """Whether a file that imports a member of a module gets the function. `known`: by which names each file has it."""
    file = next((each for each in candidates(path, module, level) if each in known), None)
    return file is not None and member in known[file]


def module_of(snapshot: Snapshot) -> Module | None:
    """The module of a source, as its analysis has it; None where the source has no script function."""
    for unit in snapshot.report.units:
        if unit.source is not None:
            return unit.source.declared.scope.module
    return None


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


def _is_same(value: Abstract, declared: Declared) -> bool:
    """Whether a value is this very definition, not another of the same name."""
    return isinstance(value, ScriptFunction) and value.declared.chunk.text == declared.chunk.text
