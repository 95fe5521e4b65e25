"""Writes docs/rules: a page for each rule, and README.md with a table of them, from the rules' own documentation.

python tools/make_rule_pages.py            write the pages, remove those of rules that are gone
python tools/make_rule_pages.py --check    exit with 1 if they are not what the rules say
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from onnxls_server.engine import OnnxlsEngine
from onnxls_server.rule_page import index, page

FOLDER = Path(__file__).parents[1] / "docs" / "rules"


def main() -> int:
    """Writes or checks the pages."""
    parser = argparse.ArgumentParser(description="Make the pages of the rules.")
    parser.add_argument("--check", action="store_true", help="only say whether the pages are up to date")
    check = parser.parse_args().check
    wanted = pages()
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    stale = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if check:
        if stale:
            sys.stderr.write(f"docs/rules is stale: run tools/make_rule_pages.py ({', '.join(stale)})\n")
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (FOLDER / name).unlink()
    return 0


def pages() -> dict[str, str]:
    """The text of each file."""
    rules = OnnxlsEngine().rules()
    return {"README.md": index(rules), **{f"{rule.name}.md": page(rule) for rule in rules}}


if __name__ == "__main__":
    sys.exit(main())
