"""Qwen Code: `projects/<folder>/chats/<session>.jsonl`, subagents in `subagents/<session>/` (0.24.4, measured).

A chain by `parentUuid`, messages in parts. A fork copies its history with the same uuids and says so on every record.
Telemetry repeats answers and those of background helpers; it is passed over.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.model import (
    TITLE_CUSTOM,
    TITLE_FIRST_PROMPT,
    About,
    Call,
    Fact,
    Kind,
    Message,
    Result,
    Rewind,
    Role,
    Source,
    State,
    Unknown,
)
from waybook.sessions.transcripts.readers.gemini_cli import EXIT
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.readers.tree import Tree
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import document, files_below

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "qwen-code"
_HUMAN = frozenset({"", "real_user"})


def find(places: Places) -> Iterator[Source]:
    """Chats and subagents below every project folder."""
    root = os.path.join(places.folder("", ".qwen"), "projects")
    for path in files_below(root, 3):
        if not path.endswith(".jsonl"):
            continue
        match path[len(root) + 1 :].split(os.sep):
            case [_, "chats", name]:
                yield Source(AGENT, path, session=name.removesuffix(".jsonl"))
            case [_, "subagents", parent, name]:
                yield Source(AGENT, path, session=name.removesuffix(".jsonl"), parent=parent)


class QwenFeed:
    """One file. Its state: its tree, and whether it was introduced and has a title."""

    def __init__(self, source: Source, state: dict[str, Any]) -> None:
        self._source = source
        child = source.session.removeprefix("agent-")
        self._session = f"{source.parent}/{child}" if source.parent else source.session
        self._tree = Tree(state.get("tree", {}))
        self._told: str = state.get("told", "")
        self._named: bool = state.get("named", False)

    def state(self) -> dict[str, Any]:
        """As said above."""
        return {"tree": self._tree.state(), "told": self._told, "named": self._named}

    def feed(self, record: dict[str, Any], line: int) -> Iterator[Fact]:
        """The facts of one record."""
        kind = text_of(record.get("type"))
        key, parent = text_of(record.get("uuid")) or f"line-{line}", text_of(record.get("parentUuid"))
        at = moment(record.get("timestamp"))
        yield from self._about(record, at)
        nodes = 0
        if kind in {"user", "assistant", "tool_result"}:
            for fact in self._message(record, kind, key, parent, at):
                nodes += isinstance(fact, Message | Call)
                yield fact
        elif kind == "system":
            for fact in self._system(record, key, parent, at):
                nodes += isinstance(fact, Message)
                yield fact
        else:
            yield Unknown(kind or "(none)")
        if not nodes:
            self._tree.link(key, parent)

    def _about(self, record: dict[str, Any], at: str) -> Iterator[Fact]:
        fork = text_of(object_of(record.get("forkedFrom")).get("sessionId"))
        facts = tuple(text_of(record.get(name)) for name in ("cwd", "gitBranch", "version", "model"))
        told = repr((facts, fork))
        if told == self._told:
            return
        self._told = told
        cwd, branch, version, model = facts
        yield About(
            self._session,
            cwd=cwd,
            branch=branch,
            version=version,
            model=model,
            at=at,
            parent=self._source.parent,
            parent_call=self._call_id() if self._source.parent else "",
            forked_from=fork,
        )

    def _call_id(self) -> str:
        """The call that started this subagent, from the small file beside its transcript."""
        try:
            meta = object_of(json.loads(document(self._source.path.removesuffix(".jsonl") + ".meta.json")))
        except (OSError, ValueError, RecursionError):
            return ""
        return text_of(meta.get("toolUseId"))

    def _system(self, record: dict[str, Any], key: str, parent: str, at: str) -> Iterator[Fact]:
        payload = object_of(record.get("systemPayload"))
        subtype = record.get("subtype")
        if subtype == "chat_compression":
            self._tree.forget_prompts()
            history = [object_of(each) for each in list_of(payload.get("compressedHistory"))]
            first = next((_said(each) for each in history if each.get("role") == "user"), "")
            if first:
                yield Message(self._session, key, "system", "summary", first, at, self._tree.resolve(parent))
        elif subtype in {"custom_title", "session_title", "rename"}:
            title = text_of(payload.get("title")) or text_of(payload.get("customTitle"))
            if title:
                yield About(self._session, title=title, title_rank=TITLE_CUSTOM)

    def _message(self, record: dict[str, Any], kind: str, key: str, parent: str, at: str) -> Iterator[Fact]:
        after = self._tree.resolve(parent)
        texts: list[str] = []
        count = 0
        parts = [object_of(part) for part in list_of(object_of(record.get("message")).get("parts"))]
        for number, part in enumerate([*parts, {}]):
            thought = part.get("thought") is True
            if text_of(part.get("text")) and not thought:
                texts.append(part["text"])
                continue
            if texts:
                yield from self._said(record, kind, _numbered(key, count), "\n".join(texts), at, parent)
                texts, count = [], count + 1
            if thought and text_of(part.get("text")):
                own = _numbered(key, count)
                yield Message(self._session, own, "assistant", "reasoning", part["text"], at, after)
                count += 1
            elif "functionCall" in part:
                call = object_of(part["functionCall"])
                call_id = text_of(call.get("id")) or f"{key}/{number}"
                own = _numbered(key, count)
                yield Call(self._session, own, call_id, text_of(call.get("name")), words(call.get("args")), at, after)
                count += 1
            elif "functionResponse" in part:
                yield self._result(record, object_of(part["functionResponse"]), key, at)

    def _said(self, record: dict[str, Any], kind: str, key: str, text: str, at: str, parent: str) -> Iterator[Fact]:
        role: Role = "assistant" if kind == "assistant" else "user"
        what: Kind = "answer" if kind == "assistant" else "prompt"
        if kind != "assistant" and text_of(record.get("provenance")) not in _HUMAN:
            role, what = "system", "notice"
        if what == "prompt":
            earlier = self._tree.prompt(parent, key)
            if earlier:
                yield Rewind(self._session, earlier)
        yield Message(self._session, key, role, what, text, at, self._tree.resolve(parent))
        if what == "prompt" and not self._named:
            self._named = True
            yield About(self._session, title=text, title_rank=TITLE_FIRST_PROMPT)

    def _result(self, record: dict[str, Any], response: dict[str, Any], key: str, at: str) -> Result:
        given = object_of(response.get("response"))
        output = words(given.get("output", given.get("error", given)))
        told = object_of(record.get("toolCallResult"))
        shown = object_of(told.get("resultDisplay"))
        found = EXIT.search(output)
        code = shown.get("exitCode")
        if not isinstance(code, int):
            code = int(found[1]) if found else None
        state: State = "failed" if told.get("status") == "error" or "error" in given or code else "ok"
        if told.get("status") == "cancelled":
            state = "rejected"
        call = text_of(response.get("id")) or text_of(told.get("callId"))
        return Result(self._session, key, call, output, state, code, at)


def _numbered(key: str, count: int) -> str:
    return f"{key}/{count}" if count else key


def _said(message: dict[str, Any]) -> str:
    return "\n".join(text_of(object_of(part).get("text")) for part in list_of(message.get("parts")))


FORMAT = Format(AGENT, find, log=QwenFeed)
