"""Commands for clients without our extension, which carries out its own in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from onnxls_server.features.guards import UnitGuards, guards
from onnxls_server.protocol.looking import SHORTLY, compute, look
from onnxls_server.protocol.registry import COMMANDS, command, feature
from onnxls_server.protocol.sizes import answer, sizes_of, try_sizes
from onnxls_server.session.uris import CONTENT_SCHEME, path_of, uri_of

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server

RESTART, TRY_SIZES, SHOW_GUARDS, OPEN_AS_TEXT = (
    "onnxls.restart",
    "onnxls.trySizes",
    "onnxls.showGuards",
    "onnxls.openAsText",
)


@command(RESTART)
async def restart(ls: Server, *arguments: object) -> None:
    """Reads and analyses everything anew; a client that can starts another server instead."""
    del arguments
    ls.session.forget()
    ls.session.settings_changed()


@command(SHOW_GUARDS)
async def show_guards(ls: Server, *arguments: object) -> dict[str, object] | None:
    """`[uri, unit?]`: says what a function or model needs of its sizes."""
    uri, unit = _text(arguments, 0), arguments[1] if len(arguments) > 1 else None
    seen = await look(ls, uri, SHORTLY)
    if seen is None:
        return None
    name = unit if isinstance(unit, str) else None
    found = await compute(lambda: guards(seen.snapshot, name))
    if found is None:
        return None
    _tell(ls, found)
    return answer(seen, found)


@command(TRY_SIZES)
async def put_sizes(ls: Server, *arguments: object) -> dict[str, object] | None:
    """`[uri, unit, {symbol: size} | null]`: hints and findings are of these sizes from now on."""
    uri, unit = _text(arguments, 0), _text(arguments, 1)
    seen, found = await try_sizes(ls, uri, unit, sizes_of(arguments[2] if len(arguments) > 2 else None))
    if seen is None or found is None:
        return None
    _tell(ls, found)
    return answer(seen, found)


@command(OPEN_AS_TEXT)
async def open_as_text(ls: Server, *arguments: object) -> bool:
    """`[uri]`: has the client show a binary model as text."""
    path = path_of(_text(arguments, 0))
    if path is None:
        raise JsonRpcInvalidParams("the first argument is the URI of a model")
    if not (ls.client.can("window.show_document.support") and ls.client.has("workspace.text_document_content")):
        ls.say(f"This editor cannot show a text that is no file; `onnxls show {path}` prints it.")
        return False
    shown = types.ShowDocumentParams(uri_of(path, CONTENT_SCHEME), take_focus=True)
    return (await ls.window_show_document_async(shown)).success


@feature(types.WORKSPACE_EXECUTE_COMMAND)
async def execute(ls: Server, params: types.ExecuteCommandParams) -> object:
    """Carries out a command; its arguments are plain JSON."""
    handler = COMMANDS.get(params.command)
    if handler is None:
        raise JsonRpcInvalidParams(f"there is no command {params.command}")
    return await handler(ls, *(params.arguments or ()))


def _tell(ls: Server, found: UnitGuards) -> None:
    words = {True: "holds", False: "fails", None: ""}
    lines = [f"{each.text}  {words[each.holds]}".rstrip() for each in found.guards] or ["no guards"]
    message = "\n".join([f"{found.unit}:", *lines])
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))


def _text(arguments: tuple[object, ...], index: int) -> str:
    value = arguments[index] if len(arguments) > index else None
    if not isinstance(value, str):
        raise JsonRpcInvalidParams(f"argument {index} must be a string")
    return value
