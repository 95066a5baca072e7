"""One store with what continuity needs around it: a workspace on the disk, runs, memories, imported transcripts."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.helpers import OPERATOR, Ticks, keep, snapshot
from waybook.analysis.service import Analysis
from waybook.base.cancel import Progress
from waybook.continuity.browse.service import BrowseService
from waybook.continuity.service import ContinuityService
from waybook.memory.model import Draft
from waybook.memory.service import MemoryService
from waybook.secrets import redact
from waybook.sessions.messages.service import MessageService
from waybook.sessions.notes.service import NoteService
from waybook.sessions.progress.service import ProgressService
from waybook.sessions.service import RunService
from waybook.sessions.transcripts.model import Source
from waybook.sessions.transcripts.readers import claude_code, codex
from waybook.sessions.transcripts.service import ImportService
from waybook.store.tables import messages, sessions

if TYPE_CHECKING:
    from waybook.continuity.browse.model import Tree, TreeNode
    from waybook.sessions.messages.model import Message, Session
    from waybook.sessions.model import Run
    from waybook.store.store import Store

FIXTURES = Path(__file__).parents[2] / "fixtures"


def hidden(text: str) -> str:
    """The mask that the program uses."""
    return redact(text).text


def case(name: str, base: Path, folder: str = "continuity") -> dict[str, Any]:
    """A field case with its files below `base`; the project it speaks of is there too."""
    text = (FIXTURES / folder / f"{name}.json").read_text(encoding="utf-8").replace("/srv/demo", str(base))
    found: dict[str, Any] = json.loads(text)
    for path, content in found["tree"].items():
        place = base / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
    return found


class World:
    """`root` is a workspace that exists; `continuity` and `browse` are what is tested."""

    def __init__(self, store: Store, root: Path) -> None:
        self.store = store
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.runs = RunService(store, mask=keep)
        self.memories = MemoryService(store)
        self.notes = NoteService(store)
        self.progress = ProgressService(store)
        self.said = MessageService(store)
        self.continuity = ContinuityService(store, mask=hidden, discover=self._discover)
        self.browse = BrowseService(store)

    @staticmethod
    def _discover(root: str, target: str) -> Any:
        return Analysis(root, Ticks(), lambda: None).discover(target)

    def run(self, goal: str = "review the parser", profile: str = "review", text: str = "rules\n") -> Run:
        rules = snapshot({"AGENTS.md": text})
        return self.runs.create_run(str(self.root), goal, profile, ".", rules, OPERATOR)

    def say(self, run_id: str, *texts: str) -> None:
        for number, text in enumerate(texts):
            self.continuity.say(run_id, "assistant" if number % 2 else "user", text, OPERATOR)

    def memory(self, content: str = "Run unit tests first.", **fields: Any) -> Any:
        owner = self.runs.register(str(self.root)).id
        draft = Draft(**{"scope": "project", "title": "Tests", "content": content, "scope_id": owner, **fields})
        return self.memories.create(draft, OPERATOR)

    def bring(self, *paths: Path) -> tuple[Session, ...]:
        """Import transcripts; Codex's are those whose names say so or that hold rollouts."""
        found = [
            (codex.FORMAT, Source(codex.AGENT, str(path)))
            if "session_meta" in path.read_text(encoding="utf-8")
            else (claude_code.FORMAT, claude_code.source(str(path), f"p/{path.name}"))
            for path in paths
        ]
        ImportService(self.store, hidden).run(found, Progress())
        return self.said.sessions()

    def messages(self, session_id: str) -> tuple[Message, ...]:
        return self.said.conversation(session_id).messages

    def append(self, session_id: str, text: str) -> None:
        """What an agent would write into its own session later."""
        with self.store.write() as connection:
            seq = connection.exec_driver_sql("SELECT seq FROM sessions WHERE id = ?", (session_id,)).scalar_one()
            plain = {"session_seq": seq, "key": f"later-{text}", "parent": "", "role": "user", "kind": "prompt"}
            marks = {"call_id": "", "at": "", "side": 0, "hidden": 0, "inherited": 0}
            connection.execute(messages.insert().values(**plain, **marks, text=text))

    def delete_session(self, session_id: str) -> None:
        with self.store.write() as connection:
            seq = connection.exec_driver_sql("SELECT seq FROM sessions WHERE id = ?", (session_id,)).scalar_one()
            for table in ("tool_receipts", "messages"):
                connection.exec_driver_sql(f"DELETE FROM {table} WHERE session_seq = ?", (seq,))
            connection.execute(sessions.delete().where(sessions.c.seq == seq))

    def scalar(self, query: str) -> Any:
        with self.store.read() as connection:
            return connection.exec_driver_sql(query).scalar_one()


def stored(tree: Tree) -> list[TreeNode]:
    return [node for node in tree.nodes if node.authoritative]


def git(root: Path, *arguments: str) -> str:
    """Run git as a person would, without that person's settings."""
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    who = {f"GIT_{role}_{what}": "ada" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], env={**env, **who}, capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout.strip()


def repository(root: Path) -> Path:
    """A repository with one commit on `main`."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    (root / "a.txt").write_text("one\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


__all__ = ["FIXTURES", "OPERATOR", "World", "case", "git", "hidden", "replace", "repository", "stored"]
