"""Drives one server with random edits of sources and rewrites of models, and compares it with analyses from scratch.

    python tests/server/driving.py --edits 5000 --rewrites 200 [--sources FOLDER ...] [--seed N]

Asked are: no crash; never the findings of an old version after those of a newer one; at each comparison the findings
of an analysis from scratch; at the end what `onnxls check` finds; and memory that does not grow once all is warm.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from onnx import ModelProto, TensorProto, helper
from wire import Message, Wire

from onnxls.assembly import Request
from onnxls.diagnostics import Diagnostic
from onnxls.listing import listing
from onnxls.spans import LineIndex, Span
from onnxls.workspace import Workspace
from onnxls_server.session.positions import position_of

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "examples", ROOT / "tests" / "data" / "script")
MODELS = (ROOT / "examples",)
COMPARE_EVERY = 20
MAX_SOURCE = 120_000
GROWTH = 1.15
"""Memory at the end over memory when warm, with `SLACK` bytes on top."""
SLACK = 24 << 20

Finding = tuple[str, int, int, str]
"""Code, line, UTF-16 character, message."""

_WORD = re.compile(r'"\w+"|\b\d+\b|\bop\.\w+|\b[a-z]\w*\b')


@dataclass
class Tally:
    """What happened."""

    edits: int = 0
    rewrites: int = 0
    comparisons: int = 0
    with_findings: int = 0
    published: int = 0
    warm: int = 0
    memory: int = 0
    problems: list[str] = field(default_factory=list[str])
    seconds: float = 0.0


class Driver(Wire):
    """A client that keeps what was published last, and objects to versions that go back."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.tally = Tally()
        self.versions: dict[str, int] = {}
        self.pages: dict[str, tuple[int | None, list[Message]]] = {}
        self.initialize({"workspace": {}}, [folder.as_uri()])

    def note(self, message: Message) -> None:
        """Takes a message."""
        if message.get("method") != "textDocument/publishDiagnostics":
            return
        params = message["params"]
        uri, version = str(params["uri"]), params.get("version")
        before = self.pages.get(uri)
        if before is not None and None not in (version, before[0]) and version < (before[0] or 0):
            self.tally.problems.append(f"{uri}: findings of version {version} after those of {before[0]}")
        if version is not None and version > self.versions.get(uri, 0):
            self.tally.problems.append(f"{uri}: findings of version {version}, which was never sent")
        self.pages[uri] = version, params["diagnostics"]
        self.tally.published += 1

    def take(self, until: Callable[[], bool], timeout: float = 120.0) -> None:
        """Takes messages until a condition is met."""

        self.passed.clear()
        if not until():
            self.wait(lambda message: until(), timeout)

    def drain(self) -> None:
        """Takes what has come."""
        while not self.messages.empty():
            message = self.messages.get()
            assert isinstance(message, dict), f"the server has ended: {b''.join(self.errors)[-2000:]!r}"
            self.note(message)

    def send_version(self, uri: str, version: int, *changes: object) -> None:
        """Edits a document."""
        self.versions[uri] = version
        self.change(uri, version, *changes)

    def resident(self) -> int:
        """The server's memory in bytes, without what is shared."""
        try:
            fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        except OSError:
            return 0
        return (int(fields[1]) - int(fields[2])) * 4096


@dataclass
class Source:
    """A source as the editor has it."""

    path: Path
    original: str
    text: str
    version: int = 1

    @property
    def uri(self) -> str:
        return self.path.as_uri()


# ---------------------------------------------------------------- edits


def edited(text: str, draw: random.Random) -> tuple[int, int, str]:
    """A range of a text and what shall stand there."""
    match draw.randrange(7):
        case 0 | 1 | 2 if words := list(_WORD.finditer(text)):
            word, other = draw.choice(words), draw.choice(words)
            return word.start(), word.end(), _similar(word[0], other[0], draw)
        case 3:
            at = draw.randrange(len(text) + 1)
            return at, at, draw.choice(["\n", " ", "x", "(", ")", '"', "\\", "#", "\x0c", "é", "\U0001f600", "    "])
        case 4:
            at = draw.randrange(len(text) + 1)
            return at, min(len(text), at + draw.randrange(1, 12)), ""
        case 5:
            start, end = _line(text, draw)
            return start, end, text[start:end] * 2
        case _:
            start, end = _line(text, draw)
            return start, end, ""


