"""Forks and resumes: whole, independent of their source, and told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from continuity.world import OPERATOR, World, case, repository
from store.helpers import AGENT
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.memory.model import Change, Status
from waybook.sessions.threads.service import ThreadService

if TYPE_CHECKING:
    from pathlib import Path


def test_a_fork_is_a_mission_a_run_a_session_and_a_marker(world: World) -> None:
    """With the goal given, the source's pin as revision 1, and the same snapshot."""
    repository(world.root)
    run = world.run()
    world.say(run.id, "one", "two")
    node = world.continuity.checkpoint(run.id, OPERATOR)
    branch = world.continuity.fork(node.id, OPERATOR, goal="Try alternate implementation")
    assert branch.node.id != node.id
    assert branch.run.mission_id != run.mission_id
    assert world.runs.show_run(branch.run.id) == branch.run
    assert (branch.run.fingerprint, branch.run.revision) == (run.fingerprint, 1)
    assert branch.run.goal == "Try alternate implementation"
    assert branch.node.parent_id == node.id
    assert world.continuity.node(branch.node.id) == branch.node
    assert branch.node.snapshot == node.snapshot
    said = world.messages(branch.node.session_id)
    assert [(item.text, item.inherited) for item in said] == [("one", True), ("two", True)]
    (session,) = world.said.named(branch.node.session_id)
    assert (session.branch, session.cwd, session.messages, session.inherited) == ("main", str(world.root), 0, 2)


def test_resume_goes_on_with_the_goal(world: World) -> None:
    """And mode and budget; the source run is left as it is."""
    run = world.run("review the parser")
    node = world.continuity.checkpoint(run.id, OPERATOR, mode="plan", budget_tokens=77)
    branch = world.continuity.resume(node.id, OPERATOR)
    assert branch.run.goal == "review the parser"
    assert branch.node.kind == "resume"
    later = world.continuity.checkpoint(branch.run.id, OPERATOR)
    assert (later.snapshot.mode, later.snapshot.budget_tokens) == ("plan", 77)
    assert later.parent_id == branch.node.id
    assert world.runs.show_run(run.id) == run


def test_a_checkpoint_of_an_unchanged_fork_means_the_same(world: World) -> None:
    """Provenance stays that of the first saying, however often it is forked."""
    run = world.run()
    world.say(run.id, "one", "two")
    node = world.continuity.checkpoint(run.id, OPERATOR)
    for _ in range(3):
        branch = world.continuity.fork(node.id, OPERATOR)
        again = world.continuity.checkpoint(branch.run.id, OPERATOR)
        assert again.snapshot.fingerprint == node.snapshot.fingerprint
        node = again
    assert world.scalar("SELECT COUNT(*) FROM continuity_messages") == 2


def test_c55_a_fork_of_a_fork_keeps_its_messages(world: World) -> None:
    """So does a second fork of the first checkpoint; names and places tell them apart; the source is as it was."""
    found = case("C55", world.root)
    before = (world.root / "t.jsonl").read_bytes()
    (session,) = world.bring(world.root / "t.jsonl")
    c0 = world.continuity.checkpoint(session.id, OPERATOR)
    f1 = world.continuity.fork(c0.id, OPERATOR)
    world.say(f1.run.id, "variant one")
    c1 = world.continuity.checkpoint(f1.run.id, OPERATOR)
    f2 = world.continuity.fork(c1.id, OPERATOR)
    f3 = world.continuity.fork(c0.id, OPERATOR)
    world.append(session.id, "main goes on")
    expect = found["expect"]["count"]
    assert len(world.messages(f2.node.session_id)) == expect["m2"]
    assert len(world.messages(f3.node.session_id)) == expect["m3"]
    main = world.messages(session.id)
    assert len(main) == expect["ms"]
    assert "variant one" not in [message.text for message in main]
    tree = world.browse.tree(session.id)
    names = {session.id: "s", f1.node.session_id: "f1", f2.node.session_id: "f2", f3.node.session_id: "f3"}
    shape: dict[str, list[str]] = {}
    for item in tree.sessions:
        if item.parent_session:
            shape.setdefault(names[item.parent_session], []).append(names[item.session_id])
    assert shape == found["expect"]["tree"]
    titles = [node.title for node in tree.nodes]
    assert len(set(titles)) == len(titles)
    assert len({node.id for node in tree.nodes}) == len(tree.nodes)
    assert (world.root / "t.jsonl").read_bytes() == before


def test_an_imported_session_brings_the_instructions_of_then(world: World) -> None:
    """The fork is pinned to what lay on the disk at the checkpoint, not to what lies there now."""
    case("C55", world.root)
    (world.root / "AGENTS.md").write_text("old rules\n")
    (session,) = world.bring(world.root / "t.jsonl")
    node = world.continuity.checkpoint(session.id, OPERATOR)
    assert node.snapshot.instruction_basis == "live"
    (world.root / "AGENTS.md").write_text("new rules\n")
    branch = world.continuity.fork(node.id, OPERATOR)
    assert branch.run.fingerprint == node.snapshot.instruction_fingerprint
    assert "old rules" in world.scalar(
        f"SELECT snapshot FROM run_instruction_snapshots WHERE run_id = '{branch.run.id}'"
    )
    assert branch.run.goal == "Add a health check."
    again = world.continuity.fork(branch.node.id, OPERATOR)
    assert again.run.fingerprint == branch.run.fingerprint


