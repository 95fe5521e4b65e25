"""The findings that a client shall show, by URI. A page that is equal to the one before is no news."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from onnxls.diagnostics import Diagnostic
from onnxls_server.session.opened import View
from onnxls_server.session.uris import key_of


@dataclass(frozen=True, slots=True)
class Page:
    """The findings of one URI. `view` is what their places are in; None for a file that is not open.

    `serial` changes when the findings do.
    """

    uri: str
    version: int | None
    diagnostics: tuple[Diagnostic, ...]
    view: View | None = None
    serial: int = 0


class Pages:
    """All pages; an empty one is kept until it was shown, so that what was shown is taken back."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}
        self._serial = 0

    def put(self, uri: str, version: int | None, diagnostics: tuple[Diagnostic, ...], view: View | None = None) -> bool:
        """Sets the findings of a URI; False where nothing is new to a client."""
        key = key_of(uri)
        known = self._pages.get(key)
        if known is None and not diagnostics and version is None:
            return False
        if known is not None and (known.uri, known.version, known.diagnostics) == (uri, version, diagnostics):
            self._pages[key] = replace(known, view=view)
            return False
        self._serial += 1
        self._pages[key] = Page(uri, version, diagnostics, view, self._serial)
        return True

    def take_back(self, uri: str) -> Page | None:
        """Forgets a page; what is returned was shown and is to be cleared."""
        return self._pages.pop(key_of(uri), None)

    def get(self, uri: str) -> Page | None:
        """The page of a URI."""
        return self._pages.get(key_of(uri))

    def __iter__(self) -> Iterator[Page]:
        return iter(tuple(self._pages.values()))

    def count(self) -> int:
        """The number of findings at warning or above."""
        return sum(each.severity in ("error", "warning") for page in self._pages.values() for each in page.diagnostics)
