"""Sessions that agents really wrote, imported and referenced; and the field case of references to deleted sessions."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from store.helpers import open_store
from waybook.base.cancel import Progress
from waybook.base.errors import NotFoundError
from waybook.references.budget import plain
from waybook.references.mentions import format_mention
from waybook.references.service import ReferenceService
from waybook.references.stored import StoredSessions
from waybook.sessions.transcripts.readers.model import Places
from waybook.sessions.transcripts.service import ImportService, find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.store.store import Store

FIXTURES = Path(__file__).parents[2] / "fixtures"
HOMES = ("claude", "codex")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    opened = open_store(str(tmp_path / "waybook.db"))
    yield opened
    opened.close()


def _imported(store: Store, home: Path) -> ReferenceService:
    ImportService(store, plain).run(find(Places(str(home))), Progress())
    return ReferenceService(StoredSessions(store))


@pytest.fixture(scope="module", params=HOMES)
def samples(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The recorded homes of one agent, each with what is known to have been said there."""
    folder = tmp_path_factory.mktemp(request.param)
    with tarfile.open(FIXTURES / "transcripts" / f"{request.param}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return sorted(path.parent for path in folder.glob("*/expected.json"))


def _conversation(text: str) -> list[dict[str, str]]:
    body = text.partition("<referenced-sessions>\n")[2].partition("\n</referenced-sessions>")[0]
    [session] = json.loads(body)
    conversation: list[dict[str, str]] = session["conversation"]
    return conversation


def test_recorded_sessions_show_what_was_said_and_nothing_else(samples: list[Path], tmp_path: Path) -> None:
    """By the agent's own id: prompts, answers, summaries, no tool output; a fork shows what it took over as well."""
    compared = 0
    for number, sample in enumerate(samples):
        expected = json.loads((sample / "expected.json").read_text(encoding="utf-8"))
        store = open_store(str(tmp_path / f"{number}.db"))
        service = _imported(store, sample / "home")
        for session in expected["sessions"]:
            prepared = service.prepare(format_mention(session["id"], "it"), "", Progress())
            shown = _conversation(prepared.text)
            assert shown, sample.name
            if not expected["compacted"]:
                prompts = [item["text"] for item in shown if item["role"] == "user"]
                own = prompts[-len(session["prompts"]) :] if session["forked_from"] else prompts
                assert own == session["prompts"], sample.name
            else:
                assert prepared.references[0].compacted
                assert expected["summary"] in shown[0]["text"]
                texts = [item["text"] for item in shown[1:]]
                assert expected["prompts"][0] not in texts
                assert texts[-1] == expected["assistant"][-1]
            compared += 1
        store.close()
    assert compared >= len(samples)


def test_references_to_deleted_sessions(store: Store, tmp_path: Path) -> None:
    """A field case: unknown targets are refused, cycles end, a deleted session gives no text, and lists still work."""
    case = json.loads((FIXTURES / "references" / "deleted.json").read_text(encoding="utf-8"))
    folder = tmp_path / "home/.claude/projects/demo"
    folder.mkdir(parents=True)
    ids: dict[str, str] = {}
    for step in case["steps"]:
        if step["op"] == "session.import":
            text = case["tree"][step["path"]]
            ids[step["id"]] = json.loads(text.splitlines()[0])["sessionId"]
            (folder / f"{ids[step['id']]}.jsonl").write_text(text, encoding="utf-8")
    service = _imported(store, tmp_path / "home")
    mentions: dict[str, tuple[str, str]] = {}
    outcome: dict[str, list[str]] = {"refused": [], "resolves": [], "dangling": []}

    def attempt(target: str, session: str) -> str:
        try:
            return service.prepare(format_mention(target, "it"), session, Progress()).text
        except NotFoundError:
            return ""

    for step in case["steps"]:
        _step(step, ids, mentions, outcome, attempt, store)
    assert {name: outcome[name] for name in outcome} == {name: case["expect"][name] for name in outcome}
    assert [item.id for item in service.candidates("")] == [_id(store, ids["s2"])]


def _step(
    step: dict[str, Any],
    ids: dict[str, str],
    mentions: dict[str, tuple[str, str]],
    outcome: dict[str, list[str]],
    attempt: Any,
    store: Store,
) -> None:
    if step["op"] == "session.ref.create":
        mentions[step["id"]] = (ids.get(step["dst"], step["dst"]), ids[step["src"]])
        if not attempt(*mentions[step["id"]]):
            outcome["refused"].append(step["id"])
    elif step["op"] == "session.ref.resolve":
        outcome["resolves" if attempt(*mentions[step["ref"]]) else "dangling"].append(step["id"])
    elif step["op"] == "session.delete":
        with store.write() as connection:
            seq = "(SELECT seq FROM sessions WHERE native_id = ?)"
            for statement in (
                f"DELETE FROM messages WHERE session_seq = {seq}",
                "DELETE FROM sessions WHERE native_id = ?",
            ):
                connection.exec_driver_sql(statement, (ids[step["ref"]],))


def _id(store: Store, native_id: str) -> str:
    record = StoredSessions(store).find(native_id)
    assert record is not None
    return record.id
