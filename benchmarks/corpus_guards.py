"""Guards of real models against runs: true where a model ran, and where one is broken the model fails.

corpus_guards.py MODELS TRUTH

MODELS has a model at ID.onnx for each TRUTH/ID.json (`/` in the id written `__`), whose `inputs` are the shapes of one
run that went well. Exit status 1 where a guard is false in such a run, or lists are too long to read. Printed: for each
model the number of guards, and how a run ends at sizes that break one of its assert guards and none before it; such
sizes are found by the engine, each run is one of the whole model in a process with limits.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from statistics import median

import onnxls
from onnxls.relations import Guard
from onnxls.units import Unit
from onnxls_server.trial.client import Trial
from onnxls_server.trial.messages import Opening, Reply

MOST_LINES = 8
FILLS = (1, 0, 2)


def main() -> int:
    """Compares all models."""
    models, truth = Path(sys.argv[1]), Path(sys.argv[2])
    lengths: list[int] = []
    false: list[str] = []
    endings: Counter[str] = Counter()
    with Trial() as trial:
        for each in sorted(truth.glob("*.json")):
            path = models / f"{each.stem.replace('__', '/')}.onnx"
            ran = json.loads(each.read_text(encoding="utf-8"))
            unit = onnxls.analyze(path).units[0]
            lengths.append(len(unit.guards))
            sizes = unit.bind({name: tuple(shape) for name, shape in ran["inputs"].items()})[0]
            false += [f"{each.stem}: {guard}" for guard in unit.guards if not guard.evaluate(sizes)]
            told = f"{len(unit.guards)} guards"
            found = breaking(unit)
            if found is not None:
                guard, at = found
                ended = tried(trial, path, at)
                ending = end(ended, guard)
                endings[ending] += 1
                told += f"; {guard} is broken by {at}: {ending}: {ended['message'][:80]}"
            sys.stdout.write(f"{each.stem}: {told}\n")
    for text in false:
        sys.stdout.write(f"FALSE where the model ran: {text}\n")
    ended_so = ", ".join(f"{count} {ending}" for ending, count in endings.most_common())
    sys.stdout.write(
        f"{len(lengths)} models: {len(false)} guards false where the model ran; median {median(lengths):g} guards, "
        f"at most {max(lengths)}; sizes that break a guard for {endings.total()} models: {ended_so}\n"
    )
    return 1 if false or median(lengths) > MOST_LINES else 0


def breaking(unit: Unit) -> tuple[Guard, dict[str, int]] | None:
    """An assert guard, and sizes that break it and none before it; sizes of at least 1 where there are such."""
    for floor in (1, 0):
        for index, guard in enumerate(unit.guards):
            if guard.kind == "assert":
                earlier = [each.condition for each in unit.guards[:index]]
                found = unit.sizes_with([*earlier, guard.condition.negation()], floor)
                if found is not None:
                    return guard, found
    return None


def tried(trial: Trial, path: Path, sizes: dict[str, int]) -> Reply:
    """How a run of the whole model ends, whatever integers its inputs hold."""
    trial.open(Opening(path=str(path), text=None, line=None, hints={}, assume=[]))
    ends = [trial.run(sizes, fill=fill) for fill in FILLS]
    return next((each for each in ends if each["ending"] == "ran"), ends[0])


def end(ended: Reply, guard: Guard) -> str:
    """How a run ended; a node is that of the guard, or another."""
    if ended["ending"] != "failed":
        return ended["ending"]
    path = guard.location.graph_path if guard.location is not None else None
    return "refused at that node" if ended["where"] == path else "refused elsewhere"


if __name__ == "__main__":
    sys.exit(main())
