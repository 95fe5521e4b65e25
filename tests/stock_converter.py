"""The stock converter as an oracle: every script function of a file, as onnxscript itself converts it.

Only files of this repository and of the installed onnxscript are given to it: their statements are run. A statement
that fails, because a module is not installed or a name is missing, is passed over.
"""

from __future__ import annotations

import ast
import contextlib
import io
import logging
import sys
import warnings
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from onnxscript._internal import ast_utils, main

_numbers = count()


@dataclass(frozen=True)
class Conversion:
    """One attempt: the line of the first decorator, the name, and what was made or why nothing was."""

    line: int
    name: str
    made: Any
    error: str = ""


def conversions(path: Path) -> list[Conversion]:
    """What the converter makes of the functions of a file, also of those in functions and classes."""
    found: list[Conversion] = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    with _recorded(found, str(path)), _quiet():
        _run(tree.body, {"__file__": str(path)}, str(path))
    return found


@contextlib.contextmanager
def _recorded(found: list[Conversion], path: str) -> Generator[None]:
    reading: Any = ast_utils
    source_of, check = reading.get_src_and_ast, main.script_check
    current: dict[str, Any] = {}

    def get_src_and_ast(function: Any) -> Any:
        code = function.__code__
        current.update(line=code.co_firstlineno, name=function.__name__, path=code.co_filename)
        return source_of(function)

    def script_check(*args: Any, **named: Any) -> Any:
        try:
            made = check(*args, **named)
        except Exception as error:
            note(None, f"{type(error).__name__}: {error}")
            raise
        note(made, "")
        return made

    def note(made: Any, error: str) -> None:
        if current["path"] == path:
            found.append(Conversion(current["line"], current["name"], made, error))

    reading.get_src_and_ast, main.script_check = get_src_and_ast, script_check
    try:
        yield
    finally:
        reading.get_src_and_ast, main.script_check = source_of, check


@contextlib.contextmanager
def _quiet() -> Generator[None]:
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def _run(statements: Sequence[ast.stmt], names: dict[str, Any], path: str) -> None:
    """Runs statements as those of a module of their own, then those in the functions and classes among them."""
    module = ModuleType(f"stock_{next(_numbers)}")
    sys.modules[module.__name__] = module
    module.__dict__.update(names, __name__=module.__name__)
    try:
        for statement in statements:
            for each in _steps(statement):
                with contextlib.suppress(Exception):
                    exec(compile(ast.Module([each], []), path, "exec"), module.__dict__)
        for node in _definitions(statements):
            if (
                isinstance(node, ast.ClassDef)
                or not node.decorator_list
                or "script" not in ast.unparse(node.decorator_list[-1])
            ):
                _run(node.body, dict(module.__dict__), path)
    finally:
        del sys.modules[module.__name__]


def _steps(statement: ast.stmt) -> Iterator[ast.stmt]:
    """What is run of a statement: what binds names. What is expected to raise is none of that."""
    match statement:
        case ast.With():
            if "assertRaises" not in ast.unparse(statement.items[0]):
                for each in statement.body:
                    yield from _steps(each)
        case ast.ClassDef() | ast.Expr() | ast.Return() | ast.Assert() | ast.For() | ast.While():
            pass
        case _:
            yield statement


def _definitions(statements: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for statement in statements:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield statement
        elif isinstance(statement, (ast.If, ast.For, ast.While, ast.With)):
            yield from _definitions(statement.body)
