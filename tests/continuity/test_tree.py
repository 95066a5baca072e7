"""The tree: everything that hangs together, with marks; and two nodes side by side."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from continuity.world import FIXTURES, OPERATOR, World, case, git, repository, stored
from waybook.base.errors import NotFoundError, RefusedError
from waybook.base.records import to_json
from waybook.memory.model import Change, Status
from waybook.sessions.model import RunState
from waybook.sessions.notes.model import NoteDraft
from waybook.sessions.progress.model import CompletionKind

if TYPE_CHECKING:
    from pathlib import Path


def marks(world: World, name: str, node_id: str) -> set[tuple[str, str, str]]:
    (node,) = [node for node in world.browse.tree(name).nodes if node.id == node_id]
    return {(mark.kind, mark.subject, mark.state) for mark in node.marks}


def test_every_name_gives_the_same_tree(world: World) -> None:
    """Session, run and node, of any branch; the JSON has the protocol and the nodes."""
    run = world.run()
    node = world.continuity.checkpoint(run.id, OPERATOR)
    branch = world.continuity.fork(node.id, OPERATOR)
    trees = [world.browse.tree(name) for name in (run.id, node.session_id, node.id, branch.run.id, branch.node.id)]
    assert len({tree.nodes for tree in trees}) == 1
    body = json.loads(json.dumps(to_json(trees[0])))
    assert body["protocol"] == "session_tree.v1"
    assert [item["kind"] for item in body["nodes"]] == ["root", "checkpoint", "fork"]
    assert all({"id", "run_id", "session_id"} <= set(item) for item in body["nodes"])
    parents = {item["id"]: item["parent_id"] for item in body["nodes"]}
    assert parents[branch.node.id] == node.id
    assert parents[node.id] == body["root"]
    with pytest.raises(NotFoundError):
        world.browse.tree("ses_none")


def test_memory_marks(world: World) -> None:
    """Deleted, disabled, expired, changed; none while all is as it was."""
    gone, off, new, old = (world.memory(f"Rule {name}.") for name in ("gone", "off", "new", "old"))
    run = world.run()
    node = world.continuity.checkpoint(run.id, OPERATOR)
    assert marks(world, run.id, node.id) == set()
    world.memories.delete(gone.id, gone.version, OPERATOR)
    world.memories.switch(off.id, off.version, Status.DISABLED, OPERATOR)
    world.memories.edit(new.id, new.version, Change(content="Another."), OPERATOR)
    world.memories.edit(old.id, old.version, Change(retention="1s"), OPERATOR)
    world.store.clock.now()
    world.store.clock.now()
    assert marks(world, run.id, node.id) == {
        ("memory", gone.id, "deleted"),
        ("memory", off.id, "disabled"),
        ("memory", new.id, "changed"),
        ("memory", old.id, "expired"),
    }


def test_git_marks(world: World) -> None:
    """A commit moves the HEAD, a switch the branch; a repository that is gone is told."""
    repository(world.root)
    run = world.run()
    node = world.continuity.checkpoint(run.id, OPERATOR)
    assert marks(world, run.id, node.id) == set()
    (world.root / "a.txt").write_text("two\n")
    assert marks(world, run.id, node.id) == set(), "what is not committed is no drift of branch or HEAD"
    git(world.root, "commit", "-qam", "second")
    assert marks(world, run.id, node.id) == {("git", "head", "changed")}
    git(world.root, "switch", "-qc", "other")
    assert marks(world, run.id, node.id) == {("git", "head", "changed"), ("git", "branch", "changed")}
    (world.root / ".git").rename(world.root / "was")
    assert marks(world, run.id, node.id) == {("git", "repository", "gone")}


def test_what_is_only_shown(world: World) -> None:
    """Compactions, decisions and deliveries hang under the beginning of their session, and are no sources."""
    run = world.run()
    world.say(run.id, "one")
    with world.store.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO messages (session_seq, key, parent, role, kind, text, call_id, at, side, hidden, inherited) "
            "VALUES (1, 'sum', '', 'system', 'summary', 'What was done.', '', '', 0, 0, 0)"
        )
    draft = NoteDraft("decision", "Use tabs", "Everywhere.", run_id=run.id, evidence=("docs/a.md",))
    world.notes.add(run.workspace_id, draft, OPERATOR)
    draft = NoteDraft("finding", "Slow", "It is slow.", run_id=run.id)
    world.notes.add(run.workspace_id, draft, OPERATOR)
    world.progress.move(run.id, RunState.RUNNING, OPERATOR)
    world.progress.record(CompletionKind.DELIVERY_CHECKPOINT, OPERATOR, run_id=run.id, reference="build 12")
    world.progress.record(CompletionKind.THREAD_REPLY, OPERATOR, run_id=run.id, reference="message 1")
    tree = world.browse.tree(run.id)
    shown = [node for node in tree.nodes if not node.authoritative]
    assert [(node.kind, node.title) for node in shown] == [
        ("compaction", "What was done."),
        ("note", "Use tabs"),
        ("delivery", "delivery checkpoint: build 12"),
    ]
    assert {node.parent_id for node in shown} == {tree.root}
    assert [node.status for node in stored(tree)] == ["running"]
    for node in shown:
        for attempt in (world.continuity.fork, world.continuity.resume):
            with pytest.raises(RefusedError, match="browsing only"):
                attempt(node.id, OPERATOR)
        with pytest.raises(RefusedError):
            world.browse.compare(node.id, node.id)


@pytest.mark.parametrize("order", [("child.jsonl", "parent.jsonl"), ("parent.jsonl", "child.jsonl")])
def test_c56_what_agents_forked_hangs_together(world: World, order: tuple[str, str]) -> None:
    """Whichever was imported first; counted once; a fork whose parent is missing says so."""
    found = case("C56", world.root, "transcripts/cases")
    for name in order:
        world.bring(world.root / name)
    sessions = {session.native_id[-1]: session for session in world.said.sessions()}
    for name in "ab":
        tree = world.browse.tree(sessions[name].id)
        shape = [(item.session_id, item.parent_session, item.messages) for item in tree.sessions]
        own = found["expect"]["own_messages"]
        assert shape == [(sessions["a"].id, "", own["p"]), (sessions["b"].id, sessions["a"].id, own["k"])]
        assert [node.kind for node in tree.nodes] == ["session", "session"]
        assert tree.nodes[1].parent_id == tree.nodes[0].id
    node = world.continuity.checkpoint(sessions["b"].id, OPERATOR)
    assert len(node.snapshot.messages) == found["expect"]["distinct_messages"]
    branch = world.continuity.fork(node.id, OPERATOR)
    tree = world.browse.tree(sessions["a"].id)
    assert [item.kind for item in tree.nodes] == ["session", "session", "checkpoint", "fork"]
    assert branch.node.id == tree.nodes[-1].id


def test_c56_an_orphan_is_whole_and_marked(world: World) -> None:
    """Without its parent's file."""
    found = case("C56", world.root, "transcripts/cases")
    (session,) = world.bring(world.root / "lost" / "child.jsonl")
    (node,) = world.browse.tree(session.id).nodes
    assert [(mark.kind, mark.subject, mark.state) for mark in node.marks] == [
        ("parent", found["expect"]["orphan"]["parent_missing"], "missing")
    ]


