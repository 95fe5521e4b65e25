"""The beginning of a session, the client's folders and settings, and files that change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.protocol.parameters import field
from onnxls_server.protocol.registry import feature
from onnxls_server.session.uris import CONTENT_SCHEME, path_of
from onnxls_server.session.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onnxls_server.protocol.server import Server

SECTION = "onnxls"
WATCHED = ("**/*.{onnx,onnxtxt,onnxtext,onnxjson,pbtxt,textproto,py}", "**/{onnxls,pyproject}.toml")


@feature(types.INITIALIZE)
def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Takes note of the client and its folders; pygls answers."""
    ls.started(params)
    folders = [each.uri for each in params.workspace_folders or ()]
    root = params.root_uri
    if params.workspace_folders is None and root is not None:
        folders = [root]
    options = params.initialization_options
    given = field(options, SECTION) or field(options, "settings") or options
    ls.folders = dict.fromkeys(folders)
    ls.given_settings = given
    ls.session.wishes = _wishes(ls, {None: given})


@feature(types.INITIALIZED)
async def initialized(ls: Server, params: types.InitializedParams) -> None:
    """Registers what can only be registered now, and begins to look at the workspace."""
    del params
    if not ls.client.can("workspace.did_change_watched_files.dynamic_registration"):
        ls.survey.watch()
    ls.session.warm_up()
    await _register(ls)
    await read_settings(ls)


@feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """The client's settings have changed; it may be asked for them, or sends them along."""
    given = field(params.settings, SECTION)
    if given is not None:
        ls.given_settings = given
    await read_settings(ls)


@feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
async def did_change_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders were added to the workspace or taken from it."""
    for removed in params.event.removed:
        ls.folders.pop(removed.uri, None)
    for added in params.event.added:
        ls.folders[added.uri] = None
    await read_settings(ls)


@feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files have changed on disk."""
    paths = [path for change in params.changes if (path := path_of(change.uri)) is not None]
    ls.survey.files_changed(paths)


async def read_settings(ls: Server) -> None:
    """Asks the client for its settings, for each folder, where it answers that; and takes them into use."""
    sections: dict[str | None, object] = {None: ls.given_settings}
    if ls.client.can("workspace.configuration"):
        uris = list(ls.folders)
        items = [types.ConfigurationItem(uri, SECTION) for uri in uris]
        items.append(types.ConfigurationItem(section=SECTION))
        answers: Sequence[object] = await ls.workspace_configuration_async(types.ConfigurationParams(items))
        for uri, answer in zip([*uris, None], answers, strict=False):
            if answer is not None:
                sections[path_of(uri) if uri is not None else None] = answer
    ls.session.settings_changed(_wishes(ls, sections))


def _wishes(ls: Server, sections: Mapping[str | None, object]) -> Wishes:
    folders = [path for uri in ls.folders if (path := path_of(uri)) is not None]
    return Wishes(sections, folders)


async def _register(ls: Server) -> None:
    wanted: list[types.Registration] = []
    if ls.client.can("workspace.did_change_watched_files.dynamic_registration"):
        watchers = [types.FileSystemWatcher(glob) for glob in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        wanted.append(_registration(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if ls.client.can("workspace.text_document_content.dynamic_registration"):
        content = types.TextDocumentContentRegistrationOptions([CONTENT_SCHEME])
        wanted.append(_registration(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, content))
    if ls.client.can("workspace.did_change_configuration.dynamic_registration"):
        section = types.DidChangeConfigurationRegistrationOptions(SECTION)
        wanted.append(_registration(types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if wanted:
        await ls.client_register_capability_async(types.RegistrationParams(wanted))


def _registration(method: str, options: object) -> types.Registration:
    return types.Registration(f"onnxls:{method}", method, options)
