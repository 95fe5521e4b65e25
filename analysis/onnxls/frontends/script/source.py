"""A source file as the models of its script functions, ready to be analysed.

Other files are read through the given reader only. The files that were read are kept, and after an edit only what
depends on it is made again; the result is that of reading everything anew.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from onnxls.diagnostics import Diagnostic
from onnxls.frontends.script.chunks import may_hold_onnxscript
from onnxls.frontends.script.declared import Declared, Meaning
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.functions import FunctionModel, function_model
from onnxls.frontends.script.homes import Home, Homes
from onnxls.frontends.script.lower import lower
from onnxls.frontends.script.lowered import Lowered
from onnxls.frontends.script.modules import Module
from onnxls.frontends.script.names import Seat
from onnxls.frontends.script.outline import Outline, outline
from onnxls.frontends.text_cursor import SYNTAX_ERROR
from onnxls.graph import Model
from onnxls.rules import Rule
from onnxls.spans import LineIndex, Location, Span

Reader = Callable[[str], str | None]
"""The text of a file of the workspace by its path, or None."""

MAX_MODULES = 200
"""The files that one reading may touch."""
MAX_FUNCTIONS = 2_000
MAX_TRACED = 100
"""Those that Python runs to make graphs: of a file with more of them, as torchlib's largest, the first are read."""
MAX_FILE = 2_000_000
MAX_KEPT = 8_000_000
"""The characters of the files that are kept; beyond, all are read anew."""
MAX_MISSING = 2_000


@dataclass(frozen=True, slots=True)
class SourceUnit:
    """A script function in its file. `home` is the key of its chunk's home.

    `stale`: it cannot be read any more, and this is what it was before that.
    """

    function: FunctionModel
    home: str
    first_line: int
    last_line: int
    stale: bool = False

    @property
    def model(self) -> Model:
        """The model of the function."""
        return self.function.model

    @property
    def declared(self) -> Declared:
        """The function as it is written."""
        return self.function.parts[0].declared

    @property
    def meanings(self) -> Mapping[Span, Meaning]:
        """What the names in it stand for, where they are written."""
        return self.function.parts[0].meanings

    @property
    def numbers(self) -> frozenset[str]:
        """The values of its graph that are numbers of Python, and no tensors."""
        return self.function.parts[0].numbers


@dataclass(frozen=True, slots=True)
class Source:
    """What a file says: its units in the order of their first lines."""

    units: tuple[SourceUnit, ...]
    diagnostics: tuple[Diagnostic, ...]
    lines: LineIndex
    homes: Mapping[str, Home]


class _FilesMovedError(Exception):
    """A file that was there is gone, or one that was looked for in vain is there: imports may resolve differently."""


