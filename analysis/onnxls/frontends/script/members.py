"""The attributes of `self` in a module, from what its `__init__` assigns. Nothing is run."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from onnxls.facts import FLOAT
from onnxls.frontends.script.abstract import UNKNOWN, Abstract, ElementType, Known, is_known
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.graph import TypeInfo

_PARAMETERS = frozenset(("onnxscript.nn.Parameter",))
MAX_RANK = 64


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a module. Its sizes are numbers, the names of parameters of `__init__`, or not known."""

    type: TypeInfo
    optional: bool


class Members:
    """What the attributes of `self` are in one method."""

    def __init__(self, declared: Declared, evaluator: Evaluator) -> None:
        self.scope = declared.scope
        self.place = declared.place
        self.evaluator = evaluator
        self.owner = declared.owner
        self.assigned: dict[str, list[tuple[ast.expr | None, bool]]] | None = None
        self.parameters: frozenset[str] = frozenset()

    def attribute(self, name: str) -> Abstract | Parameter:
        """An attribute: a parameter of the module, a number or other plain value, or not known."""
        if self.assigned is None:
            self.assigned = self.read()
        found = self.assigned.get(name, [])
        known = [each for each in found if each[0] is not None and not _is_none(each[0])]
        if len(known) != 1 or len(known) < len(found) - 1 or any(each[0] is None for each in found):
            return UNKNOWN
        node, surely = known[0]
        assert node is not None
        optional = len(found) > 1 or not surely
        if isinstance(node, ast.Call):
            type_ = self.parameter(node)
            return UNKNOWN if type_ is None else Parameter(type_, optional)
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        if optional or names & self.parameters:
            return UNKNOWN
        value = self.evaluator.value(node, self.scope, self.place)
        return value if is_known(value) and isinstance(value, (int, float, str)) else UNKNOWN

    def read(self) -> dict[str, list[tuple[ast.expr | None, bool]]]:
        """What each attribute is assigned in the class, and whether that surely happens; None: not told."""
        found: dict[str, list[tuple[ast.expr | None, bool]]] = {}
        for method in self.owner.body if self.owner is not None else ():
            if not isinstance(method, ast.FunctionDef) or not method.args.args:
                continue
            own = method.args.args[0].arg
            starts = method.name == "__init__"
            if starts:
                arguments = method.args
                every = {each.arg for each in (*arguments.args[1:], *arguments.kwonlyargs)}
                self.parameters = frozenset(every)
                assigned = {each.id for each in ast.walk(method) if isinstance(each, ast.Name)
                            and isinstance(each.ctx, ast.Store)}  # fmt: skip
                self.sizes = frozenset(every - assigned)
            surely = {id(each) for each in method.body}
            for node in ast.walk(method):
                for target in _targets(node):
                    if isinstance(target, (ast.Tuple, ast.List)):
                        found.update({each.attr: [(None, False)] for each in ast.walk(target)
                                      if isinstance(each, ast.Attribute)})  # fmt: skip
                    if isinstance(target, ast.Attribute) and _is_name(target.value, own):
                        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) and starts else None
                        found.setdefault(target.attr, []).append((value, id(node) in surely))
        return found

    sizes: frozenset[str] = frozenset()

    def parameter(self, node: ast.Call) -> TypeInfo | None:
        """The type of `Parameter([a, b], dtype)`; None for any other call."""
        callee = self.evaluator.value(node.func, self.scope, self.place)
        if not isinstance(callee, Known) or callee.name not in _PARAMETERS:
            return None
        given = {each.arg: each.value for each in node.keywords}
        shape = node.args[0] if node.args else given.get("shape")
        dtype = node.args[1] if len(node.args) > 1 else given.get("dtype")
        kind: int | None = FLOAT
        if dtype is not None:
            value = self.evaluator.value(dtype, self.scope, self.place)
            kind = value.dtype if isinstance(value, ElementType) else value if isinstance(value, int) else None
        if not isinstance(shape, (ast.List, ast.Tuple)) or len(shape.elts) > MAX_RANK:
            return TypeInfo("tensor", kind, None)
        if any(isinstance(each, ast.Starred) for each in shape.elts):
            return TypeInfo("tensor", kind, None)
        return TypeInfo("tensor", kind, tuple(self.dim(each) for each in shape.elts))

    def dim(self, node: ast.expr) -> int | str | None:
        if isinstance(node, ast.Name) and node.id in self.sizes:
            return node.id
        if isinstance(node, ast.Name) and node.id in self.parameters:
            return None
        if any(isinstance(each, ast.Name) and each.id in self.parameters for each in ast.walk(node)):
            return None
        value = self.evaluator.value(node, self.scope, self.place)
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _targets(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Assign():
            return node.targets
        case ast.AnnAssign() | ast.AugAssign() | ast.For():
            return [node.target]
        case ast.Delete():
            return node.targets
        case _:
            return []


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
