"""Reads sizes and conditions from text: Python integer arithmetic, with the functions that exporters write.

`+ - * // % **`, `max min floor ceil ceiling Max Min Mod broadcast`, names (in backquotes where they are no
identifiers), and for conditions `== != < <= > >=` in chains, `and`, `or`, `not`. `/` is exact division, which must
have been rounded by the end. Depth and length are bounded; ValueError is the only exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

from onnxls.dims import Dim, apply, broadcast, ceildiv, maximum, minimum
from onnxls.relations import Condition, Relation, all_of, any_of, at_most, equal, less, unequal

MAX_LENGTH = 100_000
MAX_DEPTH = 60

_TOKEN = re.compile(
    r"\s*(?:(?P<quoted>`(?:[^`\\]|\\.)*`)|(?P<name>[^\W\d]\w*)|(?P<number>\d+)"
    r"|(?P<sign>\*\*|//|[=!<>]=|[-+*/%(),<>]))"
)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))", re.DOTALL)
_COMPARISONS: dict[str, Callable[[Dim, Dim], Relation]] = {
    "==": equal,
    "!=": unequal,
    "<=": at_most,
    "<": less,
    ">=": lambda left, right: at_most(right, left),
    ">": lambda left, right: less(right, left),
}


@dataclass(frozen=True, slots=True)
class Quotient:
    """A polynomial over a positive integer: what `/` gives before it is rounded."""

    dividend: Dim
    divisor: int = 1

    def integer(self) -> Dim:
        """The quotient as a Dim; ValueError where it is a proper fraction."""
        if self.divisor != 1:
            raise ValueError(f"{self.dividend} / {self.divisor} is no integer")
        return self.dividend


def parse_dim(text: str) -> Dim:
    """The size that the text says; ValueError where it is none."""
    parser = _Parser(text)
    value = parser.sum()
    parser.finish()
    return value.integer()


def parse_condition(text: str) -> Condition:
    """The condition that the text says; ValueError where it is none."""
    parser = _Parser(text)
    condition = parser.disjunction()
    parser.finish()
    return condition


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise ValueError("the expression is too long")
        self.text = text
        self.tokens: list[tuple[str, str]] = []
        position = 0
        end = len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError(f"cannot read {text[position:].strip()[:20]!r} in {text[:80]!r}")
            self.tokens.append((match.lastgroup or "", match[match.lastgroup or 0]))
            position = match.end()
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, *signs: str) -> str:
        """The next token if it is one of these, else ""."""
        if self.at < len(self.tokens) and self.tokens[self.at][1] in signs and self.tokens[self.at][0] != "quoted":
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise ValueError(f"expected {sign!r}, found {self.peek() or 'the end'!r} in {self.text[:80]!r}")

    def finish(self) -> None:
        if self.at < len(self.tokens):
            raise ValueError(f"unexpected {self.peek()!r} in {self.text[:80]!r}")

    def disjunction(self) -> Condition:
        parts = [self.conjunction()]
        while self.take("or"):
            parts.append(self.conjunction())
        return any_of(*parts)

    def conjunction(self) -> Condition:
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        return all_of(*parts)

    def negation(self) -> Condition:
        self.enter()
        condition = self.negation().negation() if self.take("not") else self.comparison()
        self.depth -= 1
        return condition

    def comparison(self) -> Condition:
        if self.peek() == "(" and (condition := self.parenthesised()) is not None:
            return condition
        left = self.sum().integer()
        parts: list[Condition] = []
        while sign := self.take("==", "!=", "<=", "<", ">=", ">"):
            right = self.sum().integer()
            parts.append(_COMPARISONS[sign](left, right))
            left = right
        if not parts:
            raise ValueError(f"expected a comparison, found {self.peek() or 'the end'!r} in {self.text[:80]!r}")
        return all_of(*parts)

    def parenthesised(self) -> Condition | None:
        """A condition in parentheses, or None (and nothing taken) where the parenthesis opens a size."""
        start, depth = self.at, self.depth
        self.expect("(")
        try:
            condition = self.disjunction()
            self.expect(")")
        except ValueError:
            self.at, self.depth = start, depth
            return None
        return condition

    def sum(self) -> Quotient:
        self.enter()
        value = self.term()
        while sign := self.take("+", "-"):
            other = self.term()
            value = _add(value, other if sign == "+" else Quotient(-other.dividend, other.divisor))
        self.depth -= 1
        return value

    def term(self) -> Quotient:
        value = self.factor()
        while sign := self.take("*", "//", "/", "%"):
            value = _multiplicative(sign, value, self.factor())
        return value

    def factor(self) -> Quotient:
        negative = False
        while sign := self.take("-", "+"):
            negative ^= sign == "-"
        value = self.power()
        return Quotient(-value.dividend, value.divisor) if negative else value

    def power(self) -> Quotient:
        value = self.primary()
        if self.take("**"):
            exponent = self.factor().integer().const
            if exponent is None or exponent < 0:
                raise ValueError("the exponent of ** must be a non-negative integer")
            value = Quotient(value.integer() ** exponent)
        return value

    def primary(self) -> Quotient:
        if self.at >= len(self.tokens):
            raise ValueError(f"the expression {self.text[:80]!r} ends too early")
        kind, token = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            if len(token) > 300:
                raise ValueError("the number is too large")
            return Quotient(Dim.of(int(token)))
        if kind == "quoted":
            return Quotient(Dim.symbol(_ESCAPE.sub(_unescape, token[1:-1])))
        if kind == "name":
            return self.call(token) if self.peek() == "(" and token in _FUNCTIONS else Quotient(Dim.symbol(token))
        if token == "(":
            value = self.sum()
            self.expect(")")
            return value
        raise ValueError(f"unexpected {token!r} in {self.text[:80]!r}")

    def call(self, name: str) -> Quotient:
        self.expect("(")
        args = [self.sum()]
        while self.take(","):
            args.append(self.sum())
        self.expect(")")
        return _FUNCTIONS[name](args)

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ValueError("the expression is nested too deeply")


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[2]


def _add(left: Quotient, right: Quotient) -> Quotient:
    return _quotient(left.dividend * right.divisor + right.dividend * left.divisor, left.divisor * right.divisor)


def _quotient(dividend: Dim, divisor: int) -> Quotient:
    common = gcd(divisor, *dividend.terms.values())
    if common > 1:
        exact = dividend.exact_div(Dim.of(common))
        if exact is not None:
            dividend, divisor = exact, divisor // common
    return Quotient(dividend, divisor)


def _multiplicative(sign: str, left: Quotient, right: Quotient) -> Quotient:
    if sign == "*":
        return _quotient(left.dividend * right.dividend, left.divisor * right.divisor)
    if sign == "/":
        by = right.dividend.const
        if by is None or by == 0:
            raise ValueError("'/' takes an integer other than 0 on its right")
        factor = right.divisor if by > 0 else -right.divisor
        return _quotient(left.dividend * factor, left.divisor * abs(by))
    op = "floordiv" if sign == "//" else "mod"
    if left.divisor == right.divisor == 1:
        return Quotient(apply(op, left.dividend, right.dividend))
    if op == "mod":
        raise ValueError("'%' takes integers")
    return Quotient((left.dividend * right.divisor) // (right.dividend * left.divisor))


def _integers(args: list[Quotient], least: int, most: int | None) -> list[Dim]:
    if len(args) < least or (most is not None and len(args) > most):
        raise ValueError("wrong number of arguments")
    return [arg.integer() for arg in args]


def _floor(args: list[Quotient]) -> Quotient:
    if len(args) != 1:
        raise ValueError("wrong number of arguments")
    return Quotient(args[0].dividend // args[0].divisor)


def _ceil(args: list[Quotient]) -> Quotient:
    if len(args) != 1:
        raise ValueError("wrong number of arguments")
    return Quotient(ceildiv(args[0].dividend, args[0].divisor))


def _mod(args: list[Quotient]) -> Quotient:
    left, right = _integers(args, 2, 2)
    return Quotient(left % right)


_FUNCTIONS: dict[str, Callable[[list[Quotient]], Quotient]] = {
    "max": lambda args: Quotient(maximum(*_integers(args, 1, None))),
    "min": lambda args: Quotient(minimum(*_integers(args, 1, None))),
    "broadcast": lambda args: Quotient(broadcast(*_integers(args, 1, None))),
    "floor": _floor,
    "ceil": _ceil,
    "Mod": _mod,
}
_FUNCTIONS.update({"Max": _FUNCTIONS["max"], "Min": _FUNCTIONS["min"], "ceiling": _ceil})
