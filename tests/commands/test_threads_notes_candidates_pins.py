"""`threads.*`, `notes.*`, `candidates.*`, `pins.*`, `runs.move` and `runs.record` as the faces call them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from support.workspaces import Desk, make_tree
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.base.records import to_json
from waybook.commands.registry import COMMANDS, load

if TYPE_CHECKING:
    from pathlib import Path

OWN = [name for name in COMMANDS if name.partition(".")[0] in {"threads", "notes", "candidates", "pins"}]
AGENTS = {
    "threads.list",
    "threads.show",
    "notes.add",
    "notes.edit",
    "notes.archive",
    "pins.list",
    "pins.propose",
    "pins.proposals",
    "runs.move",
    "runs.record",
}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n"}))


def work(desk: Desk) -> tuple[Any, Any]:
    """A thread and a run of it."""
    thread = desk.call("threads.create", title="Parser")
    return thread, desk.call("runs.create", goal="x", thread=thread.id)


def seen(candidate: Any) -> dict[str, Any]:
    return {
        "candidate": candidate.id,
        "version": candidate.version,
        "fingerprint": candidate.fingerprint,
        "note_version": candidate.note_version,
    }


def test_who_may_call_what() -> None:
    """Agents look at threads and pins, write notes of their own, report progress and propose; all else is for people."""
    assert {name for name in [*OWN, "runs.move", "runs.record"] if load(name).actor == "agent"} == AGENTS


@pytest.mark.parametrize("name", sorted(set(OWN) - AGENTS))
def test_an_agent_is_refused(desk: Desk, name: str) -> None:
    """By the operation itself, not only by a face."""
    thread, run = work(desk)
    pin = desk.call("pins.add", thread=thread.id, text="one").pin
    proposal = desk.call("pins.propose", agent=True, thread=thread.id, text="two")
    note = desk.call("notes.add", title="t", content="c", run=run.id, source_ref="msg:1")
    for state in ("running", "completed"):
        desk.call("runs.move", run=run.id, state=state)
    (candidate,) = desk.call("candidates.list").candidates
    given = {
        **seen(candidate),
        "thread": thread.id,
        "note": note.id,
        "pin": pin.id,
        "proposal": proposal.id,
        "choice": "keep",
        "title": "x",
        "text": "x",
        "confirm": True,
    }
    if name.startswith(("pins", "threads")):
        given["version"] = 1
    wanted = {item.name for item in fields(load(name).params)}
    with pytest.raises(RefusedError) as caught:
        desk.call(name, agent=True, **{key: value for key, value in given.items() if key in wanted})
    assert caught.value.code == "operator-required"


def test_from_a_note_to_a_memory(desk: Desk) -> None:
    """An agent's decision, recorded as done, read and confirmed by a person."""
    thread, run = work(desk)
    note = desk.call(
        "notes.add", agent=True, title="Tabs", content="Use tabs.", run=run.id, evidence=("docs/style.md",)
    )
    assert desk.call("candidates.list").candidates == ()
    desk.call("runs.record", agent=True, kind="thread-reply", run=run.id, reference="message:4")
    (candidate,) = desk.call("candidates.list").candidates
    assert (candidate.note_id, candidate.author, candidate.basis.reference) == (note.id, "agent", "message:4")
    assert desk.call("candidates.show", candidate=candidate.id) == candidate
    with pytest.raises(UsageError):
        desk.call("candidates.confirm", **seen(candidate))
    done = desk.call("candidates.confirm", **seen(candidate), confirm=True)
    assert desk.call("memory.show", memory=done.memory_id).content == "Use tabs."
    assert desk.call("candidates.list").candidates == ()
    (tombstone,) = desk.call("candidates.list", reviewed=True).candidates
    assert (tombstone.id, tombstone.content, tombstone.memory_id) == (candidate.id, None, done.memory_id)
    assert desk.call("threads.show", thread=thread.id).chain[0].run_id == run.id
    with pytest.raises(ConflictError):
        desk.call("candidates.reject", **seen(candidate))


