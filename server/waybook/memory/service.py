"""Create, edit, switch, delete, list and read memories; each write in one transaction, by an operator only."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, NotFoundError, UsageError
from waybook.memory import repository, rules
from waybook.memory.cursor import pack, unpack
from waybook.memory.model import Change, Deleted, Memory, Page, Scope, SourceKind, Status, Written
from waybook.store import erase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from waybook.base.actor import Actor
    from waybook.memory.model import Draft
    from waybook.memory.repository import Owner
    from waybook.store.store import Connection, Store

MAX_PAGE = 500
PROMPT_LIMIT = 100
"""How many memories of one scope are offered to a prompt at most."""
_ANY_TIME = "0"


class MemoryService:
    """Long-term memory. Readers are anybody; writers are operators (`RefusedError` otherwise)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # --- writing ------------------------------------------------------------------------------------------------------

    def create(self, draft: Draft, actor: Actor) -> Memory:
        """Keep a new memory. Raises `UsageError` for a broken limit, `RefusedError` for a secret or a sensitive place."""
        text = self._check(draft, actor)
        with self._store.write() as connection:
            return self._add(connection, draft, text, actor)

    def create_in(self, connection: Connection, draft: Draft, actor: Actor) -> Memory:
        """As `create`, within the caller's write transaction: nothing is kept unless that commits."""
        return self._add(connection, draft, self._check(draft, actor), actor)

    def create_all(self, drafts: Sequence[Draft], actor: Actor) -> tuple[list[Memory], int]:
        """Keep many or, when one is refused, none.

        Answers the new ones, and how many were there already (same owner, title and content).
        """
        checked = [(draft, self._check(draft, actor)) for draft in drafts]
        added, known = [], 0
        with self._store.write() as connection:
            for draft, text in checked:
                owner = rules.scope_id(draft.scope, draft.scope_id)
                if repository.same_text(connection, owner, text.title, text.content_sha256):
                    known += 1
                else:
                    added.append(self._add(connection, draft, text, actor))
        return added, known

    def edit(self, memory_id: str, expected_version: int, change: Change, actor: Actor) -> Written:
        """Write the next version; the replaced text is erased. Raises `ConflictError` when another version is current."""
        actor.require_operator("edit a memory")
        if change.is_empty:
            raise UsageError(
                "Nothing is to be changed.", code="nothing-to-change", hint="Name a field with its new text."
            )
        with self._store.write() as connection:
            old = self._expect(connection, memory_id, expected_version)
            text = rules.settle_text(
                old.title if change.title is None else change.title,
                old.content if change.content is None else change.content,
                old.source_ref if change.source_ref is None else change.source_ref,
                old.references if change.references is None else change.references,
                redact_sensitive=change.redact_sensitive,
            )
            now = self._store.clock.now()
            until = old.retention_until
            if change.retention is not None:
                until = rules.retention_until(change.retention, now, old.created_at)
            new = replace(
                self._next(old, actor, now),
                title=text.title,
                content=text.content,
                content_sha256=text.content_sha256,
                source_ref=text.source_ref,
                references=text.references,
                redacted=text.redacted or (old.redacted and change.content is None),
                retention_until=until,
                expired=rules.is_expired(until, timestamp(now)),
            )
            moved = (new.title, new.content, new.source_ref, new.references) != (
                old.title,
                old.content,
                old.source_ref,
                old.references,
            )
            repository.replace(connection, new, new_text=moved)
            if moved:
                erase.mark(connection)
        return Written(new, self._erasure() if moved else "done")

    def switch(self, memory_id: str, expected_version: int, status: Status, actor: Actor) -> Written:
        """Enable or disable. Raises as `edit` does."""
        actor.require_operator(f"{'enable' if status is Status.ACTIVE else 'disable'} a memory")
        with self._store.write() as connection:
            old = self._expect(connection, memory_id, expected_version)
            new = replace(self._next(old, actor, self._store.clock.now()), status=status)
            repository.replace(connection, new, new_text=False)
        return Written(new)

    def delete(self, memory_id: str, expected_version: int, actor: Actor) -> Deleted:
        """Delete for good: afterwards no file that Waybook keeps holds the words, as soon as `erasure` is `done`.

        Raises as `edit` does.
        """
        actor.require_operator("delete a memory")
        with self._store.write() as connection:
            self._expect(connection, memory_id, expected_version)
            repository.delete(connection, memory_id)
            erase.mark(connection)
        return Deleted(memory_id, expected_version, recoverable=False, erasure=self._erasure())

    # --- reading ------------------------------------------------------------------------------------------------------

    def show(self, memory_id: str) -> Memory:
        """The memory of this id. Raises `NotFoundError`."""
        with self._store.read() as connection:
            found = repository.find(connection, memory_id, self._now())
        if found is None:
            raise missing(memory_id)
        return found

    def list(
        self, owners: Sequence[Owner], *, everything: bool = False, limit: int = MAX_PAGE, cursor: str = ""
    ) -> Page:
        """A page of 1 to 500, newest update first, then by id; `everything` includes disabled and expired ones."""
        require_page(limit)
        after = unpack(cursor, "list", str, str)
        if not owners:
            return Page((), "")
        with self._store.read() as connection:
            found = repository.page(
                connection,
                owners,
                self._now(),
                limit + 1,
                everything=everything,
                after=(after[0], after[1]) if after else None,
            )
        shown = tuple(found[:limit])
        more = len(found) > limit
        return Page(shown, pack("list", shown[-1].updated_at, shown[-1].id) if more else "")

    def export(self, owners: Sequence[Owner], *, everything: bool = False) -> tuple[Memory, ...]:
        """Every memory of these owners, by id."""
        if not owners:
            return ()
        with self._store.read() as connection:
            return tuple(repository.all_of(connection, owners, self._now(), everything=everything))

    def prompt_records(self, now: datetime, owners: Iterable[Owner]) -> tuple[Memory, ...]:
        """What may enter a prompt or recall at `now`: never a disabled or expired memory.

        The user's come first, then by id, at most 100 of each owner: the selection order of the continuity protocol.
        """
        ordered = sorted(set(owners), key=lambda owner: (owner[0] is not Scope.USER, owner[1]))
        with self._store.read() as connection:
            return tuple(
                memory
                for owner in ordered
                for memory in repository.usable(connection, owner, timestamp(now), PROMPT_LIMIT)
            )

    # --- parts --------------------------------------------------------------------------------------------------------

    def _check(self, draft: Draft, actor: Actor) -> rules.Text:
        actor.require_operator("keep a memory")
        rules.scope_id(draft.scope, draft.scope_id)
        return rules.settle(draft)

    def _add(self, connection: Connection, draft: Draft, text: rules.Text, actor: Actor) -> Memory:
        scope, owner = rules.scope_id(draft.scope, draft.scope_id)
        if scope is Scope.PROJECT and not repository.knows_workspace(connection, owner):
            raise NotFoundError(f"No workspace {owner!r} is registered.", code="no-workspace")
        now = self._store.clock.now()
        imported = draft.source_kind is SourceKind.IMPORT
        until = rules.retention_until(draft.retention, now, _ANY_TIME if imported else "")
        if until and imported:  # what expired before it came here expires at its creation
            until = max(until, timestamp(now))
        memory = Memory(
            id=self._store.ids.new("mem"),
            scope=scope,
            scope_id=owner,
            title=text.title,
            content=text.content,
            content_sha256=text.content_sha256,
            status=draft.status,
            source_kind=draft.source_kind,
            source_ref=text.source_ref,
            references=text.references,
            retention_until=until,
            redacted=text.redacted,
            created_by=actor.name,
            updated_by=actor.name,
            version=1,
            created_at=timestamp(now),
            updated_at=timestamp(now),
            expired=rules.is_expired(until, timestamp(now)),
        )
        repository.add(connection, memory)
        return memory

    def _expect(self, connection: Connection, memory_id: str, version: int) -> Memory:
        found = repository.find(connection, memory_id, self._now())
        if found is None:
            raise missing(memory_id)
        require_version(found, version)
        return found

    def _next(self, old: Memory, actor: Actor, now: datetime) -> Memory:
        stamp = max(timestamp(now), old.updated_at)  # a clock set back keeps the order of versions
        return replace(old, version=old.version + 1, updated_by=actor.name, updated_at=stamp)

    def _erasure(self) -> str:
        return "pending" if self._store.erasure_pending() else "done"

    def _now(self) -> str:
        return timestamp(self._store.clock.now())


def require_page(limit: int) -> None:
    """Refuse (`UsageError`) a page size outside 1 to 500."""
    if not 1 <= limit <= MAX_PAGE:
        raise UsageError(f"A page has 1 to {MAX_PAGE} memories.", code="bad-limit", limit=MAX_PAGE)


def require_version(memory: Memory, version: int) -> None:
    """Refuse (`ConflictError`) to write over another version than the one that was seen."""
    if memory.version != version:
        raise ConflictError(
            f"The memory {memory.id} has version {memory.version}, not {version}; nothing was written.",
            code="version-conflict",
            hint=f"Look at it again (waybook memory show {memory.id}) and repeat with --version {memory.version}.",
            expected_version=version,
            current_version=memory.version,
        )


def missing(memory_id: str) -> NotFoundError:
    """The answer for an id that no memory has."""
    return NotFoundError(
        f"There is no memory {memory_id!r}.",
        code="no-memory",
        hint="`waybook memory list --all` shows those there are.",
    )
