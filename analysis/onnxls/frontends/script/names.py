"""The names of a module and of the functions in it: where each is bound, and what to look at to know its value.

A name means what it is bound to above the place where it is used. What is made by looking names up is kept with the
names that were looked up, so that it is made again only when one of them may mean something else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from onnxls.frontends.script.chunks import Chunk, SyntaxProblem
from onnxls.frontends.script.homes import Home

if TYPE_CHECKING:
    from onnxls.frontends.script.abstract import Abstract
    from onnxls.frontends.script.declared import Declared
    from onnxls.frontends.script.functions import FunctionModel
    from onnxls.frontends.script.lowered import Lowered
    from onnxls.frontends.script.modules import Module
    from onnxls.frontends.script.outline import Outline

Key = TypeVar("Key")
Made = TypeVar("Made")
ModuleName = tuple[str, str]
"""A name of a module: the path of the module, and the name."""
Looked = frozenset[ModuleName]


class Memo(Generic[Key, Made]):
    """Things that stay as they are while the names that were looked up for them mean the same.

    `looked` gathers all these names.
    """

    __slots__ = ("_known", "_looked")

    def __init__(self, looked: set[ModuleName]) -> None:
        self._looked = looked
        self._known: dict[Key, tuple[Made, Looked]] = {}

    def get(self, key: Key) -> tuple[Made, Looked] | None:
        """What was made for a key, and the names that were looked up for it."""
        return self._known.get(key)

    def put(self, key: Key, made: Made, looked: Looked) -> None:
        self._known[key] = (made, looked)
        self._looked |= looked

    def forget(self, changed: Collection[ModuleName] | None) -> None:
        """Drops what looked at one of the names; None: at any."""
        stays = () if changed is None else [each for each in self._known.items() if each[1][1].isdisjoint(changed)]
        self._known = dict(stays)


class Notes:
    """Which names of modules are looked up."""

    def __init__(self) -> None:
        self._seen: set[ModuleName] = set()

    def note(self, name: ModuleName) -> None:
        self._seen.add(name)

    @contextmanager
    def apart(self) -> Generator[set[ModuleName]]:
        """Gathers the names that are looked up inside."""
        outer, self._seen = self._seen, set()
        try:
            yield self._seen
        finally:
            outer |= self._seen
            self._seen = outer

    def recall(self, memo: Memo[Key, Made], key: Key, make: Callable[[], Made]) -> Made:
        """What is known for a key, made if need be."""
        known = memo.get(key)
        if known is None:
            with self.apart() as seen:
                made = make()
            memo.put(key, made, frozenset(seen))
            return made
        self._seen |= known[1]
        return known[0]


class Known:
    """What was made by looking at a chunk: values of names that it binds, functions in it. `looked`: at which names."""

    __slots__ = ("looked", "lowered", "models", "outlines", "values")

    def __init__(self) -> None:
        self.looked: set[ModuleName] = set()
        self.values: Memo[Binding, Abstract] = Memo(self.looked)
        self.outlines: Memo[None, Outline] = Memo(self.looked)
        self.lowered: Memo[Declared, Lowered] = Memo(self.looked)
        self.models: dict[Declared, FunctionModel] = {}


class Seat:
    """A chunk in its module, with what is known of it. `index` and `home` alone depend on what is above.

    `text` is what stands there and `problem` what is wrong with it. Where it cannot be read and once could be, the
    chunk is its last good version, and its home says what was done to it since.
    """

    __slots__ = ("_known", "bound", "chunk", "home", "index", "problem")

    def __init__(self, chunk: Chunk, home: Home) -> None:
        self.chunk = chunk
        self.home = home
        self.problem: SyntaxProblem | None = chunk.problem
        self.index = 0
        self.bound = Bound()
        self._known: Known | None = None

    @property
    def known(self) -> Known:
        """What is known of it."""
        if self._known is None:
            self._known = Known()
        return self._known

    @property
    def text(self) -> str:
        """What stands there."""
        return self.home.text

    @property
    def stale(self) -> bool:
        """Whether the chunk is an earlier version of the text."""
        return self.home.edit is not None

    def forget(self, changed: Collection[ModuleName] | None) -> None:
        """Drops what may be different now that some names have changed; None: all."""
        if self._known is not None and (changed is None or not self._known.looked.isdisjoint(changed)):
            self._known.values.forget(changed)
            self._known.outlines.forget(changed)
            self._known.lowered.forget(changed)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where something stands in a module: the chunk and the line in it. The end of a module has no chunk."""

    seat: Seat | None
    line: int = 0

    def above(self, other: Place) -> bool:
        """Whether this is above another place of the module."""
        if other.seat is None:
            return self.seat is not None
        return self.seat is not None and (self.seat.index, self.line) < (other.seat.index, other.line)


LAST = Place(None)


@dataclass(slots=True, eq=False)
class Binding:
    """One binding of a name. `alternative` names the statement that may or may not run it; 0: it surely runs."""

    kind: Literal["value", "item", "definition", "module", "member", "opaque"]
    place: Place
    node: ast.expr | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = None
    module: str = ""
    member: str = ""
    level: int = 0
    index: int = 0
    alternative: int = 0
    rescue: bool = False


@dataclass(slots=True, eq=False)
class Bound:
    """The bindings of a block, in order. `stars`: modules whose names are all bound."""

    names: dict[str, list[Binding]] = field(default_factory=dict[str, list[Binding]])
    stars: list[Binding] = field(default_factory=list[Binding])

    def add(self, name: str, binding: Binding) -> None:
        self.names.setdefault(name, []).append(binding)


@dataclass(slots=True, eq=False)
class Scope:
    """The names bound in a module, a class or a function. `prefix` stands before the dotted names of what is in it."""

    module: Module
    bound: Bound
    parent: Scope | None = None
    place: Place = LAST
    is_class: bool = False
    prefix: str = ""

    def above(self, name: str, place: Place) -> list[Binding]:
        """The bindings of a name that may hold at a place, the likeliest first."""
        found: list[Binding] = []
        bindings = self.bound.names.get(name, ())
        for binding in reversed(bindings):
            if not binding.place.above(place):
                continue
            if (
                binding.rescue
                and not found
                and any(not each.rescue and each.place.above(binding.place) for each in bindings)
            ):
                continue
            found.append(binding)
            if not binding.alternative:
                break
        return found
