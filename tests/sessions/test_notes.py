"""Notes hold sources, refuse secrets, and change one version at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions.world import AGENT, OPERATOR
from support.fakes import expand
from waybook.base.actor import Actor
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.sessions.notes import rules
from waybook.sessions.notes.model import NoteChange, NoteDraft, NoteKind
from waybook.sessions.notes.service import NoteFilter
from waybook.store.tables import NOTE_KINDS

if TYPE_CHECKING:
    from sessions.world import World

TOKEN = expand("${FAKE_GITHUB}")
DRAFT = NoteDraft("decision", "Use tabs", "Use tabs everywhere.")


def test_the_kinds_are_the_databases() -> None:
    """The enum and the CHECK name the same kinds."""
    assert tuple(kind.value for kind in NoteKind) == NOTE_KINDS


def test_a_note_of_a_run_belongs_to_its_thread(world: World) -> None:
    """References are trimmed, each once, sorted; line ends become LF; the run decides workspace and thread."""
    thread = world.thread()
    run = world.run(thread).id
    note = world.notes.add(
        "",
        replace(DRAFT, content="a\r\nb\rc\n", run_id=run, source_ref=" msg:1 ", evidence=(" b ", "a", "b", " ")),
        AGENT,
    )
    assert (note.workspace_id, note.thread_id, note.run_id) == (world.workspace.id, thread, run)
    assert (note.content, note.source_ref, note.evidence) == ("a\nb\nc", "msg:1", ("a", "b"))
    assert (note.author, note.created_by, note.version, note.status) == ("agent", "codex", 1, "active")
    assert world.notes.show(note.id) == note


def test_edits_are_versions(world: World) -> None:
    """What is not given stays; the version grows by one; a mismatch is a conflict that shows the current version."""
    note = world.note(source_ref="msg:1")
    edited = world.notes.edit(note.id, 1, NoteChange(content="Use spaces."), OPERATOR)
    assert (edited.version, edited.title, edited.content, edited.evidence) == (
        2,
        note.title,
        "Use spaces.",
        note.evidence,
    )
    assert edited.fingerprint != note.fingerprint
    with pytest.raises(ConflictError) as caught:
        world.notes.edit(note.id, 1, NoteChange(title="Mine"), OPERATOR)
    assert (caught.value.code, caught.value.details["current_version"]) == ("version-conflict", 2)
    bare = world.notes.edit(note.id, 2, NoteChange(source_ref="", evidence=(), visibility="specialist"), OPERATOR)
    assert (bare.source_ref, bare.evidence, bare.visibility) == ("", (), "specialist")
    assert world.notes.show(note.id) == bare
    with pytest.raises(UsageError):
        world.notes.edit(note.id, 3, NoteChange(), OPERATOR)


def test_archived_is_final(world: World) -> None:
    """The text stays readable, the list shows it only when asked, nothing changes it any more."""
    note, other = world.note(), world.note("Other.")
    archived = world.notes.archive(note.id, 1, OPERATOR)
    assert (archived.status, archived.version, archived.content) == ("archived", 2, note.content)
    assert world.notes.list(NoteFilter()) == (other,)
    assert world.notes.list(NoteFilter(), archived=True) == (archived, other)
    for change in (
        lambda: world.notes.edit(note.id, 2, NoteChange(title="x"), OPERATOR),
        lambda: world.notes.archive(note.id, 2, OPERATOR),
    ):
        with pytest.raises(ConflictError) as caught:
            change()
        assert caught.value.code == "note-archived"


def test_an_agent_changes_only_its_own_notes(world: World) -> None:
    """Neither a person's note nor another agent's; a person may change any."""
    mine, hers = world.note(actor=AGENT), world.note(actor=OPERATOR)
    namesake = world.note(actor=Actor("operator", AGENT.name))
    other = world.note(actor=Actor("agent", "gemini"))
    assert world.notes.edit(mine.id, 1, NoteChange(title="x"), AGENT).version == 2
    for note in (hers, namesake, other):
        with pytest.raises(RefusedError):
            world.notes.edit(note.id, 1, NoteChange(title="x"), AGENT)
        with pytest.raises(RefusedError):
            world.notes.archive(note.id, 1, AGENT)
    assert world.notes.edit(mine.id, 2, NoteChange(title="y"), OPERATOR).updated_by == "ada"


def test_lists_are_filtered(world: World) -> None:
    """By workspace, thread, run and kind, newest update first."""
    thread = world.thread()
    run = world.run(thread).id
    first, second = world.note(thread_id=thread), world.note(run_id=run, kind="plan")
    third = world.note()
    assert world.notes.list(NoteFilter(thread_id=thread)) == (second, first)
    assert world.notes.list(NoteFilter(run_id=run)) == (second,)
    assert world.notes.list(NoteFilter(kind="decision")) == (third, first)
    assert world.notes.list(NoteFilter(workspace_id="ws_other")) == ()
    assert world.notes.list(NoteFilter(), limit=1) == (third,)
    first = world.notes.edit(first.id, 1, NoteChange(title="newer"), OPERATOR)
    assert world.notes.list(NoteFilter()) == (first, third, second)


@pytest.mark.parametrize(
    ("error", "code", "fields"),
    [
        (UsageError, "bad-kind", {"kind": "gossip"}),
        (UsageError, "bad-visibility", {"visibility": "all"}),
        (UsageError, "bad-title", {"title": " "}),
        (UsageError, "bad-title", {"title": "é" * 129}),
        (UsageError, "bad-text", {"title": "a\0"}),
        (UsageError, "bad-content", {"content": "\n \n"}),
        (UsageError, "bad-content", {"content": "é" * 8193}),
        (UsageError, "bad-text", {"content": "a\0"}),
        (UsageError, "bad-text", {"content": "a\ud800"}),
        (UsageError, "bad-source-reference", {"source_ref": "é" * 257}),
        (UsageError, "bad-evidence", {"evidence": ("x" * 513,)}),
        (RefusedError, "too-many-references", {"evidence": tuple(map(str, range(33)))}),
        (RefusedError, "too-many-references", {"evidence": tuple(map(str, range(32))), "source_ref": "x"}),
        (RefusedError, "secret-found", {"content": f"token {TOKEN}"}),
        (RefusedError, "secret-found", {"title": f"token {TOKEN}"}),
        (RefusedError, "secret-found", {"evidence": (TOKEN,)}),
        (RefusedError, "sensitive-reference", {"source_ref": "config/.env"}),
        (RefusedError, "sensitive-reference", {"evidence": ("~/.ssh/id_ed25519",)}),
        (NotFoundError, "no-thread", {"thread_id": "thr_x"}),
        (NotFoundError, "no-run", {"run_id": "run_x"}),
    ],
)
def test_what_is_refused(world: World, error: type[Exception], code: str, fields: dict[str, object]) -> None:
    """Nothing is written, and no message repeats a secret; what changes a note is held to the same rules."""
    with pytest.raises(error) as caught:
        world.notes.add(world.workspace.id, replace(DRAFT, **fields), OPERATOR)
    assert caught.value.code == code
    assert TOKEN not in str(caught.value.to_json())
    assert world.scalar("SELECT count(*) FROM notes") == 0
    changeable = {"title", "content", "source_ref", "evidence", "visibility"}
    if set(fields) <= changeable:
        note = world.note(evidence=())
        with pytest.raises(error):
            world.notes.edit(note.id, 1, NoteChange(**fields), OPERATOR)
        assert world.notes.show(note.id) == note


def test_the_limits_themselves_fit(world: World) -> None:
    """256 bytes of title, 16 KiB of content, 32 references of 512 bytes."""
    note = world.note("é" * 8192, title="é" * 128, evidence=tuple(f"{number:0512}" for number in range(32)))
    assert world.notes.show(note.id) == note


def test_redaction_is_asked_for_and_never_covers_references(world: World) -> None:
    """The stored text has marks, and says so."""
    draft = replace(DRAFT, title=f"Use {TOKEN}", content=f"key {TOKEN} ok")
    note = world.notes.add(world.workspace.id, draft, OPERATOR, redact_sensitive=True)
    assert note.redacted
    assert TOKEN not in note.title + note.content
    assert "[redacted:" in note.content
    clean = world.note()
    assert not clean.redacted
    edited = world.notes.edit(clean.id, 1, NoteChange(content=f"key {TOKEN}"), OPERATOR, redact_sensitive=True)
    assert edited.redacted
    with pytest.raises(RefusedError):
        world.notes.add(world.workspace.id, replace(DRAFT, source_ref=TOKEN), OPERATOR, redact_sensitive=True)


def test_a_closed_thread_takes_no_notes(world: World) -> None:
    """Nor do its runs; a run named with another thread is a mistake."""
    thread = world.thread()
    run = world.run(thread).id
    with pytest.raises(UsageError):
        world.note(run_id=run, thread_id=world.thread())
    world.threads.close(thread, 1, OPERATOR)
    for fields in ({"thread_id": thread}, {"run_id": run}):
        with pytest.raises(ConflictError):
            world.note(**fields)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=300))
def test_any_text_comes_back_with_lf(world: World, text: str) -> None:
    """Whatever Unicode text: only line ends change, and newlines around it go."""
    expected = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if not expected.strip():
        return
    assert world.notes.show(world.note(text).id).content == expected


def test_the_fingerprint_is_that_of_the_text() -> None:
    """The same words and references give the same one; each of them counts."""
    base = rules.fingerprint("t", "c", "s", ("e",))
    assert base == rules.fingerprint("t", "c", "s", ("e",))
    others = [("x", "c", "s", ("e",)), ("t", "x", "s", ("e",)), ("t", "c", "", ("e",)), ("t", "c", "s", ())]
    assert len({base, *(rules.fingerprint(*item) for item in others)}) == 5
