"""The settings of each file: those of the nearest settings file, and on top of them those of the client."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onnxls_server.config import Settings, SettingsFinder, from_table, overridden
from onnxls_server.globs import matches
from onnxls_server.session.preferences import Preferences, divide


@dataclass(frozen=True, slots=True)
class _Client:
    """What the client gave for a folder."""

    preferences: Preferences
    settings: Settings
    given: frozenset[str]


class Wishes:
    """Settings by file. `messages` gathers, once each, what is wrong with them."""

    def __init__(self, sections: Mapping[str | None, object] | None = None, folders: Sequence[str] = ()) -> None:
        """`sections`: the client's section `onnxls` by the workspace folder that it is for; None: for everything."""
        self.folders = tuple(sorted(folders, key=len, reverse=True))
        self._sections = dict(sections or {})
        self._finder = SettingsFinder()
        self._messages: list[str] = []
        self._clients = {folder: self._client(folder, section) for folder, section in self._sections.items()}
        self._known: dict[tuple[int, int], tuple[Settings, Settings]] = {}

    def folder_of(self, path: str) -> str | None:
        """The innermost workspace folder that a path is in."""
        return next((folder for folder in self.folders if is_inside(path, folder)), None)

    def of_file(self, path: str) -> Settings:
        """What holds for a file; in a workspace folder also where no settings file is near."""
        found = self._finder.of_file(path)
        client = self._of_client(path)
        key = id(found), id(client)
        known = self._known.get(key)
        if known is None:
            made = overridden(found, client.settings, client.given)
            known = self._known[key] = (found, made)
        return known[1]

    def preferences(self, path: str | None) -> Preferences:
        """The switches that hold for a file, or for the client as a whole."""
        return self._of_client(path).preferences

    def excludes(self, path: str) -> bool:
        """Whether a file or folder is excluded by its settings or by the client."""
        found, client = self._finder.of_file(path), self._of_client(path)
        return matches(path, found.root, found.exclude) or matches(path, client.settings.root, client.settings.exclude)

    def looked_at(self) -> frozenset[str]:
        """The settings files that were looked for, there or not."""
        return self._finder.looked_at()

    def with_files_anew(self) -> Wishes:
        """The same wishes of the client, with settings files read again."""
        return Wishes(self._sections, self.folders)

    def selectors(self) -> tuple[str, ...]:
        """Every rule, code or prefix in settings that are in use."""
        return tuple(dict.fromkeys(name for each in self._in_use() for name in each.selectors()))

    def assumptions(self) -> tuple[str, ...]:
        """Every assumption in settings that are in use."""
        return tuple(dict.fromkeys(text for each in self._in_use() for text in each.assume))

    def _in_use(self) -> list[Settings]:
        return [*(made for _, made in self._known.values()), *(each.settings for each in self._clients.values())]

    def messages(self) -> list[str]:
        """What is wrong with the settings and was not said before."""
        new = self._messages + self._finder.messages
        self._messages, self._finder.messages = [], []
        return new

    def _of_client(self, path: str | None) -> _Client:
        folder = self.folder_of(path) if path is not None else None
        found = self._clients.get(folder) or self._clients.get(None)
        if found is None:
            found = self._clients[None] = self._client(None, None)
        return found

    def _client(self, folder: str | None, section: object) -> _Client:
        preferences, table, problems = divide(section)
        settings, wrong = from_table(table, folder or os.curdir, "the client's settings")
        self._messages += [*problems, *wrong]
        return _Client(preferences, settings, frozenset(table))


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is in a folder, or is it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
