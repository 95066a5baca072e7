"""`sessions.scan`, `sessions.import`, `sessions.list`, `sessions.show`, `sessions.search`, `sessions.export`, and `doctor`."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sessions.transcripts.samples import AGENTS, INVENTED, fingerprint, scenarios, unpack
from support.workspaces import Desk, make_tree
from waybook.base.actor import Actor
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.base.records import to_json
from waybook.commands.model import Call
from waybook.commands.registry import load

if TYPE_CHECKING:
    from pathlib import Path

HOMES = ("claude/S3-fork", "claude/S5-subagent", "codex/S8-title", "copilot/S3-fork", "opencode/S3-fork", "pi/S1-plain")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n"}))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home in which several agents left sessions."""
    for scenario in HOMES:
        unpack(scenario, tmp_path / scenario)
        shutil.copytree(tmp_path / scenario / "home", tmp_path / "home", dirs_exist_ok=True)
    return tmp_path / "home"


def ask(desk: Desk, command_id: str, **params: Any) -> Any:
    """As `Desk.call`, whose own `agent` says who asks."""
    command = load(command_id)
    return command.run(desk.app, command.params(**params), Call(Actor("operator", "tester")))


def listed(desk: Desk, home: Path, **params: Any) -> Any:
    return ask(desk, "sessions.list", home=str(home), **params).sessions


def test_sessions_show_before_anything_is_imported(desk: Desk, home: Path) -> None:
    """A person on a fresh machine sees every session; after the import it is the same list, marked as imported."""
    before = listed(desk, home, subagents=True)
    assert not any(session.imported for session in before)
    done = desk.call("sessions.import", home=str(home))
    assert done.new_sessions == len(before)
    after = listed(desk, home, subagents=True)
    assert [replace(session, imported=True) for session in before] == list(after)
    assert desk.call("sessions.list", home=str(home)).pending == 0
    assert desk.call("sessions.import", home=str(home)).new_messages == 0


@pytest.mark.parametrize("scenario", [name for name in scenarios() if "S3" in name or "S5" in name or "S8" in name])
def test_a_look_and_an_import_agree(desk: Desk, tmp_path: Path, scenario: str) -> None:
    """Every agent's list and conversations are the same whether they were imported or only looked at."""
    unpack(scenario, tmp_path / "rig")
    home = tmp_path / "rig" / "home"
    before = fingerprint(home)
    looked = {one.id: desk.call("sessions.show", session=one.id, home=str(home)) for one in listed(desk, home)}
    desk.call("sessions.import", home=str(home))
    for session in listed(desk, home):
        kept = desk.call("sessions.show", session=session.id, home=str(home))
        seen = looked[session.id]
        assert [(m.key, m.kind, m.text, m.inherited, m.receipt) for m in seen.messages] == [
            (m.key, m.kind, m.text, m.inherited, m.receipt) for m in kept.messages
        ]
        assert [child.id for child in seen.children] == [child.id for child in kept.children]
        assert [fork.id for fork in seen.forks] == [fork.id for fork in kept.forks]
    assert fingerprint(home) == before


def test_scan_counts_without_opening(desk: Desk, home: Path) -> None:
    """One entry for each agent; what was imported is no longer pending."""
    found = {item.agent: item for item in desk.call("sessions.scan", home=str(home)).agents}
    assert set(found) == {AGENTS[name.partition("/")[0]] for name in HOMES}
    assert all(item.pending == item.files and item.bytes for item in found.values())
    ask(desk, "sessions.import", home=str(home), agent="pi")
    again = {item.agent: item.pending for item in desk.call("sessions.scan", home=str(home)).agents}
    assert again["pi"] == 0
    assert again["codex"] > 0


def test_lists_are_narrowed(desk: Desk, home: Path) -> None:
    """By agent, by project (which need not be on this machine), by number, by home."""
    desk.call("sessions.import", home=str(home))
    every = listed(desk, home)
    assert {one.agent for one in listed(desk, home, agent="codex")} == {"codex"}
    assert listed(desk, home, workspace="/home/robin/work/kite-log") == every
    assert listed(desk, home, workspace="/home/robin/work/kite") == ()
    assert listed(desk, home, limit=2) == every[:2]
    assert not any(one.parent for one in every)
    (home / "empty").mkdir()
    assert listed(desk, home / "empty") == ()
    with pytest.raises(UsageError, match="cannot read sessions of 'nobody'"):
        listed(desk, home, agent="nobody")
    with pytest.raises(NotFoundError, match="is no directory"):
        listed(desk, home / "nowhere")
    with pytest.raises(UsageError):
        listed(desk, home, limit=-1)


