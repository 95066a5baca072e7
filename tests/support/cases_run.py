"""Runs a case: each step is one call of the product, and its outcome is kept under the step's id.

Discovery, pins, drift and confirmations go through the commands, on real files and a real database. `against` says what
`pin` and `drift` mean: a run, or the workspace's baseline. `lsp.*` goes to a real server process.
"""

from __future__ import annotations

import base64
import os
import shutil
import time
import tracemalloc
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from support.cases import FAKES, build, expand
from support.cases_rpc import RpcClient
from support.cases_trace import directories_looked_into
from waybook.app import App
from waybook.base.actor import Actor
from waybook.base.errors import WaybookError
from waybook.base.uris import uri_key, uri_to_path
from waybook.commands.model import Call
from waybook.commands.registry import load

if TYPE_CHECKING:
    from pathlib import Path

CHANGED, CREATED, DELETED = 2, 1, 3


@dataclass
class Outcome:
    """What a step gave: a value, or the error that refused it."""

    value: Any = None
    error: WaybookError | None = None


class Runner:
    """One case in one directory."""

    def __init__(self, case: dict[str, Any], base: Path, against: str) -> None:
        self.root = base / "ws"
        self.against = against
        build(expand(case["tree"], FAKES), self.root)
        self.case = case
        self.outcomes: dict[str, Outcome] = {}
        self.names: dict[str, str] = {}
        self.final_text: dict[str, str] = {}
        self.looked_into: set[str] = set()
        self.client: RpcClient | None = None
        self.app = App(cwd=str(base))
        self.run_id = ""
        self._own_watching = any(step["op"] == "lsp.didChangeWatchedFiles" for step in case["steps"])

    # --- running ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Every step in order; then the server, if one runs, leaves cleanly."""
        for number, raw in enumerate(self.case["steps"]):
            if raw["op"].startswith(("fs.", "lsp.")) or raw["op"] == "hover":
                self._start_server_if_needed(raw["op"])
            self._step(raw, f"step {number}")
        if self.client is not None:
            self.client.settle()
            assert self.client.leave() == 0, "the server leaves with exit code 0"

    def close(self) -> None:
        """Let go of the database and the server."""
        self.app.close()
        if self.client is not None:
            self.client.kill()

    def _step(self, raw: dict[str, Any], name: str) -> None:
        step = expand(raw, {**FAKES, **self._places()})
        method = getattr(self, "op_" + step["op"].replace(".", "_").replace("/", "_"))
        arguments = {key: value for key, value in step.items() if key not in _FRAME}
        began = time.perf_counter()
        if "max_rss_growth_mb" in step:
            tracemalloc.start()
        try:
            if step.get("trace_fs"):
                with directories_looked_into(self.root) as seen:
                    outcome = Outcome(method(**arguments))
                self.looked_into |= seen
            else:
                outcome = Outcome(method(**arguments))
        except WaybookError as error:
            outcome = Outcome(error=error)
        finally:
            peak = tracemalloc.get_traced_memory()[1] if tracemalloc.is_tracing() else 0
            tracemalloc.stop()
        spent = (time.perf_counter() - began) * 1000
        assert spent <= step.get("timeout_ms", 60_000), f"{name} took {spent:.0f} ms"
        assert peak <= step.get("max_rss_growth_mb", 1 << 20) << 20, f"{name} took {peak:,} bytes of memory"
        for key, which in (("save_as", "fingerprint"), ("save_live_as", "live")):
            if key in step:
                self.names["$" + step[key]] = outcome.value[which]
        self.outcomes[step.get("id", name)] = outcome

    def _places(self) -> dict[str, str]:
        base = str(self.root)
        uri = "file://" + quote(base)
        return {"ROOT": base, "BASE": base, "ROOT_URI": uri, "BASE_URI": uri}

    def command(self, command_id: str, **params: Any) -> Any:
        """Call a command as the person at the keyboard."""
        command = load(command_id)
        return command.run(self.app, command.params(**params), Call(Actor("operator", "tester")))

    # --- instructions -------------------------------------------------------------------------------------------------

    def op_discover(self, target: str) -> Any:
        """The snapshot of a target."""
        return self.command("instructions.inspect", workspace=str(self.root), target=target)

    def op_pin(self, target: str) -> Any:
        """Pin as a run or as the workspace's baseline."""
        if self.against == "run":
            made = self.command("runs.create", workspace=str(self.root), goal="case", target=target)
            self.run_id = made.id
            return {"fingerprint": made.fingerprint}
        return {"fingerprint": self.command("instructions.pin", workspace=str(self.root)).fingerprint}

    def op_drift(self) -> Any:
        """The pin beside the disk, in the words of the cases."""
        found = self.command("instructions.drift", workspace=str(self.root), run=self.run_id)
        by_change = {word: [item.path for item in found.files if item.change == word] for word in _CHANGES}
        return {"stale": found.stale, "live": found.expected_live_fingerprint, "revision": found.revision, **by_change}

    def op_confirm(self, expected_pinned: str, expected_live: str) -> Any:
        """Confirm what two fingerprints name; a refusal must leave the pin as it was."""
        before = self.op_drift()["revision"]
        names = {
            "expected_fingerprint": self.names[expected_pinned],
            "expected_live_fingerprint": self.names[expected_live],
        }
        try:
            self.command("instructions.confirm", workspace=str(self.root), run=self.run_id, confirm=True, **names)
        except WaybookError:
            assert self.op_drift()["revision"] == before, "a refused confirmation wrote something"
            raise
        return self.op_drift()

    # --- the disk -----------------------------------------------------------------------------------------------------

    def op_fs_write(self, path: str, content: str = "", bytes_base64: str = "") -> None:
        """Write into the same file."""
        data = base64.b64decode(bytes_base64) if bytes_base64 else content.encode("utf-8", "surrogatepass")
        (self.root / path).write_bytes(data)
        self._tell(path, CHANGED)

    def op_fs_replace(self, path: str, content: str) -> None:
        """Another file in its place."""
        (self.root / path).unlink()
        self.op_fs_write(path, content)

    def op_fs_touch(self, path: str) -> None:
        """Another time, the same bytes."""
        status = (self.root / path).stat()
        os.utime(self.root / path, ns=(status.st_atime_ns, status.st_mtime_ns + 5_000_000_000))
        self._tell(path, CHANGED)

    def op_fs_rename(self, path: str, to: str) -> None:
        """Move over whatever stands there."""
        os.replace(self.root / path, self.root / to)
        self._tell(path, DELETED)
        self._tell(to, CREATED)

    def _tell(self, path: str, kind: int) -> None:
        if self.client is not None and not self._own_watching:
            change = {"uri": f"{self._places()['ROOT_URI']}/{quote(path)}", "type": kind}
            self.client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})

    # --- the language server ------------------------------------------------------------------------------------------

    def _start_server_if_needed(self, op: str) -> None:
        speaks = any(step["op"].startswith("lsp.") or step["op"] == "hover" for step in self.case["steps"])
        if self.client is None and speaks and op != "lsp.initialize":
            self.op_lsp_initialize(rootUri=self._places()["ROOT_URI"], workspaceFolders=["."])

    @property
    def server(self) -> RpcClient:
        """The client; a case that speaks has one."""
        assert self.client is not None
        return self.client

    def _folders(self, relative: list[str]) -> list[dict[str, str]]:
        paths = [(self.root / item).resolve() for item in relative]
        return [{"uri": "file://" + quote(str(path)), "name": path.name} for path in paths]

    def op_lsp_initialize(self, **params: Any) -> Any:
        """A new server process."""
        if self.client is not None:
            assert self.client.leave() == 0
            self.client.kill()
        self.client = RpcClient(self.root)
        params.pop("root", None)
        params.setdefault("rootUri", None)
        if params.get("workspaceFolders"):
            params["workspaceFolders"] = self._folders(params["workspaceFolders"])
        answer = self.client.initialize(**params)
        assert "error" not in answer, answer
        return answer["result"]

    def op_hover(self, target: str) -> Any:
        """Hover on the first character of a file."""
        return self.op_lsp_hover(f"{self._places()['ROOT_URI']}/{quote(target)}")

    def op_lsp_hover(self, uri: str, position: dict[str, int] | None = None) -> Any:
        """The hover's text, None without one."""
        return self._hover_text(self.server.request("textDocument/hover", _at(uri, position)))

    def _hover_text(self, answer: dict[str, Any]) -> str | None:
        assert "error" not in answer, answer
        return answer["result"] and answer["result"]["contents"]["value"]

    def op_lsp_request(self, method: str, uri: str, rpc_id: int, *, no_wait: bool = False) -> Any:
        """A request under an id of the case's own."""
        if no_wait:
            return {"rpc_id": self.server.send_request(method, _at(uri, None), rpc_id)}
        return self._hover_text(self.server.request(method, _at(uri, None), rpc_id))

    def op_lsp_notify(self, method: str, params: Any) -> None:
        """Any notification."""
        self.server.notify(method, params)

    def op_lsp_didOpen(self, uri: str, text: str, version: int) -> None:  # noqa: N802 - the protocol's word
        """Open a document."""
        self.final_text[uri] = text
        document = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.server.notify("textDocument/didOpen", {"textDocument": document})

    def op_lsp_didChange(  # noqa: N802 - the protocol's word
        self,
        uri: str,
        version: int,
        contentChanges: list[Any],  # noqa: N803 - the protocol's word
        *,
        no_wait: bool = False,
    ) -> None:
        """Change it; the same changes go through the server's own function, whose result the case looks at."""
        from waybook.lsp.documents import Change, apply_changes

        changes = [
            Change(item["text"], _place(item["range"]["start"]), _place(item["range"]["end"]))
            if "range" in item
            else Change(item["text"])
            for item in contentChanges
        ]
        self.final_text[uri] = apply_changes(self.final_text[uri], changes, "utf-16")
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": contentChanges}
        self.server.notify("textDocument/didChange", params)
        if not no_wait:
            self.server.settle()

    def op_lsp_didChangeWatchedFiles(self, changes: list[Any]) -> None:  # noqa: N802 - the protocol's word
        """What a client's watcher says."""
        self.server.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def op_lsp_didChangeWorkspaceFolders(self, removed: list[str]) -> None:  # noqa: N802 - the protocol's word
        """Folders go."""
        event = {"added": [], "removed": self._folders(removed)}
        self.server.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    def op_lsp_settle(self) -> Any:
        """Quiet, then the findings of every document."""
        self.server.settle()
        return self.server.diagnostics()

    def op_lsp_diagnostics(self, uri: str = "") -> Any:
        """Quiet, then the findings: of one document, or of all."""
        found = self.op_lsp_settle()
        return found.get(uri, []) if uri else [item for items in found.values() for item in items]

    # --- pure functions -----------------------------------------------------------------------------------------------

    def op_uri_key(self, platform: str, uris: list[str]) -> Any:
        """One key for each URI."""
        return [uri_key(uri, windows=platform == "windows") for uri in uris]

    def op_uri_to_path(self, platform: str, uris: list[str]) -> Any:
        """One path for each URI."""
        return [uri_to_path(uri, windows=platform == "windows") for uri in uris]


_FRAME = {"op", "id", "timeout_ms", "max_rss_growth_mb", "trace_fs", "save_as", "save_live_as"}
_CHANGES = ("added", "changed", "removed")


def _at(uri: str, position: dict[str, int] | None) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": position or {"line": 0, "character": 0}}


def _place(position: dict[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]


def remove(base: Path) -> None:
    """Take a large tree away, so that temporary directories stay small."""
    shutil.rmtree(base, ignore_errors=True)
