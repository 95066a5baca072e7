"""opencode: one SQLite database, `opencode.db`, mostly still in its write-ahead log (1.18.33, measured).

Messages have parts; both are JSON in a column. The schema drifts, so columns are looked at first. A fork is a new session
with copied texts and new ids and no pointer: only the copied times, older than the session itself, give it away. Prompts
given to `opencode run` lie there with added quotes, as the model got them.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.model import (
    TITLE_FIRST_PROMPT,
    TITLE_MADE,
    About,
    Call,
    Damage,
    Fact,
    Message,
    Result,
    Source,
    State,
    Unknown,
)
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.store.foreign import ForeignDatabase, opened
from waybook.workspace.transcript_files import copied_database, mark, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "opencode"
_NEEDED = {"session": ("id",), "message": ("id", "session_id", "data"), "part": ("id", "message_id", "data")}
_UNTITLED = re.compile(r"(?:New|Child) session - \d{4}-")
_SILENT = frozenset(
    {"step-start", "step-finish", "patch", "snapshot", "file", "agent", "compaction", "retry", "subtask"}
)


def find(places: Places) -> Iterator[Source]:
    """The database that `OPENCODE_DB` names, else those in the data folder."""
    data = places.folder("XDG_DATA_HOME", ".local", "share")
    folder = os.path.join(data, "opencode")
    named = places.environ.get("OPENCODE_DB", "")
    paths = [os.path.join(folder, named)] if named else []
    if not named:
        found = [name for name, is_directory in names(folder) if not is_directory]
        paths = [os.path.join(folder, name) for name in found if re.fullmatch(r"opencode(?:-[\w.]+)?\.db", name)]
    for path in paths:
        if mark(path) is not None:
            yield Source(AGENT, path, files=(path, path + "-wal"))


def read(source: Source, state: dict[str, Any]) -> Iterator[Fact]:
    """Every session, or those that changed since the newest time that was seen."""
    with copied_database(source.path) as copy, opened(copy) as database:
        have = {table: database.columns(table) for table in _NEEDED}
        for table, needed in _NEEDED.items():
            missing = [name for name in needed if name not in have[table]]
            if missing:
                text = f"the table {table} lacks {', '.join(missing)}; this version of opencode cannot be read"
                yield Damage(0, "schema", text)
                return
        reader = _Reader(database, have)
        since = state.get("since", 0)
        newest, changed = reader.changed(since if isinstance(since, int) else 0)
        for row in reader.sessions():
            if changed is None or row["id"] in changed:
                yield from reader.session(row)
        state["since"] = newest


class _Reader:
    """One open database with the columns it has."""

    def __init__(self, database: ForeignDatabase, have: dict[str, frozenset[str]]) -> None:
        self._database = database
        self._have = have

    def changed(self, since: int) -> tuple[int, set[str] | None]:
        """The newest time in the database, and the sessions that changed from `since` on; None where all count."""
        newest, changed = since, set()
        for table, owner in (("session", "id"), ("message", "session_id"), ("part", "session_id")):
            if not {"time_updated", owner} <= self._have[table]:
                return 0, None
            for session, time in self._database.rows(table, (owner, "time_updated"), least={"time_updated": since}):
                changed.add(session)
                newest = max(newest, time if isinstance(time, int) else 0)
        return newest, changed if since else None

    def sessions(self) -> list[dict[str, Any]]:
        """The rows of all sessions, oldest first."""
        wanted = ("id", "parent_id", "directory", "title", "version", "time_created", "time_updated")
        present = tuple(name for name in wanted if name in self._have["session"])
        order = ("time_created", "id") if "time_created" in present else ("id",)
        return [dict(zip(present, row, strict=True)) for row in self._database.rows("session", present, order=order)]

    def session(self, row: dict[str, Any]) -> Iterator[Fact]:
        """One session with its messages."""
        session = text_of(row.get("id"))
        title = text_of(row.get("title"))
        parent = text_of(row.get("parent_id"))
        yield About(
            session,
            title="" if _UNTITLED.match(title) else title,
            title_rank=TITLE_MADE,
            cwd=text_of(row.get("directory")),
            version=text_of(row.get("version")),
            at=moment(row.get("time_created")),
            parent=parent,
            forked_from="" if parent else self._origin(row),
        )
        named = False
        for message_id, record in self._records("message", {"session_id": session}):
            if record is None:
                yield Damage(0, "damaged", f"the message {message_id} is no JSON object")
                continue
            for fact in self._message(session, message_id, record):
                yield fact
                if isinstance(fact, Message) and fact.kind == "prompt" and not named:
                    named = True
                    yield About(session, title=fact.text, title_rank=TITLE_FIRST_PROMPT)

    def _records(self, table: str, equal: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any] | None]]:
        """(id, data) of rows, in the order they were made; None for data that is no JSON object."""
        # Parts of one message carry the order in their ids; copies of a fork are made within one millisecond.
        order = ("time_created", "id") if table == "message" and "time_created" in self._have[table] else ("id",)
        for key, data in list(self._database.rows(table, ("id", "data"), equal=equal, order=order)):
            try:
                record = json.loads(data)
            except (TypeError, ValueError, RecursionError):
                record = None
            yield text_of(key), record if isinstance(record, dict) else None

    def _origin(self, row: dict[str, Any]) -> str:
        """The session whose history this one copied: the one that shares the longest beginning of message times."""
        made = row.get("time_created")
        if not isinstance(made, int) or "time_created" not in self._have["message"]:
            return ""
        own = self._times(text_of(row.get("id")))
        if not own or own[0] >= made:
            return ""
        best, length = "", 0
        same = self._database.rows("message", ("session_id",), equal={"time_created": own[0]})
        for other in dict.fromkeys(text_of(found) for (found,) in list(same)):
            times = self._times(other)
            (born,) = next(self._database.rows("session", ("time_created",), equal={"id": other}), (None,))
            if other == row.get("id") or not isinstance(born, int) or born >= made:
                continue
            shared = next((n for n, pair in enumerate(zip(own, times, strict=False)) if pair[0] != pair[1]), len(times))
            if shared > length:
                best, length = other, shared
        return best

    def _times(self, session: str) -> list[int]:
        order = ("time_created", "id")
        rows = self._database.rows("message", ("time_created",), equal={"session_id": session}, order=order)
        return [time for (time,) in rows if isinstance(time, int)]

    def _message(self, session: str, message_id: str, record: dict[str, Any]) -> Iterator[Fact]:
        role = text_of(record.get("role"))
        at = moment(object_of(record.get("time")).get("created"))
        if role == "assistant" and text_of(record.get("modelID")):
            yield About(session, model=record["modelID"])
        error = object_of(record.get("error"))
        for key, part in self._records("part", {"message_id": message_id}):
            if part is None:
                yield Damage(0, "damaged", f"the part {key} is no JSON object")
            else:
                yield from _part(session, key, part, record, at)
        if error:
            text = text_of(object_of(error.get("data")).get("message")) or text_of(error.get("name"))
            if text:
                yield Message(session, f"{message_id}/error", "system", "notice", text, at)


def _part(session: str, key: str, part: dict[str, Any], message: dict[str, Any], at: str) -> Iterator[Fact]:
    kind, text = text_of(part.get("type")), text_of(part.get("text"))
    user = message.get("role") == "user"
    if kind == "text":
        if not text.strip() or part.get("ignored") is True:
            return
        if part.get("synthetic") is True:
            yield Message(session, key, "system", "notice", text, at, replaces=True)
        elif user:
            yield Message(session, key, "user", "prompt", text, at, replaces=True)
        elif message.get("summary") is True or message.get("mode") == "compaction":
            yield Message(session, key, "system", "summary", text, at, replaces=True)
        else:
            yield Message(session, key, "assistant", "answer", text, at, replaces=True)
    elif kind == "reasoning":
        if text.strip():
            yield Message(session, key, "assistant", "reasoning", text, at, replaces=True)
    elif kind == "tool":
        yield from _tool(session, key, part, at)
    elif kind not in _SILENT:
        yield Unknown(f"part/{kind or '(none)'}")


def _tool(session: str, key: str, part: dict[str, Any], at: str) -> Iterator[Fact]:
    state, call = object_of(part.get("state")), text_of(part.get("callID")) or key
    times, meta = object_of(state.get("time")), object_of(state.get("metadata"))
    began = moment(times.get("start")) or at
    yield Call(session, key, call, text_of(part.get("tool")), words(state.get("input")), began)
    child = text_of(meta.get("sessionId"))
    if child and part.get("tool") == "task":
        yield About(child, parent=session, parent_call=call)
    status = text_of(state.get("status"))
    if status not in {"completed", "error"}:
        return
    code = meta.get("exit")
    code = code if isinstance(code, int) else None
    output = words(state.get("output")) if status == "completed" else words(state.get("error"))
    found: State = "failed" if status == "error" or code else "ok"
    if status == "error" and "rejected permission" in output:
        found = "rejected"
    output += "".join(f"\n[{text_of(object_of(each).get('mime'))}]" for each in list_of(state.get("attachments")))
    yield Result(session, key, call, output, found, code, moment(times.get("end")))


FORMAT = Format(AGENT, find, document=read)
