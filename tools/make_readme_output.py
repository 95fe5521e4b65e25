"""Writes the output that README.md shows: one finding of `onnxls check examples`, as it is printed now.

python tools/make_readme_output.py            write it
python tools/make_readme_output.py --check    exit with 1 if README.md shows something else
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SHOWN = "broadcast-mismatch"
"""The rule whose first finding is shown."""

_BLOCK = re.compile(r"(?<=```text\n).*?(?=```)", re.DOTALL)


def main() -> int:
    """Writes or checks the block."""
    parser = argparse.ArgumentParser(description="Make the output in the README.")
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    check = parser.parse_args().check
    text = README.read_text(encoding="utf-8")
    wanted = _BLOCK.sub(lambda _: finding(), text, count=1)
    if not check:
        README.write_text(wanted, encoding="utf-8", newline="\n")
    elif text != wanted:
        sys.stderr.write("the output in README.md is stale: run tools/make_readme_output.py\n")
        return 1
    return 0


def finding() -> str:
    """The lines of the finding."""
    done = subprocess.run(
        [sys.executable, "-m", "onnxls_server.cli", "check", "--no-cache", "examples"],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return next(block for block in done.stdout.split("\n\n") if f"[{SHOWN}]" in block.split("\n", 1)[0]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
