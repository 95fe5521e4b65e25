"""Tables of plain text: columns two spaces apart, cells on one line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from onnxls_server.render.wording import plain


def table(rows: Sequence[Sequence[str]], head: Sequence[str] | None = None, right: Collection[int] = ()) -> str:
    """The rows under an optional head; the columns in `right` are set flush right."""
    cells = [[plain(cell) for cell in row] for row in ([head, *rows] if head else rows)]
    if not cells:
        return ""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    if head:
        lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines) + "\n"