def test_show_documents_and_instructions(desk: Desk, home: Path, tmp_path: Path) -> None:
    """Markdown and a page without scripts; a fork and subagents are marked; instructions are known where the project is."""
    desk.call("sessions.import", home=str(home))
    every = {one.native_id: one for one in listed(desk, home)}
    fork = next(one for one in every.values() if one.agent == "claude-code" and one.forked_from)
    shown = desk.call("sessions.show", session=fork.id, home=str(home), markdown=True)
    assert shown.text.startswith(f"# {fork.title}")
    assert f"forked from: {fork.forked_from}" in shown.text
    assert "### You [inherited]" in shown.text
    assert shown.instructions is None
    parent = next(one for one in every.values() if one.agent == "claude-code" and one.calls)
    page = desk.call("sessions.show", session=parent.native_id, home=str(home), html=True).text
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "default-src &#x27;none&#x27;" in page
    assert "Subagent ses_" in page
    with pytest.raises(UsageError):
        desk.call("sessions.show", session=fork.id, home=str(home), html=True, markdown=True)
    with pytest.raises(NotFoundError, match="There is no session"):
        desk.call("sessions.show", session="ses_0000", home=str(home))
    with pytest.raises(UsageError, match="may mean"):
        desk.call("sessions.show", session="ses_", home=str(home))


def test_show_tells_which_instructions_changed_since(desk: Desk, tmp_path: Path) -> None:
    """What the agent would load now where the session worked, and whether it was written after the session."""
    home = tmp_path / "home"
    log = home / ".claude" / "projects" / "p" / "s.jsonl"
    log.parent.mkdir(parents=True)
    (desk.root / "CLAUDE.md").write_text("rules\n")
    record = (
        '{"type":"user","uuid":"a","sessionId":"s1","cwd":"%s","timestamp":"%s-01-05T10:00:00.000Z",'
        '"message":{"role":"user","content":"<b>hello</b>"}}\n'
    )
    for year, changed in (("2020", True), ("2099", False)):
        log.write_text(record % (desk.root, year))
        shown = desk.call("sessions.show", session="s1", home=str(home), html=True)
        assert {item.path: item.changed for item in shown.instructions}[str(desk.root / "CLAUDE.md")] is changed
        assert "&lt;b&gt;hello&lt;/b&gt;" in shown.text


def test_search_finds_words_arguments_and_outputs(desk: Desk, home: Path) -> None:
    """In any case of ASCII letters; nothing twice for a fork; an empty query is refused."""
    assert desk.call("sessions.search", query="tail of the red kite", home=str(home)).found == ()
    assert desk.call("sessions.search", query="kite", home=str(home)).pending > 0
    desk.call("sessions.import", home=str(home))
    found = ask(desk, "sessions.search", query="TAIL of the red", home=str(home), agent="claude-code").found
    assert [item.kind for item in found] == ["prompt"]
    assert "tail of the red kite" in found[0].excerpt
    assert desk.call("sessions.search", query="SUBTASK-77", home=str(home)).found
    assert desk.call("sessions.search", query="100% _", home=str(home)).found == ()
    for query in ("", "   ", "x" * 257):
        with pytest.raises(UsageError):
            desk.call("sessions.search", query=query, home=str(home))
    with pytest.raises(UsageError):
        desk.call("sessions.search", query="kite", home=str(home), limit=0)


def test_export_hands_over_whole_conversations(desk: Desk, home: Path) -> None:
    """One after the other, subagents included; only for a person."""
    desk.call("sessions.import", home=str(home))
    command, parts = load("sessions.export"), []
    done = command.run(
        desk.app,
        command.params(home=str(home), agent="claude-code"),
        Call(Actor("operator", "tester"), emit=parts.append),
    )
    assert done.conversations == len(parts) == 4
    assert all(to_json(part)["messages"] for part in parts)
    for command_id in ("sessions.export", "sessions.import"):
        with pytest.raises(RefusedError):
            desk.call(command_id, agent=True, home=str(home))


def test_doctor_tells_what_imports_met(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damaged places, torn last lines, unknown records, and when Claude Code deletes transcripts; none is a problem."""
    shutil.copytree(INVENTED / "claude", tmp_path / "home" / ".claude")
    (tmp_path / "home" / ".claude" / "settings.json").write_text('{"cleanupPeriodDays": 7}')
    (log,) = (tmp_path / "home").rglob("*000000000002.jsonl")
    log.write_text("broken {\n" + log.read_text())
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    desk.call("sessions.import")
    report = desk.call("doctor")
    assert report.problems == ()
    assert report.sessions == {
        "unknown_records": {"claude-code": {"brand-new-type-2027": 1}},
        "damaged": 1,
        "torn": 1,
    }
    notes = "\n".join(report.notes)
    assert "deletes transcripts after 7 days (cleanupPeriodDays in" in notes
    assert f"{log}:1: the line is damaged" in notes
    assert "is incomplete" in notes
    assert "brand-new-type-2027 (1)" in notes
