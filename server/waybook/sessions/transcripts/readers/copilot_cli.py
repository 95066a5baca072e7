"""Copilot CLI: `session-state/<id>/events.jsonl`, the name in `workspace.yaml` (1.0.102, measured).

Subagents stand inline: their events carry `agentId`. A fork copies its history with the same event ids. Changes of
permissions are not taken in.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.model import (
    TITLE_CUSTOM,
    TITLE_FIRST_PROMPT,
    TITLE_MADE,
    About,
    Call,
    Damage,
    Fact,
    Message,
    Result,
    Rewind,
    Source,
    State,
    Unknown,
)
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.readers.tree import Tree
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import document, mark, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "copilot-cli"
_FORKED = re.compile(r'Forked from .*\(([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\) as "', re.DOTALL)
_SILENT = frozenset(
    {
        "system.message", "assistant.turn_start", "assistant.turn_end", "assistant.usage", "session.usage_record",
        "session.usage_checkpoint", "session.shutdown", "session.resume", "session.model_change", "session.idle",
        "session.compaction_start", "session.permissions_changed", "session.truncation", "session.handoff",
        "session.context_changed", "session.mode_changed", "session.title_changed", "session.import_legacy",
        "subagent.configured", "subagent.completed", "subagent.failed", "subagent.selected", "subagent.deselected",
        "tool.execution_start", "tool.execution_progress", "tool.execution_partial_result", "tool.user_requested",
        "hook.start", "hook.end", "skill.invoked", "assistant.intent", "assistant.reasoning", "pending_messages.modified",
        "model.turn_started", "model.turn_ended", "model.response", "model.model_call_success",
        "model.model_call_started", "model.messages_snapshot", "model.message", "session.start",
    }
)  # fmt: skip


def find(places: Places) -> Iterator[Source]:
    """One log for each session."""
    root = os.path.join(places.folder("COPILOT_HOME", ".copilot"), "session-state")
    for name, is_directory in names(root):
        path = os.path.join(root, name, "events.jsonl")
        if is_directory and mark(path) is not None:
            yield Source(AGENT, path, session=name)


def find_names(places: Places) -> Iterator[Source]:
    """The small files with the sessions' names."""
    for source in find(places):
        path = os.path.join(os.path.dirname(source.path), "workspace.yaml")
        if mark(path) is not None:
            yield Source(AGENT, path, session=source.session)


def read_name(source: Source, _state: dict[str, Any]) -> Iterator[Fact]:
    """The name of a session; one that a person gave counts more."""
    import yaml

    try:
        found = object_of(yaml.safe_load(document(source.path)))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        yield Damage(0, "damaged", "the file is no YAML document")
        return
    if text_of(found.get("name")):
        rank = TITLE_CUSTOM if found.get("user_named") is True else TITLE_MADE
        yield About(source.session, title=found["name"], title_rank=rank, only_known=True)


