"""One line for each finding: `path:line:column: CODE message [rule]`, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxls_server.render.wording import brief_place, plain

if TYPE_CHECKING:
    from onnxls_server.render import Findings


def render(findings: Findings) -> str:
    """The lines, without a summary."""
    return "".join(
        f"{brief_place(found.location)}: {found.code} {plain(found.message)} [{found.rule}]\n"
        for found in findings.diagnostics
    )
