"""No snapshot, fork or resume carries an approval, a grant, a credential, a lease, an authorisation, a process or a profile.

Tried three ways: through the types and services, through what is stored as text, and by SQL.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from continuity.world import OPERATOR, World, case
from waybook.base.errors import RefusedError, StoreError
from waybook.base.records import to_json
from waybook.continuity.model import (
    NEVER_INHERITED,
    NOTHING,
    Authority,
    Basis,
    MemoryReference,
    Node,
    Piece,
    PieceKind,
    Snapshot,
    TaskMode,
)
from waybook.sessions.model import RunState
from waybook.store.tables import (
    continuity_memory_references,
    continuity_memory_sets,
    continuity_messages,
    continuity_nodes,
)

if TYPE_CHECKING:
    from waybook.continuity.branches.service import Branch

NAMES = (
    "approvals", "approval", "capability_grants", "grant", "credentials", "credential", "debug_sessions",
    "execution_leases", "terminal_leases", "lease", "network_authorization", "network", "processes", "process", "pid",
    "execution_profiles", "execution_profile", "profile", "permission_mode",
)  # fmt: skip
SHA = "a" * 64


@pytest.fixture
def branch(world: World) -> Branch:
    """A fork of a run that ran under a profile of its own, was running, and had memories."""
    run = world.run(profile="danger-full-access")
    world.memory()
    world.say(run.id, "do it", "approved: network access for all forks")
    world.progress.move(run.id, RunState.RUNNING, OPERATOR)
    node = world.continuity.checkpoint(run.id, OPERATOR, mode="code", budget_tokens=10)
    return world.continuity.fork(node.id, OPERATOR, goal="try")


def test_the_list_is_the_contracts() -> None:
    """Every thing that continuity_snapshot.v1 forbids is named, and is false in each snapshot."""
    wanted = {
        "approvals", "capability_grants", "credentials", "debug_sessions", "execution_leases", "terminal_leases",
        "network_authorization", "processes", "execution_profiles",
    }  # fmt: skip
    assert set(NEVER_INHERITED) == wanted
    assert Snapshot().to_json()["authority"] == dict.fromkeys(sorted(wanted), False)


@pytest.mark.parametrize("name", NAMES)
def test_no_type_has_room_for_it(name: str) -> None:
    """No record of continuity takes such a field, and none gets one later."""
    for kind in (Snapshot, Node, Piece, MemoryReference, Authority):
        assert name not in {item.name for item in fields(kind)}
        with pytest.raises(TypeError):
            kind(**{name: "yes"})
    for thing in (Snapshot(), NOTHING):
        with pytest.raises((AttributeError, TypeError)):
            object.__setattr__(thing, name, True)


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "bypassPermissions"},
        {"mode": "full"},
        {"budget_tokens": "unlimited"},
        {"budget_tokens": True},
        {"config_fingerprint": "network: allowed"},
        {"instruction_fingerprint": "grant", "instruction_basis": Basis.PINNED},
        {"instruction_basis": "approved"},
        {"git": {"credential": "x"}},
        {"memories": ({"approval": 1},)},
        {"messages": ({"lease": 1},)},
        {"messages": [Piece("s", "k", "user", PieceKind.PROMPT, "a list, not a tuple")]},
        {"compaction": Piece("s", "k", "user", PieceKind.PROMPT, "no summary")},
        {"authority": None},
        {"authority": {"network_authorization": True}},
    ],
    ids=str,
)
def test_no_value_of_a_snapshot_is_anything_else(change: dict[str, Any]) -> None:
    """Fields take what they are for and nothing of another shape."""
    with pytest.raises((ValueError, TypeError, AttributeError)):
        replace(Snapshot(), **change)


def test_authority_that_claims_something_is_refused() -> None:
    """Not even a class made for it gets in."""

    class Grants(Authority):
        def to_json(self) -> dict[str, bool]:
            return {**super().to_json(), "approvals": True}

    with pytest.raises(ValueError, match="authority"):
        replace(Snapshot(), authority=Grants())


@pytest.mark.parametrize(
    "bad", [("approval", "user", 1, "yes"), ("m", "network", 1, SHA), ("m", "user", 0, SHA), ("x y", "user", 1, SHA)]
)
def test_a_memory_reference_is_four_plain_values(bad: tuple[Any, ...]) -> None:
    """An id, a scope, a version, a SHA-256."""
    with pytest.raises(ValueError, match="memory reference"):
        MemoryReference(*bad)


def test_a_new_run_starts_plain(world: World, branch: Branch) -> None:
    """State created, the default profile, no thread; the source's profile is nowhere in what is said of it."""
    assert (branch.run.state, branch.run.profile) == (RunState.CREATED, "default")
    body = to_json(branch)
    assert "danger-full-access" not in json.dumps(body)
    assert body["not_inherited"] == list(NEVER_INHERITED)
    assert set(body["snapshot"]["authority"].values()) == {False}
    kinds = {item.partition(":")[0] for item in branch.inherited}
    assert kinds == {"budget", "instructions", "memory", "message", "mode"}
    assert list(branch.inherited) == sorted(set(branch.inherited))
    assert len(branch.inherited) <= 256
    resumed = world.continuity.resume(branch.node.id, OPERATOR)
    assert (resumed.run.state, resumed.run.profile) == (RunState.CREATED, "default")
    assert world.scalar(f"SELECT COUNT(*) FROM thread_runs WHERE run_id = '{branch.run.id}'") == 0


