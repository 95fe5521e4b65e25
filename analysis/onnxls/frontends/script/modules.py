"""A source file as a module that is kept from one version of its text to the next.

After an edit, the chunks whose text is the same stay, with all that is known of them; what is read anew and what goes
tells which names may mean something else now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count, pairwise

from onnxls.frontends.script.bindings import collect
from onnxls.frontends.script.boundaries import Boundaries, boundaries
from onnxls.frontends.script.chunks import read_chunk, silently
from onnxls.frontends.script.homes import Edit, Home
from onnxls.frontends.script.names import Bound, ModuleName, Scope, Seat
from onnxls.spans import LineIndex

Read = Callable[[str, int], "Module | None"]
"""The module of a dotted name and a relative level, as the workspace has it."""

_numbers = count()


class Module:
    """A source file of the workspace. `read` gives the modules that it imports."""

    def __init__(self, path: str, read: Read) -> None:
        self.path = path
        self.read = read
        self.seats: tuple[Seat, ...] = ()
        self.scope = Scope(self, Bound())
        self.lines = LineIndex("")
        self.homes: Mapping[str, Home] = {}
        self._boundaries: Boundaries | None = None

    @property
    def text(self) -> str | None:
        """The text that was read last."""
        return None if self._boundaries is None else self._boundaries.text

    @property
    def names(self) -> set[ModuleName] | None:
        """The names that it binds; None where they cannot be told."""
        bound = self.scope.bound
        return None if bound.stars else {(self.path, name) for name in bound.names}

    def update(self, text: str) -> set[ModuleName] | None:
        """Reads a text and gives the names whose meaning may have changed; None: any may have."""
        with silently():
            return self._updated(text)

    def _updated(self, text: str) -> set[ModuleName] | None:
        self._boundaries = boundaries(text, self._boundaries)
        offsets = self._boundaries.offsets
        parts = [text[start:end] for start, end in pairwise((*offsets, len(text)))]
        head, tail = _same_ends(self.seats, parts)
        old = self.seats[head : len(self.seats) - tail]
        new = parts[head : len(parts) - tail]
        kept = _kept(old, new)
        stay = {*kept.values()}
        gone = [seat for index, seat in enumerate(old) if index not in stay]
        if len(gone) == 1 and len(new) - len(kept) == 1:
            index = next(index for index in range(len(new)) if index not in kept)
            if self._revised(gone[0], new[index]):
                kept[index] = old.index(gone[0])
                gone = []
        made = [old[kept[index]] if index in kept else self._seat(part) for index, part in enumerate(new)]
        come = [seat for index, seat in enumerate(made) if index not in kept]
        self.seats = (*self.seats[:head], *made, *self.seats[len(self.seats) - tail :])
        self.lines = LineIndex(text)
        line = 1
        for index, seat in enumerate(self.seats):
            seat.index = index
            if seat.home.line != line:
                seat.home = Home(self.path, line, seat.text, seat.home.edit)
            line = seat.home.below
        if gone or come:
            self.scope.bound = _joined(self.seats)
        self.homes = {seat.chunk.key: seat.home for seat in self.seats}
        if any(seat.bound.stars for seat in (*gone, *come)):
            return None
        return {(self.path, name) for seat in (*gone, *come) for name in seat.bound.names}

    def _seat(self, text: str) -> Seat:
        chunk = read_chunk(text, f"{self.path}#{next(_numbers)}")
        seat = Seat(chunk, Home(self.path, 0, text))
        collect(seat.bound, chunk.statements, seat)
        return seat

    def _revised(self, seat: Seat, text: str) -> bool:
        """Lets the last good version of a chunk serve for a text that cannot be read, and is much like it."""
        if seat.chunk.problem is not None:
            return False
        chunk = read_chunk(text, seat.chunk.key)
        if chunk.problem is None or chunk.statements:
            return False
        edit = Edit.between(seat.chunk.text, text)
        if 2 * edit.removed > len(seat.chunk.text):
            return False
        seat.problem = chunk.problem
        seat.home = Home(self.path, seat.home.line, text, edit)
        return True


def _same_ends(seats: Sequence[Seat], parts: Sequence[str]) -> tuple[int, int]:
    """The numbers of chunks at the beginning and at the end whose text is the same."""
    most = min(len(seats), len(parts))
    head = 0
    while head < most and seats[head].text == parts[head]:
        head += 1
    tail = 0
    while tail < most - head and seats[-1 - tail].text == parts[-1 - tail]:
        tail += 1
    return head, tail


def _kept(seats: Sequence[Seat], parts: Sequence[str]) -> dict[int, int]:
    """Between the same ends: which text is that of which seat, in order; texts that occur twice are left out."""
    places = {seat.text: index for index, seat in enumerate(seats)}
    counts: dict[str, int] = {}
    for text in (*(seat.text for seat in seats), *parts):
        counts[text] = counts.get(text, 0) + 1
    kept: dict[int, int] = {}
    last = -1
    for index, part in enumerate(parts):
        place = places.get(part, -1)
        if place > last and counts[part] == 2:
            kept[index] = last = place
    return kept


def _joined(seats: Sequence[Seat]) -> Bound:
    """The bindings of all chunks."""
    bound = Bound()
    names = bound.names
    for seat in seats:
        for name, bindings in seat.bound.names.items():
            if name in names:
                names[name] += bindings
            else:
                names[name] = list(bindings)
        bound.stars += seat.bound.stars
    return bound