def _similar(word: str, other: str, draw: random.Random) -> str:
    if word.isdigit():
        return str(max(0, int(word[:9]) + draw.choice([-1, 1, 2])))
    return other if word[0] == other[0] or draw.random() < 0.3 else word


def _line(text: str, draw: random.Random) -> tuple[int, int]:
    at = draw.randrange(len(text) + 1)
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return start, len(text) if end < 0 else end + 1


def change(text: str, start: int, end: int, new: str) -> Message:
    """An edit as the protocol has it."""
    lines = LineIndex(text)
    first, last = position_of(lines, start, "utf-16"), position_of(lines, end, "utf-16")
    return {
        "range": {
            "start": {"line": first.line, "character": first.character},
            "end": {"line": last.line, "character": last.character},
        },
        "text": new,
    }


def on_character(text: str, start: int, end: int) -> tuple[int, int]:
    """A range that does not cut a line end in two."""
    while start > 0 and text[start - 1 : start + 1] == "\r\n":
        start -= 1
    while text[end - 1 : end + 1] == "\r\n":
        end += 1
    return start, end


# ---------------------------------------------------------------- what is right


def shown(found: Diagnostic, lines: LineIndex, span: Span | None) -> Finding:
    """A finding as the server shows it."""
    message = found.message
    path = found.location.graph_path
    if span is None and path is not None and path != "graph":
        message += f"\n({path})"
    at = position_of(lines, span.start, "utf-16") if span is not None else (0, 0)
    return found.code, at[0], at[1], message


def findings_of_source(source: Source, root: Path) -> set[Finding]:
    """The findings of an analysis from scratch."""
    workspace = Workspace((str(root), str(root / "src")))
    report = workspace.analyze_text(source.text, str(source.path), Request())
    lines = LineIndex(source.text)
    return {shown(each, lines, _span(each, lines)) for each in report.found}


def _span(found: Diagnostic, lines: LineIndex) -> Span | None:
    at = found.location
    if at.line is None:
        return None
    return Span(lines.bounds(at.line)[0] + (at.column or 1) - 1, 0)


def findings_of_model(path: Path) -> tuple[set[Finding], set[Finding], str]:
    """The findings on the file while its text is not open, those in its text, and the text."""
    report = Workspace().analyze(path, Request())
    nothing = LineIndex("")
    on_file = {shown(each, nothing, None) for each in report.found}
    if not report.units:
        return on_file, set(), ""
    text = listing(report.units[0])
    lines = LineIndex(text.text)
    inside = {
        shown(each, lines, span)
        for each in report.found
        if each.location.graph_path is not None and (span := text.find(each.location.graph_path)) is not None
    }
    return on_file, inside, text.text


def received(page: list[Message]) -> set[Finding]:
    """The findings of a page."""
    return {
        (each["code"], each["range"]["start"]["line"], each["range"]["start"]["character"], each["message"])
        for each in page
    }


# ---------------------------------------------------------------- models


def variants(model: ModelProto, draw: random.Random) -> Iterator[bytes]:
    """Models like a given one, right and wrong, and files that are none."""
    while True:
        changed = ModelProto()
        changed.CopyFrom(model)
        graph = changed.graph
        match draw.randrange(6):
            case 0:
                dims = [dim for value in graph.input for dim in value.type.tensor_type.shape.dim]
                dim = draw.choice(dims)
                dim.dim_value = draw.randrange(1, 9)
            case 1:
                del graph.node[draw.randrange(len(graph.node))]
            case 2:
                node = draw.choice(graph.node)
                node.op_type = draw.choice(["Relu", "MatMul", "Add", "Nonsense", node.op_type])
            case 3:
                data = changed.SerializeToString()
                yield data[: draw.randrange(len(data))]
                continue
            case 4:
                value = helper.make_tensor_value_info(f"more{draw.randrange(99)}", TensorProto.FLOAT, ["Q", 3])
                graph.input.append(value)
            case _:
                pass
        yield changed.SerializeToString()


# ---------------------------------------------------------------- the drive


def sources_in(folders: tuple[Path, ...], target: Path) -> list[Source]:
    """Copies of the sources that speak of onnxscript, with a few faults put in."""
    found: list[Source] = []
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if "onnxscript" in text and len(text) <= MAX_SOURCE:
                copy = target / f"s{len(found)}_{path.name}"
                copy.write_text(text, encoding="utf-8", newline="")
                found.append(Source(copy, text, text))
    return found