def test_c51_a_deleted_session_leaves_the_tree_alive(world: World) -> None:
    """Its nodes stay, marked, with their bounded history; forks from them go on."""
    case("C51", world.root)
    world.bring(world.root / "s1.jsonl", world.root / "s2.jsonl")
    session = next(item for item in world.said.sessions() if item.native_id.startswith("11111111"))
    node = world.continuity.checkpoint(session.id, OPERATOR)
    branch = world.continuity.fork(node.id, OPERATOR)
    world.delete_session(session.id)
    for name in (node.id, session.id, branch.run.id):
        tree = world.browse.tree(name)
        assert ("session", session.id, "deleted") in {
            (mark.kind, mark.subject, mark.state) for item in tree.nodes for mark in item.marks
        }
        assert [item.state for item in tree.sessions] == ["deleted", "present"]
        assert [item.id for item in stored(tree)] == [node.id, branch.node.id]
    assert world.continuity.fork(node.id, OPERATOR).run.goal
    other = next(item for item in world.said.sessions() if item.native_id.startswith("b0000000"))
    assert [item.kind for item in world.browse.tree(other.id).nodes] == ["session"]


def test_circles_end(world: World) -> None:
    """Damaged transcripts may say that two sessions were forked from each other, or one from itself."""
    text = (FIXTURES / "continuity" / "C55.json").read_text(encoding="utf-8")
    base = json.loads(text)["tree"]["t.jsonl"]
    for number in "123":
        (world.root / f"{number}.jsonl").write_text(base.replace("11111111", number * 8))
    world.bring(*(world.root / f"{number}.jsonl" for number in "123"))
    ends = "-2222-4333-8444-555555555555"
    with world.store.write() as connection:
        for own, parent in (("1", "2"), ("2", "1"), ("3", "3")):
            connection.exec_driver_sql(
                "UPDATE sessions SET forked_from = ? WHERE native_id = ?", (parent * 8 + ends, own * 8 + ends)
            )
    for session in world.said.sessions():
        node = world.continuity.checkpoint(session.id, OPERATOR, root=str(world.root))
        tree = world.browse.tree(session.id)
        assert node.id in {item.id for item in tree.nodes}
        assert len({item.id for item in tree.nodes}) == len(tree.nodes)


