"""specialist_result.read: a sub-agent's finished tool results as short receipts, read back in pages within its attempt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from waybook.base.canonical import sha256_hex
from waybook.base.errors import NotFoundError, RefusedError
from waybook.recall import handle as handles
from waybook.recall import pages, repository
from waybook.recall.handle import Handle
from waybook.recall.model import PAGE_BYTES, Lineage, Page, Receipts, ShortReceipt
from waybook.recall.service import not_available, require_lineage

if TYPE_CHECKING:
    from waybook.recall.pages import Wish
    from waybook.store.store import Connection, Store

LARGE_BYTES = 2 * 1024
"""A result of more UTF-8 bytes than this shows as a short receipt."""
HEAD_BYTES = 512
"""What a short receipt shows of it."""


class SpecialistService:
    """Results of sub-agents: a sub-agent is one session below a run's, an attempt one try at the call that began it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list(self, run_id: str, agent: str, attempt: int = 1) -> Receipts:
        """The finished calls of an attempt. Raises `NotFoundError`."""
        with self._store.read() as connection:
            chain, session_seq, agent_id = _attempt(connection, run_id, agent, attempt)
            rows = repository.receipts(connection, session_seq)
            open_calls = repository.open_calls(connection, session_seq)
        shown = tuple(_short(chain, agent_id, attempt, row) for row in rows)
        return Receipts(run_id, agent_id, attempt, shown, open_calls)

    def read(self, run_id: str, agent: str, attempt: int, handle: str, wish: Wish) -> Page:
        """A page of a result. Raises as `RecallService.read`; a handle is good in its own run, agent and attempt only."""
        bound = handles.parse(handle)
        with self._store.read() as connection:
            chain, session_seq, agent_id = _attempt(connection, run_id, agent, attempt)
            own = (bound.run_id, bound.agent, bound.attempt) == (run_id, agent_id, attempt)
            if not own or bound.kind != "specialist_result":
                raise RefusedError(
                    "This handle belongs to another run, agent or attempt.",
                    code="wrong-run",
                    hint="List this attempt's results.",
                )
            found = [row for row in repository.receipts(connection, session_seq) if row.call_id == bound.id]
        if not found:
            raise not_available()
        (row,) = found
        if _handle(chain, agent_id, attempt, row) != bound:
            raise pages.changed()
        text = repository.receipt_text(row.arguments, row.output)
        digest = pages.require_hash(text, wish)
        part = pages.cut(text, replace(wish, max_bytes=wish.max_bytes or PAGE_BYTES))
        return Page(
            handle=handle,
            kind="specialist_result",
            id=row.call_id,
            title=row.name,
            at=row.finished_at,
            version=0,
            text=part.text,
            offset=part.offset,
            next_offset=part.next_offset,
            total_bytes=part.total_bytes,
            content_sha256=digest,
        )


def _attempt(connection: Connection, run_id: str, agent: str, attempt: int) -> tuple[Lineage, int, str]:
    """The chain of the run, and the session of this sub-agent's attempt by its row and id."""
    chain = require_lineage(connection, run_id)
    for session_seq, session_id, native_id, number in repository.specialists(connection, run_id):
        if agent in {session_id, native_id} and number == attempt:
            return chain, session_seq, session_id
    raise NotFoundError(
        f"Run {run_id} has no attempt {attempt} of a sub-agent {agent!r}.",
        code="no-specialist",
        hint="`waybook sessions show` lists the sub-agents of a session.",
    )


def _handle(chain: Lineage, agent_id: str, attempt: int, row: Any) -> Handle:
    digest = sha256_hex(repository.receipt_text(row.arguments, row.output))
    return Handle(
        chain.run_id, chain.workspace_id, "specialist_result", row.call_id, 0, digest, row.state, agent_id, attempt
    )


def _short(chain: Lineage, agent_id: str, attempt: int, row: Any) -> ShortReceipt:
    text = repository.receipt_text(row.arguments, row.output)
    data = text.encode("utf-8", "replace")
    whole = len(data) <= LARGE_BYTES
    handle = _handle(chain, agent_id, attempt, row)
    return ShortReceipt(
        call_id=row.call_id,
        name=row.name,
        state=row.state,
        exit_code=row.exit_code,
        bytes=len(data),
        content_sha256=handle.content_sha256,
        text=text if whole else data[:HEAD_BYTES].decode("utf-8", "ignore"),
        whole=whole,
        handle=handles.write(handle),
        finished_at=row.finished_at,
    )