def drive(
    edits: int,
    rewrites: int,
    seed: int,
    sources: tuple[Path, ...] = SOURCES,
    models: tuple[Path, ...] = MODELS,
    say: Callable[[str], None] = lambda text: None,
) -> Tally:
    """One drive; what went wrong is in `problems`."""
    draw = random.Random(seed)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        written = sources_in(sources, folder)
        originals = [
            ModelProto.FromString(path.read_bytes()) for each in models for path in sorted(each.glob("*.onnx"))
        ]
        with Driver(folder) as driver:
            tally = driver.tally
            for source in written:
                driver.versions[source.uri] = 1
                driver.open(source.uri, source.text)
            _rewrite(driver, originals, rewrites // 2, draw, say)
            for number in range(edits):
                _edit(driver, draw.choice(written), draw)
                if number % COMPARE_EVERY == COMPARE_EVERY - 1:
                    _compare(driver, written, draw)
                if number % 100 == 99:
                    tally.memory = driver.resident()
                    say(f"{number + 1} edits, {tally.memory >> 20} MB, {len(tally.problems)} problems")
                if number == edits // 3:
                    tally.warm = driver.resident()
            _rewrite(driver, originals, rewrites - rewrites // 2, draw, say)
            for source in written:
                _compare_one(driver, source, final=True)
            tally.memory = driver.resident()
            _compare_with_check(driver, written)
            assert driver.result("shutdown") is None
            driver.notify("exit")
            if driver.process.wait(30) != 0:
                tally.problems.append(f"the server ended with {driver.process.returncode}")
            if b"Traceback" in b"".join(driver.errors):
                tally.problems.append(b"".join(driver.errors)[-3000:].decode(errors="replace"))
    if tally.memory > tally.warm * GROWTH + SLACK:
        tally.problems.append(f"memory has grown from {tally.warm >> 20} to {tally.memory >> 20} MB")
    if tally.with_findings * 2 < tally.comparisons:
        tally.problems.append(f"only {tally.with_findings} of {tally.comparisons} comparisons had any findings")
    tally.seconds = time.monotonic() - started
    return tally


def _edit(driver: Driver, source: Source, draw: random.Random) -> None:
    """One or a few edits in one message; now and then the original comes back."""
    source.version += 1
    driver.tally.edits += 1
    if draw.random() < 0.08:
        source.text = source.original
        driver.send_version(source.uri, source.version, source.text)
        return
    changes: list[Message] = []
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        start, end, new = edited(source.text, draw)
        start, end = on_character(source.text, start, end)
        changes.append(change(source.text, start, end, new))
        source.text = source.text[:start] + new + source.text[end:]
    driver.send_version(source.uri, source.version, *changes)
    if draw.random() < 0.3:
        place = {"line": draw.randrange(200), "character": draw.randrange(80)}
        method = draw.choice(["hover", "completion", "definition", "signatureHelp", "documentHighlight"])
        params: Message = {"textDocument": {"uri": source.uri}, "position": place}
        driver.ask(f"textDocument/{method}", params)
    if draw.random() < 0.5:
        time.sleep(draw.random() * 0.05)
    driver.drain()


def _compare(driver: Driver, sources: list[Source], draw: random.Random) -> None:
    _compare_one(driver, draw.choice(sources))


def _compare_one(driver: Driver, source: Source, final: bool = False) -> None:
    tally = driver.tally
    try:
        driver.take(lambda: driver.pages.get(source.uri, (None, []))[0] == source.version)
    except TimeoutError:
        tally.problems.append(f"{source.uri}: nothing was published for version {source.version}")
        return
    got, wanted = received(driver.pages[source.uri][1]), findings_of_source(source, driver.folder)
    tally.comparisons += not final
    tally.with_findings += bool(wanted) and not final
    if got != wanted:
        differ = f"too many {sorted(got - wanted)[:3]}, missing {sorted(wanted - got)[:3]}"
        tally.problems.append(f"{source.uri} in version {source.version}: {differ}")
        (Path(tempfile.gettempdir()) / f"onnxls-differs-{len(tally.problems)}.py").write_text(source.text)


def _compare_with_check(driver: Driver, sources: list[Source]) -> None:
    """What the command line finds in the final state, in a process of its own."""
    for source in sources:
        source.path.write_text(source.text, encoding="utf-8", newline="", errors="surrogatepass")
    command = [sys.executable, "-m", "onnxls_server.cli", "check", "--no-cache", "--output-format", "json"]
    done = subprocess.run([*command, *(str(each.path) for each in sources)], capture_output=True, check=False)
    table: dict[str, set[tuple[str, str]]] = {}
    for each in json.loads(done.stdout)["diagnostics"]:
        table.setdefault(str(each["location"]["path"]), set()).add((each["code"], each["message"]))
    for source in sources:
        got = {(code, message) for code, _, _, message in received(driver.pages[source.uri][1])}
        if got != table.get(str(source.path), set()):
            driver.tally.problems.append(f"{source.uri}: not what `onnxls check` finds")


def _rewrite(
    driver: Driver, originals: list[ModelProto], count: int, draw: random.Random, say: Callable[[str], None]
) -> None:
    """Writes models anew, half of them with their text open, in place or by renaming, and compares each time."""
    files = [driver.folder / f"m{index}.onnx" for index in range(4)]
    makers = [variants(draw.choice(originals), draw) for _ in files]
    texts: dict[Path, int] = {}
    for number in range(count):
        index = draw.randrange(len(files))
        path = files[index]
        data = next(makers[index])
        if draw.random() < 0.5:
            path.write_bytes(data)
        else:
            fresh = path.with_suffix(".new")
            fresh.write_bytes(data)
            fresh.replace(path)
        driver.tally.rewrites += 1
        driver.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
        _compare_model(driver, path, texts, is_open=index % 2 == 1)
        if number % 20 == 19:
            say(f"{number + 1} rewrites, {len(driver.tally.problems)} problems")
    for path in texts:
        driver.close("onnx-text:" + path.as_uri().removeprefix("file://"))
    for path in files:
        path.unlink(missing_ok=True)
        driver.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 3}]})
    driver.take(lambda: not any(driver.pages.get(path.as_uri(), (None, []))[1] for path in files))


