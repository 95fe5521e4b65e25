"""The store of one walk: what is known of the sizes so far, and the guards that made it known.

Knowledge is persistent: whoever enters code that may not run keeps `known` and puts it back. Facts and guards are
judged over sizes >= 0, verdicts over input sizes >= 1.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from onnxls import decide
from onnxls.assumptions import Assumptions
from onnxls.relations import AnyOf, Condition, Guard, all_of, any_of, dims, tidy, unless

HINT = "hint"
"""The reason of a guard that says which branch a hint took."""

MAX_GUARDS, MAX_SIZE = 40, 400
"""Longer lists of guards are not made minimal: every guard would be proved against all others."""


@dataclass(slots=True)
class Path:
    """A way that not every run takes: where `condition` holds. `outside`: what is known wherever a run goes;
    `learned`: what was added to that on the way."""

    condition: Condition
    outside: Assumptions
    learned: list[Condition] = field(default_factory=list[Condition])

    def note(self, condition: Condition) -> None:
        """Takes a condition as true on whatever way."""
        self.outside = self.outside.learn(condition)
        self.learned.append(condition)


MAX_WORK = 150_000
"""Terms and atoms of the different conditions that one walk decides, and what is known of their symbols, by the
number of conditions: some three seconds of the hardest."""

_QUESTION, _SEARCH, _SEARCHED, MAX_SEARCHED, _GIVEN = 8, 64, 8, 80, 100
"""The work of a question without its terms; of the search for examples, and of that for each of so many conditions;
of each condition that is taken as true for one question."""

_TIED = 16
"""As many conditions that a learned one is tied to are work as one term."""


class Store:
    """Mutable holder of the knowledge at the current point of the walk.

    `spent`: conditions are no longer decided, since there were too many; what depends on them is not known.
    """

    def __init__(self, known: Assumptions, hints: Mapping[str, int]) -> None:
        self.hints = hints
        self.guards: list[Guard] = []
        self.path: Path | None = None
        self.spent = False
        self._seen: set[tuple[Condition, bool]] = set()
        self._work = 0
        self._answers: dict[Condition, bool | None] = {}
        self._raised: Assumptions | None = None
        self._known = known
        self._firm: Assumptions | None = None

    @property
    def known(self) -> Assumptions:
        """What is known, over sizes >= 0."""
        return self._known

    @known.setter
    def known(self, known: Assumptions) -> None:
        if known is not self._known:
            self._known = known
            self._raised = None
            self._answers = {}

    @property
    def raised(self) -> Assumptions:
        """What is known, over input sizes >= 1."""
        if self._raised is None:
            self._raised = self._known.with_floor(1)
        return self._raised

    def learn(self, condition: Condition) -> None:
        """Takes a condition as true from here on; not where nothing is decided any more."""
        if not self.spent:
            self.known = self._known.learn(condition)
            if self._firm is not None:
                self._firm = self._firm.learn(condition)
            self._work += self._known.about(condition.symbols()).extent // _TIED

    def presume(self, condition: Condition) -> None:
        """Takes as true what facts rest on from here on. Runs at which it is false go on, so that guards, which speak
        of those runs, too, do not rest on it."""
        firm = self._known if self._firm is None else self._firm
        self.learn(condition)
        self._firm = firm

    @property
    def knowledge(self) -> tuple[Assumptions, Assumptions | None]:
        """All that is known, and what of it guards may rest on; see `return_to`."""
        return self._known, self._firm

    def return_to(self, knowledge: tuple[Assumptions, Assumptions | None]) -> None:
        """Forgets what was learned and presumed since."""
        self.known, self._firm = knowledge

    @contextmanager
    def under(self, condition: Condition) -> Generator[Path]:
        """Goes a way that only runs take at which the condition holds; what it taught of other runs stays."""
        before, known, firm = self.path, self.known, self._firm
        if before is None:
            path = Path(condition, known)
        else:
            path = Path(all_of(before.condition, condition), before.outside)
        self.path = path
        self.learn(condition)
        try:
            yield path
        finally:
            self.path = before
            for each in path.learned:
                known = known.learn(each)
                firm = None if firm is None else firm.learn(each)
                if before is not None:
                    before.note(each)
            self.known = known
            self._firm = firm

    @property
    def outside(self) -> Assumptions:
        """What is known of all runs, also of those that do not come here, over sizes >= 0."""
        return self._known if self.path is None else self.path.outside

    @property
    def outside_raised(self) -> Assumptions:
        """What is known of all runs, over input sizes >= 1."""
        return self.raised if self.path is None else self.path.outside.with_floor(1)

    def overall(self, condition: Condition) -> Condition:
        """What a condition of the runs that come here says of all runs, as a person would write it."""
        if self.path is not None:
            condition = unless(self.path.condition, condition)
            return self.tidied(self.outside.rewrite_condition(condition))
        return self.tidied((self._known if self._firm is None else self._firm).rewrite_condition(condition))

    def tidied(self, condition: Condition) -> Condition:
        """The condition as a person would write it."""
        tree = self._known.tree
        made: dict[Condition, Condition] = tree.tables.setdefault(tidy, {})
        if condition not in made:
            made[condition] = tidy(condition)
            tree.remembered += 1
        return made[condition]

    def ask(self, condition: Condition) -> bool | None:
        """True: it follows; False: it is refuted; None: neither. Over sizes >= 0."""
        if condition in self._answers:
            return self._answers[condition]
        answer = decide.truth(condition, self._known) if self._affords(condition, self._known) else None
        self._answers[condition] = answer
        return answer

    def check(self, condition: Condition, known: Assumptions) -> decide.Verdict:
        """The verdict on a condition."""
        return decide.check(condition, known) if self._affords(condition, known, search=True) else decide.UNKNOWN

    def follows(self, condition: Condition, given: Sequence[Condition]) -> bool:
        """Whether a condition is proved over input sizes >= 1, where others are true as well."""
        self._work += _GIVEN * len(given)
        if not self._affords(condition, self.raised):
            return False
        known = self.raised
        for each in given:
            known = known.learn(each)
        return decide.follows(condition, known)

    def _affords(self, condition: Condition, known: Assumptions, search: bool = False) -> bool:
        if (condition, search) not in self._seen:
            self._seen.add((condition, search))
            tied = known.about(condition.symbols()).extent
            self._work += _QUESTION + sum(dim.size for dim in dims(condition)) + tied
            if search:
                self._work += _SEARCH + _SEARCHED * min(tied, MAX_SEARCHED)
            self.spent = self.spent or self._work > MAX_WORK
        return not self.spent

    def hinted(self, condition: Condition) -> bool | None:
        """The truth of a condition at the hints; None where they do not reach."""
        if not self.hints or not condition.symbols() <= self.hints.keys():
            return None
        return condition.holds_at(self.hints)


def minimal(guards: Sequence[Guard], base: Assumptions) -> dict[Guard, Guard]:
    """The guards that none of the others implies, in order, each with the guard that it was made of.

    Of two that imply each other the first stays; what the others rule out of a guard is dropped. An assert guard holds
    whatever branches are taken later: expect guards that come after it do not make it idle, and say no more than they
    add to it. None makes it stricter: it speaks of runs at which they fail, too. An assert guard after a branch that
    only empty axes leave speaks of the runs that take it; any other branch that it implies is idle.
    """
    made = list(dict.fromkeys(guards))
    if len(made) > MAX_GUARDS or sum(dim.size for guard in made for dim in dims(guard.condition)) > MAX_SIZE:
        return dict(zip(made, made, strict=True))
    kept: list[Guard | None] = list(made)
    while _narrowed(kept, base):
        pass
    for position, guard in enumerate(kept):
        if guard is not None and guard.condition.symbols():
            kept[position] = _after(guard, [each for each in kept[:position] if each is not None], base)
    return {guard: origin for guard, origin in zip(kept, made, strict=True) if guard is not None}


def _narrowed(kept: list[Guard | None], base: Assumptions) -> bool:
    """Takes out what follows from the others, last first. True: a guard is narrower now, and may imply another."""
    narrower = False
    for position in reversed(range(len(kept))):
        guard = kept[position]
        if guard is None or _is_false(guard):
            continue
        known = firm = base
        later = kept[position + 1 :]
        spares = _spares(guard, base)
        for other in tied(guard.symbols(), [each for each in kept if each is not None and each is not guard], base):
            if guard.kind == "expect" or other.kind == "assert":
                firm = firm.learn(other.condition)
            if other.kind == guard.kind or other not in later or spares:
                known = known.learn(other.condition)
        if decide.proved(guard.condition, known) is True:
            kept[position] = None
        elif isinstance(guard.condition, AnyOf):
            left = [part for part in guard.condition.parts if decide.proved(part, firm) is not False]
            if left and len(left) < len(guard.condition.parts):
                kept[position] = replace(guard, condition=any_of(*left))
                narrower = True
    return narrower


def _after(guard: Guard, earlier: Sequence[Guard], base: Assumptions) -> Guard:
    """What a guard adds to those of the other kind before it. The branch that a hint takes stays as it is."""
    if guard.reason == HINT:
        return guard
    known = base.learn(guard.condition)
    implied = [
        other.condition
        for other in earlier
        if other.kind != guard.kind
        and not _spares(other, base)
        and not _is_false(other)
        and not other.symbols().isdisjoint(guard.symbols())
        and decide.proved(other.condition, known) is True
    ]
    return replace(guard, condition=tidy(unless(all_of(*implied), guard.condition))) if implied else guard


def tied(names: frozenset[str], guards: Sequence[Guard], base: Assumptions) -> list[Guard]:
    """The guards that bear on some sizes: those that share sizes with them, directly or through others."""
    names |= base.about(names).names
    left = [guard for guard in guards if not _is_false(guard)]
    found: list[Guard] = []
    while near := [other for other in left if not names.isdisjoint(other.symbols())]:
        found += near
        left = [other for other in left if other not in near]
        names |= base.about(name for other in near for name in other.symbols()).names
        names = names.union(*(other.symbols() for other in near))
    return [guard for guard in guards if guard in found]


def _spares(guard: Guard, base: Assumptions) -> bool:
    """Whether a guard is a branch that also sizes other than 0 leave: one that is said by what implies it."""
    return guard.kind == "expect" and decide.proved(guard.condition, base.with_floor(1)) is not True


def _is_false(guard: Guard) -> bool:
    """A guard over no sizes: the model never runs."""
    return not guard.condition.symbols()


def dims_known(condition: Condition, order: Mapping[str, int]) -> bool:
    """Whether the condition is over input symbols alone."""
    return all(name in order for name in condition.symbols())
