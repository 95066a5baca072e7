"""Cline: `data/sessions/<id>/<id>.json` and `<id>.messages.json`, subagents as `agent_*.messages.json` (3.0.65, measured).

Documents that are written anew as a whole. Prompts are wrapped; that of a session killed early stands only in `<id>.json`.
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
)
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import document, mark, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "cline"
_WRAPPED = re.compile(r"\s*<user_input\b[^>]*>(.*)</user_input>\s*", re.DOTALL)
FIRST = "prompt"
"""The key of a session's first prompt, wherever it stands."""


def find(places: Places) -> Iterator[Source]:
    """Sessions and subagents below the data folder."""
    root = os.path.join(places.folder("CLINE_DATA_DIR", ".cline", "data"), "sessions")
    for name, is_directory in names(root):
        folder = os.path.join(root, name)
        about = os.path.join(folder, f"{name}.json")
        said = os.path.join(folder, f"{name}.messages.json")
        if is_directory and (mark(about) or mark(said)):
            yield Source(AGENT, said, session=name, files=(said, about))
        for entry, _ in names(folder) if is_directory else ():
            if entry.startswith("agent_") and entry.endswith(".messages.json"):
                yield Source(AGENT, os.path.join(folder, entry), parent=name)


def read(source: Source, _state: dict[str, Any]) -> Iterator[Fact]:
    """One session or subagent."""
    record, damage = _load(source.path)
    if damage:
        yield damage
    about: dict[str, Any] = {}
    if not source.parent:
        about, damage = _load(source.parts[-1])
        if damage:
            yield damage
    session = text_of(record.get("sessionId")) or text_of(about.get("session_id")) or source.session
    messages = [object_of(each) for each in list_of(record.get("messages"))]
    first = next((_words(each) for each in messages if each.get("role") == "user"), "") or text_of(about.get("prompt"))
    meta = object_of(about.get("metadata"))
    title = text_of(meta.get("title"))
    yield About(
        session,
        title=title,
        title_rank=TITLE_MADE,
        cwd=text_of(about.get("cwd")) or _cwd(source),
        branch=text_of(object_of(meta.get("git")).get("branch")),
        version=text_of(object_of(record.get("origin")).get("version")),
        model=text_of(about.get("model")),
        at=moment(about.get("started_at")),
        parent=source.parent,
        parent_call=_call(source, first) if source.parent else "",
    )
    if first:
        yield About(session, title=first, title_rank=TITLE_FIRST_PROMPT)
    if not any(each.get("role") == "user" for each in messages) and text_of(about.get("prompt")):
        text = _unwrapped(about["prompt"])
        yield Message(session, FIRST, "user", "prompt", text, moment(about.get("started_at")), replaces=True)
    prompted = False
    for number, message in enumerate(messages):
        yield from _message(session, message, number, first=not prompted)
        prompted = prompted or (message.get("role") == "user" and bool(_words(message)))


def _load(path: str) -> tuple[dict[str, Any], Damage | None]:
    try:
        return object_of(json.loads(document(path))), None
    except FileNotFoundError:
        return {}, None
    except (ValueError, RecursionError):
        name = os.path.basename(path)
        return {}, Damage(0, "damaged", f"{name} is no whole JSON document")


def _cwd(source: Source) -> str:
    """A subagent works where its session does."""
    if not source.parent:
        return ""
    about, _ = _load(os.path.join(os.path.dirname(source.path), f"{source.parent}.json"))
    return text_of(about.get("cwd"))


def _call(source: Source, prompt: str) -> str:
    """The call that gave this subagent its task: only the text of the task tells."""
    main, _ = _load(os.path.join(os.path.dirname(source.path), f"{source.parent}.messages.json"))
    for message in list_of(main.get("messages")):
        for block in list_of(object_of(message).get("content")):
            given = object_of(object_of(block).get("input"))
            if prompt and prompt in {given.get("task"), given.get("prompt")}:
                return text_of(object_of(block).get("id"))
    return ""


def _message(session: str, message: dict[str, Any], number: int, *, first: bool) -> Iterator[Fact]:
    key, at = text_of(message.get("id")) or f"message-{number}", moment(message.get("ts"))
    if message.get("role") == "user":
        text = _words(message)
        if text:
            own = FIRST if first else key
            yield Message(session, own, "user", "prompt", text, at, replaces=True)
        for block in _blocks(message):
            if block.get("type") == "tool_result":
                yield _result(session, key, block, at)
        return
    count = 0
    for block in _blocks(message):
        own, kind = f"{key}/{count}" if count else key, block.get("type")
        if kind == "text" and text_of(block.get("text")):
            yield Message(session, own, "assistant", "answer", block["text"], at, replaces=True)
        elif kind in {"thinking", "reasoning"} and text_of(block.get("thinking", block.get("text"))):
            thinking = text_of(block.get("thinking", block.get("text")))
            yield Message(session, own, "assistant", "reasoning", thinking, at, replaces=True)
        elif kind == "tool_use":
            call = text_of(block.get("id")) or own
            yield Call(session, own, call, text_of(block.get("name")), words(block.get("input")), at)
        else:
            continue
        count += 1


def _result(session: str, key: str, block: dict[str, Any], at: str) -> Result:
    content = block.get("content")
    parts = [object_of(each) for each in list_of(content)]
    failed = block.get("is_error") is True or any(part.get("success") is False for part in parts)
    output = content if isinstance(content, str) else "\n".join(_part(part) for part in parts)
    state: State = "failed" if failed else "ok"
    return Result(session, key, text_of(block.get("tool_use_id")), output, state, at=at)


def _part(part: dict[str, Any]) -> str:
    for name in ("text", "result", "error"):
        if text_of(part.get(name)):
            return text_of(part.get(name))
    return words(part)


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [object_of(block) for block in list_of(content)]


def _words(message: dict[str, Any]) -> str:
    texts = [_unwrapped(text_of(block.get("text"))) for block in _blocks(message) if block.get("type") == "text"]
    return "\n".join(text for text in texts if text)


def _unwrapped(text: str) -> str:
    found = _WRAPPED.fullmatch(text)
    return found[1] if found else text


FORMAT = Format(AGENT, find, document=read)
