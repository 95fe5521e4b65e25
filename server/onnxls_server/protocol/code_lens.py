"""Code lens: the number of guards above each function and model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.features.guards import code_lens
from onnxls_server.protocol.commands import SHOW_GUARDS
from onnxls_server.protocol.looking import PATIENTLY, compute, look
from onnxls_server.protocol.registry import feature

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


@feature(types.TEXT_DOCUMENT_CODE_LENS)
async def show_lenses(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """A click lists the guards."""
    seen = await look(ls, params.text_document.uri, PATIENTLY)
    if seen is None or not seen.preferences.code_lens:
        return None
    found = await compute(lambda: code_lens(seen.snapshot))
    return [
        types.CodeLens(
            seen.range(each.span.start, each.span.end),
            types.Command(each.title, SHOW_GUARDS, arguments=[seen.part.uri, each.unit]),
        )
        for each in found
        if seen.shows(each.span.start)
    ]
