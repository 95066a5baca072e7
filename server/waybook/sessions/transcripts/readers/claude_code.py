"""Claude Code: `projects/<folder>/<session>.jsonl`, subagents beside it (2.1.332, measured; older forms as documented).

Records form a tree by `parentUuid`; attachments and other records without words are links of it, so a message's parent
is looked up through them. A fork copies its history with the same uuids. Only `cwd` tells the project: the folder's name
is a lossy encoding of the path.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.model import (
    TITLE_AGENT,
    TITLE_CUSTOM,
    TITLE_FIRST_PROMPT,
    TITLE_MADE,
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
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.readers.tree import Tree
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import document, files_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "claude-code"
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_EXIT = re.compile(r"Exit code (-?\d+)")
_NOT_TYPED = re.compile(
    r"\s*(?:<(?:command-name|command-message|local-command-|bash-(?:input|stdout|stderr)|user-memory-|task-notification"
    r"|teammate-message)|\[Request interrupted by user)"
)
_REMINDER = re.compile(r"\s*<system-reminder>.*</system-reminder>\s*", re.DOTALL)
_SILENT = frozenset(
    {
        "queue-operation", "attachment", "api-request", "api-request-blob", "api-request-shape", "atis-latch",
        "cost-state", "last-prompt", "mode", "file-history-snapshot", "permission-mode", "pr-link", "progress",
        "tools-used", "tag", "system", "summary", "custom-title", "ai-title", "agent-name", "agent-color",
        "agent-setting", "worktree-state", "content-replacement", "marble-origami-commit", "saved_hook_context",
    }
)  # fmt: skip
_TITLES = {
    "custom-title": ("customTitle", TITLE_CUSTOM),
    "agent-name": ("agentName", TITLE_AGENT),
    "ai-title": ("aiTitle", TITLE_MADE),
    "summary": ("summary", TITLE_MADE),
}


def find(places: Places) -> Iterator[Source]:
    """Sessions and their subagents' files below every project folder."""
    root = os.path.join(places.folder("CLAUDE_CONFIG_DIR", ".claude"), "projects")
    for path in files_below(root, 4):
        below = path[len(root) + 1 :]
        subagent = os.path.basename(path).startswith("agent-")
        if path.endswith(".jsonl") and (subagent or below.count(os.sep) == 1):
            yield source(path, below)


def source(path: str, below: str) -> Source:
    """The source of a file at the path `below` the projects folder."""
    parts = below.split(os.sep)
    stem = parts[-1].removesuffix(".jsonl")
    if stem.startswith("agent-"):
        owner = next((part for part in parts[1:-1] if _UUID.fullmatch(part)), "")
        return Source(AGENT, path, session=stem, parent=owner)
    return Source(AGENT, path, session=stem if _UUID.fullmatch(stem) else "")


