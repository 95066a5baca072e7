"""Codex CLI: `sessions/Y/M/D/rollout-<time>-<thread>.jsonl`, cold ones as `.jsonl.zst` (0.171.0, measured; older as known).

Every text stands twice or more: as a response item, as an event of its own, as a completed item, in changing order. Each
account is one stream; a text counts as new only when its own stream has not told it yet. `turn_context` and settings
hold permissions and are not taken in; neither are developer messages, the environment and encrypted content.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.model import (
    TITLE_CUSTOM,
    TITLE_FIRST_PROMPT,
    About,
    Call,
    Damage,
    Fact,
    Message,
    Result,
    Rewind,
    Source,
    Unknown,
)
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import document, files_below, mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "codex"
_NAME = re.compile(r"rollout-.*-([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl(?:\.zst)?")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)\b", re.MULTILINE)
_INJECTED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|skills?|collaboration_mode|model_switch)\b"
    r"|# AGENTS\.md instructions)"
)
_NOTICE = re.compile(r"\s*<(?:subagent_notification|user_shell_command|hook_)")
_SILENT = frozenset(
    {
        "turn_context",
        "world_state",
        "token_usage_record",
        "inter_agent_communication",
        "retained_context",
        "ghost_snapshot",
    }
)
_SILENT_ITEMS = frozenset({"reasoning", "compaction", "ghost_snapshot", "compaction_summary", "context_compaction"})
_MIRRORS = 64
"""How many recent messages a second account of one is looked for among."""
_TURNS = 2000
NO_SUMMARY = "(Codex keeps this summary encrypted; it cannot be read.)"


def find(places: Places) -> Iterator[Source]:
    """Rollouts; of one that is there packed and plain, the plain one."""
    root = places.folder("CODEX_HOME", ".codex")
    paths = [path for name in ("sessions", "archived_sessions") for path in files_below(os.path.join(root, name), 3)]
    plain = {os.path.basename(path) for path in paths}
    for path in paths:
        name = os.path.basename(path)
        found = _NAME.fullmatch(name)
        if found and not (name.endswith(".zst") and name.removesuffix(".zst") in plain):
            yield Source(AGENT, path, session=found[1])


def find_index(places: Places) -> Iterator[Source]:
    """The small file with the names that people gave to threads."""
    path = os.path.join(places.folder("CODEX_HOME", ".codex"), "session_index.jsonl")
    if mark(path) is not None:
        yield Source(AGENT, path)


def read_index(source: Source, _state: dict[str, Any]) -> Iterator[Fact]:
    """A title for each thread that is known; the last name wins."""
    for number, line in enumerate(document(source.path).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = object_of(json.loads(line))
        except (ValueError, RecursionError):
            yield Damage(number, "damaged", "the line is damaged")
            continue
        name, thread = text_of(record.get("thread_name")), text_of(record.get("id"))
        if name and thread:
            yield About(thread, title=name, title_rank=TITLE_CUSTOM, only_known=True)


class CodexFeed:
    """One rollout. Its state: who it is, recent messages and by which accounts they were told, the person's turns."""

    def __init__(self, source: Source, state: dict[str, Any]) -> None:
        self._session: str = state.get("session", "")
        self._fallback = source.session or os.path.basename(source.path)
        self._recent: list[list[str]] = state.get("recent", [])
        self._turns: list[str] = state.get("turns", [])
        self._exits: dict[str, int] = state.get("exits", {})
        self._named: bool = state.get("named", False)

    def state(self) -> dict[str, Any]:
        """As said above."""
        return {
            "session": self._session,
            "recent": self._recent,
            "turns": self._turns,
            "exits": self._exits,
            "named": self._named,
        }

    def feed(self, record: dict[str, Any], line: int) -> Iterator[Fact]:
        """The facts of one record."""
        kind, payload = text_of(record.get("type")), object_of(record.get("payload"))
        ordinal = record.get("ordinal")
        number = ordinal if isinstance(ordinal, int) and not isinstance(ordinal, bool) else line
        at = moment(record.get("timestamp"))
        if kind == "session_meta":
            if not self._session:
                yield self._begin(payload)
            return
        self._session = self._session or self._fallback
        if kind == "response_item":
            yield from self._item(payload, object_of(record.get("metadata")), number, at)
        elif kind == "event_msg":
            yield from self._event(payload, number, at)
        elif kind == "compacted":
            text = text_of(payload.get("message")) or NO_SUMMARY
            yield Message(self._session, self._key(number, text), "system", "summary", text, at)
        elif kind not in _SILENT:
            yield Unknown(kind or "(none)")

    def _begin(self, meta: dict[str, Any]) -> About:
        self._session = text_of(meta.get("id")) or text_of(meta.get("session_id")) or self._fallback
        base = object_of(meta.get("history_base"))
        fork = text_of(meta.get("forked_from_id")) or text_of(base.get("thread_id"))
        point = meta.get("forked_from_ordinal_exclusive", base.get("ordinal_exclusive"))
        spawned = object_of(object_of(object_of(meta.get("source")).get("subagent")).get("thread_spawn"))
        return About(
            self._session,
            cwd=text_of(meta.get("cwd")),
            branch=text_of(object_of(meta.get("git")).get("branch")),
            version=text_of(meta.get("cli_version")),
            at=moment(meta.get("timestamp")),
            parent=text_of(meta.get("parent_thread_id")) or text_of(spawned.get("parent_thread_id")),
            forked_from=fork,
            fork_point=str(point) if isinstance(point, int) else ("all" if base and fork else ""),
        )

    def _key(self, number: int, text: str) -> str:
        """Begins with the ordinal, by which forks point; ends with a digest, so that another text has another key."""
        digest = hashlib.blake2b(f"{self._session}\0{text}".encode("utf-8", "replace"), digest_size=4).hexdigest()
        return f"{number:08d}-{digest}"

    # --- accounts of messages -----------------------------------------------------------------------------------------

    def _first(self, stream: str, role: str, text: str) -> bool:
        """Whether this account is the first one of its message; the others are remembered, not repeated."""
        said = f"{role}:{hashlib.blake2b(text.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
        for entry in self._recent:
            if entry[0] == said and stream not in entry:
                entry.append(stream)
                return False
        self._recent.append([said, stream])
        del self._recent[:-_MIRRORS]
        return True

    def _said(self, stream: str, role: str, text: str, number: int, at: str) -> Iterator[Fact]:
        if not text or not self._first(stream, role, text):
            return
        key = self._key(number, text)
        if role == "assistant":
            yield Message(self._session, key, "assistant", "answer", text, at)
            return
        self._turns.append(key)
        del self._turns[:-_TURNS]
        yield Message(self._session, key, "user", "prompt", text, at)
        if not self._named:
            self._named = True
            yield About(self._session, title=text, title_rank=TITLE_FIRST_PROMPT)

    # --- response items -----------------------------------------------------------------------------------------------

    def _item(self, item: dict[str, Any], metadata: dict[str, Any], number: int, at: str) -> Iterator[Fact]:
        kind = text_of(item.get("type"))
        if kind == "message":
            yield from self._message(item, metadata, number, at)
        elif kind == "reasoning":
            text = "\n\n".join(text_of(object_of(part).get("text")) for part in list_of(item.get("summary")))
            if text.strip():
                yield Message(self._session, self._key(number, text), "assistant", "reasoning", text, at)
        elif kind in {"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"}:
            yield self._call(item, kind, number, at)
        elif kind in {"function_call_output", "custom_tool_call_output", "tool_search_output"}:
            yield self._output(item, number, at)
        elif kind not in _SILENT_ITEMS:
            yield Unknown(f"response_item/{kind or '(none)'}")

    def _message(self, item: dict[str, Any], metadata: dict[str, Any], number: int, at: str) -> Iterator[Fact]:
        role = text_of(item.get("role"))
        text = _words(item.get("content"))
        if role == "assistant":
            if metadata.get("compaction_output") is True:
                self._first("item", role, text)  # the summary follows as a record of its own
                return
            yield from self._said("item", role, text, number, at)
        elif role == "user":
            kinds = list_of(object_of(item.get("internal_chat_message_metadata_passthrough")).get("content_item_kinds"))
            if kinds and not any(text_of(each).startswith("user.") for each in kinds):
                if _NOTICE.match(text):
                    yield Message(self._session, self._key(number, text), "system", "notice", text, at)
                return
            yield from self._human("item", text, number, at)

    def _human(self, stream: str, text: str, number: int, at: str) -> Iterator[Fact]:
        if _INJECTED.match(text):
            return
        if _NOTICE.match(text):
            if self._first(stream, "notice", text):
                yield Message(self._session, self._key(number, text), "system", "notice", text, at)
            return
        yield from self._said(stream, "user", text, number, at)

    def _call(self, item: dict[str, Any], kind: str, number: int, at: str) -> Call:
        name, space = text_of(item.get("name")), text_of(item.get("namespace"))
        given = item.get("arguments", item.get("input"))
        if kind in {"local_shell_call", "web_search_call"}:
            name, given = kind.removesuffix("_call"), item.get("action")
        call = text_of(item.get("call_id")) or text_of(item.get("id")) or str(number)
        key = self._key(number, call)
        return Call(self._session, key, call, f"{space}.{name}" if space else name, words(given), at)

    def _output(self, item: dict[str, Any], number: int, at: str) -> Result:
        call = text_of(item.get("call_id"))
        raw = item.get("output", item.get("tools"))
        output, code, success = raw if isinstance(raw, str) else _words(raw), None, None
        if isinstance(raw, dict):
            output, success = words(raw.get("content")), raw.get("success")
        elif isinstance(raw, str) and raw.startswith("{") and '"metadata"' in raw:
            try:
                parsed = object_of(json.loads(raw))
            except (ValueError, RecursionError):
                parsed = {}
            if isinstance(parsed.get("output"), str):
                output, code = parsed["output"], object_of(parsed.get("metadata")).get("exit_code")
        if not isinstance(code, int):
            found = _EXIT.search(output[:512])
            code = int(found[1]) if found else self._exits.pop(call, None)
        failed = bool(code) or success is False
        return Result(self._session, self._key(number, call), call, output, "failed" if failed else "ok", code, at)

    # --- events -------------------------------------------------------------------------------------------------------

    def _event(self, event: dict[str, Any], number: int, at: str) -> Iterator[Fact]:
        kind = text_of(event.get("type"))
        if kind == "user_message":
            if event.get("kind") not in {"environment_context", "user_instructions"}:
                yield from self._human("event", text_of(event.get("message")), number, at)
        elif kind == "agent_message":
            yield from self._said("event", "assistant", text_of(event.get("message")), number, at)
        elif kind == "item_completed":
            yield from self._completed(object_of(event.get("item")), number, at)
        elif kind == "thread_rolled_back":
            turns = event.get("num_turns")
            if isinstance(turns, int) and turns > 0 and self._turns:
                gone = self._turns[-turns:]
                del self._turns[-turns:]
                yield Rewind(self._session, gone[0])
        elif kind == "exec_command_end" and isinstance(event.get("exit_code"), int):
            self._exited(text_of(event.get("call_id")), event["exit_code"])

    def _completed(self, item: dict[str, Any], number: int, at: str) -> Iterator[Fact]:
        kind = text_of(item.get("type"))
        if kind == "UserMessage":
            yield from self._human("completed", _words(item.get("content")), number, at)
        elif kind == "AgentMessage":
            yield from self._said("completed", "assistant", _words(item.get("content")), number, at)
        elif kind == "CommandExecution" and isinstance(item.get("exit_code"), int):
            self._exited(text_of(item.get("id")), item["exit_code"])
        elif kind == "CollabAgentToolCall" and item.get("tool") == "spawn_agent":
            for thread in list_of(item.get("receiver_thread_ids")):
                if text_of(thread):
                    yield About(thread, parent=self._session, parent_call=text_of(item.get("id")))

    def _exited(self, call: str, code: int) -> None:
        self._exits[call] = code
        if len(self._exits) > _MIRRORS:
            del self._exits[next(iter(self._exits))]


def _words(content: Any) -> str:
    """The text of content blocks; pictures are named."""
    parts = []
    for block in list_of(content):
        found = object_of(block)
        kind = text_of(found.get("type")).lower()
        if "image" in kind:
            parts.append("[image]")
        elif text_of(found.get("text")):
            parts.append(found["text"])
    return "\n".join(parts)


FORMAT = Format(AGENT, find, log=CodexFeed)
INDEX = Format(AGENT, find_index, document=read_index, names_only=True)
