"""Which variables a block assigns, needs from before, and leaves to what follows.

As the stock converter sees it, except that what a nested function captures and what a keyword argument uses counts as
used. Statements that cannot be in a graph assign and use what they name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

Names = frozenset[str]
NONE: Names = frozenset()
MAX_PASSES = 50


class Liveness:
    """The variables of one function. `decided` tells which way an `if` goes that is decided at conversion."""

    def __init__(self, function: ast.FunctionDef, decided: Callable[[ast.If], bool | None]) -> None:
        self._decided = decided
        self._live_out: dict[ast.stmt, Names] = {}
        self.after(function.body, NONE)

    def live_out(self, statement: ast.stmt) -> Names:
        """The variables that are used after a statement."""
        return self._live_out.get(statement, NONE)

    def assigned(self, block: Sequence[ast.stmt]) -> Names:
        """The variables that a block may assign."""
        found: set[str] = set()
        for statement in block:
            found |= self._assigned(statement)
        return frozenset(found)

    def _assigned(self, statement: ast.stmt) -> Names:
        match statement:
            case ast.Assign():
                return NONE.union(*(targets(each) for each in statement.targets))
            case ast.AnnAssign() | ast.AugAssign():
                return targets(statement.target)
            case ast.If():
                way = self._decided(statement)
                yes = NONE if way is False else self.assigned(statement.body)
                return yes | (NONE if way is True else self.assigned(statement.orelse))
            case ast.For():
                return targets(statement.target) | self.assigned(statement.body)
            case ast.While() | ast.With():
                return self.assigned(statement.body)
            case _:
                return NONE

    def after(self, block: Sequence[ast.stmt], live: Names) -> Names:
        """The variables that are live before a block, where `live` are used after it."""
        for statement in reversed(block):
            self._live_out[statement] = live
            live = self._before(statement, live)
        return live

    def _before(self, statement: ast.stmt, live: Names) -> Names:
        match statement:
            case ast.Assign() | ast.AnnAssign():
                return (live - self._assigned(statement)) | used(statement.value)
            case ast.AugAssign():
                return live | targets(statement.target) | used(statement.value)
            case ast.Return():
                return used(statement.value)
            case ast.If():
                way = self._decided(statement)
                if way is not None:
                    return self.after(statement.body if way else statement.orelse, live)
                yes, no = self.after(statement.body, live), self.after(statement.orelse, live)
                return yes | no | used(statement.test)
            case ast.For():
                return self._loop(statement.body, live, NONE, targets(statement.target)) | used(statement.iter)
            case ast.While():
                return self._loop(statement.body, live, used(statement.test), NONE)
            case ast.With():
                return self.after(statement.body, live)
            case ast.FunctionDef():
                self.after(statement.body, NONE)
                return (live - {statement.name}) | self.captured(statement) if statement.name in live else live
            case ast.Expr():
                return live if isinstance(statement.value, ast.Constant) else live | used(statement.value)
            case _:
                return live

    def _loop(self, body: Sequence[ast.stmt], live: Names, condition: Names, counter: Names) -> Names:
        before, now = None, live | condition
        passes = 0
        while now != before and passes < MAX_PASSES:
            before, passes = now, passes + 1
            now = (self.after(body, now) - counter) | condition
        return now

    def needed(self, block: Sequence[ast.stmt]) -> Names:
        """The variables that a block uses before it assigns them."""
        return self._needed_block(block, NONE)

    def _needed_block(self, block: Sequence[ast.stmt], live: Names) -> Names:
        for statement in reversed(block):
            live = self._needed(statement, live)
        return live

    def _needed(self, statement: ast.stmt, live: Names) -> Names:
        match statement:
            case ast.Assign() | ast.AnnAssign():
                return (live - self._assigned(statement)) | used(statement.value)
            case ast.AugAssign():
                return live | targets(statement.target) | used(statement.value)
            case ast.Return():
                return live | used(statement.value)
            case ast.If():
                way = self._decided(statement)
                if way is not None:
                    return self._needed_block(statement.body if way else statement.orelse, live)
                yes, no = self._needed_block(statement.body, live), self._needed_block(statement.orelse, live)
                return yes | no | used(statement.test)
            case ast.For():
                counter = targets(statement.target)
                return (self.needed(statement.body) - counter) | used(statement.iter) | (live - counter)
            case ast.While():
                return self.needed(statement.body) | used(statement.test) | live
            case ast.With():
                return self._needed_block(statement.body, live)
            case ast.FunctionDef():
                return (live - {statement.name}) | self.captured(statement) if statement.name in live else live
            case ast.Expr():
                return live if isinstance(statement.value, ast.Constant) else live | used(statement.value)
            case _:
                return live

    def captured(self, function: ast.FunctionDef) -> Names:
        """The variables that a nested function takes from around it."""
        return self.needed(function.body) - {arg.arg for arg in function.args.args}


def targets(target: ast.expr) -> Names:
    """The variables that an assignment to a target binds."""
    if isinstance(target, ast.Name):
        return frozenset((target.id,))
    if isinstance(target, (ast.Tuple, ast.List)):
        return NONE.union(*(targets(each) for each in target.elts))
    return NONE


def used(node: ast.expr | None) -> Names:
    """The variables that an expression uses; a called name is none."""
    if node is None:
        return NONE
    found: set[str] = set()
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.Call):
            waiting += each.args
            waiting += [keyword.value for keyword in each.keywords]
        else:
            waiting += _children(each)
    return frozenset(found)


def _children(node: ast.AST) -> Iterable[ast.AST]:
    return ast.iter_child_nodes(node)
