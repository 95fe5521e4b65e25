"""Findings as the diagnostics of the protocol, sent or asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from onnxls_server.protocol import convert
from onnxls_server.protocol.registry import feature
from onnxls_server.session.pages import Page
from onnxls_server.session.uris import key_of

if TYPE_CHECKING:
    from onnxls_server.protocol.server import Server


def diagnostics_of(ls: Server, page: Page) -> list[types.Diagnostic]:
    """The diagnostics of a page."""
    session = ls.session
    return [
        convert.diagnostic(
            found,
            session.place(found.location, page.view) or session.whole(page.uri),
            [
                (each.message, place)
                for each in found.related
                if (place := session.place(each.location, page.view, found.location.path)) is not None
            ],
            {"rule": found.rule, "serial": page.serial, "index": index},
            session.encoding,
        )
        for index, found in enumerate(page.diagnostics)
    ]


@feature(
    types.TEXT_DOCUMENT_DIAGNOSTIC,
    types.DiagnosticOptions(identifier="onnxls", inter_file_dependencies=True, workspace_diagnostics=True),
)
async def pull(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The findings of the newest text."""
    page = await ls.session.page(params.text_document.uri)
    result_id = str(page.serial) if page is not None else "0"
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return types.RelatedFullDocumentDiagnosticReport(
        diagnostics_of(ls, page) if page is not None else [], result_id=result_id
    )


@feature(types.WORKSPACE_DIAGNOSTIC)
async def pull_workspace(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """The findings of everything; what the client has already is only named."""
    previous = {key_of(each.uri): each for each in params.previous_result_ids}
    reports: list[types.WorkspaceDocumentDiagnosticReport] = []
    for page in ls.session.pages:
        known = previous.pop(key_of(page.uri), None)
        result_id = str(page.serial)
        if known is not None and known.value == result_id:
            reports.append(types.WorkspaceUnchangedDocumentDiagnosticReport(page.uri, result_id, page.version))
        else:
            reports.append(
                types.WorkspaceFullDocumentDiagnosticReport(
                    page.uri, diagnostics_of(ls, page), page.version, result_id=result_id
                )
            )
    reports += [
        types.WorkspaceFullDocumentDiagnosticReport(gone.uri, [], result_id="0")
        for gone in previous.values()
        if gone.value != "0"
    ]
    return types.WorkspaceDiagnosticReport(reports)