def test_candidates_of_an_unknown_workspace(desk: Desk) -> None:
    """Nothing is registered by looking."""
    with pytest.raises(NotFoundError):
        desk.call("candidates.list")
    assert desk.call("workspaces.list").workspaces == ()


def test_lists_by_workspace(desk: Desk, tmp_path: Path) -> None:
    """Threads and notes of all workspaces, or of the one that is named."""
    thread, _ = work(desk)
    note = desk.call("notes.add", title="alone", content="c")
    other = make_tree(tmp_path / "other", {".git": None})
    away = desk.call("threads.create", title="Away", workspace=str(other))
    assert [item.id for item in desk.call("threads.list").threads] == [away.id, thread.id]
    assert [item.id for item in desk.call("threads.list", workspace=str(desk.root)).threads] == [thread.id]
    assert desk.call("notes.list", workspace=str(desk.root)).notes == (note,)
    assert desk.call("notes.list", workspace=str(other)).notes == ()
    closed = desk.call("threads.close", thread=away.id, version=1)
    assert closed.version == 2
    assert [item.id for item in desk.call("threads.list", closed=True).threads] == [away.id, thread.id]


def test_notes_change_by_version(desk: Desk) -> None:
    """Each write answers the new version; evidence is replaced, or taken away when asked."""
    note = desk.call("notes.add", title="t", content="c", evidence=("a", "b"))
    assert desk.call("notes.edit", note=note.id, version=1, content="d").evidence == ("a", "b")
    assert desk.call("notes.edit", note=note.id, version=2, evidence=("x",)).evidence == ("x",)
    bare = desk.call("notes.edit", note=note.id, version=3, no_evidence=True)
    assert (bare.evidence, bare.version) == ((), 4)
    assert desk.call("notes.show", note=note.id) == bare
    assert desk.call("notes.archive", note=note.id, version=4).version == 5
    assert desk.call("notes.list").notes == ()
    assert len(desk.call("notes.list", archived=True).notes) == 1


def test_pins_and_proposals(desk: Desk) -> None:
    """Add, edit, remove; propose, look, answer."""
    thread, run = work(desk)
    pin = desk.call("pins.add", thread=thread.id, text="a\r\n").pin
    assert desk.call("pins.edit", pin=pin.id, version=1, text=" b ").pin.text == " b "
    proposal = desk.call("pins.propose", agent=True, run=run.id, text="Answer in German")
    assert desk.call("pins.proposals", agent=True, thread=thread.id).proposals == (proposal,)
    answered = desk.call("pins.answer", proposal=proposal.id, choice="custom", reply="In English", pin_reply=True)
    assert [item.text for item in desk.call("pins.list", agent=True, thread=thread.id).pins] == [" b ", "In English"]
    assert desk.call("pins.proposals", thread=thread.id).proposals == ()
    assert desk.call("pins.proposals", thread=thread.id, closed=True).proposals == (answered.proposal,)
    assert desk.call("pins.remove", pin=pin.id, version=2).version == 2
    with pytest.raises(UsageError):
        desk.call("pins.add", thread=thread.id)


@pytest.mark.parametrize("name", OWN)
def test_results_have_a_json_form(desk: Desk, name: str) -> None:
    """Titles and parameters are documented; every record can be printed."""
    command = load(name)
    assert command.title
    assert all(item.metadata["doc"] for item in fields(command.params))
    assert TypeAdapter(command.params).json_schema()["properties"]
    thread, run = work(desk)
    desk.call("notes.add", title="t", content="c", run=run.id, source_ref="m")
    desk.call("pins.add", thread=thread.id, text="p")
    desk.call("pins.propose", thread=thread.id, text="q")
    reading = {
        "threads.list": {},
        "threads.show": {"thread": thread.id},
        "notes.list": {},
        "candidates.list": {},
        "pins.list": {"thread": thread.id},
        "pins.proposals": {"thread": thread.id},
    }
    if name in reading:
        assert to_json(desk.call(name, **reading[name]))
