"""Guards of real models against runs: true where a model ran, and where one is broken the model fails.

corpus_guards.py MODELS TRUTH

MODELS has a model at ID.onnx for each TRUTH/ID.json (`/` in the id written `__`), whose `inputs` are the shapes of one
run that went well. Exit status 1 where a guard is false in such a run, or lists are too long to read. Printed: for each
model the number of guards; for how many models sizes that break an assert guard were found, and how many of those
onnxruntime refuses.
"""

from __future__ import annotations

import json
import sys
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
    broken = refused = 0
    with Trial() as trial:
        for each in sorted(truth.glob("*.json")):
            path = models / f"{each.stem.replace('__', '/')}.onnx"
            ran = json.loads(each.read_text(encoding="utf-8"))
            if "bind" not in ran or not path.exists():
                continue
            unit = onnxls.analyze(path).units[0]
            lengths.append(len(unit.guards))
            sizes = bound(unit, ran)
            failed = [
                str(guard) for guard in unit.guards if guard.symbols() <= sizes.keys() and not guard.evaluate(sizes)
            ]
            false += [f"{each.stem}: {text}" for text in failed]
            told = f"{len(unit.guards)} guards"
            found = breaking(unit)
            if found is not None:
                guard, at = found
                ended = tried(trial, path, at)
                broken += 1
                refused += ended["ending"] in ("failed", "crashed")
                told += f"; {guard} broken by {at}: {ended['ending']} {ended['message'][:80]}"
            sys.stdout.write(f"{each.stem}: {told}\n")
    for text in false:
        sys.stdout.write(f"FALSE where the model ran: {text}\n")
    sys.stdout.write(
        f"{len(lengths)} models, median {median(lengths):g} guards; sizes that break a guard for {broken}, "
        f"of which onnxruntime refuses {refused}\n"
    )
    return 1 if false or median(lengths) > MOST_LINES else 0


def bound(unit: Unit, ran: dict[str, dict[str, list[int]]]) -> dict[str, int]:
    """The sizes of the symbols in a run, from the shapes of its inputs."""
    return unit.bind({name: tuple(shape) for name, shape in ran["inputs"].items()})[0]


def breaking(unit: Unit) -> tuple[Guard, dict[str, int]] | None:
    """An assert guard, and sizes that break it and none before it; sizes of at least 1 where there are such."""
    for floor in (1, 0):
        for index, guard in enumerate(unit.guards):
            if guard.kind != "assert" or not guard.symbols():
                continue
            earlier = [each.condition for each in unit.guards[:index] if each.kind == "assert"]
            found = unit.sizes_with([*earlier, guard.condition.negation()], floor)
            if found is not None:
                return guard, found
    return None


def tried(trial: Trial, path: Path, sizes: dict[str, int]) -> Reply:
    """How a run of the whole model ends, whatever integers its inputs hold."""
    trial.open(Opening(path=str(path), text=None, hints={}, assume=[]))
    ends = [trial.run(sizes, fill=fill) for fill in FILLS]
    return next((each for each in ends if each["ending"] == "ran"), ends[0])


if __name__ == "__main__":
    sys.exit(main())
