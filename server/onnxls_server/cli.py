"""The command `onnxls`: its options, and which command runs.

Starting is quick: each command, and what it needs, is imported when it is called; the analysis after the options are
known to be good.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from onnxls_server.render import FORMATS

if TYPE_CHECKING:
    from onnxls_server.engine import Engine

_INTERRUPTED = 130
_BROKEN_PIPE = 141
_A_MODEL = "a model in any of its forms, or a source"


def main(argv: Sequence[str] | None = None, *, engine: Engine | None = None) -> int:
    """Runs a command and returns its exit status; `engine` stands in for the analysis."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        status = _run(argv, engine)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    return status


def _run(argv: Sequence[str] | None, engine: Engine | None) -> int:
    try:
        options = _options(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    from onnxls_server.console import FAILED, CommandError, problem
    from onnxls_server.engine import OnnxlsEngine

    try:
        return _dispatch(options, engine or OnnxlsEngine())
    except CommandError as error:
        problem(str(error))
        return FAILED


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and where the rest is to be found."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"onnxls: {message}\n`{self.prog} --help` lists what there is\n")


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = make_parser()
    options, strange = parser.parse_known_args(argv)
    if strange:
        from onnxls_server.config import nearest

        command: argparse.ArgumentParser = options.parser
        known = re.findall(r"--[\w-]+", command.format_help())
        command.error(f"there is no `{strange[0]}`{nearest(strange[0].partition('=')[0], known)}")
    return options


def _dispatch(options: argparse.Namespace, engine: Engine) -> int:
    match options.command:
        case "check":
            from onnxls_server.commands.check import run
        case "infer":
            from onnxls_server.commands.infer import run
        case "guards":
            from onnxls_server.commands.guards import run
        case "run":
            from onnxls_server.commands.run import run
        case "show":
            from onnxls_server.commands.show import run
        case "rule":
            from onnxls_server.commands.rule import run
        case "server":
            from onnxls_server.commands.server import run
        case "clean":
            from onnxls_server.commands.clean import run
        case _:
            from onnxls_server.commands.version import run
    return run(options, engine)


def make_parser() -> argparse.ArgumentParser:
    """The commands and their options; docs/cli.md is made from it."""
    parser = _Parser(
        prog="onnxls",
        description="Finds shape faults in ONNX models and onnxscript sources, and says for which sizes they fail.",
        epilog="Exit status: 0 nothing at warning or above, 1 something, 2 the command could not be carried out.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_check(commands.add_parser("check", help="lint files and folders", allow_abbrev=False))
    _add_infer(commands.add_parser("infer", help="every value with its symbolic shape", allow_abbrev=False))
    _add_guards(commands.add_parser("guards", help="what the operators need of the sizes", allow_abbrev=False))
    _add_run(commands.add_parser("run", help="run a model, and hold what is declared against it", allow_abbrev=False))
    show = commands.add_parser("show", help="a model as annotated text", allow_abbrev=False)
    show.add_argument("model", metavar="MODEL", help=_A_MODEL)
    _add_analysis(show)
    rule = commands.add_parser("rule", help="what a rule means, with an example", allow_abbrev=False)
    rule.add_argument("name", metavar="NAME", nargs="?", help="a rule's name or code; all rules if left out")
    rule.add_argument("--output-format", choices=("text", "json"), default="text", help="a page, or data")
    server = commands.add_parser("server", help="the language server", allow_abbrev=False)
    server.add_argument("--stdio", action="store_true", help="on standard input and output, which is the default")
    server.add_argument("--tcp", metavar="HOST:PORT", help="wait for one client on a socket")
    server.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="warning",
        help="what is written to standard error",
    )
    commands.add_parser("clean", help="remove the results that check has kept", allow_abbrev=False)
    commands.add_parser("version", help="versions of onnxls, Python, onnx, and of the operator set", allow_abbrev=False)
    for command in commands.choices.values():
        command.set_defaults(parser=command)
    return parser


def _add_check(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "paths", metavar="PATH", nargs="*", default=["."], help="files and folders (default: .); - reads standard input"
    )
    output = check.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, default="full", help="how findings are written")
    output.add_argument(
        "-o", "--output-file", metavar="FILE", help="write the report to a file (with --fix MODEL: the model)"
    )
    output.add_argument("--verbose", action="store_true", help="also show information and hints")
    output.add_argument("--statistics", action="store_true", help="how often each rule was found, instead of findings")
    output.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto: on a terminal")
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is found")
    check.add_argument(
        "--confirm",
        action="store_true",
        help="run the sizes that must work and those that must fail, in a process with limits",
    )
    check.add_argument(
        "--trusted",
        action="store_true",
        help="import the Python files that are named, in a process with a time limit, and check the exact models too",
    )
    fixing = check.add_argument_group("fixes")
    fixing.add_argument(
        "--fix", action="store_true", help="fix what can be fixed; of one model, write a copy to -o OUT"
    )
    fixing.add_argument("--diff", action="store_true", help="show what --fix would do, and exit with 1 if anything")
    rules = check.add_argument_group("rules", "names, codes, or the start of codes (OLS1), separated by commas")
    rules.add_argument("--select", metavar="RULES", type=_words, action="extend", help="these rules and no others")
    rules.add_argument("--ignore", metavar="RULES", type=_words, action="extend", default=[], help="not these rules")
    rules.add_argument("--baseline", metavar="FILE", help="findings in this file are accepted")
    rules.add_argument("--write-baseline", action="store_true", help="accept all findings of now into --baseline FILE")
    files = check.add_argument_group("files")
    files.add_argument(
        "--exclude", metavar="GLOB", type=_words, action="extend", default=[], help="not these files and folders"
    )
    files.add_argument("--force-exclude", action="store_true", help="exclude also files that are named")
    files.add_argument("--stdin-filename", metavar="FILE", help="what standard input is: its kind, folder and name")
    files.add_argument(
        "--config", metavar="FILE", help="settings, instead of the nearest onnxls.toml or pyproject.toml"
    )
    files.add_argument("--jobs", metavar="N", type=_positive, help="processes (default: 1, or as many as pay)")
    files.add_argument("--no-cache", action="store_true", help="neither use nor keep results of earlier runs")
    _add_analysis(check)


