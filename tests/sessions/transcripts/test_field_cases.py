"""The field cases about transcripts: `fixtures/transcripts/cases/*.json`, each with what it must give."""

from __future__ import annotations

import json
import shutil
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from sessions.transcripts.samples import FOLDER, Library, fingerprint, mask
from waybook.base.cancel import Progress
from waybook.sessions.messages import repository
from waybook.sessions.transcripts.desk import SessionDesk
from waybook.sessions.transcripts.memory import Shelf
from waybook.sessions.transcripts.readers import claude_code, codex
from waybook.sessions.transcripts.readers.model import Places
from waybook.sessions.transcripts.service import ImportService, Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from waybook.sessions.messages.model import Message
    from waybook.sessions.transcripts.model import Source
    from waybook.sessions.transcripts.readers.model import Format


def case(name: str, base: Path) -> dict[str, Any]:
    """A case, its files laid out below `base`."""
    found: dict[str, Any] = json.loads((FOLDER / "cases" / f"{name}.json").read_text(encoding="utf-8"))
    for path, value in found["tree"].items():
        place = base / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, str):
            place.write_text(value, encoding="utf-8", newline="")
        else:
            generate(place, value)
    return found


def generate(place: Path, wanted: dict[str, Any]) -> None:
    """A transcript with few messages, many records without words, and one enormous result."""
    shared = {
        "sessionId": "c0000000-0000-4000-8000-000000000057", "cwd": "/srv/demo", "isSidechain": False,
        "version": "2.1.200", "timestamp": "2026-01-05T10:00:00.000Z",
    }  # fmt: skip
    parent = None
    with place.open("w", encoding="utf-8") as file:
        for number in range(wanted["messages"]):
            role, content = "user" if number % 2 == 0 else "assistant", f"text {number}"
            if number == wanted["messages"] // 2:
                block = {"type": "tool_result", "tool_use_id": "k", "content": "z" * wanted["one_tool_result_bytes"]}
                role, content = "user", [block]
            own = {"type": role, "uuid": f"m{number}", "parentUuid": parent, **shared}
            file.write(json.dumps({**own, "message": {"role": role, "content": content}}) + "\n")
            parent = f"m{number}"
            progress = {"type": "progress", "parentUuid": parent, **shared, "data": {"note": "x" * 300}}
            for place_number in range(wanted["progress_lines"] // wanted["messages"]):
                file.write(json.dumps({**progress, "uuid": f"p{number}-{place_number}"}) + "\n")


def source(path: Path) -> tuple[Format, Source]:
    """A file as its reader takes it, wherever it lies."""
    form = codex.FORMAT if path.name in {"old.jsonl", "new.jsonl", "only.jsonl"} or "child" in path.name else None
    if form or path.name == "parent.jsonl":
        return codex.FORMAT, codex.Source(codex.AGENT, str(path))
    return claude_code.FORMAT, claude_code.source(str(path), f"p/{path.name}")


def bring(library: Library, *paths: Path) -> Outcome:
    """Import files."""
    return ImportService(library.store, mask).run([source(path) for path in paths], Progress())


def visible(messages: tuple[Message, ...]) -> list[Message]:
    """The messages of the main line."""
    return [message for message in messages if message.kind in {"prompt", "answer"} and not message.side]


def test_c44_a_damaged_line_hides_nothing(tmp_path: Path) -> None:
    """What is whole is read, each damaged line is named, the file stays as it was."""
    expect = case("C44", tmp_path / "ws")["expect"]
    before = fingerprint(tmp_path / "ws")
    library = Library(tmp_path / "x.db")
    outcome = bring(library, tmp_path / "ws" / "t.jsonl")
    assert [warning.line for warning in outcome.warnings] == expect["warnings_lines"]
    assert all(warning.path.endswith("t.jsonl") for warning in outcome.warnings)
    (session,) = library.sessions()
    keys = [message.key for message in library.messages(session.id)]
    assert [key for key in keys if key not in expect["optional"]] == expect["messages_at_least"]
    assert keys == ["u1", "a1", "u2", "a2", "u3"], "the record behind the torn one is read, too"
    assert fingerprint(tmp_path / "ws") == before


def test_c46_every_message_shows_whatever_its_parent(tmp_path: Path) -> None:
    """Order, gaps and side branches as expected."""
    expect = case("C46", tmp_path)["expect"]
    library = Library(tmp_path / "x.db")
    bring(library, tmp_path / "t.jsonl")
    (session,) = library.sessions()
    messages = library.messages(session.id)
    assert [message.key for message in visible(messages)] == expect["messages"]
    assert [message.key for message in messages if message.gap] == expect["gap_before"]
    side = {message.key: message.parent for message in messages if message.side}
    assert side == {"s1": "u2", "s2": "s1"}


def test_c47_each_message_of_a_rollout_counts_once(tmp_path: Path) -> None:
    """In every generation of the format; nothing of the environment is taken for a person's words."""
    expect = case("C47", tmp_path)["expect"]
    for name, roles in expect["roles"].items():
        library = Library(tmp_path / f"{name}.db")
        bring(library, tmp_path / f"{name}.jsonl")
        (session,) = library.sessions()
        messages = library.messages(session.id)
        assert [message.role for message in visible(messages)] == roles
        assert session.calls == expect["tool_calls"].get(name, 0)
        said = "\n".join(message.text for message in messages)
        assert not any(word in said for word in expect["must_not_contain"])
        with library.store.read() as connection:
            unknown = connection.exec_driver_sql("SELECT unknown FROM transcript_files").scalar_one()
        assert json.loads(unknown) == ({"some_future_type": 1} if name == "new" else {})


def test_c48_reading_again_adds_what_is_new(tmp_path: Path) -> None:
    """Appended, copied, and read by five at once."""
    found = case("C48", tmp_path)
    expect = found["expect"]
    (addition,) = [step["content"] for step in found["steps"] if step["op"] == "fs.append"]
    library = Library(tmp_path / "x.db")
    main, copy, child = tmp_path / "p" / "t.jsonl", tmp_path / "q" / "t.jsonl", tmp_path / "p/t/subagents/agent-1.jsonl"
    new = {"i1": bring(library, main).new_messages, "i2": bring(library, main).new_messages}
    with main.open("a") as file:
        file.write(addition)
    new["i3"] = bring(library, main).new_messages
    copy.parent.mkdir()
    shutil.copy(main, copy)
    new["i4"] = bring(library, copy).new_messages
    new["i5"] = bring(library, child).new_messages
    assert new == expect["new_messages"]
    race: list[int] = []
    threads = [threading.Thread(target=lambda: race.append(bring(library, main).new_messages)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert race == [0] * 5
    sessions = library.sessions()
    assert [session.messages for session in sessions if not session.parent] == [expect["main_messages"]]
    assert [session.messages for session in sessions if session.parent] == [2]


def test_c49_the_project_is_where_the_agent_worked(tmp_path: Path) -> None:
    """Folders whose names were cut to the same letters hold sessions of different projects."""
    expect = case("C49", tmp_path / ".claude")["expect"]
    library = Library(tmp_path / "x.db")
    library.bring(tmp_path)
    assert len({session.cwd for session in library.sessions()}) == expect["projects"]
    for project in ("/srv/data-hub/api", "/srv/data/hub-api", "/srv/開発/app"):
        assert len(library.sessions(cwd=project)) == 1


@pytest.mark.parametrize("order", [("child.jsonl", "parent.jsonl"), ("parent.jsonl", "child.jsonl")])
def test_c56_what_a_fork_took_over_belongs_to_its_parent(tmp_path: Path, order: tuple[str, str]) -> None:
    """Whichever is imported first; without the parent the fork is whole."""
    expect = case("C56", tmp_path)["expect"]
    library = Library(tmp_path / "x.db")
    for name in order:
        bring(library, tmp_path / name)
    own = {session.native_id[-1]: session.messages for session in library.sessions()}
    assert own == {"a": expect["own_messages"]["p"], "b": expect["own_messages"]["k"]}
    orphan = Library(tmp_path / "y.db")
    bring(orphan, tmp_path / "lost" / "child.jsonl")
    (session,) = orphan.sessions()
    assert session.messages == expect["orphan"]["messages"]
    assert session.forked_from == expect["orphan"]["parent_missing"]
    assert session.parent_missing


def test_c57_a_huge_file_with_few_messages(tmp_path: Path) -> None:
    """Listed without being read, imported in time; the enormous result is shortened with a visible note."""
    found = case("C57", tmp_path / ".claude" / "projects" / "p")
    library = Library(tmp_path / "x.db")
    desk = SessionDesk(library.store, None, Places(str(tmp_path)), mask)  # type: ignore[arg-type]  # not asked
    began = time.perf_counter()
    shelf = desk._shelf(desk._fresh("")[0], Progress())
    assert time.perf_counter() - began < found["steps"][0]["timeout_ms"] / 1000
    assert [(one.messages, one.title) for one in shelf.sessions()] == [(None, "text 0")]
    began = time.perf_counter()
    library.bring(tmp_path)
    assert time.perf_counter() - began < found["steps"][1]["timeout_ms"] / 1000
    (session,) = library.sessions()
    assert session.messages == found["expect"]["count"]["m"]
    (result,) = [message for message in library.messages(session.id) if message.kind == "result"]
    assert result.receipt
    assert len(result.receipt.output) < 70_000
    assert "characters are not kept here" in result.receipt.output


def test_memory_and_store_agree(tmp_path: Path) -> None:
    """A session that is only looked at is shown as it would be after an import."""
    for name in ("C44", "C46", "C47", "C56"):
        case(name, tmp_path / name)
    paths = [path for path in sorted(tmp_path.rglob("*.jsonl")) if "lost" not in path.parts]
    library, shelf = Library(tmp_path / "x.db"), Shelf(mask)
    bring(library, *paths)
    for form, one in map(source, paths):
        shelf.read(form, one)
    for session in library.sessions():
        shown = shelf.messages(session.agent, session.native_id)
        with library.store.read() as connection:
            ((seq, _),) = repository.find(connection, session.id)
            kept = list(repository.read(connection, seq))
        assert [(m.key, m.kind, m.text, m.hidden, m.inherited, m.receipt) for m in shown] == [
            (m.key, m.kind, m.text, m.hidden, m.inherited, m.receipt) for m in kept
        ]