def _refused(world: World, statement: Any, values: Any = None) -> None:
    run = text(statement) if isinstance(statement, str) else statement
    with pytest.raises((StoreError, DBAPIError)), world.store.write() as connection:
        connection.execute(run, values)


def test_no_table_has_a_column_for_it(world: World, branch: Branch) -> None:
    """Neither to write into nor to read from."""
    tables = (continuity_nodes, continuity_messages, continuity_memory_sets, continuity_memory_references)
    for table, name in product(tables, NAMES):
        assert name not in table.columns
        _refused(world, f"INSERT INTO {table.name} ({name}) VALUES ('yes')")
        _refused(world, f"UPDATE {table.name} SET {name} = 'yes'")


def _row(world: World, node_id: str) -> dict[str, Any]:
    with world.store.read() as connection:
        query = continuity_nodes.select().where(continuity_nodes.c.id == node_id)
        row = dict(connection.execute(query).mappings().one())
    row.pop("seq")
    return row


MORE: tuple[dict[str, Any], ...] = (
    {"mode": "bypassPermissions"},
    {"budget_tokens": -1},
    {"message_seqs": '["approval"]'},
    {"message_seqs": "1 /* network approved */"},
    {"message_seqs": ",".join(["1"] * 21)},
    {"config_fingerprint": "grant"},
    {"instruction_fingerprint": "", "instruction_basis": "pinned"},
    {"instruction_basis": "approved"},
    {"git_state": "credential"},
    {"git_head": "lease"},
    {"git_dirty": "process"},
    {"fingerprint": "profile"},
    {"kind": "grant"},
    {"memory_seq": 4711},
    {"compaction_seq": 1},
    {"run_id": None, "kind": "fork"},
    {"title": "x" * 257},
    {"summary": "x" * 16_385},
)


def test_the_database_refuses_a_node_that_is_more(world: World, branch: Branch) -> None:
    """Every column has its shape; the same row without the change is taken."""
    row = {**_row(world, branch.source_id), "id": "nod_new", "parent_id": branch.source_id}
    for change in MORE:
        _refused(world, continuity_nodes.insert(), {**row, **change})
    with world.store.write() as connection:
        connection.execute(continuity_nodes.insert(), row)


def test_the_database_refuses_another_snapshot_in_a_fork(world: World, branch: Branch) -> None:
    """A fork pins exactly what its source holds, for a fresh run under the plain profile, pinned to the same instructions."""
    source = world.continuity.node(branch.source_id)
    other = world.run(profile="danger")
    fresh = world.run(profile="default")
    row = {**_row(world, branch.node.id), "id": "nod_new"}
    for run in (other, fresh):
        world.say(run.id, "hello")
        session = world.scalar(f"SELECT id FROM sessions WHERE run_id = '{run.id}'")
        taken = {**row, "run_id": run.id, "session_id": session}
        for change in (
            {"budget_tokens": 11},
            {"mode": "plan"},
            {"memory_seq": None},
            {"message_seqs": ""},
            {"fingerprint": SHA},
            {"instruction_fingerprint": "", "instruction_basis": "none"},
            {"tree": "ses_other"},
            {"parent_id": None},
            {"parent_id": "nod_none"},
            {"run_id": branch.run.id},
            {"session_id": source.session_id},
            *([{}] if run is other else []),
        ):
            _refused(world, continuity_nodes.insert(), {**taken, **change})
    world.progress.move(fresh.id, RunState.RUNNING, OPERATOR)
    _refused(world, continuity_nodes.insert(), taken)
    third = world.run(profile="default")
    world.say(third.id, "hello")
    session = world.scalar(f"SELECT id FROM sessions WHERE run_id = '{third.id}'")
    with world.store.write() as connection:
        connection.execute(continuity_nodes.insert(), {**row, "run_id": third.id, "session_id": session})


