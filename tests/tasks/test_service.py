"""Contracts as they are kept: one anchor, versions, approvals, grants; the database refuses the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy.exc import IntegrityError

from sessions.world import AGENT
from waybook.base.errors import ConflictError, NotFoundError, UsageError
from waybook.context.model import Message
from waybook.tasks.limits import REFERENCE_CHARACTERS
from waybook.tasks.model import ContextRef, Result

if TYPE_CHECKING:
    from support.context_desk import Desk
    from waybook.tasks.service import Child

ANCHOR = {"objective": "Ship it", "completion_criteria": ["tests pass"], "constraints": ["no network"]}


def brief(**fields: Any) -> dict[str, Any]:
    return {
        "objective": "Parse",
        "reason": "first step",
        "completion_criteria": ["parses"],
        "expected_outputs": ["a.py"],
        **fields,
    }


def three(desk: Desk) -> tuple[str, Child, Child]:
    root = desk.tasks.open_root(ANCHOR, AGENT, capabilities=("goal", "agent", "read_context_ref")).trace.id
    child = desk.tasks.delegate(root, brief(constraints=["only Python"]), AGENT)
    return root, child, desk.tasks.delegate(child.trace.id, brief(objective="Lex"), AGENT, capabilities=("goal",))


def test_three_layers(desk: Desk) -> None:
    """One anchor, inherited constraints, narrowed capabilities, and the direct parent's brief to read."""
    root, child, leaf = three(desk)
    assert leaf.brief.brief.constraints == ("no network", "only Python")
    assert leaf.trace.capabilities == ("goal",)
    held = desk.tasks.held(leaf.trace.id)
    assert held.anchor == desk.tasks.held(root).anchor
    (ref,) = held.references
    assert desk.tasks.read_reference(leaf.trace.id, ref) == child.brief.brief.text
    assert desk.tasks.held(child.trace.id).references == {}
    for other in (root, child.trace.id):
        with pytest.raises(NotFoundError):
            desk.tasks.read_reference(other, ref)
    assert [one.trace.depth for one in desk.tasks.tree(leaf.trace.id)] == [0, 1, 2]
    assert desk.contexts.load(leaf.trace.id).messages == ()


def test_an_older_root_is_not_upgraded(desk: Desk) -> None:
    """Without an anchor there are no children."""
    record = desk.contexts.open_root(AGENT)
    with pytest.raises(ConflictError) as caught:
        desk.tasks.delegate(record.id, brief(), AGENT)
    assert caught.value.code == "no-anchor"
    with pytest.raises(IntegrityError), desk.store.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO task_briefs SELECT id, 1, '{}', printf('%064d', 0), printf('%064d', 0), 'x', 'x' "
            "FROM context_traces"
        )


def test_a_revision_is_a_new_version_and_clears_the_references(desk: Desk) -> None:
    """Old versions stay; what the new one does not name is gone."""
    root, child, _ = three(desk)
    done = desk.tasks.review(child.trace.id, Result("report", {}, {}, "passed"), AGENT)
    assert done.reference is not None
    second = desk.tasks.delegate(root, brief(context_refs=[vars_of(done.reference)]), AGENT)
    assert desk.tasks.read_reference(second.trace.id, done.reference)
    revised = desk.tasks.revise(second.trace.id, brief(objective="Again"), AGENT)
    assert revised.brief.version == 2
    assert [one.brief.objective for one in desk.tasks.held(second.trace.id).briefs] == ["Parse", "Again"]
    with pytest.raises(NotFoundError):
        desk.tasks.read_reference(second.trace.id, done.reference)
    with pytest.raises(ConflictError):
        desk.tasks.revise(root, brief(), AGENT)


def vars_of(ref: ContextRef) -> dict[str, str]:
    return {"ref_id": ref.ref_id, "version": ref.version}


def test_only_the_approved_brief_goes_on(desk: Desk) -> None:
    """Approved and handed down alike, it matches; anything else is refused, and nothing is written."""
    root, child, _ = three(desk)
    approved = desk.tasks.settle_brief(root, brief(objective=" Next \r\n step", constraints=["a", "a"]))
    desk.tasks.review(child.trace.id, Result("r", {}, {}, "failed", approved), AGENT)
    for wrong in (brief(objective="Other"), brief(objective="Next\n step", constraints=["b"])):
        with pytest.raises(ConflictError) as caught:
            desk.tasks.delegate(root, wrong, AGENT)
        assert caught.value.code == "brief-not-approved"
    made = desk.tasks.revise(child.trace.id, brief(objective="Next \n step", constraints=["a"]), AGENT)
    assert made.brief.brief == approved
    assert desk.tasks.delegate(root, brief(objective="Other"), AGENT).brief.version == 1


