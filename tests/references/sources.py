"""A real source for tests: one JSON file a session in a folder, read anew each time; and one that never answers."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from waybook.base.errors import NotFoundError
from waybook.references.model import SessionRecord, SourceMessage, Surface
from waybook.store.tables import messages, metadata, sessions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybook.base.cancel import Progress
    from waybook.store.store import Store


class Folder:
    """Sessions as files `<id>.json`: {"title", "cwd", "updated_at", "messages": [SourceMessage fields]}."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, session_id: str, *messages: dict[str, Any], **about: str) -> None:
        """Write a session; a message's fields default to those of a direct user message."""
        body = {"messages": list(messages), **about}
        (self.path / f"{session_id}.json").write_text(json.dumps(body), encoding="utf-8")

    def delete(self, session_id: str) -> None:
        (self.path / f"{session_id}.json").unlink()

    def sessions(self) -> Iterator[SessionRecord]:
        found = [self._record(path.stem) for path in sorted(self.path.glob("*.json"))]
        return iter(sorted(found, key=lambda record: record.updated_at, reverse=True))

    def find(self, session_id: str) -> SessionRecord | None:
        return self._record(session_id) if (self.path / f"{session_id}.json").exists() else None

    def read(self, session_id: str, progress: Progress) -> Surface:
        progress.step("reading a session")
        if not (self.path / f"{session_id}.json").exists():
            raise NotFoundError(f"There is no session {session_id}.")
        messages = tuple(
            SourceMessage(sequence, **{"origin": "user", **fields})
            for sequence, fields in enumerate(self._body(session_id)["messages"], 1)
        )
        return Surface(self._record(session_id), len(messages), messages)

    def _body(self, session_id: str) -> dict[str, Any]:
        return json.loads((self.path / f"{session_id}.json").read_text(encoding="utf-8"))

    def _record(self, session_id: str) -> SessionRecord:
        body = self._body(session_id)
        messages = body.pop("messages")
        size = sum(len(item["text"].encode()) for item in messages)
        return SessionRecord(session_id, messages=len(messages), size=size, **body)


class Hanging(Folder):
    """Answers for every session but `stuck`, which it never brings until `release` is set."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.entered = threading.Event()
        self.release = threading.Event()

    def read(self, session_id: str, progress: Progress) -> Surface:
        if session_id == "stuck":
            self.entered.set()
            self.release.wait()
        return super().read(session_id, progress)


def said(text: str, **fields: Any) -> dict[str, Any]:
    return {"text": text, **fields}


def add(store: Store, session_id: str, *rows: dict[str, Any], **about: Any) -> None:
    """A session with messages; what is not given has the plainest value."""
    texts = {column.name: "" for column in metadata.tables["sessions"].columns if column.type.python_type is str}
    numbers = dict.fromkeys(("title_rank", "messages", "prompts", "calls", "inherited"), 0)
    values = {**texts, **numbers, "run_id": None, "id": session_id, "native_id": session_id, "agent": "codex", **about}
    with store.write() as connection:
        seq = connection.execute(sessions.insert().values(**values)).inserted_primary_key[0]
        for number, row in enumerate(rows):
            plain = {"key": f"k{number}", "parent": "", "role": "user", "kind": "prompt", "call_id": "", "at": ""}
            marks = {"side": 0, "hidden": 0, "inherited": 0}
            connection.execute(messages.insert().values(**{**plain, **marks, **row, "session_seq": seq}))
