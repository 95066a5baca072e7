"""What single readers must get right beyond the recorded scenarios: older forms, forks by reference, packed files, WALs."""

from __future__ import annotations

import json
import shutil
import sqlite3
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions.transcripts.samples import INVENTED, Library, conversation, fingerprint, mask, unpack
from waybook.sessions.messages.service import MessageService
from waybook.sessions.transcripts import reading
from waybook.sessions.transcripts.memory import Shelf
from waybook.sessions.transcripts.model import Source
from waybook.sessions.transcripts.readers.catalog import FORMATS, agents, formats
from waybook.sessions.transcripts.readers.codex import NO_SUMMARY
from waybook.sessions.transcripts.readers.model import Places
from waybook.sessions.transcripts.service import find
from waybook.sessions.transcripts.state import FileState
from waybook.sessions.transcripts.text import fit

PLACES = {"claude": ".claude", "codex": ".codex", "copilot": ".copilot", "gemini": ".gemini"}


def home(base: Path, agent: str) -> Path:
    """A home with the invented files of one agent."""
    target = base / (PLACES.get(agent) or ".local/share/opencode")
    shutil.copytree(INVENTED / agent, target)
    return base


def library(base: Path, agent: str) -> Library:
    """The invented files of an agent, imported."""
    found = Library(base / "store" / "x.db")
    found.bring(home(base / "home", agent))
    return found


def by_id(found: Library, ending: str) -> Any:
    """The one session whose native id ends so."""
    (session,) = [one for one in found.sessions() if one.native_id.endswith(ending)]
    return session


def test_claude_titles_children_and_unknown_records(tmp_path: Path) -> None:
    """The person's own title wins; a subagent hangs on its call; an unknown record is counted; signatures are not kept."""
    found = Library(tmp_path / "store" / "x.db")
    outcome = found.bring(home(tmp_path / "home", "claude"))
    assert [(one.line, one.code) for one in outcome.warnings] == [(15, "torn")]
    session = by_id(found, "000000000001")
    assert (session.title, session.cwd) == ("price-filter", "/home/ana/shop.api")
    (child,) = [one for one in found.sessions() if one.parent]
    assert (child.parent, child.parent_call) == (session.native_id, "toolu_B")
    with found.store.read() as connection:
        unknown = connection.exec_driver_sql("SELECT unknown FROM transcript_files WHERE unknown <> '{}'").all()
    assert [json.loads(row[0]) for row in unknown] == [{"brand-new-type-2027": 1}]
    kept = (tmp_path / "store" / "x.db").read_bytes() + (tmp_path / "store" / "x.db-wal").read_bytes()
    assert b"c2lnbmF0dXJl" not in kept
    assert b"acceptEdits" not in kept


def test_claude_compaction_fork_and_rewind(tmp_path: Path) -> None:
    """A summary is a node of its own; copied messages belong to the parent; what was left is hidden, an orphan stays."""
    found = library(tmp_path, "claude")
    parent, fork = by_id(found, "000000000002"), by_id(found, "000000000003")
    kinds = [message.kind for message in found.messages(parent.id)]
    assert kinds == ["prompt", "answer", "summary", "prompt", "answer"]
    assert parent.title == "Schema migration"
    assert (fork.forked_from, fork.inherited, fork.messages) == (parent.native_id, 2, 3)
    marked = [(m.text[:12], m.inherited, m.hidden, m.gap) for m in found.messages(fork.id)]
    assert marked == [
        ("Never edit f", True, False, False),
        ("Started; gen", True, False, False),
        ("Try it with ", False, True, False),
        ("Alembic draf", False, True, False),
        ("Rewound here", False, False, False),
        ("SQL draft re", False, False, False),
        ("parent never", False, False, True),
    ]


def test_codex_older_forms(tmp_path: Path) -> None:
    """Mirrored texts once, an encrypted summary as a visible note, a roll-back hides, a copied fork is linked."""
    found = library(tmp_path, "codex")
    first, second, third = (by_id(found, f"00000000000{number}") for number in (1, 2, 3))
    talk = [message.text for message in found.messages(first.id) if message.kind in {"prompt", "answer"}]
    assert talk == ["Why is the test red?", "Fixed the fixture."]
    with found.store.read() as connection:
        names = connection.exec_driver_sql("SELECT name, state FROM tool_receipts ORDER BY started_at").all()
    assert [tuple(row) for row in names] == [("exec_command", "ok"), ("apply_patch", "ok")]
    texts = [(message.text, message.hidden) for message in found.messages(second.id)]
    assert texts == [("Big refactor", False), ("Half done", False), (NO_SUMMARY, False), ("Continue", True)]
    assert third.forked_from == first.native_id
    assert next(m.text for m in found.messages(third.id) if not m.inherited) == "Fork: now make it faster"


