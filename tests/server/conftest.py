"""One server per kind of client (pytest-lsp), with the capabilities that real editors have sent."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import converters, types
from pytest_lsp import ClientServerConfig, LanguageClient

CAPABILITIES = Path(__file__).parents[1] / "data" / "capabilities"
CLIENTS = ("vscode-1.139", "neovim-0.11", "neovim-0.12")


def initialize_params(client: str, root: Path) -> types.InitializeParams:
    """What a client sends first, for a folder."""
    sent = json.loads((CAPABILITIES / f"{client}.json").read_text(encoding="utf-8"))
    params = converters.get_converter().structure(sent, types.InitializeParams)
    params.root_uri, params.root_path = root.as_uri(), str(root)
    params.workspace_folders = [types.WorkspaceFolder(uri=root.as_uri(), name=root.name)]
    return params


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace folder of a module's tests."""
    return tmp_path_factory.mktemp("workspace")


@pytest_lsp.fixture(  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
    params=CLIENTS,
    scope="module",
    config=ClientServerConfig(server_command=[sys.executable, "-m", "onnxls_server.cli", "server"]),
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, folder: Path):
    """A client that answers what servers ask."""

    def answer(method: str, result: Any) -> None:
        @lsp_client.feature(method)  # pyright: ignore[reportUntypedFunctionDecorator]
        def _answer(params: Any) -> Any:
            del params
            return result

    for method in (
        types.CLIENT_REGISTER_CAPABILITY,
        types.WORKSPACE_INLAY_HINT_REFRESH,
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
    ):
        answer(method, None)
    for method in ("onnxls/status", "onnxls/modelFindings"):
        answer(method, None)
    await lsp_client.initialize_session(initialize_params(str(request.param), folder))
    yield
    await lsp_client.shutdown_session()