class Sources:
    """The source files of a workspace. `roots`: the folders that absolute imports resolve from, after the file's own.

    `read` gives the texts of files that are imported.
    """

    def __init__(self, read: Reader | None = None, roots: Sequence[str] = ()) -> None:
        self._read = read
        self._roots = roots
        self._modules: dict[str, Module] = {}
        self._missing: set[str] = set()
        self._imports: dict[str, set[str]] = {}
        self._current: set[str] = set()
        self._evaluator = Evaluator()

    def read(self, text: str, path: str) -> Source:
        """The script functions of a text. One that cannot hold onnxscript has no units and no findings."""
        if not may_hold_onnxscript(text):
            return Source((), (), LineIndex(text), {})
        try:
            return self._source(text, path)
        except _FilesMovedError:
            self._clear()
            return self._source(text, path)

    def _source(self, text: str, path: str) -> Source:
        self._evaluator.restart()
        module = self._opened(text, path)
        units: list[SourceUnit] = []
        remarks: list[Diagnostic] = []
        traced = 0
        for seat in module.seats:
            if "def " not in seat.chunk.text:
                continue
            found = self._outline(module, seat)
            read = [each for each in found.declared if not each.traced or (traced := traced + 1) <= MAX_TRACED]
            seat.known.models = {
                each: function_model(each, self._lowered, seat.known.models.get(each))
                for each in read[: MAX_FUNCTIONS - len(units)]
            }
            units += [_unit(declared, model) for declared, model in seat.known.models.items()]
            if not seat.stale:
                remarks += [_told(each.about, each.text, seat.home.location(each.span)) for each in found.remarks]
        units.sort(key=lambda unit: unit.first_line)
        homes = Homes({path: each.homes for path, each in self._modules.items()})
        return Source(tuple(units), (*_problems(module), *remarks), module.lines, homes)

    # ---------------------------------------------------------------- functions

    def _outline(self, module: Module, seat: Seat) -> Outline:
        evaluator = self._evaluator
        return evaluator.notes.recall(seat.known.outlines, None, lambda: outline(module.scope, seat, evaluator))

    def _lowered(self, declared: Declared) -> Lowered:
        evaluator = self._evaluator

        def make() -> Lowered:
            evaluator.decorator(declared.node, declared.scope, declared.place)
            return lower(declared, evaluator)

        return evaluator.notes.recall(declared.seat.known.lowered, declared, make)

    # ---------------------------------------------------------------- files

    def _opened(self, text: str, path: str) -> Module:
        """The module of the text that is read, with all that it imports brought up to date."""
        self._evict(path)
        files = self._reached(path)
        texts = {each: self._text(each) for each in files if each != path}
        if path in self._missing:
            raise _FilesMovedError
        self._current = {path}
        self._update(path, text)
        for name, new in texts.items():
            self._bring(name, new)
        return self._modules[path]

    def _reached(self, path: str) -> set[str]:
        """The files that a file imports, as far as is known, and those that were looked for in vain."""
        found = {path}
        waiting = [path]
        while waiting:
            new = self._imports.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def _evict(self, path: str) -> None:
        """Keeps what is remembered within bounds."""
        if len(self._missing) > MAX_MISSING:
            self._clear()
        size = sum(len(each.text or "") for each in self._modules.values())
        if size > MAX_KEPT:
            needed = self._reached(path)
            for name in [name for name in self._modules if name not in needed]:
                gone = self._modules.pop(name)
                self._changed(gone.names)

    def _clear(self) -> None:
        self._modules, self._missing, self._imports = {}, set(), {}

    def _bring(self, path: str, text: str | None) -> None:
        """Notes what an imported file is now."""
        self._current.add(path)
        if path in (self._missing if text is not None else self._modules):
            raise _FilesMovedError
        if text is None:
            self._missing.add(path)
        else:
            self._update(path, text)

    def _update(self, path: str, text: str) -> None:
        module = self._modules.get(path)
        if module is None:
            module = self._modules[path] = Module(path, lambda name, level: self._imported(name, level, path))
        if text != module.text:
            self._changed(module.update(text))

    def _changed(self, names: set[tuple[str, str]] | None) -> None:
        """Drops what depends on names whose meaning may have changed; None: on any."""
        for module in self._modules.values():
            for seat in module.seats:
                seat.forget(names)

    def _imported(self, name: str, level: int, path: str) -> Module | None:
        """The module of a name, imported from a file."""
        folder = posixpath.dirname(path.replace("\\", "/"))
        if level:
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            folders: Sequence[str] = (folder,)
        else:
            folders = (folder, *self._roots)
        parts = name.split(".") if name else []
        if not all(part.isidentifier() for part in parts):
            return None
        for each in folders:
            base = posixpath.join(each, *parts) if parts else each
            for candidate in (f"{base}.py", f"{base}/__init__.py") if parts else (f"{base}/__init__.py",):
                self._imports.setdefault(path, set()).add(candidate)
                found = self._file(candidate)
                if found is not None:
                    return found
        return None

    def _file(self, path: str) -> Module | None:
        """The module of a file, up to date; None where there is no such file."""
        if path in self._current:
            return self._modules.get(path)
        for each in self._reached(path) - self._current:
            if self._read is None or len(self._current) >= MAX_MODULES:
                return None
            self._bring(each, self._text(each))
        return self._modules.get(path)

    def _text(self, path: str) -> str | None:
        text = None if self._read is None else self._read(path)
        return None if text is None or len(text) > MAX_FILE else text


def _unit(declared: Declared, model: FunctionModel) -> SourceUnit:
    chunk, node, home = declared.chunk, declared.node, declared.seat.home
    first, last = home.line_of(chunk, declared.first_line), home.line_of(chunk, node.end_lineno or node.lineno)
    return SourceUnit(model, chunk.key, first, last, declared.seat.stale)


def read_source(text: str, path: str, reader: Reader | None = None, roots: Sequence[str] = ()) -> Source:
    """The script functions of a text, read once. `reader` gives the files that it imports."""
    return Sources(reader, roots).read(text, path)


def _problems(module: Module) -> Iterator[Diagnostic]:
    for seat in module.seats:
        if seat.problem is not None:
            yield _told(SYNTAX_ERROR, seat.problem.message, seat.home.written(seat.problem.span))


def _told(about: Rule, text: str, location: Location) -> Diagnostic:
    return Diagnostic(about.name, about.code, about.severity, text, location)
