"""Rules of operators, applied to facts that are made up: seeded, of the types and attributes that the schema has.

What a rule gives for them shows what it is able to say; whatever it is given, it must not raise.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from random import Random

from onnxls.dims import Dim
from onnxls.facts import BOOL, FLOAT, INT64, Fact, tensor
from onnxls.graph import Attr, Graph, Node, Tensor, TypeInfo, Value
from onnxls.ops import OpRule
from onnxls.ops.context import GraphRun, OpContext, RunMode
from onnxls.relations import Condition
from onnxls.schemas import Schema, dtype_of, lookup

HUGE = Dim.of(2**63 - 1)
SIZES = (
    *(Dim.of(size) for size in (0, 1, 1, 2, 2, 2, 4, 4)),
    *(Dim.symbol("N"), Dim.symbol("M"), Dim.symbol("N") * 2, HUGE),
)
NUMBERS = (-1, 0, 1, 1, 2, 2, 3, 4, 7)
FLOATS = (0.0, 0.5, 1.0, 2.0)
STRINGS = ("NOTSET", "SAME_UPPER", "linear", "gated", "ij,jk->ik", "i,i->i", "constant", "reflect", "sum", "none")
FLOAT_ATTR, INT_ATTR, STRING_ATTR, TENSOR_ATTR, GRAPH_ATTR, FLOATS_ATTR, INTS_ATTR, STRINGS_ATTR = range(1, 9)
TYPE_ATTR = 13
MAX_INPUTS = 6


class Guess:
    """A desk whose answers depend on the question alone."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def ask(self, condition: Condition) -> bool | None:
        return self.random.choice((None, None, True, False))

    def branch(self, condition: Condition) -> bool | None:
        return self.random.choice((None, True, False))

    def choose(self, conditions: Sequence[Condition]) -> int | None:
        return self.random.choice((None, *range(len(conditions))))

    def run(
        self,
        name: str,
        graph: Graph,
        inputs: Sequence[Fact],
        mode: RunMode,
        given: Sequence[Condition],
        path: Condition | None,
    ) -> GraphRun:
        facts = [self.random.choice((*inputs, some_fact(self.random, INT64))) for _ in graph.outputs]
        return GraphRun(tuple(facts), frozenset())


def applications(rule: OpRule, version: int, count: int) -> Iterator[OpContext]:
    """So many contexts for a rule in a version, always the same ones."""
    random = Random(f"{rule.domain}:{rule.name}:{version}")
    schema = lookup(rule.domain, rule.name, version)
    for number in range(count):
        inputs = tuple(_inputs(random, schema, plain=number % 3 == 0))
        wanted = (True,) * random.randint(1, 4)
        attrs = {attr.name: attr for attr in _attributes(random, rule, schema, len(inputs))}
        yield OpContext(Guess(random), rule.domain, rule.name, version, inputs, attrs, wanted)


def some_fact(random: Random, dtype: int | None) -> Fact:
    """A tensor of any rank, or of none known; with elements where they are few."""
    if random.random() < 0.1:
        return Fact(dtype)
    rank = random.choice((0, 1, 1, 1, 2, 2, 3, 4, 5))
    shape = tuple(random.choice(SIZES) for _ in range(rank))
    sizes = [dim.const for dim in shape if dim.const is not None]
    if len(sizes) < rank or prod(sizes) > 8 or random.random() < 0.2:
        return Fact(dtype, shape)
    return tensor(*shape, dtype=dtype, elements=[_element(random, dtype) for _ in range(prod(sizes))])


def _element(random: Random, dtype: int | None) -> Dim:
    if dtype == BOOL:
        return Dim.of(random.randint(0, 1))
    return random.choice((Dim.symbol("N"), *(Dim.of(number) for number in NUMBERS)))


