"""One answer for each request, a clean standard output, a log, and features and checks that crash."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from support.lsp import environment, write

if TYPE_CHECKING:
    from pathlib import Path

STATEMENTS = """
import sys, time
import waybook.checks
from waybook.checks.model import TextCheck, DiskCheck
def crash(document, view):
    raise RuntimeError("boom")
def slow(document, view):
    time.sleep(4)
    return []
def noisy(document, view):
    print("to standard output")
    return []
waybook.checks.CHECKS = (*waybook.checks.CHECKS, *[TextCheck(code, code, "warning", run) for code, run in
    (("crashing-check", crash), ("slow-check", slow), ("noisy-check", noisy)) if code in sys.argv[1:]])
if "crashing-hover" in sys.argv[1:]:
    import waybook.editor.hover, waybook.lsp.features.hover
    def hover(*_):
        raise KeyError("hover")
    waybook.lsp.features.hover.answer = hover
from waybook.app import App
from waybook.lsp.server import main
sys.exit(main(App()))
"""


class Wire:
    """A client at the wire: every message the server writes, as it is."""

    def __init__(self, root: Path, data: Path, *flags: str) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", STATEMENTS, *flags]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(data), cwd=root)
        self.root = root
        self.messages: list[dict[str, Any]] = []

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def start(self) -> None:
        params = {"processId": None, "rootUri": self.root.as_uri(), "capabilities": {}}
        self.send(id=0, method="initialize", params=params)
        self.send(method="initialized", params={})

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            assert line.startswith(b"Content-Length: "), f"not the protocol: {line!r}"
            length = int(line.split(b": ")[1])
        found: dict[str, Any] = json.loads(self.process.stdout.read(length))
        self.messages.append(found)
        return found

    def answer(self, request_id: int) -> dict[str, Any]:
        while not (found := [item for item in self.messages if item.get("id") == request_id and "method" not in item]):
            self.read()
        return found[0]

    def published(self, uri: str) -> dict[str, Any]:
        while True:
            found = self.read()
            if found.get("method") == "textDocument/publishDiagnostics" and found["params"]["uri"] == uri:
                return found["params"]

    def end(self) -> bytes:
        """Say goodbye; everything else that was written to standard output belongs to the messages."""
        self.send(id=99999, method="shutdown")
        self.send(method="exit")
        out, errors = self.process.communicate(timeout=20)
        while out:
            head, _, rest = out.partition(b"\r\n\r\n")
            length = int(head.split(b": ")[1])
            self.messages.append(json.loads(rest[:length]))
            out = rest[length:]
        assert self.process.returncode == 0
        return errors


@pytest.fixture
def wire(root: Path, data: Path) -> Any:
    made: list[Wire] = []

    def make(*flags: str) -> Wire:
        made.append(Wire(root, data, *flags))
        return made[-1]

    yield make
    for item in made:
        item.process.kill()
        item.process.communicate()


def hover(uri: str) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}


def test_cancelled_requests_have_exactly_one_answer(root: Path, wire: Any) -> None:
    """Two hundred hovers, each cancelled at once, twice, or after its answer: one answer each, a result or -32800."""
    write(root, "AGENTS.md", "g\n")
    client = wire()
    client.start()
    uri = (root / "x.py").as_uri()
    for number in range(10, 210):
        client.send(id=number, method="textDocument/hover", params=hover(uri))
        if number % 3:
            client.send(method="$/cancelRequest", params={"id": number})
        if number % 5 == 0:
            client.send(method="$/cancelRequest", params={"id": number - 7})
    client.send(method="$/cancelRequest", params={"id": 424242})
    client.answer(209)
    client.end()
    for number in range(10, 210):
        answers = [item for item in client.messages if item.get("id") == number]
        assert len(answers) == 1, number
        assert "result" in answers[0] or answers[0]["error"]["code"] == -32800


def test_requests_out_of_season_are_answered(root: Path, wire: Any) -> None:
    """Before initialize, twice initialize, unknown methods, and after shutdown."""
    client = wire()
    client.send(id=1, method="textDocument/hover", params=hover("file:///x"))
    assert client.answer(1)["error"]["code"] == -32002
    client.start()
    client.send(id=2, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
    assert client.answer(2)["error"]["code"] == -32600
    client.send(id=3, method="no/such", params={})
    assert client.answer(3)["error"]["code"] == -32601
    client.send(id=4, method="shutdown")
    client.send(id=5, method="textDocument/hover", params=hover("file:///x"))
    assert client.answer(5)["error"]["code"] == -32600
    client.send(method="exit")
    assert client.process.wait(20) == 0


def test_malformed_messages_are_answered_and_survived(root: Path, wire: Any) -> None:
    """Parameters that don't fit, bodies that are no JSON or no message: an error where there is an id, and on it goes."""
    write(root, "AGENTS.md", "g\n")
    client = wire()
    client.start()
    client.send(id=1, method="textDocument/hover", params={"textDocument": 7})
    answer = client.answer(1)
    assert answer["error"]["code"] == -32602
    assert answer["error"]["data"]["code"] == "invalid-params"
    for body in (
        b"{",
        b"[]",
        b'"x"',
        b"\xff",
        b'{"id": 2}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": 1}',
    ):
        client.raw(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    client.send(id=3, method="textDocument/hover", params=hover((root / "x.py").as_uri()))
    assert "AGENTS.md" in client.answer(3)["result"]["contents"]["value"]
    assert any(item.get("error", {}).get("code") == -32700 for item in client.messages)
    client.end()


def test_a_crash_in_a_feature_is_logged_and_shown_once(root: Path, data: Path, wire: Any) -> None:
    """Each request has its error answer; the person sees one message; the log has the traceback."""
    write(root, "AGENTS.md", "g\n")
    client = wire("crashing-hover")
    client.start()
    for number in range(1, 6):
        client.send(id=number, method="textDocument/hover", params=hover((root / "x.py").as_uri()))
    for number in range(1, 6):
        error = client.answer(number)["error"]
        assert (error["code"], error["data"]["code"]) == (-32603, "internal")
    client.send(id=7, method="textDocument/codeLens", params={"textDocument": {"uri": (root / "AGENTS.md").as_uri()}})
    assert client.answer(7)["result"]
    time.sleep(0.5)
    errors = client.end()
    shown = [item for item in client.messages if item.get("method") == "window/showMessage"]
    assert len([item for item in shown if "KeyError" in item["params"]["message"]]) == 1
    assert b"KeyError" in errors
    assert not [item for item in client.messages if "Traceback" in json.dumps(item)]


def test_the_log_is_the_persons_alone(root: Path, data: Path, wire: Any) -> None:
    """A file in the data directory, mode 0600; nothing of a document's text in it."""
    write(root, "AGENTS.md", "very private words @docs/none.md\n")
    client = wire()
    client.start()
    client.published((root / "AGENTS.md").as_uri())
    time.sleep(0.5)
    client.end()
    log = data / "lsp.log"
    assert log.stat().st_mode & 0o777 == 0o600
    assert "private words" not in log.read_text()


def test_a_crashing_and_a_noisy_check_cost_nothing_else(root: Path, wire: Any) -> None:
    """The other findings come; the crash is shown once; what a check prints does not reach the protocol."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    client = wire("crashing-check", "noisy-check")
    client.start()
    found = client.published((root / "AGENTS.md").as_uri())
    assert [item["code"] for item in found["diagnostics"]] == ["broken-import"]
    document = {"uri": (root / "AGENTS.md").as_uri(), "languageId": "markdown", "version": 1, "text": "@docs/none.md\n"}
    client.send(method="textDocument/didOpen", params={"textDocument": document})
    while client.published(document["uri"]).get("version") != 1:
        pass
    errors = client.end()
    shown = [item["params"]["message"] for item in client.messages if item.get("method") == "window/showMessage"]
    assert len([message for message in shown if "crashing-check" in message]) == 1
    assert b"to standard output" in errors


def test_a_slow_check_keeps_nobody_waiting(root: Path, wire: Any) -> None:
    """What the others find is shown while it runs, hovers are answered, and it is named once."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    client = wire("slow-check")
    client.start()
    uri = (root / "AGENTS.md").as_uri()
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": "@docs/none.md\n"}
    client.send(method="textDocument/didOpen", params={"textDocument": document})
    client.answer(0)
    started = time.monotonic()
    client.send(id=1, method="textDocument/hover", params=hover((root / "x.py").as_uri()))
    client.answer(1)
    assert time.monotonic() - started < 2
    found = client.published(uri)
    assert [item["code"] for item in found["diagnostics"]] == ["broken-import"]
    assert time.monotonic() - started < 4


async def test_the_loop_stays_free_while_files_are_read(root: Path, wire: Any) -> None:
    """A big workspace is looked at behind the requests."""
    for number in range(300):
        write(root, f"d{number}/AGENTS.md", "- see `docs/none/x.md`\n" * 50)
    client = wire()
    client.start()
    client.answer(0)
    times = []
    for number in range(1, 20):
        started = time.monotonic()
        client.send(id=number, method="textDocument/hover", params=hover((root / "d1/x.py").as_uri()))
        client.answer(number)
        times.append(time.monotonic() - started)
        await asyncio.sleep(0.02)
    assert max(times) < 1
    client.end()
