"""Settings: the nearest `onnxls.toml`, else `[tool.onnxls]` of the nearest `pyproject.toml`; files are not merged.

A bad file, key or value is a message, never an exception: what remains of the settings still counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, cast

from onnxls_server.deep import NO_Z3, has_z3
from onnxls_server.sizes import Hints, parse_pairs

if TYPE_CHECKING:
    from onnxls.rules import Severity

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project wishes. `root` is the folder that globs are relative to; `select` None selects every rule."""

    root: str = "."
    source: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    exclude: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict[str, "Severity"])
    assume: tuple[str, ...] = ()
    hints: Hints = field(default_factory=dict[str, "int | tuple[int, ...]"])
    empty_axes: bool = False
    expression_names: Literal["claim", "trust"] = "claim"
    operators: Mapping[str, str] = field(default_factory=dict[str, str])
    deep: bool = False

    def selectors(self) -> tuple[str, ...]:
        """Every rule name, code or prefix that occurs in the settings."""
        return (
            *(self.select or ()),
            *self.ignore,
            *(selector for group in self.per_file_ignores.values() for selector in group),
            *self.severity,
        )


_NO_SETTINGS = Settings()


class _WantedError(Exception):
    """The value of a key is of the wrong type; the text says what is wanted."""


def from_table(table: Mapping[str, object], root: str, source: str) -> tuple[Settings, tuple[str, ...]]:
    """The settings of a table with the keys of `onnxls.toml`, and what is wrong with it, `source` in front of each."""
    settings = Settings(root=root, source=source)
    messages: list[str] = []
    for key, value in table.items():
        reader = _READERS.get(key)
        if reader is None:
            messages.append(f"{source}: unknown key `{key}`{nearest(key, tuple(_READERS))}")
            continue
        try:
            settings = reader(settings, value)
        except _WantedError as wanted:
            messages.append(f"{source}: `{key}` must be {wanted}; it is ignored")
    return settings, tuple(messages)


def read(path: str) -> tuple[Settings | None, tuple[str, ...]]:
    """The settings of a file; None where it cannot be read or, for a `pyproject.toml`, has no `[tool.onnxls]`."""
    import tomllib

    try:
        with open(path, "rb") as stream:
            table: Mapping[str, object] = tomllib.load(stream)
    except (OSError, ValueError, RecursionError) as error:
        return None, (f"{path}: cannot be read: {_reason(error)}",)
    if os.path.basename(path) == "pyproject.toml":
        section = table
        for key in ("tool", "onnxls"):
            inner = section.get(key)
            if not isinstance(inner, dict):
                return None, ()
            section = cast("Mapping[str, object]", inner)
        table = section
    return from_table(table, os.path.dirname(path) or ".", path)


def overridden(found: Settings, by: Settings, given: Container[str]) -> Settings:
    """The settings of a file under those of a command line or client, which gave the keys `given`.

    What is gathered is added; `select` replaces what the file selects and ignores; a hint or severity of `by` counts
    more. `exclude` stays the file's: each is seen from its own folder.
    """
    changed = replace(
        found,
        root=by.root if found.source is None else found.root,
        hints={**found.hints, **by.hints},
        assume=(*found.assume, *by.assume),
        ignore=(*found.ignore, *by.ignore),
        per_file_ignores={**found.per_file_ignores, **by.per_file_ignores},
        severity={**by.severity, **{rule: level for rule, level in found.severity.items() if rule not in by.severity}},
        operators={**found.operators, **by.operators},
        empty_axes=by.empty_axes if "empty-axes" in given else found.empty_axes,
        expression_names=by.expression_names if "expression-names" in given else found.expression_names,
        deep=by.deep if "deep" in given else found.deep,
    )
    return replace(changed, select=by.select, ignore=by.ignore) if "select" in given else changed


class SettingsFinder:
    """The settings that hold in each folder. Every file is read once; `messages` gathers what is wrong with them."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self._read: dict[str, Settings | None] = {}
        self._own: dict[str, Settings] = {}
        self._pyproject: dict[str, Settings] = {}

    def of_folder(self, folder: str) -> Settings:
        """The settings of the nearest `onnxls.toml` above or in `folder`, else of the nearest `pyproject.toml`."""
        folder = os.path.abspath(folder)
        return (
            self._nearest(folder, "onnxls.toml", self._own)
            or self._nearest(folder, "pyproject.toml", self._pyproject)
            or _NO_SETTINGS
        )

    def of_file(self, path: str) -> Settings:
        """The settings that hold for a file."""
        return self.of_folder(os.path.dirname(os.path.abspath(path)))

    def explicit(self, path: str) -> Settings | None:
        """The settings of a file that was named; None where it cannot be read."""
        return self._file(path)

    def looked_at(self) -> frozenset[str]:
        """The files that were looked for, there or not: what may change the answers when it changes."""
        return frozenset(self._read)

    def _nearest(self, folder: str, name: str, known: dict[str, Settings]) -> Settings | None:
        passed: list[str] = []
        found: Settings | None = None
        while True:
            if folder in known:
                found = known[folder]
                break
            passed.append(folder)
            found = self._file(os.path.join(folder, name))
            above = os.path.dirname(folder)
            if found is not None or above == folder:
                break
            folder = above
        if found is not None:
            known.update(dict.fromkeys(passed, found))
        return found

    def _file(self, path: str) -> Settings | None:
        if path not in self._read:
            settings = None
            if os.path.isfile(path):
                settings, messages = read(path)
                self.messages.extend(messages)
            self._read[path] = settings
        return self._read[path]


def nearest(word: str, known: Sequence[str]) -> str:
    """`; did you mean …?` for a misspelt word, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1, cutoff=0.6)
    return f"; did you mean `{close[0]}`?" if close else ""


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _strings(value: object, wanted: str = "a list of strings") -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _WantedError(wanted)
    entries = cast("list[object]", value)
    if not all(isinstance(entry, str) for entry in entries):
        raise _WantedError(wanted)
    return tuple(cast("list[str]", entries))


