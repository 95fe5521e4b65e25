"""`onnxls clean`: removes the results that `check` has kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxls_server import cache, console
from onnxls_server.render.wording import count

if TYPE_CHECKING:
    import argparse

    from onnxls_server.engine import Engine


def run(options: argparse.Namespace, engine: Engine) -> int:
    """Says what was removed, and from where."""
    del options, engine
    results, size = cache.clean()
    kept = f"{count(results, 'result', 'results')} ({size // 1024:,} KiB)"
    console.say(f"Removed {kept} from {cache.folder()}." if results else f"There is nothing in {cache.folder()}.")
    return console.CLEAN
