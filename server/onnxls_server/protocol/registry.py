"""Handlers by the method that they answer: a table that is filled by the modules of this package when imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Handler = Callable[..., Any]

FEATURES: dict[str, tuple[Handler, Any]] = {}
COMMANDS: dict[str, Handler] = {}


def feature(method: str, options: Any = None) -> Callable[[Handler], Handler]:
    """Registers the handler of a method; its first parameter is the server and is called `ls`."""

    def register(handler: Handler) -> Handler:
        if method in FEATURES:
            raise ValueError(f"{method} has two handlers")
        FEATURES[method] = handler, options
        return handler

    return register


def command(name: str) -> Callable[[Handler], Handler]:
    """Registers what carries out a command: a coroutine, given the server and the command's arguments."""

    def register(handler: Handler) -> Handler:
        if name in COMMANDS:
            raise ValueError(f"{name} has two handlers")
        COMMANDS[name] = handler
        return handler

    return register
