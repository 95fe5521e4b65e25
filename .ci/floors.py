"""The scores that must be reached, in floors.json: each may rise from commit to commit and never fall. 0 is off.

floors.py get NAME              print a floor
floors.py reached NAME SCORE    exit with 1 where a score is below its floor
floors.py check                 exit with 1 where a floor is lower than in a commit before
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FLOORS = Path(__file__).with_suffix(".json")


def main() -> int:
    """Runs one of the three commands."""
    floors: dict[str, float] = json.loads(FLOORS.read_text(encoding="utf-8"))
    match sys.argv[1:]:
        case ["get", name]:
            sys.stdout.write(f"{floors[name]}\n")
            return 0
        case ["reached", name, score]:
            return reached(name, float(score), floors[name])
        case ["check"]:
            return check(floors)
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2


def reached(name: str, score: float, floor: float) -> int:
    """Compares a score with its floor; a better one is a wish to raise the floor."""
    if score < floor:
        sys.stdout.write(f"{name}: {score:g} is below the floor of {floor:g}\n")
        return 1
    if score > floor:
        sys.stdout.write(f"{name}: {score:g}, above the floor of {floor:g}: raise it in {FLOORS.name}\n")
    return 0


def check(floors: dict[str, float]) -> int:
    """Compares the floors with those of every commit that changed them."""
    path = f".ci/{FLOORS.name}"
    commits = git("log", "--format=%H", "--", path).split()
    status = 0
    for commit in commits:
        for name, before in json.loads(git("show", f"{commit}:{path}")).items():
            if floors.get(name, 0) < before:
                sys.stdout.write(f"{name}: {floors.get(name, 0):g} is lower than {before:g} in {commit[:12]}\n")
                status = 1
    return status


def git(*arguments: str) -> str:
    """The output of git in this repository."""
    command = ["git", "-C", str(FLOORS.parents[1]), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
