"""Gemini CLI: `tmp/<project>/chats/session-<minute>-<id>.jsonl`, older ones one `.json` (0.61.0, measured).

The file is a log of patches: a message of an id seen before takes its place, `$set` replaces fields (a resume writes the
whole history again), `$rewindTo` drops a message and all after it. Resuming in another minute leaves a stub file with
the same session id. Stored answers lack U+200D: that is how they lie on the disk.
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
    Kind,
    Message,
    Result,
    Rewind,
    Source,
    State,
    Unknown,
)
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import beginning, document, files_below, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "gemini-cli"
EXIT = re.compile(r"^Exit Code: (-?\d+)", re.MULTILINE)
_CONTEXT = re.compile(r"\s*<session_context>|This is the Gemini CLI\. We are setting up the context")
SNAPSHOT = re.compile(r"\s*<state_snapshot>")
_NOTICES = frozenset({"info", "error", "warning"})


def find(places: Places) -> Iterator[Source]:
    """The logs of every project; those in a folder named for a session are its subagents'."""
    yield from _find(places, ".jsonl")


def find_old(places: Places) -> Iterator[Source]:
    """Sessions that are one JSON document."""
    yield from _find(places, ".json")


def _find(places: Places, ending: str) -> Iterator[Source]:
    root = os.path.join(places.folder("", ".gemini"), "tmp")
    for project, is_directory in names(root):
        chats = os.path.join(root, project, "chats")
        for path in files_below(chats, 1) if is_directory else ():
            folder, name = os.path.split(path[len(chats) + 1 :])
            if path.endswith(ending) and (folder or name.startswith("session-")):
                yield Source(AGENT, path, parent=folder)


def _project(path: str) -> str:
    """The directory that a project folder stands for; older folders are named by a digest and do not tell."""
    folder = path
    for _ in range(4):
        folder = os.path.dirname(folder)
        if os.path.basename(folder) == "chats":
            break
    found = beginning(os.path.join(os.path.dirname(folder), ".project_root"), 4096)
    return found.decode("utf-8", "replace").strip()


class GeminiFeed:
    """One log. Its state: the session, and whether it has a title."""

    def __init__(self, source: Source, state: dict[str, Any]) -> None:
        self._source = source
        self._session: str = state.get("session", "")
        self._named: bool = state.get("named", False)

    def state(self) -> dict[str, Any]:
        """As said above."""
        return {"session": self._session, "named": self._named}

    def feed(self, record: dict[str, Any], line: int) -> Iterator[Fact]:
        """The facts of one record."""
        if text_of(record.get("sessionId")) and "type" not in record:
            yield from self.header(record)
            return
        if not self._session:
            self._session = os.path.basename(self._source.path)
        if "$set" in record:
            yield from self._set(object_of(record["$set"]))
        elif "$rewindTo" in record:
            yield Rewind(self._session, text_of(record["$rewindTo"]))
        else:
            yield from self.message(record, line)

    def header(self, record: dict[str, Any]) -> Iterator[Fact]:
        """A header: the first, and one more at each resume."""
        self._session = self._session or text_of(record.get("sessionId"))
        yield About(
            self._session,
            cwd=_project(self._source.path),
            at=moment(record.get("startTime")),
            parent=self._source.parent,
            title=text_of(record.get("summary")),
            title_rank=TITLE_MADE,
        )

    def _set(self, fields: dict[str, Any]) -> Iterator[Fact]:
        if text_of(fields.get("summary")):
            yield About(self._session, title=fields["summary"], title_rank=TITLE_MADE)
        for message in list_of(fields.get("messages")):
            yield from self.message(object_of(message), 0)

    def message(self, record: dict[str, Any], line: int) -> Iterator[Fact]:
        """A message, new or once more."""
        kind, key = text_of(record.get("type")), text_of(record.get("id")) or f"line-{line}"
        at = moment(record.get("timestamp"))
        text = said(record.get("content"))
        if kind == "user":
            yield from self._user(key, text, at)
        elif kind == "gemini":
            yield from self._answer(record, key, text, at)
        elif kind in _NOTICES:
            if text:
                yield Message(self._session, key, "system", "notice", text, at, replaces=True)
        else:
            yield Unknown(kind or "(none)")

    def _user(self, key: str, text: str, at: str) -> Iterator[Fact]:
        if not text or _CONTEXT.match(text):
            return
        kind: Kind = "summary" if SNAPSHOT.match(text) else "prompt"
        role = "system" if kind == "summary" else "user"
        yield Message(self._session, key, role, kind, text, at, replaces=True)  # type: ignore[arg-type]  # of two literals
        if kind == "prompt" and not self._named:
            self._named = True
            yield About(self._session, title=text, title_rank=TITLE_FIRST_PROMPT)

    def _answer(self, record: dict[str, Any], key: str, text: str, at: str) -> Iterator[Fact]:
        thoughts = [_thought(object_of(each)) for each in list_of(record.get("thoughts"))]
        thinking = "\n\n".join(thought for thought in thoughts if thought)
        if thinking:
            yield Message(self._session, f"{key}/thoughts", "assistant", "reasoning", thinking, at, replaces=True)
        if text:
            yield Message(self._session, key, "assistant", "answer", text, at, replaces=True)
        if text_of(record.get("model")):
            yield About(self._session, model=record["model"])
        for number, each in enumerate(list_of(record.get("toolCalls"))):
            yield from self._call(object_of(each), f"{key}/call-{number}", at)

    def _call(self, call: dict[str, Any], key: str, at: str) -> Iterator[Fact]:
        call_id, name = text_of(call.get("id")) or key, text_of(call.get("name"))
        yield Call(self._session, key, call_id, name, words(call.get("args")), moment(call.get("timestamp")) or at)
        status = text_of(call.get("status"))
        if status in {"success", "error", "cancelled"}:
            output = "\n".join(_response(object_of(part)) for part in list_of(call.get("result")))
            code = EXIT.search(output)
            state: State = "ok" if status == "success" else "failed"
            if status == "cancelled":
                state = "rejected"
            elif code and int(code[1]):
                state = "failed"
            exit_code = int(code[1]) if code else None
            yield Result(self._session, key, call_id, output, state, exit_code, moment(call.get("timestamp")))


def said(content: Any) -> str:
    """The text of a message's content: a string, or parts of which results of tools are left out."""
    if isinstance(content, str):
        return content
    parts = list_of(content) if isinstance(content, list) else [content]
    return "\n".join(text_of(object_of(part).get("text")) for part in parts if object_of(part).get("text"))


def _thought(thought: dict[str, Any]) -> str:
    return ": ".join(text for text in (text_of(thought.get("subject")), text_of(thought.get("description"))) if text)


def _response(part: dict[str, Any]) -> str:
    found = object_of(object_of(part.get("functionResponse")).get("response"))
    return words(found.get("output", found.get("error", found or part.get("text"))))


def read_old(source: Source, _state: dict[str, Any]) -> Iterator[Fact]:
    """A session that is one JSON document."""
    try:
        record = object_of(json.loads(document(source.path)))
    except (ValueError, RecursionError):
        yield Damage(0, "damaged", "the file is no whole JSON document")
        return
    feed = GeminiFeed(source, {})
    yield from feed.header({**record, "sessionId": record.get("sessionId") or os.path.basename(source.path)})
    for number, message in enumerate(list_of(record.get("messages")), 1):
        yield from feed.message(object_of(message), number)


FORMAT = Format(AGENT, find, log=GeminiFeed)
OLD = Format(AGENT, find_old, document=read_old)