def rollout(path: Path, thread: str, lines: list[tuple[str, str]], first: int = 0, **meta: Any) -> None:
    """A rollout as Codex 0.171.0 writes it: ordinals, each text as item and as event."""
    path.parent.mkdir(parents=True, exist_ok=True)
    records: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": thread, "cwd": "/srv/demo", "cli_version": "0.171.0", **meta}}
    ]
    for role, text in lines:
        kind, name = ("input_text", "UserMessage") if role == "user" else ("output_text", "AgentMessage")
        block = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        item = {"type": name, "content": [{"type": "text" if role == "user" else "Text", "text": text}]}
        records.append({"type": "response_item", "payload": block})
        records.append({"type": "event_msg", "payload": {"type": "item_completed", "item": item}})
    stamped = [
        {"timestamp": f"2026-11-29T10:00:{number:02}.000Z", "ordinal": first + number, **record}
        for number, record in enumerate(records)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in stamped))


ROOT, FORK, TWIG = (f"01a2299c-7e09-7690-a423-0f9ac5c1c2{number}0" for number in (1, 2, 3))


def forked_home(base: Path) -> Path:
    """A thread, its fork after two turns, and a fork of that."""
    folder = base / ".codex" / "sessions" / "2026" / "11" / "29"
    says = [("user", "one"), ("assistant", "done one"), ("user", "two"), ("assistant", "done two")]
    rollout(folder / f"rollout-2026-11-29T10-00-00-{ROOT}.jsonl", ROOT, says)
    fork = {"forked_from_id": ROOT, "forked_from_ordinal_exclusive": 5}
    rollout(folder / f"rollout-2026-11-29T10-01-00-{FORK}.jsonl", FORK, [("user", "fork")], 5, **fork)
    twig = {"forked_from_id": FORK, "forked_from_ordinal_exclusive": 8}
    rollout(folder / f"rollout-2026-11-29T10-02-00-{TWIG}.jsonl", TWIG, [("user", "twig")], 8, **twig)
    return base


def test_codex_forks_lean_on_their_parents_file(tmp_path: Path) -> None:
    """Nothing is copied: the conversation of a fork begins with its parent's, up to where it left, and counts its own."""
    found = Library(tmp_path / "x.db")
    found.bring(forked_home(tmp_path / "home"))
    service = MessageService(found.store)
    told = {}
    for session in found.sessions():
        talk = service.conversation(session.id)
        told[session.native_id] = [(message.text, message.inherited) for message in talk.messages]
        assert session.inherited == 0
    assert told[FORK] == [("one", True), ("done one", True), ("fork", False)]
    assert told[TWIG] == [("one", True), ("done one", True), ("fork", True), ("twig", False)]
    assert [one.native_id for one in service.conversation(by_id(found, ROOT).id).forks] == [FORK]


def test_codex_packed_rollouts(tmp_path: Path) -> None:
    """A packed rollout is read; a plain one beside it wins; packing what was imported adds nothing."""
    base = forked_home(tmp_path / "home")
    logs = sorted(base.rglob("rollout-*.jsonl"))
    for log in logs[:2]:
        Path(f"{log}.zst").write_bytes(zstd.compress(log.read_bytes()))
    logs[0].unlink()
    found = Library(tmp_path / "x.db")
    assert found.bring(base).files == 3
    assert sorted(session.prompts for session in found.sessions()) == [1, 1, 2]
    logs[1].unlink()
    assert found.bring(base).new_messages == 0
    assert len(found.sessions()) == 3


