"""Measures the budgets: `python -m benchmarks.budgets [NAME ...]`. Fails where a figure is beyond twice its budget.

Each figure is the best of a few processes, and a ratio to what is measured beside it wherever a peer does the same
work; on a busy machine ratios still hold, and seconds do not. Models are made on the spot (`benchmarks.models`).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.models import NODES_PER_LAYER, encoder, write_encoder, write_large

TURNS = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure and its budget, in the same unit."""

    name: str
    value: float
    budget: float
    unit: str = ""


def child(task: str, *args: str) -> Any:
    """What a function of this module returns in a process of its own."""
    code = f"import json, sys; from benchmarks import budgets; print(json.dumps(budgets.{task}(*sys.argv[1:])))"
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def best(task: str, *args: str) -> list[float]:
    """The least of each number that a task returns, over a few processes."""
    return [min(numbers) for numbers in zip(*(child(task, *args) for _ in range(TURNS)), strict=True)]


def clock(work: Callable[[], object]) -> float:
    """The CPU time of some work, in seconds."""
    start = time.process_time()
    work()
    return time.process_time() - start


def warm(folder: Path) -> None:
    """Imports all that an analysis needs, with a model that has nothing in common with those that are measured."""
    import onnxls

    path = folder / "warm.onnxtxt"
    path.write_text("w (float[K] u) => (float[K] v) { v = Sigmoid (u) }", encoding="utf-8")
    onnxls.analyze(path)


def analysis(path: str) -> list[float]:
    """Seconds of a first analysis in a warm process, and of reading and inferring with onnx."""
    from onnx import ModelProto, shape_inference

    import onnxls

    warm(Path(path).parent)
    own = clock(lambda: onnxls.analyze(path))
    peer = min(
        clock(lambda: shape_inference.infer_shapes(ModelProto.FromString(Path(path).read_bytes()), data_prop=True))
        for _ in range(3)
    )
    return [own, peer]


