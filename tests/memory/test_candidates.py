"""Candidates are derived from finished work, bound to what was read, and leave no text behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sessions.world import AGENT, OPERATOR, CompletionKind, RunState, World
from store.helpers import DRIVERS, open_store, use_driver
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.memory.candidates.model import CONFIDENCE, Candidate, Queue, Review
from waybook.memory.model import Scope, SourceKind
from waybook.sessions.notes.model import NoteChange
from waybook.sessions.progress.model import CompletionKind as Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.memory.candidates.model import Decision

TESTS = Path(__file__).parents[1]


@pytest.fixture(params=DRIVERS)
def world(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    use_driver(request.param, monkeypatch)
    store = open_store(str(tmp_path / "x.db"))
    yield World(store)
    store.close()


def listed(world: World) -> Queue:
    return world.candidates.list(world.workspace.id, OPERATOR)


def only(world: World) -> Candidate:
    (candidate,) = listed(world).candidates
    return candidate


def review(candidate: Candidate) -> Review:
    return Review(candidate.version, candidate.fingerprint, candidate.note_version)


def confirm(world: World, candidate: Candidate, **changed: Any) -> Decision:
    seen = Review(**{**{name: getattr(review(candidate), name) for name in Review.__slots__}, **changed})
    return world.candidates.confirm(candidate.id, seen, OPERATOR, confirm=True)


def finished(world: World, content: str = "Use tabs everywhere.", **fields: Any) -> Candidate:
    """A candidate from a completed run."""
    run = world.run().id
    note = world.note(content, run_id=run, **fields)
    world.complete(run)
    return next(item for item in listed(world).candidates if item.note_id == note.id)


# --- what becomes a candidate ----------------------------------------------------------------------------------------


def looks(path: str) -> list[tuple[int, int] | None]:
    """Size and time of the database and its log, without opening either: any write shows."""
    files = [Path(path), Path(f"{path}-wal")]
    return [(file.stat().st_size, file.stat().st_mtime_ns) if file.exists() else None for file in files]


def test_a_completed_run_makes_its_decisions_candidates(world: World) -> None:
    """With source note and version, basis, fingerprint and the exact text; no memory comes of it by itself."""
    run = world.run(world.thread())
    note = world.note("Use tabs.", run_id=run.id, source_ref="msg:1", evidence=("docs/a.md", "docs/b.md"))
    assert listed(world) == Queue((), scanned=1, more=0)
    world.complete(run.id)
    candidate = only(world)
    assert (candidate.note_id, candidate.note_version, candidate.fingerprint) == (note.id, 1, note.fingerprint)
    assert (candidate.title, candidate.content) == (note.title, note.content)
    assert candidate.references == ("docs/a.md", "docs/b.md", "msg:1")
    assert (candidate.basis.kind, candidate.basis.confidence) == (Kind.RUN_COMPLETED, CONFIDENCE[Kind.RUN_COMPLETED])
    assert (candidate.run_id, candidate.thread_id, candidate.author) == (run.id, note.thread_id, "operator")
    assert (candidate.status, candidate.version, candidate.capability_grant) == ("pending", 1, False)
    assert world.candidates.show(candidate.id, OPERATOR) == candidate
    assert world.scalar("SELECT count(*) FROM memories") == 0


def test_listing_again_writes_nothing(world: World) -> None:
    """The queue is settled: the same ids and versions, and no other program is woken."""
    finished(world)
    before = listed(world)
    look = looks(world.store.path)
    assert listed(world) == before
    assert looks(world.store.path) == look


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "finding"},
        {"kind": "plan"},
        {"visibility": "specialist"},
        {"evidence": (), "source_ref": ""},
    ],
)
def test_what_never_becomes_one(world: World, fields: dict[str, Any]) -> None:
    """Other kinds, what the main agent does not see, and what rests on nothing."""
    run = world.run().id
    world.note(run_id=run, **fields)
    world.complete(run)
    assert listed(world) == Queue((), scanned=0, more=0)


@pytest.mark.parametrize("fields", [{"kind": "summary"}, {"evidence": (), "source_ref": "msg:1"}])
def test_what_else_becomes_one(world: World, fields: dict[str, Any]) -> None:
    """Summaries; a source reference alone is enough."""
    assert finished(world, **fields).status == "pending"


def test_an_archived_note_is_none(world: World) -> None:
    """A pending candidate goes with its note, text and all."""
    candidate = finished(world)
    world.notes.archive(candidate.note_id, 1, OPERATOR)
    assert world.candidates.show(candidate.id, OPERATOR).source_changed
    assert listed(world).candidates == ()
    with pytest.raises(NotFoundError):
        world.candidates.show(candidate.id, OPERATOR)
    assert world.scalar("SELECT max(title || content || refs) FROM candidate_texts") == ""


@pytest.mark.parametrize("state", [RunState.PAUSED, RunState.WAITING_INPUT, RunState.FAILED, RunState.CANCELLED])
def test_an_unfinished_run_is_no_completion(world: World, state: RunState) -> None:
    """A paused run above all."""
    run = world.run().id
    world.note(run_id=run)
    world.progress.move(run, RunState.RUNNING, OPERATOR)
    world.progress.move(run, state, OPERATOR)
    assert listed(world).candidates == ()


@pytest.mark.parametrize("kind", [kind for kind in CompletionKind if kind is not CompletionKind.RUN_COMPLETED])
@pytest.mark.parametrize("by", ["run", "thread"])
def test_other_completions_count_for_what_was_written_before(world: World, kind: CompletionKind, by: str) -> None:
    """A reply, a checkpoint or a passed report of the run, or of the thread where either names no run."""
    thread = world.thread()
    run = world.run(thread).id
    subject = {"thread_id": thread} if by == "thread" else {"run_id": run}
    world.progress.record(kind, OPERATOR, reference="earlier", **subject)
    world.note(**subject)
    assert listed(world).candidates == ()
    world.progress.record(kind, OPERATOR, reference="later", **subject)
    candidate = only(world)
    assert (candidate.basis.kind, candidate.basis.reference) == (kind, "later")
    world.progress.record(kind, OPERATOR, reference="latest", **subject)
    assert only(world) == candidate


def test_a_finished_reply_asks_to_verify(world: World) -> None:
    """It says only that the reply ended."""
    thread = world.thread()
    world.note(thread_id=thread)
    world.progress.record(CompletionKind.THREAD_REPLY, AGENT, thread_id=thread, reference="message:3")
    confidence = only(world).basis.confidence
    assert "Verify" in confidence
    assert "reply ended" in confidence


def test_another_run_of_the_thread_is_no_completion_of_this_one(world: World) -> None:
    """Two runs of one thread: what the one finished says nothing about a note of the other."""
    thread = world.thread()
    first, second = world.run(thread).id, world.run(thread).id
    world.note(run_id=first)
    world.complete(second)
    world.progress.record(CompletionKind.THREAD_REPLY, OPERATOR, run_id=second, reference="x")
    assert listed(world).candidates == ()
    world.progress.record(CompletionKind.THREAD_REPLY, OPERATOR, thread_id=thread, reference="x")
    assert only(world).basis.kind is Kind.THREAD_REPLY


def test_the_strongest_basis_is_named(world: World) -> None:
    """A passed report before a checkpoint before a completed run before a reply; a better one is a new version."""
    run = world.run(world.thread()).id
    world.note(run_id=run)
    world.progress.record(CompletionKind.THREAD_REPLY, OPERATOR, run_id=run, reference="x")
    seen = [only(world)]
    world.complete(run)
    seen.append(only(world))
    for kind in (CompletionKind.DELIVERY_CHECKPOINT, CompletionKind.DELIVERY_REPORT_PASSED):
        world.progress.record(kind, OPERATOR, run_id=run, reference="x")
        seen.append(only(world))
    assert [item.basis.kind for item in seen] == list(reversed(list(Kind)))
    assert [item.version for item in seen] == [1, 2, 3, 4]
    assert len({item.id for item in seen}) == 1
    with pytest.raises(ConflictError):
        confirm(world, seen[0])


def test_only_the_workspace_asked_for(world: World) -> None:
    """Candidates of one workspace are not listed in another."""
    finished(world)
    other = world.runs.register("/b/other")
    assert world.candidates.list(other.id, OPERATOR) == Queue((), scanned=0, more=0)


def test_the_bounds(world: World) -> None:
    """The newest 200 sources are looked at, 50 candidates returned; reviewed ones make room for the rest."""
    run = world.run().id
    for number in range(203):
        world.note(f"note {number}", run_id=run)
    world.complete(run)
    queue = listed(world)
    assert (queue.scanned, len(queue.candidates), queue.more) == (200, 50, 150)
    assert [item.content for item in queue.candidates] == [f"note {202 - number}" for number in range(50)]
    for candidate in queue.candidates[:3]:
        world.candidates.reject(candidate.id, review(candidate), OPERATOR)
    queue = listed(world)
    assert (queue.scanned, len(queue.candidates), queue.more) == (200, 50, 150)
    assert queue.candidates[0].content == "note 199"


# --- confirm and reject ----------------------------------------------------------------------------------------------


def test_confirming_writes_the_memory_and_leaves_a_tombstone(world: World) -> None:
    """Source kind, scope and references are those of a confirmed candidate; identities stay, the text does not."""
    candidate = finished(world, "Use tabs.", source_ref="msg:1")
    decision = confirm(world, candidate)
    memory = world.memories.show(str(decision.memory_id))
    assert (memory.scope, memory.scope_id, memory.source_kind) == ("project", world.workspace.id, SourceKind.CANDIDATE)
    assert (memory.title, memory.content, memory.references) == ("Use tabs", "Use tabs.", ("docs/style.md", "msg:1"))
    assert memory.source_ref == f"note:{candidate.note_id}@1"
    assert memory.created_by == "ada"
    tombstone = decision.candidate
    assert (tombstone.title, tombstone.content, tombstone.references) == (None, None, None)
    assert (tombstone.status, tombstone.version, tombstone.reviewed_by) == ("confirmed", 2, "ada")
    assert tombstone.reviewed_at
    assert (tombstone.note_id, tombstone.note_version, tombstone.fingerprint) == (
        candidate.note_id,
        1,
        candidate.fingerprint,
    )
    assert (decision.repeated, decision.erasure) == (False, "done")
    assert world.candidates.show(candidate.id, OPERATOR) == tombstone
    assert listed(world).candidates == ()
    assert world.candidates.reviewed(world.workspace.id, OPERATOR) == (tombstone,)


def test_rejecting_writes_no_memory(world: World) -> None:
    """The tombstone says who and when."""
    candidate = finished(world)
    decision = world.candidates.reject(candidate.id, review(candidate), OPERATOR)
    assert (decision.candidate.status, decision.memory_id, decision.candidate.content) == ("rejected", None, None)
    assert world.scalar("SELECT count(*) FROM memories") == 0
    assert listed(world).candidates == ()


def test_repeats_are_idempotent_and_other_decisions_conflicts(world: World) -> None:
    """The same decision answers the same memory; the opposite one, or one on something else, changes nothing."""
    first, second = finished(world, "one"), finished(world, "two")
    done = confirm(world, first)
    again = confirm(world, first)
    assert (again.repeated, again.memory_id, again.candidate) == (True, done.memory_id, done.candidate)
    rejected = world.candidates.reject(second.id, review(second), OPERATOR)
    assert world.candidates.reject(second.id, review(second), OPERATOR).candidate == rejected.candidate
    for act in (
        lambda: world.candidates.reject(first.id, review(first), OPERATOR),
        lambda: confirm(world, second),
        lambda: confirm(world, first, version=7),
        lambda: confirm(world, first, note_version=7),
        lambda: confirm(world, first, fingerprint="0" * 64),
    ):
        with pytest.raises(ConflictError) as caught:
            act()
        assert caught.value.code == "already-reviewed"
    assert world.scalar("SELECT count(*) FROM memories") == 1


def test_deleting_the_memory_revives_nothing(world: World) -> None:
    """Neither listing nor repeating the confirmation nor a new version of the note with the same words."""
    candidate = finished(world, "Use tabs.")
    memory = str(confirm(world, candidate).memory_id)
    world.memories.delete(memory, 1, OPERATOR)
    assert listed(world).candidates == ()
    again = confirm(world, candidate)
    assert (again.repeated, again.memory_id, again.candidate.content) == (True, memory, None)
    world.notes.edit(candidate.note_id, 1, NoteChange(visibility="specialist"), OPERATOR)
    world.notes.edit(candidate.note_id, 2, NoteChange(visibility="root"), OPERATOR)
    assert listed(world).candidates == ()
    assert world.scalar("SELECT count(*) FROM memories") == 0
    with pytest.raises(NotFoundError):
        world.memories.show(memory)


def test_new_words_after_a_review_are_a_new_candidate(world: World) -> None:
    """Its tombstone stays; going back to the reviewed words takes the new one away."""
    first = finished(world, "Use tabs.")
    world.candidates.reject(first.id, review(first), OPERATOR)
    world.notes.edit(first.note_id, 1, NoteChange(content="Use spaces."), OPERATOR)
    second = only(world)
    assert (second.content, second.note_version) == ("Use spaces.", 2)
    assert second.id != first.id
    world.notes.edit(first.note_id, 2, NoteChange(content="Use tabs."), OPERATOR)
    assert listed(world).candidates == ()
    assert world.candidates.show(first.id, OPERATOR).status == "rejected"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"version": 2}, "version-conflict"),
        ({"fingerprint": "0" * 64}, "fingerprint-conflict"),
        ({"note_version": 2}, "source-changed"),
    ],
)
@pytest.mark.parametrize("decide", ["confirm", "reject"])
def test_a_decision_holds_for_what_was_read(world: World, decide: str, changed: dict[str, Any], code: str) -> None:
    """Any other version, fingerprint or source is a conflict; the candidate stays pending."""
    candidate = finished(world)
    seen = Review(**{"version": 1, "fingerprint": candidate.fingerprint, "note_version": 1, **changed})
    acts = {
        "confirm": lambda: world.candidates.confirm(candidate.id, seen, OPERATOR, confirm=True),
        "reject": lambda: world.candidates.reject(candidate.id, seen, OPERATOR),
    }
    with pytest.raises(ConflictError) as caught:
        acts[decide]()
    assert caught.value.code == code
    assert only(world) == candidate
    assert world.scalar("SELECT count(*) FROM memories") == 0


@pytest.mark.parametrize(
    "change",
    [
        NoteChange(content="Use spaces."),
        NoteChange(title="Spaces"),
        NoteChange(evidence=("docs/other.md",)),
        NoteChange(visibility="specialist"),
        None,
    ],
)
def test_a_source_that_moved_on_is_a_conflict(world: World, change: NoteChange | None) -> None:
    """Edited, hidden or archived since: look again. None stands for archiving."""
    candidate = finished(world)
    if change is None:
        world.notes.archive(candidate.note_id, 1, OPERATOR)
    else:
        world.notes.edit(candidate.note_id, 1, change, OPERATOR)
    assert world.candidates.show(candidate.id, OPERATOR).source_changed
    with pytest.raises(ConflictError) as caught:
        confirm(world, candidate)
    assert caught.value.code == "source-changed"
    assert world.scalar("SELECT count(*) FROM memories") == 0


def test_a_refreshed_candidate_is_confirmed_as_it_is_now(world: World) -> None:
    """Listing shows the new words under the next version; the review of the old ones no longer counts."""
    old = finished(world, "Use tabs.")
    world.notes.edit(old.note_id, 1, NoteChange(content="Use spaces."), OPERATOR)
    new = only(world)
    assert (new.id, new.version, new.note_version, new.content) == (old.id, 2, 2, "Use spaces.")
    with pytest.raises(ConflictError):
        confirm(world, old)
    memory = confirm(world, new).memory_id
    assert world.memories.show(str(memory)).content == "Use spaces."


def test_consent_is_explicit_and_a_persons(world: World) -> None:
    """confirm=true is part of it; agents neither see nor decide."""
    candidate = finished(world)
    with pytest.raises(UsageError) as caught:
        world.candidates.confirm(candidate.id, review(candidate), OPERATOR, confirm=False)
    assert caught.value.code == "confirm-missing"
    for act in (
        lambda: world.candidates.list(world.workspace.id, AGENT),
        lambda: world.candidates.reviewed(world.workspace.id, AGENT),
        lambda: world.candidates.show(candidate.id, AGENT),
        lambda: world.candidates.confirm(candidate.id, review(candidate), AGENT, confirm=True),
        lambda: world.candidates.reject(candidate.id, review(candidate), AGENT),
    ):
        with pytest.raises(RefusedError):
            act()
    with pytest.raises(NotFoundError):
        world.candidates.confirm("cnd_x", review(candidate), OPERATOR, confirm=True)
    assert only(world) == candidate


def test_memory_and_tombstone_or_neither(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the candidate cannot be buried, the memory is not there either."""
    candidate = finished(world)

    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("waybook.memory.candidates.repository.bury", fail)
    with pytest.raises(ZeroDivisionError):
        confirm(world, candidate)
    assert world.scalar("SELECT count(*) FROM memories") == 0
    assert only(world) == candidate


