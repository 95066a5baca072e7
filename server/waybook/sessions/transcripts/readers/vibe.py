"""Mistral Vibe: `logs/session/unified/<id>/`, a store of generations, chunks and journals (3.0.2, measured).

`CURRENT` names a generation; its projection (in chunks) is the conversation as shown, and the journal that follows holds
what came after. The model's own context is used only for the calls' ids and the text of a compaction's summary.
"""

from __future__ import annotations

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
    Source,
    State,
    Unknown,
)
from waybook.sessions.transcripts.readers.model import Format
from waybook.sessions.transcripts.text import list_of, moment, object_of, text_of, words
from waybook.workspace.transcript_files import document, lines, mark, names, opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.sessions.transcripts.readers.model import Places

AGENT = "vibe"
_GENERATION = re.compile(r"\d{1,32}")
_CHUNK = re.compile(r"[0-9a-f]{64}")
_SUMMARY = re.compile(r"<compaction_summary>\s*(.*?)\s*</compaction_summary>", re.DOTALL)


def find(places: Places) -> Iterator[Source]:
    """One folder for each session; what changes in it are its pointer, its facts and its journals."""
    root = os.path.join(places.folder("VIBE_HOME", ".vibe"), "logs", "session", "unified")
    for name, is_directory in names(root):
        folder = os.path.join(root, name)
        pointer = os.path.join(folder, "CURRENT")
        if is_directory and mark(pointer):
            journals = [os.path.join(folder, "journal", entry) for entry, _ in names(os.path.join(folder, "journal"))]
            yield Source(AGENT, pointer, session=name, files=(pointer, os.path.join(folder, "meta.json"), *journals))


def read(source: Source, state: dict[str, Any]) -> Iterator[Fact]:
    """One session. Its state: the calls' ids that were seen, since journals and contexts are thrown away."""
    calls = state.setdefault("calls", {})
    session = _Session(os.path.dirname(source.path), calls)
    entries = session.entries()
    yield from session.damage
    meta = session.load("meta.json")
    native = text_of(meta.get("session_id")) or source.session
    yield About(
        native,
        title=text_of(meta.get("title")),
        title_rank=TITLE_CUSTOM,
        cwd=text_of(object_of(meta.get("environment")).get("working_directory")),
        branch=text_of(meta.get("git_branch")),
        model=text_of(object_of(meta.get("config")).get("model_name")),
        at=moment(meta.get("start_time")),
        forked_from=text_of(meta.get("parent_session_id")),
    )
    named = False
    for key, entry in entries.items():
        for fact in session.entry(native, key, entry):
            yield fact
            if isinstance(fact, Message) and fact.kind == "prompt" and not named:
                named = True
                yield About(native, title=fact.text, title_rank=TITLE_FIRST_PROMPT)


