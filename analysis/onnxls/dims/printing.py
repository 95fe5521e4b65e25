"""Sizes as text, in Python syntax, and the order of terms that the text gives."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxls.dims.atoms import Atom, Monomial, Operation
    from onnxls.dims.polynomial import Dim


def ordered(terms: Mapping[Monomial, int]) -> list[tuple[Monomial, int]]:
    """The terms in their one order: by falling degree, then by the printed atoms; the constant last."""
    return sorted(terms.items(), key=_term_key)


def _term_key(term: tuple[Monomial, int]) -> tuple[int, tuple[str, ...]]:
    monomial = term[0]
    return -len(monomial), tuple(atom.key for atom in monomial)


def quoted(name: str) -> str:
    """A symbol's name as printed: bare where it is a Python identifier, else in backquotes."""
    if name.isidentifier() and not keyword.iskeyword(name):
        return name
    escaped = "".join(f"\\{c}" if c in "\\`" else c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in name)
    return f"`{escaped}`"


def print_sum(terms: Mapping[Monomial, int]) -> str:
    """A sum of terms."""
    parts = ordered(terms)
    first = next((i for i, (_, coefficient) in enumerate(parts) if coefficient > 0), 0)
    parts.insert(0, parts.pop(first))
    text = ""
    for monomial, coefficient in parts:
        size = _print_term(monomial, abs(coefficient))
        if text:
            text += f" - {size}" if coefficient < 0 else f" + {size}"
        elif coefficient < 0:
            text = f"-{size}" if not _is_division(monomial, coefficient) else f"-({size})"
        else:
            text = size
    return text


def _is_division(monomial: Monomial, coefficient: int) -> bool:
    return abs(coefficient) == 1 and len(monomial) == 1 and _divides(monomial[0])


def _divides(atom: Atom) -> bool:
    return atom.op in ("floordiv", "mod")


def _print_term(monomial: Monomial, coefficient: int) -> str:
    if not monomial:
        return str(coefficient)
    if _is_division(monomial, coefficient):
        return monomial[0].key
    factors: list[str] = [] if coefficient == 1 else [str(coefficient)]
    for atom in dict.fromkeys(monomial):
        power = monomial.count(atom)
        base = f"({atom.key})" if _divides(atom) else atom.key
        factors.append(base if power == 1 else f"{base}**{power}")
    return "*".join(factors)


def print_op(op: Operation, args: tuple[Dim, ...]) -> str:
    """An operation on Dims."""
    if op not in ("floordiv", "mod"):
        return f"{op}({', '.join(str(arg) for arg in args)})"
    dividend, divisor = args
    left, right = str(dividend), str(divisor)
    if len(dividend.terms) > 1 or any(c < 0 or _is_division(m, c) for m, c in dividend.terms.items()):
        left = f"({left})"
    bare = divisor.as_symbol is not None or (divisor.const is not None and divisor.const >= 0)
    right = right if bare else f"({right})"
    return f"{left}//{right}" if op == "floordiv" else f"{left} % {right}"