def _add_infer(infer: argparse.ArgumentParser) -> None:
    infer.add_argument("model", metavar="MODEL", help=_A_MODEL)
    infer.add_argument("-o", "--output-file", metavar="OUT", help="write the model with its shapes")
    infer.add_argument("--output-format", choices=("table", "json"), default="table", help="for people, or data")
    _add_analysis(infer)


def _add_one_run(command: argparse.ArgumentParser, meaning: str) -> None:
    """The sizes of one run: not those that are hinted or assumed in the analysis."""
    command.add_argument(
        "--sizes",
        metavar="N=2",
        nargs="+",
        type=_pairs,
        action="extend",
        default=[],
        help=meaning,
    )


def _add_guards(guards: argparse.ArgumentParser) -> None:
    guards.add_argument("model", metavar="MODEL", help=_A_MODEL)
    _add_one_run(guards, "do the guards hold for these sizes of symbols (N=2) and inputs (x=2,3,4)?")
    guards.add_argument("--check-inputs", metavar="FILE.npz", help="do the guards hold for the arrays of this file?")
    guards.add_argument(
        "--write", action="store_true", help="store the guards in the model, where load_guards finds them"
    )
    guards.add_argument("-o", "--output-file", metavar="OUT", help="with --write: write another model, not this one")
    _add_analysis(guards)


def _add_run(run: argparse.ArgumentParser) -> None:
    run.add_argument("model", metavar="MODEL", help=_A_MODEL)
    run.add_argument("--inputs", metavar="FILE.npz", help="the arrays of this file are the inputs")
    _add_one_run(run, "the inputs are made up, with these sizes of symbols (N=2) and shapes (x=2,3,4)")
    _add_analysis(run)


def _add_analysis(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--deep", action="store_true", help="put what is left open to z3: more is proved, more examples are found"
    )
    sizes = parser.add_argument_group("sizes")
    sizes.add_argument(
        "--hint",
        metavar="N=2",
        type=_pairs,
        action="append",
        default=[],
        help="the size of a symbol (N=2) or the shape of an input (x=2,3,4) in one intended run",
    )
    sizes.add_argument(
        "--assume", metavar="CONDITION", action="append", default=[], help='what callers promise: "N %% 8 == 0"'
    )


def _pairs(text: str) -> dict[str, int | tuple[int, ...]]:
    from onnxls_server.sizes import parse_pairs

    try:
        return parse_pairs(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"`{text}` is not a positive number")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
