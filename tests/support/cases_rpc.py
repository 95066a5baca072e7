"""A language client with nothing between the test and the wire: ids, odd URIs and the order of messages are its own.

It starts `waybook lsp` as an editor does, over standard input and output, and keeps everything the server sends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 20.0
QUIET_SECONDS = 0.7
BUSY_SECONDS = 0.03
"""Processor time within the quiet time that means work; a crowded machine stretches the work, not this."""

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "synchronization": {"didSave": True},
    },
    "workspace": {
        "workspaceFolders": True,
        "configuration": False,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
}


class RpcClient:
    """One server process. Requests from the server are answered with null."""

    def __init__(self, cwd: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "waybook", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env=dict(os.environ),
        )
        self.messages: list[dict[str, Any]] = []
        self._arrived = threading.Condition()
        self._last = time.monotonic()
        self._writing = threading.Lock()
        self._ids = iter(range(1_000_000, 2_000_000))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # --- out ----------------------------------------------------------------------------------------------------------

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def send_request(self, method: str, params: Any, request_id: int | None = None) -> int:
        """Send a request without waiting; its id."""
        request_id = next(self._ids) if request_id is None else request_id
        self._send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        return request_id

    def request(self, method: str, params: Any, request_id: int | None = None) -> dict[str, Any]:
        """Send a request and wait for its answer, the whole response message."""
        return self.response(self.send_request(method, params, request_id))

    def initialize(self, **params: Any) -> dict[str, Any]:
        """The handshake; the answer to `initialize`."""
        answer = self.request("initialize", {"processId": os.getpid(), "capabilities": CAPABILITIES, **params})
        self.notify("initialized", {})
        return answer

    def leave(self) -> int:
        """`shutdown`, `exit`, and the process's exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE_SECONDS)

    def kill(self) -> None:
        """Make sure that nothing is left."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(PATIENCE_SECONDS)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        with self._writing:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self.process.stdin.flush()

    # --- in -----------------------------------------------------------------------------------------------------------

    def response(self, request_id: int) -> dict[str, Any]:
        """Wait for the answer to a request."""
        self.wait_until(lambda: bool(self.responses(request_id)), f"no answer to request {request_id}")
        return self.responses(request_id)[0]

    def responses(self, request_id: int) -> list[dict[str, Any]]:
        """Every answer to a request so far."""
        return [item for item in self.messages if item.get("id") == request_id and "method" not in item]

    def publishes(self, uri: str = "") -> list[dict[str, Any]]:
        """The parameters of every publish so far, in order."""
        found = [item["params"] for item in self.messages if item.get("method") == "textDocument/publishDiagnostics"]
        return [item for item in found if not uri or item["uri"] == uri]

    def diagnostics(self) -> dict[str, list[dict[str, Any]]]:
        """The last publish by URI."""
        return {item["uri"]: item["diagnostics"] for item in self.publishes()}

    def settle(self) -> None:
        """Wait until the server has said nothing and worked on nothing for a while, counted from now."""
        since, (spent, _) = time.monotonic(), _work(self.process.pid)

        def quiet() -> bool:
            nonlocal since, spent
            now, (used, waiting) = time.monotonic(), _work(self.process.pid)
            if waiting or used - spent > BUSY_SECONDS or self._last > since:
                since, spent = now, used
            return now - since > QUIET_SECONDS

        self.wait_until(quiet, "the server does not become quiet")

    def wait_until(self, holds: Any, failure: str) -> None:
        """Wait for a condition about the messages."""
        end = time.monotonic() + PATIENCE_SECONDS
        with self._arrived:
            while not holds():
                if self.process.poll() is not None:
                    raise AssertionError(f"{failure}: the server ended with {self.process.returncode}")
                if time.monotonic() > end:
                    raise AssertionError(failure)
                self._arrived.wait(0.1)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.decode("ascii").partition(":")
                if name.lower() == "content-length":
                    length = int(value)
                header = stream.readline()
            message = json.loads(stream.read(length))
            if "method" in message and "id" in message:
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            with self._arrived:
                self.messages.append(message)
                self._last = time.monotonic()
                self._arrived.notify_all()


def _work(pid: int) -> tuple[float, bool]:
    """(processor seconds used, whether a thread wants the processor now), where /proc tells."""
    try:
        fields = _stat(Path(f"/proc/{pid}/stat"))
        waiting = any(_stat(task / "stat")[0] == "R" for task in Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return 0.0, False
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), waiting


def _stat(path: Path) -> list[str]:
    """The fields after the program's name: the state first, user and system ticks at 11 and 12."""
    return path.read_text().rpartition(")")[2].split()
