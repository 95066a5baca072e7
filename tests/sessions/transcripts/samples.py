"""Homes that real agents wrote, unpacked; and what an import made of them, in the words of their `expected.json`."""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.helpers import open_store
from waybook.base.cancel import Progress
from waybook.secrets import redact
from waybook.sessions.messages import repository
from waybook.sessions.messages.order import arranged
from waybook.sessions.transcripts.readers.model import Places
from waybook.sessions.transcripts.service import ImportService, Outcome, find

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.sessions.messages.model import Message, Session
    from waybook.store.store import Store

FOLDER = Path(__file__).parents[3] / "fixtures" / "transcripts"
INVENTED = FOLDER / "invented"
OK = {"ok": True, "failed": False, "rejected": False, "unfinished": None}
_PLACEHOLDER = "FAKE-TOKEN-PLACEHOLDER-" + "." * 100
AGENTS = {
    "claude": "claude-code", "cline": "cline", "codex": "codex", "copilot": "copilot-cli", "gemini": "gemini-cli",
    "opencode": "opencode", "pi": "pi", "qwen": "qwen-code", "vibe": "vibe",
}  # fmt: skip


@cache
def scenarios() -> tuple[str, ...]:
    """`agent/scenario` of every recorded home."""
    found = []
    for archive in sorted(FOLDER.glob("*.tar.xz")):
        with tarfile.open(archive) as tar:
            names = {name.split("/")[0] for name in tar.getnames()}
        found += [f"{archive.name.removesuffix('.tar.xz')}/{name}" for name in sorted(names)]
    return tuple(found)


def unpack(scenario: str, target: Path) -> dict[str, Any]:
    """Lay a recorded home out below `target`; returns its `expected.json`. Its token, if it has one, is put together here."""
    agent, _, name = scenario.partition("/")
    with tarfile.open(FOLDER / f"{agent}.tar.xz") as tar:
        members = [member for member in tar.getmembers() if member.name.startswith(f"{name}/")]
        contents = {member.name[len(name) + 1 :]: tar.extractfile(member).read() for member in members}
    expected: dict[str, Any] = json.loads(contents["expected.json"])
    token = secret(expected)
    for path, data in contents.items():
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data.replace(_PLACEHOLDER[: len(token)].encode(), token.encode()) if token else data)
    return expected


def secret(expected: dict[str, Any]) -> str:
    """The token that stands in the tool outputs of a scenario; empty where there is none."""
    found = expected.get("secret") or {}
    return found.get("prefix", "") + found.get("rest", "")


def mask(text: str) -> str:
    """What the program masks with."""
    return redact(text).text


def fingerprint(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Bytes, modification time and mode of everything below a folder, folders included."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = (digest, status.st_mtime_ns, status.st_mode)
    return found


class Library:
    """A store, and imports into it."""

    def __init__(self, path: Path) -> None:
        self.store: Store = open_store(str(path))

    def bring(self, home: Path | str, agent: str = "") -> Outcome:
        """Import everything below a home."""
        return ImportService(self.store, mask).run(find(Places(str(home)), agent), Progress())

    def sessions(self, **rules: Any) -> tuple[Session, ...]:
        """Sessions with subagents unless rules say otherwise."""
        with self.store.read() as connection:
            return repository.list_sessions(connection, **{"children": True, **rules})

    def messages(self, name: str) -> tuple[Message, ...]:
        """The messages of a session, as shown."""
        with self.store.read() as connection:
            ((seq, _),) = repository.find(connection, name)
            return arranged(repository.read(connection, seq))

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that is kept of conversations, without row numbers and times of import."""
        keep = "s.agent, s.native_id"
        queries = {
            "sessions": "SELECT id, title, cwd, branch, version, model, parent, parent_call, forked_from, fork_point, "
            "started_at, updated_at, messages, prompts, calls, inherited FROM sessions ORDER BY id",
            "messages": f"SELECT {keep}, key, m.parent, role, kind, text, call_id, at, side, hidden, m.inherited "
            "FROM messages AS m JOIN sessions AS s ON s.seq = session_seq ORDER BY s.id, m.seq",
            "receipts": f"SELECT {keep}, call_id, message_key, name, arguments, output, state, exit_code, finished_at "
            "FROM tool_receipts JOIN sessions AS s ON s.seq = session_seq ORDER BY s.id, call_id",
        }
        with self.store.read() as connection:
            return {name: [tuple(row) for row in connection.exec_driver_sql(query)] for name, query in queries.items()}


def conversation(messages: Iterable[Message]) -> dict[str, Any]:
    """Messages in the words of `expected.json`."""
    own = [message for message in messages if not message.inherited]
    return {
        "prompts": [message.text for message in own if message.kind == "prompt"],
        "assistant": [message.text for message in own if message.kind == "answer"],
        "tool_calls": [
            {
                "name": message.receipt.name,
                "ok": OK[message.receipt.state],
                "id": message.receipt.call_id,
                "args": json.loads(message.receipt.arguments),
                "exit_code": message.receipt.exit_code,
            }
            for message in own
            if message.kind == "call" and message.receipt
        ],
    }


def disk_space_of(folder: Path) -> bytes:
    """Every byte that a store wrote."""
    return b"".join(Path(root, name).read_bytes() for root, _, names in os.walk(folder) for name in names)
