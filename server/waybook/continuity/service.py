"""Checkpoints, and the words that runs of Waybook's own keep; forks and resumes are in `branches/`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import UsageError
from waybook.continuity import repository
from waybook.continuity.branches import repository as own
from waybook.continuity.branches.beginnings import ensure_root, one_line
from waybook.continuity.branches.service import Branch, BranchService, require_node
from waybook.continuity.capture import repository as reading
from waybook.continuity.capture.gather import gather
from waybook.continuity.capture.surroundings import look
from waybook.continuity.model import (
    MAX_MEMORIES,
    MAX_SUMMARY_BYTES,
    Basis,
    Node,
    NodeKind,
    PieceKind,
    Snapshot,
    TaskMode,
)
from waybook.continuity.rules import budget, clip, task_mode
from waybook.continuity.subjects import find_subject, of_run
from waybook.instructions.ledger import no_run
from waybook.instructions.stored import dump_snapshot
from waybook.sessions.messages.service import MessageService
from waybook.sessions.service import RunService
from waybook.sessions.text import require_storable, require_writer, title_line
from waybook.sessions.transcripts.text import MAX_TEXT, fit
from waybook.workspace.roots import find_root

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.base.actor import Actor
    from waybook.continuity.capture.surroundings import Surroundings
    from waybook.continuity.model import Captured
    from waybook.continuity.subjects import Subject
    from waybook.instructions.model import Snapshot as Instructions
    from waybook.sessions.messages.model import Message
    from waybook.store.store import Connection, Store

Pieces = tuple["Captured | None", tuple["Captured", ...]]


class ContinuityService:
    """Checkpoints and branches of a store.

    `mask` hides secrets in whatever is kept; `discover` gives the instructions of (root, target) as they are on the disk.
    """

    def __init__(
        self, store: Store, *, mask: Callable[[str], str], discover: Callable[[str, str], Instructions]
    ) -> None:
        self._store = store
        self._mask = mask
        self._discover = discover
        self._branches = BranchService(store, mask=mask)

    def checkpoint(
        self,
        name: str,
        actor: Actor,
        *,
        title: str = "",
        summary: str = "",
        mode: str = "",
        budget_tokens: int = 0,
        root: str = "",
    ) -> Node:
        """Keep where a run or session stands, bounded and redacted.

        `name` is the id of a run, or of a session (or its beginning). An empty `mode` and a `budget_tokens` of 0 leave
        those of the node before. `root` names the workspace of a session whose own is unknown. Raises `NotFoundError`,
        `UsageError`, or `RefusedError` for a caller who is no operator; then nothing was written.
        """
        actor.require_operator("make a checkpoint")
        title = self._mask(title_line(title)) if title.strip() else ""
        require_storable("summary", summary)
        summary = clip(self._mask(summary.strip()), MAX_SUMMARY_BYTES)
        task = (task_mode(mode), budget(budget_tokens))
        with self._store.read() as connection:
            subject = find_subject(connection, name)
            pieces = gather(connection, subject.session, subject.run_id, self._mask, earlier=self._earlier(subject))
        root, workspace_id = self._place(subject, root)
        around = look(root, subject.target, None if subject.run else self._discover)
        with self._store.write() as connection:
            before = repository.newest_place(connection, subject.session_id)
            if before is None and subject.run is not None:
                ensure_root(connection, subject)
                before = repository.newest_place(connection, subject.session_id)
            now = timestamp(self._store.clock.now())
            node = Node(
                id=self._store.ids.new("nod"),
                kind=NodeKind.CHECKPOINT,
                parent_id=before.id if before else "",
                tree=before.tree if before else subject.session_id,
                workspace_id=workspace_id,
                run_id=subject.run_id,
                session_id=subject.session_id,
                title=title or _plain_title(subject, before.checkpoints if before else 0),
                summary=summary,
                snapshot=replace(
                    self._snapshot(connection, subject, pieces, around),
                    memories=reading.active_memories(connection, workspace_id, now, MAX_MEMORIES),
                    mode=task[0] or (TaskMode(before.mode) if before else TaskMode.UNSPECIFIED),
                    budget_tokens=task[1] or (before.budget_tokens if before else 0),
                ),
                created_by=actor.name,
                created_at=now,
            )
            _store_node(connection, node, pieces)
            return node

    def _snapshot(self, connection: Connection, subject: Subject, pieces: Pieces, around: Surroundings) -> Snapshot:
        fingerprint, basis = "", Basis.NONE
        if subject.run is not None:
            fingerprint = own.newest_pin(connection, subject.run.id)
            basis = Basis.PINNED if fingerprint else Basis.NONE
        elif around.instructions is not None:
            fingerprint, basis = around.instructions.fingerprint, Basis.LIVE
            repository.keep_instructions(connection, fingerprint, dump_snapshot(around.instructions, self._mask))
        compaction, messages = pieces
        return Snapshot(
            compaction=None if compaction is None else compaction.piece,
            messages=tuple(item.piece for item in messages),
            config_fingerprint=around.config_fingerprint,
            instruction_fingerprint=fingerprint,
            instruction_basis=basis,
            git=around.git,
        )

    def _earlier(self, subject: Subject) -> tuple[Message, ...]:
        """What the session of an agent took over from another without copying it."""
        session = subject.session
        if session is None or not session.fork_point:
            return ()
        return MessageService(self._store).conversation(session.id).messages

    def _place(self, subject: Subject, root: str) -> tuple[str, str]:
        """The root and the id of the subject's workspace; that of an agent's session is registered on first use."""
        if subject.run is not None:
            return subject.root, subject.run.workspace_id
        root = root or (find_root(subject.root).path if subject.root else "")
        if not root:
            raise UsageError(
                f"Nobody knows in which directory the session {subject.session_id} worked.",
                code="no-workspace",
                hint="Name one: --workspace DIR",
            )
        return root, RunService(self._store, mask=self._mask).register(root).id

    # --- branches -----------------------------------------------------------------------------------------------------

    def fork(self, node_id: str, actor: Actor, *, goal: str = "", title: str = "", thread: str = "") -> Branch:
        """Begin another run from a stored node; see `BranchService.leave`."""
        return self._branches.leave(NodeKind.FORK, node_id, goal, title, thread, actor)

    def resume(self, node_id: str, actor: Actor, *, title: str = "", thread: str = "") -> Branch:
        """Go on with a stored node's goal in a new run; see `BranchService.leave`."""
        return self._branches.leave(NodeKind.RESUME, node_id, "", title, thread, actor)

    def node(self, node_id: str) -> Node:
        """A stored node, whole. Raises `NotFoundError` or `StoreError`."""
        require_storable("node", node_id)
        with self._store.read() as connection:
            return require_node(connection, node_id)

    # --- the words of own runs ----------------------------------------------------------------------------------------

    def say(self, run_id: str, role: str, text: str, actor: Actor) -> str:
        """Add a message (`user` or `assistant`) to the session of a run, which it opens; the message's key.

        Raises `NotFoundError` or `UsageError`. The text is redacted and bounded as those of imported sessions are.
        """
        require_writer(actor)
        if role not in {"user", "assistant"}:
            raise UsageError(f"There is no role {role!r}.", code="bad-role", hint="Choose user or assistant.")
        kept = fit(text, MAX_TEXT, self._mask)
        with self._store.write() as connection:
            run = reading.run_by(connection, run_id)
            if run is None:
                raise no_run(run_id)
            now = timestamp(self._store.clock.now())
            subject = of_run(connection, run)
            if subject.session is None:
                seq = own.open_session(connection, run.id, one_line(run.goal), subject.root, "", now)
            else:
                seq = subject.session.seq
            kind = PieceKind.PROMPT if role == "user" else PieceKind.ANSWER
            key = self._store.ids.new("msg")
            own.append(connection, seq, own.Words(key, role, kind.value, kept, now))
            return key


def _plain_title(subject: Subject, checkpoints: int) -> str:
    """A title that tells the checkpoints of a session apart."""
    owner = subject.session.title if subject.session is not None and subject.session.title else subject.title
    return one_line(f"checkpoint {checkpoints + 1} of {owner}")


def _store_node(connection: Connection, node: Node, pieces: Pieces) -> None:
    compaction, messages = pieces
    kept = repository.keep_pieces(connection, [*([compaction] if compaction else []), *messages])
    origins = [compaction.origin if compaction else "", *(item.origin for item in messages)]
    repository.add_node(connection, node, repository.columns_of(connection, node.snapshot, kept, origins))
