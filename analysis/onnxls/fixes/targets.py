"""A target of Reshape or Expand that holds for every size, in place of one with sizes of one export baked in.

A baked entry of a Reshape becomes 0 (it copies the axis of the input), or -1 (it takes what is left), or is taken
from the Shape of the input. Only what is provably right for all sizes is offered, and it gives at the sizes that pass
what was given there before. One of an Expand becomes 1, which keeps the axis: for an axis of 1 that is another result,
so it must be asked for; and so must an entry be that only has to divide: it runs at other sizes too, and gives another
result there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.dims import Dim
from onnxls.expressions import parse_dim
from onnxls.facts import Shape
from onnxls.fixes.changes import SetEntries
from onnxls.fixes.scene import Scene
from onnxls.fixes.sizes import at, fits
from onnxls.fixes.taken_axes import taken_from_shape
from onnxls.occurrences.sites import visible

NOT_DIVISIBLE = "reshape-not-divisible"
RULES = ("reshape-size-mismatch", NOT_DIVISIBLE, "broadcast-mismatch", "expand-target")
MAX_RANK = 8
_OF_SHAPE = re.compile(r"of shape \[(.*?)\] holds ")


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """The target with the fewest entries changed; an entry of an axis is copied rather than left to be inferred."""
    known, site = scene.unit(found), scene.site(found)
    if known is None or site is None or len(site.node.inputs) < 2 or found.passing is None:
        return
    data, target = (visible(known[1].values, site, name) for name in site.node.inputs[:2])
    shape = _shape_then(found.message) or (None if data is None else data.shape)
    entries = None if target is None else target.constants
    if shape is None or entries is None or len(entries) > MAX_RANK:
        return
    allowzero = site.node.attrs.get("allowzero")
    baked = found.rule != NOT_DIVISIBLE
    if site.node.op_type == "Expand":
        changed = _expanded(shape, entries)
        if changed is not None:
            yield from scene.fix("Keep the size of the axis", SetEntries(site, 1, tuple(changed)), automatic=False)
    elif site.node.op_type == "Reshape" and (allowzero is None or not allowzero.value):
        changed = _reshaped(shape, entries, found.passing)
        if changed is not None:
            said = ", ".join(f"target[{place}] = {value}" for place, value in changed)
            yield from scene.fix(f"Write {said}", SetEntries(site, 1, tuple(changed)), automatic=baked)
        else:
            yield from taken_from_shape(scene, site, shape, entries, found.passing, automatic=baked)


def _shape_then(message: str) -> Shape | None:
    """The shape of the input before the condition was taken for granted, which facts may rest on: as it was told."""
    match = _OF_SHAPE.search(message)
    try:
        return None if match is None else tuple(parse_dim(text) for text in _split(match[1]))
    except ValueError:
        return None


def _split(text: str) -> Iterator[str]:
    """The parts between commas that stand in no bracket."""
    depth, begin = 0, 0
    for place, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and not depth:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _expanded(data: Shape, entries: Sequence[int]) -> list[tuple[int, int]] | None:
    """The entries above 1 at axes whose size is not fixed."""
    behind = len(data) - len(entries)
    return [
        (place, 1)
        for place, entry in enumerate(entries)
        if behind + place >= 0 and entry > 1 and data[behind + place].const is None
    ] or None


def _reshaped(data: Shape, entries: Sequence[int], passing: Mapping[str, int]) -> list[tuple[int, int]] | None:
    """The smallest change after which the numbers of elements agree for all sizes, empty ones included."""
    copied = [
        place
        for place, entry in enumerate(entries)
        if entry > 0 and place < len(data) and data[place].const is None and at(data[place], passing) == entry
    ]
    for places in _some(copied):
        chosen = [0 if place in places else entry for place, entry in enumerate(entries)]
        if -1 in chosen:
            rest = chosen.index(-1)
            chosen[rest] = 0 if rest < len(data) else -1
        if places and -1 not in chosen and _fits(data, chosen):
            return [(place, 0) for place, entry in enumerate(entries) if chosen[place] != entry]
    if -1 in entries:
        return None
    for place, entry in enumerate(entries):
        chosen = [-1 if each == place else other for each, other in enumerate(entries)]
        if entry > 0 and 0 not in chosen and _fits(data, chosen):
            return [(place, -1)]
    return None


def _some(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All selections, small ones first."""
    for count in range(1, len(places) + 1):
        yield from combinations(places, count)


def _fits(data: Shape, entries: Sequence[int]) -> bool:
    """Whether a target of numbers holds all elements of an input, whatever its sizes."""
    return fits(data, [data[place] if entry == 0 else Dim.of(entry) for place, entry in enumerate(entries)])
