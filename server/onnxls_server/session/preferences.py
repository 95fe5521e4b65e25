"""What a client wishes to be shown, as far as it is no matter of rules: the switches of the features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import cast


@dataclass(frozen=True, slots=True)
class Preferences:
    """Switches, each the key of the same name in camel case in the client's section `onnxls`.

    `inlay_hints`, `inlay_parameters`: shapes after assignments, and of parameters. `check_models`: models that are not
    open are checked.
    """

    hover: bool = True
    inlay_hints: bool = True
    inlay_parameters: bool = True
    navigation: bool = True
    rename: bool = True
    symbols: bool = True
    folding: bool = True
    semantic_tokens: bool = True
    completion: bool = True
    signature_help: bool = True
    code_lens: bool = True
    code_actions: bool = True
    check_models: bool = True


FOR_CLIENTS = frozenset({"interpreter", "serverArguments", "trace", "path", "args", "cwd", "importStrategy"})
"""Keys of the section that are the client's own affair."""


def camel(name: str) -> str:
    """`inlay_hints` as `inlayHints`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


SWITCHES = {camel(each.name): each.name for each in fields(Preferences)}


def kebab(name: str) -> str:
    """`perFileIgnores` as `per-file-ignores`."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


def divide(section: object) -> tuple[Preferences, dict[str, object], tuple[str, ...]]:
    """The switches of a client's section, the keys that settings files have too, and what is wrong.

    A key is as in `onnxls.toml`, or in camel case; null is not given.
    """
    if not isinstance(section, Mapping):
        return Preferences(), {}, ()
    preferences, table, problems = Preferences(), dict[str, object](), list[str]()
    for key, value in cast("Mapping[object, object]", section).items():
        name = str(key)
        if value is None or name in FOR_CLIENTS:
            continue
        if name not in SWITCHES:
            table[kebab(name)] = value
        elif isinstance(value, bool):
            preferences = replace(preferences, **{SWITCHES[name]: value})
        else:
            problems.append(f"the client's settings: `{name}` must be true or false; it is ignored")
    return preferences, table, tuple(problems)
