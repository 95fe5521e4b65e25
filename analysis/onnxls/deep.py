"""A second opinion on sizes, by the solver z3. Imported only when it is asked for: z3 need not be installed.

Conditions are put to z3 as `holds_at` evaluates them, so that what it refutes has no sizes. Its budget is counted in
steps: the same question has the same answer on every machine. Sizes that it finds are for others to check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from onnxls.dims import Atom, Dim, Symbol
from onnxls.groups import Group
from onnxls.relations import AnyOf, Condition, Relation, dims

try:
    z3: Any = import_module("z3")
except ImportError as error:
    raise ImportError("the deep analysis needs z3: pip install 'onnxls[deep]'") from error

STEPS = 200_000
"""What one answer may cost, in z3's own unit: well under a second."""

MOST_TIME = 5000
"""Milliseconds after which a question is given up that counts no steps."""

MAX_SIZE = 600
"""Questions of more terms and atoms are not put to z3."""

_SMALL = (8, 64, 1024, 1 << 20)
"""Sizes are looked for below these bounds first, one after the other."""


class Z3:
    """Answers to questions that everything else left open. All instances are alike."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Z3)

    def __hash__(self) -> int:
        return hash(Z3)

    def settled(self, condition: Condition, known: Group) -> bool | None:
        """True: the condition is proved; False: it is false at all admissible sizes; None: neither."""
        premises = known.admitted()
        question = Question((condition, *premises))
        if question.too_large:
            return None
        for each in premises:
            question.add(each)
        holds = question.formula(condition)
        question.bound({name: low for name in question.names() if (low := known.low(name)) is not None})
        if question.excludes(z3.Not(holds)):
            return True
        return False if question.excludes(holds) else None

    def example(self, conditions: Sequence[Condition], lows: Mapping[str, int]) -> dict[str, int] | None:
        """Sizes of these symbols, not below their least ones, at which conditions seem to hold; small ones first."""
        question = Question(conditions)
        if question.too_large:
            return None
        for each in conditions:
            question.add(each)
        question.bound(lows)
        for most in _SMALL:
            found = question.sizes(lows, most)
            if found is not None:
                return found
        return None


class Question:
    """A solver with its own context, so that questions of several threads do not meet."""

    def __init__(self, about: Iterable[Condition]) -> None:
        self.too_large = sum(dim.size for condition in about for dim in dims(condition)) > MAX_SIZE
        self._context: Any = z3.Context()
        self._true: list[Any] = []
        self._symbols: dict[str, Any] = {}

    def names(self) -> list[str]:
        """The symbols of what was asked so far."""
        return list(self._symbols)

    def add(self, condition: Condition) -> None:
        """Takes a condition as true."""
        self._true.append(self.formula(condition))

    def bound(self, lows: Mapping[str, int]) -> None:
        """Takes the least sizes of symbols as true."""
        self._true += [self._symbol(name) >= low for name, low in lows.items()]

    def excludes(self, formula: Any) -> bool:
        """Whether no sizes meet the formula beside what is taken as true."""
        return self._solver(formula).check() == z3.unsat

    def sizes(self, names: Iterable[str], most: int) -> dict[str, int] | None:
        """Sizes up to a bound that meet what is taken as true."""
        symbols = {name: self._symbol(name) for name in names}
        solver = self._solver(*(symbol <= most for symbol in symbols.values()))
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return {name: model.eval(symbol, model_completion=True).as_long() for name, symbol in symbols.items()}

    def _solver(self, *formulas: Any) -> Any:
        """A solver of its own for each answer: z3 takes better ways where nothing is added later."""
        solver: Any = z3.Solver(ctx=self._context)
        solver.set("rlimit", STEPS)
        solver.set("timeout", MOST_TIME)
        solver.add(*self._true, *formulas)
        return solver

    def formula(self, condition: Condition) -> Any:
        """A condition as `holds_at` has it: a comparison in which something is divided by 0 is false."""
        if isinstance(condition, Relation):
            return self._relation(condition)
        parts = [self.formula(part) for part in condition.parts]
        return z3.Or(*parts) if isinstance(condition, AnyOf) else z3.And(*parts)

    def _relation(self, relation: Relation) -> Any:
        divisors: list[Any] = []
        lhs, rhs = (self._dim(side, divisors) for side in (relation.lhs, relation.rhs))
        match relation.op:
            case "==":
                compared = lhs == rhs
            case "!=":
                compared = lhs != rhs
            case "<=":
                compared = lhs <= rhs
            case _:
                compared = lhs < rhs
        return z3.And(compared, *(divisor != 0 for divisor in divisors)) if divisors else compared

    def _symbol(self, name: str) -> Any:
        if name not in self._symbols:
            self._symbols[name] = z3.Int(f"size{len(self._symbols)}", self._context)
            least = Symbol(name).range[0]
            if least is not None:
                self._true.append(self._symbols[name] >= least)
        return self._symbols[name]

    def _dim(self, dim: Dim, divisors: list[Any]) -> Any:
        total: Any = z3.IntVal(0, self._context)
        for monomial, coefficient in dim.terms.items():
            term: Any = z3.IntVal(coefficient, self._context)
            for atom in monomial:
                term = term * self._atom(atom, divisors)
            total = total + term
        return total

    def _atom(self, atom: Atom, divisors: list[Any]) -> Any:
        if isinstance(atom, Symbol):
            return self._symbol(atom.name)
        first, *others = (self._dim(arg, divisors) for arg in atom.args)
        if atom.op in ("floordiv", "mod"):
            (by,) = others
            if (atom.args[1].const or 0) > 0:
                quotient = first / by
            else:  # z3 leaves a remainder >= 0 whatever the divisor, Python one of the divisor's sign
                divisors.append(by)
                quotient = z3.If(by > 0, first / by, -first / -by)
            return quotient if atom.op == "floordiv" else first - by * quotient
        for other in others:
            if atom.op == "broadcast":
                first = z3.If(first != 1, first, other)
            else:
                first = z3.If(first >= other if atom.op == "max" else first <= other, first, other)
        return first
