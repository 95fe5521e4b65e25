"""What is not analysed for its size, or took too long: said once, as a finding."""

from __future__ import annotations

from onnxls.diagnostics import Diagnostic
from onnxls.rules import Rule, rule
from onnxls.spans import Location

MAX_TEXT = 20_000_000
"""Texts of more characters are not analysed in an editor. The weights of a binary model do not count."""

FILE_TOO_LARGE = rule(
    "file-too-large",
    "OLS590",
    "information",
    """
    A text is too large to be analysed while it is being edited.

    Nothing is known of its values. Weights belong into a binary model or into external data, where they cost nothing.
    """,
)
ANALYSIS_TOO_LONG = rule(
    "analysis-too-long",
    "OLS591",
    "information",
    """
    The analysis of a file was stopped because it took too long.

    What the editor shows of the file may be old. `onnxls check` has no limit of time.
    """,
)
ANALYSIS_FAILED = rule(
    "analysis-failed",
    "OLS592",
    "information",
    """
    A fault in onnxls itself ended the analysis of a file.

    The file may be right or wrong. The server's log has the details that a report of the fault needs.
    """,
)


UNREADABLE_FILE = rule(
    "unreadable-file",
    "OLS593",
    "error",
    """
    A file is there and cannot be read.

    It may have been removed a moment ago, or be closed to you.
    """,
)


def too_large(path: str, characters: int) -> Diagnostic:
    """The finding on a text that is not analysed."""
    return _whole(FILE_TOO_LARGE, path, f"skipped: {characters:,} characters are too many to analyse in an editor")


def too_long(path: str, seconds: float) -> Diagnostic:
    """The finding on a file whose analysis was stopped."""
    return _whole(ANALYSIS_TOO_LONG, path, f"the analysis was stopped after {seconds:.0f} seconds")


def failed(path: str, error: Exception) -> Diagnostic:
    """The finding on a file whose analysis broke down."""
    return _whole(ANALYSIS_FAILED, path, f"a fault in onnxls itself: {type(error).__name__}: {error}")


def unreadable(path: str, reason: str) -> Diagnostic:
    """The finding on a file that cannot be read."""
    return _whole(UNREADABLE_FILE, path, f"the file cannot be read: {reason}")


def _whole(about: Rule, path: str, message: str) -> Diagnostic:
    return Diagnostic(about.name, about.code, about.severity, message, Location(path))