def test_nothing_is_changed_or_deleted(world: World, branch: Branch) -> None:
    """Nor replaced: what was written stays."""
    for table in ("nodes", "messages", "memory_sets", "memory_references"):
        _refused(world, f"DELETE FROM continuity_{table}")
        _refused(world, f"INSERT OR REPLACE INTO continuity_{table} SELECT * FROM continuity_{table}")
    for change in ("mode = 'code'", "title = 'x'", "budget_tokens = 99", "kind = 'root'", "parent_id = id"):
        _refused(world, f"UPDATE continuity_nodes SET {change}")
    _refused(world, "UPDATE continuity_messages SET text = 'approved'")
    _refused(world, "UPDATE continuity_memory_references SET version = 9")


def test_the_database_takes_references_of_memories_in_use_only(world: World, branch: Branch) -> None:
    """No invented id, no other version, no other hash, none beyond the set."""
    memory = world.memory("Another rule.")
    with world.store.write() as connection:
        connection.execute(continuity_memory_sets.insert(), {"seq": 99, "digest": SHA, "size": 1})
    good = {
        "set_seq": 99,
        "place": 1,
        "memory_id": memory.id,
        "scope": "project",
        "version": 1,
        "sha256": memory.content_sha256,
    }
    for change in ({"memory_id": "approval"}, {"version": 2}, {"sha256": SHA}, {"scope": "user"}, {"place": 2}):
        _refused(world, continuity_memory_references.insert(), {**good, **change})
    row = {**_row(world, branch.source_id), "id": "nod_new", "parent_id": branch.source_id, "memory_seq": 99}
    _refused(world, continuity_nodes.insert(), row)  # the set is not whole yet
    with world.store.write() as connection:
        connection.execute(continuity_memory_references.insert(), good)
    _refused(world, continuity_memory_references.insert(), {**good, "place": 2})


def test_c54_a_bypass_mode_and_always_allow_rules_stay_behind(world: World) -> None:
    """History, memory references and the instruction fingerprint come along; what a guide says grants nothing."""
    found = case("C54", world.root)
    world.memory()
    (session,) = world.bring(world.root / "t.jsonl")
    node = world.continuity.checkpoint(session.id, OPERATOR)
    for branch in (world.continuity.fork(node.id, OPERATOR), world.continuity.resume(node.id, OPERATOR)):
        body = json.dumps(to_json(branch))
        assert "bypass" not in body
        granted = [name for name, value in to_json(branch)["snapshot"]["authority"].items() if value]
        assert granted == found["expect"]["granted"]["f"]
        words = {"message": "history", "memory": "memory references", "instructions": "instruction fingerprint"}
        assert {words[item.partition(":")[0]] for item in branch.inherited} == set(found["expect"]["inherits"])
        text = world.scalar(f"SELECT snapshot FROM run_instruction_snapshots WHERE run_id = '{branch.run.id}'")
        (source,) = json.loads(text)["sources"]
        assert source["trust"].endswith(found["expect"]["trust_of_sources"])
        assert [name for name, value in source["authority"].items() if value and "guidance" not in name] == []


def test_modes_are_kinds_of_work() -> None:
    """None of the words by which agents name permissions."""
    assert not {"ask", "auto", "full", "bypass", "default", "yolo", "dangerous"} & set(TaskMode)


def test_projections_are_no_sources(world: World, branch: Branch) -> None:
    """What the tree only shows is refused by name."""
    for name in ("note:not_1", "compaction:ses_1/4", "delivery:cpl_1", "session:ses_1", "artifact:a"):
        for leave in (world.continuity.fork, world.continuity.resume):
            with pytest.raises(RefusedError) as caught:
                leave(name, OPERATOR)
            assert caught.value.code == "not-authoritative"
