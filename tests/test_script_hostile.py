"""Sources that are cut, broken or hostile: no exception, no effect, bounded time, and the other functions stay."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import onnxls
from onnxls.assembly import Request
from onnxls.workspace import Workspace

HEAD = "from onnxscript import BOOL, FLOAT, INT64, script\nfrom onnxscript import opset20 as op\n\n\n"
TRACED = "def f(op, x: FLOAT['N', 4]):\n{0}    return op.Relu(x)\n"
GOOD = '@script()\ndef good(x: FLOAT["N", 4]):\n    return op.Concat(x, x, axis=2)\n'
BODY = "@script()\ndef f(x: FLOAT[4]):\n    return {0}\n\n\n"
CONSTRUCTS = Path(__file__).parent / "data" / "script" / "constructs.py"
SUITES = sorted((Path(__file__).parent / "mdtest" / "script").glob("*.md"))
SECONDS = 1.0
ALLOWED = frozenset(("compile", "object.__getattr__", "object.__setattr__", "sys._getframe", "builtins.id"))
"""What reading takes: texts are compiled to trees. Files are opened too, to be read."""

HOSTILE = {
    "parentheses": BODY.format("(" * 5000 + "x" + ")" * 5000),
    "open parentheses": BODY.format("(" * 5000),
    "minus signs": BODY.format("-" * 100_000 + "x"),
    "attributes": BODY.format("x" + ".a" * 100_000),
    "a million parentheses": BODY.format("(" * 10**6 + "x" + ")" * 10**6),
    "a million blocks": "@script()\ndef f(x):\n" + "".join(" " * min(k, 90) + "if x:\n" for k in range(1, 10_000)),
    "a million brackets": BODY.format("[" * 10**6),
    "a million nots": BODY.format("not " * 10**6 + "x"),
    "endless string": BODY.format("'" + "a" * 3 * 10**6),
    "endless comment": "#" * 3 * 10**6 + "\n" + BODY.format("x"),
    "many strings": "A = " + "'a' " * 10**5 + "\n" + BODY.format("op.Relu(x, a=A)"),
    "escapes": "A = '" + "\\x41" * 10**5 + "'\n" + BODY.format("x"),
    "huge number": "A = " + "9" * 10**5 + "\n" + BODY.format("x + A"),
    "calls": BODY.format("op.Relu(" * 2000 + "x" + ")" * 2000),
    "lists": BODY.format("[" * 90 + "]" * 90),
    "terms": BODY.format("x" + " + 1" * 50_000),
    "few terms": BODY.format("x" + " + 1" * 900),
    "nul": BODY.format("x\0"),
    "power": "A = 9**9**9**9\nB = 10**10**10\n" + BODY.format("x + A + B"),
    "shift": "A = 1 << 10**9\n" + BODY.format("x + A"),
    "long string": "A = 'a' * 10**10\n" + BODY.format("op.Relu(x, a=A)"),
    "long list": "A = [0] * 10**10\nB = A + A\n" + BODY.format("op.Reshape(x, A)"),
    "doubling": "A0 = [0] * 1000\n" + "".join(f"A{k} = A{k - 1} + A{k - 1}\n" for k in range(1, 60)) + BODY.format("x"),
    "cycle": "a = b\nb = a\nwhile True:\n    a = b\n    b = a\n" + BODY.format("x + a"),
    "chain": "a0 = 1\n" + "".join(f"a{k} = a{k - 1} + 1\n" for k in range(1, 3000)) + BODY.format("x + a2999"),
    "nested ifs": "@script()\ndef f(x: FLOAT[4]):\n"
    + "".join("    " * k + "if x:\n" for k in range(1, 96))
    + "    " * 96
    + "y = x\n    return y\n",
    "nested loops": "@script()\ndef f(x: FLOAT[4]):\n    y = op.Identity(x)\n"
    + "".join("    " * k + "for i in range(3):\n" for k in range(1, 19))
    + "    " * 19
    + "y = y + 1.0\n    return y\n",
    "annotation": "@script()\ndef f(x: ().__class__.__bases__[0].__subclasses__()):\n    return op.Relu(x)\n",
    "decorator": "@script(default_opset=exec('raise SystemExit'))\ndef f(x):\n    return op.Relu(x)\n",
    "default": "@script()\ndef f(x, a: int = __import__('os').system('true')):\n    return op.Relu(x)\n",
    "decorators": "@__import__('os').system\n@(lambda f: exec('1/0'))\n@script()\ndef f(x):\n    return op.Relu(x)\n",
    "calls in annotations": "def bad():\n    raise SystemExit\n\n\n"
    "@script()\ndef f(x: FLOAT[bad()], y: bad()) -> bad():\n"
    "    z: bad() = op.Relu(x)\n    return z\n",
    "descriptors": "class C:\n    def __getattr__(self, n):\n        raise SystemExit\n"
    "    __class_getitem__ = __getattr__\n\n\nc = C()\n\n\n"
    "@script()\ndef f(x: C[c.a]):\n    return op.Relu(x, a=c.b)\n",
    "code at the top": "import os\nos.system('true')\nopen('/tmp/never', 'w')\nexec('1/0')\nraise SystemExit\n"
    + BODY.format("x"),
    "star": "from os import *\nfrom onnxscript import *\n" + BODY.format("system(x)"),
    "own import": "from . import *\nfrom .block import f as g\nimport block\n" + BODY.format("g(x)"),
    "many names": "".join(f"n{k} = {k}\n" for k in range(20_000)) + BODY.format("x"),
    "many functions": "".join(BODY.format("x").replace("def f", f"def f{k}") for k in range(300)),
    "calls of calls": GOOD.replace("good", "g0")
    + "".join(f"@script()\ndef g{k}(x):\n    return op.Add(g{k - 1}(x), g{k - 1}(x))\n" for k in range(1, 12)),
    "open string": 'A = """\n' + BODY.format("x"),
    "bytes": "\ud800\udfff\x0c\x0b\u2028\ufeff\r\r\n" + BODY.format("x"),
    "tabs": "@script()\ndef f(x):\n\tif x:\n        y = x\n\treturn y\n",
    "lists in lists": TRACED.format("    a = [1, 2]\n" + "    a = [a, a]\n" * 60 + "    op.Concat(*a, axis=a == a)\n"),
    "a list in itself": TRACED.format("    a = [1]\n" + "    a.append(a)\n" * 50 + "    a.extend(a)\n" * 64),
    "loops of numbers": TRACED.format(
        "".join("    " * k + f"for i{k} in range(64):\n" for k in range(1, 9)) + "    " * 9 + "x = op.Relu(x)\n"
    ),
    "comprehensions": TRACED.format(
        "    a = " + "[" * 6 + "op.Relu(x)" + "".join(f" for i{k} in range(64)]" for k in range(6)) + "\n"
    ),
    "conditions on sizes": TRACED.format("".join(f"    if x.shape[0] == {k}:\n        x = -x\n" for k in range(300))),
    "nested conditions": TRACED.format(
        "".join("    " * k + f"if x.shape[0] == {k}:\n" for k in range(1, 91)) + "    " * 91 + "x = op.Relu(x)\n"
    ),
    "early returns": TRACED.format("".join(f"    if x.foo({k}):\n        return op.Neg(x)\n" for k in range(300))),
    "growing sizes": TRACED.format("    n = x.shape[0]\n" + "    n = n * n + n\n" * 300 + "    op.Reshape(x, [n])\n"),
    "huge ranges": TRACED.format("    a = max(range(10**9))\n    b = list(range(10**9)) * 10**9\n    c = 9**9**9**9\n"),
    "many parameters": "def f(op, " + ", ".join(f"x{k}" for k in range(2000)) + "):\n    return op.Relu(x7)\n",
    "a module of itself": "class M:\n    def __init__(self):\n        self.a = self\n"
    "    def forward(self, op, x):\n        self.forward = self\n        return op.Add(self.a.a, x)\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str) -> None:
    begin = time.process_time()
    report = onnxls.analyze_text(HEAD + HOSTILE[name] + "\n\n" + GOOD, "block.py")
    took = time.process_time() - begin
    assert "good" in [unit.name for unit in report.units], [d.message for d in report.diagnostics]
    assert "axis-invalid" in [each.rule for each in report.diagnostics]
    assert "internal-error" not in [each.rule for each in report.diagnostics]
    assert took < SECONDS * 4


