"""Importing again, in parts, at once, killed or cancelled: always the same sessions in the end."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions.transcripts.samples import INVENTED, Library, mask, scenarios, unpack
from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError
from waybook.sessions.transcripts import reading
from waybook.sessions.transcripts.readers.model import Places
from waybook.sessions.transcripts.service import ImportService, find
from waybook.workspace import transcript_files

TESTS = Path(__file__).parents[2]
IMPORT = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from sessions.transcripts.samples import Library
print(Library(Path(sys.argv[2])).bring(sys.argv[3]).new_messages)
peak = Path("/proc/self/status")  # getrusage would tell the peak of the process this one was started from
print(int(peak.read_text().split("VmHWM:")[1].split()[0]) // 1024 if peak.exists() else 0)
"""


@cache
def empty_store() -> bytes:
    """A database that was made once; each example starts from a copy."""
    with TemporaryDirectory() as folder:
        library = Library(Path(folder) / "x.db")
        library.store.close()
        return (Path(folder) / "x.db").read_bytes()


def fresh(folder: Path, name: str) -> Library:
    """An empty library, quickly."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.db"
    path.write_bytes(empty_store())
    path.chmod(0o600)
    return Library(path)


def talk(path: Path, turns: int, size: int = 2000) -> None:
    """A Claude Code session with tool calls, of about `turns` times three times `size` bytes."""
    session = "aaaaaaaa-0000-4000-8000-000000000001"
    path.parent.mkdir(parents=True, exist_ok=True)
    words = ["kite", "shed", "tail", "red", "blue", "wind", "string", "line", "notes", "count", "check", "test"]
    pick = random.Random(7)
    parent = None
    with path.open("w", encoding="utf-8") as file:
        for turn in range(turns):
            text = " ".join(pick.choices(words, k=size // 5))
            blocks: list[tuple[str, Any]] = [
                ("user", f"{turn} {text}"),
                ("assistant", [{"type": "text", "text": text}]),
                ("assistant", [{"type": "tool_use", "id": f"call{turn}", "name": "Bash", "input": {"command": "ls"}}]),
                ("user", [{"type": "tool_result", "tool_use_id": f"call{turn}", "content": text}]),
            ]
            for number, (role, content) in enumerate(blocks):
                record = {
                    "type": role, "uuid": f"u{turn}-{number}", "parentUuid": parent, "sessionId": session,
                    "cwd": "/srv/demo", "isSidechain": False, "version": "2.1.300",
                    "timestamp": f"2026-01-05T{turn // 3600 % 24:02}:{turn // 60 % 60:02}:{turn % 60:02}.000Z",
                    "message": {"role": role, "content": content},
                }  # fmt: skip
                file.write(json.dumps(record) + "\n")
                parent = f"u{turn}-{number}"


def home_with(base: Path, turns: int, size: int = 2000) -> Path:
    """A home with one long session."""
    talk(base / ".claude" / "projects" / "p" / "aaaaaaaa-0000-4000-8000-000000000001.jsonl", turns, size)
    return base


LOGS = [name for name in scenarios() if name.partition("/")[0] not in {"cline", "opencode", "vibe"}]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenario=st.sampled_from(LOGS), cuts=st.lists(st.floats(0, 1), min_size=1, max_size=3), pick=st.integers(0, 9))
def test_parts_give_the_whole(scenario: str, cuts: list[float], pick: int) -> None:
    """Reading the beginning of a log, then more, then all, keeps the same as reading it at once."""
    with TemporaryDirectory() as folder:
        base = Path(folder)
        unpack(scenario, base / "whole")
        shutil.copytree(base / "whole", base / "parts")
        logs = sorted(path for path in (base / "parts" / "home").rglob("*.jsonl") if path.stat().st_size > 1000)
        log = logs[pick % len(logs)]
        data = log.read_bytes()
        parts = fresh(base, "parts")
        for cut in sorted(cuts):
            log.write_bytes(data[: int(cut * len(data))])
            parts.bring(base / "parts" / "home")
        log.write_bytes(data)
        outcome = parts.bring(base / "parts" / "home")
        assert outcome.warnings == []
        whole = fresh(base, "whole")
        whole.bring(base / "whole" / "home")
        found, wanted = parts.rows(), whole.rows()
        found["messages"].sort(), wanted["messages"].sort()
        assert found == wanted
        parts.store.close(), whole.store.close()


def test_imports_at_once_never_double(tmp_path: Path) -> None:
    """Threads and processes that import the same home at the same time give what one gives."""
    home = home_with(tmp_path / "home", 800, 6000)
    unpack("claude/S3-fork", tmp_path / "rig")
    shutil.copytree(tmp_path / "rig" / "home", home, dirs_exist_ok=True)
    alone = fresh(tmp_path, "alone")
    expected = alone.bring(home).new_messages
    together = fresh(tmp_path, "together")
    command = [sys.executable, "-c", IMPORT, str(TESTS), str(tmp_path / "together.db"), str(home)]
    others = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    with ThreadPoolExecutor(3) as pool:
        counts = list(pool.map(lambda _: together.bring(home).new_messages, range(3)))
    counts += [int(other.communicate(timeout=60)[0].split()[0]) for other in others]
    assert sum(counts) == expected
    assert together.rows() == alone.rows()


def test_a_killed_import_is_finished_by_the_next(tmp_path: Path) -> None:
    """Killed at any moment, the store is whole; the next import goes on from there and ends where one ends."""
    home = home_with(tmp_path / "home", 3000, 4000)
    alone = fresh(tmp_path, "alone")
    alone.bring(home)
    killed = fresh(tmp_path, "killed")
    command = [sys.executable, "-c", IMPORT, str(TESTS), str(tmp_path / "killed.db"), str(home)]
    seen = set()
    for wait in (0.0, 0.1, 0.25, 0.5):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        before = count(killed)
        while count(killed) == before and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen.add(count(killed))
    assert len(seen) > 1, "killed in the middle"
    killed.bring(home)
    assert killed.rows() == alone.rows()


def count(library: Library) -> int:
    with library.store.read() as connection:
        return int(connection.exec_driver_sql("SELECT COUNT(*) FROM messages").scalar_one())


def test_a_cancelled_import_keeps_what_it_has(tmp_path: Path) -> None:
    """It stops at the next batch; the next import does the rest."""
    home = home_with(tmp_path / "home", 2000, 4000)
    library = fresh(tmp_path, "x")
    progress = Progress()
    steps = 0

    def report(_what: str, _done: int, _total: int) -> None:
        nonlocal steps
        steps += 1
        if steps == 4:
            progress.cancel()

    progress.report = report
    with pytest.raises(CancelledError):
        ImportService(library.store, mask).run(find(Places(str(home))), progress)
    assert 0 < count(library) < 6000
    library.bring(home)
    assert count(library) == 6000


def test_a_replaced_file_is_noticed(tmp_path: Path) -> None:
    """Another text under the same name is read anew; what it said before stays."""
    home = home_with(tmp_path / "home", 20)
    (log,) = home.rglob("*.jsonl")
    library = fresh(tmp_path, "x")
    library.bring(home)
    other = log.read_text().replace('"uuid": "u', '"uuid": "v').replace('"parentUuid": "u', '"parentUuid": "v')
    log.write_text(other)
    outcome = library.bring(home)
    assert outcome.replaced == [str(log)]
    assert outcome.new_messages == 40
    log.write_text(other[: len(other) // 2])
    assert library.bring(home).replaced == [str(log)]
    assert count(library) == 120


def everything(base: Path) -> Path:
    """A home with what every agent left, invented files with rewinds and roll-backs among it."""
    for scenario in scenarios():
        if not scenario.startswith("opencode") or "S3" in scenario:
            unpack(scenario, base / scenario)
            shutil.copytree(base / scenario / "home", base / "home", dirs_exist_ok=True)
    for agent in ("claude", "codex", "copilot", "gemini"):
        shutil.copytree(INVENTED / agent, base / "home" / f".{agent}", dirs_exist_ok=True)
    return base / "home"


def test_reading_everything_anew_changes_nothing(tmp_path: Path) -> None:
    """Files that were touched or copied elsewhere are read from their beginning; what was hidden hides no more than before."""
    home = everything(tmp_path)
    library = fresh(tmp_path, "x")
    library.bring(home)
    before = library.rows()
    assert len(before["sessions"]) > 60
    for path in home.rglob("*"):
        os.utime(path, (2_000_000_000, 2_000_000_000))
    assert library.bring(home).new_messages == 0
    assert library.rows() == before
    shutil.copytree(home, tmp_path / "copy")
    assert library.bring(tmp_path / "copy").new_messages == 0
    assert library.rows() == before


def test_a_huge_line_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a warning that names it; the lines around it are read."""
    home = home_with(tmp_path / "home", 3)
    (log,) = home.rglob("*.jsonl")
    first, _, rest = log.read_text().partition("\n")
    huge = json.dumps({"type": "user", "uuid": "huge", "timestamp": "", "message": {"content": "x" * 100_000}})
    log.write_text(f"{first}\n{huge}\n{rest}")
    plain = transcript_files.lines
    monkeypatch.setattr(transcript_files, "lines", lambda *given: plain(*given, limit=50_000))
    library = fresh(tmp_path, "x")
    outcome = library.bring(home)
    assert [(warning.line, warning.code) for warning in outcome.warnings] == [(2, "too-long")]
    assert outcome.new_messages == 6