def test_no_candidate_reaches_a_prompt(world: World) -> None:
    """What prompts and recall may use is memory alone."""
    finished(world)
    owners = [(Scope.USER, "local-user"), (Scope.PROJECT, world.workspace.id)]
    assert world.memories.prompt_records(world.store.clock.now(), owners) == ()


def test_every_note_fits_a_memory(world: World) -> None:
    """The largest note there can be becomes a memory."""
    candidate = finished(world, "é" * 8192, title="é" * 128, evidence=tuple(f"{number:0512}" for number in range(32)))
    memory = world.memories.show(str(confirm(world, candidate).memory_id))
    assert (memory.title, memory.content, memory.references) == (
        candidate.title,
        candidate.content,
        candidate.references,
    )


CONFIRM = """
import sys, importlib
sys.path.insert(0, sys.argv[1])
from store.helpers import OPERATOR, Counted, open_store
from waybook.base.errors import ConflictError
from waybook.memory.candidates.model import Review
from waybook.memory.candidates.service import CandidateService
from waybook.memory.service import MemoryService
from waybook.store import engine
module = importlib.import_module(sys.argv[2])
engine.load_driver = lambda: module
store = open_store(sys.argv[3], ids=Counted(int(sys.argv[4]) * 1000))
service = CandidateService(store, MemoryService(store))
sys.stdin.readline()
seen = Review(1, sys.argv[6], 1)
try:
    if sys.argv[7] == "confirm":
        done = service.confirm(sys.argv[5], seen, OPERATOR, confirm=True)
    else:
        done = service.reject(sys.argv[5], seen, OPERATOR)
    print("repeated" if done.repeated else "wrote")
except ConflictError as error:
    print(error.code)
store.close()
"""


@pytest.mark.parametrize(("acts", "said"), [
    (("confirm",) * 4, ["repeated"] * 3 + ["wrote"]),
    (("confirm", "reject") * 2, ["already-reviewed"] * 2 + ["repeated", "wrote"]),
])  # fmt: skip
@pytest.mark.parametrize("driver", DRIVERS)
def test_processes_that_decide_at_once(
    tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch, acts: tuple[str, ...], said: list[str]
) -> None:
    """One of them writes; the same decision repeats, the other is a conflict; there is at most one memory."""
    use_driver(driver, monkeypatch)
    path = str(tmp_path / "x.db")
    store = open_store(path)
    world = World(store)
    candidate = finished(world)
    store.close()
    arguments = [str(TESTS), driver, path]
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", CONFIRM, *arguments, str(number), candidate.id, candidate.fingerprint, act],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number, act in enumerate(acts, 1)
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    answers = sorted(program.communicate(timeout=100)[0].strip() for program in programs)
    assert answers == said
    world = World(open_store(path))
    confirmed = world.candidates.show(candidate.id, OPERATOR).status == "confirmed"
    assert world.scalar("SELECT count(*) FROM memories") == int(confirmed)
    world.store.close()
