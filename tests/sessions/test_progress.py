"""Runs move by one table, and what is done is recorded once."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from sessions.world import AGENT, OPERATOR, CompletionKind, RunState
from support.fakes import expand
from waybook.base.actor import Actor
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.sessions.moves import MOVES, parse_state
from waybook.sessions.progress.service import parse_completion
from waybook.store.tables import COMPLETION_KINDS

if TYPE_CHECKING:
    from sessions.world import World


def test_the_kinds_are_the_databases() -> None:
    """The enum and the CHECK name the same kinds."""
    assert {kind.value for kind in CompletionKind} == set(COMPLETION_KINDS)


def test_the_database_holds_the_same_table_of_moves(world: World) -> None:
    """For every pair of states the trigger allows exactly what MOVES says."""
    run = world.run().id
    for old, new in product(RunState, RunState):
        allowed = True
        trigger = world.scalar("SELECT sql FROM sqlite_master WHERE name = 'runs_moves'")
        with world.store.write() as connection:
            connection.exec_driver_sql("DROP TRIGGER runs_moves")
            connection.exec_driver_sql(f"UPDATE runs SET state = '{old}' WHERE id = '{run}'")
            connection.exec_driver_sql(trigger)
        try:
            with world.store.write() as connection:
                connection.exec_driver_sql(f"UPDATE runs SET state = '{new}' WHERE id = '{run}'")
        except IntegrityError:
            allowed = False
        assert allowed == (new in MOVES[old]), (old, new)


def test_a_run_completes_and_that_is_recorded(world: World) -> None:
    """Only from running; the completion is written in the same transaction, by an agent too; a repeat changes nothing."""
    run = world.run(world.thread())
    with pytest.raises(ConflictError) as caught:
        world.progress.move(run.id, RunState.COMPLETED, OPERATOR)
    assert (caught.value.code, caught.value.details["found"]) == ("no-such-move", "created")
    world.progress.move(run.id, RunState.RUNNING, AGENT)
    moved = world.progress.move(run.id, RunState.COMPLETED, AGENT)
    assert (moved.previous, moved.run.state, moved.repeated) == (RunState.RUNNING, RunState.COMPLETED, False)
    assert moved.completion is not None
    assert (moved.completion.kind, moved.completion.run_id, moved.completion.recorded_by) == (
        CompletionKind.RUN_COMPLETED,
        run.id,
        "codex",
    )
    assert moved.completion.thread_id == world.threads.list()[0].id
    assert world.progress.move(run.id, RunState.COMPLETED, AGENT).repeated
    assert world.scalar("SELECT count(*) FROM completions") == 1
    with pytest.raises(ConflictError):
        world.progress.move(run.id, RunState.RUNNING, OPERATOR)


def test_pausing_records_nothing(world: World) -> None:
    """Paused, waiting, failed and cancelled are no completions."""
    for last in (RunState.PAUSED, RunState.WAITING_INPUT, RunState.FAILED, RunState.CANCELLED):
        run = world.run().id
        world.progress.move(run, RunState.RUNNING, OPERATOR)
        assert world.progress.move(run, last, OPERATOR).completion is None
    assert world.scalar("SELECT count(*) FROM completions") == 0


@pytest.mark.parametrize("kind", [kind for kind in CompletionKind if kind is not CompletionKind.RUN_COMPLETED])
def test_other_completions_are_recorded_once(world: World, kind: CompletionKind) -> None:
    """By run or by thread, under a reference; the same again is the same record."""
    thread = world.thread()
    run = world.run(thread).id
    first = world.progress.record(kind, AGENT, run_id=run, reference=" message:1 ")
    again = world.progress.record(kind, OPERATOR, run_id=run, reference="message:1")
    assert (first.reference, first.thread_id, first.repeated) == ("message:1", thread, False)
    assert (again.id, again.recorded_by, again.repeated) == (first.id, "codex", True)
    whole = world.progress.record(kind, OPERATOR, thread_id=thread, reference="message:1")
    assert (whole.run_id, whole.thread_id) == ("", thread)
    assert world.scalar("SELECT count(*) FROM completions") == 2


def test_what_cannot_be_recorded(world: World) -> None:
    """A subject and a reference that can be named; nothing is written."""
    thread = world.thread()
    run = world.run(thread).id
    reply = CompletionKind.THREAD_REPLY
    for error, kind, fields in [
        (UsageError, CompletionKind.RUN_COMPLETED, {"run_id": run, "reference": "x"}),
        (UsageError, reply, {"reference": "x"}),
        (UsageError, reply, {"run_id": run, "thread_id": thread, "reference": "x"}),
        (UsageError, reply, {"run_id": run, "reference": " "}),
        (UsageError, reply, {"run_id": run, "reference": "x" * 513}),
        (RefusedError, reply, {"run_id": run, "reference": "stdin"}),
        (RefusedError, reply, {"run_id": run, "reference": expand("${FAKE_GITHUB}")}),
        (NotFoundError, reply, {"run_id": "run_x", "reference": "x"}),
        (NotFoundError, reply, {"thread_id": "thr_x", "reference": "x"}),
    ]:
        with pytest.raises(error):
            world.progress.record(kind, OPERATOR, **fields)
    for name in ("", "a\nb", "x" * 257):
        with pytest.raises(RefusedError):
            world.progress.record(reply, Actor("agent", name), run_id=run, reference="x")
    world.threads.close(thread, 1, OPERATOR)
    with pytest.raises(ConflictError):
        world.progress.record(reply, OPERATOR, run_id=run, reference="x")
    assert world.scalar("SELECT count(*) FROM completions") == 0


def test_names_from_outside() -> None:
    """Kinds with either dash; unknown names say what there is."""
    assert parse_completion("thread-reply") is CompletionKind.THREAD_REPLY
    assert parse_state("paused") is RunState.PAUSED
    for parse in (parse_completion, parse_state):
        with pytest.raises(UsageError) as caught:
            parse("done")
        assert caught.value.hint
