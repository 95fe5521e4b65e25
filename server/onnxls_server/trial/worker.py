"""The process that executes models: reads requests from standard input, answers on standard output, until either ends.

Started with `python -P -m onnxls_server.trial.worker BYTES`, the most memory that it may take. Whatever libraries print goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from onnxls_server.trial.messages import Opening, Reply, Request, reply
from onnxls_server.trial.subject import Subject, Unloadable

if TYPE_CHECKING:
    from onnxls.facts import Fact
    from onnxls.units import Unit

_LONGEST = 400
_EQUAL = (2, 3, 1, 4, 8, 16, 64, 224)
"""Sizes for all symbols, where none are given and the guards suggest none."""


def main() -> None:
    """Serves until standard input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _limit(int(sys.argv[1]))
    opening = cast("Opening", json.loads(sys.stdin.readline()))
    try:
        bench: _Bench | str = _Bench(opening)
    except Exception as error:
        bench = str(error) if isinstance(error, Unloadable) else f"{type(error).__name__}: {error}"
    for line in sys.stdin:
        request = cast("Request", json.loads(line))
        answer = reply("unsupported", bench) if isinstance(bench, str) else _answer(bench, request)
        answer["message"] = _brief(answer["message"])
        _say(replies, answer)


def _limit(memory: int) -> None:
    """Bounds the memory of this process, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _say(replies: TextIO, answer: Reply) -> None:
    replies.write(json.dumps(answer) + "\n")
    replies.flush()


def _brief(message: str) -> str:
    text = " ".join(message.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _answer(bench: _Bench, request: Request) -> Reply:
    try:
        return bench.run(request)
    except Unloadable as error:
        return reply("unsupported", str(error))
    except MemoryError:
        return reply("unsupported", "the run needs more memory than it may take")
    except Exception as error:
        return reply("unsupported", f"{type(error).__name__}: {error}")


class _Bench:
    """A model, and what the analysis says of its inputs and of sizes at which it runs."""

    def __init__(self, opening: Opening) -> None:
        from onnxls import analyze, analyze_text

        self.subject = Subject(opening["path"], opening["text"])
        hints = {name: size if isinstance(size, int) else tuple(size) for name, size in opening["hints"].items()}
        if opening["text"] is None:
            report = analyze(opening["path"], hints=hints, assume=opening["assume"])
        else:
            report = analyze_text(opening["text"], opening["path"], hints=hints, assume=opening["assume"])
        if not report.units:
            raise Unloadable("there is no graph")
        self.unit: Unit = report.units[0]
        self.facts: dict[str, Fact] = {name: self.unit.values[name] for name in self.subject.inputs()}

    def run(self, request: Request) -> Reply:
        ended = reply("unsupported", "no sizes are known that reach it")
        for sizes in self.sizes(request):
            ended = self.at(sizes, request)
            if ended["ending"] == "ran" or request["until"] is None or ended["where"] in (None, request["until"]):
                break
        return ended

    def sizes(self, request: Request) -> Iterator[Mapping[str, int]]:
        """The sizes to try, one after the other."""
        if request["sizes"] is not None or request["inputs"] is not None:
            yield request["sizes"] or {}
            return
        found = self.unit.example()
        if found is not None:
            yield found
        for size in _EQUAL:
            yield dict.fromkeys(self.unit.symbols, size)

    def at(self, sizes: Mapping[str, int], request: Request) -> Reply:
        from onnxls_server.trial import feeds, runtimes

        if request["inputs"] is not None:
            given = feeds.from_file(request["inputs"], self.subject.inputs())
        else:
            given = feeds.made_up(self.facts, sizes, request["fill"])
        names = self.subject.produced() if request["fetch"] else []
        version = runtimes.onnxruntime_version() if request["runtime"] == "onnxruntime" else None
        if request["annotations"] is not None:
            ended = runtimes.run_reference(self.subject.annotated(request["annotations"]), given, annotations=True)
        else:
            until = request["until"]
            model = (
                self.subject.with_outputs(names)
                if request["fetch"]
                else self.subject.whole()
                if until is None
                else self.subject.until(until)
            )
            if version is not None:
                ended = runtimes.run_onnxruntime(model, given)
            else:
                ended = runtimes.run_reference(model, given, annotations=False)
        answer = reply("ran", ended.message, f"onnxruntime {version}" if version else _reference())
        if ended.outputs is None:
            answer["ending"] = "failed" if ended.tried else "unsupported"
            answer["where"] = self.subject.place(ended.message)
        answer["sizes"] = dict(sizes)
        values: dict[str, Any] = {**given, **dict(zip(names, ended.outputs or (), strict=False))}
        if request["fetch"]:
            answer["shapes"] = {name: list(value.shape) for name, value in values.items() if hasattr(value, "shape")}
        return answer


def _reference() -> str:
    import onnx

    return f"onnx {onnx.__version__} reference"


if __name__ == "__main__":
    main()
