"""Statements that were read before: a text read again, or edited, gives what it gives where nothing is remembered."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks.models import encoder
from onnxls.frontends import text_nodes
from onnxls.frontends.text import read_text
from onnxls.graph import Graph, Tensor

HEAD = '<ir_version: 10, opset_import: ["" : 20, "local" : 1]>\ng (float[N, 4] x) => (float[N, 4] y)\n'
STATEMENTS = [
    "a = Relu (x)",
    "b, c = Split <axis = 0, num_outputs = 2> (a)  # two",
    "[named] d = Add (b, c)",
    "e = Constant <value = int64[2] {1, 2}> () f = Neg (a)",
    'g = local.F:over <s = "a\\"b", f = 1.5, l = [1, 2]> (a, , b)',
    "h = If (p) <then_branch = t () => (float z) { z = Relu (x) }, else_branch = e () => (float z) { z = Neg (x) }>",
    "i = Transpose",
    "  <perm = [1, 0]> (x)",
    "j = Transpose (x)",
    "<perm = [1, 0]>",
    "k = Relu (x",
    "l = 3 (x)",
    'm = Relu ("a',
    'b")',
    "y = Identity (a) }",
]


def shown(text: str) -> list[Any]:
    """All that reading gives."""
    read = read_text(text, "m.onnxtxt")
    return [_told(read.model.graph) if read.model else None, read.diagnostics, read.positions]


def _told(thing: Any) -> Any:
    if isinstance(thing, Graph):
        nodes = [
            (n.op_type, n.domain, n.name, n.inputs, n.outputs, n.overload, n.origin, _told(dict(n.attrs)))
            for n in thing.nodes
        ]
        return (thing.name, thing.inputs, thing.outputs, nodes, _told(dict(thing.initializers)), thing.value_info)
    if isinstance(thing, Tensor):
        return (thing.name, thing.dtype, thing.dims, thing.values)
    if isinstance(thing, dict):
        return {key: _told(getattr(value, "value", value)) for key, value in thing.items()}  # type: ignore[reportUnknownVariableType]
    return thing


def anew(text: str) -> list[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_nodes, "_LINES", {})
        return shown(text)


@pytest.mark.parametrize("seed", range(6))
def test_edited_texts(seed: int) -> None:
    draw = random.Random(seed)
    lines = encoder(1).split("\n") if seed < 2 else [*HEAD.split("\n"), "{", *STATEMENTS, "}"]
    for _ in range(30):
        at = draw.randrange(len(lines))
        kind = draw.randrange(4)
        lines[at : at + 1] = (
            []
            if kind == 0 and len(lines) > 8
            else [lines[at], draw.choice(STATEMENTS)]
            if kind < 3
            else [f" {lines[at]}"]
        )
        text = "\n".join(lines)
        assert shown(text) == anew(text)
        assert shown(text) == anew(text)
