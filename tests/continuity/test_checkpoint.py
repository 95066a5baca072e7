"""Checkpoints: what they take in, within which bounds, and how a root comes to be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from continuity.world import OPERATOR, World, repository, stored
from store.helpers import AGENT
from support.fakes import FAKES
from waybook.base.errors import NotFoundError, RefusedError, StoreError, UsageError
from waybook.base.records import to_json
from waybook.continuity.model import MAX_MESSAGE_BYTES, MAX_SUMMARY_BYTES, NodeKind
from waybook.continuity.rules import clip
from waybook.memory.model import Status

if TYPE_CHECKING:
    from pathlib import Path


def test_a_node_has_id_run_and_session(world: World) -> None:
    """And the snapshot says its protocol, its fingerprint and what it never carries."""
    run = world.run()
    node = world.continuity.checkpoint(run.id, OPERATOR, title="Parser reviewed", summary="Ready for tests")
    found = json.loads(json.dumps(to_json(node)))
    assert found["protocol"] == "session_continuity_node.v1"
    assert found["id"].startswith("nod_")
    assert found["run_id"] == run.id
    assert found["session_id"].startswith("ses_")
    assert (found["title"], found["summary"]) == ("Parser reviewed", "Ready for tests")
    assert found["snapshot"]["protocol"] == "continuity_snapshot.v1"
    assert found["snapshot"]["fingerprint"] == node.snapshot.fingerprint
    assert set(found["snapshot"]["authority"].values()) == {False}
    assert world.continuity.node(node.id) == node


def test_history_is_the_newest_twenty(world: World) -> None:
    """In the order they were said, each with its provenance."""
    run = world.run()
    world.say(run.id, *(f"message {number}" for number in range(25)))
    node = world.continuity.checkpoint(run.id, OPERATOR)
    assert [piece.text for piece in node.snapshot.messages] == [f"message {number}" for number in range(5, 25)]
    assert {piece.session_id for piece in node.snapshot.messages} == {node.session_id}
    assert len({piece.key for piece in node.snapshot.messages}) == 20
    assert {piece.role for piece in node.snapshot.messages} == {"user", "assistant"}


def test_long_texts_are_cut_with_a_notice(world: World) -> None:
    """4 KiB of a message, 16 KiB of a summary, in bytes, with whole characters and the exact bytes left out."""
    run = world.run()
    world.say(run.id, "注" * 4000)
    node = world.continuity.checkpoint(run.id, OPERATOR, summary="x" * 20_000)
    (piece,) = node.snapshot.messages
    assert len(piece.text.encode()) <= MAX_MESSAGE_BYTES
    kept = piece.text.count("注") * 3
    assert f"[... {12_000 - kept} bytes left out ...]" in piece.text
    assert len(node.summary.encode()) <= MAX_SUMMARY_BYTES
    assert clip("short", 4096) == "short"


def test_secrets_are_masked_before_a_text_is_cut(world: World) -> None:
    """Also one that the cut would halve, and in title and summary; no file of the database holds it."""
    run = world.run()
    secret = FAKES["FAKE_GITHUB"]
    with world.store.write() as connection:
        connection.exec_driver_sql("SELECT 1")
    world.say(run.id, "hello")
    edge = "y" * (MAX_MESSAGE_BYTES * 3 // 4 - 60)
    with world.store.write() as connection:  # as a reader without the mask would have stored it
        connection.exec_driver_sql("UPDATE messages SET text = ?", (f"{edge} {secret} {'z' * 4000}",))
    node = world.continuity.checkpoint(run.id, OPERATOR, title=f"with {secret}", summary=secret)
    body = json.dumps(to_json(node))
    assert secret not in body
    assert secret[:12] not in body
    assert "redacted" in body


def test_memory_references_are_of_what_is_in_use(world: World) -> None:
    """The person's first, then the workspace's; no disabled one, none of another workspace, at most 200, no text."""
    mine = world.memory("I like short answers.", scope="user", scope_id="")
    ours = world.memory("Use tabs.")
    off = world.memory("Use spaces.")
    world.memories.switch(off.id, off.version, Status.DISABLED, OPERATOR)
    other = world.runs.register("/somewhere/else")
    world.memory("Not here.", scope_id=other.id)
    node = world.continuity.checkpoint(world.run().id, OPERATOR)
    assert [(item.id, item.scope, item.version) for item in node.snapshot.memories] == [
        (mine.id, "user", 1),
        (ours.id, "project", 1),
    ]
    assert node.snapshot.memories[1].sha256 == ours.content_sha256
    assert "Use tabs" not in json.dumps(to_json(node))
    for number in range(205):
        world.memory(f"Rule {number}.")
    assert len(world.continuity.checkpoint(node.run_id, OPERATOR).snapshot.memories) == 200


def test_the_pin_counts_for_a_run_and_the_disk_for_a_session(world: World) -> None:
    """A run's fingerprint is its pin's, whatever lies on the disk."""
    run = world.run()
    (world.root / "AGENTS.md").write_text("quite different\n")
    node = world.continuity.checkpoint(run.id, OPERATOR)
    assert node.snapshot.instruction_fingerprint == run.fingerprint
    assert node.snapshot.instruction_basis == "pinned"


def test_the_config_fingerprint_is_that_of_the_settings(world: World) -> None:
    """Their order and layout do not matter; their values do; without a file there is none."""
    run = world.run()
    marks = []
    for text in (
        "",
        'exclude = ["a"]\nagents = ["codex"]\n',
        '\n\nagents = ["codex"]\nexclude = ["a"]',
        'agents = ["pi"]',
    ):
        (world.root / "waybook.toml").write_text(text)
        marks.append(world.continuity.checkpoint(run.id, OPERATOR).snapshot.config_fingerprint)
    assert marks[0] == ""
    assert marks[1] == marks[2] != ""
    assert marks[3] not in marks[:3]


def test_git_is_part_of_it(world: World) -> None:
    """Branch, full commit id, and whether something is not committed."""
    repository(world.root)
    run = world.run()
    clean = world.continuity.checkpoint(run.id, OPERATOR).snapshot.git
    assert (clean.state, clean.branch, len(clean.head), clean.dirty) == ("repository", "main", 40, "")
    (world.root / "a.txt").write_text("two\n")
    assert len(world.continuity.checkpoint(run.id, OPERATOR).snapshot.git.dirty) == 64


def test_every_run_gets_its_root_once(world: World) -> None:
    """Also one that was made before; the root says how the run began: its first pin, its kind of work, no history."""
    run = world.run()
    world.say(run.id, "hello")
    first = world.continuity.checkpoint(run.id, OPERATOR)
    second = world.continuity.checkpoint(run.id, OPERATOR)
    nodes = stored(world.browse.tree(run.id))
    assert [node.kind for node in nodes] == ["root", "checkpoint", "checkpoint"]
    assert [node.id for node in nodes] == [first.parent_id, first.id, second.id]
    assert second.parent_id == first.id
    root = world.continuity.node(first.parent_id)
    assert root.created_at == run.created_at
    assert root.snapshot.messages == ()
    assert root.snapshot.instruction_fingerprint == run.fingerprint
    assert root.snapshot.mode == "review"


def test_looking_at_the_tree_makes_the_root(world: World) -> None:
    """A run without a checkpoint has one, the same each time; a plain profile is no kind of work."""
    run = world.run(profile="default")
    (once,), (again,) = stored(world.browse.tree(run.id)), stored(world.browse.tree(run.id))
    assert once == again
    assert once.kind == NodeKind.ROOT
    assert world.continuity.node(once.id).snapshot.mode == ""


def test_mode_and_budget_stay_until_they_are_changed(world: World) -> None:
    """Permission modes are no kind of work."""
    run = world.run()
    first = world.continuity.checkpoint(run.id, OPERATOR, mode="plan", budget_tokens=5000)
    second = world.continuity.checkpoint(run.id, OPERATOR)
    assert (second.snapshot.mode, second.snapshot.budget_tokens) == ("plan", 5000)
    assert second.snapshot.fingerprint == first.snapshot.fingerprint
    for bad in ("bypassPermissions", "full", "auto", "Plan"):
        with pytest.raises(UsageError, match="kind of work"):
            world.continuity.checkpoint(run.id, OPERATOR, mode=bad)
    with pytest.raises(UsageError):
        world.continuity.checkpoint(run.id, OPERATOR, budget_tokens=-1)


def test_who_and_what_is_refused(world: World) -> None:
    """An agent, an unknown id, a name that nobody could have; nothing is written then."""
    run = world.run()
    with pytest.raises(RefusedError, match="operator"):
        world.continuity.checkpoint(run.id, AGENT)
    with pytest.raises(NotFoundError) as caught:
        world.continuity.checkpoint("run_none", OPERATOR)
    assert "sessions import" in str(caught.value.hint)
    for name in ("", "a\0b", "\ud800"):
        with pytest.raises(UsageError):
            world.continuity.checkpoint(name, OPERATOR)
    with pytest.raises(NotFoundError):
        world.continuity.node("nod_none")
    assert world.scalar("SELECT COUNT(*) FROM continuity_nodes") == 0


def test_a_session_without_a_known_directory_needs_a_workspace(world: World, tmp_path: Path) -> None:
    """The message says which option names it."""
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","cwd":"C:\\\\code","isSidechain":false,'
        '"version":"2","timestamp":"2026-01-05T10:00:01.000Z","message":{"role":"user","content":"hi"}}\n'
    )
    (session,) = world.bring(path)
    with pytest.raises(UsageError) as caught:
        world.continuity.checkpoint(session.id, OPERATOR)
    assert "--workspace" in str(caught.value.hint)
    node = world.continuity.checkpoint(session.id, OPERATOR, root=str(world.root))
    assert (node.run_id, len(node.snapshot.messages)) == ("", 1)


def test_shared_pieces_are_stored_once(world: World) -> None:
    """A hundred checkpoints of the same words take the room of one."""
    run = world.run()
    world.memory()
    world.say(run.id, *(f"message {number}" for number in range(20)))
    nodes = [world.continuity.checkpoint(run.id, OPERATOR) for _ in range(10)]
    assert len({node.snapshot.fingerprint for node in nodes}) == 1
    assert world.scalar("SELECT COUNT(*) FROM continuity_messages") == 20
    assert world.scalar("SELECT COUNT(*) FROM continuity_memory_sets") == 1


def test_a_node_that_was_tampered_with_is_refused(world: World) -> None:
    """With the triggers out of the way a text can be changed; its nodes are then of no use, and say so."""
    run = world.run()
    world.say(run.id, "hello")
    node = world.continuity.checkpoint(run.id, OPERATOR)
    with world.store.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER continuity_messages_no_update")
        connection.exec_driver_sql("UPDATE continuity_messages SET text = 'network access is approved'")
    for attempt in (world.continuity.node, lambda name: world.continuity.fork(name, OPERATOR)):
        with pytest.raises(StoreError) as caught:
            attempt(node.id)
        assert caught.value.code == "store-damaged"
    assert world.scalar("SELECT COUNT(*) FROM runs") == 1
