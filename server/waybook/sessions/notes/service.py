"""Add, list, edit and archive notes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.sessions import repository as runs_repository
from waybook.sessions.notes import repository, rules
from waybook.sessions.notes.model import Note, NoteChange, NoteDraft
from waybook.sessions.text import MAX_LISTED, require_limit, require_writer
from waybook.sessions.threads.repository import thread_of
from waybook.sessions.threads.service import require_open_thread, require_version
from waybook.store import erase

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.store.store import Connection, Store


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """Which notes to list; "" means any."""

    workspace_id: str = ""
    thread_id: str = ""
    run_id: str = ""
    kind: str = ""


class NoteService:
    """Notes of every workspace. Agents may write notes of their own; they change nobody else's."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, workspace_id: str, draft: NoteDraft, actor: Actor, *, redact_sensitive: bool = False) -> Note:
        """Write a note as version 1. The workspace is that of the thread or run, where one is named.

        Raises `UsageError` for a bad size or kind, `RefusedError` for a secret (unless it may be redacted) or a
        sensitive reference, `NotFoundError`, or `ConflictError` for a closed thread.
        """
        require_writer(actor)
        kind, visibility = rules.parse_kind(draft.kind), rules.parse_visibility(draft.visibility)
        title, title_redacted = rules.clean_title(draft.title, redact_sensitive=redact_sensitive)
        content, content_redacted = rules.clean_content(draft.content, redact_sensitive=redact_sensitive)
        source = rules.clean_source(draft.source_ref)
        evidence = rules.clean_evidence(draft.evidence, source)
        with self._store.write() as connection:
            workspace_id, thread_id = _place(connection, workspace_id, draft)
            now = timestamp(self._store.clock.now())
            note = Note(
                id=self._store.ids.new("not"),
                workspace_id=workspace_id,
                thread_id=thread_id,
                run_id=draft.run_id,
                kind=kind,
                title=title,
                content=content,
                source_ref=source,
                evidence=evidence,
                visibility=visibility,
                status="active",
                fingerprint=rules.fingerprint(title, content, source, evidence),
                redacted=title_redacted or content_redacted,
                version=1,
                author=actor.kind,
                created_by=actor.name,
                updated_by=actor.name,
                created_at=now,
                updated_at=now,
            )
            repository.add_note(connection, note)
            return note

    def list(self, chosen: NoteFilter, *, archived: bool = False, limit: int = MAX_LISTED) -> tuple[Note, ...]:
        """The newest update first; active ones unless `archived`; at most 500."""
        require_limit(limit, "notes")
        names = ("workspace_id", "thread_id", "run_id", "kind")
        where = {name: value for name in names if (value := getattr(chosen, name))}
        if chosen.kind:
            rules.parse_kind(chosen.kind)
        with self._store.read() as connection:
            return repository.list_notes(connection, where, archived=archived, limit=limit)

    def show(self, note_id: str) -> Note:
        """The note of this id. Raises `NotFoundError`."""
        with self._store.read() as connection:
            return require_note(connection, note_id)

    def edit(
        self, note_id: str, expected_version: int, change: NoteChange, actor: Actor, *, redact_sensitive: bool = False
    ) -> Note:
        """Write the next version. Raises as `add` does, and `ConflictError` for another version or an archived note."""
        require_writer(actor)
        given = _given(change, redact_sensitive=redact_sensitive)
        if not given:
            raise UsageError(
                "The edit changes nothing.", code="nothing-to-change", hint="Pass a new title, content or reference."
            )
        with self._store.write() as connection:
            note = _editable(connection, note_id, expected_version, actor)
            changed = replace(note, **given)
            evidence = rules.clean_evidence(changed.evidence, changed.source_ref)
            changed = self._next(
                replace(
                    changed,
                    redacted=note.redacted or bool(given.get("redacted")),
                    fingerprint=rules.fingerprint(changed.title, changed.content, changed.source_ref, evidence),
                ),
                actor,
            )
            repository.replace_note(connection, changed)
            if changed.fingerprint != note.fingerprint:
                erase.mark(connection)
            return changed

    def archive(self, note_id: str, expected_version: int, actor: Actor) -> Note:
        """Take a note out of use for good; its text stays readable. Raises `ConflictError` for another version."""
        require_writer(actor)
        with self._store.write() as connection:
            note = _editable(connection, note_id, expected_version, actor)
            archived = self._next(replace(note, status="archived"), actor)
            repository.replace_note(connection, archived)
            return archived

    def _next(self, note: Note, actor: Actor) -> Note:
        now = timestamp(self._store.clock.now())
        return replace(note, version=note.version + 1, updated_by=actor.name, updated_at=now)


def _place(connection: Connection, workspace_id: str, draft: NoteDraft) -> tuple[str, str]:
    """Workspace and thread of a new note. Raises `NotFoundError`, `UsageError` where run and thread do not fit."""
    thread_id = draft.thread_id
    if draft.run_id:
        run = runs_repository.find_run(connection, draft.run_id)
        if run is None:
            msg = f"There is no run {draft.run_id!r}."
            raise NotFoundError(msg, code="no-run", hint="`waybook run list` shows the runs.")
        thread_id = thread_of(connection, run.id) or ""
        if draft.thread_id not in {"", thread_id}:
            msg = f"Run {run.id} does not belong to thread {draft.thread_id}."
            raise UsageError(msg, code="wrong-thread", hint="Name the run alone; its thread is found by itself.")
        workspace_id = run.workspace_id
    if thread_id:
        workspace_id = require_open_thread(connection, thread_id).workspace_id
    return workspace_id, thread_id


def _given(change: NoteChange, *, redact_sensitive: bool) -> dict[str, Any]:
    """The fields that an edit gives, checked; `redacted` where a secret was replaced."""
    given: dict[str, Any] = {}
    redacted = False
    if change.title is not None:
        given["title"], redacted = rules.clean_title(change.title, redact_sensitive=redact_sensitive)
    if change.content is not None:
        given["content"], more = rules.clean_content(change.content, redact_sensitive=redact_sensitive)
        redacted = redacted or more
    if change.source_ref is not None:
        given["source_ref"] = rules.clean_source(change.source_ref)
    if change.evidence is not None:
        given["evidence"] = rules.clean_evidence(change.evidence, "")
    if change.visibility is not None:
        given["visibility"] = rules.parse_visibility(change.visibility)
    return {**given, "redacted": True} if redacted else given


def _editable(connection: Connection, note_id: str, expected_version: int, actor: Actor) -> Note:
    note = require_note(connection, note_id)
    if actor.kind == "agent" and (note.author, note.created_by) != ("agent", actor.name):
        msg = f"An agent changes only notes of its own; note {note.id} is by {note.author} {note.created_by}."
        raise RefusedError(msg, code="not-its-note", hint="Add a note instead; a person may edit this one.")
    require_version("note", note.id, note.version, expected_version)
    if note.status != "active":
        msg = f"Note {note.id} is archived and changes no more."
        raise ConflictError(msg, code="note-archived", hint="Write a new note: waybook notes add")
    return note


def require_note(connection: Connection, note_id: str) -> Note:
    """The note of this id. Raises `NotFoundError`."""
    note = repository.find_note(connection, note_id)
    if note is None:
        msg = f"There is no note {note_id!r}."
        raise NotFoundError(msg, code="no-note", hint="`waybook notes list --archived` shows the notes.")
    return note
