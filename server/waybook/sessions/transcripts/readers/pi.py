"""pi: `agent/sessions/--<cwd>--/<time>_<id>.jsonl`, version 3 (0.73.1, measured; earlier versions lack ids).

A tree by `id` and `parentId` of eight hex digits. A fork is a copy with the same ids whose header names the parent's path.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.model import (
    TITLE_CUSTOM,
    TITLE_FIRST_PROMPT,
    About,
    Call,
    Fact,
    Message,
    Result,
    Rewind,
    Source,
    Unknown,
)
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.readers.tree import Tree
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import files_below

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "pi"
_NAME = re.compile(r".*_([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl")
_EXIT = re.compile(r"Command exited with code (-?\d+)\s*$")
_SILENT = frozenset({"model_change", "thinking_level_change", "label", "custom"})


def find(places: Places) -> Iterator[Source]:
    """Session files below every project folder."""
    root = os.path.join(places.folder("PI_CODING_AGENT_DIR", ".pi", "agent"), "sessions")
    for path in files_below(root, 1):
        if path.endswith(".jsonl"):
            found = _NAME.fullmatch(os.path.basename(path))
            yield Source(AGENT, path, session=found[1] if found else os.path.basename(path).removesuffix(".jsonl"))


class PiFeed:
    """One file. Its state: the session, its tree, and whether it has a title."""

    def __init__(self, source: Source, state: dict[str, Any]) -> None:
        self._session: str = state.get("session", source.session)
        self._tree = Tree(state.get("tree", {}))
        self._named: bool = state.get("named", False)

    def state(self) -> dict[str, Any]:
        """As said above."""
        return {"session": self._session, "tree": self._tree.state(), "named": self._named}

    def feed(self, record: dict[str, Any], line: int) -> Iterator[Fact]:
        """The facts of one record."""
        kind = text_of(record.get("type"))
        key, parent = text_of(record.get("id")) or f"line-{line}", text_of(record.get("parentId"))
        at = moment(record.get("timestamp"))
        if kind == "session":
            yield self._header(record, at)
            return
        nodes = 0
        for fact in self._record(record, kind, key, parent, at):
            nodes += isinstance(fact, Message | Call)
            yield fact
        if not nodes:
            self._tree.link(key, parent)

    def _header(self, record: dict[str, Any], at: str) -> About:
        self._session = text_of(record.get("id")) or self._session
        origin = os.path.basename(text_of(record.get("parentSession")))
        found = _NAME.fullmatch(origin)
        return About(self._session, cwd=text_of(record.get("cwd")), at=at, forked_from=found[1] if found else "")

    def _record(self, record: dict[str, Any], kind: str, key: str, parent: str, at: str) -> Iterator[Fact]:
        after = self._tree.resolve(parent)
        if kind == "message":
            yield from self._message(object_of(record.get("message")), key, parent, at)
        elif kind == "compaction":
            self._tree.forget_prompts()
            yield Message(self._session, key, "system", "summary", text_of(record.get("summary")), at, after)
        elif kind in {"branch_summary", "custom_message"}:
            text = text_of(record.get("summary")) or _words(record.get("content"))
            if text:
                yield Message(self._session, key, "system", "notice", text, at, after)
        elif kind == "session_info":
            if text_of(record.get("name")):
                yield About(self._session, title=record["name"], title_rank=TITLE_CUSTOM)
        elif kind not in _SILENT:
            yield Unknown(kind or "(none)")

    def _message(self, message: dict[str, Any], key: str, parent: str, at: str) -> Iterator[Fact]:
        role = text_of(message.get("role"))
        after = self._tree.resolve(parent)
        if role == "user":
            text = _words(message.get("content"))
            earlier = self._tree.prompt(parent, key)
            if earlier:
                yield Rewind(self._session, earlier)
            yield Message(self._session, key, "user", "prompt", text, at, after)
            if not self._named:
                self._named = True
                yield About(self._session, title=text, title_rank=TITLE_FIRST_PROMPT)
        elif role == "assistant":
            if text_of(message.get("model")):
                yield About(self._session, model=message["model"])
            yield from self._answer(message, key, after, at)
        elif role == "toolResult":
            output = _words(message.get("content"))
            failed = message.get("isError") is True
            found = _EXIT.search(output) if failed else None
            call, code = text_of(message.get("toolCallId")), int(found[1]) if found else None
            yield Result(self._session, key, call, output, "failed" if failed else "ok", code, at)
        elif role == "bashExecution":
            text = f"$ {text_of(message.get('command'))}\n{text_of(message.get('output'))}"
            yield Message(self._session, key, "system", "notice", text, at, after)
        else:
            yield Unknown(f"message/{role or '(none)'}")

    def _answer(self, message: dict[str, Any], key: str, after: str, at: str) -> Iterator[Fact]:
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content)
        count = 0
        for each in blocks:
            block = object_of(each)
            own = f"{key}/{count}" if count else key
            form = text_of(block.get("type"))
            if form == "text" and text_of(block.get("text")):
                yield Message(self._session, own, "assistant", "answer", block["text"], at, after)
            elif form == "thinking" and text_of(block.get("thinking")):
                yield Message(self._session, own, "assistant", "reasoning", block["thinking"], at, after)
            elif form == "toolCall":
                call = text_of(block.get("id")) or own
                yield Call(
                    self._session, own, call, text_of(block.get("name")), words(block.get("arguments")), at, after
                )
            else:
                continue
            count += 1


def _words(content: Any) -> str:
    """The text of content; pictures are named."""
    if isinstance(content, str):
        return content
    blocks = [object_of(block) for block in list_of(content)]
    return "\n".join(text_of(block.get("text")) or f"[{text_of(block.get('type'))}]" for block in blocks)


FORMAT = Format(AGENT, find, log=PiFeed)
