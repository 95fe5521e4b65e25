"""Text for people in pieces, to be shown as Markdown or plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph of Markdown, or code of a language."""

    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Markup:
    """Pieces that stand below one another."""

    pieces: tuple[Piece, ...]

    def markdown(self) -> str:
        """The text with code in fences that it cannot close."""
        return "\n\n".join(map(_fenced, self.pieces))

    def plain(self) -> str:
        """The text for a client that shows no Markdown."""
        return "\n\n".join(piece.text for piece in self.pieces)


def markup(pieces: Sequence[Piece | None]) -> Markup:
    """The pieces that are there and not empty."""
    return Markup(tuple(piece for piece in pieces if piece is not None and piece.text))


def code(text: str) -> str:
    """A name or expression within a paragraph, whatever characters it has."""
    text = " ".join(text.split())
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _fenced(piece: Piece) -> str:
    if piece.language is None:
        return piece.text
    fence = "```"
    while fence in piece.text:
        fence += "`"
    return f"{fence}{piece.language}\n{piece.text}\n{fence}"
