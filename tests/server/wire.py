"""A client that speaks raw bytes: framing, order and pollution are visible to a test."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Self

PATIENCE = 60.0
Message = dict[str, Any]


class Wire:
    """A server process, and every message that it sends. None in `messages` is the end of its output."""

    def __init__(self, *arguments: str, command: list[str] | None = None, environment: dict[str, str] | None = None):
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "onnxls_server.cli", "server", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.messages: queue.Queue[Message | bytes | None] = queue.Queue()
        self.passed: list[Message] = []
        self.errors: list[bytes] = []
        self._next = 0
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def raw(self, data: bytes) -> None:
        """Sends bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, **message: object) -> None:
        """Sends a message."""
        self.body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def body(self, body: bytes) -> None:
        """Sends a body with its header."""
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, params: object = None) -> None:
        """Sends a notification."""
        self.send(method=method, params=params)

    def ask(self, method: str, params: object = None) -> int:
        """Sends a request; its id."""
        self._next += 1
        self.send(id=self._next, method=method, params=params)
        return self._next

    def request(self, method: str, params: object = None, timeout: float = PATIENCE) -> Message:
        """Sends a request and waits for the answer: the whole message."""
        return self.answer(self.ask(method, params), timeout)

    def result(self, method: str, params: object = None, timeout: float = PATIENCE) -> Any:
        """The result of a request that succeeds."""
        message = self.request(method, params, timeout)
        assert "error" not in message, message
        return message["result"]

    def answer(self, id_: object, timeout: float = PATIENCE) -> Message:
        """The answer to a request."""
        return self.wait(lambda message: message.get("id") == id_ and "method" not in message, timeout)

    def wait_for(self, method: str, timeout: float = PATIENCE) -> Any:
        """The parameters of the next notification or request of a method."""
        return self.wait(lambda message: message.get("method") == method, timeout).get("params")

    def diagnostics(self, uri: str, version: int | None = None, timeout: float = PATIENCE) -> list[Message]:
        """The next findings that are published for a URI (in a version)."""

        def matches(message: Message) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            return params["uri"] == uri and version in (None, params.get("version"))

        return self.wait(matches, timeout)["params"]["diagnostics"]

    def wait(self, matches: Callable[[Message], bool], timeout: float = PATIENCE) -> Message:
        """The next message that matches; others are kept in `passed`, requests among them are answered with null."""
        end = time.monotonic() + timeout
        while True:
            try:
                message = self.messages.get(timeout=max(end - time.monotonic(), 0.001))
            except queue.Empty:
                raise TimeoutError(f"nothing that matches among {self.passed}; {b''.join(self.errors)!r}") from None
            assert isinstance(message, dict), f"{message!r}: {b''.join(self.errors)!r}"
            if "method" in message and "id" in message:
                self.send(id=message["id"], result=self.answered(message))
            self.passed.append(message)
            self.note(message)
            if matches(message):
                return message

    def note(self, message: Message) -> None:
        """Sees every message that is waited through."""

    def answered(self, message: Message) -> object:
        """The answer to a request of the server."""
        del message

    def quiet(self, seconds: float) -> list[Message | bytes | None]:
        """What comes within some time."""
        end, got = time.monotonic() + seconds, list[Message | bytes | None]()
        while (left := end - time.monotonic()) > 0:
            try:
                got.append(self.messages.get(timeout=left))
            except queue.Empty:
                break
        return got

    def initialize(self, capabilities: object = None, folders: list[str] | None = None, **more: object) -> Message:
        """Begins a session; the result of `initialize`."""
        params: Message = {
            "processId": None,
            "rootUri": folders[0] if folders else None,
            "capabilities": capabilities or {},
            "workspaceFolders": [{"uri": uri, "name": uri.rpartition("/")[2]} for uri in folders or []],
            **more,
        }
        result = self.result("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language: str = "python", version: int = 1) -> None:
        """Opens a document."""
        document = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, version: int, *changes: object) -> None:
        """Edits a document: texts, or changes as the protocol has them."""
        made = [{"text": each} if isinstance(each, str) else each for each in changes]
        self.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": made}
        )

    def close(self, uri: str) -> None:
        """Closes a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                byte = stream.read(1)
                if not byte:
                    self.messages.put(head or None)
                    return
                head += byte
            if not head.startswith(b"Content-Length: "):
                self.messages.put(head)
                return
            size = int(head.split(b"\r\n")[0].partition(b":")[2])
            self.messages.put(json.loads(stream.read(size)))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)
