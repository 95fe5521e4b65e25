"""What a client sees on the wire: framing, order, errors, the end of a session, and nothing else on standard output."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time

import pytest
from wire import Wire

BROKEN = """\
from onnxscript import FLOAT, script
from onnxscript import opset20 as op

@script()
def f(x: FLOAT["N", 4], y: FLOAT[3, "M"]):
    return op.MatMul(x, y)
"""
URI = "file:///work/net.py"


def test_a_session_from_beginning_to_end():
    with Wire() as wire:
        info = wire.initialize()
        assert info["serverInfo"]["name"] == "onnxls"
        wire.open(URI, BROKEN)
        (found,) = wire.diagnostics(URI, 1)
        assert found["source"] == "onnxls"
        assert found["codeDescription"]["href"].endswith("/matmul-inner-mismatch.md")
        wire.change(URI, 2, BROKEN.replace("[3,", "[4,"))
        assert wire.diagnostics(URI, 2) == []
        wire.change(URI, 3, BROKEN)
        assert len(wire.diagnostics(URI, 3)) == 1
        wire.close(URI)
        assert wire.diagnostics(URI) == []
        assert wire.result("shutdown") is None
        assert wire.request("textDocument/hover", {})["error"]["code"] == -32600
        wire.notify("exit")
        assert wire.process.wait(10) == 0


def test_exit_without_shutdown_is_a_failure():
    with Wire() as wire:
        wire.initialize()
        wire.notify("exit")
        assert wire.process.wait(10) == 1


def test_the_end_of_input_ends_the_server_also_while_it_works():
    with Wire() as wire:
        wire.initialize()
        wire.open(URI, BROKEN)
        assert wire.process.stdin is not None
        wire.process.stdin.close()
        started = time.monotonic()
        wire.process.wait(10)
        assert time.monotonic() - started < 2


def test_the_end_of_the_parent_ends_the_server():
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    with Wire() as wire:
        wire.initialize(processId=parent.pid)
        parent.kill()
        try:
            assert wire.process.wait(20) == 1
        finally:
            parent.wait()


def test_requests_before_the_beginning_and_a_second_beginning_are_refused():
    with Wire() as wire:
        assert wire.request("textDocument/hover", {})["error"]["code"] == -32002
        wire.initialize()
        assert wire.request("initialize", {"capabilities": {}})["error"]["code"] == -32600
        assert wire.request("no/such/method", {})["error"]["code"] == -32601


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"what is this\r\n\r\nContent-Length: %d\n\n",
        b"\x00\xff" * 50_000 + b"\nContent-Length: x\r\n\r\nContent-Length: %d\r\n\r\n",
    ],
)
def test_headers_of_any_case_and_garbage_before_them(header: bytes):
    with Wire() as wire:
        wire.initialize()
        body = json.dumps({"jsonrpc": "2.0", "id": "x", "method": "shutdown"}).encode()
        wire.raw(header.replace(b"%d", b"%d" % len(body)) + body)
        assert wire.answer("x")["result"] is None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"17", -32600),
        (b'{"id": 1, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": [], "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": "y", "method": "textDocument/hover", "params": {"textDocument": 3}}', -32602),
        (b'{"jsonrpc": "2.0", "id": "y", "method": "textDocument/diagnostic"}', -32602),
        (b'{"jsonrpc": "2.0", "id": "y", "method": "onnxls/modelText", "params": {"uri": 7}}', -32602),
        (
            b'{"jsonrpc": "2.0", "id": "y", "method": "onnxls/graph",'
            b' "params": {"uri": "a.py", "position": {"line": -1, "character": 0}}}',
            -32602,
        ),
    ],
)
def test_a_body_that_is_not_understood_is_answered_and_ends_nothing(body: bytes, code: int):
    with Wire() as wire:
        wire.initialize()
        wire.body(body)
        answer = wire.wait(lambda message: "error" in message)
        assert answer["error"]["code"] == code
        assert "Traceback" not in json.dumps(answer)
        wire.body(b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": null}}')
        wire.body(b'{"jsonrpc": "2.0", "id": "no such request", "result": {}}')
        wire.body(b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": {}}}')
        assert wire.result("shutdown") is None
        assert not wire.errors


def test_what_is_printed_does_not_reach_the_client():
    noisy = (
        "import os, sys; from onnxls_server.session import analyst; print('before');"
        "old = analyst.Analyst.analyse\n"
        "def analyse(*arguments):\n"
        "    print('in the analysis'); os.write(1, b'from below'); os.system('echo from a child')\n"
        "    return old(*arguments)\n"
        "analyst.Analyst.analyse = analyse\n"
        "from onnxls_server.cli import main; sys.exit(main(['server']))"
    )
    with Wire(command=[sys.executable, "-c", noisy.replace("print('before');", "")]) as wire:
        wire.initialize()
        wire.open(URI, BROKEN)
        assert len(wire.diagnostics(URI, 1)) == 1
        assert wire.result("shutdown") is None
        assert b"from below" in b"".join(wire.errors)


SLOW = """\
import sys, time
from onnxls_server.session import analyst
from onnxls_server.session.scheduler import StopWork
quick = analyst.Analyst.analyse
def slow(self, order, cancelled):
    started = time.monotonic()
    while order.text and "# slow" in order.text and time.monotonic() - started < 30:
        if "# deaf" not in order.text and cancelled():
            raise StopWork
        time.sleep(0.01)
    if "# broken" in (order.text or ""):
        raise RuntimeError("no such luck")
    return quick(self, order, cancelled)
