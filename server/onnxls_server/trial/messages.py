"""What the two processes say to each other: one JSON object on a line. Each request has one reply, `open` has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict

Ending = Literal["ran", "failed", "unsupported", "crashed", "too-long"]
"""`failed`: the runtime refused the model or a node. `unsupported`: nothing was tried, for the reason in `message`."""

Judge = Literal["onnxruntime", "reference", "checker"]
"""Who is asked: a runtime, or onnx's checker, which runs nothing."""


class Opening(TypedDict):
    """Under `open`: which model the requests that follow are about. `text` stands in for the file; of a source it is
    the function around a line."""

    path: str
    text: str | None
    line: int | None
    hints: dict[str, int | list[int]]
    assume: list[str]


class Request(TypedDict):
    """One run. Sizes are of symbols; None: sizes that meet the guards, as far as they are known.

    `until`: the graph path of the node or value behind which nothing need run, and whose branch is taken; None: the
    whole model. `fill`: what integer inputs are full of. `inputs`: an .npz file in place of made-up inputs. `fetch`:
    the shapes of all values of the main graph are wanted. `annotations`: of the value of this name (and of those that
    share names with it) are checked, which the reference does.
    """

    sizes: dict[str, int] | None
    until: str | None
    fill: int
    judge: Judge
    inputs: str | None
    fetch: bool
    annotations: str | None


class Reply(TypedDict):
    """How the run ended, and who says so (`judge`, with its version).

    `where`: the graph path of the node that failed, if it is known.
    """

    ending: Ending
    judge: str
    where: str | None
    message: str
    sizes: dict[str, int]
    shapes: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for one run, bytes of memory for the process."""

    seconds: float = 60.0
    memory: int = 6 << 30


def reply(ending: Ending, message: str = "", judge: str = "") -> Reply:
    """A reply without a place and shapes."""
    return Reply(ending=ending, judge=judge, where=None, message=message, sizes={}, shapes={})
