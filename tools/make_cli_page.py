"""Writes docs/cli.md: every command with its options, from the parser of the command line itself.

python tools/make_cli_page.py            write the page
python tools/make_cli_page.py --check    exit with 1 if it is not what the parser says
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from onnxls_server.cli import make_parser

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"

OUTRO = """\
## Exit status

| status | means |
|---|---|
| 0 | nothing at warning or above was found (or `--exit-zero` was given) |
| 1 | something was found; for `guards --sizes`: the sizes do not run |
| 2 | the command could not be carried out: a bad option, a path that does not exist, a file of no known kind |

## Environment

| variable | means |
|---|---|
| `NO_COLOR` | if it is set, no colour |
| `ONNXLS_CACHE_DIR` | the folder in which `check` keeps its results, instead of the platform's |
"""


def main() -> int:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser(description="Make the page of the command line.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    text = page(make_parser())
    if not parser.parse_args().check:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.stderr.write("docs/cli.md is stale: run tools/make_cli_page.py\n")
        return 1
    return 0


def page(parser: argparse.ArgumentParser) -> str:
    """The page in Markdown."""
    lines = ["# Command line", "", parser.description or "", ""]
    (commands,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    about = {each.dest: each.help or "" for each in commands._choices_actions}
    for name, command in commands.choices.items():
        lines += [f"## {parser.prog} {name}", "", f"{about[name][0].upper()}{about[name][1:]}.", ""]
        lines += _tables(command)
    return "\n".join([*lines, OUTRO])


def _tables(command: argparse.ArgumentParser) -> Iterator[str]:
    """What a command is given, then each group of options."""
    plain, *groups = command._action_groups[1:]
    rows = [_row(each) for each in (*command._positionals._group_actions, *plain._group_actions) if each.dest != "help"]
    if rows:
        yield from ("| | |", "|---|---|", *rows, "")
    for group in groups:
        title = f"{group.title}".capitalize()
        yield from (f"{title}: {group.description}." if group.description else f"{title}:", "")
        yield from ("| | |", "|---|---|", *(_row(each) for each in group._group_actions), "")


def _row(action: argparse.Action) -> str:
    wanted = str(action.metavar or "")
    if action.choices is not None:
        wanted = "|".join(str(each) for each in action.choices)
    wanted = {"*": f"[{wanted}...]", "+": f"{wanted}...", "?": f"[{wanted}]"}.get(str(action.nargs), wanted)
    names = [f"{name} {wanted}".strip() for name in action.option_strings] or [wanted]
    about = (action.help or "").replace("%%", "%")
    if action.option_strings and action.choices is not None:
        about = f"{about} (default: `{action.default}`)"
    return f"| {', '.join(f'`{_escape(name)}`' for name in names)} | {_escape(about)} |"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