def _inputs(random: Random, schema: Schema | None, *, plain: bool) -> Iterator[Fact | None]:
    """`plain`: all inputs are vectors or scalars of one type with elements, as those of computed shapes are."""
    if schema is None:
        yield from (some_fact(random, random.choice((None, FLOAT, INT64))) for _ in range(random.randint(0, 12)))
        return
    types: dict[str, str] = {}
    parameters = list(schema.inputs)
    if parameters and parameters[-1].option == "variadic":
        parameters += [parameters[-1]] * random.randint(0, 2)
    for parameter in parameters[:MAX_INPUTS]:
        if parameter.option == "optional" and random.random() < 0.4:
            yield None
            continue
        chosen = types.setdefault(parameter.type, _type(random, sorted(schema.allowed(parameter.type)), plain=plain))
        yield _of_type(random, chosen, plain=plain)


def _type(random: Random, allowed: Sequence[str], *, plain: bool) -> str:
    for wanted in ("tensor(int64)", "tensor(bool)", "tensor(float)"):
        if plain and wanted in allowed:
            return wanted
    return random.choice(list(allowed))


def _of_type(random: Random, type_string: str, *, plain: bool) -> Fact:
    kind, inner = type_string.partition("(")[::2]
    if kind == "tensor":
        dtype = dtype_of(type_string)
        if not plain:
            return some_fact(random, dtype)
        size = random.choice((1, 2, 2, 2))
        shape = (size,) if random.random() < 0.75 else ()
        return tensor(*shape, dtype=dtype, elements=[_element(random, dtype) for _ in range(prod(shape))])
    element = _of_type(random, inner[:-1], plain=plain) if kind in ("seq", "optional") else Fact(INT64)
    if kind == "seq":
        items = (element,) * random.randint(1, 2)
        return Fact(type="sequence", element=element, items=items, length=Dim.of(len(items)))
    if kind == "optional":
        return Fact(type="optional", element=element, length=Dim.of(random.randint(0, 1)))
    return Fact(INT64, type="map" if kind == "map" else None)


def _attributes(random: Random, rule: OpRule, schema: Schema | None, inputs: int) -> Iterator[Attr]:
    if schema is None:
        for name in _read_attributes(rule):
            if random.random() < 0.7:
                kind = random.choice((INT_ATTR, INT_ATTR, INTS_ATTR))
                yield _attribute(random, name, kind, inputs)
        return
    for name, formal in schema.attributes.items():
        if formal.required or random.random() < 0.4:
            yield _attribute(random, name, formal.type, inputs)


@lru_cache(maxsize=256)
def _read_attributes(rule: OpRule) -> tuple[str, ...]:
    """The names of attributes that the module of a rule reads."""
    source = inspect.getsource(sys.modules[rule.infer.__module__])
    return tuple(sorted(set(re.findall(r'(?:_attr|optional_int|positive)\((?:ctx, )?"(\w+)"', source))))


def _attribute(random: Random, name: str, kind: int, inputs: int) -> Attr:
    numbers = tuple(random.choice(NUMBERS) for _ in range(random.randint(0, 4)))
    values = {
        FLOAT_ATTR: random.choice(FLOATS),
        INT_ATTR: random.choice(NUMBERS),
        STRING_ATTR: random.choice(STRINGS),
        TENSOR_ATTR: Tensor("", INT64, (len(numbers),), lambda: numbers),
        FLOATS_ATTR: tuple(float(number) for number in numbers),
        INTS_ATTR: numbers,
        STRINGS_ATTR: tuple(random.choice(STRINGS) for _ in numbers),
        GRAPH_ATTR: _graph(random, inputs),
        TYPE_ATTR: TypeInfo("optional", element=TypeInfo("tensor", INT64, (2,))),
    }
    return Attr(name, kind, values.get(kind))


def _graph(random: Random, inputs: int) -> Graph:
    taken = tuple(Value(f"i{number}") for number in range(random.choice((0, inputs, inputs))))
    given = tuple(Value(f"o{number}") for number in range(random.randint(1, max(inputs, 1))))
    return Graph("g", taken, given, (Node("Identity", "", "", ("i0",), ("o0",)),))