def test_nothing_is_run(tmp_path: Path) -> None:
    """Texts are parsed and files opened to be read; nothing else that Python audits happens."""
    (tmp_path / "other.py").write_text("import this_is_never_imported\nraise SystemExit\nk = 2\n", encoding="utf-8")
    texts = [HEAD + "from other import k\n" + text for text in HOSTILE.values()]
    path = str(tmp_path / "block.py")
    for text in texts:  # what onnxls itself imports when it is needed first
        onnxls.analyze_text(text, path)
    seen: list[str] = []
    watching = True

    def hook(event: str, args: tuple[Any, ...]) -> None:
        reads = event == "open" and isinstance(args[1], str) and not set(args[1]) & set("wax+")
        if watching and event not in ALLOWED and not reads:
            seen.append(f"{event}: {str(args)[:100]}")

    sys.addaudithook(hook)
    try:
        for text in texts:
            onnxls.analyze_text(text, path)
        exec("heard = 1", {})
    finally:
        watching = False
    assert [each.partition(":")[0] for each in seen] == ["exec"]


def _blocks() -> list[str]:
    """The sources of the suites."""
    parts = [
        part.replace("ignore-file", "ignore")
        for suite in SUITES
        for part in suite.read_text(encoding="utf-8").split("```")[1::2]
    ]
    return [part.removeprefix("py\n") for part in parts if part.startswith("py\n")]