def test_a_hundred_megabytes_in_bounded_memory(tmp_path: Path) -> None:
    """A transcript of 100 MB is imported within 150 MB of resident memory."""
    home = home_with(tmp_path / "home", 4400, 8000)
    (log,) = home.rglob("*.jsonl")
    assert log.stat().st_size > 100_000_000
    command = [sys.executable, "-c", IMPORT, str(TESTS), str(tmp_path / "x.db"), str(home)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    messages, megabytes = map(int, done.stdout.split())
    assert messages == 8800
    assert megabytes <= 150


def test_what_cannot_be_read_is_named_and_the_rest_read(tmp_path: Path) -> None:
    """A pipe, a folder under a log's name, a file without permission, a circle of links: none stops an import."""
    home = home_with(tmp_path / "home", 3)
    project = home / ".claude" / "projects" / "q"
    project.mkdir()
    os.mkfifo(project / "pipe.jsonl")
    (project / "folder.jsonl").mkdir()
    (project / "loop").symlink_to(project)
    (project / "nothing.jsonl").symlink_to(project / "gone")
    secret = project / "closed.jsonl"
    secret.write_text("{}\n")
    secret.chmod(0)
    library = fresh(tmp_path, "x")
    outcome = library.bring(home)
    assert outcome.new_messages == 6
    named = [warning.path for warning in outcome.warnings]
    assert all("closed" in name for name in named)
    assert named or os.geteuid() == 0


def test_a_batch_is_what_memory_and_one_transaction_hold(tmp_path: Path) -> None:
    """Readers wait between batches only, so that other programs get the database in between."""
    home = home_with(tmp_path / "home", 2000, 4000)
    ((form, source),) = find(Places(str(home)))
    start = reading.plan(source, form, None, reading.FileState(source.path, source.agent)).start
    sizes = [sum(map(reading._weight, batch.facts)) for batch in reading.batches(source, form, start, mask)]
    assert len(sizes) > 3
    assert max(sizes) < 3 * reading.BATCH_BYTES
    assert threading.active_count() >= 1