def again(path: str) -> list[float]:
    """Seconds of a first analysis, and of one more after a node in the middle changed."""
    from onnx import ModelProto

    import onnxls

    warm(Path(path).parent)
    first = clock(lambda: onnxls.analyze(path))
    model = ModelProto.FromString(Path(path).read_bytes())
    node = model.graph.node[len(model.graph.node) // 2]
    node.output[0], before = "changed", node.output[0]
    for other in model.graph.node:
        for place, name in enumerate(other.input):
            if name == before:
                other.input[place] = "changed"
    data = model.SerializeToString()
    return [first, clock(lambda: onnxls.analyze(data, path=path))]


def large(path: str) -> list[float]:
    """Seconds of an analysis, and the greatest memory of its process in megabytes."""
    import resource

    import onnxls

    seconds = clock(lambda: onnxls.analyze(path))
    return [seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]


def edits(layers: str) -> list[float]:
    """The 95th percentile of the seconds of an analysis of a text, after edits that change every fact in it. Memory is
    looked through as rarely as in the server."""
    import gc

    import onnxls
    from onnxls_server.session.garbage import THRESHOLDS

    gc.set_threshold(*THRESHOLDS)
    draw = random.Random(0)
    text = encoder(int(layers))
    onnxls.analyze_text(text, "model.onnxtxt")
    taken: list[float] = []
    for turn in range(20):
        size = f"seq{turn}" if turn % 2 else str(draw.randrange(2, 500))
        changed = text.replace("length, 64] h_0", f"{size}, 64] h_0").replace("1, 1, length]", f"1, 1, {size}]")
        taken.append(clock(lambda changed=changed: onnxls.analyze_text(changed, "model.onnxtxt")))
    return [sorted(taken)[-2]]


def environment() -> dict[str, str]:
    """Of processes that keep what they compile."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(*command: str) -> float:
    """Wall seconds of a process, which may keep its modules compiled for the next."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment())
    return time.perf_counter() - start


def computed(*command: str) -> float:
    """CPU seconds of a process, as `run` starts it."""
    before = os.times()
    run(*command)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def first_analyses(folder: Path) -> list[Figure]:
    made: list[Figure] = []
    for width, budget, about in ((16, 6, "below 1 MB"), (64, 3, "1 to 5 MB"), (128, 1, "over 5 MB")):
        path = folder / f"encoder_{width}.onnx"
        write_encoder(path, 12, width)
        own, peer = best("analysis", str(path))
        made.append(Figure(f"first analysis, {about}", own / peer, max(budget, 0.005 / peer), "x onnx"))
    return made


def second_analysis(folder: Path) -> list[Figure]:
    path = folder / "again.onnx"
    write_encoder(path, 24)
    first, second = best("again", str(path))
    return [Figure("second analysis after one node changed", second / first, 1 / 5, "x first")]


def large_model(folder: Path) -> list[Figure]:
    path = folder / "large.onnx"
    write_large(path, 2048)
    if path.stat().st_blocks * 512 > 1 << 20:
        return []
    seconds, peak = best("large", str(path))
    path.unlink()
    return [Figure("2 GB of weights", seconds, 1, "s"), Figure("2 GB of weights, peak", peak, 150, "MB")]


def text_edits(_folder: Path) -> list[Figure]:
    (seconds,) = best("edits", str(2000 // NODES_PER_LAYER + 1))
    return [Figure("edit of a text of 2000 nodes, p95", 1000 * seconds, 150, "ms")]


def cold_check(folder: Path) -> list[Figure]:
    path = folder / "small.onnxtxt"
    path.write_text("g (float[N] x) => (float[N] y) { y = Relu (x) }", encoding="utf-8")
    command = (sys.executable, "-m", "onnxls_server.cli", "check", "--no-cache", str(path))
    own = min(run(*command) for _ in range(2 * TURNS))
    peer = min(run(sys.executable, "-c", "import onnx") for _ in range(2 * TURNS))
    return [Figure("check of a small file, cold", own / peer, 2, "x import onnx")]


def stored_guards(folder: Path) -> list[Figure]:
    """Guards that a model carries, from the start of the interpreter: neither onnx nor numpy is loaded for them."""
    path, written = folder / "plain.onnx", folder / "guarded.onnx"
    write_encoder(path, 2)
    run(sys.executable, "-m", "onnxls_server.cli", "guards", str(path), "--write", "-o", str(written))
    code = f"import onnxls; onnxls.load_guards({str(written)!r}).check({{'batch': 2, 'length': 3}})"
    own = min(computed(sys.executable, "-c", code) for _ in range(2 * TURNS))
    return [Figure("load_guards and a check, cold", 1000 * own, 50, "ms computing")]


def initialize(_folder: Path) -> list[Figure]:
    """A new server until it answers, beside what the library of the protocol takes to load."""
    body = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
    )
    message = b"Content-Length: %d\r\n\r\n" % len(body) + body

    def answered() -> float:
        start = time.perf_counter()
        command = (sys.executable, "-m", "onnxls_server.cli", "server")
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(message)
            server.stdin.flush()
            assert server.stdout.readline()
            taken = time.perf_counter() - start
            server.kill()
        return taken

    own = min(answered() for _ in range(TURNS))
    peer = min(run(sys.executable, "-c", "import pygls.lsp.server") for _ in range(TURNS))
    return [Figure("initialize, cold", own / peer, 2, "x import pygls")]


def editing(_folder: Path) -> list[Figure]:
    """What somebody who types waits for: `benchmarks.editing`."""
    from benchmarks.editing import BUDGETS, is_busy, judged, measure

    found, busy = measure(40), is_busy()
    return [Figure(name, judged(figure, busy), BUDGETS[name], "ms") for name, figure in found.items()]


BENCHMARKS = {
    "first": first_analyses,
    "second": second_analysis,
    "large": large_model,
    "edits": text_edits,
    "cold": cold_check,
    "guards": stored_guards,
    "initialize": initialize,
    "editing": editing,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; all without one")
    names = parser.parse_args().names or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is named {', '.join(unknown)}")
    beyond = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for figure in BENCHMARKS[name](Path(folder)):
                share = figure.value / figure.budget
                beyond += share > 2
                mark = "ok" if share <= 1 else "over" if share <= 2 else "FAIL"
                print(f"{figure.name:42} {figure.value:9.2f} of {figure.budget:7.2f} {figure.unit:14} {mark}")  # noqa: T201
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