class _Session:
    """The folder of one session."""

    def __init__(self, folder: str, calls: dict[str, str]) -> None:
        self._folder = folder
        self._calls = calls
        self._context: list[dict[str, Any]] = []
        self._summary = ""
        self.damage: list[Damage] = []

    def load(self, *parts: str) -> Any:
        """A JSON document of the folder; an empty object where it is missing or damaged."""
        path = os.path.join(self._folder, *parts)
        try:
            return json.loads(document(path))
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            self.damage.append(Damage(0, "damaged", f"{'/'.join(parts)} is no whole JSON document"))
            return {}

    def entries(self) -> dict[str, dict[str, Any]]:
        """The entries of the display history by id, in order."""
        found: dict[str, dict[str, Any]] = {}
        generation = text_of(object_of(self.load("CURRENT")).get("generation"))
        first = 0
        if _GENERATION.fullmatch(generation):
            manifest = object_of(self.load("generations", generation, "manifest.json"))
            inline = object_of(self.load("generations", generation, "projection-state.json"))
            history = object_of(object_of(inline.get("snapshot")).get("history"))
            shown = [*self._chunks(manifest.get("projection_state")), *list_of(history.get("entries"))]
            for entry in map(object_of, shown):
                found[text_of(entry.get("id"))] = entry
            self._context = [object_of(each) for each in self._chunks(manifest.get("checkpoint"))]
            sequence = object_of(manifest.get("recovery_journal_segment")).get("first_sequence")
            first = sequence if isinstance(sequence, int) else 0
        for name, _ in names(os.path.join(self._folder, "journal")):
            for record in self._journal(name):
                self._note(record)
                sequence = record.get("sequence")
                if isinstance(sequence, int) and sequence >= first:
                    _apply(record, found)
        self._read_context()
        found.pop("", None)
        return found

    def _chunks(self, part: Any) -> list[Any]:
        out: list[Any] = []
        for name in list_of(object_of(part).get("chunks")):
            if _CHUNK.fullmatch(text_of(name)):
                out += list_of(self.load("chunks", f"{name}.json"))
        return out

    def _journal(self, name: str) -> Iterator[dict[str, Any]]:
        with opened(os.path.join(self._folder, "journal", name)) as file:
            for line in lines(file):
                try:
                    record = json.loads(line.data) if line.data.strip() else None
                except (ValueError, RecursionError):
                    record = None
                    if line.whole:
                        self.damage.append(Damage(line.number, "damaged", f"journal/{name}: the line is damaged"))
                if isinstance(record, dict):
                    yield record

    def _note(self, record: dict[str, Any]) -> None:
        """Remember which call an action belongs to, and the text of a summary."""
        payload = object_of(record.get("payload"))
        request = object_of(payload.get("request"))
        if record.get("type") == "action_intent" and payload.get("kind") == "tool":
            action, call = text_of(payload.get("action_id")), text_of(request.get("call_id"))
            if action and call:
                self._calls[f"effect-{action}"] = call

    def _read_context(self) -> None:
        for each in self._context:
            for block in map(object_of, list_of(object_of(each.get("message")).get("content"))):
                found = _SUMMARY.search(text_of(block.get("text")))
                self._summary = found[1] if found else self._summary

    def _call(self, key: str, given: Any) -> str:
        """The id of a call: from a journal, else from the model's context, else the entry's own."""
        if key not in self._calls:
            used = set(self._calls.values())
            for each in self._context:
                for block in map(object_of, list_of(object_of(each.get("message")).get("content"))):
                    value = object_of(block.get("arguments")).get("value")
                    call = text_of(block.get("id"))
                    if block.get("type") == "tool_call" and value == given and call not in used:
                        return self._calls.setdefault(key, call)
            self._calls[key] = key
        return self._calls[key]

    def entry(self, session: str, key: str, entry: dict[str, Any]) -> Iterator[Fact]:
        """The facts of one entry."""
        kind, at = text_of(entry.get("type")), moment(entry.get("createdAt"))
        if kind == "message":
            text = "\n".join(text_of(object_of(block).get("text")) for block in list_of(entry.get("content")))
            user = entry.get("role") == "user"
            if not text:
                return
            if user and text_of(entry.get("source")) not in {"", "turn_start", "steer", "steering", "queue"}:
                yield Message(session, key, "system", "notice", text, at, replaces=True)
            else:
                role, what = ("user", "prompt") if user else ("assistant", "answer")
                yield Message(session, key, role, what, text, at, replaces=True)  # type: ignore[arg-type]  # of literals
        elif kind == "reasoning":
            if text_of(entry.get("text")):
                yield Message(session, key, "assistant", "reasoning", entry["text"], at, replaces=True)
        elif kind == "effect":
            yield from self._effect(session, key, entry, at)
        elif kind == "checkpoint":
            text = self._summary or text_of(entry.get("message"))
            if entry.get("kind") == "compaction" and text and entry.get("generationStatus") == "completed":
                yield Message(session, key, "system", "summary", text, at)
        else:
            yield Unknown(f"entry/{kind or '(none)'}")

    def _effect(self, session: str, key: str, entry: dict[str, Any], at: str) -> Iterator[Fact]:
        detail, state = object_of(entry.get("detail")), object_of(entry.get("state"))
        name = text_of(detail.get("toolName")).rpartition(".")[2]
        call = self._call(key, detail.get("input"))
        yield Call(session, key, call, name, words(detail.get("input")), at)
        status = text_of(state.get("status"))
        if status not in {"completed", "failed", "cancelled", "rejected", "denied"}:
            return
        output = object_of(state.get("output"))
        shown = object_of(output.get("structured_content"))
        code = shown.get("returncode")
        code = code if isinstance(code, int) else None
        success = object_of(state.get("display")).get("success")
        failed = status != "completed" or output.get("type") == "failure" or success is False or bool(code)
        found: State = "failed" if failed else "ok"
        if status in {"rejected", "denied"} or state.get("decision") in {"reject", "deny", "skip"}:
            found = "rejected"
        yield Result(session, key, call, _output(state, output, shown), found, code, moment(entry.get("updatedAt")))


def _output(state: dict[str, Any], output: dict[str, Any], shown: dict[str, Any]) -> str:
    if "stdout" in shown or "stderr" in shown:
        return text_of(shown.get("stdout")) + text_of(shown.get("stderr"))
    told = text_of(shown.get("content")) or text_of(state.get("outputText"))
    error = object_of(output.get("error")) or object_of(state.get("error"))
    return told or text_of(error.get("message")) or (words(shown) if shown else "")


def _apply(record: dict[str, Any], found: dict[str, dict[str, Any]]) -> None:
    """Add what a journal's record changes in the history as shown."""
    if record.get("type") != "projection_delta":
        return
    for change in map(object_of, list_of(object_of(record.get("payload")).get("delta"))):
        entry = object_of(change.get("entry"))
        if change.get("op") in {"append_entry", "replace_entry"} and text_of(entry.get("id")):
            found[entry["id"]] = entry


FORMAT = Format(AGENT, find, document=read)
