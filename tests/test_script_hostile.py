"""Sources that are cut, broken or hostile: no exception, no effect, bounded time, and the other functions stay."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import onnxls

HEAD = "from onnxscript import BOOL, FLOAT, INT64, script\nfrom onnxscript import opset20 as op\n\n\n"
GOOD = '@script()\ndef good(x: FLOAT["N", 4]):\n    return op.Concat(x, x, axis=2)\n'
BODY = "@script()\ndef f(x: FLOAT[4]):\n    return {0}\n\n\n"
CONSTRUCTS = Path(__file__).parent / "data" / "script" / "constructs.py"
SUITES = sorted((Path(__file__).parent / "mdtest" / "script").glob("*.md"))
SECONDS = 1.0
FORBIDDEN = ("exec", "import", "os.system", "subprocess.Popen", "socket.connect", "shutil.rmtree", "open")

HOSTILE = {
    "parentheses": BODY.format("(" * 5000 + "x" + ")" * 5000),
    "open parentheses": BODY.format("(" * 5000),
    "minus signs": BODY.format("-" * 100_000 + "x"),
    "attributes": BODY.format("x" + ".a" * 100_000),
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
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str) -> None:
    begin = time.perf_counter()
    report = onnxls.analyze_text(HEAD + HOSTILE[name] + "\n\n" + GOOD, "block.py")
    took = time.perf_counter() - begin
    assert "good" in [unit.name for unit in report.units], [d.message for d in report.diagnostics]
    assert "axis-invalid" in [each.rule for each in report.diagnostics]
    assert "internal-error" not in [each.rule for each in report.diagnostics]
    assert took < SECONDS * 4


def test_nothing_is_run(tmp_path: Path) -> None:
    """No module of the user's is imported and no code compiled but to be parsed; files are opened to be read only."""
    seen: list[str] = []
    watching = True

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if not watching or event not in FORBIDDEN:
            return
        if event == "open" and (not isinstance(args[1], str) or not set(args[1]) & set("wax+")):
            return
        if event == "import" and str(args[0]).split(".")[0] in ("onnxls", "encodings"):
            return
        seen.append(f"{event}: {str(args)[:100]}")

    (tmp_path / "other.py").write_text("import this_is_never_imported\nraise SystemExit\nk = 2\n", encoding="utf-8")
    warm = HEAD + GOOD
    onnxls.analyze_text(warm, "block.py")
    sys.addaudithook(hook)
    try:
        for text in HOSTILE.values():
            onnxls.analyze_text(HEAD + "from other import k\n" + text, str(tmp_path / "block.py"))
    finally:
        watching = False
    assert not seen


@pytest.mark.parametrize("count", [400])
def test_cut_anywhere(count: int) -> None:
    text = CONSTRUCTS.read_text(encoding="utf-8") + "\n\n" + HEAD + GOOD
    dice = random.Random(7)
    for _ in range(count // 20):
        start = dice.randrange(len(text))
        onnxls.analyze_text(text[:start] + text[start + dice.randrange(60) :], "block.py")
    blocks = [block for suite in SUITES for block in suite.read_text(encoding="utf-8").split("```")[1::2]]
    for _ in range(count):
        block = dice.choice(blocks)
        cut = block[: dice.randrange(len(block))]
        report = onnxls.analyze_text(f"from onnxscript import script\n{cut[3:]}\n\n\n{HEAD}{GOOD}", "block.py")
        assert "internal-error" not in [each.rule for each in report.diagnostics]


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
