"""One line for each finding: `path:line:column: CODE message [rule]`, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxls_server.render.wording import PROOFS, brief_place, plain

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls_server.render import Findings


def render(findings: Findings) -> str:
    """The lines, without a summary."""
    return "".join(
        f"{brief_place(found.location)}: {found.code} {plain(found.message)}{_proof(found)} [{found.rule}]\n"
        for found in findings.diagnostics
    )


def _proof(found: Diagnostic) -> str:
    return "" if found.proof is None else f"; {PROOFS[found.proof.outcome]}"