def test_a_long_chain_of_forks(world: World) -> None:
    """Sixty forks of forks: parents come before their children, and nothing recurses."""
    node = world.continuity.checkpoint(world.run().id, OPERATOR)
    for _ in range(60):
        node = world.continuity.fork(node.id, OPERATOR).node
    tree = world.browse.tree(node.run_id)
    seen: set[str] = set()
    for item in tree.nodes:
        assert item.parent_id in seen or item.id == tree.root
        seen.add(item.id)
    assert len(tree.sessions) == 61


def test_compare(world: World, tmp_path: Path) -> None:
    """Fingerprints, runs, sessions, status, config, instructions, Git, memory and messages; equal meanings are equal."""
    repository(world.root)
    rule = world.memory()
    run = world.run()
    world.say(run.id, "one")
    a = world.continuity.checkpoint(run.id, OPERATOR)
    branch = world.continuity.fork(a.id, OPERATOR)
    same = world.browse.compare(a.id, branch.node.id)
    assert same.same
    assert {item.name for item in same.fields if not item.same} == {"run", "session"}
    world.say(branch.run.id, "two")
    world.memories.delete(rule.id, rule.version, OPERATOR)
    git(world.root, "switch", "-qc", "other")
    (world.root / "waybook.toml").write_text('exclude = ["x"]\n')
    world.progress.move(branch.run.id, RunState.RUNNING, OPERATOR)
    world.continuity.checkpoint(branch.run.id, OPERATOR, mode="code", budget_tokens=5)
    result = world.browse.compare(a.id, branch.run.id)
    assert not result.same
    assert {item.name for item in result.fields if not item.same} == {
        "fingerprint", "run", "session", "status", "config", "git branch", "git uncommitted", "mode", "budget",
    }  # fmt: skip
    assert result.memories_only_a == (f"{rule.id}@1",)
    assert (result.messages_shared, len(result.messages_only_a), len(result.messages_only_b)) == (1, 0, 1)
    body = to_json(result)
    assert {"a", "b", "same", "fields"} <= set(body)
    with pytest.raises(NotFoundError):
        world.browse.compare("nod_none", a.id)
    with pytest.raises(NotFoundError, match="no checkpoint"):
        world.browse.compare(world.run().id, a.id)


def test_a_thousand_nodes_are_read_quickly(world: World) -> None:
    """Rows written behind the service's back, to save the test's time; a generous bound that a slip would break."""
    node = world.continuity.checkpoint(world.run().id, OPERATOR)
    with world.store.write() as connection:
        row = connection.exec_driver_sql("SELECT * FROM continuity_nodes WHERE id = ?", (node.id,)).mappings().one()
        names = [name for name in row if name != "seq"]
        marks_ = ", ".join("?" for _ in names)
        before = node.id
        for number in range(1000):
            changed = {**row, "id": f"nod_{number:04}", "parent_id": before, "title": f"node {number}"}
            connection.exec_driver_sql(
                f"INSERT INTO continuity_nodes ({', '.join(names)}) VALUES ({marks_})",
                tuple(changed[name] for name in names),
            )
            before = changed["id"]
    began = time.perf_counter()
    assert len(world.browse.tree(node.run_id).nodes) == 1002
    assert time.perf_counter() - began < 1
