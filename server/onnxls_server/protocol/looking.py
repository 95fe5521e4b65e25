"""From a position in a document to what features look at, and back from offsets to ranges."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from onnxls.spans import Span
from onnxls_server.features.markup import Markup
from onnxls_server.protocol import convert
from onnxls_server.session.layout import Part
from onnxls_server.session.opened import Opened, View
from onnxls_server.session.places import Place, in_layout
from onnxls_server.session.positions import Encoding, offset_of
from onnxls_server.session.preferences import Preferences
from onnxls_server.session.snapshot import Snapshot

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

AT_ONCE = 0.0
"""Seconds to wait for the analysis of the newest text: none, while somebody types."""

SHORTLY = 0.3
"""What is asked for with the mouse or keyboard; then the last analysis must do."""

PATIENTLY = 3.0
"""What is asked for the whole document and asked again by itself."""

Result = TypeVar("Result")
_THREAD = ThreadPoolExecutor(1, "features")


@dataclass(frozen=True, slots=True)
class Look:
    """A document with what is known of it."""

    opened: Opened
    view: View
    part: Part
    encoding: Encoding
    preferences: Preferences

    @property
    def snapshot(self) -> Snapshot:
        """The text and its analysis."""
        return self.view.snapshot

    def offset(self, position: types.Position) -> int:
        """The offset of a position; past the end it clamps."""
        return self.part.start + offset_of(self.part.lines, position.line, position.character, self.encoding)

    def range(self, start: int, end: int) -> types.Range:
        """The range of two offsets."""
        return convert.place_range(self.place(start, end), self.encoding)

    def place(self, start: int, end: int) -> Place:
        """The document and range of two offsets."""
        return in_layout(self.view.layout, Span(start, end))

    def position(self, offset: int) -> types.Position:
        """The position of an offset."""
        return self.range(offset, offset).start

    def shows(self, offset: int) -> bool:
        """Whether an offset is in this document, and not in another cell."""
        return self.view.layout.at(offset)[0] is self.part


async def look(ls: Server, uri: str, patience: float) -> Look | None:
    """What is known of a document, of its newest text if that comes in time; None where nothing is."""
    opened = ls.session.find(uri)
    if opened is None:
        return None
    if opened.report is None:
        patience = max(patience, PATIENTLY)
    if patience and not opened.is_current:
        with suppress(TimeoutError):
            await asyncio.wait_for(ls.session.settled(uri), patience)
        opened = ls.session.find(uri)
    view = opened.view() if opened is not None else None
    part = view.layout.part(uri) if view is not None else None
    if opened is None or view is None or part is None:
        return None
    opened.answered_old |= not opened.is_current
    return Look(opened, view, part, ls.session.encoding, ls.session.wishes.preferences(opened.path))


async def compute(work: Callable[[], Result]) -> Result:
    """Runs a feature beside the event loop, which goes on to take messages."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, work)


def content(markup: Markup, markdown: bool) -> types.MarkupContent:
    """Text for people in the form that the client shows."""
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, markup.markdown())
    return types.MarkupContent(types.MarkupKind.PlainText, markup.plain())