class ClaudeFeed:
    """One file. Its state: which session it is, its tree, and what was told of it already."""

    def __init__(self, source: Source, state: dict[str, Any]) -> None:
        self._source = source
        self._agent_id = source.session.removeprefix("agent-") if source.session.startswith("agent-") else ""
        self._own = "" if self._agent_id else source.session
        self._session: str = state.get("session", "")
        self._tree = Tree(state.get("tree", {}))
        self._told: list[Any] = state.get("told", [])
        self._model: str = state.get("model", "")
        self._names: bool = state.get("names", False)

    def state(self) -> dict[str, Any]:
        """As said above."""
        return {
            "session": self._session,
            "tree": self._tree.state(),
            "told": self._told,
            "model": self._model,
            "names": self._names,
        }

    def feed(self, record: dict[str, Any], line: int) -> Iterator[Fact]:
        """The facts of one record."""
        kind = text_of(record.get("type"))
        said = text_of(record.get("sessionId"))
        if not self._session:
            self._begin(said)
        if kind in {"user", "assistant"} and isinstance(record.get("message"), dict):
            yield from self._about(record, said)
            yield from self._message(record, kind, line)
            return
        if kind in _TITLES:
            field, rank = _TITLES[kind]
            if text_of(record.get(field)):
                yield About(self._session, title=record[field], title_rank=rank)
        elif kind == "system":
            self._system(record)
        elif kind not in _SILENT:
            yield Unknown(kind or "(none)")
        self._link(record)

    def _begin(self, said: str) -> None:
        if self._agent_id:
            self._session = f"{said or self._source.parent}/{self._agent_id}"
        else:
            self._session = self._own or said or os.path.basename(self._source.path)

    def _about(self, record: dict[str, Any], said: str) -> Iterator[Fact]:
        """Header facts, told again only when they changed: they stand on every record."""
        fork = self._fork(record, said)
        told = [record.get("cwd"), record.get("gitBranch"), record.get("version"), fork]
        if told != self._told:
            self._told = told
            yield About(
                self._session,
                cwd=text_of(record.get("cwd")),
                branch=text_of(record.get("gitBranch")),
                version=text_of(record.get("version")),
                at=moment(record.get("timestamp")),
                parent=(said or self._source.parent) if self._agent_id else "",
                parent_call=self._call() if self._agent_id else "",
                forked_from=fork,
            )
        model = text_of(record["message"].get("model"))
        if model and model != self._model and not model.startswith("<"):  # <synthetic>: Claude Code's own words
            self._model = model
            yield About(self._session, model=model)

    def _fork(self, record: dict[str, Any], said: str) -> str:
        """The session that a record was copied from, by whichever trace there is; empty for one of its own."""
        origin = text_of(object_of(record.get("forkedFrom")).get("sessionId")) or text_of(
            record.get("requestSessionId")
        )
        if not origin and not self._agent_id:
            origin = said  # records copied with the id of the session they came from
        return "" if origin in {said if self._agent_id else self._session, self._session} else origin

    def _call(self) -> str:
        """The call that started this subagent, from the small file beside its transcript."""
        import json

        try:
            meta = json.loads(document(self._source.path.removesuffix(".jsonl") + ".meta.json"))
        except (OSError, ValueError, RecursionError):
            return ""
        return text_of(object_of(meta).get("toolUseId"))

    def _system(self, record: dict[str, Any]) -> None:
        if record.get("subtype") == "compact_boundary":
            self._tree.forget_prompts()
            self._tree.link(text_of(record.get("uuid")), text_of(record.get("logicalParentUuid")))

    def _message(self, record: dict[str, Any], kind: str, line: int) -> Iterator[Fact]:
        uuid = text_of(record.get("uuid")) or f"line-{line}"
        raw_parent = text_of(record.get("parentUuid"))
        shared = {
            "at": moment(record.get("timestamp")),
            "parent": self._tree.resolve(raw_parent),
            "side": record.get("isSidechain") is True and not self._agent_id,
        }
        facts = list(self._blocks(record, kind, uuid, shared))
        worded = False
        for fact in facts:
            if isinstance(fact, Message):
                worded = True
                if fact.kind == "prompt" and not fact.side:
                    yield from self._prompt(fact, raw_parent)
            elif isinstance(fact, Call):
                worded = True
        if not worded:
            self._link(record)
        yield from facts

    def _prompt(self, prompt: Message, raw_parent: str) -> Iterator[Fact]:
        earlier = self._tree.prompt(raw_parent, prompt.key)
        if earlier:
            yield Rewind(self._session, earlier)
        if not self._names:
            self._names = True
            yield About(self._session, title=prompt.text, title_rank=TITLE_FIRST_PROMPT)

    def _blocks(self, record: dict[str, Any], kind: str, uuid: str, shared: dict[str, Any]) -> Iterator[Fact]:
        content = record["message"].get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content)
        texts: list[str] = []
        count = 0

        def key() -> str:
            nonlocal count
            count += 1
            return uuid if count == 1 else f"{uuid}/{count - 1}"

        for block in blocks:
            form = text_of(object_of(block).get("type"))
            if form == "text":
                text = text_of(block.get("text"))
                if kind == "assistant" or not _REMINDER.fullmatch(text):  # context that older versions put beside words
                    texts.append(text)
                continue
            if texts and form not in {"image", "document"}:
                yield self._said(record, kind, key(), "\n".join(texts), shared)
                texts = []
            if form in {"image", "document"}:
                texts.append(f"[{form}]")
            else:
                yield from self._block(record, block, form, key, shared)
        if texts:
            yield self._said(record, kind, key(), "\n".join(texts), shared)

    def _block(
        self,
        record: dict[str, Any],
        block: dict[str, Any],
        form: str,
        key: Callable[[], str],
        shared: dict[str, Any],
    ) -> Iterator[Fact]:
        """The facts of a block that is no text. Signatures and redacted thoughts are left out."""
        if form == "thinking" and text_of(block.get("thinking")):
            yield Message(self._session, key(), "assistant", "reasoning", block["thinking"], **shared)
        elif form in {"tool_use", "server_tool_use"}:
            own = key()
            name, arguments = text_of(block.get("name")), words(block.get("input"))
            yield Call(self._session, own, text_of(block.get("id")) or own, name, arguments, **shared)
        elif form in {"tool_result", "web_search_tool_result"}:
            yield self._result(record, block, text_of(record.get("uuid")) or key())
            yield from self._child(record, block)

    def _said(self, record: dict[str, Any], kind: str, key: str, text: str, shared: dict[str, Any]) -> Message:
        role: Role = "assistant" if kind == "assistant" else "user"
        what: Kind = "answer" if kind == "assistant" else "prompt"
        if record.get("isCompactSummary") is True:
            role, what = "system", "summary"
        elif kind == "user" and not self._human(record, text):
            role, what = "system", "notice"
        return Message(self._session, key, role, what, text, **shared)

    @staticmethod
    def _human(record: dict[str, Any], text: str) -> bool:
        """Whether words on a `user` record are a person's (or, in a subagent, those of whoever sent it)."""
        if record.get("isMeta") is True or _NOT_TYPED.match(text):
            return False
        origin = text_of(object_of(record.get("origin")).get("kind"))
        return origin not in {"task-notification", "system", "hook", "channel"}

    def _result(self, record: dict[str, Any], block: dict[str, Any], uuid: str) -> Result:
        content = block.get("content")
        output = content if isinstance(content, str) else _texts(content)
        failed = block.get("is_error") is True
        found = _EXIT.match(output) if failed else None
        call = text_of(block.get("tool_use_id"))
        at = moment(record.get("timestamp"))
        state: State = "failed" if failed else "ok"
        return Result(self._session, uuid, call, output, state, int(found[1]) if found else None, at)

    def _child(self, record: dict[str, Any], block: dict[str, Any]) -> Iterator[Fact]:
        agent = text_of(object_of(record.get("toolUseResult")).get("agentId"))
        if agent and not self._agent_id:
            call = text_of(block.get("tool_use_id"))
            yield About(f"{self._session}/{agent}", parent=self._session, parent_call=call)

    def _link(self, record: dict[str, Any]) -> None:
        self._tree.link(text_of(record.get("uuid")), text_of(record.get("parentUuid")))


def _texts(content: Any) -> str:
    """The text of a tool result's blocks; pictures are named."""
    parts = []
    for block in list_of(content):
        form = text_of(object_of(block).get("type"))
        parts.append(text_of(block.get("text")) if form == "text" else f"[{form or 'block'}]")
    return "\n".join(parts)


FORMAT = Format(AGENT, find, log=ClaudeFeed)