def test_a_torn_packed_rollout_gives_what_came_before(tmp_path: Path) -> None:
    """The damage is named; what could be unpacked is kept."""
    folder = tmp_path / "home" / ".codex" / "archived_sessions"
    log = folder / f"rollout-2026-11-29T10-00-00-{ROOT}.jsonl"
    rollout(log, ROOT, [("user", f"turn {number} " + "x" * number) for number in range(4000)])
    packed = zstd.compress(log.read_bytes())
    log.unlink()
    Path(f"{log}.zst").write_bytes(packed[: len(packed) // 2])
    found = Library(tmp_path / "x.db")
    outcome = found.bring(tmp_path / "home")
    assert [warning.code for warning in outcome.warnings] == ["unreadable"]
    assert 0 < by_id(found, ROOT).prompts < 4000


@pytest.mark.parametrize("scenario", ["S1-plain", "S6-killed-streaming"])
def test_opencode_is_read_out_of_its_write_ahead_log(tmp_path: Path, scenario: str) -> None:
    """The files as the program left them: everything is in the log beside the database, and stays as it is."""
    expected = unpack(f"opencode/{scenario}", tmp_path / "rig")
    folder = tmp_path / "home" / ".local" / "share" / "opencode"
    shutil.copytree(tmp_path / "rig" / "raw", folder)
    before = fingerprint(tmp_path / "home")
    assert any(name.endswith("-wal") for name in before)
    found = Library(tmp_path / "store" / "x.db")
    found.bring(tmp_path / "home")
    assert fingerprint(tmp_path / "home") == before
    (session,) = found.sessions()
    talk = conversation(found.messages(session.id))
    assert len(talk["prompts"]) == len(expected["prompts"])
    assert talk["assistant"] == expected["assistant"]
    copy = folder / "opencode.db"
    assert sqlite3.connect(f"file:{copy}?mode=ro&immutable=1", uri=True).execute("PRAGMA page_count").fetchone()


def test_opencode_says_what_its_database_lacks(tmp_path: Path) -> None:
    """Another schema is named; a file that is no database is named; neither stops the import."""
    folder = tmp_path / "home" / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "opencode.db") as connection:
        connection.executescript("CREATE TABLE session(id TEXT); CREATE TABLE message(id TEXT, session_id TEXT)")
    (folder / "opencode-dev.db").write_bytes(b"no database at all" * 100)
    outcome = Library(tmp_path / "x.db").bring(tmp_path / "home")
    assert sorted((warning.code, "lacks data" in warning.message) for warning in outcome.warnings) == [
        ("schema", True),
        ("unreadable", False),
    ]


def test_opencode_reads_only_sessions_that_changed(tmp_path: Path) -> None:
    """A message that was added later comes in; what was there stays as it is."""
    unpack("opencode/S3-fork", tmp_path / "rig")
    base = tmp_path / "rig" / "home"
    (database,) = base.rglob("opencode.db")
    found = Library(tmp_path / "x.db")
    found.bring(base)
    with sqlite3.connect(database) as connection:
        ((session, last),) = connection.execute("SELECT session_id, MAX(time_created) FROM message").fetchall()
        data = json.dumps({"role": "user", "time": {"created": last + 5}})
        connection.execute("INSERT INTO message VALUES ('msg_zz', ?, ?, ?, ?)", (session, last + 5, last + 5, data))
        part = json.dumps({"type": "text", "text": "added later"})
        row = ("prt_zz", "msg_zz", session, last + 5, last + 5, part)
        connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
    assert found.bring(base).new_messages == 1
    assert any(message.text == "added later" for message in found.messages(session))


def test_gemini_old_and_patched(tmp_path: Path) -> None:
    """A later line of the same id takes its place, a rewind hides, an old document is read."""
    found = library(tmp_path, "gemini")
    patched, old = by_id(found, "9a8b7c6d-0000-4000-8000-000000000001"), by_id(found, "000000000002")
    shown = [(message.text, message.hidden) for message in found.messages(patched.id) if message.kind != "call"]
    assert shown == [("List the routes", False), ("Two routes.", False), ("wrong turn", True)]
    assert (patched.title, patched.cwd) == ("Routes listed", "/home/ana/shop.api")
    assert old.prompts == 1


def test_copilot_and_opencode_invented(tmp_path: Path) -> None:
    """Calls with their results, a compaction as a node, subagents apart."""
    copilot = library(tmp_path / "copilot", "copilot")
    (session,) = copilot.sessions()
    kinds = [message.kind for message in copilot.messages(session.id)]
    assert kinds[:3] == ["prompt", "call", "summary"]
    opencode = library(tmp_path / "opencode", "opencode")
    assert {one.native_id: one.parent for one in opencode.sessions()} == {"ses_01": "", "ses_02": "ses_01"}


def test_secrets_at_the_edge_of_what_is_kept(tmp_path: Path) -> None:
    """An output that is shortened is not cut through a secret; names, arguments and titles are masked as well."""
    token = "ghp" + "_" + "A1b2C3d4E5f6G7h8J9k0L1m2N3p4Q5r6S7t8"
    log = tmp_path / "home" / ".claude" / "projects" / "p" / "s.jsonl"
    log.parent.mkdir(parents=True)
    shared = {"sessionId": "s", "cwd": "/srv", "timestamp": "2026-01-05T10:00:00.000Z"}
    filler = f"line of words {token}\n"
    records = [
        {"type": "user", "uuid": "a", "message": {"role": "user", "content": f"use {token} now"}},
        {
            "type": "assistant",
            "uuid": "b",
            "parentUuid": "a",
            "message": {"content": [{"type": "tool_use", "id": "c", "name": "Bash", "input": {"k": token}}]},
        },
        *(
            {
                "type": "user",
                "uuid": f"r{shift}",
                "message": {
                    "content": [
                        {"type": "tool_result", "tool_use_id": f"o{shift}", "content": "x" * shift + filler * 3000}
                    ]
                },
            }
            for shift in range(0, 60, 7)
        ),
        {"type": "custom-title", "customTitle": f"title {token}"},
    ]
    log.write_text("".join(json.dumps({**shared, **record}) + "\n" for record in records))
    found = Library(tmp_path / "store" / "x.db")
    found.bring(tmp_path / "home")
    kept = b"".join(path.read_bytes() for path in (tmp_path / "store").iterdir())
    assert token.encode() not in kept
    assert token[8:30].encode() not in kept
    assert by_id(found, "s").title.startswith("title [redacted")


def test_a_key_that_is_cut_leaves_nothing(tmp_path: Path) -> None:
    """A private key across the place where an output is shortened is gone on both sides."""
    rows = [f"{number:03}" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJz" for number in range(150)]
    key = "-----BEGIN " + "PRIVATE KEY-----\n" + "\n".join(rows) + "\n-----END " + "PRIVATE KEY-----"
    text = "first\n" + "word " * 1000 + key + "\nlast"
    for limit in (7000, 8000, 12_000):
        kept = fit(text, limit, mask)
        assert kept.startswith("first")
        assert kept.endswith("last")
        assert "QUJDREVG" not in kept


def test_words_that_nobody_typed(tmp_path: Path) -> None:
    """What Claude Code puts on a user's record by itself is a notice, or nothing; the person's words stay a prompt."""
    log = tmp_path / "home" / ".claude" / "projects" / "p" / "s.jsonl"
    log.parent.mkdir(parents=True)
    contents: list[Any] = [
        "[Request interrupted by user]",
        [{"type": "text", "text": "<system-reminder>be brief</system-reminder>"}, {"type": "text", "text": "Do it."}],
        [{"type": "text", "text": "<system-reminder>only this</system-reminder>"}],
        "<task-notification>done</task-notification>",
        [{"type": "image", "source": {}}, {"type": "text", "text": "What is this?"}],
    ]
    shared = {"type": "user", "sessionId": "s", "cwd": "/srv", "timestamp": "2026-01-05T10:00:00.000Z"}
    rows = [
        {**shared, "uuid": f"u{number}", "message": {"role": "user", "content": content}}
        for number, content in enumerate(contents)
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = Library(tmp_path / "x.db")
    found.bring(tmp_path / "home")
    assert [(message.kind, message.text) for message in found.messages("s")] == [
        ("notice", "[Request interrupted by user]"),
        ("prompt", "Do it."),
        ("notice", "<task-notification>done</task-notification>"),
        ("prompt", "[image]\nWhat is this?"),
    ]


def test_results_without_a_call_are_not_lost(tmp_path: Path) -> None:
    """Several in one record, beside words: each is a node of its own."""
    log = tmp_path / "home" / ".claude" / "projects" / "p" / "s.jsonl"
    log.parent.mkdir(parents=True)
    content = [
        {"type": "tool_result", "tool_use_id": "a", "content": "first"},
        {"type": "tool_result", "tool_use_id": "b", "content": "second", "is_error": True},
        {"type": "text", "text": "and words"},
    ]
    row = {"type": "user", "uuid": "u", "sessionId": "s", "timestamp": "2026-01-05T10:00:00.000Z"}
    log.write_text(json.dumps({**row, "message": {"role": "user", "content": content}}) + "\n")
    found = Library(tmp_path / "x.db")
    assert found.bring(tmp_path / "home").new_messages == 3
    nodes = [
        (message.kind, message.receipt.output if message.receipt else message.text) for message in found.messages("s")
    ]
    assert nodes == [("result", "first"), ("result", "second"), ("prompt", "and words")]


def test_ids_that_no_database_takes(tmp_path: Path) -> None:
    """Lone surrogates and NUL anywhere in a record are replaced, and the rest is kept."""
    log = tmp_path / "home" / ".claude" / "projects" / "p" / "s.jsonl"
    log.parent.mkdir(parents=True)
    bad = "x\ud800\0y"
    block = {"type": "tool_use", "id": bad, "name": bad, "input": {bad: bad}}
    shared = {"sessionId": bad, "cwd": bad, "gitBranch": bad, "version": bad, "timestamp": bad, "parentUuid": bad}
    rows = [
        {**shared, "type": "user", "uuid": bad, "message": {"content": f"words {bad}"}},
        {**shared, "type": "assistant", "uuid": "b", "message": {"content": [block], "model": bad}},
        {**shared, "type": "custom-title", "customTitle": bad},
        {**shared, "type": bad},
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = Library(tmp_path / "x.db")
    assert found.bring(tmp_path / "home").warnings == []
    (session,) = found.sessions()
    assert session.native_id == "x\ufffd\ufffdy"
    assert [message.kind for message in found.messages(session.id)] == ["prompt", "call"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def records(agent: str) -> list[dict[str, Any]]:
    """Real records of an agent's log."""
    if agent not in PLACES:
        return []
    found = []
    for path in sorted((INVENTED / agent).rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return found


SHAPES = [record for agent in sorted(PLACES) for record in records(agent)]


def spoil(value: Any, path: list[int], junk: Any) -> Any:
    """A record with something else in one of its places."""
    if not path or not isinstance(value, dict | list) or not value:
        return junk
    keys = sorted(value) if isinstance(value, dict) else range(len(value))
    key = list(keys)[path[0] % len(keys)]
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = spoil(value[key], path[1:], junk)
    return copy


@settings(max_examples=300, deadline=None)
@given(record=st.sampled_from(SHAPES), path=st.lists(st.integers(0, 20), min_size=1, max_size=5), junk=JSON)
def test_no_record_ends_a_file(record: dict[str, Any], path: list[int], junk: Any) -> None:
    """Whatever a record holds, every reader goes on to the next one; at most the record counts as damage."""
    spoiled = spoil(record, path, junk)
    for form in FORMATS:
        if form.log is None or not isinstance(spoiled, dict):
            continue
        gather = reading._Gather(FileState("x", form.agent), mask, light=True)
        feed = form.log(Source(form.agent, "/nowhere/x.jsonl", session="s"), {})
        gather.take(feed.feed(spoiled, 1), 1)
        gather.take(feed.feed(record, 2), 2)
        json.dumps(feed.state())


@settings(max_examples=60, deadline=None)
@given(
    scenario=st.sampled_from(["cline/S5-subagent", "vibe/S2-tools", "vibe/S6b-killed-in-tool"]),
    pick=st.integers(0, 40),
    path=st.lists(st.integers(0, 20), max_size=6),
    junk=JSON,
)
def test_no_document_ends_an_import(scenario: str, pick: int, path: list[int], junk: Any) -> None:
    """A document with anything in any place: what it says is read as far as it goes, and nothing is raised."""
    with TemporaryDirectory() as folder:
        unpack(scenario, Path(folder))
        documents = sorted((Path(folder) / "home").rglob("*.json"))
        one = documents[pick % len(documents)]
        one.write_text(json.dumps(spoil(json.loads(one.read_text()), path, junk)))
        shelf = Shelf(mask)
        for form, source in find(Places(str(Path(folder) / "home"))):
            shelf.read(form, source)
        shelf.sessions()


@settings(max_examples=60, deadline=None)
@given(pick=st.integers(0, 40), path=st.lists(st.integers(0, 20), max_size=6), junk=JSON)
def test_no_row_ends_an_import(pick: int, path: list[int], junk: Any) -> None:
    """A message or part of opencode with anything in any place."""
    with TemporaryDirectory() as folder:
        base = Path(folder) / ".local" / "share" / "opencode"
        base.mkdir(parents=True)
        (base / "opencode.db").write_bytes(opencode_database())
        with sqlite3.connect(base / "opencode.db") as connection:
            table = "part" if pick % 2 else "message"
            rows = connection.execute(f"SELECT id, data FROM {table} ORDER BY id").fetchall()
            key, data = rows[pick % len(rows)]
            spoiled = json.dumps(spoil(json.loads(data), path, junk))
            connection.execute(f"UPDATE {table} SET data = ? WHERE id = ?", (spoiled, key))
        connection.close()
        shelf = Shelf(mask)
        for form, source in find(Places(folder)):
            shelf.read(form, source)
        assert len(shelf.sessions()) == 2


@cache
def opencode_database() -> bytes:
    """A recorded database with a session and its subagent."""
    with TemporaryDirectory() as folder:
        unpack("opencode/S5-subagent", Path(folder))
        (path,) = Path(folder).rglob("opencode.db")
        return path.read_bytes()


def test_agents_are_those_of_the_catalogue() -> None:
    """Nine agents; an unknown one is refused with the list."""
    assert len(agents()) == 9
    with pytest.raises(Exception, match="cannot read sessions of 'nobody'"):
        formats("nobody")