def test_refused_instructions_leave_a_run_without_a_pin(world: World) -> None:
    """Rather than one with a doubtful pin."""
    case("C55", world.root)
    (world.root / "AGENTS.md").symlink_to("elsewhere.md")
    (session,) = world.bring(world.root / "t.jsonl")
    branch = world.continuity.fork(world.continuity.checkpoint(session.id, OPERATOR).id, OPERATOR)
    assert (branch.run.revision, branch.run.fingerprint) == (0, "")
    assert branch.node.snapshot.instruction_basis == "none"


def test_only_valid_memory_references_are_inherited(world: World) -> None:
    """What was deleted, switched off, changed or has expired is told, and left out; what remains is id, version, hash."""
    kept, gone, off, new = (world.memory(f"Rule {name}.") for name in ("kept", "gone", "off", "new"))
    node = world.continuity.checkpoint(world.run().id, OPERATOR)
    world.memories.delete(gone.id, gone.version, OPERATOR)
    world.memories.switch(off.id, off.version, Status.DISABLED, OPERATOR)
    world.memories.edit(new.id, new.version, Change(content="Another."), OPERATOR)
    branch = world.continuity.fork(node.id, OPERATOR)
    assert {item.reference.id: item.state for item in branch.left_out} == {
        gone.id: "deleted",
        off.id: "disabled",
        new.id: "changed",
    }
    assert [item for item in branch.inherited if item.startswith("memory:")] == [f"memory:{kept.id}@1"]
    reference = next(item for item in world.continuity.node(node.id).snapshot.memories if item.id == gone.id)
    assert (reference.version, reference.sha256) == (1, gone.content_sha256)


def test_a_deleted_memory_leaves_no_text_behind(world: World, tmp_path: Path) -> None:
    """Whatever checkpoints and forks refer to it: no byte of it is in any file of the database."""
    secret = "The heron stands in the reeds"
    memory = world.memory(secret)
    node = world.continuity.checkpoint(world.run().id, OPERATOR)
    world.continuity.fork(node.id, OPERATOR)
    world.memories.delete(memory.id, memory.version, OPERATOR)
    world.store.erase_residue()
    for file in tmp_path.glob("x.db*"):
        assert secret.encode() not in file.read_bytes(), file


def test_a_fork_may_join_a_thread(world: World) -> None:
    """As that thread's next run; a closed thread refuses, and then there is no fork at all."""
    threads = ThreadService(world.store)
    thread = threads.create(world.runs.register(str(world.root)), "Parser", OPERATOR)
    node = world.continuity.checkpoint(world.run().id, OPERATOR)
    branch = world.continuity.fork(node.id, OPERATOR, thread=thread.id)
    assert [item.run_id for item in threads.show(thread.id)[1]] == [branch.run.id]
    closed = threads.close(thread.id, thread.version, OPERATOR)
    before = world.scalar("SELECT (SELECT COUNT(*) FROM runs) + (SELECT COUNT(*) FROM continuity_nodes)")
    with pytest.raises(ConflictError):
        world.continuity.resume(node.id, OPERATOR, thread=closed.id)
    assert world.scalar("SELECT (SELECT COUNT(*) FROM runs) + (SELECT COUNT(*) FROM continuity_nodes)") == before


def test_who_and_what_is_refused(world: World) -> None:
    """An agent, an unknown node, a goal that is too long."""
    node = world.continuity.checkpoint(world.run().id, OPERATOR)
    with pytest.raises(RefusedError, match="operator"):
        world.continuity.fork(node.id, AGENT)
    with pytest.raises(NotFoundError):
        world.continuity.fork("nod_none", OPERATOR)
    with pytest.raises(UsageError):
        world.continuity.fork("nod\0", OPERATOR)
    with pytest.raises(UsageError):
        world.continuity.fork(node.id, OPERATOR, goal="x" * 20_000)


def test_a_compaction_summary_comes_first_in_the_fork(world: World) -> None:
    """And is the fork's own summary from then on."""
    run = world.run()
    world.say(run.id, "one")
    with world.store.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO messages (session_seq, key, parent, role, kind, text, call_id, at, side, hidden, inherited) "
            "VALUES (1, 'sum', '', 'system', 'summary', 'What was done so far.', '', '', 0, 0, 0)"
        )
    world.say(run.id, "two")
    node = world.continuity.checkpoint(run.id, OPERATOR)
    assert node.snapshot.compaction is not None
    assert node.snapshot.compaction.text == "What was done so far."
    branch = world.continuity.fork(node.id, OPERATOR)
    assert [item.text for item in world.messages(branch.node.session_id)] == ["What was done so far.", "one", "two"]
    again = world.continuity.checkpoint(branch.run.id, OPERATOR)
    assert again.snapshot.compaction == node.snapshot.compaction
