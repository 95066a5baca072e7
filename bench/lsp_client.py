"""A client that asks one thing at a time and reads what comes, with no library between it and the pipe."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any


class Client:
    """One server process. `capabilities` are few: findings are pushed, hovers are Markdown."""

    def __init__(self, command: list[str], root: str) -> None:
        home = tempfile.mkdtemp()
        environ = {**os.environ, "HOME": home, "WAYBOOK_DATA_DIR": home, "WAYBOOK_CACHE_DIR": home}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
        )
        self._id = 0
        self.root = root

    def begin(self) -> None:
        """The handshake."""
        capabilities = {
            "textDocument": {
                "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
                "hover": {"contentFormat": ["markdown"]},
            }
        }
        uri = Path(self.root).as_uri()
        self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": "w"}],
                "capabilities": capabilities,
            },
        )
        self.tell("initialized", {})

    def tell(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request; what arrives before it is passed over."""
        self._id += 1
        number = self._id
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message.get("result")

    def findings(self, uri: str, version: int) -> list[Any]:
        """The findings pushed for one version of a document."""
        while True:
            message = self._next()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == uri and params.get("version") == version:
                    return list(params["diagnostics"])

    def end(self) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self._process.wait(10)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _next(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        if not length:
            raise SystemExit("the server went away")
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        if "id" in message and "method" in message:  # the server asks: nothing is known here
            nothing = (
                [None for _ in message["params"]["items"]] if message["method"] == "workspace/configuration" else None
            )
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": nothing})
        return message