def _table(value: object, wanted: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _WantedError(wanted)
    return cast("Mapping[str, object]", value)


def _select(settings: Settings, value: object) -> Settings:
    return replace(settings, select=_strings(value, "a list of rules"))


def _ignore(settings: Settings, value: object) -> Settings:
    return replace(settings, ignore=_strings(value, "a list of rules"))


def _per_file_ignores(settings: Settings, value: object) -> Settings:
    wanted = "a table of globs, each with a list of rules"
    return replace(
        settings,
        per_file_ignores={glob: _strings(rules, wanted) for glob, rules in _table(value, wanted).items()},
    )


def _exclude(settings: Settings, value: object) -> Settings:
    return replace(settings, exclude=_strings(value, "a list of globs"))


def _severity(settings: Settings, value: object) -> Settings:
    wanted = f"a table of rules, each with one of {', '.join(SEVERITIES)}"
    levels: dict[str, Severity] = {}
    for rule, level in _table(value, wanted).items():
        if level not in SEVERITIES:
            raise _WantedError(wanted)
        levels[rule] = level
    return replace(settings, severity=levels)


def _assume(settings: Settings, value: object) -> Settings:
    wanted = 'a list of conditions such as "N % 8 == 0"'
    return replace(settings, assume=(value,) if isinstance(value, str) else _strings(value, wanted))


def _hint(settings: Settings, value: object) -> Settings:
    wanted = "a table such as { N = 2, x = [2, 3] }"
    hints: dict[str, int | tuple[int, ...]] = {}
    if isinstance(value, dict):
        for name, size in cast("Mapping[str, object]", value).items():
            hints[name] = _size(size, wanted)
    else:
        entries = (value,) if isinstance(value, str) else _strings(value, wanted)
        try:
            for entry in entries:
                hints.update(parse_pairs(entry))
        except ValueError as error:
            raise _WantedError(wanted) from error
    return replace(settings, hints=hints)


def _size(value: object, wanted: str) -> int | tuple[int, ...]:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, list):
        sizes = [_size(entry, wanted) for entry in cast("list[object]", value)]
        flat = tuple(size for size in sizes if isinstance(size, int))
        if len(flat) == len(sizes):
            return flat
    raise _WantedError(wanted)


def _empty_axes(settings: Settings, value: object) -> Settings:
    if not isinstance(value, bool):
        raise _WantedError("true or false")
    return replace(settings, empty_axes=value)


def _expression_names(settings: Settings, value: object) -> Settings:
    if value not in ("claim", "trust"):
        raise _WantedError('"claim" or "trust"')
    return replace(settings, expression_names=value)


def _operators(settings: Settings, value: object) -> Settings:
    from onnxls.ops.own import declare
    from onnxls.ops.signatures import SignatureError

    wanted = 'a table such as { "my.domain::Foo" = "(N, C), (C, K) -> (N, K)" }'
    rules: dict[str, str] = {}
    for name, text in _table(value, wanted).items():
        if not isinstance(text, str):
            raise _WantedError(wanted)
        try:
            declare(name, text)
        except SignatureError as error:
            raise _WantedError(f"{wanted}; the rule of `{name}` cannot be read: {error}") from None
        rules[name] = text
    return replace(settings, operators=rules)


def _deep(settings: Settings, value: object) -> Settings:
    if not isinstance(value, bool):
        raise _WantedError("true or false")
    if value and not has_z3():
        raise _WantedError(f"false, since {NO_Z3}")
    return replace(settings, deep=value)


_READERS: Mapping[str, Callable[[Settings, object], Settings]] = {
    "select": _select,
    "ignore": _ignore,
    "per-file-ignores": _per_file_ignores,
    "exclude": _exclude,
    "severity": _severity,
    "assume": _assume,
    "hint": _hint,
    "empty-axes": _empty_axes,
    "expression-names": _expression_names,
    "operators": _operators,
    "deep": _deep,
}
