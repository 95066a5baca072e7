"""Full-text search over imported sessions, against ripgrep over the same transcripts as files.

`WAYBOOK_BENCH_MB` is the size of the text (96; 1000 makes 5,000 sessions). Ours is asked within one process, as the
language server does; ripgrep is started anew for each query, as a person does. Both answer with up to 20 places or stop
at 20 a file.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from itertools import accumulate
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from measure import Ratio, compare
from waybook.base.cancel import Progress
from waybook.base.clock import SystemClock
from waybook.base.ids import SystemIds
from waybook.recall.index.repository import Where
from waybook.recall.index.service import SessionIndex
from waybook.sessions.messages.service import MessageService
from waybook.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trees import Made

SESSION_BYTES = 200_000
MESSAGE_BYTES = 2_000
QUERIES = ("the needle in this stack", "mostly said word", "必须保留持续限制", "zzyzx", "word3 word5")


def run(_large: Made, _small: Made) -> list[Ratio]:
    with TemporaryDirectory() as directory:
        return measured(Path(directory), int(os.environ.get("WAYBOOK_BENCH_MB", "96")))


def measured(base: Path, megabytes: int) -> list[Ratio]:
    store = Store.open(str(base / "data" / "x.db"), clock=SystemClock(), ids=SystemIds())
    size = fill(store, base / "files", megabytes * 1_000_000)
    index = SessionIndex(store, str(base / "cache"))
    began = time.perf_counter()
    done = index.update(Progress())
    spent = time.perf_counter() - began
    assert done.complete
    began = time.perf_counter()
    assert index.update(Progress()).added == 0
    again = time.perf_counter() - began
    note = (
        f"{size / 1e6:.0f} MB of text; indexed once with {size / 1e6 / spent:.1f} MB/s into "
        f"{Path(index.path).stat().st_size / 1e6:.0f} MB, looked for news in {again * 1000:.0f} ms"
    )
    found = [_against_scan(store, index, note)]
    ripgrep = shutil.which("rg") or shutil.which("rg", path=str(Path(sys.executable).parent))
    if ripgrep is not None:
        found.insert(0, _against_ripgrep(index, ripgrep, base / "files", note))
    store.close()
    return found


def _against_ripgrep(index: SessionIndex, ripgrep: str, folder: Path, note: str) -> Ratio:
    def theirs() -> float:
        times = []
        for query in QUERIES:
            began = time.perf_counter()
            command = [ripgrep, "--fixed-strings", "--ignore-case", "--max-count", "20", query, str(folder)]
            subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
            times.append(time.perf_counter() - began)
        return median(times)

    return compare("search in sessions, p50", "ripgrep", lambda: _ours(index), theirs, runs=7, reach=1.0, note=note)


def _against_scan(store: Store, index: SessionIndex, note: str) -> Ratio:
    messages = MessageService(store)

    def theirs() -> float:
        times = []
        for query in QUERIES:
            began = time.perf_counter()
            messages.search(query, limit=20)
            times.append(time.perf_counter() - began)
        return median(times)

    return compare("search in sessions, p50", "reading the database", lambda: _ours(index), theirs, runs=5, note=note)


def _ours(index: SessionIndex) -> float:
    times = []
    for query in QUERIES:
        began = time.perf_counter()
        found = index.search(query, Where(), 20)
        times.append(time.perf_counter() - began)
        assert found is not None
        assert bool(found) == (query != "zzyzx"), query
    return median(times)


def fill(store: Store, folder: Path, size: int) -> int:
    """The same conversations into a store and into files, one line a message; answers the bytes of text."""
    folder.mkdir(parents=True)
    pick = random.Random(7)
    words = [f"{pick.choice('bcdfgklmnprstvw')}{pick.randbytes(pick.randrange(1, 4)).hex()}" for _ in range(20_000)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(len(words))))
    written = 0
    for number in range(max(1, size // SESSION_BYTES)):
        texts = list(_talk(pick, words, weights))
        _keep(store, number, texts)
        lines = [json.dumps({"role": "user", "text": text}, ensure_ascii=False) for text in texts]
        (folder / f"{number}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        written += sum(len(text.encode()) for text in texts)
    return written


def _talk(pick: random.Random, words: list[str], weights: list[float]) -> Iterator[str]:
    said = 0
    while said < SESSION_BYTES:
        text = " ".join(pick.choices(words, cum_weights=weights, k=MESSAGE_BYTES // 6))
        chance = pick.random()
        if chance < 0.001:
            text += " the needle in this stack"
        elif chance < 0.002:
            text += " 当前任务必须保留持续限制，直到完成。"
        elif chance < 0.2:
            text += f" mostly said word{pick.randrange(9)} word{pick.randrange(9)}"
        said += len(text.encode())
        yield text


def _keep(store: Store, number: int, texts: list[str]) -> None:
    empty = ("title", "cwd", "branch", "version", "model", "parent", "parent_call", "forked_from", "fork_point")
    names = ("id", "agent", "native_id", "path", "started_at", "updated_at", "imported_at", *empty)
    values = (f"ses_{number}", "codex", str(number), f"/t/{number}", "2026", "2026", "2026", *("" for _ in empty))
    with store.write() as connection:
        made = connection.exec_driver_sql(
            f"INSERT INTO sessions ({', '.join(names)}, title_rank, messages, prompts, calls, inherited) "
            f"VALUES ({', '.join('?' * len(names))}, 0, {len(texts)}, 0, 0, 0)",
            values,
        )
        rows = [(made.lastrowid, str(at), text) for at, text in enumerate(texts)]
        connection.exec_driver_sql(
            "INSERT INTO messages (session_seq, key, parent, role, kind, text, call_id, at, side, hidden, inherited) "
            "VALUES (?, ?, '', 'user', 'prompt', ?, '', '', 0, 0, 0)",
            rows,
        )


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        for item in measured(Path(place), int(os.environ.get("WAYBOOK_BENCH_MB", "96"))):
            print(
                f"{item.name} against {item.against}: {item.ratio:.3f} ({item.ours * 1000:.1f} ms against "
                f"{item.theirs * 1000:.1f} ms); {item.note}"
            )
