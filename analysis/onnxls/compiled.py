"""Conditions as functions of sizes, so that a try costs about a microsecond."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from onnxls.dims import Dim, Symbol, broadcast_values
from onnxls.relations import AnyOf, Condition, Relation

Test = Callable[[Mapping[str, int]], bool]


@lru_cache(maxsize=2048)
def compiled(condition: Condition) -> Test:
    """The condition as a function of sizes; false where a side has no value."""
    slots: dict[str, str] = {name: f"s[{name!r}]" for name in condition.symbols()}
    source = f"lambda s: {_condition_source(condition, slots)}"
    try:
        test: Test = eval(source, {"__builtins__": {}, "max": max, "min": min, "broadcast": broadcast_values})
    except (RecursionError, MemoryError, SyntaxError):
        return condition.holds_at

    def guarded(sizes: Mapping[str, int]) -> bool:
        try:
            return test(sizes)
        except ZeroDivisionError:
            return condition.holds_at(sizes)

    return guarded


def _condition_source(condition: Condition, slots: Mapping[str, str]) -> str:
    if isinstance(condition, Relation):
        return f"({_source(condition.lhs, slots)} {condition.op} {_source(condition.rhs, slots)})"
    joiner = " or " if isinstance(condition, AnyOf) else " and "
    if not condition.parts:
        return "True"
    return f"({joiner.join(_condition_source(part, slots) for part in condition.parts)})"


def _source(dim: Dim, slots: Mapping[str, str]) -> str:
    terms: list[str] = []
    for monomial, coefficient in dim.terms.items():
        factors = [str(coefficient)] if coefficient != 1 or not monomial else []
        for atom in monomial:
            if isinstance(atom, Symbol):
                factors.append(slots[atom.name])
                continue
            args = [_source(arg, slots) for arg in atom.args]
            if atom.op == "floordiv":
                factors.append(f"({args[0]}//{args[1]})")
            elif atom.op == "mod":
                factors.append(f"({args[0]}%{args[1]})")
            else:
                factors.append(f"{atom.op}({','.join(args)})")
        terms.append("*".join(factors))
    return f"({'+'.join(terms)})" if terms else "0"