analyst.Analyst.analyse = slow
from onnxls_server.session import scheduler
scheduler.TIME_LIMIT, scheduler.GRACE = 1.0, 1.0
from onnxls_server.cli import main
sys.exit(main(["server"]))
"""


def slow_server() -> Wire:
    """A server on which a text with `# slow` takes half a minute, and one with `# deaf` is not stopped, too."""
    return Wire(command=[sys.executable, "-c", SLOW])


def test_a_request_that_is_cancelled_is_answered_at_once():
    with slow_server() as wire:
        wire.initialize()
        wire.open(URI, BROKEN + "# slow")
        asked = wire.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        wire.notify("$/cancelRequest", {"id": asked})
        assert wire.answer(asked, 20)["error"]["code"] == -32800


def test_the_newest_version_wins():
    with slow_server() as wire:
        wire.initialize()
        wire.open(URI, BROKEN + "# slow")
        for version in range(2, 5):
            wire.change(URI, version, BROKEN + "# slow" + "!" * version)
        wire.change(URI, 5, BROKEN)
        started = time.monotonic()
        assert len(wire.diagnostics(URI, 5)) == 1
        assert time.monotonic() - started < 20
        published = [each for each in wire.passed if each.get("method") == "textDocument/publishDiagnostics"]
        assert [each["params"]["version"] for each in published] == [5]


@pytest.mark.parametrize("mark", ["# slow", "# slow # deaf"])
def test_what_takes_too_long_is_told_and_holds_up_nothing(mark: str):
    with slow_server() as wire:
        wire.initialize()
        wire.open("file:///work/slow.py", BROKEN + mark)
        wire.open(URI, BROKEN)
        assert [each["code"] for each in wire.diagnostics("file:///work/slow.py")] == ["OLS591"]
        assert [each["code"] for each in wire.diagnostics(URI)] == ["OLS120"]
        assert wire.result("shutdown") is None
        wire.notify("exit")
        started = time.monotonic()
        assert wire.process.wait(10) == 0
        assert time.monotonic() - started < 5


def test_a_fault_of_the_engine_is_told_and_logged():
    with slow_server() as wire:
        wire.initialize()
        wire.open(URI, BROKEN + "# broken")
        (found,) = wire.diagnostics(URI)
        assert found["code"] == "OLS592"
        assert "no such luck" in found["message"]
        wire.change(URI, 2, BROKEN)
        assert [each["code"] for each in wire.diagnostics(URI, 2)] == ["OLS120"]
        assert b"Traceback" in b"".join(wire.errors)


def test_a_socket_instead_of_standard_streams():
    with Wire("--tcp", "127.0.0.1:0") as wire:
        end = time.monotonic() + 30
        while not wire.errors and time.monotonic() < end:
            time.sleep(0.02)
        port = int(wire.errors[0].rpartition(b":")[2])
        with socket.create_connection(("127.0.0.1", port)) as connected:
            body = json.dumps(
                {
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "initialize",
                    "params": {"processId": os.getpid(), "capabilities": {}},
                }
            ).encode()
            connected.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            assert b'"serverInfo"' in connected.recv(1 << 20)
        assert wire.process.wait(10) == 1


def test_a_bad_address_is_told():
    with Wire("--tcp", "nowhere") as wire:
        assert wire.process.wait(30) == 2
