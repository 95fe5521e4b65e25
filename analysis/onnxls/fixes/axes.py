"""The axis that was meant: the last one for one that is beyond it, the only one on which inputs can be joined."""

from __future__ import annotations

from collections.abc import Iterator

from onnxls.diagnostics import Diagnostic, Fix
from onnxls.facts import Shape
from onnxls.fixes.changes import SetAttribute
from onnxls.fixes.scene import Scene
from onnxls.occurrences.sites import visible

RULES = (
    "axis-invalid",
    "elementwise-axis-out-of-range",
    "normalization-axis-out-of-range",
    "concat-size-mismatch",
)


def fixes(scene: Scene, found: Diagnostic) -> Iterator[Fix]:
    """Another value of the attribute `axis` of the node."""
    known, site = scene.unit(found), scene.site(found)
    if known is None or site is None or found.verdict != "fails":
        return
    attr = site.node.attrs.get("axis")
    axis = attr.value if attr is not None else None
    shapes = [fact.shape for name in site.node.inputs if (fact := visible(known[1].values, site, name)) is not None]
    if not isinstance(axis, int) or not shapes or shapes[0] is None:
        return
    rank = len(shapes[0])
    if rank == 0:
        return
    if site.node.op_type == "Concat":
        fitting = [each for each in range(rank) if _joins(shapes, each)]
        if len(fitting) == 1:
            yield from scene.fix(f"Join on axis {fitting[0]}", SetAttribute(site, "axis", fitting[0]))
    elif axis >= rank:
        yield from scene.fix("Take the last axis", SetAttribute(site, "axis", -1))
    elif axis < -rank:
        yield from scene.fix("Take the first axis", SetAttribute(site, "axis", 0))


def _joins(shapes: list[Shape | None], axis: int) -> bool:
    """Whether all shapes are known to agree but for one axis."""
    first = shapes[0]
    return first is not None and all(
        each is not None
        and len(each) == len(first)
        and all(dim == other for at, (dim, other) in enumerate(zip(first, each, strict=True)) if at != axis)
        for each in shapes
    )
