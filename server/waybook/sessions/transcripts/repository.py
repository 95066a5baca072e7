"""The SQL of sessions of agents: applying facts, linking forks, remembering files, and asking."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.forks import Node, copied, digest, session_id
from waybook.sessions.transcripts.model import (
    COUNTED,
    About,
    Call,
    Fact,
    Message,
    Result,
    Rewind,
    orphan_key,
)
from waybook.sessions.transcripts.state import FileState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection


_MESSAGE = """
    INSERT INTO messages (session_seq, key, parent, role, kind, text, call_id, at, side, hidden, inherited)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)
    ON CONFLICT (session_seq, key) DO UPDATE SET text = excluded.text, kind = excluded.kind, role = excluded.role
    WHERE ? AND excluded.text <> '' AND (text <> excluded.text OR kind <> excluded.kind)
"""
_RECEIPT = """
    INSERT INTO tool_receipts
        (session_seq, call_id, message_key, name, arguments, output, state, exit_code, started_at, finished_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (session_seq, call_id) DO UPDATE SET
        name = CASE excluded.name WHEN '' THEN name ELSE excluded.name END,
        arguments = CASE excluded.arguments WHEN '' THEN arguments ELSE excluded.arguments END,
        output = excluded.output, state = excluded.state, exit_code = excluded.exit_code,
        finished_at = excluded.finished_at
    WHERE state = 'unfinished' OR (excluded.state <> 'unfinished' AND output = '' AND excluded.output <> '')
"""
_HIDE = """
    UPDATE messages SET hidden = 1 WHERE session_seq = ? AND hidden = 0
    AND seq >= (SELECT seq FROM messages WHERE session_seq = ? AND key = ?)
    AND seq <= COALESCE((SELECT seq FROM messages WHERE session_seq = ? AND key = ?), 9223372036854775807)
"""
_FORKS = """
    SELECT seq, native_id, forked_from, fork_point FROM sessions
    WHERE agent = ? AND native_id = ? AND forked_from <> ''
    UNION SELECT seq, native_id, forked_from, fork_point FROM sessions WHERE agent = ? AND forked_from = ?
"""
_COUNT = """
    SELECT kind, inherited, hidden, COUNT(*), MIN(NULLIF(at, '')), MAX(at) FROM messages WHERE session_seq = ?
    GROUP BY kind, inherited, hidden
"""
_MERGED = (
    "title",
    "title_rank",
    "cwd",
    "branch",
    "version",
    "model",
    "parent",
    "parent_call",
    "forked_from",
    "fork_point",
)
_LOAD = f"SELECT seq, messages, {', '.join(_MERGED)}, path FROM sessions WHERE agent = ? AND native_id = ?"  # noqa: S608 - fixed names


@dataclass(slots=True)
class _Session:
    """A session's row while facts about it arrive."""

    seq: int
    values: dict[str, Any]
    empty: bool
    dirty: bool = False
    last_key: str = ""
    open: dict[str, list[Any]] = field(default_factory=dict)


class Writer:
    """Applies the facts of one source, in one transaction or several. `path` is the source's."""

    def __init__(self, agent: str, path: str, now: str) -> None:
        self._agent = agent
        self._path = path
        self._now = now
        self._known: dict[str, _Session] = {}
        self._rows: list[tuple[Any, ...]] = []
        self.new_sessions = 0
        self.new_messages = 0

    def apply(self, connection: Connection, facts: Iterable[Fact]) -> None:
        """Write facts within the caller's transaction."""
        top = connection.exec_driver_sql("SELECT COALESCE(MAX(seq), 0) FROM messages").scalar_one()
        for fact in facts:
            match fact:
                case Message():
                    session = self._session(connection, fact.session)
                    session.last_key = fact.key
                    self._row(session, fact, fact.role, fact.kind, fact.text, "", replaces=fact.replaces)
                case Call():
                    session = self._session(connection, fact.session)
                    session.last_key = fact.key
                    self._row(session, fact, "assistant", "call", "", fact.call_id)
                    self._call(session, fact)
                case Result():
                    self._result(connection, self._session(connection, fact.session), fact)
                case Rewind():
                    self._flush(connection)
                    session = self._session(connection, fact.session)
                    seq = session.seq
                    connection.exec_driver_sql(_HIDE, (seq, seq, fact.key, seq, session.last_key))
                case About():
                    if not fact.only_known or self._is_known(connection, fact.session):
                        self._about(self._session(connection, fact.session), fact)
                case _:
                    pass
        self._flush(connection)
        kinds = ", ".join(repr(kind) for kind in COUNTED)
        count = f"SELECT COUNT(*) FROM messages WHERE seq > ? AND kind IN ({kinds})"  # noqa: S608 - fixed kinds
        self.new_messages += connection.exec_driver_sql(count, (top,)).scalar_one()

    def _row(
        self,
        session: _Session,
        fact: Message | Call,
        role: str,
        kind: str,
        text: str,
        call_id: str,
        *,
        replaces: bool = False,
    ) -> None:
        if session.empty:  # its first words: this is the file it lies in, whoever spoke of it before
            session.empty = False
            session.dirty |= session.values["path"] != self._path
            session.values["path"] = self._path
        shared = (call_id, fact.at, int(fact.side), int(replaces))
        self._rows.append((session.seq, fact.key, fact.parent, role, kind, text, *shared))

    @staticmethod
    def _call(session: _Session, fact: Call) -> None:
        row = session.open.get(fact.call_id)
        if row is None:
            session.open[fact.call_id] = [
                session.seq, fact.call_id, fact.key, fact.name, fact.arguments, "", "unfinished", None, fact.at, "",
            ]  # fmt: skip
        elif row[6] == "unfinished":
            row[3], row[4] = fact.name or row[3], fact.arguments or row[4]

    def _result(self, connection: Connection, session: _Session, fact: Result) -> None:
        row = session.open.get(fact.call_id)
        if row is None:
            query = "SELECT state FROM tool_receipts WHERE session_seq = ? AND call_id = ?"
            found = connection.exec_driver_sql(query, (session.seq, fact.call_id)).one_or_none()
            if found is None:
                node = (session.seq, orphan_key(fact), "", "tool", "result", "", fact.call_id, fact.at, 0, 0)
                self._rows.append(node)
            row = [session.seq, fact.call_id, orphan_key(fact), fact.name, "", "", "unfinished", None, "", ""]
            session.open[fact.call_id] = row
        if row[6] != "unfinished" and (row[5] or not fact.output):
            return  # the first account of a result stands, as it does in the database
        row[5], row[6], row[7], row[9] = fact.output, fact.state, fact.exit_code, fact.at

    def _flush(self, connection: Connection) -> None:
        if self._rows:
            connection.exec_driver_sql(_MESSAGE, self._rows)
            self._rows = []
        receipts = [tuple(row) for session in self._known.values() for row in session.open.values()]
        if receipts:
            connection.exec_driver_sql(_RECEIPT, receipts)
        for session in self._known.values():
            session.open.clear()
            if session.dirty:
                names = ", ".join(f"{name} = ?" for name in session.values)
                change = f"UPDATE sessions SET {names} WHERE seq = ?"  # noqa: S608 - fixed names
                connection.exec_driver_sql(change, (*session.values.values(), session.seq))
                session.dirty = False

    def _session(self, connection: Connection, native_id: str) -> _Session:
        known = self._known.get(native_id)
        if known is None:
            known = self._known[native_id] = self._load(connection, native_id)
        return known

    def _is_known(self, connection: Connection, native_id: str) -> bool:
        if native_id in self._known:
            return True
        query = "SELECT 1 FROM sessions WHERE agent = ? AND native_id = ?"
        return connection.exec_driver_sql(query, (self._agent, native_id)).first() is not None

    def _load(self, connection: Connection, native_id: str) -> _Session:
        row = connection.exec_driver_sql(_LOAD, (self._agent, native_id)).one_or_none()
        if row is not None:
            seq, messages, *rest = row
            return _Session(seq, dict(zip((*_MERGED, "path"), rest, strict=True)), empty=not messages)
        fresh: dict[str, Any] = {name: 0 if name == "title_rank" else "" for name in _MERGED} | {"path": self._path}
        values: dict[str, Any] = {
            "id": session_id(self._agent, native_id), "agent": self._agent, "native_id": native_id,
            "imported_at": self._now, "started_at": "", "updated_at": "", "messages": 0, "prompts": 0, "calls": 0,
            "inherited": 0, **fresh,
        }  # fmt: skip
        places = ", ".join("?" * len(values))
        insert = f"INSERT INTO sessions ({', '.join(values)}) VALUES ({places}) RETURNING seq"  # noqa: S608 - fixed names
        seq = connection.exec_driver_sql(insert, tuple(values.values())).scalar_one()
        self.new_sessions += 1
        return _Session(seq, {**fresh, "started_at": ""}, empty=True)

    @staticmethod
    def _about(session: _Session, fact: About) -> None:
        values = session.values
        if fact.title and merge_title(values["title_rank"], fact.title_rank):
            session.dirty |= values["title"] != fact.title
            values["title"], values["title_rank"] = fact.title, fact.title_rank
        for name in ("cwd", "branch", "parent", "parent_call", "forked_from", "fork_point"):
            value = getattr(fact, name)
            if value and not values[name]:
                values[name] = value
                session.dirty = True
        for name in ("version", "model"):
            value = getattr(fact, name)
            if value and value != values[name]:
                values[name] = value
                session.dirty = True
        if fact.at and values.get("started_at") == "":
            values["started_at"] = fact.at
            session.dirty = True

    def finish(self, connection: Connection) -> None:
        """Count anew and link forks, once a source has been applied as a whole."""
        self._flush(connection)
        natives = list(self._known)
        for native_id in natives:
            link(connection, self._agent, native_id)
        for session in self._known.values():
            recount(connection, session.seq)


def merge_title(known: int, new: int) -> bool:
    """Whether a title of this rank replaces one: the first of first prompts stays, of the others the last."""
    return new > known or (new == known and new > 1)


def recount(connection: Connection, seq: int) -> None:
    """Write a session's counters and times from its messages; one without messages keeps its times."""
    values = {"messages": 0, "prompts": 0, "calls": 0, "inherited": 0}
    first, last = "", ""
    for kind, inherited, hidden, count, least, most in connection.exec_driver_sql(_COUNT, (seq,)):
        if inherited:
            values["inherited"] += count if kind in COUNTED else 0
            continue
        first = min(first or least or "", least or first)
        last = max(last, most or "")
        if hidden:
            continue
        values["messages"] += count if kind in COUNTED else 0
        values["prompts"] += count if kind == "prompt" else 0
        values["calls"] += count if kind == "call" else 0
    numbers = tuple(values.values())
    if first:
        change = "messages = ?, prompts = ?, calls = ?, inherited = ?, started_at = ?, updated_at = ?"
        connection.exec_driver_sql(f"UPDATE sessions SET {change} WHERE seq = ?", (*numbers, first, last, seq))  # noqa: S608 - fixed
        return
    change = "messages = ?, prompts = ?, calls = ?, inherited = ?"
    keep = "updated_at = CASE updated_at WHEN '' THEN started_at ELSE updated_at END"
    connection.exec_driver_sql(f"UPDATE sessions SET {change}, {keep} WHERE seq = ?", (*numbers, seq))  # noqa: S608 - fixed


def link(connection: Connection, agent: str, native_id: str) -> None:
    """Mark what a fork took over from its parent; also in the forks of a session that was imported after them."""
    for seq, own, parent, point in connection.exec_driver_sql(_FORKS, (agent, native_id, agent, native_id)).all():
        if point or parent == own:
            continue
        query = "SELECT seq FROM sessions WHERE agent = ? AND native_id = ?"
        parent_seq = connection.exec_driver_sql(query, (agent, parent)).scalar()
        shared = set() if parent_seq is None else copied(_nodes(connection, seq), _nodes(connection, parent_seq))
        clear = "UPDATE messages SET inherited = 0 WHERE session_seq = ? AND inherited = 1"
        connection.exec_driver_sql(clear, (seq,))
        if shared:
            mark = "UPDATE messages SET inherited = 1 WHERE session_seq = ? AND key = ?"
            connection.exec_driver_sql(mark, [(seq, key) for key in shared])
        recount(connection, seq)


def _nodes(connection: Connection, seq: int) -> list[Node]:
    query = "SELECT key, kind, text, hidden FROM messages WHERE session_seq = ? ORDER BY seq"
    rows = connection.exec_driver_sql(query, (seq,))
    return [Node(key, kind, digest(text), bool(hidden)) for key, kind, text, hidden in rows]


# --- the files they came from -----------------------------------------------------------------------------------------


_JSON = ("state", "unknown", "damage")
_COLUMNS = tuple(item.name for item in fields(FileState))


def file_state(connection: Connection, path: str) -> FileState | None:
    """What is remembered of a file."""
    query = f"SELECT {', '.join(_COLUMNS)} FROM transcript_files WHERE path = ?"  # noqa: S608 - fixed names
    row = connection.exec_driver_sql(query, (path,)).one_or_none()
    return None if row is None else _file(_COLUMNS, row)


def file_states(connection: Connection) -> dict[str, FileState]:
    """What is remembered of every file, by path, without the readers' states."""
    names = tuple(name for name in _COLUMNS if name != "state")
    query = f"SELECT {', '.join(names)} FROM transcript_files"  # noqa: S608 - fixed names
    return {row[0]: _file(names, row) for row in connection.exec_driver_sql(query)}


def _file(names: tuple[str, ...], row: Any) -> FileState:
    values = dict(zip(names, row, strict=True))
    for name in _JSON:
        if name in values:
            values[name] = {} if values[name] == "{}" else json.loads(values[name])
    values["damage"] = tuple((line, code, message) for line, code, message in values["damage"])
    return FileState(**values)


def save_file(connection: Connection, found: FileState) -> None:
    """Remember how far a file was read."""
    values = [getattr(found, name) for name in _COLUMNS]
    for place, name in enumerate(_COLUMNS):
        if name in _JSON:
            values[place] = json.dumps(values[place], separators=(",", ":"))  # ASCII: keys may be no Unicode
    places = ", ".join("?" * len(_COLUMNS))
    insert = f"INSERT OR REPLACE INTO transcript_files ({', '.join(_COLUMNS)}) VALUES ({places})"  # noqa: S608 - fixed
    connection.exec_driver_sql(insert, tuple(values))
