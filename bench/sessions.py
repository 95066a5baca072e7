"""Importing Claude Code transcripts, against claude-code-log parsing the same files; and a list of 5,000 sessions.

claude-code-log (read_directory without its cache) only parses; Waybook also masks secrets and keeps everything in its
database. The transcripts are made here, always the same ones: 24 MB for the import, short ones for the list.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from measure import Ratio, compare
from waybook.base.cancel import Progress
from waybook.base.clock import SystemClock
from waybook.base.ids import SystemIds
from waybook.secrets import redact
from waybook.sessions.messages.service import MessageService
from waybook.sessions.transcripts.desk import Scope, SessionDesk
from waybook.sessions.transcripts.readers.model import Places
from waybook.store.store import Store

if TYPE_CHECKING:
    from trees import Made

IMPORTED = 60
LISTED = 5_000
LIST_SECONDS = 0.2
_WORDS = [
    "the",
    "parser",
    "reads",
    "a",
    "line",
    "and",
    "keeps",
    "its",
    "place",
    "so",
    "that",
    "an",
    "import",
    "goes",
    "on",
    "where",
    "it",
    "stopped;",
    "tests",
    "say",
    "what",
    "must",
    "hold",
    "for",
    "every",
    "file,",
    "function,",
    "branch,",
    "table,",
    "column,",
    "message,",
    "session,",
    "fork",
    "and",
    "result",
]


def run(_large: Made, _small: Made) -> list[Ratio]:
    with TemporaryDirectory() as directory:
        base = Path(directory)
        return [_import(base), _list(base)]


def _import(base: Path) -> Ratio:
    from claude_code_log.converter import load_directory_transcripts

    project = base / "home" / ".claude" / "projects" / "-srv-demo"
    size = sum(_session(project, number, turns=50, words=300) for number in range(IMPORTED))
    empty = base / "empty.db"
    _store(empty).close()

    def ours() -> float:
        place = base / "import.db"
        shutil.copyfile(empty, place)
        desk = _desk(_store(place), base / "home")
        began = time.perf_counter()
        outcome = desk.bring("", Progress())
        spent = time.perf_counter() - began
        assert outcome.new_sessions == IMPORTED
        assert not outcome.warnings
        desk._store.close()  # noqa: SLF001 -- the next round starts from an empty database
        place.unlink()
        return spent

    def theirs() -> float:
        began = time.perf_counter()
        messages, _ = load_directory_transcripts(project, None, silent=True)
        spent = time.perf_counter() - began
        assert len(messages) >= IMPORTED
        return spent

    note = f"{size / 1e6:.0f} MB in {IMPORTED} transcripts; masked and kept against parsed"
    return compare("import of transcripts", "claude-code-log", ours, theirs, runs=5, reach=1.0, note=note)


def _list(base: Path) -> Ratio:
    project = base / "many" / ".claude" / "projects" / "-srv-demo"
    for number in range(LISTED):
        _session(project, number, turns=1, words=20)
    desk = _desk(_store(base / "list.db"), base / "many")
    desk.bring("", Progress())
    times = []
    for _ in range(7):
        began = time.perf_counter()
        listed = desk.listing(Scope(), Progress())
        times.append(time.perf_counter() - began)
        assert len(listed.sessions) == LISTED
    times.sort()
    middle = times[len(times) // 2]
    low, high = times[1] / LIST_SECONDS, times[-2] / LIST_SECONDS
    note = f"{LISTED:,} sessions, all files looked at for changes; warm"
    against = f"{LIST_SECONDS * 1000:.0f} ms"
    return Ratio("list of sessions", against, middle / LIST_SECONDS, low, high, middle, LIST_SECONDS, 7, 1.0, note)


def _store(path: Path) -> Store:
    return Store.open(str(path), clock=SystemClock(), ids=SystemIds())


def _desk(store: Store, home: Path) -> SessionDesk:
    return SessionDesk(store, MessageService(store), Places(str(home)), lambda text: redact(text).text)


def _session(project: Path, number: int, turns: int, words: int) -> int:
    """One transcript as Claude Code 2.1 writes it, thoughts, calls and records without words among its lines."""
    pick = random.Random(number)
    session = f"{number:08x}-0000-4000-8000-000000000000"
    lines: list[str] = []
    parent: str | None = None

    def add(kind: str, **fields: Any) -> None:
        nonlocal parent
        uuid = f"{number:08x}-{len(lines):04x}-4000-8000-000000000001"
        shared = {
            "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/srv/demo", "sessionId": session,
            "version": "2.1.332", "gitBranch": "main", "type": kind, "uuid": uuid,
            "timestamp": f"2026-01-{number % 28 + 1:02}T10:{len(lines) // 60 % 60:02}:{len(lines) % 60:02}.000Z",
        }  # fmt: skip
        lines.append(json.dumps({**shared, **fields}) + "\n")
        parent = uuid

    def text(count: int) -> str:
        return " ".join(pick.choices(_WORDS, k=count))

    def answer(block: dict[str, Any]) -> None:
        usage = {"input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 0}
        message = {"id": f"msg_{len(lines)}", "type": "message", "role": "assistant", "model": "claude-sonnet-5"}
        add("assistant", message={**message, "content": [block], "stop_reason": None, "usage": usage})

    for turn in range(turns):
        add("user", message={"role": "user", "content": text(words // 5)})
        add("attachment", attachment={"type": "total_tokens_reminder", "text": text(10)})
        answer({"type": "thinking", "thinking": text(words // 4), "signature": "c2lnbmF0dXJl" * 20})
        answer({"type": "text", "text": text(words)})
        call = f"toolu_{number}_{turn}"
        answer({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": text(6), "description": text(4)}})
        result = {"type": "tool_result", "tool_use_id": call, "content": text(words), "is_error": False}
        add("user", message={"role": "user", "content": [result]}, toolUseResult={"stdout": text(words), "stderr": ""})
    project.mkdir(parents=True, exist_ok=True)
    data = "".join(lines).encode()
    (project / f"{session}.jsonl").write_bytes(data)
    return len(data)
