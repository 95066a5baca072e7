"""What the database itself refuses, whoever writes: ledgers, versions, limits, tombstones that carry text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from sessions.world import AGENT, OPERATOR, CompletionKind, World
from waybook.memory.candidates.model import Review
from waybook.pins.model import Choice

if TYPE_CHECKING:
    from collections.abc import Callable


class Filled:
    """One of everything: ids by name."""

    def __init__(self, world: World) -> None:
        self.thread, self.closed = world.thread(), world.thread("closed")
        world.threads.close(self.closed, 1, OPERATOR)
        self.run = world.run(self.thread).id
        self.lonely = world.run().id
        self.note = world.note(run_id=self.run).id
        self.other = world.note("Other.", run_id=self.run).id
        self.archived = world.note("Old.").id
        world.notes.archive(self.archived, 1, OPERATOR)
        world.complete(self.run)
        self.completion = world.scalar("SELECT id FROM completions")
        pending, reviewed = world.candidates.list(world.workspace.id, OPERATOR).candidates
        self.candidate, self.tombstone = pending.id, reviewed.id
        world.candidates.reject(reviewed.id, Review(1, reviewed.fingerprint, 1), OPERATOR)
        self.pin = world.pins.add(self.thread, "pinned", OPERATOR).pin.id
        self.open = world.proposals.propose("open", AGENT, thread_id=self.thread).id
        self.answered = world.proposals.propose("answered", AGENT, thread_id=self.thread).id
        world.proposals.answer(self.answered, Choice.ONLY_NOW, OPERATOR)
        self.workspace = world.workspace.id
        self.other_workspace = world.runs.register("/b/other").id


@pytest.fixture
def filled(world: World) -> Filled:
    return Filled(world)


REFUSED = {
    # append-only ledgers
    "completion changed": "UPDATE completions SET reference = 'x'",
    "completion deleted": "DELETE FROM completions",
    "completion replaced": "INSERT OR REPLACE INTO completions SELECT * FROM completions",
    "proposal changed": "UPDATE pin_proposals SET text = 'x' WHERE id = '{open}'",
    "proposal deleted": "DELETE FROM pin_proposals WHERE id = '{open}'",
    "proposal replaced": "INSERT OR REPLACE INTO pin_proposals SELECT * FROM pin_proposals",
    "answer changed": "UPDATE pin_answers SET choice = 'keep'",
    "answer deleted": "DELETE FROM pin_answers",
    "answer replaced": "INSERT OR REPLACE INTO pin_answers SELECT * FROM pin_answers",
    "chain changed": "UPDATE thread_runs SET sequence = 2",
    "chain shortened": "DELETE FROM thread_runs",
    "chain with a gap": "INSERT INTO thread_runs VALUES ('{thread}', 3, '{lonely}', 'now')",
    "chain of a closed thread": "INSERT INTO thread_runs VALUES ('{closed}', 1, '{lonely}', 'now')",
    "run in two threads": "INSERT INTO thread_runs VALUES ('{thread}', 2, '{run}', 'now')",
    # versions and final states
    "thread deleted": "DELETE FROM threads",
    "thread without a version": "UPDATE threads SET title = 'x' WHERE id = '{thread}'",
    "thread two versions on": "UPDATE threads SET version = version + 2 WHERE id = '{thread}'",
    "thread reopened": "UPDATE threads SET state = 'open', version = version + 1 WHERE id = '{closed}'",
    "thread moved": "UPDATE threads SET workspace_id = '{other_workspace}', version = version + 1 WHERE id = '{thread}'",
    "note deleted": "DELETE FROM notes",
    "note without a version": "UPDATE notes SET content = 'x' WHERE id = '{note}'",
    "note of another kind": "UPDATE notes SET kind = 'plan', version = version + 1 WHERE id = '{note}'",
    "note of another author": "UPDATE notes SET author = 'agent', version = version + 1 WHERE id = '{note}'",
    "note in another thread": "UPDATE notes SET thread_id = NULL, version = version + 1 WHERE id = '{note}'",
    "note unarchived": "UPDATE notes SET status = 'active', version = version + 1 WHERE id = '{archived}'",
    "note replaced": "INSERT OR REPLACE INTO notes SELECT * FROM notes WHERE id = '{note}'",
    "note too long": "UPDATE notes SET content = hex(zeroblob(8193)), version = version + 1 WHERE id = '{note}'",
    "note that is empty": "UPDATE notes SET content = '', version = version + 1 WHERE id = '{note}'",
    "pin without a version": "UPDATE pins SET text = 'x'",
    "pin moved": "UPDATE pins SET position = 9, version = version + 1",
    "pin in another thread": "UPDATE pins SET thread_id = '{closed}', version = version + 1",
    "pin replaced": "INSERT OR REPLACE INTO pins SELECT * FROM pins",
    "pin too long": "UPDATE pins SET text = hex(zeroblob(4097)), version = version + 1",
    "pin that is empty": "UPDATE pins SET text = '', version = version + 1",
    "pin with NUL": "UPDATE pins SET text = 'a' || char(0), version = version + 1",
    # runs and completions
    "run completed from nowhere": "UPDATE runs SET state = 'completed' WHERE id = '{lonely}'",
    "run back from completed": "UPDATE runs SET state = 'running' WHERE id = '{run}'",
    "completion of a run that runs": (
        "INSERT INTO completions VALUES ('c', '{workspace}', NULL, '{lonely}', 'run_completed', '', 'x', 'now')"
    ),
    "run completed twice": (
        "INSERT INTO completions VALUES ('c', '{workspace}', '{thread}', '{run}', 'run_completed', '', 'x', 'now')"
    ),
    "completion of nothing": (
        "INSERT INTO completions VALUES ('c', '{workspace}', NULL, NULL, 'thread_reply', '', 'x', 'now')"
    ),
    "completion elsewhere": (
        "INSERT INTO completions VALUES ('c', '{other_workspace}', '{thread}', NULL, 'thread_reply', '', 'x', 'now')"
    ),
    # candidates
    "tombstone with text": "UPDATE memory_candidates SET text_seq = 1, version = version + 1 WHERE id = '{tombstone}'",
    "tombstone revived": (
        "UPDATE memory_candidates SET status = 'pending', version = version + 1 WHERE id = '{tombstone}'"
    ),
    "tombstone changed": (
        "UPDATE memory_candidates SET reviewed_by = 'eve', version = version + 1 WHERE id = '{tombstone}'"
    ),
    "tombstone deleted": "DELETE FROM memory_candidates WHERE id = '{tombstone}'",
    "tombstone replaced": (
        "INSERT OR REPLACE INTO memory_candidates SELECT * FROM memory_candidates WHERE id = '{tombstone}'"
    ),
    "buried with its text": (
        "UPDATE memory_candidates SET status = 'rejected', reviewed_by = 'x', reviewed_at = 'now', "
        "version = version + 1 WHERE id = '{candidate}'"
    ),
    "confirmed without a memory": (
        "UPDATE memory_candidates SET status = 'confirmed', text_seq = NULL, reviewed_by = 'x', reviewed_at = 'now', "
        "version = version + 1 WHERE id = '{candidate}'"
    ),
    "rejected by nobody": (
        "UPDATE memory_candidates SET status = 'rejected', text_seq = NULL, version = version + 1 "
        "WHERE id = '{candidate}'"
    ),
    "buried under other words": (
        "UPDATE memory_candidates SET status = 'rejected', text_seq = NULL, reviewed_by = 'x', reviewed_at = 'now', "
        "fingerprint = '" + "0" * 64 + "', version = version + 1 WHERE id = '{candidate}'"
    ),
    "candidate without a version": "UPDATE memory_candidates SET note_version = 5 WHERE id = '{candidate}'",
    "second candidate of a note": (
        "INSERT INTO memory_candidates SELECT 'c', workspace_id, note_id, note_version, completion_id, basis, '"
        + "0" * 64
        + "', 'pending', 3, NULL, NULL, NULL, 1, 'now', 'now' FROM memory_candidates WHERE id = '{candidate}'"
    ),
    "text rewritten": "UPDATE candidate_texts SET content = 'x'",
    "text blanked while in use": (
        "UPDATE candidate_texts SET title = '', content = '', refs = '' WHERE seq = "
        "(SELECT text_seq FROM memory_candidates WHERE id = '{candidate}')"
    ),
    "blank text filled": "UPDATE candidate_texts SET title = 'x', content = 'x', refs = '[]' WHERE title = ''",
    "text deleted": "DELETE FROM candidate_texts",
    # proposals
    "proposal in a closed thread": "INSERT INTO pin_proposals VALUES ('p', '{closed}', NULL, 'x', 'x', 'now')",
    "proposal made twice": "INSERT INTO pin_proposals VALUES ('p', '{thread}', NULL, 'open', 'x', 'now')",
    "proposal of a stranger's run": "INSERT INTO pin_proposals VALUES ('p', '{thread}', '{lonely}', 'x', 'x', 'now')",
    "kept without a pin": "INSERT INTO pin_answers VALUES ('{open}', 'keep', '', NULL, 'x', 'now')",
    "kept with another text": "INSERT INTO pin_answers VALUES ('{open}', 'keep', '', '{pin}', 'x', 'now')",
    "not now, and yet a pin": "INSERT INTO pin_answers VALUES ('{open}', 'only_now', '', '{pin}', 'x', 'now')",
    "own reply without words": "INSERT INTO pin_answers VALUES ('{open}', 'custom', '', NULL, 'x', 'now')",
    "answered twice": "INSERT INTO pin_answers VALUES ('{answered}', 'only_now', '', NULL, 'x', 'now')",
    "pin from a proposal with other words": (
        "INSERT INTO pins VALUES ('p', '{thread}', 9, 'other words', 'proposal', '{open}', 1, 'x', 'x', 'now', 'now')"
    ),
    "pin from no proposal": (
        "INSERT INTO pins VALUES ('p', '{thread}', 9, 'x', 'reply', NULL, 1, 'x', 'x', 'now', 'now')"
    ),
    "pin in a closed thread": (
        "INSERT INTO pins VALUES ('p', '{closed}', 1, 'x', 'operator', NULL, 1, 'x', 'x', 'now', 'now')"
    ),
}


def _answer(world: World, statement: str) -> str:
    """What the database says to a statement; "" when it takes it."""
    try:
        with world.store.write() as connection:
            connection.exec_driver_sql(statement)
    except IntegrityError as error:
        return str(error.orig)
    return ""


def test_the_database_refuses(world: World, filled: Filled) -> None:
    """With any SQL, past every rule of the program; and for its own reason, not for want of a row elsewhere."""
    answers = {name: _answer(world, statement.format(**vars(filled))) for name, statement in REFUSED.items()}
    assert [name for name, answer in answers.items() if not answer] == []
    assert [name for name, answer in answers.items() if answer.startswith(("FOREIGN", "UNIQUE", "NOT NULL"))] == []


def test_the_statements_above_fail_for_their_reason(world: World, filled: Filled) -> None:
    """Their lawful neighbours pass: so it is the rule that refuses, not a misspelt column."""
    for statement in (
        "UPDATE threads SET title = 'x', version = version + 1 WHERE id = '{thread}'",
        "UPDATE notes SET content = hex(zeroblob(8192)), version = version + 1 WHERE id = '{note}'",
        "UPDATE pins SET text = hex(zeroblob(4096)), version = version + 1",
        "INSERT INTO completions VALUES ('c', '{workspace}', '{thread}', NULL, 'thread_reply', 'r', 'x', 'now')",
        "INSERT INTO pin_proposals VALUES ('p', '{thread}', '{run}', 'open', 'x', 'now')",
        "INSERT INTO pins VALUES ('k', '{thread}', 9, 'open', 'proposal', '{open}', 1, 'x', 'x', 'now', 'now')",
        "INSERT INTO pin_answers VALUES ('{open}', 'keep', '', 'k', 'x', 'now')",
        "INSERT INTO thread_runs VALUES ('{thread}', 2, '{lonely}', 'now')",
        (
            "UPDATE memory_candidates SET status = 'rejected', text_seq = NULL, reviewed_by = 'x', "
            "reviewed_at = 'now', version = version + 1 WHERE id = '{candidate}'"
        ),
    ):
        with world.store.write() as connection:
            connection.exec_driver_sql(statement.format(**vars(filled)))
    assert world.scalar("SELECT max(title || content || refs) FROM candidate_texts") == ""


def _refused(world: World, act: Callable[[int], str], count: int) -> None:
    with world.store.write() as connection:
        for number in range(count):
            connection.exec_driver_sql(act(number))
    with pytest.raises(IntegrityError), world.store.write() as connection:
        connection.exec_driver_sql(act(count))


def test_the_database_counts_pins_and_proposals(world: World) -> None:
    """32 of each in a thread, past the program too; and 32,768 characters, added or edited."""
    thread, other = world.thread(), world.thread()
    _refused(
        world,
        lambda number: (
            f"INSERT INTO pins VALUES ('p{number}', '{thread}', {number}, 'x', 'operator', NULL, 1, 'x', 'x', 'n', 'n')"
        ),
        32,
    )
    _refused(
        world,
        lambda number: f"INSERT INTO pin_proposals VALUES ('p{number}', '{thread}', NULL, '{number}', 'x', 'n')",
        32,
    )
    _refused(
        world,
        lambda number: (
            f"INSERT INTO pins VALUES ('o{number}', '{other}', {number}, hex(zeroblob(4096)), 'operator', NULL, 1, "
            "'x', 'x', 'n', 'n')"
        ),
        4,
    )
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE pins SET text = 'x', version = 2 WHERE id = 'o0'")
        connection.exec_driver_sql(
            f"INSERT INTO pins VALUES ('o9', '{other}', 9, hex(zeroblob(4095)), 'operator', NULL, 1, 'x', 'x', 'n', 'n')"
        )
    with pytest.raises(IntegrityError), world.store.write() as connection:
        connection.exec_driver_sql("UPDATE pins SET text = 'xxx', version = 3 WHERE id = 'o0'")


def test_a_completion_is_recorded_for_the_runs_thread(world: World) -> None:
    """The thread of a completion is the one its run belongs to."""
    run = world.run(world.thread()).id
    done = world.progress.record(CompletionKind.THREAD_REPLY, AGENT, run_id=run, reference="x")
    with pytest.raises(IntegrityError), world.store.write() as connection:
        connection.exec_driver_sql(
            f"INSERT INTO completions VALUES ('c', '{done.workspace_id}', NULL, '{run}', 'thread_reply', 'y', 'x', 'n')"
        )
