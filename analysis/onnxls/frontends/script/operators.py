"""Calls of operators against their schemas: which argument is an input and which an attribute, and what is wrong."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from onnxls.frontends.script.variables import Variables
from onnxls.rules import rule
from onnxls.schemas import Schema

TOO_MANY = rule(
    "too-many-arguments",
    "OLS561",
    "error",
    """
    A call has more arguments than the operator or function takes; the stock converter drops the rest silently.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N", 4]):
        return op.Add(x, x, x)  # error: [too-many-arguments]
    ```

    Further positional arguments after the inputs fill the attributes, in alphabetical order; name them.
    """,
)
KEYWORD_MOVES = rule(
    "keyword-input-moves",
    "OLS562",
    "warning",
    """
    An input given by keyword takes the place of one that was left out before it.

    The stock converter lists the inputs that are given, one after the other: in `op.Clip(x, max=m)` the value `m`
    becomes `min`.

    ```py
    from onnxscript import FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"], m: FLOAT[()]):
        return op.Clip(x, max=m)  # warning: [keyword-input-moves] "becomes `min`"
    ```

    Pass `None` for what is left out: `op.Clip(x, None, m)`.
    """,
)
_HETEROGENEOUS = frozenset(("Loop", "Scan", "SequenceMap"))


@dataclass(frozen=True, slots=True)
class Formal:
    """A formal parameter. `variable`: the type variable that it shares with others, if any."""

    name: str
    attribute: int | None = None
    variadic: bool = False
    variable: str | None = None


@dataclass(slots=True)
class Arguments:
    """The arguments of a call, sorted. `variables`: of each input, the type variable it is of."""

    inputs: list[ast.expr] = field(default_factory=list[ast.expr])
    variables: list[str | None] = field(default_factory=list["str | None"])
    attributes: list[tuple[Formal, ast.expr]] = field(default_factory=list[tuple[Formal, ast.expr]])


def formals(schema: Schema) -> tuple[Formal, ...]:
    """The parameters of an operator: the inputs, then the attributes by name."""
    mixed = schema.name in _HETEROGENEOUS
    inputs = [
        Formal(
            each.name,
            None,
            each.option == "variadic",
            None if "(" in each.type or (mixed and each.option == "variadic") else each.type,
        )
        for each in schema.inputs
    ]
    attributes = [Formal(name, schema.attributes[name].type)
                  for name in sorted(schema.attributes)]  # fmt: skip
    return (*inputs, *attributes)


class Operators(Variables):
    """Sorts arguments and checks them."""

    def sorted_arguments(self, call: ast.Call, what: str, formal: Sequence[Formal]) -> Arguments:
        """Which arguments are inputs and which attributes."""
        keywords = {each.arg: each for each in call.keywords if each.arg is not None}
        names = {each.name for each in formal}
        sorted_ = Arguments()
        skipped: list[str] = []
        rest = list(call.args)
        variadic = any(each.variadic for each in formal)
        for position, each in enumerate(formal):
            if each.variadic:
                sorted_.inputs += rest[position:]
                sorted_.variables += [each.variable] * len(rest[position:])
                if not rest[position:] and each.name in keywords:
                    self._add(sorted_, each, keywords[each.name].value)
                rest = []
                continue
            if position < len(rest):
                self._add(sorted_, each, rest[position])
            elif each.name in keywords:
                if skipped and each.attribute is None:
                    text = f"`{each.name}` becomes `{skipped[0]}`, which was left out; write None for it"
                    self.fault(KEYWORD_MOVES, text, keywords[each.name])
                self._add(sorted_, each, keywords[each.name].value)
            elif each.attribute is None:
                skipped.append(each.name)
        sorted_.attributes += [(Formal(name), each.value) for name, each in keywords.items() if name not in names]
        if not variadic and len(call.args) > len(formal):
            self.fault(TOO_MANY, f"{what} takes {len(formal)} arguments; this one is dropped", call.args[len(formal)])
        return sorted_

    def _add(self, to: Arguments, formal: Formal, given: ast.expr) -> None:
        if formal.attribute is None:
            to.inputs.append(given)
            to.variables.append(formal.variable)
        else:
            to.attributes.append((formal, given))
