"""Homes that real programs wrote: every prompt, answer, call, fork, compaction and subagent, and nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sessions.transcripts.samples import (
    AGENTS,
    Library,
    conversation,
    disk_space_of,
    fingerprint,
    scenarios,
    secret,
    unpack,
)

if TYPE_CHECKING:
    from pathlib import Path


UNWRITTEN = {"gemini/S6b-killed-in-tool"}
"""Gemini CLI writes a call only when it ends: that of a killed run is nowhere on the disk."""


def same(found: dict[str, Any], wanted: dict[str, Any], variants: dict[str, str]) -> None:
    """The same prompts, answers and calls in the same order."""
    for key in ("prompts", "assistant"):
        assert found[key] == [variants.get(text, text) for text in wanted.get(key, [])], key
    assert [call["name"] for call in found["tool_calls"]] == [call["name"] for call in wanted["tool_calls"]]
    for one, other in zip(found["tool_calls"], wanted["tool_calls"], strict=True):
        assert one["ok"] == other["ok"], one
        assert one["args"] == other["args"]
        assert one["id"].endswith(other["id"])
        if other.get("exit_code") is not None and one["exit_code"] is not None:
            assert one["exit_code"] == other["exit_code"]


@pytest.mark.parametrize("scenario", scenarios())
def test_scenario(scenario: str, tmp_path: Path) -> None:
    """A home yields what its scenario says; a second import adds nothing; nothing in the home is touched."""
    expected = unpack(scenario, tmp_path / "rig")
    home = tmp_path / "rig" / "home"
    before = fingerprint(home)
    library = Library(tmp_path / "store" / "x.db")
    outcome = library.bring(home)
    assert outcome.warnings == []
    first = library.rows()
    assert library.bring(home).new_messages == 0
    assert library.rows() == first
    assert fingerprint(home) == before

    agent = AGENTS[scenario.partition("/")[0]]
    sessions = {session.native_id: session for session in library.sessions(children=False)}
    assert {session.agent for session in sessions.values()} == {agent}
    assert set(sessions) == {wanted["id"] for wanted in expected["sessions"]}
    variants = expected.get("on_disk_variants", {})
    for wanted in expected["sessions"]:
        session = sessions[wanted["id"]]
        messages = library.messages(session.id)
        if scenario in UNWRITTEN:
            wanted["tool_calls"] = []
        same(conversation(messages), wanted, variants)
        assert session.prompts == len(wanted["prompts"])
        assert session.cwd == expected["cwd"]
        assert session.forked_from == (wanted.get("forked_from") or "")
        assert session.title
        shared = [message.text for message in messages if message.inherited and message.kind == "prompt"]
        assert shared == [variants.get(text, text) for text in wanted.get("inherited_prompts", [])]
        check_children(library, session.native_id, wanted)
    if expected.get("title"):
        assert any(session.title == expected["title"] for session in sessions.values())
    check_summary(library, expected)
    with library.store.read() as connection:
        rows = connection.exec_driver_sql("SELECT unknown, damaged FROM transcript_files").all()
    assert {tuple(row) for row in rows} == {("{}", 0)}, "every record of the current programs is known"
    if token := secret(expected):
        library.store.close()
        assert token.encode() not in disk_space_of(tmp_path / "store")


def check_children(library: Library, parent: str, wanted: dict[str, Any]) -> None:
    """Subagents are sessions of their own below the one that called them."""
    children = [session for session in library.sessions() if session.parent == parent]
    assert len(children) == len(wanted.get("children", []))
    for child, other in zip(children, wanted.get("children", []), strict=True):
        found = conversation(library.messages(child.id))
        assert found["prompts"] == [other["prompt"]]
        assert found["assistant"] == other["assistant"]
        same(found, {**other, "prompts": [other["prompt"]]}, {})
        assert child.parent_call.endswith(tuple(call["id"] for call in wanted["tool_calls"]))


def check_summary(library: Library, expected: dict[str, Any]) -> None:
    """A compaction is one node with the summary, and never a prompt."""
    nodes = [
        message
        for session in library.sessions()
        for message in library.messages(session.id)
        if message.kind == "summary" and not message.inherited
    ]
    assert len(nodes) == (1 if expected["compacted"] else 0)
    if expected.get("summary"):
        assert expected["summary"] in nodes[0].text