def _compare_model(driver: Driver, path: Path, texts: dict[Path, int], is_open: bool) -> None:
    tally, file = driver.tally, path.as_uri()
    on_file, inside, text = findings_of_model(path)
    try:
        if not is_open:
            driver.take(lambda: received(driver.pages.get(file, (None, []))[1]) == on_file)
        else:
            uri = "onnx-text:" + file.removeprefix("file://")
            got = driver.result("onnxls/modelText", {"uri": file})["text"]
            if text and got != text:
                tally.problems.append(f"{path}: not the text of the model")
            texts[path] = texts.get(path, 0) + 1
            driver.versions[uri] = texts[path]
            if texts[path] == 1:
                driver.open(uri, got, "onnx-text")
            else:
                driver.send_version(uri, texts[path], got)
            outside = on_file if not text else set[Finding]()
            driver.take(
                lambda: (
                    driver.pages.get(uri, (None, []))[0] == texts[path]
                    and received(driver.pages[uri][1]) == inside
                    and received(driver.pages.get(file, (None, []))[1]) == outside
                )
            )
    except TimeoutError:
        tally.problems.append(f"{path}: wanted {sorted(inside or on_file)[:3]}, have {driver.pages.get(file)}")
    tally.comparisons += 1
    tally.with_findings += bool(on_file)


def main() -> int:
    """Drives and prints the figures; 1 where something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=5000)
    parser.add_argument("--rewrites", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sources", type=Path, nargs="*", default=[])
    options = parser.parse_args()

    def say(text: str) -> None:
        sys.stderr.write(f"{text}\n")

    tally = drive(options.edits, options.rewrites, options.seed, (*SOURCES, *options.sources), say=say)
    sys.stdout.write(
        f"{tally.edits} edits, {tally.rewrites} rewrites, {tally.published} pages in {tally.seconds:.0f} s\n"
        f"{tally.comparisons} comparisons, {tally.with_findings} with findings\n"
        f"memory {tally.warm >> 20} MB when warm, {tally.memory >> 20} MB at the end\n"
        f"{len(tally.problems)} problems\n" + "".join(f"  {each}\n" for each in tally.problems[:20])
    )
    return 1 if tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
