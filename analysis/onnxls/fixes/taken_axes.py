"""A Reshape target in a source whose sizes are taken from the Shape of the input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from onnxls.diagnostics import Fix
from onnxls.dims import Dim, product
from onnxls.facts import Shape
from onnxls.fixes.literals import int_list
from onnxls.fixes.scene import Scene
from onnxls.fixes.sizes import at, fits
from onnxls.occurrences import Site
from onnxls.spans import Span

_SHAPE_HAS_BOUNDS = 15
"""The opset in which Shape got `start` and `end`; Reshape has `allowzero` since 14."""


def taken_from_shape(
    scene: Scene, site: Site, data: Shape, entries: Sequence[int], passing: Mapping[str, int], automatic: bool
) -> Iterator[Fix]:
    """`op.Concat(op.Shape(x, start=1, end=2), [64], axis=0)`: where entries stand elsewhere than their axes.

    With `allowzero=1` a size of 0 that is taken means 0.
    """
    if not scene.is_source or scene.text is None or site.name is None or len(site.inputs) < 2:
        return
    subject, target = site.inputs[:2]
    if subject is None or target is None or site.opset < _SHAPE_HAS_BOUNDS or int_list(scene.text, target) is None:
        return
    name = scene.text[subject.start : subject.end]
    opset = scene.text[site.name.start : site.name.end].rpartition(".")[0]
    sizes = _sizes(data, entries, passing)
    end = site.span.end - 1
    if sizes is None or not name.isidentifier() or not opset.isidentifier() or scene.text[target.end : end].strip():
        return
    pieces: list[str] = []
    numbers: list[str] = []
    for size in sizes:
        if isinstance(size, int):
            numbers.append(str(size))
            continue
        if numbers:
            pieces.append(f"[{', '.join(numbers)}]")
            numbers = []
        pieces.append(f"{opset}.Shape({name}, start={size.index}, end={size.index + 1})")
    if numbers:
        pieces.append(f"[{', '.join(numbers)}]")
    text = f"{opset}.Concat({', '.join(pieces)}, axis=0), allowzero=1"
    axes = " and ".join(str(size.index) for size in sizes if not isinstance(size, int))
    title = f"Take axis {axes} from the shape of `{name}`"
    yield from scene.text_fix(title, (Span(target.start, end), text), automatic=automatic)


class _Axis:
    """An axis of the input."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


def _sizes(data: Shape, entries: Sequence[int], passing: Mapping[str, int]) -> list[int | _Axis] | None:
    """The target as numbers and axes, where each entry can be one axis only and all elements fit without a -1."""
    symbolic = [axis for axis, dim in enumerate(data) if dim.const is None]
    taken: dict[int, int] = {}
    for place, entry in enumerate(entries):
        axes = [axis for axis in symbolic if entry > 0 and at(data[axis], passing) == entry]
        if len(axes) == 1 and axes[0] not in taken.values():
            taken[place] = axes[0]
    if not taken or 0 in entries:
        return None
    sizes = [data[taken[place]] if place in taken else Dim.of(entry) for place, entry in enumerate(entries)]
    if -1 in entries:
        place = entries.index(-1)
        rest = product(data).exact_div(product(size for size in sizes if size.const != -1))
        axes = [axis for axis in symbolic if data[axis] == rest and axis not in taken.values()]
        if rest is None or (rest.const is None and len(axes) != 1):
            return None
        sizes[place] = rest
        if rest.const is None:
            taken[place] = axes[0]
    if not fits(data, sizes):
        return None
    found: list[int | _Axis] = []
    for place, size in enumerate(sizes):
        number = size.const
        if place not in taken and number is None:
            return None
        found.append(_Axis(taken[place]) if place in taken else number or 0)
    return found
