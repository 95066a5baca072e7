"""1,000 checkpoints of a session that grows to 1,000 messages, against LangGraph's SQLite checkpointer, in turns.

Both keep what a fork needs. LangGraph keeps the whole state each time; Waybook keeps what is bounded and shares what two
checkpoints have in common, but redacts, references memories, fingerprints, and looks at settings and (told apart) Git.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure import Ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from trees import Made

ROUNDS = 1000
PEER = "LangGraph SqliteSaver"
_WORDS = (
    "The parser keeps one token of look-ahead, so the error can name both what was expected and what was found. "
    "Tests cover the empty file, a file without a final newline, and one that ends inside a string literal. "
)


def run(_tree: Made, _small: Made) -> list[Ratio]:
    """Medians of the seconds of each call, sizes of all files in MiB, and how long whole reads take."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        ours, theirs = _Ours(base / "ours", git=False), _Theirs(base / "theirs")
        say, put, peer_put = [], [], []
        for number in range(ROUNDS):
            text = f"Message {number}. " + _WORDS * (1 + number % 3)
            say.append(_timed(lambda text=text: ours.say(text)))
            if number % 2:
                put.append(_timed(ours.put))
                peer_put.append(_timed(lambda text=text: theirs.put(text)))
            else:
                peer_put.append(_timed(lambda text=text: theirs.put(text)))
                put.append(_timed(ours.put))
        both = [one + other for one, other in zip(say, put, strict=True)]
        tree, history = _median(ours.tree, 9), _median(theirs.history, 3)
        latest, peer_latest = _median(ours.latest, 99), _median(theirs.latest, 99)
        sizes = ours.size() / 2**20, theirs.size() / 2**20
        with_git = _Ours(base / "git", git=True)
        for number in range(20):
            with_git.say(f"Message {number}. {_WORDS}")
        git = _median(with_git.put, 50)
    note = f"{ROUNDS:,} checkpoints of a session that grows to {ROUNDS:,} messages of {len(_WORDS):,} to {3 * len(_WORDS):,} bytes"
    return [
        _ratio("put of a checkpoint", put, peer_put, reach=1.5, note=f"p50; {note}"),
        _ratio("a message and a checkpoint", both, peer_put, note=f"p50; {note}"),
        _plain(
            "size of all checkpoints", *sizes, unit="MiB", reach=0.05, note=f"messages included on both sides; {note}"
        ),
        _plain("tree of 1,000 nodes", tree, history, note="LangGraph: list of all checkpoints; aim: below 50 ms"),
        _plain("latest checkpoint", latest, peer_latest, note="the whole snapshot, verified"),
        _plain(
            "put of a checkpoint, Git included", git, statistics.median(put), against="the same without a repository"
        ),
    ]


class _Ours:
    """A run in a workspace of its own, through the services that the commands call."""

    def __init__(self, base: Path, *, git: bool) -> None:
        from waybook.app import App
        from waybook.base.actor import Actor

        root = base / "ws"
        root.mkdir(parents=True)
        (root / "AGENTS.md").write_text("Run the tests.\n")
        if git:
            subprocess.run(["git", "init", "-q", str(root)], check=True)
        self.base = base
        self.who = Actor("operator", "bench")
        self.app = App(environ={"HOME": str(base)}, options=(("bench", {"store": str(base / "x.db")}),), cwd=str(root))
        snapshot = self.app.discover(str(root), ".")
        self.run = self.app.runs().create_run(str(root), "goal", "code", ".", snapshot, self.who).id
        self.service, self.browse = self.app.continuity(), self.app.browse()
        self.last = ""

    def say(self, text: str) -> None:
        self.service.say(self.run, "user", text, self.who)

    def put(self) -> None:
        self.last = self.service.checkpoint(self.run, self.who).id

    def tree(self) -> None:
        if len(self.browse.tree(self.run).nodes) < ROUNDS:
            raise SystemExit("nodes are missing")

    def latest(self) -> None:
        self.service.node(self.last)

    def size(self) -> int:
        self.app.close()
        return sum(file.stat().st_size for file in self.base.glob("x.db*"))


class _Theirs:
    """A thread whose state is a list of messages."""

    def __init__(self, base: Path) -> None:
        import sqlite3

        from langgraph.checkpoint.sqlite import SqliteSaver

        base.mkdir(parents=True)
        self.base = base
        self.connection = sqlite3.connect(str(base / "x.db"), check_same_thread=False)
        self.saver = SqliteSaver(self.connection)
        self.messages: list[dict[str, str]] = []
        self.config: Any = {"configurable": {"thread_id": "1", "checkpoint_ns": ""}}

    def put(self, text: str) -> None:
        from langgraph.checkpoint.base import empty_checkpoint

        self.messages.append({"role": "user", "content": text, "id": str(uuid.uuid4())})
        checkpoint = {**empty_checkpoint(), "channel_values": {"messages": self.messages}}
        metadata: Any = {"source": "loop", "step": len(self.messages), "parents": {}}
        self.config = self.saver.put(self.config, checkpoint, metadata, {})

    def history(self) -> None:
        listed = list(self.saver.list({"configurable": {"thread_id": "1"}}))
        if len(listed) < ROUNDS:
            raise SystemExit("checkpoints are missing")

    def latest(self) -> None:
        if self.saver.get_tuple({"configurable": {"thread_id": "1"}}) is None:
            raise SystemExit("there is no checkpoint")

    def size(self) -> int:
        self.connection.close()
        return sum(file.stat().st_size for file in self.base.glob("x.db*"))


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _median(call: Callable[[], object], times: int) -> float:
    call()
    return statistics.median(_timed(call) for _ in range(times))


def _ratio(name: str, ours: list[float], theirs: list[float], *, reach: float | None = None, note: str = "") -> Ratio:
    """The ratio of the medians, with those of the first and the last quarter of the session as its span."""
    quarter = len(ours) // 4
    parts = [(ours[:quarter], theirs[:quarter]), (ours[-quarter:], theirs[-quarter:])]
    ends = sorted(statistics.median(left) / statistics.median(right) for left, right in parts)
    left, right = statistics.median(ours), statistics.median(theirs)
    return Ratio(name, PEER, left / right, ends[0], ends[1], left, right, len(ours), reach, note)


def _plain(
    name: str,
    ours: float,
    theirs: float,
    *,
    unit: str = "s",
    reach: float | None = None,
    note: str = "",
    against: str = PEER,
) -> Ratio:
    ratio = ours / theirs
    return Ratio(name, against, ratio, ratio, ratio, ours, theirs, 1, reach, note, unit)