def test_going_back_takes_later_grants_away(desk: Desk) -> None:
    """What was granted after the cut is gone with the messages; earlier grants stay."""
    root, child, _ = three(desk)
    trace = desk.contexts.load(root)
    desk.contexts.append(trace, [Message(0, 0, "", "user", text) for text in "ab"])
    early = desk.tasks.review(child.trace.id, Result("early", {}, {}, "passed"), AGENT)
    desk.contexts.append(trace, [Message(0, 0, "", "user", "c")])
    other = desk.tasks.delegate(root, brief(), AGENT)
    late = desk.tasks.review(other.trace.id, Result("late", {}, {}, "passed"), AGENT)
    assert early.reference
    assert late.reference
    assert set(desk.tasks.held(root).references) == {early.reference, late.reference}
    desk.tasks.rewind(trace, 2, AGENT)
    assert set(desk.tasks.held(root).references) == {early.reference}


def test_a_large_result_is_kept_with_a_warning(desk: Desk) -> None:
    """The review counts; there is no reference."""
    root, child, _ = three(desk)
    done = desk.tasks.review(child.trace.id, Result("x" * REFERENCE_CHARACTERS, {}, {}, "passed"), AGENT)
    assert done.reference is None
    assert "too large" in done.warning
    assert desk.tasks.held(root).references == {}
    assert [one[2] for one in desk.tasks.held(child.trace.id).results] == ["passed"]


def test_nothing_crosses_trees(desk: Desk) -> None:
    """A reference of one tree is nothing in another, by whatever name."""
    _, _, leaf = three(desk)
    (ref,) = desk.tasks.held(leaf.trace.id).references
    other, _, stranger = three(desk)
    for where in (other, stranger.trace.id):
        if ref not in desk.tasks.held(where).references:
            with pytest.raises(NotFoundError):
                desk.tasks.read_reference(where, ref)
        with pytest.raises(NotFoundError):
            desk.tasks.read_reference(where, ContextRef(leaf.trace.id, ref.version))
    with pytest.raises(NotFoundError):
        desk.tasks.delegate(other, brief(context_refs=[vars_of(ref)]), AGENT)


def test_contracts_never_change_in_the_database(desk: Desk) -> None:
    """Not by an update, a delete, a replacement, a gap, or a second anchor."""
    root, child, _ = three(desk)
    desk.tasks.review(child.trace.id, Result("r", {}, {}, "passed"), AGENT)
    statements = [
        f"{verb} {table}{end}"
        for table in ("task_anchors", "task_briefs", "task_references", "task_results")
        for verb, end in (("UPDATE", " SET trace_id = trace_id"), ("DELETE FROM", ""))
    ]
    statements += [
        "INSERT OR REPLACE INTO task_anchors SELECT trace_id, '{\"x\":1}', sha256, created_by, created_at FROM task_anchors",
        f"INSERT INTO task_anchors SELECT '{child.trace.id}', body, sha256, created_by, created_at FROM task_anchors",
        "INSERT INTO task_briefs SELECT trace_id, 7, body, sha256, anchor_sha256, created_by, created_at FROM task_briefs",
        (
            "INSERT INTO task_briefs SELECT trace_id, 2, body, sha256, printf('%064d', 1), created_by, created_at "
            f"FROM task_briefs WHERE trace_id = '{child.trace.id}'"
        ),
    ]
    for statement in statements:
        with pytest.raises(IntegrityError), desk.store.write() as connection:
            connection.exec_driver_sql(statement)
    assert desk.tasks.held(root).anchor is not None


def test_a_packet_is_built_from_the_kept_path(desk: Desk) -> None:
    """By the system, with the root's anchor and the current brief."""
    _, child, _ = three(desk)
    trace = desk.contexts.load(child.trace.id)
    desk.contexts.append(trace, [Message(0, 0, "", "user", "do"), Message(0, 0, "", "assistant", "did")])
    packet = desk.tasks.packet(trace, "report", plan=["look"])
    assert "Ship it" in packet.text
    assert child.brief.brief.objective in packet.text
    assert packet.messages == 2
    with pytest.raises(UsageError):
        desk.tasks.packet(trace, float("nan"))