class CopilotFeed:
    """One log. Its state: the tree, and whether it has a title."""

    def __init__(self, source: Source, state: dict[str, Any]) -> None:
        self._main: str = state.get("session", source.session)
        self._tree = Tree(state.get("tree", {}))
        self._named: list[str] = state.get("named", [])

    def state(self) -> dict[str, Any]:
        """As said above."""
        return {"session": self._main, "tree": self._tree.state(), "named": self._named}

    def feed(self, record: dict[str, Any], line: int) -> Iterator[Fact]:
        """The facts of one event."""
        kind, data = text_of(record.get("type")), object_of(record.get("data"))
        key, parent = text_of(record.get("id")) or f"line-{line}", text_of(record.get("parentId"))
        at = moment(record.get("timestamp"))
        agent = text_of(record.get("agentId"))
        nodes = 0
        if kind == "session.start" and not agent:
            yield self._start(data)
        session = f"{self._main}/{agent}" if agent else self._main
        for fact in self._event(kind, data, session, key, parent, at):
            nodes += isinstance(fact, Message | Call)
            yield fact
        if not nodes:
            self._tree.link(key, parent)

    def _start(self, data: dict[str, Any]) -> About:
        context = object_of(data.get("context"))
        return About(
            self._main,
            cwd=text_of(context.get("cwd")),
            branch=text_of(context.get("branch")),
            version=text_of(data.get("copilotVersion")),
            model=text_of(data.get("selectedModel")),
            at=moment(data.get("startTime")),
        )

    def _event(self, kind: str, data: dict[str, Any], session: str, key: str, parent: str, at: str) -> Iterator[Fact]:
        after = self._tree.resolve(parent)
        match kind:
            case "user.message":
                yield from self._prompt(data, session, key, after, at)
            case "assistant.message":
                yield from self._answer(data, session, key, after, at)
            case "tool.execution_complete":
                yield self._result(data, session, key, at)
            case "subagent.started":
                yield About(session, parent=self._main, parent_call=text_of(data.get("toolCallId")), at=at)
            case "session.compaction_complete":
                text = text_of(data.get("summaryContent"))
                if text and data.get("success") is not False:
                    yield Message(session, key, "system", "summary", text, at, after)
            case "session.snapshot_rewind":
                yield Rewind(session, text_of(data.get("upToEventId")))
            case "session.info" | "session.warning" | "session.error" | "abort":
                yield from self._notice(data, session, key, after, at)
            case _ if kind not in _SILENT:
                yield Unknown(kind or "(none)")

    def _prompt(self, data: dict[str, Any], session: str, key: str, after: str, at: str) -> Iterator[Fact]:
        text, source = text_of(data.get("content")), text_of(data.get("source"))
        if not text:
            return
        if source and source != "user" and session == self._main:
            yield Message(session, key, "system", "notice", text, at, after)
            return
        yield Message(session, key, "user", "prompt", text, at, after)
        if session not in self._named:
            self._named.append(session)
            yield About(session, title=text, title_rank=TITLE_FIRST_PROMPT)

    def _answer(self, data: dict[str, Any], session: str, key: str, after: str, at: str) -> Iterator[Fact]:
        thinking, text = text_of(data.get("reasoningText")), text_of(data.get("content"))
        if thinking:
            yield Message(session, f"{key}/reasoning", "assistant", "reasoning", thinking, at, after)
        if text:
            yield Message(session, key, "assistant", "answer", text, at, after)
        for number, each in enumerate(list_of(data.get("toolRequests"))):
            call = object_of(each)
            own = f"{key}/call-{number}" if text or number else key
            call_id, name = text_of(call.get("toolCallId")) or own, text_of(call.get("name"))
            yield Call(session, own, call_id, name, words(call.get("arguments")), at, after)

    @staticmethod
    def _result(data: dict[str, Any], session: str, key: str, at: str) -> Result:
        code = object_of(data.get("shellExecution")).get("exitCode")
        code = code if isinstance(code, int) else None
        failed = data.get("success") is False or bool(code)
        given = object_of(data.get("result")) or object_of(data.get("error"))
        output = text_of(given.get("content")) or text_of(given.get("message"))
        state: State = "failed" if failed else "ok"
        if object_of(data.get("error")).get("code") in {"rejected", "denied"}:
            state = "rejected"
        return Result(session, key, text_of(data.get("toolCallId")), output, state, code, at)

    def _notice(self, data: dict[str, Any], session: str, key: str, after: str, at: str) -> Iterator[Fact]:
        text = text_of(data.get("message")) or text_of(data.get("reason"))
        found = _FORKED.search(text) if data.get("infoType") == "fork" else None
        if found:
            yield About(session, forked_from=found[1])
        elif text:
            yield Message(session, key, "system", "notice", text, at, after)


FORMAT = Format(AGENT, find, log=CopilotFeed)
NAMES = Format(AGENT, find_names, document=read_name, names_only=True)
