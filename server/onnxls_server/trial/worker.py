"""The process that executes models: reads requests from standard input, answers on standard output, until either ends.

Started with `python -P -m onnxls_server.trial.worker BYTES`, the most memory that it may take. Whatever libraries
print goes to standard error.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from onnxls_server.trial.messages import Opening, Reply, Request, reply
from onnxls_server.trial.sources import function_at, model_text
from onnxls_server.trial.subject import Subject, Unloadable

if TYPE_CHECKING:
    from onnx import ModelProto

    from onnxls.facts import Fact
    from onnxls.units import Unit
    from onnxls_server.trial.runtimes import Run

_LONGEST = 400
_EQUAL = (2, 3, 1, 4, 8, 16, 64, 224)
"""Sizes for all symbols, where none are given and the guards suggest none."""


def main() -> None:
    """Serves until standard input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _limit(int(sys.argv[1]))
    bench: _Bench | str = "no model was opened"
    for line in sys.stdin:
        asked = json.loads(line)
        if "open" in asked:
            bench = _open(cast("Opening", asked["open"]))
            continue
        answer = reply("unsupported", bench) if isinstance(bench, str) else _answer(bench, cast("Request", asked))
        answer["message"] = _brief(answer["message"])
        _say(replies, answer)


def _open(opening: Opening) -> _Bench | str:
    """The model, or why there is none."""
    try:
        return _Bench(opening)
    except Exception as error:
        return str(error) if isinstance(error, Unloadable) else f"{type(error).__name__}: {error}"


def _limit(memory: int) -> None:
    """Bounds the memory of this process, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _say(replies: TextIO, answer: Reply) -> None:
    replies.write(json.dumps(answer) + "\n")
    replies.flush()


_SAID = re.compile(
    r".*Status Message: (?:\S+\.(?:cc|h):\d+ )?(?:[^()]*\bonnxruntime::.*?\)(?: const)?(?: \[with [^]]*\])? )?",
    re.DOTALL,
)


def _brief(message: str) -> str:
    """What a runtime says, without how it came to say it."""
    text = " ".join(_SAID.sub("", message).split())
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
        from onnxls.units import bind

        hints = {name: size if isinstance(size, int) else tuple(size) for name, size in opening["hints"].items()}
        if opening["text"] is None:
            report = analyze(opening["path"], hints=hints, assume=opening["assume"])
        else:
            report = analyze_text(opening["text"], opening["path"], hints=hints, assume=opening["assume"])
        if not report.units:
            raise Unloadable("there is no graph")
        if opening["path"].endswith(".py"):
            self.unit: Unit = function_at(report.units, opening["line"])
            self.subject = Subject("function.onnxtxt", model_text(self.unit))
        else:
            self.unit = report.units[0]
            self.subject = Subject(opening["path"], opening["text"])
        shapes = {name: fact.shape for name, fact in self.unit.declared.items()}
        self.hinted = bind(hints, shapes)[0]
        self.facts: dict[str, Fact] = {name: self.unit.declared[name] for name in self.subject.inputs()}

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
            yield {**found, **self.hinted}
        for size in _EQUAL:
            yield {**dict.fromkeys(self.unit.symbols, size), **self.hinted}

    def at(self, sizes: Mapping[str, int], request: Request) -> Reply:
        """One run."""
        from onnxls_server.trial import feeds

        if request["inputs"] is not None:
            given = feeds.from_file(request["inputs"], self.subject.inputs())
        else:
            given = feeds.made_up(self.facts, sizes, request["fill"])
        names = self.subject.produced() if request["fetch"] else []
        ended, judge = self.judged(request, self.model(request, names), given)
        answer = reply("ran", ended.message, judge)
        if ended.outputs is None:
            answer["where"] = self.subject.place(ended.message)
            refused = ended.about == "node"
            if ended.about == "unclear" and self.only_at(request, given):
                answer["where"], refused = request["until"], True
            answer["ending"] = "failed" if refused else "unsupported"
        answer["sizes"] = dict(sizes)
        if request["fetch"]:
            values: dict[str, Any] = {**given, **dict(zip(names, ended.outputs or (), strict=False))}
            answer["shapes"] = {name: list(value.shape) for name, value in values.items() if hasattr(value, "shape")}
        return answer

    def only_at(self, request: Request, given: Mapping[str, Any]) -> bool:
        """Whether a model that is not even loaded is, without the node that the request is about."""
        before = None if request["until"] is None else self.subject.before(request["until"])
        return before is not None and self.judged(request, before, given)[0].outputs is not None

    def model(self, request: Request, names: Sequence[str]) -> ModelProto:
        """What of the model is run."""
        if request["annotations"] is not None:
            return self.subject.annotated(request["annotations"])
        if request["judge"] == "checker":
            return self.subject.model
        if names:
            return self.subject.with_outputs(names)
        return self.subject.whole() if request["until"] is None else self.subject.until(request["until"])

    def judged(self, request: Request, model: ModelProto, given: Mapping[str, Any]) -> tuple[Run, str]:
        """How a run ends, and who says so."""
        from onnxls_server.trial import runtimes

        if request["judge"] == "checker":
            return runtimes.check(model), f"onnx {_onnx_version()} checker"
        version = runtimes.onnxruntime_version() if request["judge"] == "onnxruntime" else None
        if version is not None:
            return runtimes.run_onnxruntime(model, given), f"onnxruntime {version}"
        checked = request["annotations"] is not None
        return runtimes.run_reference(model, given, annotations=checked), f"onnx {_onnx_version()} reference"


def _onnx_version() -> str:
    import onnx

    return onnx.__version__


if __name__ == "__main__":
    main()