def _cuts(number: int) -> list[str]:
    """Beginnings of the suites' sources, cut after every line and at random places; and sources with a hole."""
    dice = random.Random(7)
    blocks = _blocks()
    lines = [block[: at + 1] for block in blocks for at, each in enumerate(block) if each == "\n"]
    found = dice.sample(lines, min(len(lines), number // 2))
    while len(found) < number:
        block = dice.choice(blocks)
        at = dice.randrange(len(block))
        found.append(block[:at] if dice.random() < 0.7 else block[:at] + block[at + dice.randrange(1, 60) :])
    return found


@pytest.mark.parametrize("part", range(10))
def test_cut_anywhere(part: int) -> None:
    """2,000 cuts: nothing fails, each takes little time, and the function below keeps its findings."""
    workspace = Workspace(read=lambda _: None)
    for cut in _cuts(2000)[part::10]:
        text = f"from onnxscript import script\n{cut}\n\n\n{HEAD}{GOOD}"
        begin = time.process_time()
        report = workspace.analyze_text(text, "block.py", Request())
        assert time.process_time() - begin < SECONDS * 4, cut
        assert "internal-error" not in [each.rule for each in report.diagnostics], cut
        last = text.count("\n")
        assert ("axis-invalid", last) in [(each.rule, each.location.line) for each in report.diagnostics], cut


BREAKAGES = (
    "    y = op.",
    "    y = op.Relu(",
    "    y = op.Relu(x",
    "    y = (x + ",
    "    return",
    "    if x:",
    "    for i in",
    "    y = 'abc",
    '    y = """abc',
    "    y = [1, 2",
    "    y: FLOAT[",
    "  y = x",
    "    y == ",
    "    def g(",
    "    y = x)",
)


@pytest.mark.parametrize("line", BREAKAGES)
def test_the_other_functions_stay(line: str) -> None:
    """A broken line in the middle of a file costs no other function its unit or its findings."""
    text = CONSTRUCTS.read_text(encoding="utf-8")
    lines = text.split("\n")
    first = lines.index('def slices(x: FLOAT["N", 3, 4], i: INT64[()]):')
    last = lines.index('def mixed_indices(x: FLOAT["N", 3, 4], i: INT64[2]):') - 1
    whole = onnxls.analyze_text(text, "block.py")
    broken = onnxls.analyze_text("\n".join([*lines[: first + 1], line, *lines[first + 1 :]]), "block.py")
    assert {unit.name for unit in whole.units} - {unit.name for unit in broken.units} <= {"slices"}
    assert _loud(whole, first, last, 0) == _loud(broken, first, last + 1, 1)


def _loud(report: onnxls.Report, first: int, last: int, more: int) -> list[tuple[int, str]]:
    """The findings outside a range of lines, as lines of the whole file."""
    found: list[tuple[int, str]] = []
    for each in report.diagnostics:
        line = (each.location.line or 0) - 1
        if each.severity in ("error", "warning") and not first <= line <= last:
            found.append((line - (more if line > last else 0), each.rule))
    return found
